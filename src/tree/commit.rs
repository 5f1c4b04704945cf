//! From memory to the store, whole turns only. The store works while the conversation goes on, so a commit has a beginning and an end.

use super::node::State;
use super::weigh::weigh;
use super::{Head, Tree, TreeError};
use alloc::vec::Vec;

/// What a commit writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    /// Numbers of the messages to add, parents before their children.
    pub nodes: Vec<u32>,
    /// The head as it now stands. Labels and records on messages that are held back are held back with them.
    pub head: Head,
}

impl Tree {
    /// True when a commit would write something.
    pub fn is_changed(&self) -> bool {
        self.edition > self.saved || !self.pending.is_empty()
    }
    /// Begins a commit: what was added since the last one, on all branches. Messages of a turn on another branch that is not whole are held
    /// back until it is. End it with [`Tree::end_commit`] before the next begins.
    ///
    /// # Errors
    /// [`TreeError::OpenTurn`] while a call on the path to the tip has no result; [`TreeError::Option`] while another commit is under way.
    pub fn begin_commit(&mut self) -> Result<Changes, TreeError> {
        if self.writing.is_some() {
            return Err(TreeError::Option("Another commit is under way: wait until it has ended.".into()));
        }
        self.closed()?;
        let starts = self.pending_starts();
        weigh(&mut self.arena, &starts);
        let mut nodes = self.pending.clone();
        nodes.retain(|&node| self.arena.at(node).whole);
        for &node in &nodes {
            self.arena.at_mut(node).state = State::Writing;
        }
        self.writing = Some(self.edition);
        let head = self.head_where(&|node| self.is_safe(node));
        Ok(Changes { nodes, head })
    }
    /// Ends a commit. When nothing was written, everything waits for the next one.
    pub fn end_commit(&mut self, written: bool) {
        let Some(edition) = self.writing.take() else { return };
        let state = if written { State::Stored } else { State::Pending };
        for &node in &self.pending {
            let node = self.arena.at_mut(node);
            if node.state == State::Writing {
                node.state = state;
            }
        }
        if !written {
            return;
        }
        let arena = &self.arena;
        self.pending.retain(|&node| arena.at(node).state == State::Pending);
        self.saved = edition;
        self.taken_off.retain(|&(_, at)| at > edition);
    }
}
