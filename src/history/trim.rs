//! Where a sliding window cuts: the newest messages within a limit, starting where no result is orphaned.

use super::{Unit, exchanges};
use crate::message::{Message, Role};
use alloc::vec::Vec;

/// What a window may hold; system messages are kept beside it and count only as tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limit {
    /// Most messages.
    pub messages: Option<u32>,
    /// Most tokens of the whole request.
    pub tokens: Option<u64>,
    /// Most exchanges.
    pub exchanges: Option<u32>,
}

/// The first unit that stays. `fixed` are the tokens of everything that stays in any case. The window begins with a person's message when
/// that keeps at least half of the messages that would fit, else with any unit. At least the newest unit stays, also beyond the limit.
pub fn trim(units: &[Unit], messages: &[Message], fixed: u64, limit: Limit) -> usize {
    let earliest = limit.exchanges.map_or(0, |most| {
        let exchanges = exchanges(units);
        let skip = exchanges.len().saturating_sub(most.max(1) as usize);
        exchanges.get(skip).map_or(0, |exchange| exchange.start)
    });
    let (mut count, mut tokens) = (0u64, fixed);
    // The start of each window that fits, smallest first, with its messages.
    let mut starts: Vec<(usize, u64)> = Vec::new();
    for start in (earliest..units.len()).rev().filter(|&start| !units[start].system) {
        let run = &messages[units[start].messages.clone()];
        count += run.len() as u64;
        tokens += run.iter().map(Message::tokens).sum::<u64>();
        let fits = limit.messages.is_none_or(|most| count <= u64::from(most))
            && limit.tokens.is_none_or(|most| tokens <= most);
        if fits || starts.is_empty() {
            starts.push((start, count));
        }
        if !fits {
            break;
        }
    }
    let Some(&(largest, most)) = starts.last() else {
        return 0;
    };
    let begins_well = |&&(start, kept): &&(usize, u64)| {
        let first = &messages[units[start].messages.start];
        first.role == Role::User && first.is_person() && kept * 2 >= most
    };
    starts.iter().rev().find(begins_well).map_or(largest, |&(start, _)| start)
}
