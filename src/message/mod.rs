//! What a message is, whichever provider wrote it: a role and parts, each of which remembers where it stood in the caller's object.
//!
//! A part holds no words. It points into the [`Store`], which keeps every input message once, as it crossed.

mod base64;
pub mod edit;
mod escape;
#[cfg(feature = "std")]
pub mod json;
mod reading;
mod store;
mod tape;
mod value;

pub use base64::base64;
pub use escape::json_len;
pub use reading::{Reading, WrongOption, wrong};
pub use store::Store;
pub use tape::{Tape, write_json};
pub use value::{Doc, MAX_DEPTH, Shape, Table, TapeError, Value};

use alloc::vec::Vec;

/// A range of bytes in the text of one input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// Bytes it covers.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }
    /// True when it covers nothing.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// Who speaks. `developer` of OpenAI is [`Role::System`], `tool` and `function` are [`Role::Tool`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Instructions of whoever runs the model.
    System,
    /// A person, or what stands where a person speaks.
    User,
    /// The model.
    Assistant,
    /// The result of a call, where a format gives it a message of its own.
    Tool,
    /// A role no rule here speaks of; goes through untouched.
    Other,
}

impl Role {
    /// Its name in the public contract.
    pub fn name(self) -> &'static str {
        match self {
            Role::System => "system",
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
            Role::Other => "other",
        }
    }
}

/// What a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Words.
    Text,
    /// The model's thinking, readable or encrypted.
    Reasoning,
    /// A call of a tool. `body` spans the arguments.
    Call,
    /// The result of a call. `body` spans its words when they are one string, otherwise parts with `inside` follow.
    Result,
    /// A picture. `body` spans its data URL, base64 or address.
    Image,
    /// Sound, a document or another file.
    Media,
    /// A block no rule here speaks of; goes through untouched.
    Opaque,
}

/// Where a part stands in its message, as its format counts: the index of its block, and of the block within a result. [`At::NONE`]
/// stands for "the content is one string".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// Index among the content's blocks, or among `tool_calls` for a call of OpenAI.
    pub block: u32,
    /// Index among the blocks of a result; beside [`At::NONE`] the number of a field of the message, as its format counts.
    pub inner: u32,
}

impl At {
    /// Not an index.
    pub const NONE: u32 = u32::MAX;
    /// The content as one string.
    pub const STRING: At = At { block: At::NONE, inner: At::NONE };
    /// A field of the message beside its content.
    pub const fn field(number: u32) -> At {
        At { block: At::NONE, inner: number }
    }
    /// A block of the content.
    pub fn block(block: usize) -> At {
        At { block: block as u32, inner: At::NONE }
    }
    /// A block within a result.
    pub fn inner(block: u32, inner: usize) -> At {
        At { block, inner: inner as u32 }
    }
}

/// One part of a message.
#[derive(Clone, Debug)]
pub struct Part {
    /// What it is.
    pub kind: Kind,
    /// The input whose text its spans point into, and whose object it stands in.
    pub from: u32,
    /// Where it stands there.
    pub at: At,
    /// Its words, arguments or data.
    pub body: Span,
    /// The body is a value of the tape, not a text.
    pub json: bool,
    /// The id of a call, or the id a result answers.
    pub id: Span,
    /// The text the id stands in: `from`, or one of this package's own where the id was missing.
    pub id_from: u32,
    /// The tool of a call; the encrypted or signed half of reasoning.
    pub name: Span,
    /// It belongs to the result before it.
    pub inside: bool,
    /// The result says that the call failed.
    pub error: bool,
    /// The provider ran the tool itself: no result of the caller's is expected.
    pub hosted: bool,
    /// Written by this package in an earlier pass: its words begin with the marker.
    pub own: bool,
    /// It says that the rest of its message is the system's, where only a user's message could be sent.
    pub system: bool,
    /// A picture that the provider refuses for its size; filled in by the meter.
    pub refused: bool,
    /// A picture that the provider refuses among many; filled in by the meter.
    pub large: bool,
    /// Where the cache marker stands that its block bears: its own, or that of something given up which moved here.
    pub marker: Option<(u32, At)>,
    /// The text of this package's own that takes its place, or [`Part::KEPT`].
    pub instead: u32,
    /// Its price, filled in by the meter.
    pub tokens: u32,
    /// Bytes of its block as JSON.
    pub bytes: u32,
}

impl Part {
    /// It stands as it came.
    pub const KEPT: u32 = u32::MAX;
    /// A part of this kind, all else empty.
    pub fn new(kind: Kind, from: u32, at: At) -> Part {
        Part {
            kind,
            from,
            at,
            body: Span::default(),
            json: false,
            id: Span::default(),
            id_from: from,
            name: Span::default(),
            inside: false,
            error: false,
            hosted: false,
            own: false,
            system: false,
            refused: false,
            large: false,
            marker: None,
            instead: Part::KEPT,
            tokens: 0,
            bytes: 0,
        }
    }
    /// A call whose result the caller owes.
    pub fn is_call(&self) -> bool {
        self.kind == Kind::Call && !self.hosted
    }
    /// It has an id of this package's own, since it had none or one that another bears.
    pub fn is_renamed(&self) -> bool {
        self.id_from != self.from
    }
    /// Something of this package's own takes its place.
    pub fn is_replaced(&self) -> bool {
        self.instead != Part::KEPT
    }
    /// A result the caller gives.
    pub fn is_result(&self) -> bool {
        self.kind == Kind::Result && !self.hosted
    }
}

/// One message.
#[derive(Clone, Debug)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// The input it came from, or a text of this package's own in the store.
    pub origin: u32,
    /// Its parts, in order. Calls of OpenAI come after the words.
    pub parts: Vec<Part>,
    /// False once parts were taken out, put in or moved.
    pub whole: bool,
    /// Bytes of the message as JSON.
    pub bytes: u32,
    /// What the provider adds for a message, in tokens; filled in by the meter.
    pub overhead: u32,
}

impl Message {
    /// Who speaks as the provider sees it: a user, too, where the system's words are sent as a user's.
    pub fn sent_role(&self) -> Role {
        if self.parts.first().is_some_and(|part| part.system) { Role::User } else { self.role }
    }
    /// Tokens of the message with all its parts.
    pub fn tokens(&self) -> u64 {
        u64::from(self.overhead) + self.parts.iter().map(|p| u64::from(p.tokens)).sum::<u64>()
    }
    /// Its pictures.
    pub fn pictures(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(|part| part.kind == Kind::Image && !part.is_replaced())
    }
    /// Pictures in it.
    pub fn images(&self) -> usize {
        self.pictures().count()
    }
    /// Calls whose results the caller owes.
    pub fn has_calls(&self) -> bool {
        self.parts.iter().any(Part::is_call)
    }
    /// Results the caller gives.
    pub fn has_results(&self) -> bool {
        self.parts.iter().any(Part::is_result)
    }
    /// True when a person speaks here: words, a picture or a file in a user's message that this package did not write.
    pub fn is_person(&self) -> bool {
        self.role == Role::User && self.parts.iter().any(is_words)
    }
}

fn is_words(part: &Part) -> bool {
    !part.inside && !part.own && !part.is_replaced() && part.kind != Kind::Result
}
