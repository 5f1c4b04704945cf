//! Pictures where none may stand: formats that take them from a user only get them in a user's message right behind.

use super::repair::own_message;
use super::{Repair, RepairKind};
use crate::message::{At, Kind, Message, Part, Role, Store};
use alloc::vec::Vec;

/// What stands in a message that held nothing but pictures.
const MOVED: &str = "(see the picture in the next message)";

/// Moves every misplaced picture into a message behind the run of results it stands in.
pub(super) fn to_user(messages: Vec<Message>, store: &mut Store, repairs: &mut Vec<Repair>) -> Vec<Message> {
    let mut out = Vec::with_capacity(messages.len());
    let mut moved: Vec<Part> = Vec::new();
    let mut messages = messages.into_iter().peekable();
    while let Some(mut message) = messages.next() {
        let misplaced = message.role != Role::User && message.images() > 0;
        if misplaced {
            let words = "moved a picture into a user's message behind it";
            repairs.push(Repair::new(RepairKind::ImageRole, &message, words));
            let mut rest = Vec::new();
            for part in message.parts {
                let picture = part.kind == Kind::Image;
                if picture { moved.push(Part { inside: false, ..part }) } else { rest.push(part) }
            }
            if !rest.iter().any(|part| part.kind == Kind::Text) {
                let (from, [body]) = store.add_own([MOVED]);
                let inside = message.role == Role::Tool;
                rest.push(Part { body, inside, ..Part::new(Kind::Text, from, At::STRING) });
            }
            message.parts = rest;
            message.whole = false;
        }
        let calls = message.has_calls();
        out.push(message);
        // Results must follow their calls at once, so the pictures wait for the last of them.
        let waits = calls || messages.peek().is_some_and(|next| next.role == Role::Tool);
        if !waits && !moved.is_empty() {
            out.push(own_message(Role::User, core::mem::take(&mut moved), store));
        }
    }
    if !moved.is_empty() {
        out.push(own_message(Role::User, moved, store));
    }
    out
}
