//! Content that a provider refuses because nothing is in it.

use crate::format::Rules;
use crate::message::{At, Kind, Message, Part, Role, Store};

/// Bytes of `null`: a content that is no content.
const NULL: u32 = 4;

/// True for a message with nothing in it. A final message of the assistant may be empty where texts may not be blank (Anthropic).
pub(super) fn is_empty(message: &Message, last: bool, rules: &Rules) -> bool {
    let has_content = message.parts.iter().any(|part| part.kind != Kind::Reasoning || rules.turns);
    let final_assistant = rules.blank && last && message.role == Role::Assistant;
    if message.role == Role::Tool {
        return is_null_result(message);
    }
    message.role != Role::Other && !has_content && !final_assistant
}

/// True for a result message whose content is `null` or absent.
pub(super) fn is_null_result(message: &Message) -> bool {
    match message.parts.as_slice() {
        [part] => part.kind == Kind::Result && part.body.is_empty() && part.bytes == NULL && !part.is_replaced(),
        _ => false,
    }
}

/// True for a text block that is refused because it is blank.
pub(super) fn is_blank(part: &Part, store: &Store, rules: &Rules) -> bool {
    let words = part.kind == Kind::Text && !part.is_replaced();
    let content = part.at == At::STRING || part.at.block != At::NONE;
    let text = || store.bytes(part.from, part.body);
    // One letter, digit or mark settles it; only then is the text read as what it is.
    let blank =
        || !text().iter().take(16).any(u8::is_ascii_graphic) && store.str(part.from, part.body).trim().is_empty();
    rules.blank && words && content && blank()
}
