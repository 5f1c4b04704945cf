//! Exchanges: a person's message and all up to the next. And the head: the task, which every rung leaves alone.

use super::Unit;
use crate::message::{Message, Role};
use alloc::vec::Vec;
use core::ops::Range;

/// The exchanges of a history, as ranges of units. What stands before the first person's message belongs to the first exchange.
pub fn exchanges(units: &[Unit]) -> Vec<Range<usize>> {
    let mut exchanges: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    let mut spoken = false;
    for (index, unit) in units.iter().enumerate() {
        if unit.person && spoken {
            exchanges.push(start..index);
            start = index;
        }
        spoken |= unit.person;
    }
    if start < units.len() {
        exchanges.push(start..units.len());
    }
    exchanges
}

/// One past the last unit of the head: `keep` messages that are not the system's, or up to and with the first person's message. Never more
/// than all units.
pub fn head_end(units: &[Unit], messages: &[Message], keep: Option<u32>) -> usize {
    let mut kept = 0;
    for (index, unit) in units.iter().enumerate() {
        let enough = keep.is_some_and(|keep| kept >= keep);
        if enough {
            return index;
        }
        if keep.is_none() && unit.person {
            return index + 1;
        }
        let run = &messages[unit.messages.clone()];
        kept += run.iter().filter(|message| message.role != Role::System).count() as u32;
    }
    units.len()
}
