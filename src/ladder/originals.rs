//! The history as it came: where each message stands in it, and what it says. Pages and summaries are made from it, never from what earlier
//! passes left.

use super::results::is_of_result;
use super::{Half, Source};
use crate::message::{Message, Store};
use crate::page::transcript::{Names, Speech, speak};
use alloc::collections::BTreeMap;
use alloc::string::String;

/// What is known of a history.
#[derive(Debug, Default)]
pub struct Originals {
    names: Names,
    /// Messages that were read.
    watched: usize,
    /// Where each message stands, by its origin.
    places: BTreeMap<u32, u32>,
}

impl Originals {
    /// Reads the history; one that grew is read again.
    pub fn watch(&mut self, history: &[Message], store: &Store) {
        if self.watched == history.len() {
            return;
        }
        self.watched = history.len();
        self.names = Names::read(history, store);
        self.places = history.iter().enumerate().map(|(index, message)| (message.origin, index as u32)).collect();
    }
    /// True once the history was read.
    pub fn are_read(&self) -> bool {
        self.watched > 0
    }
    /// Where a message stands, by its origin. Nothing before the history was read.
    pub fn place(&self, origin: u32) -> Option<usize> {
        self.places.get(&origin).map(|&place| place as usize)
    }
}

/// A history as it came, with its texts.
#[derive(Clone, Copy, Debug)]
pub struct Came<'a> {
    /// What is known of it.
    pub originals: &'a Originals,
    /// Its messages.
    pub history: &'a [Message],
    /// Their texts.
    pub store: &'a Store,
}

impl<'a> Came<'a> {
    /// A message, by its origin.
    pub fn message(self, origin: u32) -> Option<&'a Message> {
        self.history.get(self.originals.place(origin)?)
    }
    /// Appends what a source says.
    pub fn speak(self, source: Source, speech: Speech, out: &mut String) {
        let Some(message) = self.message(source.origin) else { return };
        let of_result = match source.half {
            Half::Whole => return speak(message, self.store, &self.originals.names, speech, out),
            Half::Results => true,
            Half::Words => false,
        };
        let mut message = message.clone();
        message.parts.retain(|part| is_of_result(part) == of_result);
        speak(&message, self.store, &self.originals.names, speech, out);
    }
}
