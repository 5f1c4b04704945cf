//! How much of a long path is loaded: the newest part that is wanted, cut where no result is parted from its call, and where a person speaks
//! if that keeps at least half (the rule of `trim`).

use super::Brief;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
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
    read: Vec<Read>,
    scan: Scan,
    /// Where it may begin, as the number of messages that are kept then, with whether a person speaks first.
    starts: Vec<(usize, bool)>,
    tokens: u64,
    full: bool,
}

#[derive(Debug)]
struct Read {
    person: bool,
    calls: Vec<String>,
    results: Vec<String>,
    fits: bool,
}

/// Results whose calls were not met yet, going backwards.
#[derive(Debug, Default)]
struct Scan {
    waiting: BTreeMap<String, u32>,
    /// Results whose calls are nowhere on the path, so that they need not be waited for.
    orphans: BTreeMap<String, u32>,
    /// Ids of which more results wait than there are orphans.
    parted: usize,
}

impl Scan {
    fn count(&mut self, id: &str, more: bool) {
        let orphans = self.orphans.get(id).copied().unwrap_or_default();
        let waiting = self.waiting.entry(id.to_string()).or_default();
        if more {
            *waiting += 1;
            self.parted += usize::from(*waiting == orphans + 1);
        } else {
            *waiting -= 1;
            self.parted -= usize::from(*waiting == orphans);
        }
    }
    fn waits(&self, id: &str) -> bool {
        self.waiting.get(id).is_some_and(|&waiting| waiting > 0)
    }
    /// Goes over one message; true when the history may begin with it.
    fn step(&mut self, read: &Read) -> bool {
        read.results.iter().for_each(|id| self.count(id, true));
        for id in &read.calls {
            // A result that names no call may belong to any.
            if let Some(id) = [id.as_str(), ""].into_iter().find(|id| self.waits(id)) {
                self.count(id, false);
            }
        }
        self.parted == 0
    }
}

impl Resume {
    /// Nothing read yet.
    pub fn new(load: Load) -> Resume {
        Resume { load, ..Resume::default() }
    }
    /// True while older messages can make a difference.
    pub fn wants(&self) -> bool {
        let nothing = self.load.messages == Some(0) || self.load.tokens == Some(0);
        !nothing && (!self.full || self.starts.is_empty())
    }
    /// Reads the message before those that were read, with its price in tokens.
    pub fn read(&mut self, brief: &Brief, tokens: u64) {
        self.tokens = self.tokens.saturating_add(tokens);
        let count = self.read.len() + 1;
        let fits = self.load.messages.is_none_or(|most| count <= most as usize)
            && self.load.tokens.is_none_or(|most| self.tokens <= most);
        self.full |= !fits;
        let calls = brief.calls.iter().map(|call| call.id.clone()).collect();
        let read = Read { person: brief.person, calls, results: brief.results.clone(), fits };
        if self.scan.step(&read) && (fits || self.starts.is_empty()) {
            self.starts.push((count, read.person));
        }
        self.read.push(read);
    }
    /// How many of the newest messages are loaded. To be asked when nothing more is wanted or the path has ended. At least the newest unit is,
    /// also beyond the limit, unless nothing is wanted.
    pub fn keep(mut self) -> usize {
        if self.wants() && !self.full {
            return self.read.len();
        }
        if self.wants() {
            // The path has ended, and what still waits has no call anywhere.
            let orphans = core::mem::take(&mut self.scan.waiting);
            self.scan = Scan { orphans, ..Scan::default() };
            for (index, read) in self.read.iter().enumerate() {
                // Nor does it begin with an orphan.
                let may = self.scan.step(read) && read.results.is_empty();
                if may && (read.fits || self.starts.is_empty()) {
                    self.starts.push((index + 1, read.person));
                }
            }
        }
        let Some(&(most, _)) = self.starts.last() else {
            return self.read.len();
        };
        let begins_well = |&&(kept, person): &&(usize, bool)| person && kept * 2 >= most;
        self.starts.iter().rev().find(begins_well).map_or(most, |&(kept, _)| kept)
    }
}
