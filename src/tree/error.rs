//! What the tree refuses. A call that is refused changed nothing.

use super::Fault;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Why a call was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// No node has this id, or it was not loaded.
    #[error("There is no node `{0}` in what is loaded of this conversation.")]
    UnknownNode(String),
    /// No checkpoint has this label, or its target was not loaded.
    #[error("{}", unknown_checkpoint(label, *stored))]
    UnknownCheckpoint {
        /// The label asked for.
        label: String,
        /// It stands on a part of the conversation that stayed in the store.
        stored: bool,
    },
    /// Calls on the path to the tip have no result yet: their ids, in order.
    #[error("{}", open_turn(.0))]
    OpenTurn(Vec<String>),
    /// An argument that makes no sense.
    #[error("{0}")]
    Option(String),
    /// What was stored is damaged; what could be saved stands in a tree of its own.
    #[error("{}", corrupt(.0))]
    CorruptStore(Vec<Fault>),
}

impl TreeError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            TreeError::UnknownNode(_) => "unknown-node",
            TreeError::UnknownCheckpoint { .. } => "unknown-checkpoint",
            TreeError::OpenTurn(_) => "open-turn",
            TreeError::Option(_) => "option",
            TreeError::CorruptStore(_) => "corrupt-store",
        }
    }
}

fn unknown_checkpoint(label: &str, stored: bool) -> String {
    if stored {
        return format!(
            "The checkpoint `{label}` stands on a part of the conversation that was not loaded: open it without `load`."
        );
    }
    format!("There is no checkpoint `{label}`: it was never set, or the message it stood on is gone.")
}

fn open_turn(calls: &[String]) -> String {
    let named: Vec<String> = calls.iter().take(5).map(|id| format!("`{id}`")).collect();
    let more = if calls.len() > named.len() { ", …" } else { "" };
    let (calls, have) = if calls.len() == 1 { ("call", "has") } else { ("calls", "have") };
    format!(
        "The {calls} {}{more} {have} no result yet: append the results, or go back with `branch`.",
        named.join(", ")
    )
}

fn corrupt(faults: &[Fault]) -> String {
    let first = faults.first().map_or_else(String::new, ToString::to_string);
    let more = faults.len().saturating_sub(1);
    let more = if more > 0 { format!(" And {more} more of the kind.") } else { String::new() };
    format!("What is stored of this conversation is damaged. {first}{more} What could be saved comes with this error.")
}
