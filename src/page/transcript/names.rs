//! Which tool a result is of.

use crate::message::{At, Kind, Message, Part, Span, Store};
use alloc::collections::BTreeMap;

/// The tool of each result, where it is known. Points into the store it was read with.
#[derive(Debug, Default)]
pub struct Names {
    /// By the input and the place a result stands at.
    of: BTreeMap<(u32, u32, u32), (u32, Span)>,
}

impl Names {
    /// Reads a history. A result is of the last call before it that bears its id: ids repeat, and what comes later must not change what was
    /// spoken before. Calls and results without an id belong together likewise.
    pub fn read(messages: &[Message], store: &Store) -> Names {
        let mut names = Names::default();
        let mut calls: BTreeMap<&[u8], (u32, Span)> = BTreeMap::new();
        for part in messages.iter().flat_map(|message| &message.parts) {
            let id = store.bytes(part.id_from, part.id);
            match part.kind {
                Kind::Call => {
                    calls.insert(id, (part.from, part.name));
                }
                Kind::Result => {
                    if let Some(&name) = calls.get(id) {
                        names.of.insert(place(part), name);
                    }
                }
                _ => {}
            }
        }
        names
    }

    /// The tool a result is of; empty when no call was found.
    pub(super) fn of<'a>(&self, part: &Part, store: &'a Store) -> &'a str {
        self.of.get(&place(part)).map_or("", |&(from, name)| store.str(from, name))
    }
}

fn place(part: &Part) -> (u32, u32, u32) {
    let At { block, inner } = part.at;
    (part.from, block, inner)
}
