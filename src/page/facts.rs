//! The fact sheet: the exact strings of a text, which travel beside its pages.
//!
//! A reader of pages makes words out again from what surrounds them. What no context tells, it may misread: a hash, an id, a path, a version,
//! a figure. [`find()`] names those in a text, and [`Facts`] collects them, nothing twice, and picks what a budget holds.

mod address;
mod find;
mod flag;
mod id;
mod number;
mod path;
mod word;

pub use find::find;

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// What wins when not all fit: the harder to make out again, the sooner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rank {
    /// Hashes, ids, addresses and paths, with or without a line.
    Exact,
    /// Versions, names with one in them, flags of commands.
    Named,
    /// Numbers with a unit, dates, numbers of four digits or more.
    Figure,
}

/// Longest fact, in letters; what is longer is no string to be copied out.
pub const LONGEST: usize = 200;

/// Facts of each rank that are collected at most; what comes after them is not. All of them together take a few megabytes at most.
pub const MOST: [usize; 3] = [12_000, 4_000, 4_000];

/// Collected facts, in order of first occurrence, nothing twice.
#[derive(Debug, Default)]
pub struct Facts {
    /// One after the other.
    text: String,
    /// Where each ends in the text, with its rank.
    ends: Vec<(usize, Rank)>,
    /// By hash.
    known: BTreeMap<u64, usize>,
    counts: [usize; 3],
}

impl Facts {
    /// None yet.
    pub fn new() -> Facts {
        Facts::default()
    }
    /// Collects the facts of a text. Texts that follow each other are read one by one: no fact spans two.
    pub fn read(&mut self, text: &str) {
        find(text, &mut |fact, rank| self.add(fact, rank));
    }
    /// Adds a fact that [`find()`] found, when it is new and there is room.
    pub fn add(&mut self, fact: &str, rank: Rank) {
        let hash = hash(fact);
        let same = self.known.get(&hash).is_some_and(|&index| self.get(index) == fact);
        let count = &mut self.counts[rank as usize];
        if same || *count == MOST[rank as usize] {
            return;
        }
        *count += 1;
        self.text.push_str(fact);
        self.known.insert(hash, self.ends.len());
        self.ends.push((self.text.len(), rank));
    }
    /// Number of facts.
    pub fn len(&self) -> usize {
        self.ends.len()
    }
    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
    /// Every fact with its rank, in order of first occurrence.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Rank)> {
        self.ends.iter().enumerate().map(|(index, &(_, rank))| (self.get(index), rank))
    }
    /// The facts that `budget` tokens hold, in order of first occurrence. `price` says what one costs, with whatever parts it from the next.
    /// The lower rank wins, and within a rank the earlier: a text that grows does not exchange what stood on the sheet for what came later.
    pub fn sheet(&self, budget: u32, price: &dyn Fn(&str) -> u32) -> Vec<&str> {
        let mut left = budget;
        let mut taken = vec![false; self.ends.len()];
        for wanted in [Rank::Exact, Rank::Named, Rank::Figure] {
            for ((fact, rank), taken) in self.iter().zip(&mut taken) {
                if rank != wanted || left == 0 {
                    continue;
                }
                if let Some(rest) = left.checked_sub(price(fact)) {
                    left = rest;
                    *taken = true;
                }
            }
        }
        let chosen = self.iter().zip(taken).filter(|(_, taken)| *taken);
        chosen.map(|((fact, _), _)| fact).collect()
    }

    fn get(&self, index: usize) -> &str {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before].0);
        &self.text[start..self.ends[index].0]
    }
}

/// FNV-1a, 64 bits.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(all(test, feature = "std"))]
mod tests;
