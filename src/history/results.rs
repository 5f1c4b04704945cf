//! Puts every result where its format wants it, answers the calls that have none, and drops results that answer nothing.

use super::pair::{Place, id, pair};
use super::repair::own_message;
use super::{Repair, RepairKind};
use crate::format::Rules;
use crate::message::{At, Kind, Message, Part, Role, Store};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// What a call is answered with that has no result.
const INTERRUPTED: &str = "[interrupted: this call was never answered]";

/// Bytes as JSON of `"tool_call_id":""` and a comma.
const NAMED_BYTES: u32 = 18;

/// The calls of one turn of the assistant.
#[derive(Debug)]
struct Batch {
    /// The last message of the turn.
    last: usize,
    /// Calls in order, each with its result.
    answers: Vec<(Place, Option<Place>)>,
}

/// Rebuilds the history around its calls. Batches that stand right are not touched.
pub(super) fn place(
    messages: Vec<Message>,
    store: &mut Store,
    rules: &Rules,
    repairs: &mut Vec<Repair>,
) -> Vec<Message> {
    let pairs = pair(&messages, store);
    let mut taken: BTreeSet<Place> = BTreeSet::new();
    for (places, kind) in [(&pairs.orphans, RepairKind::OrphanResult), (&pairs.duplicates, RepairKind::DuplicateResult)]
    {
        for &(m, p) in places {
            let words =
                format!("dropped the result for `{}`: no open call bears that id", name(&messages[m].parts[p], store));
            repairs.push(Repair::new(kind, &messages[m], words));
            taken.insert((m, p));
        }
    }
    let mut batches = batches(&messages, pairs.calls, rules);
    batches.retain(|batch| !stands(batch, &messages, rules));
    for batch in &batches {
        taken.extend(batch.answers.iter().filter_map(|(_, result)| *result));
    }
    let mut out = Vec::with_capacity(messages.len());
    let mut batches = batches.into_iter().peekable();
    let mut merged = None;
    for (m, message) in messages.iter().enumerate() {
        let rest = without(message, m, &taken);
        let emptied = rest.parts.is_empty() && !message.parts.is_empty();
        if merged != Some(m) && !emptied {
            out.push(rest);
        }
        let Some(batch) = batches.next_if(|batch| batch.last == m) else {
            continue;
        };
        let parts = gather(&batch, &messages, store, repairs);
        if rules.turns {
            let next = messages.get(m + 1).filter(|next| next.role == Role::User && next.has_results());
            let mut turn = match next {
                Some(next) => {
                    merged = Some(m + 1);
                    without(next, m + 1, &taken)
                }
                None => own_message(Role::User, Vec::new(), store),
            };
            turn.whole = false;
            turn.parts.splice(0..0, parts.into_iter().flat_map(|(_, parts)| parts));
            out.push(turn);
        } else {
            out.extend(parts.into_iter().map(|(from, parts)| match from {
                Some(from) => {
                    let named = parts[0].id_from != parts[0].from;
                    let bytes = messages[from].bytes + if named { NAMED_BYTES + parts[0].id.len() as u32 } else { 0 };
                    Message { parts, bytes, ..messages[from].clone() }
                }
                None => own_message(Role::Tool, parts, store),
            }));
        }
    }
    out
}

fn batches(messages: &[Message], calls: Vec<(Place, Option<Place>)>, rules: &Rules) -> Vec<Batch> {
    let mut batches: Vec<Batch> = Vec::new();
    for (call, result) in calls {
        let mut last = call.0;
        while rules.turns && messages.get(last + 1).is_some_and(|next| next.role == Role::Assistant) {
            last += 1;
        }
        match batches.last_mut().filter(|batch| batch.last == last) {
            Some(batch) => batch.answers.push((call, result)),
            None => batches.push(Batch { last, answers: vec![(call, result)] }),
        }
    }
    batches
}

