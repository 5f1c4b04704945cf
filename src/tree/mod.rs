//! A conversation as a tree: every message names the one it follows, and the tip says where the next one goes.
//!
//! | file | is about |
//! | --- | --- |
//! | `brief`, `node` | what the tree knows of a message: never its words, only a number under which the caller keeps it |
//! | `arena`, `path` | the links; the path to the tip |
//! | `grow` | append, branch, edit, select, update: none deletes, and only append and edit add |
//! | `open`, `weigh`, `turn` | calls without a result; where turns end; taking a turn back; what is sent again |
//! | `record`, `timeline` | what was laid over ranges of a path, and where it holds |
//! | `label` | checkpoints |
//! | `head`, `commit` | what is stored beside the nodes; whole turns on their way to the store |
//! | `fault`, `rows`, `order`, `restore` | what a store or an import gives, checked; what can be saved is saved |
//! | `unite` | two writers |
//! | `resume` | how much of a long path is loaded |
//! | `duplicate`, `outline` | a copy; the tree as text |
//!
//! Outside, a node goes by its id; inside, by a number that is never given twice. Nothing here recurses, reads a clock or makes up an id. An
//! append costs the same on a hundred nodes and on a hundred thousand, but for the logarithm of a search.

mod arena;
mod brief;
mod commit;
mod duplicate;
mod error;
mod fault;
mod grow;
mod head;
mod label;
mod names;
mod node;
mod open;
mod order;
mod outline;
mod path;
mod record;
mod restore;
mod resume;
mod rows;
#[cfg(test)]
mod tests;
mod timeline;
mod turn;
mod unite;
mod weigh;

pub use arena::MOST_NODES;
pub use brief::{Brief, Call, PREVIEW, preview, preview_of};
pub use commit::Changes;
pub use error::TreeError;
pub use fault::Fault;
pub use grow::Under;
pub use head::{Checkpoint, Head, Record, Row};
pub use label::MOST_LETTERS;
pub use node::{New, Node};
pub use outline::{Line, Shown};
pub use restore::{Origin, Restored};
pub use resume::{Load, Resume};
pub use timeline::Entry;
pub use turn::{OpenCall, Retry, TakenBack, Turn};
pub use unite::United;

use alloc::string::String;
use alloc::vec::Vec;
use arena::Arena;
use label::Label;
use node::{NOTHING, State};
use open::Open;
use path::Path;
use record::Laid;

/// The messages of a conversation and of one agent in it, and what was laid over them.
#[derive(Debug)]
pub struct Tree {
    arena: Arena,
    /// Where the next message goes; [`NOTHING`] for a new root.
    tip: u32,
    /// Messages stayed in the store.
    part: bool,
    path: Path,
    open: Open,
    /// Nodes that are not in the store, in order.
    pending: Vec<u32>,
    records: Vec<Laid>,
    labels: Vec<Label>,
    /// What stands on parts of the conversation that were not loaded: written back as it came.
    unloaded: Head,
    /// Records taken off since the last commit, each with the edition that did it.
    taken_off: Vec<(String, u64)>,
    /// Counts changes of what is stored beside the nodes.
    edition: u64,
    /// The edition that is in the store.
    saved: u64,
    /// The edition that is on its way there.
    writing: Option<u64>,
}

impl Default for Tree {
    fn default() -> Tree {
        Tree::new()
    }
}

impl Tree {
    /// An empty one.
    pub fn new() -> Tree {
        Tree {
            arena: Arena::new(),
            tip: NOTHING,
            part: false,
            path: Path::default(),
            open: Open::default(),
            pending: Vec::new(),
            records: Vec::new(),
            labels: Vec::new(),
            unloaded: Head::default(),
            taken_off: Vec::new(),
            edition: 0,
            saved: 0,
            writing: None,
        }
    }
    /// Messages in memory.
    pub fn len(&self) -> usize {
        self.arena.len()
    }
    /// True when no message is in memory.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// True when only a part of the conversation was loaded; the rest stays in the store. Ids of messages there are not known here.
    pub fn is_part(&self) -> bool {
        self.part
    }
    /// The number of a node in memory.
    pub fn find(&self, id: &str) -> Option<u32> {
        self.arena.find(id).filter(|&node| self.arena.get(node).is_some())
    }
    /// A node by its number.
    pub fn node(&self, number: u32) -> Option<&Node> {
        self.arena.get(number)
    }
    /// Numbers of all nodes, in the order they were appended: parents before their children.
    pub fn numbers(&self) -> impl DoubleEndedIterator<Item = u32> + '_ {
        self.arena.numbers()
    }
    /// The id of the message it follows, also when that stayed in the store.
    pub fn parent(&self, number: u32) -> Option<&str> {
        let parent = self.arena.get(number)?.parent;
        (parent != NOTHING).then(|| self.arena.at(parent).id())
    }
    /// The id of the node that the next message will follow; nothing when it becomes a root.
    pub fn tip(&self) -> Option<&str> {
        (self.tip != NOTHING).then(|| self.arena.at(self.tip).id())
    }
    /// The path from a root to the tip, or from the first message that was loaded.
    pub fn path(&mut self) -> &[u32] {
        self.path_to(self.tip)
    }
    /// The same path to any node, by its number. Costs as much as lies beyond the fork from the path that was asked for last.
    pub fn path_to(&mut self, number: u32) -> &[u32] {
        let known = self.arena.holds(number);
        self.path.to(&self.arena, if known { number } else { NOTHING })
    }
    /// True when a node stands on the path to the tip.
    pub fn is_on_path(&self, number: u32) -> bool {
        self.arena.get(number).is_some() && self.arena.leads_to(number, self.tip)
    }
    /// What follows a message directly, in the order it was appended; without one the roots.
    ///
    /// # Errors
    /// [`TreeError::UnknownNode`].
    pub fn children(&self, at: Option<&str>) -> Result<Vec<u32>, TreeError> {
        let at = at.map_or(Ok(NOTHING), |at| self.place(at))?;
        Ok(self.arena.children(at).collect())
    }
    /// The messages that stand in the place of this one, itself included, in the order they were appended; and which of them it is.
    ///
    /// # Errors
    /// [`TreeError::UnknownNode`].
    pub fn siblings(&self, at: &str) -> Result<(Vec<u32>, usize), TreeError> {
        let at = self.known(at)?;
        let siblings: Vec<u32> = self.arena.children(self.arena.at(at).parent).collect();
        let index = siblings.binary_search(&at).unwrap_or_default();
        Ok((siblings, index))
    }

    /// A node with a message.
    fn known(&self, id: &str) -> Result<u32, TreeError> {
        self.find(id).ok_or_else(|| TreeError::UnknownNode(id.into()))
    }
    /// A node that something may follow: also one whose message stayed in the store.
    fn place(&self, id: &str) -> Result<u32, TreeError> {
        self.arena.find(id).ok_or_else(|| TreeError::UnknownNode(id.into()))
    }
    fn move_tip(&mut self, to: u32) {
        if self.tip != to {
            self.tip = to;
            self.edition += 1;
        }
    }
    /// Something that stands on these nodes is not in the store as it stands here.
    fn is_unsaved(&self, edition: u64, on: &[u32]) -> bool {
        edition > self.saved || !on.iter().all(|&node| self.arena.at(node).is_kept())
    }
    /// It is in the store, or will be when the commit that is under way succeeds.
    fn is_safe(&self, node: u32) -> bool {
        self.arena.at(node).is_kept() || self.arena.at(node).state == State::Writing
    }
}
