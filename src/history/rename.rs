//! Calls without an id, and ids that two calls of one turn share. They may come again in a later turn, not twice in one: the later call and
//! its result get an id of their own.

use super::pair::{id, pair};
use super::{Repair, RepairKind};
use crate::format::Rules;
use crate::message::{Message, Role, Store};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Gives every call of a turn an id that no other call of the turn bears.
pub(super) fn rename(messages: &mut [Message], store: &mut Store, rules: &Rules, repairs: &mut Vec<Repair>) {
    let mut turn: BTreeSet<String> = BTreeSet::new();
    let mut caller = None;
    for ((m, p), result) in pair(messages, store).calls {
        if caller.is_none_or(|caller| turn_begins(messages, caller, m, rules)) {
            turn.clear();
        }
        caller = Some(m);
        let name = String::from_utf8_lossy(id(&messages[m].parts[p], store)).into_owned();
        let nameless = name.is_empty();
        if !nameless && turn.insert(name.clone()) {
            continue;
        }
        let stem = if nameless { "call" } else { &name };
        let free = |number: &u32| !turn.contains(&format!("{stem}_{number}"));
        let number = (2..).find(free).unwrap_or_default();
        let fresh = format!("{stem}_{number}");
        let (from, [span]) = store.add_own([&fresh]);
        for (m, p) in [Some((m, p)), result].into_iter().flatten() {
            let part = &mut messages[m].parts[p];
            (part.id, part.id_from) = (span, from);
        }
        let (kind, words) = if nameless {
            (RepairKind::MissingId, format!("named a call without an id `{fresh}`"))
        } else {
            (RepairKind::DuplicateCall, format!("named a second call `{name}` of one turn `{fresh}`"))
        };
        repairs.push(Repair::new(kind, &messages[m], words));
        turn.insert(fresh);
    }
}

/// True when something stands between two callers that ends the assistant's turn.
fn turn_begins(messages: &[Message], before: usize, m: usize, rules: &Rules) -> bool {
    before != m && !(rules.turns && messages[before..m].iter().all(|message| message.role == Role::Assistant))
}
