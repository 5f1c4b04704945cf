//! The texts that parts point into: every input message once, and what this package writes itself.

use super::{Span, Tape};
use alloc::vec::Vec;

/// Tapes by number: the caller's messages from 0 on, this package's own texts from `OWN` on.
#[derive(Debug, Default)]
pub struct Store {
    inputs: Vec<Vec<u8>>,
    own: Vec<Vec<u8>>,
}

/// The first number of an own text. More messages than that would not fit the memory of a module.
const OWN: u32 = 1 << 31;

impl Store {
    /// An empty store.
    pub fn new() -> Store {
        Store::default()
    }
    /// Adds an input message.
    pub fn add_input(&mut self, tape: Vec<u8>) {
        self.inputs.push(tape);
    }
    /// Number of input messages.
    pub fn inputs(&self) -> u32 {
        self.inputs.len() as u32
    }
    /// True for a number that stands for one of the caller's messages.
    pub fn is_input(&self, from: u32) -> bool {
        from < OWN
    }
    /// An input message as it crossed.
    pub fn input(&self, number: u32) -> &[u8] {
        self.inputs.get(number as usize).map_or(&[], Vec::as_slice)
    }
    /// Adds texts of this package's own; answers their number and where each stands.
    pub fn add_own<const N: usize>(&mut self, texts: [&str; N]) -> (u32, [Span; N]) {
        let mut tape = Tape::new();
        let spans = texts.map(|text| tape.text(text));
        self.own.push(tape.finish());
        (OWN + (self.own.len() as u32 - 1), spans)
    }
    /// The first text of an own number.
    pub fn own(&self, number: u32) -> &str {
        let tape = self.tape(number);
        let len = tape.get(1..5).map_or(0, |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        let span = Span { start: 5, end: 5 + len };
        self.str(number, span)
    }
    /// The bytes of a span.
    pub fn bytes(&self, from: u32, span: Span) -> &[u8] {
        &self.tape(from)[span.start as usize..span.end as usize]
    }
    fn tape(&self, number: u32) -> &[u8] {
        if self.is_input(number) { &self.inputs[number as usize] } else { &self.own[(number - OWN) as usize] }
    }
    /// The words of a span; empty when they are no UTF-8.
    pub fn str(&self, from: u32, span: Span) -> &str {
        core::str::from_utf8(self.bytes(from, span)).unwrap_or_default()
    }
}
