//! A node: one message, and where it stands.

use super::brief::Brief;
use super::names::key;
use crate::message::Role;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// Above all roots; also stands for "no node". It has no message and nobody sees it.
pub(super) const NOTHING: u32 = 0;

/// A message that enters the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct New {
    /// Its id, which nothing else in the conversation bears; 1 to 512 bytes.
    pub id: String,
    /// When, in milliseconds since 1970. Nothing is decided by it.
    pub at: u64,
    /// The number under which the caller keeps the message.
    pub message: u32,
    /// What of it matters.
    pub brief: Brief,
}

/// Where a node stands between memory and store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// In memory only.
    Pending,
    /// Part of a commit that is under way.
    Writing,
    /// In the store.
    Stored,
    /// In the store only: its id is known because what is loaded follows it.
    Rest,
    /// Taken back. Numbers are never given twice.
    Gone,
}

/// A call of a tool.
#[derive(Clone, Debug)]
pub(super) struct Called {
    pub id: Arc<str>,
    pub name: Arc<str>,
}

impl Called {
    /// Its id, or its tool where it has none.
    pub fn told(&self) -> &str {
        if self.id.is_empty() { &self.name } else { &self.id }
    }
}

/// Calls and answers of a message.
#[derive(Clone, Debug, Default)]
pub(super) struct Traffic {
    pub calls: Vec<Called>,
    /// By the key of their call.
    pub results: Vec<u64>,
}

/// One message of the tree.
#[derive(Clone, Debug)]
pub struct Node {
    pub(super) id: Arc<str>,
    pub(super) at: u64,
    pub(super) message: u32,
    pub(super) role: Role,
    pub(super) person: bool,
    pub(super) traffic: Option<Box<Traffic>>,
    pub(super) state: State,
    /// It came from a store or an import, in which nothing below answers what was open here: nobody waits for it any more.
    pub(super) settled: bool,
    /// No call that somebody waits for is open after it. Holds once it is stored.
    pub(super) boundary: bool,
    /// No call at all is open after it. Holds once it is stored.
    pub(super) clean: bool,
    /// A boundary stands here or below. Holds once it is stored, and right after `weigh`.
    pub(super) whole: bool,
    pub(super) parent: u32,
    pub(super) first_child: u32,
    pub(super) last_child: u32,
    pub(super) next: u32,
    pub(super) before: u32,
    pub(super) children: u32,
    /// Nodes from its root, itself included.
    pub(super) depth: u32,
    /// An ancestor further up, so that any ancestor is found in steps that grow as the logarithm of the depth.
    pub(super) jump: u32,
}

impl Node {
    pub(super) fn new(new: New, state: State) -> Node {
        Node::named(Arc::from(&*new.id), new, state)
    }
    /// One whose id was made already.
    pub(super) fn named(id: Arc<str>, new: New, state: State) -> Node {
        let mut node = Node::bare(id, state);
        node.at = new.at;
        node.message = new.message;
        node.tell(new.brief);
        node
    }
    /// One without a message.
    pub(super) fn bare(id: Arc<str>, state: State) -> Node {
        Node {
            id,
            at: 0,
            message: 0,
            role: Role::Other,
            person: false,
            traffic: None,
            state,
            settled: false,
            boundary: true,
            clean: true,
            whole: true,
            parent: NOTHING,
            first_child: NOTHING,
            last_child: NOTHING,
            next: NOTHING,
            before: NOTHING,
            children: 0,
            depth: 0,
            jump: NOTHING,
        }
    }
    /// Takes over what a brief says.
    pub(super) fn tell(&mut self, brief: Brief) {
        self.role = brief.role;
        self.person = brief.person;
        let call = |call: super::Call| Called { id: Arc::from(call.id), name: Arc::from(call.name) };
        let traffic = Traffic {
            calls: brief.calls.into_iter().map(call).collect(),
            results: brief.results.iter().map(|id| key(id)).collect(),
        };
        let silent = traffic.calls.is_empty() && traffic.results.is_empty();
        self.traffic = (!silent).then(|| Box::new(traffic));
    }
    pub(super) fn called(&self) -> &[Called] {
        self.traffic.as_ref().map_or(&[], |traffic| &traffic.calls)
    }
    pub(super) fn answers(&self) -> &[u64] {
        self.traffic.as_ref().map_or(&[], |traffic| &traffic.results)
    }
    /// It is in the store, whatever is loaded of it.
    pub(super) fn is_kept(&self) -> bool {
        matches!(self.state, State::Stored | State::Rest)
    }

    /// Its id.
    pub fn id(&self) -> &str {
        &self.id
    }
    /// When it was made, in milliseconds since 1970, as the caller said.
    pub fn at(&self) -> u64 {
        self.at
    }
    /// The number under which the caller keeps the message.
    pub fn message(&self) -> u32 {
        self.message
    }
    /// Who speaks.
    pub fn role(&self) -> Role {
        self.role
    }
    /// A person speaks in it.
    pub fn is_person(&self) -> bool {
        self.person
    }
    /// It was committed.
    pub fn is_stored(&self) -> bool {
        self.state == State::Stored
    }
    /// How many messages follow it directly.
    pub fn children(&self) -> u32 {
        self.children
    }
}
