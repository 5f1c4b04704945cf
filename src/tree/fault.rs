//! What is wrong with rows and heads that come from a store or a file, and what became of it. Messages are never given up but for absurd
//! numbers of them.

use super::arena::MOST_NODES;
use alloc::string::String;

/// A fault, and how it was mended.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Two messages bear one id. The second goes by another; what follows that id follows the first.
    #[error("Two messages bear the id `{id}`; the second is `{now}` now.")]
    DuplicateId {
        /// The id.
        id: String,
        /// The second message's id now.
        now: String,
    },
    /// An id that is empty or too long.
    #[error("Message {row} has an id that is empty or too long; it is `{now}` now.")]
    BadId {
        /// Its place among the rows, from 0.
        row: usize,
        /// Its id now.
        now: String,
    },
    /// A message follows one that is not there. It follows the one before it in the rows now.
    #[error("The message `{id}` follows `{parent}`, which is not there; {}.", now_follows(.to))]
    Dangling {
        /// The message.
        id: String,
        /// What it named.
        parent: String,
        /// What it follows now; nothing when it is a root.
        to: Option<String>,
    },
    /// Messages follow each other in a circle. It is opened at the first of them, which follows the one before it in the rows now.
    #[error("The message `{id}` follows itself in a circle; {}.", now_follows(.to))]
    Circle {
        /// The first message of the circle.
        id: String,
        /// What it follows now; nothing when it is a root.
        to: Option<String>,
    },
    /// More messages than a conversation holds.
    #[error("There are {of} messages; the first {MOST_NODES} were read.")]
    TooMany {
        /// How many there are.
        of: usize,
    },
    /// The tip is not there. It stands on the newest message now.
    #[error("The tip `{tip}` is not there; it stands on the newest message now.")]
    MissingTip {
        /// What was named.
        tip: String,
    },
    /// A record of which an end is not there, or whose ends stand on no common path. It was taken off.
    #[error("The record `{record}` lies over no range of a path; it was taken off.")]
    LostRecord {
        /// The record.
        record: String,
    },
    /// Two records of one id. The later one stands.
    #[error("Two records bear the id `{record}`; the later one stands.")]
    DuplicateRecord {
        /// The id.
        record: String,
    },
    /// A label whose message is not there, or that is empty or too long. It was dropped.
    #[error("The checkpoint `{label}` stands on `{at}`, which is not there, or is no label; it was dropped.")]
    LostLabel {
        /// The label.
        label: String,
        /// What it stood on.
        at: String,
    },
    /// A label that comes twice. The later one stands.
    #[error("The checkpoint `{label}` comes twice; the later one stands.")]
    DuplicateLabel {
        /// The label.
        label: String,
    },
    /// A label on a message that was not loaded. It is unknown here and stays in the store. Nothing is damaged.
    #[error("The checkpoint `{label}` stands on a message that was not loaded; it stays in the store.")]
    NotLoaded {
        /// The label.
        label: String,
        /// What it stands on.
        at: String,
    },
}

impl Fault {
    /// False for what only says that something was not loaded.
    pub fn is_damage(&self) -> bool {
        !matches!(self, Fault::NotLoaded { .. })
    }
    /// True when a message follows another than it named.
    pub fn is_reattached(&self) -> bool {
        matches!(self, Fault::Dangling { .. } | Fault::Circle { .. })
    }
}

fn now_follows(to: &Option<String>) -> String {
    match to {
        Some(to) => alloc::format!("it follows `{to}` now"),
        None => "it is a root now".into(),
    }
}
