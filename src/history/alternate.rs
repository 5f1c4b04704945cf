//! Hosts where user and assistant must take turns and the system speaks once, at the beginning: messages that meet become one.

use super::{Repair, RepairKind};
use crate::message::{Kind, Message, Role, Store};
use alloc::vec::Vec;

/// True when a message stands where such a host lets none stand: the rule it breaks.
pub(super) fn misplaced(messages: &[Message], index: usize) -> Option<&'static str> {
    let role = messages[index].role;
    let before = messages[..index].last().map(|message| message.role);
    match role {
        Role::System if index > 0 => Some("system-position"),
        Role::User | Role::Assistant if before == Some(role) => Some("role-order"),
        _ => None,
    }
}

/// Brings what the system says together at the beginning and joins messages of one role that meet.
pub fn alternate(messages: Vec<Message>, store: &Store, repairs: &mut Vec<Repair>) -> Vec<Message> {
    if (0..messages.len()).all(|index| misplaced(&messages, index).is_none()) {
        return messages;
    }
    for message in messages.iter().skip(1).filter(|message| message.role == Role::System) {
        let words = "moved the words of a system message to the beginning";
        repairs.push(Repair::new(RepairKind::SystemPosition, message, words));
    }
    let (system, rest): (Vec<Message>, Vec<Message>) = messages.into_iter().partition(|m| m.role == Role::System);
    // The fields are those of the first, whatever comes later: a provider's cache begins with it.
    let system = system.into_iter().reduce(|mut first, next| {
        first.parts.extend(next.parts);
        Message { whole: false, ..first }
    });
    let mut out = Vec::from_iter(system);
    for message in rest {
        let meets = |last: &mut Message| {
            last.role == message.role && matches!(last.role, Role::User | Role::Assistant) && !last.has_calls()
        };
        match out.pop_if(meets) {
            Some(last) => {
                let words = "joined it with the message before, of the same role";
                repairs.push(Repair::new(RepairKind::RoleOrder, &message, words));
                out.push(joined(last, message, store));
            }
            None => out.push(message),
        }
    }
    out
}

/// One message with the words of both; the fields are those of the later, unless only the earlier is the caller's.
fn joined(earlier: Message, later: Message, store: &Store) -> Message {
    let keeps_later = store.is_input(later.origin);
    let origin = if keeps_later { later.origin } else { earlier.origin };
    // Thinking beside the content cannot be told for two messages; that of the one whose fields stay does.
    let lost = if keeps_later { earlier.origin } else { later.origin };
    let mut parts = earlier.parts;
    parts.extend(later.parts);
    parts.retain(|part| part.kind != Kind::Reasoning || part.from != lost);
    Message { origin, parts, whole: false, ..later }
}
