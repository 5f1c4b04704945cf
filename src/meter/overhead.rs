//! What a provider adds around the words, in tokens, and how many bytes our own messages take.

use super::Table;
use crate::message::{Kind, Message, Part, Store, json_len};

/// Around every message. OpenAI's cookbook counts 3 and 1 for a name (`gpt-4` and later); Anthropic's counting endpoint shows about as many.
pub const MESSAGE: u32 = 4;
/// Once a request: the answer is primed with the assistant's role. OpenAI's cookbook counts 3.
pub const FIXED: u32 = 3;
/// A document or a recording whose pages or seconds are not read: a page of a PDF is 1,500 to 3,000 tokens (Anthropic docs: PDF support).
pub const MEDIA: u32 = 3000;
/// A picture known by its address alone is taken for one of this size, in pixels.
pub const UNSEEN: (u32, u32) = (1024, 1024);

/// Around a part, beyond its words. For Claude fitted with `benches/fit/claude.mjs` on what sessions reported: a call with its result adds
/// about 74, how much of it falls to which is all but open. For the others OpenAI's cookbook on counting tools.
pub fn of(kind: Kind, table: Table) -> u32 {
    match (kind, table) {
        (Kind::Call, Table::Claude) => 52,
        (Kind::Result, Table::Claude) => 22,
        (Kind::Call, _) => 8,
        (Kind::Result, _) => 4,
        _ => 0,
    }
}

/// Thinking that comes sealed is billed by what it says; its base64 tells how long that is: four letters hold three bytes, four bytes a token.
pub fn sealed(part: &Part) -> u32 {
    let readable = !part.body.is_empty();
    if readable { 0 } else { part.name.len() as u32 * 3 / 16 }
}

/// Bytes as JSON of a message whose parts were put together anew: the blocks, and the keys around them.
pub fn rebuilt_bytes(message: &Message, store: &Store) -> u32 {
    let block = |part: &Part| {
        let own = !store.is_input(part.from);
        // A page weighs what it is taken for until it is drawn.
        let body = if own && part.kind == Kind::Image {
            part.bytes
        } else if own {
            json_len(store.bytes(part.from, part.body)) as u32
        } else {
            part.bytes
        };
        match part.kind {
            // The result's own block has its id and its keys around the content.
            Kind::Result => body + json_len(store.bytes(part.id_from, part.id)) as u32 + 46,
            _ if own => body + 24,
            _ => body + 1,
        }
    };
    let blocks = message.parts.iter().filter(|part| !part.inside).map(block);
    30 + blocks.sum::<u32>()
}
