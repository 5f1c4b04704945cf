//! Turns: which calls are open, whose word it is, how an unfinished turn is taken back, and what is sent again after a failure.

use super::node::{NOTHING, State};
use super::open::Open;
use super::weigh::weigh;
use super::{Tree, TreeError};
use crate::message::Role;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

/// A call on the path to the tip that has no result yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenCall {
    /// Its id.
    pub id: Arc<str>,
    /// The tool.
    pub name: Arc<str>,
    /// The number of the message that makes it.
    pub node: u32,
    /// It was left open in what was imported: a commit does not wait for it.
    pub past: bool,
}

/// Whose word it is at the tip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Nobody spoke yet.
    Empty,
    /// A call has no result yet.
    Open,
    /// A person or a result waits for the assistant.
    Waiting,
    /// The assistant has answered.
    Done,
}

/// What to send again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// The path up to `at`, which ends in a person's message or in complete results. `person` is the newest person's message on it: the whole
    /// turn begins there.
    Ready {
        /// The number of the last message to send.
        at: u32,
        /// The number of the message that began the turn.
        person: Option<u32>,
    },
    /// The assistant has answered, or nobody asked.
    NothingToRetry,
    /// There are no messages at all, in memory or above it.
    NothingLoaded,
}

/// What went with an unfinished turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TakenBack {
    /// The numbers of its messages under which the caller keeps them, newest first.
    pub messages: Vec<u32>,
    /// Their ids, in the same order.
    pub ids: Vec<String>,
    /// Labels that stood on them.
    pub labels: Vec<String>,
    /// Records that ended on them.
    pub records: Vec<String>,
}

impl Tree {
    /// Calls on the path to the tip that have no result yet, in order. One that an import left open is among them until somebody speaks.
    pub fn open_calls(&mut self) -> Vec<OpenCall> {
        self.open.go_to(&self.arena, self.tip);
        let calls = self.open.list(&self.arena);
        calls
            .map(|(node, call, past)| OpenCall { id: Arc::clone(&call.id), name: Arc::clone(&call.name), node, past })
            .collect()
    }
    /// # Errors
    /// [`TreeError::OpenTurn`] while somebody waits for a result on the path to the tip.
    pub(super) fn closed(&mut self) -> Result<(), TreeError> {
        self.open.go_to(&self.arena, self.tip);
        let calls = self.open.awaited(&self.arena);
        if calls.is_empty() { Ok(()) } else { Err(TreeError::OpenTurn(calls)) }
    }
    /// Whose word it is.
    pub fn turn(&mut self) -> Turn {
        if !self.open_calls().is_empty() {
            return Turn::Open;
        }
        match self.speaker(self.tip) {
            None => Turn::Empty,
            Some(Role::Assistant) => Turn::Done,
            Some(_) => Turn::Waiting,
        }
    }
    /// Who spoke last on the way to a node; the system's word is nobody's turn.
    fn speaker(&self, node: u32) -> Option<Role> {
        let roles = self.above(node).map(|node| self.arena.at(node).role);
        roles.into_iter().find(|role| !matches!(role, Role::System | Role::Other))
    }
    /// A node and its ancestors with a message, the newest first.
    fn above(&self, node: u32) -> impl Iterator<Item = u32> + Clone {
        let message = |node: u32| self.arena.get(node).map(|_| node);
        core::iter::successors(message(node), move |&node| message(self.arena.at(node).parent))
    }

    /// What to send again after a turn that failed. The tip stays where it is: move it to `at`, and the next answer becomes a sibling of what
    /// failed.
    pub fn retry(&mut self) -> Retry {
        match self.turn() {
            _ if self.is_empty() && !self.is_part() => Retry::NothingLoaded,
            Turn::Empty | Turn::Done => Retry::NothingToRetry,
            Turn::Waiting => self.ready(self.tip),
            Turn::Open => {
                let steps = self.steps();
                let asks = |node: u32| matches!(self.arena.at(node).role, Role::User | Role::Tool);
                let newest =
                    steps.iter().rev().find(|&&(node, boundary)| boundary && asks(node)).map(|&(node, _)| node);
                let before = steps.first().map_or(NOTHING, |&(node, _)| self.arena.at(node).parent);
                // Above them all nodes are stored and know whether they are boundaries.
                let older = || self.above(before).find(|&node| self.arena.at(node).boundary && asks(node));
                newest.or_else(older).map_or(Retry::NothingToRetry, |at| self.ready(at))
            }
        }
    }
    fn ready(&self, at: u32) -> Retry {
        Retry::Ready { at, person: self.above(at).find(|&node| self.arena.at(node).person) }
    }
    /// The newest nodes of the path, oldest first, each with whether it is a boundary: all that follow the newest stored one after which
    /// nothing is open.
    fn steps(&self) -> Vec<(u32, bool)> {
        let open_after = |node: &u32| !(self.arena.at(*node).is_kept() && self.arena.at(*node).clean);
        let mut steps: Vec<(u32, bool)> =
            self.above(self.tip).take_while(open_after).map(|node| (node, true)).collect();
        steps.reverse();
        let mut open = Open::default();
        if let Some(&(first, _)) = steps.first() {
            open.go_to(&self.arena, self.arena.at(first).parent);
        }
        for (node, boundary) in &mut steps {
            open.enter(&self.arena, *node);
            *boundary = open.is_boundary();
        }
        steps
    }

    /// Takes an unfinished turn back: moves the tip to the newest boundary of the path and forgets the messages behind it that are not
    /// committed, unless a whole turn on another branch follows them. What is committed stays.
    pub fn take_back(&mut self) -> TakenBack {
        let steps = self.steps();
        let end = steps.iter().rposition(|&(_, boundary)| boundary).map_or(0, |last| last + 1);
        if end == steps.len() {
            return TakenBack::default();
        }
        let torn = &steps[end..];
        self.move_tip(self.arena.at(torn[0].0).parent);
        let starts = self.pending_starts();
        weigh(&mut self.arena, &starts);
        let goes = |node: u32| self.arena.at(node).state == State::Pending && !self.arena.at(node).whole;
        let first = torn.iter().map(|&(node, _)| node).find(|&node| goes(node));
        let mut back = TakenBack::default();
        for node in first.map_or_else(Vec::new, |first| self.subtree(first)).into_iter().rev() {
            back.messages.push(self.arena.at(node).message);
            back.ids.push(self.arena.at(node).id().to_string());
            self.arena.take(node);
        }
        let arena = &self.arena;
        self.pending.retain(|&node| arena.get(node).is_some());
        self.open.reset();
        back.labels = self.drop_labels();
        back.records = self.drop_records();
        back
    }
    /// Pending nodes that follow none such.
    pub(super) fn pending_starts(&self) -> Vec<u32> {
        let starts = |&&node: &&u32| self.is_safe(self.arena.at(node).parent);
        self.pending.iter().filter(starts).copied().collect()
    }
    /// A node and all that follows it, parents before children.
    fn subtree(&self, node: u32) -> Vec<u32> {
        let mut found = vec![node];
        let mut done = 0;
        while let Some(&node) = found.get(done) {
            found.extend(self.arena.children(node));
            done += 1;
        }
        found
    }
}
