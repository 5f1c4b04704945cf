//! The store: rows and a head against a revision, and what must hold of it after every commit.

use super::model::Model;
use palimpsest::tree::{Head, Row};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Default)]
pub struct Server {
    pub revision: u32,
    pub rows: Vec<Row>,
    pub head: Head,
    /// A file was taken in, which may have been written in the middle of turns.
    pub imported: bool,
}

impl Server {
    /// Adds rows, never over others, and replaces the head.
    pub fn write(&mut self, rows: Vec<Row>, head: Head) -> Result<(), TestCaseError> {
        self.revision += 1;
        self.rows.extend(rows);
        self.head = head;
        self.holds()
    }
    /// Every parent, tip, record and label is there; every branch ends after a whole turn.
    fn holds(&self) -> Result<(), TestCaseError> {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut parents: BTreeSet<&str> = BTreeSet::new();
        for row in &self.rows {
            if let Some(parent) = &row.parent {
                prop_assert!(seen.contains(parent.as_str()), "{} is stored before its parent", row.new.id);
                parents.insert(parent);
            }
            prop_assert!(seen.insert(&row.new.id), "{} is stored twice", row.new.id);
        }
        let ends = self.head.records.iter().flat_map(|record| [&record.from, &record.to]);
        let labelled = self.head.checkpoints.iter().map(|label| &label.at);
        for id in ends.chain(labelled).chain(&self.head.tip) {
            prop_assert!(seen.contains(id.as_str()), "the head names {id}, which is not stored");
        }
        let mut labels: BTreeMap<&str, &str> = BTreeMap::new();
        for label in &self.head.checkpoints {
            prop_assert!(labels.insert(&label.label, &label.at).is_none(), "{} is stored twice", label.label);
        }
        if !self.imported {
            let mut model = Model::load(&self.rows, &self.head, None);
            model.nodes.iter_mut().for_each(|node| node.settled = false);
            let leaf = |node: &usize| !parents.contains(model.nodes[*node].id.as_str());
            let tip = self.head.tip.as_deref().and_then(|tip| model.find(tip));
            for node in (0..model.nodes.len()).filter(leaf).chain(tip) {
                prop_assert!(model.is_boundary(node), "{} is not the end of a turn", model.nodes[node].id);
            }
        }
        Ok(())
    }
}
