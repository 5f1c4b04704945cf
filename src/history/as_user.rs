//! Models for which only user and assistant may speak. What surrounds the messages is the caller's, so what the system says among them stays in its
//! place, word for word, and is sent as a user's message that begins by saying whose words it holds. Everywhere else it goes on to be the system's.

use super::{Repair, RepairKind};
use crate::format::SYSTEM_SAYS;
use crate::message::{At, Kind, Message, Part, Role, Store};

/// True for a message that would be sent as the system's.
pub(super) fn is_unsent(message: &Message) -> bool {
    message.sent_role() == Role::System
}

/// Makes every message of the system one that can be sent.
pub(super) fn tell_as_user(messages: &mut [Message], store: &mut Store, repairs: &mut alloc::vec::Vec<Repair>) {
    for message in messages.iter_mut().filter(|message| is_unsent(message)) {
        let words =
            "marked the words of the system and sent them as a user's, since this model takes none inside the history";
        repairs.push(Repair::new(RepairKind::SystemRole, message, words));
        let (from, [body]) = store.add_own([SYSTEM_SAYS]);
        let lead = Part { body, own: true, system: true, ..Part::new(Kind::Text, from, At::STRING) };
        message.parts.insert(0, lead);
        message.whole = false;
    }
}
