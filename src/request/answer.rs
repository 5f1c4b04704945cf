//! Answers of a job, as JSON. `docs/boundary.md` describes them.

#[cfg(feature = "wasm")]
use super::error::Error;
use super::pages::PageTold;
use crate::history::Repair;
use crate::ladder::{Elided, Report};
use crate::message::edit::{Edits, Path, Place};
use crate::message::{Doc, Shape, Value};
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

/// Gives the host a moment: so many pages are drawn, of so many.
pub fn ask_yield(done: u32, total: u32) -> String {
    json(&Ask::Yield { rung: "snapshot", done, total })
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
