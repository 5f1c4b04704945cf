//! What stands where a range is drawn as pages: one user message of a lead-in, the pages and the exact strings.

use super::lay::{Run, own_text};
use super::results::tokens_of_results;
use super::{Layer, Scene};
use crate::history::own_message;
use crate::message::{At, Kind, Message, Part, Role, Store};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// A message of the history that is drawn, or the half of it that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Source {
    /// The message, by its origin.
    pub origin: u32,
    /// What of it.
    pub half: Half,
}

impl Source {
    /// What it cost as it came, which `message` is.
    pub fn tokens(self, message: &Message) -> u64 {
        if self.half == Half::Results { tokens_of_results(message) } else { message.tokens() }
    }
}

/// What of a message is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Half {
    /// All of it.
    Whole,
    /// The results in it: what its person said beside them stays in words.
    Results,
    /// What its person said: the results are drawn already.
    Words,
}

/// What is drawn in one place. Pixels are never kept: they are drawn from the sources when the walk is over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// The messages, oldest first.
    pub sources: Vec<Source>,
    /// How many it stands for, those left out included.
    pub messages: u64,
    /// How many were left out before any of them was drawn.
    pub left_out: u64,
    /// Pages at the beginning that are not drawn.
    pub shed: u64,
    /// What it all cost as it came, in tokens.
    pub original: u64,
}

impl Block {
    /// The first message of the caller that is drawn: those that a repair put in have no number outside.
    pub fn first(&self, store: &Store) -> Option<u32> {
        self.sources.iter().map(|source| source.origin).find(|&origin| store.is_input(origin))
    }
}

/// A block as it is planned, before it is laid.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// What is drawn.
    pub block: Block,
    /// Rows in use of each page that is drawn, oldest first.
    pub rows: Vec<u32>,
    /// What stands before the pages.
    pub lead_in: String,
    /// What stands after them.
    pub sheet: String,
    /// What it all costs, in tokens.
    pub tokens: u64,
}

/// Bytes of a page's PNG as base64 for each of its letters, at most; measured at 3 to 6. It counts until the page is drawn.
const BYTES_A_LETTER: u64 = 8;

impl Draft {
    /// The message that bears it.
    pub fn lay(self, run: &Run, scene: &mut Scene<'_>) -> Message {
        let lead_in = own_text(&self.lead_in, scene.store);
        let sheet = Part { marker: run.marker, ..own_text(&self.sheet, scene.store) };
        let key = lead_in.from;
        let mut parts = vec![lead_in];
        if let Ok(easel) = &scene.easel {
            let detail = easel.plan.detail.unwrap_or_default();
            let page = |&rows: &u32| {
                let (from, [body, name]) = scene.store.add_own(["", detail]);
                let cost = easel.plan.page(rows);
                let bytes = bytes(easel.plan.shape.columns, rows);
                let part = Part { body, name, own: true, ..Part::new(Kind::Image, from, At::STRING) };
                Part { tokens: cost.tokens, bytes: bytes as u32, ..part }
            };
            parts.extend(self.rows.iter().map(page));
        }
        parts.push(sheet);
        let mut message = own_message(Role::User, parts, scene.store);
        for part in message.parts.iter_mut().filter(|part| part.kind == Kind::Text) {
            part.tokens = scene.meter.part(part, scene.store);
        }
        scene.meter.weigh(&mut message, scene.store);
        let layer = Layer { after: message.tokens(), block: Some(self.block), ..Layer::over(run, "snapshot") };
        scene.stand.lay(key, layer);
        message
    }
}

/// Bytes that a page of so many rows takes in the request, at most, until it is drawn.
pub(super) fn bytes(columns: u32, rows: u32) -> u64 {
    u64::from(columns) * u64::from(rows) * BYTES_A_LETTER + 200
}
