//! What is stored of a conversation: a row for each message, and the head beside them.

use super::node::NOTHING;
use super::{New, Tree};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// A message as a store keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The id of the message it follows.
    pub parent: Option<String>,
    /// The message.
    pub new: New,
}

/// A compaction record, as far as the tree decides about it: it lies over the part of a path from one message to another, both included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Names it among the records of the conversation.
    pub id: String,
    /// The first message.
    pub from: String,
    /// The last one.
    pub to: String,
    /// It stands for all messages of its range (pages, a summary, a window), not for single things in it (elided results, pictures).
    pub whole: bool,
}

/// A label, and the message it stands on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The label.
    pub label: String,
    /// The id of the message.
    pub at: String,
}

/// What is stored beside the messages, as far as the tree decides about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The message that the next one follows.
    pub tip: Option<String>,
    /// All records, in the order they were laid.
    pub records: Vec<Record>,
    /// All labels, in the order they were set.
    pub checkpoints: Vec<Checkpoint>,
}

impl Tree {
    /// The head as it stands, with what was not loaded.
    pub fn head(&self) -> Head {
        self.head_where(&|_| true)
    }
    /// The head with only what stands on nodes that `may` says.
    pub(super) fn head_where(&self, may: &dyn Fn(u32) -> bool) -> Head {
        let mut head = self.unloaded.clone();
        head.tip = (self.tip != NOTHING).then(|| self.arena.at(self.tip).id().to_string());
        let id = |node: u32| self.arena.at(node).id().to_string();
        let records = self.records.iter().filter(|laid| may(laid.from) && may(laid.to));
        head.records.extend(records.map(|laid| Record {
            id: laid.id.clone(),
            from: id(laid.from),
            to: id(laid.to),
            whole: laid.whole,
        }));
        head.checkpoints.extend(self.labels.iter().filter(|set| may(set.at)).map(|set| self.told(set)));
        head
    }
}
