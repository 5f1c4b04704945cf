//! Two writers. Whoever commits second takes in what the first one stored and commits again: both answers live on as siblings. Of records and
//! labels, what one of the two changed since they last agreed stands; what both changed stands as the later commit has it. Everybody keeps
//! their own tip.

use super::names::Names;
use super::node::State;
use super::order::Around;
use super::weigh::weigh;
use super::{Fault, Head, Row, Tree};
use alloc::string::String;
use alloc::sync::Arc;
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
        let mut stored = Names::new();
        let mut arrived = Vec::new();
        let mut known = Vec::with_capacity(rows.len());
        for row in &rows {
            if part {
                stored.insert(Arc::from(&*row.new.id), 0);
            }
            let mine = self.arena.find(&row.new.id);
            let is_own = |mine: &u32| !self.arena.at(*mine).is_kept();
            known.push(mine.is_some());
            if let Some(mine) = mine.filter(is_own) {
                let other = clash(self.arena.at(mine).message, row.new.message);
                if other.is_none() && self.parent(mine) == row.parent.as_deref() {
                    self.arena.at_mut(mine).state = State::Stored;
                    arrived.push(mine);
                } else {
                    let id = self.free_id(other.unwrap_or_else(|| row.new.id.clone()), &rows);
                    self.arena.rename(mine, &id);
                    self.edition += 1;
                    united.renamed.push((mine, row.new.id.clone()));
                    known.pop();
                    known.push(false);
                }
            }
        }
        let mut known = known.into_iter();
        let mut fresh = rows;
        fresh.retain(|_| known.next() == Some(false));
        self.arrive(&arrived);
        let around = Around { rest: &|_| false, part };
        united.added = self.grow_rows(fresh, State::Stored, around, &mut united.faults);
        self.unite_head(head, &|id| stored.contains_key(id), &mut united.faults);
        united
    }
    /// Ours turn out to be in the store.
    fn arrive(&mut self, arrived: &[u32]) {
        let follows = |node: u32| self.pending.binary_search(&self.arena.at(node).parent).is_ok();
        let starts: Vec<u32> = arrived.iter().copied().filter(|&node| !follows(node)).collect();
        let arena = &self.arena;
        self.pending.retain(|&node| arena.at(node).state != State::Stored);
        weigh(&mut self.arena, &starts);
        self.open.reset();
    }
    /// The id, or one like it that nothing bears.
    fn free_id(&self, id: String, rows: &[Row]) -> String {
        let is_taken =
            |id: &str| id.is_empty() || self.arena.find(id).is_some() || rows.iter().any(|row| row.new.id == id);
        let mut free = id;
        while is_taken(&free) {
            free.push_str("~2");
        }
        free
    }
    fn unite_head(&mut self, mut head: Head, rest: &dyn Fn(&str) -> bool, faults: &mut Vec<Fault>) {
        let mut mine = core::mem::take(&mut self.records);
        mine.retain(|laid| self.is_unsaved(laid.edition, &[laid.from, laid.to]));
        let mut labels = core::mem::take(&mut self.labels);
        labels.retain(|set| self.is_unsaved(set.edition, &[set.at]));
        self.unloaded = Head::default();
        let is_off =
            |id: &str| self.taken_off.iter().any(|(off, _)| off == id) || mine.iter().any(|laid| laid.id == id);
        head.records.retain(|record| !is_off(&record.id));
        head.checkpoints.retain(|stored| !labels.iter().any(|set| set.label == stored.label));
        self.lay_head(head, rest, faults);
        faults.retain(Fault::is_damage);
        self.records.extend(mine);
        self.labels.extend(labels);
    }
}
