//! What things cost in tokens of the reader. One counter serves the trigger, the cut and the report.

mod calibrate;
mod classes;
mod estimate;
mod overhead;
mod picture;
mod weights;

pub use calibrate::{Calibration, calibrate, input_tokens};
pub use estimate::{Table, tokens};
pub use overhead::{FIXED, MESSAGE};
pub use picture::{PAGE_KEY, is_page_base64, is_page_bytes, size_of_base64, size_of_bytes};

use crate::message::{Kind, Message, Part, Shape, Store, Value, write_json};
use crate::model::{ImageCost, ImageRule, ModelFacts, Tokenizer};
use alloc::vec::Vec;

/// Prices messages for one model.
#[derive(Debug)]
pub struct Meter {
    facts: ModelFacts,
    table: Table,
    scratch: Vec<u8>,
}

impl Meter {
    /// A meter for a model.
    pub fn new(facts: ModelFacts) -> Meter {
        let table = match facts.tokenizer {
            Tokenizer::O200k => Table::O200k,
            Tokenizer::Cl100k => Table::Cl100k,
            Tokenizer::Claude => Table::Claude,
            Tokenizer::Gemini => Table::Gemini,
            Tokenizer::Llama => Table::Llama,
            Tokenizer::Qwen => Table::Qwen,
            Tokenizer::DeepSeek => Table::Deepseek,
            Tokenizer::Mistral => Table::Mistral,
            Tokenizer::Other => Table::Other,
        };
        Meter { facts, table, scratch: Vec::new() }
    }
    /// The model it prices for.
    pub fn facts(&self) -> &ModelFacts {
        &self.facts
    }
    /// Tokens of a text.
    pub fn text(&self, text: &str) -> u32 {
        tokens(text.as_bytes(), self.table)
    }
    /// Prices a message and all its parts, and weighs it when it was put together anew.
    pub fn message(&mut self, message: &mut Message, store: &Store) {
        message.overhead = MESSAGE;
        for part in &mut message.parts {
            part.tokens = self.part(part, store);
            if part.kind == Kind::Image {
                (part.refused, part.large) = self.limits(store.bytes(part.from, part.body));
            }
        }
        if !message.whole {
            self.weigh(message, store);
        }
    }
    /// Weighs a message that was put together anew: its bytes as JSON, and what the provider adds around it.
    pub fn weigh(&self, message: &mut Message, store: &Store) {
        message.overhead = MESSAGE;
        message.bytes = overhead::rebuilt_bytes(message, store);
    }
    /// Tokens of a part as it stands.
    pub fn part(&mut self, part: &Part, store: &Store) -> u32 {
        if part.is_replaced() {
            return self.text(store.own(part.instead)) + self.around(part.kind);
        }
        let body = store.bytes(part.from, part.body);
        let words = match part.kind {
            Kind::Image => self.picture(body, store.bytes(part.from, part.name)).tokens,
            Kind::Media => overhead::MEDIA,
            Kind::Reasoning => tokens(body, self.table) + overhead::sealed(part),
            Kind::Call => self.body(part, body) + self.name(part, store),
            Kind::Text | Kind::Result | Kind::Opaque => self.body(part, body),
        };
        words.saturating_add(self.around(part.kind))
    }
    /// What a provider adds around a part, in tokens.
    pub fn around(&self, kind: Kind) -> u32 {
        overhead::of(kind, self.table)
    }
    /// Tokens of the name of a call's tool; 0 for any other part.
    pub fn name(&self, part: &Part, store: &Store) -> u32 {
        if part.kind == Kind::Call { tokens(store.bytes(part.from, part.name), self.table) } else { 0 }
    }
    /// Tokens of instructions or of definitions of tools, as they stand in an envelope.
    pub fn value(&mut self, value: Value<'_>) -> u32 {
        match value.shape() {
            Shape::String => value.str().map_or(0, |text| self.text(text)),
            Shape::Array => value.items().map(|item| self.block(item)).fold(0, u32::saturating_add),
            _ => self.block(value),
        }
    }
    /// The price of a picture by its data or address, and the size it is read at.
    pub fn picture(&self, body: &[u8], detail: &[u8]) -> ImageCost {
        let (width, height) = size_of_base64(body).unwrap_or(overhead::UNSEEN);
        self.rule(detail).cost(width, height)
    }

    /// Whether the provider refuses a picture for itself, and whether it does among many.
    fn limits(&self, body: &[u8]) -> (bool, bool) {
        let limits = &self.facts.limits;
        let Some((width, height)) = size_of_base64(body) else { return (false, false) };
        let beyond = |most: Option<u32>, now: u64| most.is_some_and(|most| now > u64::from(most));
        let edge = u64::from(width.max(height));
        let squares = u64::from(width.div_ceil(32)) * u64::from(height.div_ceil(32));
        let refused = beyond(limits.base64, body.len() as u64)
            || beyond(limits.edge, edge)
            || beyond(limits.pixels, u64::from(width) * u64::from(height))
            || beyond(limits.patches, squares);
        (refused, beyond(limits.crowd.map(|crowd| crowd.edge), edge))
    }

    fn rule(&self, detail: &[u8]) -> ImageRule {
        match core::str::from_utf8(detail) {
            Ok(detail) if !detail.is_empty() => self.facts.images_at(detail),
            _ => self.facts.images,
        }
    }

    fn body(&mut self, part: &Part, body: &[u8]) -> u32 {
        if !part.json {
            return tokens(body, self.table);
        }
        self.scratch.clear();
        write_json(body, &mut self.scratch);
        tokens(&self.scratch, self.table)
    }

    fn block(&mut self, value: Value<'_>) -> u32 {
        if let Some(text) = value.text("text") {
            return self.text(text);
        }
        self.scratch.clear();
        value.write_json(&mut self.scratch);
        tokens(&self.scratch, self.table)
    }
}
