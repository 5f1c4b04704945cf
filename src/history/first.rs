//! Who speaks first: the assistant has nothing to answer before a user spoke.

use super::repair::own_message;
use super::{Repair, RepairKind};
use crate::format::Rules;
use crate::message::{At, Kind, Message, Part, Role, Store};
use alloc::vec;
use alloc::vec::Vec;

/// What a history begins with that began with the assistant.
const BEGINNING: &str = "(The beginning of this conversation is not part of this request.)";

/// The message before which a user must speak and none does: the assistant's, or the system's where it may not speak alone.
pub(super) fn unled(messages: &[Message], rules: &Rules) -> Option<usize> {
    let leads = |message: &Message| message.sent_role() != Role::System || rules.system_as_user;
    match messages.iter().position(leads) {
        _ if !rules.first_user => None,
        Some(at) => (messages[at].role == Role::Assistant).then_some(at),
        None => (!messages.is_empty() && rules.places_system()).then_some(0),
    }
}

/// Lets a user speak first.
pub(super) fn begin_with_user(
    messages: &mut Vec<Message>,
    store: &mut Store,
    rules: &Rules,
    repairs: &mut Vec<Repair>,
) {
    let Some(at) = unled(messages, rules) else { return };
    let words = "put a user's message before the assistant's";
    repairs.push(Repair::new(RepairKind::FirstRole, &messages[at], words));
    let (from, [body]) = store.add_own([BEGINNING]);
    let part = Part { body, own: true, ..Part::new(Kind::Text, from, At::STRING) };
    let message = own_message(Role::User, vec![part], store);
    messages.insert(at, message);
}
