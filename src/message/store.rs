//! The texts that parts point into: every input message once, and what this package writes itself.

use super::{Span, Tape};
use alloc::vec::Vec;

/// Tapes by number. The caller's messages come first, this package's own texts after them.
#[derive(Debug, Default)]
pub struct Store {
    tapes: Vec<Vec<u8>>,
    inputs: u32,
}

impl Store {
    /// An empty store.
    pub fn new() -> Store {
        Store::default()
    }
    /// Adds an input message. Must not follow a text of this package's own.
    pub fn add_input(&mut self, tape: Vec<u8>) {
        debug_assert_eq!(self.tapes.len(), self.inputs as usize);
        self.tapes.push(tape);
        self.inputs += 1;
    }
    /// Number of input messages.
    pub fn inputs(&self) -> u32 {
        self.inputs
    }
    /// True for a number that stands for one of the caller's messages.
    pub fn is_input(&self, from: u32) -> bool {
        from < self.inputs
    }
    /// Adds texts of this package's own; answers their number and where each stands.
    pub fn add_own<const N: usize>(&mut self, texts: [&str; N]) -> (u32, [Span; N]) {
        let mut tape = Tape::new();
        let spans = texts.map(|text| tape.text(text));
        self.tapes.push(tape.finish());
        (self.tapes.len() as u32 - 1, spans)
    }
    /// The first text of an own number.
    pub fn own(&self, number: u32) -> &str {
        let tape = &self.tapes[number as usize];
        let len = tape.get(1..5).map_or(0, |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        let span = Span { start: 5, end: 5 + len };
        self.str(number, span)
    }
    /// The bytes of a span.
    pub fn bytes(&self, from: u32, span: Span) -> &[u8] {
        &self.tapes[from as usize][span.start as usize..span.end as usize]
    }
    /// The words of a span; empty when they are no UTF-8.
    pub fn str(&self, from: u32, span: Span) -> &str {
        core::str::from_utf8(self.bytes(from, span)).unwrap_or_default()
    }
}
