//! What is known of models: window, most output, vision, tokenizer, price, and how a picture is billed and shrunk.
//!
//! | file | holds |
//! | --- | --- |
//! | `generated.rs` | models of the npm package llm-zoo, written by `scripts/models.mjs` |
//! | `extra.rs` | models that package lacks, each with its source |
//! | `names.rs` | how routes, gateways and dates dress an id up, and how to undress it |
//! | `families.rs` | which family an id belongs to, and what an unknown member is taken for |
//! | `pictures.rs` | the one table of picture billing and limits |
//! | `images.rs` | the arithmetic of that billing |
//!
//! Nothing here is fetched at run time. A model that is not listed is a matter of [`complete`]: the caller's own facts.

mod extra;
mod families;
mod generated;
mod images;
mod names;
mod pictures;
mod row;

use alloc::{string::String, vec::Vec};

use serde::Serialize;

pub(crate) use families::{Family, Identity};
pub use images::{ImageCost, ImageRule, Resize};
pub use pictures::{Crowd, ImageLimits};

use row::Row;

/// What a model can take, and what it costs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelFacts {
    /// As the caller wrote it, route and all.
    pub id: String,
    /// Tokens the model can take in and give out together.
    pub window: u32,
    /// Most tokens of one answer; at most `window`.
    pub max_output: u32,
    /// Whether it can read pictures.
    pub vision: bool,
    /// Which table the estimator uses.
    pub tokenizer: Tokenizer,
    /// How the provider bills and shrinks a picture.
    pub images: ImageRule,
    /// Absent where it is unknown, and for models that cost nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<Price>,
    /// The host wants user and assistant to take turns and the system at the beginning only, as the chat templates of some servers do. Only
    /// the caller knows; false unless said.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub strict: bool,
    /// What the provider refuses, whatever it would cost in tokens.
    #[serde(skip)]
    pub limits: ImageLimits,
}

impl ModelFacts {
    /// The rule for a picture sent with a detail of its own: OpenAI's `low`, `high`, `original`, Gemini's
    /// `media_resolution` with or without its prefix. `images` itself for `auto`, for none and for what the provider
    /// does not know.
    pub fn images_at(&self, detail: &str) -> ImageRule {
        pictures::at_detail(self, detail)
    }

    /// The detail with which a picture must be sent so that the provider does not choose how closely it looks: OpenAI's
    /// `high`. `None` for other models, and where `images` is a rule of the caller's own.
    ///
    /// `original`, which GPT-5.4 and later also take, buys no more letters a token, and only the Responses API has it
    /// (npm openai 6.49, types of Chat Completions).
    pub fn close_detail(&self) -> Option<&'static str> {
        let model = identity(&self.id).filter(|model| pictures::rule(model) == self.images)?;
        matches!(model.family, Family::Gpt | Family::Reasoner).then_some("high")
    }
}

impl ModelFacts {
    /// Whether it takes messages of the system inside the history, where Anthropic's format leaves that to the model: Opus from 4.8 on and all of
    /// the fifth generation (Vercel's AI SDK, pull request 15674; opencode, pull request 43180). False for what is not known to.
    pub fn takes_system(&self) -> bool {
        identity(&self.id).is_some_and(|model| {
            let from = if model.has("opus") { 480 } else { 500 };
            model.family == Family::Claude && model.version >= from
        })
    }
}

/// What a model's id says of itself, whichever gateway stands before it.
pub(crate) fn identity(id: &str) -> Option<Identity> {
    names::candidates(id).iter().find_map(|name| families::identify(name))
}

/// US dollars a million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Price {
    /// Input that no cache held.
    pub input: f64,
    /// Output, thinking included.
    pub output: f64,
    /// Input read from the provider's cache; absent where it is not sold apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_read: Option<f64>,
    /// Input written to the cache for five minutes; absent where a write costs what input costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<f64>,
}

/// Tables of the token estimator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // The names are the tokenizers' own.
pub enum Tokenizer {
    /// GPT-4o and later.
    O200k,
    /// GPT-4 and 3.5.
    Cl100k,
    Claude,
    Gemini,
    Llama,
    Qwen,
    DeepSeek,
    Mistral,
    /// None of these: Grok, Kimi, GLM, MiniMax, and whatever is unknown.
    Other,
}

