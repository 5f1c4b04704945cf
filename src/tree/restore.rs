//! A tree from what a store or a file holds. Nothing in it is trusted: what is broken is mended and reported, and what can be saved is saved.

use super::arena::MOST_NODES;
use super::label::is_label;
use super::node::{NOTHING, Node, State};
use super::order::{Around, Ordered, Spot, order};
use super::record::Laid;
use super::weigh::{weigh, weigh_kept};
use super::{Fault, Head, Row, Tree, TreeError};
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
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
        let around = Around { known: &|_| None, rest, part: false };
        let ordered = order(&rows, &around, &mut faults);
        tree.grow_rows(rows, ordered, state);
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

    /// Adds ordered rows; answers their numbers. They are weighed.
    pub(super) fn grow_rows(&mut self, rows: Vec<Row>, mut ordered: Ordered, state: State) -> Vec<u32> {
        let mut numbers: Vec<u32> = rows.iter().map(|_| NOTHING).collect();
        let mut rows: Vec<Option<Row>> = rows.into_iter().map(Some).collect();
        let mut starts = Vec::new();
        let mut grown = Vec::new();
        for (index, spot) in ordered.placed {
            let Some(Row { parent, mut new }) = rows[index].take() else { continue };
            let under = match spot {
                Spot::Known(node) => node,
                Spot::Row(row) => numbers[row],
                Spot::Rest => self.stub(&parent.unwrap_or_default()),
                Spot::Root | Spot::Left => NOTHING,
            };
            if let Some(id) = ordered.renamed.remove(&index) {
                new.id = id;
            }
            let number = self.arena.add(under, Node::new(new, state));
            if !matches!(spot, Spot::Row(_)) {
                starts.push(number);
            }
            numbers[index] = number;
            grown.push(number);
        }
        weigh_kept(&mut self.arena, &starts);
        self.open.reset();
        grown
    }
    /// A node for a message that stays in the store.
    fn stub(&mut self, id: &str) -> u32 {
        match self.arena.find(id) {
            Some(node) => node,
            None => self.arena.add(NOTHING, Node::bare(Arc::from(id), State::Rest)),
        }
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
        let (ids, labels) = (head.records.iter().map(|r| &r.id), head.checkpoints.iter().map(|c| &c.label));
        let (ids, labels) = (latest(ids), latest(labels));
        for (index, record) in head.records.into_iter().enumerate() {
            if ids.get(&record.id) != Some(&index) {
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
            if labels.get(&label) != Some(&index) {
                faults.push(Fault::DuplicateLabel { label });
                continue;
            }
            match self.find(&at) {
                Some(at) if is_label(&label) => self.set_label(label, at, 0),
                None if is_label(&label) && rest(&at) => {
                    self.unloaded.checkpoints.push(checkpoint);
                    faults.push(Fault::NotLoaded { label, at });
                }
                _ => faults.push(Fault::LostLabel { label, at }),
            }
        }
    }
}

/// Where each name comes last.
fn latest<'a>(names: impl Iterator<Item = &'a String>) -> BTreeMap<String, usize> {
    names.enumerate().map(|(index, name)| (name.clone(), index)).collect()
}

/// Each end is there or in the store, and not both are there.
fn is_unloaded(ends: [Option<u32>; 2], ids: [&str; 2], rest: &dyn Fn(&str) -> bool) -> bool {
    ends.iter().zip(ids).all(|(end, id)| end.is_some() || rest(id)) && ends.contains(&None)
}
