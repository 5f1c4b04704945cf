//! The path from a root to the tip, kept from one call to the next: only what lies beyond the last fork is walked again.

use super::arena::Arena;
use super::node::{NOTHING, State};
use alloc::vec::Vec;

/// The nodes on the way to a node, itself included.
#[derive(Debug, Default)]
pub(super) struct Path {
    nodes: Vec<u32>,
    tip: u32,
}

impl Path {
    /// The way to `tip`. What is in the store only does not belong to it.
    pub fn to(&mut self, arena: &Arena, tip: u32) -> &[u32] {
        if self.tip != tip {
            self.nodes.resize(arena.at(tip).depth as usize, NOTHING);
            let mut at = tip;
            while let Some(slot) = (arena.at(at).depth as usize).checked_sub(1) {
                if self.nodes[slot] == at {
                    break;
                }
                self.nodes[slot] = at;
                at = arena.at(at).parent;
            }
            self.tip = tip;
        }
        let rest = self.nodes.first().is_some_and(|&first| arena.at(first).state == State::Rest);
        &self.nodes[usize::from(rest)..]
    }
}