impl Tokenizer {
    /// The tokenizer of this name, spelt as in the JavaScript contract.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "o200k" => Self::O200k,
            "cl100k" => Self::Cl100k,
            "claude" => Self::Claude,
            "gemini" => Self::Gemini,
            "llama" => Self::Llama,
            "qwen" => Self::Qwen,
            "deepseek" => Self::DeepSeek,
            "mistral" => Self::Mistral,
            "other" => Self::Other,
            _ => return None,
        })
    }
}

/// Facts of the caller's own; what is left out is found elsewhere, see [`complete`].
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)] // The fields are those of `ModelFacts`.
pub struct PartialFacts {
    pub id: Option<String>,
    pub window: Option<u32>,
    pub max_output: Option<u32>,
    pub vision: Option<bool>,
    pub tokenizer: Option<Tokenizer>,
    pub images: Option<ImageRule>,
    pub price: Option<Price>,
    pub strict: Option<bool>,
}

/// The facts of a model, found by its id as a route names it.
///
/// The full id is tried, then its last segment, then the segments before; dates, release stages, variants after a colon
/// (`:free`), regions and versions of a platform are taken off step by step; `claude-opus-4.8` is `claude-opus-4-8`.
/// An unknown member of a known family gets the limits of the newest known one that is no newer than itself, the
/// smallest where several fit, and no price. `None` when not even the family can be told.
pub fn find(id: &str) -> Option<ModelFacts> {
    let names = names::candidates(id);
    match names::Table::new().lookup(&names) {
        Some(row) => Some(facts(id, row)),
        None => names.iter().find_map(|name| families::guess(id, name)),
    }
}

/// True when both ids name one model, by whichever route.
pub fn same(one: &str, other: &str) -> bool {
    let row = |table: &names::Table, id: &str| table.lookup(&names::candidates(id));
    one == other || {
        let table = names::Table::new();
        matches!((row(&table, one), row(&table, other)), (Some(one), Some(other)) if core::ptr::eq(one, other))
    }
}

/// All models known by id that are still served, in no particular order: for a picker.
pub fn all() -> Vec<ModelFacts> {
    rows().filter(|row| !row.retired()).map(|row| facts(row.0, row)).collect()
}

/// The caller's facts, with what they leave out taken from the known model of that id, else from cautious defaults:
/// no vision, tokenizer `other`, pictures billed in squares of 28 px, most output the smaller of 4096 and a quarter of
/// the window, no price. `None` only when the window is missing and the id unknown.
pub fn complete(partial: PartialFacts) -> Option<ModelFacts> {
    let id = partial.id.unwrap_or_default();
    let known = find(&id);
    let window = partial.window.or(known.as_ref().map(|facts| facts.window))?;
    let base = known.unwrap_or_else(|| ModelFacts {
        max_output: (window / 4).min(4096),
        vision: false,
        tokenizer: Tokenizer::Other,
        images: pictures::DEFAULT_RULE,
        price: None,
        strict: false,
        limits: pictures::limits_of_host(&id, ImageLimits::default()),
        id,
        window,
    });
    Some(ModelFacts {
        window,
        max_output: partial.max_output.unwrap_or(base.max_output).min(window),
        vision: partial.vision.unwrap_or(base.vision),
        tokenizer: partial.tokenizer.unwrap_or(base.tokenizer),
        images: partial.images.unwrap_or(base.images),
        price: partial.price.or(base.price),
        strict: partial.strict.unwrap_or(base.strict),
        limits: base.limits,
        id: base.id,
    })
}

/// Extra rows first: where both tables name a model, the hand-written one corrects the other.
fn rows() -> impl Iterator<Item = &'static Row> {
    extra::MODELS.iter().chain(generated::MODELS)
}

fn facts(id: &str, row: &Row) -> ModelFacts {
    let identity = families::identify(&names::normal(row.0));
    ModelFacts {
        id: id.into(),
        window: row.1,
        max_output: row.2.min(row.1),
        vision: row.vision(),
        tokenizer: identity.as_ref().map_or(Tokenizer::Other, families::tokenizer),
        images: identity.as_ref().map_or(pictures::DEFAULT_RULE, pictures::rule),
        price: row.price(),
        strict: false,
        limits: pictures::limits(identity.as_ref(), row.1, id),
    }
}

#[cfg(test)]
mod tests;
