//! Checkpoints: labels on messages. A label never points to nothing: when its message goes, it goes, and the caller is told.

use super::node::NOTHING;
use super::{Checkpoint, Tree, TreeError};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Letters of a label at most.
pub const MOST_LETTERS: usize = 256;

/// Where a label stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label {
    pub at: u32,
    /// Counts labels as they are set.
    pub turn: u64,
    /// The edition that set it.
    pub edition: u64,
}

pub(super) fn is_label(label: &str) -> bool {
    !label.is_empty() && label.chars().nth(MOST_LETTERS).is_none()
}

impl Tree {
    /// Puts a label on the tip. One that is used again moves.
    ///
    /// # Errors
    /// [`TreeError::Option`] for a label of no or of more than [`MOST_LETTERS`] letters, and where there is no message to put it on.
    pub fn checkpoint(&mut self, label: &str) -> Result<(), TreeError> {
        if !is_label(label) {
            return Err(TreeError::Option(format!("The label of a checkpoint must have 1 to {MOST_LETTERS} letters.")));
        }
        if self.arena.get(self.tip).is_none() {
            let words = format!("There is no message to set the checkpoint `{label}` on: append one first.");
            return Err(TreeError::Option(words));
        }
        self.unloaded.checkpoints.retain(|unloaded| unloaded.label != label);
        self.edition += 1;
        self.set_label(label.to_string(), self.tip, self.edition);
        Ok(())
    }
    /// Labels in the order they were set.
    pub fn checkpoints(&self) -> Vec<Checkpoint> {
        let told = |(label, set): (&String, Label)| Checkpoint {
            label: label.clone(),
            at: self.arena.at(set.at).id().to_string(),
        };
        self.labels_in_order().map(told).collect()
    }
    /// Moves the tip to where a label stands; answers the number of the message there.
    ///
    /// # Errors
    /// [`TreeError::UnknownCheckpoint`], also when its message is not in memory.
    pub fn rewind(&mut self, label: &str) -> Result<u32, TreeError> {
        let Some(&Label { at, .. }) = self.labels.get(label) else {
            let stored = self.unloaded.checkpoints.iter().any(|unloaded| unloaded.label == label);
            return Err(TreeError::UnknownCheckpoint { label: label.to_string(), stored });
        };
        self.move_tip(at);
        Ok(at)
    }

    pub(super) fn set_label(&mut self, label: String, at: u32, edition: u64) {
        self.labels_set += 1;
        self.labels.insert(label, Label { at, turn: self.labels_set, edition });
    }
    pub(super) fn labels_in_order(&self) -> impl Iterator<Item = (&String, Label)> {
        let mut labels: Vec<(&String, Label)> = self.labels.iter().map(|(label, set)| (label, *set)).collect();
        labels.sort_unstable_by_key(|(_, set)| set.turn);
        labels.into_iter()
    }
    /// Drops the labels on nodes that are gone; answers them.
    pub(super) fn drop_labels(&mut self) -> Vec<String> {
        let gone = |at: u32| at == NOTHING || self.arena.get(at).is_none();
        let lost: Vec<String> =
            self.labels.iter().filter(|(_, set)| gone(set.at)).map(|(label, _)| label.clone()).collect();
        for label in &lost {
            self.labels.remove(label);
            self.edition += 1;
        }
        lost
    }
}
