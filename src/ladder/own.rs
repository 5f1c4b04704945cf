//! Messages of this package's own, known again by their marks: of this walk, or of an earlier call.

use super::marker;
use crate::message::{Kind, Message, Part, Store};

/// True for a message with pages or placeholders that came back from an earlier call: what they stand for is gone, so nothing of this walk can
/// draw it. And for a summary, which is no word of anybody's.
pub(super) fn is_opaque(message: &Message, store: &Store) -> bool {
    let kinds = [Kind::Image, Kind::Result];
    let came_back = |part: &Part| part.own && store.is_input(part.from) && kinds.contains(&part.kind);
    message.parts.iter().any(came_back) || is_summary(message, store)
}

/// True for a message that bears a summary.
pub fn is_summary(message: &Message, store: &Store) -> bool {
    let words = message.parts.first().filter(|part| part.own && part.kind == Kind::Text);
    words.is_some_and(|part| marker::summed(store.str(part.from, part.body)).is_some())
}

/// How many messages something of this package's own speaks of; `None` for any other message.
pub(super) fn told_by(message: &Message, store: &Store) -> Option<u64> {
    let words = |part: &Part| store.str(part.from, part.body);
    match message.parts.as_slice() {
        [part] if part.own && part.kind == Kind::Text => {
            let words = words(part);
            marker::noticed(words).or_else(|| marker::summed(words).map(|(messages, ..)| messages))
        }
        [lead, .., sheet] if lead.own && sheet.own && sheet.kind == Kind::Text => marker::drawn(words(sheet)),
        _ => None,
    }
}

/// True for the notice that messages were left out.
pub(super) fn is_notice(message: &Message, store: &Store) -> bool {
    matches!(message.parts.as_slice(), [part] if part.own && part.kind == Kind::Text
        && marker::noticed(store.str(part.from, part.body)).is_some())
}
