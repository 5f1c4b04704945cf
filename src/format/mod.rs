//! Wire formats: one file each. A format reads a message into parts, says what its provider accepts, and writes a changed message back
//! as edits of the caller's object. A new format is one file and one line in [`FORMATS`].

mod anthropic;
mod openai_chat;

use crate::message::edit::{Item, Path, Template};
use crate::message::{Message, Part, Store, Value};
use alloc::vec::Vec;

/// All formats, in the order in which they are asked.
pub static FORMATS: [&dyn Format; 2] = [&openai_chat::OpenAiChat, &anthropic::Anthropic];

/// Keys under which a request may hold its messages, in the order in which they are looked for.
pub const LIST_KEYS: [&str; 3] = ["messages", "contents", "input"];

/// The format of this name.
pub fn by_name(name: &str) -> Option<&'static dyn Format> {
    FORMATS.into_iter().find(|format| format.name() == name)
}

/// What a format sees in an envelope or a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// Only this format writes such a thing.
    Mine,
    /// This format may write it, others too.
    Open,
    /// This format never writes such a thing.
    Foreign,
}

/// What stands before the words of the system in a message that is sent as a user's, where the model lets nobody else speak.
pub const SYSTEM_SAYS: &str = "[palimpsest: the rest of this message is said by the system, not by the user]";

/// What of the reader and its host decides which rules hold.
#[derive(Clone, Copy, Debug, Default)]
pub struct Host {
    /// It is stricter than the format's maker.
    pub strict: bool,
    /// The model lets the system speak inside the history, where the format leaves that to the model.
    pub system_inside: bool,
}

/// What a provider refuses, apart from what all refuse (a call without its result, a result without its call).
#[derive(Clone, Debug)]
pub struct Rules {
    /// A user speaks first, or the system and then a user.
    pub first_user: bool,
    /// Consecutive messages of one role are judged as one turn, results stand first in the user's turn. Otherwise each result is a message
    /// of its own, right after the message that called.
    pub turns: bool,
    /// User and assistant take turns, and the system speaks once, at the beginning: hosts that are stricter than the format's maker.
    pub alternate: bool,
    /// A text that is blank, and a message without content, are refused.
    pub blank: bool,
    /// A message of the system may stand anywhere. Otherwise only after a user's turn, before an assistant's or at the end.
    pub system_anywhere: bool,
    /// Only user and assistant may speak: what the system says inside the history is sent as a user's message that says so ([`SYSTEM_SAYS`]).
    /// Such a message may stand anywhere.
    pub system_as_user: bool,
    /// Pictures stand in a user's message or in a result only.
    pub images_from_user: bool,
    /// The provider's own words for each rule, by its id.
    pub words: &'static [(&'static str, &'static str)],
}

impl Rules {
    /// Where a message of the system may stand depends on who speaks before and after it.
    pub fn places_system(&self) -> bool {
        !self.system_anywhere && !self.system_as_user
    }
}

/// What surrounds the messages.
#[derive(Clone, Copy, Debug, Default)]
pub struct Envelope<'a> {
    /// The model the request names.
    pub model: Option<&'a str>,
    /// Instructions beside the messages.
    pub system: Option<Value<'a>>,
    /// Definitions of tools.
    pub tools: Option<Value<'a>>,
    /// The request's own limit of output, in tokens.
    pub max_output: Option<u32>,
}

/// One wire format.
pub trait Format: Sync + Send + core::panic::RefUnwindSafe + core::fmt::Debug {
    /// As the public contract names it.
    fn name(&self) -> &'static str;
    /// Judges what surrounds the messages.
    fn sight(&self, envelope: Value<'_>) -> Sight;
    /// Judges one message.
    fn sight_of_message(&self, message: Value<'_>) -> Sight;
    /// What surrounds the messages, read.
    fn envelope<'a>(&self, envelope: Value<'a>) -> Envelope<'a>;
    /// Reads a message; `None` when it is none of this format.
    fn read(&self, message: Value<'_>, from: u32) -> Option<Message>;
    /// What the provider refuses.
    fn rules(&self, host: Host) -> &'static Rules;
    /// Pictures are sent with a `detail`, by which their price is chosen.
    fn has_detail(&self) -> bool {
        false
    }
    /// What the provider adds of its own where tools are given, in tokens.
    fn tools_prompt(&self) -> u32 {
        0
    }
    /// True for a model of the format's own maker: a request for it that any format may have written is taken for this one's.
    fn is_makers(&self, _model: &str) -> bool {
        false
    }
    /// Where the words of a part stand in the caller's message.
    fn path(&self, part: &Part) -> Path;
    /// A request that asks `model` about some words, told `[instructions, words]`, for an answer of at most `output` tokens. `envelope` is what
    /// surrounds the caller's own messages.
    fn question(&self, envelope: Value<'_>, model: Option<&str>, told: [&str; 2], output: u32) -> Template;
    /// Writes a message: untouched, changed or new.
    fn write(&self, message: &Message, store: &Store) -> Item;
}

/// The format of a request, told from its envelope and messages.
#[derive(Debug)]
pub struct Detector {
    open: Vec<&'static str>,
    /// The one that is left, once decided.
    pub found: Option<&'static str>,
}

impl Detector {
    /// Starts from the envelope.
    pub fn new(envelope: Value<'_>) -> Detector {
        let mut detector = Detector { open: FORMATS.iter().map(|format| format.name()).collect(), found: None };
        detector.narrow(|format| format.sight(envelope));
        detector
    }
    /// Looks at one more message.
    pub fn look(&mut self, message: Value<'_>) {
        self.narrow(|format| format.sight_of_message(message));
    }
    /// The format, also when no message settled it: of those that are still possible that of the model's maker, else the first.
    pub fn settle(&self, model: Option<&str>) -> Option<&'static dyn Format> {
        if let Some(found) = self.found {
            return by_name(found);
        }
        let mut open = self.open.iter().filter_map(|&name| by_name(name));
        let makers = |format: &&dyn Format| model.is_some_and(|model| format.is_makers(model));
        open.clone().find(makers).or_else(|| open.next())
    }
    fn narrow(&mut self, sight: impl Fn(&dyn Format) -> Sight) {
        if self.found.is_some() {
            return;
        }
        for format in FORMATS {
            match sight(format) {
                Sight::Mine if self.open.contains(&format.name()) => {
                    self.found = Some(format.name());
                }
                Sight::Foreign => self.open.retain(|&name| name != format.name()),
                _ => {}
            }
        }
    }
}

/// `{ "role": role, "content": words }`
pub(crate) fn said(role: &str, words: &str) -> Template {
    Template::Object(alloc::vec![("role", Template::text(role)), ("content", Template::text(words))])
}

/// `{ "type": "text", "text": words }`
pub(crate) fn text_block(words: Template) -> Template {
    Template::Object(alloc::vec![("type", Template::text("text")), ("text", words)])
}

#[cfg(all(test, feature = "std"))]
mod tests;