/// True when every call is answered in the turn that follows, results before words, each by its id.
fn stands(batch: &Batch, messages: &[Message], rules: &Rules) -> bool {
    let results: BTreeSet<Place> = batch.answers.iter().filter_map(|(_, result)| *result).collect();
    let answering = if rules.turns { Role::User } else { Role::Tool };
    let mut found = 0;
    let mut words_stood = false;
    for (m, message) in messages.iter().enumerate().skip(batch.last + 1) {
        if message.role != answering {
            break;
        }
        for (p, part) in message.parts.iter().enumerate().filter(|(_, part)| !part.inside) {
            if results.contains(&(m, p)) {
                if words_stood || part.id.is_empty() {
                    return false;
                }
                found += 1;
            } else if !part.is_result() {
                words_stood = true;
            }
        }
    }
    found == batch.answers.len()
}

/// The results of a batch in their own order, each with the message it stood in and what it holds, then a synthetic one for each call that
/// has none.
fn gather(
    batch: &Batch,
    messages: &[Message],
    store: &mut Store,
    repairs: &mut Vec<Repair>,
) -> Vec<(Option<usize>, Vec<Part>)> {
    let mut found: Vec<(Place, Place)> =
        batch.answers.iter().filter_map(|&(call, result)| Some((result?, call))).collect();
    found.sort_unstable();
    let mut gathered = Vec::new();
    for ((m, p), (cm, cp)) in found {
        let call = &messages[cm].parts[cp];
        let stood = &messages[m].parts[p..];
        let inner = stood[1..].iter().take_while(|part| part.inside).count();
        let mut parts = stood[..=inner].to_vec();
        if parts[0].id.is_empty() {
            (parts[0].id, parts[0].id_from) = (call.id, call.id_from);
            let words = format!("named the call `{}` in a result that named none", name(call, store));
            repairs.push(Repair::new(RepairKind::MissingId, &messages[m], words));
        }
        if let Some(kind) = misplaced(batch.last, m, p, messages) {
            let words = format!("moved the result for `{}` behind its call", name(call, store));
            repairs.push(Repair::new(kind, &messages[m], words));
        }
        gathered.push((Some(m), parts));
    }
    for &((m, p), _) in batch.answers.iter().filter(|(_, result)| result.is_none()) {
        let call = &messages[m].parts[p];
        let words = format!("answered the call `{}`, which has no result, as interrupted", name(call, store));
        repairs.push(Repair::new(RepairKind::UnansweredCall, &messages[m], words));
        let (from, [body]) = store.add_own([INTERRUPTED]);
        let answer = Part {
            body,
            id: call.id,
            id_from: call.id_from,
            error: true,
            own: true,
            ..Part::new(Kind::Result, from, At::STRING)
        };
        gathered.push((None, vec![answer]));
    }
    gathered
}

/// How a result stands wrong: apart from its batch, or behind words of the turn that answers it.
fn misplaced(last: usize, m: usize, p: usize, messages: &[Message]) -> Option<RepairKind> {
    let between = messages.get(last + 1..m).filter(|_| m > last);
    if between.is_none_or(|between| !between.iter().all(Message::has_results)) {
        return Some(RepairKind::SplitResults);
    }
    let before = between.into_iter().flatten().flat_map(|message| &message.parts);
    let mut before = before.chain(&messages[m].parts[..p]);
    before.any(|part| !part.inside && !part.is_result()).then_some(RepairKind::ResultOrder)
}

/// A message without the results that were taken from it.
fn without(message: &Message, m: usize, taken: &BTreeSet<Place>) -> Message {
    let mut message = message.clone();
    if taken.range((m, 0)..(m + 1, 0)).next().is_none() {
        return message;
    }
    let mut at = 0;
    let mut goes = false;
    let before = message.parts.len();
    message.parts.retain(|part| {
        if !part.inside {
            goes = taken.contains(&(m, at));
        }
        at += 1;
        !goes
    });
    message.whole &= message.parts.len() == before;
    message
}

fn name(part: &Part, store: &Store) -> String {
    String::from_utf8_lossy(id(part, store)).into_owned()
}
