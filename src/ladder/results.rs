//! The results of what is live, kept up as it grows: a long walk asks for them at every event, and must not read the whole history each time.

use super::elide::eligible;
use super::{Policy, Reference, References};
use crate::message::{At, Kind, Message, Part, Store};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// One result.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// The live message it stands in.
    pub message: usize,
    /// Its input and place there: what was elided before it in its message moves it.
    pub place: (u32, At),
    /// Its tokens with all that stands in it.
    pub tokens: u32,
    /// What names it.
    pub reference: Reference,
}

impl Known {
    /// Where it stands in its message now.
    pub fn find(&self, message: &Message) -> Option<usize> {
        message.parts.iter().position(|part| part.is_result() && (part.from, part.at) == self.place)
    }
}

/// All results, in order.
#[derive(Clone, Debug, Default)]
pub struct Results {
    count: usize,
    /// Those that may be elided and are not yet, each with its number.
    open: Vec<(usize, Known)>,
    /// The number of the newest result of each call, and of each text.
    newest_call: BTreeMap<u64, usize>,
    newest_words: BTreeMap<u64, usize>,
}

impl Results {
    /// Notes the results of the live message `index`.
    pub fn note(&mut self, index: usize, message: &Message, store: &Store, references: &References, policy: &Policy) {
        for (p, part) in message.parts.iter().enumerate().filter(|(_, part)| part.is_result()) {
            let number = self.count;
            self.count += 1;
            let Some(&reference) = references.of(part) else { continue };
            self.newest_call.insert(reference.call, number);
            if !part.is_replaced() {
                self.newest_words.insert(reference.result, number);
            }
            if eligible(message, p, &reference, store, policy) {
                let tokens = Results::tokens(message, p);
                let place = (part.from, part.at);
                self.open.push((number, Known { message: index, place, tokens, reference }));
            }
        }
    }
    /// The results that may be elided, but for the newest `keep`, oldest first, each with its rank: 0 when the same call came again later, 1
    /// when the same words did, else 2.
    pub fn old(&self, keep: usize) -> impl Iterator<Item = (u8, Known)> {
        let old = self.count.saturating_sub(keep);
        self.open.iter().take_while(move |(number, _)| *number < old).map(|&(number, known)| {
            let again = |newest: Option<&usize>| newest.is_some_and(|&newest| newest > number);
            let rank = match known.reference {
                Reference { call, .. } if again(self.newest_call.get(&call)) => 0,
                Reference { result, .. } if again(self.newest_words.get(&result)) => 1,
                _ => 2,
            };
            (rank, known)
        })
    }
    /// Forgets those that were elided.
    pub fn settle(&mut self, live: &[Message]) {
        self.open.retain(|(_, known)| {
            let message = &live[known.message];
            known.find(message).is_some_and(|p| !message.parts[p].is_replaced())
        });
    }
    /// Tokens of a result and of what stands in it.
    pub fn tokens(message: &Message, p: usize) -> u32 {
        stands(message, p).map(|part| part.tokens).fold(0, u32::saturating_add)
    }
}

/// A result and what stands in it.
pub fn stands(message: &Message, p: usize) -> impl Iterator<Item = &Part> {
    let within = message.parts[p + 1..].iter().take_while(|part| part.inside);
    core::iter::once(&message.parts[p]).chain(within)
}

/// What the results in a message cost, in tokens.
pub(super) fn tokens_of_results(message: &Message) -> u64 {
    message.parts.iter().filter(|part| is_of_result(part)).map(|part| u64::from(part.tokens)).sum()
}

/// True for a result and for what stands in one.
pub(super) fn is_of_result(part: &Part) -> bool {
    part.inside || part.kind == Kind::Result
}
