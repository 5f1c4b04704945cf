//! Checkpoints: labels on messages. A label never points to nothing: when its message goes, it goes, and the caller is told.

use super::{Checkpoint, Tree, TreeError};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Letters of a label at most.
pub const MOST_LETTERS: usize = 256;

/// Where a label stands. There are few, so they are searched from end to end.
#[derive(Clone, Debug)]
pub(super) struct Label {
    pub label: String,
    pub at: u32,
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
        self.labels.retain(|set| set.label != label);
        self.labels.push(Label { label: label.to_string(), at: self.tip, edition: self.edition });
        Ok(())
    }
    /// Labels in the order they were set.
    pub fn checkpoints(&self) -> Vec<Checkpoint> {
        self.labels.iter().map(|set| self.told(set)).collect()
    }
    pub(super) fn told(&self, set: &Label) -> Checkpoint {
        Checkpoint { label: set.label.clone(), at: self.arena.at(set.at).id().to_string() }
    }
    /// Moves the tip to where a label stands; answers the number of the message there.
    ///
    /// # Errors
    /// [`TreeError::UnknownCheckpoint`], also when its message is not in memory.
    pub fn rewind(&mut self, label: &str) -> Result<u32, TreeError> {
        let Some(at) = self.labels.iter().find(|set| set.label == label).map(|set| set.at) else {
            let stored = self.unloaded.checkpoints.iter().any(|unloaded| unloaded.label == label);
            return Err(TreeError::UnknownCheckpoint { label: label.to_string(), stored });
        };
        self.move_tip(at);
        Ok(at)
    }
    /// Drops the labels on nodes that are gone; answers them.
    pub(super) fn drop_labels(&mut self) -> Vec<String> {
        let mut lost = Vec::new();
        let arena = &self.arena;
        self.labels.retain_mut(|set| {
            let stands = arena.get(set.at).is_some();
            if !stands {
                lost.push(core::mem::take(&mut set.label));
            }
            stands
        });
        self.edition += lost.len() as u64;
        lost
    }
}
