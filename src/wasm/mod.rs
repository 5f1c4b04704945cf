//! Bindings for JavaScript. They translate and do nothing else; `docs/boundary.md` describes what crosses.

mod conversation;
mod facts;
mod job;
mod recover;
mod session;

use crate::message::{Doc, Value};
use crate::request::Error;
use crate::request::error;
use alloc::string::String;
use alloc::vec::Vec;

/// The answer to a question that is one tape.
fn answer(tape: Vec<u8>, answer: fn(Value<'_>) -> Result<String, Error>) -> String {
    let doc = Doc::read(tape).map_err(|fault| Error::Internal(alloc::format!("{fault}")));
    doc.and_then(|doc| answer(doc.root())).unwrap_or_else(|fault| error(&fault))
}
