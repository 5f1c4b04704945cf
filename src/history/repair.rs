//! Mends what can be mended without losing a person's words, and says what it did.

use super::{alternate, as_user, empty, first, order, pictures, rename, results};
use crate::format::Rules;
use crate::message::{Message, Part, Role, Store};
use alloc::string::String;
use alloc::vec::Vec;
use serde::Serialize;

/// What was mended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Repair {
    /// The kind of damage.
    pub kind: RepairKind,
    /// The input message it was found in.
    pub index: usize,
    /// What was done.
    pub message: String,
}

/// Kinds of damage, as the public contract names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RepairKind {
    /// A result that answers no call.
    OrphanResult,
    /// A call that has no result.
    UnansweredCall,
    /// Two calls of one turn that share an id.
    DuplicateCall,
    /// A second result for one call.
    DuplicateResult,
    /// Results of one batch that stood apart from it.
    SplitResults,
    /// Results behind words of the same turn.
    ResultOrder,
    /// A message or text block with nothing in it.
    EmptyContent,
    /// A history that does not begin with a user's message.
    FirstRole,
    /// Two messages of one role in a row, where roles must take turns.
    RoleOrder,
    /// A result that names no call.
    MissingId,
    /// A picture where only words may stand.
    ImageRole,
    /// A message of the system where none may stand.
    SystemPosition,
    /// A message of the system where the model lets only user and assistant speak.
    SystemRole,
}

/// What stands where a result held only blank text.
const NO_WORDS: &str = "(empty)";

/// Mends a history that breaks a rule. What still breaks one afterwards [`check`](super::check) finds.
pub fn repair(mut messages: Vec<Message>, store: &mut Store, rules: &Rules) -> (Vec<Message>, Vec<Repair>) {
    let mut repairs = Vec::new();
    rename::rename(&mut messages, store, rules, &mut repairs);
    let mut messages = results::place(messages, store, rules, &mut repairs);
    if rules.images_from_user {
        messages = pictures::to_user(messages, store, &mut repairs);
    }
    fill_empty(&mut messages, store, rules, &mut repairs);
    drop_empty(&mut messages, rules, &mut repairs);
    first::begin_with_user(&mut messages, store, rules, &mut repairs);
    if rules.system_as_user {
        as_user::tell_as_user(&mut messages, store, &mut repairs);
    } else if !rules.system_anywhere {
        order::place_system(&mut messages, &mut repairs);
    }
    if rules.alternate {
        messages = alternate(messages, store, &mut repairs);
    }
    repairs.sort_by_key(|repair| repair.index);
    (messages, repairs)
}

impl Repair {
    pub(super) fn new(kind: RepairKind, stood: &Message, message: impl Into<String>) -> Repair {
        Repair { kind, index: stood.origin as usize, message: message.into() }
    }
}

/// A message of this package's own.
pub fn own_message(role: Role, parts: Vec<Part>, store: &mut Store) -> Message {
    Message { role, origin: store.add_own([]).0, parts, whole: false, bytes: 0, overhead: 0 }
}

/// Takes blank texts out of messages; a result keeps a word in their place, since its block stays.
fn fill_empty(messages: &mut [Message], store: &mut Store, rules: &Rules, repairs: &mut Vec<Repair>) {
    for message in messages {
        if empty::is_null_result(message) {
            message.parts[0].instead = store.add_own([""]).0;
            let words = "gave a result without content an empty text";
            repairs.push(Repair::new(RepairKind::EmptyContent, message, words));
        }
        let before = message.parts.len();
        let mut blanks = 0;
        message.parts.retain_mut(|part| {
            if !empty::is_blank(part, store, rules) {
                return true;
            }
            blanks += 1;
            if part.inside {
                part.instead = store.add_own([NO_WORDS]).0;
            }
            part.inside
        });
        message.whole &= message.parts.len() == before;
        if blanks > 0 {
            let words = "took out a blank text";
            repairs.push(Repair::new(RepairKind::EmptyContent, message, words));
        }
    }
}

fn drop_empty(messages: &mut Vec<Message>, rules: &Rules, repairs: &mut Vec<Repair>) {
    let count = messages.len();
    let mut at = 0;
    messages.retain(|message| {
        at += 1;
        let goes = empty::is_empty(message, at == count, rules);
        if goes {
            let words = "left out a message without content";
            repairs.push(Repair::new(RepairKind::EmptyContent, message, words));
        }
        !goes
    });
}
