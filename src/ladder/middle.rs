//! What lies between head and tail, and may be given up.

use super::own::is_summary;
use super::{Goal, Scene};
use crate::history::{Unit, exchanges, head_end};
use crate::message::Message;
use alloc::vec::Vec;

/// What becomes of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It stays as it is.
    Stays,
    /// It goes.
    Goes,
    /// A person speaks in it beside results that go: the words stay.
    Words,
}

/// The middle of a history.
#[derive(Debug)]
pub struct Middle {
    /// One past the last unit of the head.
    pub head: usize,
    /// Ranges that go or stay whole, oldest first: the messages of each with what becomes of them when it goes.
    pub ranges: Vec<Vec<(usize, Fate)>>,
}

impl Middle {
    /// The tail is the newest exchanges, up to `keepExchanges`, that fit half of where the pass stops; everything older is one range. When
    /// not one exchange fits, the tail is the newest units that do, at least one, and what people wrote in the newest `keepExchanges`
    /// exchanges stays in its place and splits the middle.
    pub fn find(scene: &Scene<'_>, units: &[Unit], goal: &Goal) -> Middle {
        let policy = scene.policy;
        let head = head_end(units, &scene.stand.live, policy.keep_head);
        let half = goal.tokens.unwrap_or(policy.stop) / 2;
        let exchanges = exchanges(units);
        let newest = exchanges.len().saturating_sub(policy.keep_exchanges as usize);
        let starts = exchanges[newest..].iter().map(|exchange| exchange.start.max(head));
        let fits = |start: &usize| *start < units.len() && tokens(scene, &units[*start..]) <= half;
        if let Some(tail) = starts.clone().find(fits) {
            return Middle { head, ranges: ranges(units, scene, head, tail, tail) };
        }
        let newest = units.iter().rposition(|unit| !unit.system).unwrap_or_default();
        let mut tail = newest.max(head);
        while tail > head && tokens(scene, &units[tail - 1..]) <= half {
            tail -= 1;
        }
        let people_stay = starts.min().unwrap_or(head);
        Middle { head, ranges: ranges(units, scene, head, tail, people_stay) }
    }
}

/// The units from `head` to `tail`; from `people_stay` on what a person wrote stays and ends a range.
fn ranges(units: &[Unit], scene: &Scene<'_>, head: usize, tail: usize, people_stay: usize) -> Vec<Vec<(usize, Fate)>> {
    let mut ranges = Vec::new();
    let mut range = Vec::new();
    for (index, unit) in units.iter().enumerate().take(tail).skip(head) {
        let words_stay = unit.person && index >= people_stay;
        range.extend(fates_of_unit(unit, scene, words_stay));
        if words_stay {
            ranges.push(core::mem::take(&mut range));
        }
    }
    ranges.push(range);
    ranges.retain(|range| range.iter().any(|&(_, fate)| fate != Fate::Stays));
    ranges
}

/// What becomes of the messages of a unit that goes.
pub fn fates_of_unit(unit: &Unit, scene: &Scene<'_>, words_stay: bool) -> Vec<(usize, Fate)> {
    let fate = |m: usize| match &scene.stand.live[m] {
        // What the system said stays; a summary only speaks in its place.
        message if unit.system && !is_summary(message, scene.store) => Fate::Stays,
        message if words_stay && message.is_person() => {
            if message.has_results() {
                Fate::Words
            } else {
                Fate::Stays
            }
        }
        _ => Fate::Goes,
    };
    unit.messages.clone().map(|m| (m, fate(m))).collect()
}

fn tokens(scene: &Scene<'_>, units: &[Unit]) -> u64 {
    let messages = units.iter().flat_map(|unit| &scene.stand.live[unit.messages.clone()]);
    messages.map(Message::tokens).sum()
}
