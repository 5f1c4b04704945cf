//! A tree from what a store or a file holds. Nothing in it is trusted: what is broken is mended and reported, and what can be saved is saved.

use super::arena::MOST_NODES;
use super::label::{Label, is_label};
use super::names::latest;
use super::node::{NOTHING, State};
use super::order::Around;
use super::record::Laid;
use super::weigh::weigh;
use super::{Fault, Head, Row, Tree, TreeError};
use alloc::string::ToString;
use alloc::vec::Vec;

/// Where rows come from.
#[derive(Clone, Copy)]
pub enum Origin<'a> {
    /// A store, all of it.
    Store,
    /// The newest part of a path in a store. The function says which other messages are in it.
    Part(&'a dyn Fn(&str) -> bool),
    /// A file: everything is still to be committed.
    Import,
}

/// A tree, and what was wrong.
#[derive(Debug)]
pub struct Restored {
    /// What could be saved.
    pub tree: Tree,
    /// What was wrong and what became of it, in the order it was found.
    pub faults: Vec<Fault>,
}

impl Restored {
    /// The error for a store that is damaged; nothing when it is whole.
    pub fn error(&self) -> Option<TreeError> {
        let damage: Vec<Fault> = self.faults.iter().filter(|fault| fault.is_damage()).cloned().collect();
        (!damage.is_empty()).then_some(TreeError::CorruptStore(damage))
    }
}

impl Tree {
    /// Builds a tree. `rows` in the order they were appended, as far as that is known.
    pub fn restore(mut rows: Vec<Row>, head: Head, origin: Origin<'_>) -> Restored {
        let mut tree = Tree::new();
        let mut faults = Vec::new();
        if rows.len() > MOST_NODES {
            faults.push(Fault::TooMany { of: rows.len() });
            rows.truncate(MOST_NODES);
        }
        let nowhere = |_: &str| false;
        let (state, rest): (_, &dyn Fn(&str) -> bool) = match origin {
            Origin::Store => (State::Stored, &nowhere),
            Origin::Part(rest) => (State::Stored, rest),
            Origin::Import => (State::Pending, &nowhere),
        };
        tree.part = matches!(origin, Origin::Part(_));
        tree.grow_rows(rows, state, Around { rest, part: false }, &mut faults);
        tree.tip = tree.restored_tip(head.tip.as_deref(), rest, &mut faults);
        tree.lay_head(head, rest, &mut faults);
        if state == State::Pending {
            tree.pending = tree.numbers().collect();
            // A file may have been written in the middle of a turn: its tip can be committed all the same.
            if !tree.arena.at(tree.tip).boundary {
                tree.arena.at_mut(tree.tip).settled = true;
                let roots: Vec<u32> = tree.arena.children(NOTHING).collect();
                weigh(&mut tree.arena, &roots);
            }
            tree.edition += 1;
        }
        Restored { tree, faults }
    }

    fn restored_tip(&mut self, tip: Option<&str>, rest: &dyn Fn(&str) -> bool, faults: &mut Vec<Fault>) -> u32 {
        let Some(id) = tip else { return NOTHING };
        if let Some(tip) = self.arena.find(id) {
            return tip;
        }
        if rest(id) {
            return self.stub(id);
        }
        faults.push(Fault::MissingTip { tip: id.to_string() });
        self.arena.newest()
    }
    /// Takes over records and labels, all of them as stored.
    pub(super) fn lay_head(&mut self, head: Head, rest: &dyn Fn(&str) -> bool, faults: &mut Vec<Fault>) {
        let ids = latest(head.records.iter().map(|record| record.id.as_str()));
        let labels = latest(head.checkpoints.iter().map(|checkpoint| checkpoint.label.as_str()));
        for (index, record) in head.records.into_iter().enumerate() {
            if ids.get(record.id.as_str()) != Some(&(index as u32)) {
                faults.push(Fault::DuplicateRecord { record: record.id });
                continue;
            }
            let ends = [self.find(&record.from), self.find(&record.to)];
            let range = match ends {
                [Some(from), Some(to)] => self.ends((from, to)),
                _ => None,
            };
            match range {
                Some((from, to)) => {
                    self.records.push(Laid { id: record.id, from, to, whole: record.whole, edition: 0 });
                }
                _ if is_unloaded(ends, [&record.from, &record.to], rest) => self.unloaded.records.push(record),
                _ => faults.push(Fault::LostRecord { record: record.id }),
            }
        }
        for (index, checkpoint) in head.checkpoints.into_iter().enumerate() {
            let (label, at) = (checkpoint.label.clone(), checkpoint.at.clone());
            if labels.get(label.as_str()) != Some(&(index as u32)) {
                faults.push(Fault::DuplicateLabel { label });
                continue;
            }
            match self.find(&at) {
                Some(at) if is_label(&label) => self.labels.push(Label { label, at, edition: 0 }),
                None if is_label(&label) && rest(&at) => {
                    self.unloaded.checkpoints.push(checkpoint);
                    faults.push(Fault::NotLoaded { label, at });
                }
                _ => faults.push(Fault::LostLabel { label, at }),
            }
        }
    }
}

/// Each end is there or in the store, and not both are there.
fn is_unloaded(ends: [Option<u32>; 2], ids: [&str; 2], rest: &dyn Fn(&str) -> bool) -> bool {
    ends.iter().zip(ids).all(|(end, id)| end.is_some() || rest(id)) && ends.contains(&None)
}
