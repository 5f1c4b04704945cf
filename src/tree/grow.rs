//! Append, branch, edit, select, update. A branch is a moved tip and nothing else.

use super::node::{NOTHING, New, Node, State};
use super::{Brief, MOST_NODES, Tree, TreeError};
use alloc::format;

/// Bytes of an id at most.
const MOST_ID: usize = 512;

pub(super) fn is_id(id: &str) -> bool {
    (1..=MOST_ID).contains(&id.len())
}

/// What a new message follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Under<'a> {
    /// The tip.
    Tip,
    /// Nothing: it becomes a root.
    Nothing,
    /// This node.
    Node(&'a str),
}

impl Tree {
    /// Adds a message and moves the tip to it; answers its number.
    ///
    /// # Errors
    /// [`TreeError::UnknownNode`]; [`TreeError::Option`] for an id that is taken or makes no sense, and beyond [`MOST_NODES`].
    pub fn append(&mut self, under: Under<'_>, new: New) -> Result<u32, TreeError> {
        let parent = match under {
            Under::Tip => self.tip,
            Under::Nothing => NOTHING,
            Under::Node(id) => self.place(id)?,
        };
        self.grow(parent, new)
    }
    /// Adds a message in the place of another, which stays; moves the tip to it and answers its number.
    ///
    /// # Errors
    /// As [`Tree::append`].
    pub fn edit(&mut self, at: &str, new: New) -> Result<u32, TreeError> {
        let at = self.known(at)?;
        self.grow(self.arena.at(at).parent, new)
    }
    /// # Errors
    /// [`TreeError::Option`] when no message can be added under this id.
    pub(super) fn check_id(&self, id: &str) -> Result<(), TreeError> {
        if !is_id(id) {
            return Err(TreeError::Option(format!("The id of a message must have 1 to {MOST_ID} bytes.")));
        }
        if self.arena.find(id).is_some() {
            return Err(TreeError::Option(format!("The id `{id}` is taken: give every message one of its own.")));
        }
        if self.arena.is_full() {
            return Err(TreeError::Option(format!("A conversation holds at most {MOST_NODES} messages.")));
        }
        Ok(())
    }
    fn grow(&mut self, parent: u32, new: New) -> Result<u32, TreeError> {
        self.check_id(&new.id)?;
        let node = self.arena.add(parent, Node::new(new, State::Pending));
        self.pending.push(node);
        self.move_tip(node);
        Ok(node)
    }

    /// Replaces a message that is not committed yet and that nothing follows: a draft, while it streams.
    ///
    /// # Errors
    /// [`TreeError::UnknownNode`]; [`TreeError::Option`] for a message that is committed, being committed, or followed by another.
    pub fn update(&mut self, id: &str, message: u32, brief: Brief) -> Result<(), TreeError> {
        let number = self.known(id)?;
        let node = self.arena.at_mut(number);
        if node.state != State::Pending {
            let words = format!("The message `{id}` is committed: edit it, which adds a sibling.");
            return Err(TreeError::Option(words));
        }
        if node.children > 0 {
            let words = format!("The message `{id}` is followed by another: edit it, which adds a sibling.");
            return Err(TreeError::Option(words));
        }
        node.message = message;
        node.tell(brief);
        node.settled = false;
        self.open.reset();
        Ok(())
    }

    /// Moves the tip to a node, or to before the first message.
    ///
    /// # Errors
    /// [`TreeError::UnknownNode`].
    pub fn branch(&mut self, at: Option<&str>) -> Result<(), TreeError> {
        let at = at.map_or(Ok(NOTHING), |at| self.place(at))?;
        self.move_tip(at);
        Ok(())
    }
    /// Moves the tip to the message at or below this one that was appended last; answers its number. Costs a search for each leaf that is
    /// newer than that.
    ///
    /// # Errors
    /// [`TreeError::UnknownNode`].
    pub fn select(&mut self, at: &str) -> Result<u32, TreeError> {
        let at = self.place(at)?;
        let leaf = self.arena.newest_below(at);
        self.move_tip(leaf);
        Ok(leaf)
    }
}
