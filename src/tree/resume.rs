//! How much of a long path is loaded: the newest part that is wanted, cut where no result is parted from its call and no turn of the assistant
//! from its beginning, and where a person speaks if that keeps at least half (the rule of `trim`).

use super::Brief;
use super::arena::Arena;
use super::node::{NOTHING, New, Node, State};
use super::open::Open;
use crate::message::Role;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// How much is wanted at most. Nothing in it: everything. A zero: nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// Messages.
    pub messages: Option<u32>,
    /// Tokens.
    pub tokens: Option<u64>,
}

/// Decides while the path is read from its tip backwards, so that what is not loaded need not be read.
#[derive(Debug, Default)]
pub struct Resume {
    load: Load,
    /// Newest first.
    read: Vec<Brief>,
    tokens: u64,
    /// How many of them are within what is wanted.
    fits: usize,
    /// How many have been read when it is asked again where the path can be cut.
    next: usize,
    keep: Option<usize>,
}

impl Resume {
    /// Nothing read yet.
    pub fn new(load: Load) -> Resume {
        Resume { load, ..Resume::default() }
    }
    /// True while older messages can make a difference.
    pub fn wants(&self) -> bool {
        !self.is_nothing() && self.keep.is_none()
    }
    fn is_nothing(&self) -> bool {
        self.load.messages == Some(0) || self.load.tokens == Some(0)
    }
    /// Reads the message before those that were read, with its price in tokens.
    pub fn read(&mut self, brief: &Brief, tokens: u64) {
        self.read.push(brief.clone());
        self.tokens = self.tokens.saturating_add(tokens);
        let count = self.read.len();
        let fits = self.load.messages.is_none_or(|most| count <= most as usize)
            && self.load.tokens.is_none_or(|most| self.tokens <= most);
        if fits && self.fits + 1 == count {
            self.fits = count;
        } else if count >= self.next {
            // Where little can be kept, a result may wait for a call that is still to come, or that never was. Twice as much is read each time,
            // so that looking again costs no more than reading.
            let half = if self.next == 0 { self.fits } else { 0 };
            self.keep = self.cut(false).filter(|keep| keep * 2 >= half);
            self.next = count * 2;
        }
    }
    /// How many of the newest messages are loaded. To be asked when nothing more is wanted or the path has ended. At least the newest unit is,
    /// also beyond what is wanted, unless nothing is.
    pub fn keep(self) -> usize {
        match self.keep {
            _ if self.is_nothing() => 0,
            Some(keep) => keep,
            None if self.fits == self.read.len() => self.fits,
            None => self.cut(true).unwrap_or(self.read.len()),
        }
    }

    /// How many messages are kept by the best cut; `ended` says that nothing stands before what was read.
    fn cut(&self, ended: bool) -> Option<usize> {
        let may_begin = &self.beginnings(ended);
        // By how many are kept, the fewest first.
        let starts =
            |least: Begins| (1..=self.read.len()).filter(move |&kept| may_begin[self.read.len() - kept] >= least);
        let within = |least| starts(least).take_while(|&kept| kept <= self.fits);
        let Some(most) = within(Begins::Turn).last() else {
            return within(Begins::Within).last().or_else(|| starts(Begins::Turn).next());
        };
        let begins_well = |&kept: &usize| self.read[kept - 1].person && kept * 2 >= most;
        Some(within(Begins::Turn).filter(begins_well).last().unwrap_or(most))
    }
    /// For each message, oldest first, whether the history may begin with it.
    fn beginnings(&self, ended: bool) -> Vec<Begins> {
        let mut arena = Arena::new();
        let mut open = Open::default();
        let mut may = vec![Begins::Nothing; self.read.len()];
        let mut tip = NOTHING;
        // Who spoke before, and whether the beginning of the turn is among what was read.
        let (mut before, mut is_known) = (None, ended);
        // Up to which message no history may begin, since a result among those that follow needs what stands before it.
        let mut needed: Vec<usize> = Vec::new();
        for (index, brief) in self.read.iter().rev().enumerate() {
            let new = New { id: String::new(), at: 0, message: 0, brief: brief.clone() };
            tip = arena.add(tip, Node::new(new, State::Pending));
            let answered = open.enter(&arena, tip).answered;
            let lost = brief.results.len() > answered.len();
            // Nodes are numbered from one.
            let first = answered.iter().map(|&(_, (caller, _))| caller as usize - 1).min();
            needed.push(if lost && !ended { 0 } else { first.unwrap_or(index) });
            let goes_on = brief.role == Role::Assistant && before == Some(Role::Assistant);
            is_known |= index > 0 && !goes_on;
            may[index] = match (lost, goes_on) {
                _ if index == 0 && ended => Begins::Turn,
                (false, false) if index > 0 => Begins::Turn,
                (false, true) if is_known => Begins::Within,
                _ => Begins::Nothing,
            };
            before = Some(brief.role);
        }
        let mut reach = usize::MAX;
        for (index, needed) in needed.into_iter().enumerate().rev() {
            reach = reach.min(needed);
            if reach < index {
                may[index] = Begins::Nothing;
            }
        }
        may
    }
}

/// What a history that begins with a message begins with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Begins {
    /// It may not: a result would be parted from its call.
    Nothing,
    /// The middle of the assistant's turn.
    Within,
    /// A turn.
    Turn,
}
