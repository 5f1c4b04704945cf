//! Calls without a result along a path. Ids repeat within a conversation, so position decides first: a result answers a call of the assistant's
//! newest turn, else the newest one of an earlier turn (as `history` pairs them).

use super::arena::Arena;
use super::names::{NAMELESS, Numbers, between, key};
use super::node::{Called, NOTHING};
use crate::message::Role;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The calls that are open after a node.
#[derive(Debug, Default)]
pub(super) struct Open {
    /// The node it stands behind.
    at: u32,
    role: Option<Role>,
    /// The number of the next call.
    next: u32,
    /// The first call of the assistant's newest turn.
    batch: u32,
    /// Calls before this one were made before somebody spoke last.
    spoken: u32,
    /// Nobody waits for calls before this one.
    past: u32,
    /// Each open call by its number, behind a zero: its node, and which of that node's calls it is.
    calls: Numbers,
    /// The same by the key of its id and its number.
    by_id: Numbers,
}

/// What one node changed, so that it can be undone.
#[derive(Debug)]
pub(super) struct Step {
    at: u32,
    role: Option<Role>,
    next: u32,
    batch: u32,
    spoken: u32,
    past: u32,
    /// The calls it answered.
    pub answered: Vec<(u32, (u32, u32))>,
}

impl Open {
    /// Goes over a node that follows where it stands.
    pub fn enter(&mut self, arena: &Arena, number: u32) -> Step {
        let mut step = Step {
            at: self.at,
            role: self.role,
            next: self.next,
            batch: self.batch,
            spoken: self.spoken,
            past: self.past,
            answered: Vec::new(),
        };
        let node = arena.at(number);
        let goes_on = self.role == Some(node.role);
        let first = self.next;
        if !goes_on && (node.role == Role::Assistant || !node.called().is_empty()) {
            self.batch = first;
        }
        // Calls first: where a format puts both into one message, the results are theirs.
        for (nth, call) in node.called().iter().enumerate() {
            self.add(self.next, (number, nth as u32), call);
            self.next += 1;
        }
        for id in node.answers() {
            if let Some(answered) = self.answered_by(*id) {
                self.remove(arena, answered);
                step.answered.push(answered);
            }
        }
        // Words come after the results they stand with.
        if node.person || (node.role == Role::Assistant && !goes_on) {
            self.spoken = first;
        }
        if node.settled {
            self.past = self.next;
        }
        self.at = number;
        self.role = Some(node.role);
        step
    }
    /// Undoes the newest step.
    pub fn leave(&mut self, arena: &Arena, step: Step) {
        for (call, place) in step.answered.into_iter().rev() {
            self.add(call, place, &arena.at(place.0).called()[place.1 as usize]);
        }
        while let Some((&(_, call), &place)) = between(&self.calls, 0, step.next, u32::MAX).next() {
            self.remove(arena, (call, place));
        }
        (self.at, self.role, self.next) = (step.at, step.role, step.next);
        (self.batch, self.spoken, self.past) = (step.batch, step.spoken, step.past);
    }
    fn add(&mut self, call: u32, place: (u32, u32), called: &Called) {
        self.calls.insert((0, call), place);
        self.by_id.insert((key(&called.id), call), place);
    }
    fn remove(&mut self, arena: &Arena, (call, (node, nth)): (u32, (u32, u32))) {
        let called = &arena.at(node).called()[nth as usize];
        self.calls.remove(&(0, call));
        self.by_id.remove(&(key(&called.id), call));
    }
    fn answered_by(&self, key: u64) -> Option<(u32, (u32, u32))> {
        let live = self.live();
        let batch = self.batch.max(live);
        let (&(_, call), &place) = if key == NAMELESS {
            between(&self.calls, 0, batch, u32::MAX).next()?
        } else {
            let newest_turn = between(&self.by_id, key, batch, u32::MAX).next();
            newest_turn.or_else(|| between(&self.by_id, key, live, batch).next_back())?
        };
        Some((call, place))
    }

    /// Goes to any node, from where it stands when that is on the way, else from the nearest stored node after which nothing is open.
    pub fn go_to(&mut self, arena: &Arena, node: u32) {
        let mut way = Vec::new();
        let mut at = node;
        while at != self.at {
            let here = arena.at(at);
            if here.is_kept() && here.clean {
                *self = Open { at, role: (at != NOTHING).then_some(here.role), ..Open::default() };
                break;
            }
            way.push(at);
            at = here.parent;
        }
        for node in way.into_iter().rev() {
            self.enter(arena, node);
        }
    }
    /// Forgets where it stands: a node it went over has changed.
    pub fn reset(&mut self) {
        *self = Open::default();
    }
    /// Calls before this one are neither waited for nor can they be answered: nobody did, and then somebody spoke.
    fn live(&self) -> u32 {
        self.past.min(self.spoken)
    }
    /// Nobody waits for a result.
    pub fn is_boundary(&self) -> bool {
        between(&self.calls, 0, self.past, u32::MAX).next().is_none()
    }
    /// Nobody waits for a result, and nothing was left open that nobody spoke after.
    pub fn is_clean(&self) -> bool {
        between(&self.calls, 0, self.live(), u32::MAX).next().is_none()
    }
    /// Open calls in order: node, call, and whether nobody waits for it. Those are left out once somebody spoke.
    pub fn list<'a>(&'a self, arena: &'a Arena) -> impl Iterator<Item = (u32, &'a Called, bool)> {
        let calls = between(&self.calls, 0, self.live(), u32::MAX);
        calls.map(|(&(_, call), &(node, nth))| (node, &arena.at(node).called()[nth as usize], call < self.past))
    }
    /// What somebody waits for, in order: ids of calls, or tools where they have none.
    pub fn awaited(&self, arena: &Arena) -> Vec<String> {
        self.list(arena).filter(|&(_, _, past)| !past).map(|(_, call, _)| call.told().to_string()).collect()
    }
}
