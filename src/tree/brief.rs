//! What the tree knows of a message: who speaks, what it calls and answers. The few words that an outline shows are read when it is asked for.

use crate::message::{Kind, Message, Part, Role, Store};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Letters of a preview at most, the mark of the cut among them.
pub const PREVIEW: usize = 80;

/// What of a message matters to the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Brief {
    /// Who speaks.
    pub role: Role,
    /// A person speaks in it.
    pub person: bool,
    /// Calls whose results the caller owes, in order.
    pub calls: Vec<Call>,
    /// Ids of the calls it answers, in order. An empty one answers the first open call of the assistant's newest turn.
    pub results: Vec<String>,
}

/// A call of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Its id; empty where the format has none. Ids repeat within a conversation.
    pub id: String,
    /// The tool.
    pub name: String,
}

impl Brief {
    /// The brief of a message as a format read it.
    pub fn of(message: &Message, store: &Store) -> Brief {
        let id = |part: &Part| store.str(part.id_from, part.id).to_owned();
        let name = |part: &Part| store.str(part.from, part.name).to_owned();
        let calls = message.parts.iter().filter(|part| part.is_call());
        let results = message.parts.iter().filter(|part| part.is_result());
        Brief {
            role: message.role,
            person: message.is_person(),
            calls: calls.map(|part| Call { id: id(part), name: name(part) }).collect(),
            results: results.map(id).collect(),
        }
    }
}

/// The first letters of a text on one line: control characters and runs of blanks become one blank.
pub fn preview(text: &str) -> String {
    let mut line = String::new();
    let mut letters = 0;
    let mut blank = false;
    for letter in text.chars() {
        if letter.is_whitespace() || letter.is_control() || is_mark(letter) {
            blank = letters > 0;
            continue;
        }
        let needed = 1 + usize::from(blank);
        if letters + needed > PREVIEW {
            // The mark takes the place of the last letter.
            if letters == PREVIEW {
                line.pop();
            }
            line.push('…');
            return line;
        }
        if blank {
            line.push(' ');
        }
        line.push(letter);
        letters += needed;
        blank = false;
    }
    line
}

/// Letters without width that change the direction of what follows: a preview must not turn the line around it.
fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// The first words of a message, see [`preview`]; where it has none, what else is in it.
pub fn preview_of(message: &Message, store: &Store) -> String {
    let shown = || message.parts.iter().filter(|part| !part.is_replaced());
    let words = |part: &Part| (!part.json).then(|| preview(store.str(part.from, part.body)));
    let text = shown().filter(|part| part.kind == Kind::Text).filter_map(words).find(|line| !line.is_empty());
    if let Some(text) = text {
        return text;
    }
    let called: Vec<&str> = shown().filter(|p| p.kind == Kind::Call).map(|p| store.str(p.from, p.name)).collect();
    if !called.is_empty() {
        return preview(&format!("calls {}", called.join(", ")));
    }
    let result = shown().filter(|part| part.kind == Kind::Result).filter_map(words).find(|line| !line.is_empty());
    let picture = || shown().any(|part| part.kind == Kind::Image).then(|| "[picture]".to_owned());
    result.or_else(picture).unwrap_or_default()
}
