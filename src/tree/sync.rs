//! A history that an application holds itself: what of it is known here already.

use super::node::NOTHING;
use super::{Tree, TreeError};

impl Tree {
    /// Follows a history of `count` messages as far as it is known: along the path first, then along whatever branch goes on like it, the
    /// newest one if several do. Moves the tip there; answers how many messages are known, so that the rest can be appended. `same` compares a
    /// message of the history, by its place, with one of the tree, by the number of its words.
    ///
    /// # Errors
    /// [`TreeError::Option`] when only a part of the conversation is loaded.
    pub fn sync(&mut self, count: usize, same: &mut dyn FnMut(usize, u32) -> bool) -> Result<usize, TreeError> {
        if self.is_part() {
            let words =
                "Only a part of this conversation is loaded: open it without `load` to compare whole histories.";
            return Err(TreeError::Option(words.into()));
        }
        let mut known = 0;
        let mut at = NOTHING;
        for &node in self.path.to(&self.arena, self.tip) {
            if known == count || !same(known, self.arena.at(node).message) {
                break;
            }
            (at, known) = (node, known + 1);
        }
        while known < count {
            let is_next = |&child: &u32| same(known, self.arena.at(child).message);
            let Some(next) = self.arena.children_back(at).find(is_next) else { break };
            (at, known) = (next, known + 1);
        }
        self.move_tip(at);
        Ok(known)
    }
}
