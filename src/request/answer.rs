//! Answers of a job, as JSON. `docs/boundary.md` describes them.

use super::compact::{Waits, Walked};
#[cfg(feature = "wasm")]
use super::error::Error;
use super::input::Input;
use super::pages::PageTold;
use crate::format::Format;
use crate::history::Repair;
use crate::ladder::{Elided, Question, Report, Told, Unwritten, Wanted, Words};
use crate::message::edit::{Edits, Path, Place, Template};
use crate::message::{Doc, Shape, Value};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use serde::Serialize;

/// The edits and the report of `compact` and `trim`.
#[derive(Debug, Serialize)]
pub struct Outcome {
    pub edits: Option<Edits>,
    pub report: Report,
}

/// The edits of `repair`.
#[derive(Debug, Serialize)]
pub struct Mended {
    pub edits: Option<Edits>,
    pub repairs: Vec<Repair>,
}

#[derive(Serialize)]
struct Done<T> {
    done: T,
}

#[cfg(feature = "wasm")]
#[derive(Serialize)]
struct Failed<'a> {
    error: &'a Error,
}

/// The end.
pub fn done<T: Serialize>(value: T) -> String {
    json(&Done { done: value })
}

/// The end, with an error.
#[cfg(feature = "wasm")]
pub fn error(error: &Error) -> String {
    json(&Failed { error })
}

#[derive(Serialize)]
#[serde(tag = "ask", rename_all = "lowercase")]
enum Ask<'a> {
    Count { texts: Vec<Place<'a>> },
    Placeholder { items: &'a [Elided] },
    Request { edits: &'a Option<Edits> },
    Yield { rung: &'static str, done: u32, total: u32 },
    Page { page: &'a PageTold },
    Recall { key: &'a str },
    Remember { key: &'a str, value: &'a str },
    Write(Box<Write<'a>>),
}

/// What a model is to write: `SummaryRequest` of the public contract, its body as a template.
#[derive(Serialize)]
struct Write<'a> {
    body: Template,
    prompt: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous: &'a Option<Words>,
    references: &'a [String],
    part: usize,
    parts: usize,
}

/// Asks for the exact tokens of texts: the message each stands in (−1: the envelope), and where.
pub fn ask_count(texts: &[(i64, Path)]) -> String {
    let texts = texts.iter().map(|(index, path)| Place(*index, path)).collect();
    json(&Ask::Count { texts })
}

/// Asks for the caller's placeholders.
pub fn ask_placeholder(items: &[Elided]) -> String {
    json(&Ask::Placeholder { items })
}

/// Asks for the provider's count of the request.
pub fn ask_request(edits: &Option<Edits>) -> String {
    json(&Ask::Request { edits })
}

/// What a walk waits for: an answer about a summary, or a moment between two pages.
pub fn ask_walk(waits: Waits, walked: &Walked, input: &Input, format: &dyn Format) -> String {
    let ask = match (waits, walked.question()) {
        (Waits::Page(done, total), _) => Ask::Yield { rung: "snapshot", done, total },
        (Waits::Answer, Some(Question::Recall(key))) => Ask::Recall { key },
        (Waits::Answer, Some(Question::Remember(key, value))) => Ask::Remember { key, value },
        (Waits::Answer, Some(Question::Write(wanted))) => {
            let Wanted { instructions, words, output, references, previous, part, parts } = &**wanted;
            let other = input.options().get("summaryModel");
            let named = other.and_then(|model| model.str().or(model.text("id")).or(model.text("modelId")));
            let model = if other.is_some() { named } else { input.envelope().model };
            let body = format.question(input.envelope_value(), model, [instructions, words], *output);
            let prompt = [instructions.as_str(), words].join("\n\n");
            Ask::Write(Box::new(Write { body, prompt, previous, references, part: *part, parts: *parts }))
        }
        // Nothing is waited for without a question.
        (Waits::Answer, None) => Ask::Yield { rung: "summary", done: 0, total: 0 },
    };
    json(&ask)
}

/// Hands a page over.
pub fn ask_page(page: &PageTold) -> String {
    json(&Ask::Page { page })
}

/// What the host said to a question. Something else than was asked for counts as nothing said.
#[derive(Debug)]
pub struct Said(Option<Doc>);

impl Said {
    /// Reads a tape.
    pub fn read(answer: Option<Vec<u8>>) -> Said {
        Said(answer.and_then(|tape| Doc::read(tape).ok()))
    }
    /// It, as one value.
    pub fn value(&self) -> Option<Value<'_>> {
        Some(self.0.as_ref()?.root())
    }
    /// It, as what a question about a summary is answered with: words, nothing, or a list of how the writer failed and why.
    pub fn told(&self) -> Told<'_> {
        let Some(value) = self.value() else { return Told::Nothing };
        if let Some(words) = value.str() {
            return Told::Words(words);
        }
        let mut failed = value.items().map(|item| item.str().unwrap_or_default());
        match failed.next().filter(|_| value.shape() == Shape::Array) {
            Some("aborted") => Told::Failed(Unwritten::Aborted, failed.next().unwrap_or_default()),
            Some(_) => Told::Failed(Unwritten::Failed, failed.next().unwrap_or_default()),
            None => Told::Nothing,
        }
    }
    /// It, as a list.
    pub fn list<'a, T>(&'a self, read: impl Fn(Value<'a>) -> Option<T>) -> Vec<Option<T>> {
        let list = self.value().filter(|list| list.shape() == Shape::Array);
        list.into_iter().flat_map(Value::items).map(read).collect()
    }
}

/// A value as JSON.
pub fn json<T: Serialize>(value: &T) -> String {
    // Only a map with keys that are no strings could fail, and there is none.
    serde_json::to_string(value).unwrap_or_default()
}
