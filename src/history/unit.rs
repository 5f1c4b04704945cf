//! Units: what may not be torn apart. A step of the assistant with all its results is one, any other message is one of its own.

use crate::format::Rules;
use crate::message::{Message, Role};
use alloc::vec::Vec;
use core::ops::Range;

/// A run of messages that stays or goes together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Its messages.
    pub messages: Range<usize>,
    /// A person speaks in it.
    pub person: bool,
    /// It is the system's.
    pub system: bool,
    /// A request can be sent after it: it ends with a person's message or with complete results.
    pub sendable: bool,
}

/// Groups a mended history into units, starting at message `from`.
pub fn units(messages: &[Message], rules: &Rules) -> Vec<Unit> {
    let mut units = Vec::new();
    let mut at = 0;
    while at < messages.len() {
        let end = unit_end(messages, at, rules);
        let run = &messages[at..end];
        let last = &run[run.len() - 1];
        units.push(Unit {
            messages: at..end,
            person: run.iter().any(Message::is_person),
            system: run[0].role == Role::System,
            sendable: matches!(last.role, Role::User | Role::Tool),
        });
        at = end;
    }
    units
}

/// One past the last message of the unit that begins at `at`.
fn unit_end(messages: &[Message], at: usize, rules: &Rules) -> usize {
    let mut end = at + 1;
    if messages[at].role != Role::Assistant {
        // A result whose message came first in what is left of a history stays with its like.
        while messages[at].role == Role::Tool && is_role(messages, end, Role::Tool) {
            end += 1;
        }
        return end;
    }
    // A provider's own tool may be called in one message and answered in the next.
    while rules.turns && is_role(messages, end, Role::Assistant) {
        end += 1;
    }
    while messages.get(end).is_some_and(|next| next.role == Role::Tool || next.has_results()) {
        end += 1;
    }
    end
}

fn is_role(messages: &[Message], at: usize, role: Role) -> bool {
    messages.get(at).is_some_and(|message| message.role == role)
}
