//! Which result answers which call: by position, then by id. Ids repeat within one conversation (69 of 71 repeated ids in one public set
//! named different calls), so an id alone decides nothing.

use crate::message::{Kind, Message, Part, Store};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

/// A part by the index of its message and its own.
pub type Place = (usize, usize);

/// Calls and results of a history.
#[derive(Debug, Default)]
pub struct Pairs {
    /// Every call of the caller's tools with its result, in order of the calls.
    pub calls: Vec<(Place, Option<Place>)>,
    /// Results that answer no call.
    pub orphans: Vec<Place>,
    /// Results of calls that were answered before.
    pub duplicates: Vec<Place>,
}

/// Pairs calls with results.
pub fn pair(messages: &[Message], store: &Store) -> Pairs {
    let mut pairs = Pairs::default();
    // For each id its calls without a result, newest last.
    let mut waiting: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
    let mut answered: BTreeMap<&[u8], usize> = BTreeMap::new();
    // The first call of the assistant's newest turn.
    let mut batch = 0;
    // Calls that the provider answers itself, perhaps in a later message, never before.
    let mut hosted: BTreeSet<&[u8]> = BTreeSet::new();
    for (m, message) in messages.iter().enumerate() {
        let turn_goes_on = m > 0 && messages[m - 1].role == message.role;
        if message.has_calls() && !turn_goes_on {
            batch = pairs.calls.len();
        }
        for (p, part) in message.parts.iter().enumerate() {
            let id = id(part, store);
            if part.hosted && part.kind == Kind::Call {
                hosted.insert(id);
            } else if part.hosted && part.kind == Kind::Result && !id.is_empty() && !hosted.contains(id) {
                pairs.orphans.push((m, p));
            } else if part.is_call() {
                waiting.entry(id).or_default().push(pairs.calls.len());
                pairs.calls.push(((m, p), None));
            } else if part.is_result() {
                let call = if id.is_empty() {
                    (batch..pairs.calls.len()).find(|&call| pairs.calls[call].1.is_none())
                } else {
                    waiting.get_mut(id).and_then(|calls| take(calls, batch))
                };
                match call {
                    Some(call) => {
                        pairs.calls[call].1 = Some((m, p));
                        answered.insert(id, call);
                    }
                    None if answered.get(id).is_some_and(|&call| call >= batch) => {
                        pairs.duplicates.push((m, p));
                    }
                    None => pairs.orphans.push((m, p)),
                }
            }
        }
    }
    adopt(messages, store, &mut pairs);
    pairs
}

/// The first waiting call of the newest turn, else the newest of an earlier one.
fn take(calls: &mut Vec<usize>, batch: usize) -> Option<usize> {
    match calls.iter().position(|&call| call >= batch) {
        Some(first) => Some(calls.remove(first)),
        None => calls.pop(),
    }
}

/// Gives a result that stands before its call to that call, when only one call of the conversation bears its id.
fn adopt(messages: &[Message], store: &Store, pairs: &mut Pairs) {
    if pairs.orphans.is_empty() {
        return;
    }
    let mut bearers: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
    for (call, &((m, p), _)) in pairs.calls.iter().enumerate() {
        let id = id(&messages[m].parts[p], store);
        bearers.entry(id).or_default().push(call);
    }
    let calls = &mut pairs.calls;
    pairs.orphans.retain(|&(m, p)| {
        if messages[m].parts[p].hosted {
            return true;
        }
        let id = id(&messages[m].parts[p], store);
        match bearers.get(id).map(Vec::as_slice) {
            Some(&[call]) if calls[call].1.is_none() && !id.is_empty() => {
                calls[call].1 = Some((m, p));
                false
            }
            _ => true,
        }
    });
}

/// The id of a call, or the one a result answers.
pub(super) fn id<'a>(part: &Part, store: &'a Store) -> &'a [u8] {
    store.bytes(part.id_from, part.id)
}
