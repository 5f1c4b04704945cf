//! What a person sees: every message of the path, with a marker for what was laid where it begins.

use super::Tree;
use crate::message::Role;
use alloc::string::String;
use alloc::vec::Vec;

/// A line of the timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A message.
    Message {
        /// Its number.
        node: u32,
        /// The model is sent it, if only in part. What stands in a range that a record stands for is not, but for the system's messages.
        in_context: bool,
    },
    /// A record that applies, before the first message of its range.
    Compaction {
        /// Its id.
        record: String,
    },
}

impl Tree {
    /// The path to the tip with its records.
    pub fn timeline(&mut self) -> Vec<Entry> {
        let applied = self.applied();
        let path = self.path.to(&self.arena, self.tip);
        let mut entries = Vec::with_capacity(path.len() + applied.len());
        let mut applied = applied.into_iter().peekable();
        // One past the depth of what is given up.
        let mut hidden = 0;
        for &node in path {
            let at = self.arena.at(node);
            while let Some(next) = applied.next_if(|next| next.from <= at.depth) {
                let laid = &self.records[next.record];
                if laid.whole {
                    hidden = next.to + 1;
                }
                entries.push(Entry::Compaction { record: laid.id.clone() });
            }
            let in_context = at.depth >= hidden || at.role == Role::System;
            entries.push(Entry::Message { node, in_context });
        }
        entries
    }
}
