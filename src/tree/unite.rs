//! Two writers. Whoever commits second takes in what the first one stored and commits again: both answers live on as siblings. Of records and
//! labels, what one of the two changed since they last agreed stands; what both changed stands as the later commit has it. Everybody keeps
//! their own tip.

use super::node::State;
use super::order::{Around, order};
use super::weigh::weigh;
use super::{Fault, Head, Row, Tree};
use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// What uniting brought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct United {
    /// Numbers of messages that came in, parents before their children.
    pub added: Vec<u32>,
    /// Messages of our own, not committed yet, that gave up their id to one that was: number and former id.
    pub renamed: Vec<(u32, String)>,
    /// What is wrong in the store.
    pub faults: Vec<Fault>,
}

impl Tree {
    /// Takes in what a store holds now: all of its rows and its head. Where a message of our own that is not committed bears the id of one that
    /// is, `clash` is asked with the numbers of ours and of the row: nothing when they are the same message (ours did arrive), else another id
    /// for ours. When only a part is loaded, only what follows it comes in.
    pub fn unite(&mut self, rows: Vec<Row>, head: Head, clash: &mut dyn FnMut(u32, u32) -> Option<String>) -> United {
        let mut united = United::default();
        let part = self.is_part();
        let stored: BTreeSet<String> = rows.iter().map(|row| row.new.id.clone()).collect();
        let mut arrived = Vec::new();
        let mut fresh = Vec::with_capacity(rows.len().saturating_sub(self.len()));
        for row in rows {
            let Some(mine) = self.arena.find(&row.new.id) else {
                fresh.push(row);
                continue;
            };
            if self.arena.at(mine).is_kept() {
                continue;
            }
            let other = clash(self.arena.at(mine).message, row.new.message);
            if other.is_none() && self.parent(mine) == row.parent.as_deref() {
                self.arena.at_mut(mine).state = State::Stored;
                arrived.push(mine);
                continue;
            }
            united.renamed.push((mine, row.new.id.clone()));
            let id = self.free_id(other.unwrap_or_else(|| row.new.id.clone()), &stored);
            self.arena.rename(mine, &id);
            self.edition += 1;
            fresh.push(row);
        }
        self.arrive(arrived);
        let around = Around { known: &|id| self.arena.find(id), rest: &|_| false, part };
        let ordered = order(&fresh, &around, &mut united.faults);
        united.added = self.grow_rows(fresh, ordered, State::Stored);
        let rest = |id: &str| part && stored.contains(id);
        self.unite_head(head, &rest, &mut united.faults);
        united
    }
    /// Ours turn out to be in the store.
    fn arrive(&mut self, mut arrived: Vec<u32>) {
        arrived.sort_unstable();
        self.pending.retain(|node| arrived.binary_search(node).is_err());
        let follows = |node: u32| arrived.binary_search(&self.arena.at(node).parent).is_ok();
        let starts: Vec<u32> = arrived.iter().copied().filter(|&node| !follows(node)).collect();
        weigh(&mut self.arena, &starts);
        self.open.reset();
    }
    /// The id, or one like it that nothing bears.
    fn free_id(&self, id: String, stored: &BTreeSet<String>) -> String {
        let is_taken = |id: &str| id.is_empty() || stored.contains(id) || self.arena.find(id).is_some();
        let mut free = id;
        while is_taken(&free) {
            free.push_str("~2");
        }
        free
    }
    fn unite_head(&mut self, mut head: Head, rest: &dyn Fn(&str) -> bool, faults: &mut Vec<Fault>) {
        let records = core::mem::take(&mut self.records);
        let mine: Vec<_> =
            records.into_iter().filter(|laid| self.is_unsaved(laid.edition, &[laid.from, laid.to])).collect();
        let labels = self.labels_in_order().map(|(label, set)| (label.to_string(), set));
        let labels: Vec<_> = labels.filter(|(_, set)| self.is_unsaved(set.edition, &[set.at])).collect();
        self.labels.clear();
        self.unloaded = Head::default();
        let gone: BTreeSet<&str> =
            self.taken_off.iter().map(|(id, _)| &**id).chain(mine.iter().map(|laid| &*laid.id)).collect();
        head.records.retain(|record| !gone.contains(&*record.id));
        let set: BTreeSet<&str> = labels.iter().map(|(label, _)| &**label).collect();
        head.checkpoints.retain(|checkpoint| !set.contains(&*checkpoint.label));
        self.lay_head(head, rest, faults);
        faults.retain(Fault::is_damage);
        self.records.extend(mine);
        for (label, set) in labels {
            self.set_label(label, set.at, set.edition);
        }
    }
}
