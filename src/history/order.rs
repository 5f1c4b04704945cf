//! Where messages of the system may stand when a format does not let them stand anywhere (Anthropic: not first, after a user's turn, last or
//! before an assistant's turn or another of their kind).

use super::{Repair, RepairKind};
use crate::message::{Message, Role};
use alloc::vec::Vec;

/// True unless the message is the system's and stands where none may.
pub(super) fn system_may_stand(messages: &[Message], index: usize) -> bool {
    if messages[index].sent_role() != Role::System {
        return true;
    }
    let mut before = messages[..index].iter().rev().map(Message::sent_role);
    let mut after = messages[index + 1..].iter().map(Message::sent_role);
    before.find(|role| *role != Role::System) == Some(Role::User)
        && after.find(|role| *role != Role::System).is_none_or(|role| role == Role::Assistant)
}

/// Moves each misplaced message of the system behind the next user's turn, or behind the last one when none follows.
pub fn place_system(messages: &mut Vec<Message>, repairs: &mut Vec<Repair>) {
    let mut index = 0;
    let mut budget = messages.len();
    while index < messages.len() {
        if system_may_stand(messages, index) || budget == 0 {
            index += 1;
            continue;
        }
        budget -= 1;
        let message = messages.remove(index);
        let Some(to) = place_after(messages, index).or_else(|| place_before(messages, index)) else {
            // No user speaks anywhere: the first role is mended before, so this is a history of the system alone.
            messages.insert(index, message);
            index += 1;
            continue;
        };
        let words = "moved a system message to where one may stand";
        repairs.push(Repair::new(RepairKind::SystemPosition, &message, words));
        messages.insert(to, message);
    }
}

fn ends_user_turn(messages: &[Message], index: usize) -> bool {
    let next = messages[index + 1..].iter().map(Message::sent_role).find(|role| *role != Role::System);
    messages[index].sent_role() == Role::User && next.is_none_or(|role| role == Role::Assistant)
}

fn place_after(messages: &[Message], from: usize) -> Option<usize> {
    let end = (from..messages.len()).find(|&i| ends_user_turn(messages, i))?;
    Some(end + 1)
}

fn place_before(messages: &[Message], from: usize) -> Option<usize> {
    let end = (0..from).rev().find(|&i| ends_user_turn(messages, i))?;
    Some(end + 1)
}
