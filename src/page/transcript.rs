//! Messages → one compact text.
//!
//! Each speaker, call and result stands behind a marker at the beginning of a line, `⟦user⟧`, `⟦call read⟧`, and runs up to the next. A marker
//! is written when someone else has the word, not for each part; what [`speak`] writes depends on its message alone, so a transcript that
//! grows keeps its beginning.
//!
//! No text can write a marker: [`clean()`] folds its brackets, and those that look like them, to `[[` and `]]`. What people and the assistant
//! say is never shortened; results and arguments beyond a limit keep head and tail with the count of letters between.

mod base64;
mod clean;
mod cut;
mod escape;
mod letters;
mod names;

pub use names::Names;

use crate::message::{Kind, Message, Part, Role, Store, write_json};
use crate::meter::size_of_base64;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use clean::Voice;
use cut::Limit;

/// Opens a marker. Text cannot write it: there it is folded.
pub const OPEN: char = '\u{27e6}';
/// Closes a marker.
pub const CLOSE: char = '\u{27e7}';

/// What is spoken besides what always is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Speech {
    /// The assistant's readable thinking, for models that do not object to it. What is encrypted never is.
    pub thinking: bool,
}

/// Longest name of a tool in a marker, in letters.
const NAME: usize = 64;

/// Appends a text of the caller's with no marker, cleaned as every text of a transcript is: no escape sequences, no base64, control and bidi
/// letters shown. Nothing else goes: blanks and line ends stay, but for `\r\n`, which becomes `\n`, and a lone `\r`, which does too.
pub fn clean(text: &str, out: &mut String) {
    clean::append(text, Voice::Person, out);
}

/// Appends what a message says: each part behind its marker, from the words it came with, whatever took their place since. Ends with a line
/// end, or appends nothing when there is nothing to say. Pages of this package's own are left out; its words are spoken like any.
pub fn speak(message: &Message, store: &Store, names: &Names, speech: Speech, out: &mut String) {
    let mut writer = Writer { store, names, out };
    let role = match message.role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "result",
        Role::Other => "other",
    };
    // Whether the role's own marker holds for what comes next.
    let mut speaks = false;
    let mut rest = message.parts.as_slice();
    while let [part, after @ ..] = rest {
        rest = after;
        let mut marker = role;
        match part.kind {
            Kind::Result => {
                let (inner, after) = rest.split_at(rest.iter().take_while(|part| part.inside).count());
                writer.result(part, inner);
                rest = after;
                speaks = false;
                continue;
            }
            Kind::Call => {
                writer.call(part);
                speaks = false;
                continue;
            }
            Kind::Reasoning if speech.thinking => {
                marker = "thinking";
                speaks = false;
            }
            Kind::Reasoning => continue,
            Kind::Image if part.own => continue,
            _ => {}
        }
        if part.kind != Kind::Media && part.body.is_empty() {
            continue;
        }
        if !speaks {
            writer.mark(marker, "");
        }
        speaks = marker == role;
        writer.part(part, Voice::Person);
    }
}

/// Who speaks in a transcript, in order: "user", "assistant", "tool", "system" or "other". Markers that follow each other and belong to one
/// speaker are one turn: two results, or thinking, words and a call.
pub fn speakers(transcript: &str) -> impl Iterator<Item = &'static str> {
    let mut last = "";
    transcript.split(OPEN).skip(1).filter_map(move |marker| {
        let inside = marker.split(CLOSE).next()?;
        let speaker = match inside.split(' ').next()? {
            "user" => "user",
            "assistant" | "thinking" | "call" => "assistant",
            "result" | "error" => "tool",
            "system" => "system",
            "other" => "other",
            _ => return None,
        };
        (core::mem::replace(&mut last, speaker) != speaker).then_some(speaker)
    })
}

struct Writer<'a> {
    store: &'a Store,
    names: &'a Names,
    out: &'a mut String,
}

impl Writer<'_> {
    /// Begins a line with a marker.
    fn mark(&mut self, word: &str, name: &str) {
        self.end_line();
        self.out.push(OPEN);
        self.out.push_str(word);
        if !name.is_empty() {
            self.out.push(' ');
            let from = self.out.len();
            // Cleaned text is at most nine times as long, so this bounds the work too.
            let bound = name.char_indices().nth(NAME).map_or(name.len(), |(at, _)| at);
            let mut cleaned = String::new();
            clean::append(&name[..bound], Voice::Person, &mut cleaned);
            let line = |letter: char| if letter.is_whitespace() { ' ' } else { letter };
            self.out.extend(cleaned.chars().take(NAME).map(line));
            self.out.truncate(from + self.out[from..].trim_end().len());
        }
        self.out.push(CLOSE);
    }

    fn end_line(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
    }

    fn call(&mut self, part: &Part) {
        self.mark("call", self.store.str(part.from, part.name));
        let from = self.out.len();
        self.words(part, Voice::Person);
        if &self.out[from..] == "{}" {
            self.out.truncate(from);
        }
        cut::cut(self.out, from, Limit::ARGUMENTS);
        self.end_line();
    }

    /// A result with what stands in it; the limit holds for all of it.
    fn result(&mut self, part: &Part, inner: &[Part]) {
        let word = if part.error { "error" } else { "result" };
        self.mark(word, self.names.of(part, self.store));
        let from = self.out.len();
        self.words(part, Voice::Tool);
        for part in inner.iter().filter(|part| !(part.own && part.kind == Kind::Image)) {
            self.part(part, Voice::Tool);
        }
        cut::cut(self.out, from, Limit::RESULT);
        self.end_line();
    }

    /// Words, or a note of what is none, to the end of the line.
    fn part(&mut self, part: &Part, voice: Voice) {
        match part.kind {
            Kind::Image => {
                let size = size_of_base64(self.store.bytes(part.from, part.body));
                let size = size.map(|(width, height)| width.to_string() + "x" + &height.to_string());
                self.note("picture", size.as_deref().unwrap_or_default());
            }
            Kind::Media => self.note("file", ""),
            // A block that no rule speaks of may be of any size, and nobody's words.
            Kind::Opaque => {
                let from = self.out.len();
                self.words(part, Voice::Tool);
                cut::cut(self.out, from, Limit::RESULT);
            }
            _ => self.words(part, voice),
        }
        self.end_line();
    }

    /// Right behind the speaker's marker when nothing was said yet, else on a line of its own.
    fn note(&mut self, word: &str, name: &str) {
        if !self.out.ends_with(CLOSE) {
            return self.mark(word, name);
        }
        self.out.push(OPEN);
        self.out.push_str(word);
        if !name.is_empty() {
            self.out.push(' ');
            self.out.push_str(name);
        }
        self.out.push(CLOSE);
    }

    fn words(&mut self, part: &Part, voice: Voice) {
        let body = self.store.bytes(part.from, part.body);
        // A number stands on a tape without its tag, as digits or a sign, which no tag is.
        if part.json && body.first().is_some_and(|&tag| tag < b' ') {
            let mut json = Vec::new();
            write_json(body, &mut json);
            clean::append(&String::from_utf8_lossy(&json), voice, self.out);
        } else {
            clean::append(self.store.str(part.from, part.body), voice, self.out);
        }
    }
}

#[cfg(all(test, feature = "std"))]
mod tests;
