//! Compaction records over a path. A record holds where the path contains both its ends and goes on beyond, so a branch inherits what was laid
//! before it forked, and nothing else. Records that do not hold are kept: they may hold on another branch.

use super::names::{Numbers, between};
use super::{Record, Tree, TreeError};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A record with its ends as numbers.
#[derive(Clone, Debug)]
pub(super) struct Laid {
    pub id: String,
    pub from: u32,
    pub to: u32,
    pub whole: bool,
    /// The edition that laid it.
    pub edition: u64,
}

/// A record that applies, by where its ends stand on the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Applied {
    /// Depth of the first message.
    pub from: u32,
    /// Depth of the last one.
    pub to: u32,
    /// Among the records.
    pub record: usize,
}

impl Tree {
    /// Lays a record. One of the same id is replaced.
    ///
    /// # Errors
    /// [`TreeError::UnknownNode`]; [`TreeError::Option`] when no path leads from its first message to its last.
    pub fn record(&mut self, record: Record) -> Result<(), TreeError> {
        let ends = (self.known(&record.from)?, self.known(&record.to)?);
        let Some((from, to)) = self.ends(ends) else {
            let words = format!("No path leads from `{}` to `{}`: name a range of one path.", record.from, record.to);
            return Err(TreeError::Option(words));
        };
        self.edition += 1;
        self.records.retain(|laid| laid.id != record.id);
        self.unloaded.records.retain(|unloaded| unloaded.id != record.id);
        self.records.push(Laid { id: record.id, from, to, whole: record.whole, edition: self.edition });
        Ok(())
    }
    /// The ends of a range in the order of the path. What a repair moved may be told in another: a result that stands before its call.
    pub(super) fn ends(&self, (from, to): (u32, u32)) -> Option<(u32, u32)> {
        [(from, to), (to, from)].into_iter().find(|&(from, to)| self.arena.leads_to(from, to))
    }
    /// Takes a record off again: what it lay over stands as it was, with what had been laid there before.
    ///
    /// # Errors
    /// [`TreeError::Option`] when there is no such record.
    pub fn uncompact(&mut self, id: &str) -> Result<(), TreeError> {
        let before = self.records.len() + self.unloaded.records.len();
        self.records.retain(|laid| laid.id != id);
        self.unloaded.records.retain(|unloaded| unloaded.id != id);
        if self.records.len() + self.unloaded.records.len() == before {
            return Err(TreeError::Option(format!("There is no record `{id}` on this conversation.")));
        }
        self.edition += 1;
        self.taken_off.push((id.into(), self.edition));
        Ok(())
    }
    /// Ids of the records that apply on the path to the tip, by where they begin. They never overlap, but for those that stand for single
    /// things.
    pub fn laid(&self) -> Vec<&str> {
        self.applied().into_iter().map(|applied| self.records[applied.record].id.as_str()).collect()
    }

    /// Of two records for whole ranges one that covers the other applies, else the later one. A record for single things applies unless one
    /// for a whole range covers it.
    pub(super) fn applied(&self) -> Vec<Applied> {
        let depth = |node: u32| self.arena.at(node).depth;
        let end = depth(self.tip);
        let holds = |laid: &Laid| depth(laid.to) < end && self.arena.leads_to(laid.to, self.tip);
        let holding = || self.records.iter().enumerate().filter(|(_, laid)| holds(laid));
        // By where they begin, behind a zero: where they end, and which they are.
        let mut whole = Numbers::new();
        for (index, laid) in holding().filter(|(_, laid)| laid.whole).rev() {
            let (from, to) = (depth(laid.from), depth(laid.to));
            let reaching = |at: u32| between(&whole, 0, 0, at).next_back().filter(|(_, (end, _))| *end >= from);
            // Those that stand do not overlap, so only the outermost two can reach beyond this one.
            let (first, last) = (reaching(from), reaching(to));
            let same = first.is_some_and(|(&(_, start), &(end, _))| (start, end) == (from, to));
            let before = first.is_some_and(|(&(_, start), _)| start < from);
            let juts = before || last.is_some_and(|(_, &(end, _))| end > to);
            if same || juts {
                continue;
            }
            while let Some((&start, _)) = between(&whole, 0, from, to).next() {
                whole.remove(&start);
            }
            whole.insert((0, from), (to, index as u32));
        }
        // By where they begin and which they are.
        let mut applied = Numbers::new();
        for (record, laid) in holding().filter(|(_, laid)| !laid.whole) {
            let (from, to) = (depth(laid.from), depth(laid.to));
            if between(&whole, 0, 0, from).next_back().is_none_or(|(_, (end, _))| *end < to) {
                applied.insert((u64::from(from), record as u32), (to, 0));
            }
        }
        for (&(_, from), &(to, record)) in &whole {
            applied.insert((u64::from(from), record), (to, 0));
        }
        applied
            .iter()
            .map(|(&(from, record), &(to, _))| Applied { from: from as u32, to, record: record as usize })
            .collect()
    }
    /// Drops the records of which an end is gone; answers their ids.
    pub(super) fn drop_records(&mut self) -> Vec<String> {
        let mut gone = Vec::new();
        let arena = &self.arena;
        self.records.retain_mut(|laid| {
            let stands = arena.get(laid.from).is_some() && arena.get(laid.to).is_some();
            if !stands {
                gone.push(core::mem::take(&mut laid.id));
            }
            stands
        });
        gone
    }
}
