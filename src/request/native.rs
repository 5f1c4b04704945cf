//! The package for Rust: requests and options as JSON values, as the npm package takes them.

mod edits;

use super::error::Error;
use super::input::Op;
use super::job::Job;
use crate::message::json::doc;
use crate::meter::{self, Calibration};
use crate::recover::{self, Overflow};
use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use edits::{built, edited, list_key, messages};
use serde_json::{Map, Value, json};

/// A request that fits, and what was done to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Compacted {
    /// The request as it can be sent.
    pub body: Value,
    /// The report of the public contract.
    pub report: Value,
}

/// Shrinks a request so that it fits its model. `options` are those of the npm package, as JSON.
///
/// # Errors
/// Every error of the package.
pub fn compact(request: &Value, options: &Value) -> Result<Compacted, Error> {
    let mut done = run(Op::Compact, request, options)?;
    let report = done["report"].take();
    Ok(Compacted { body: edited(request, &done["edits"]), report })
}

/// Who a Rust caller has for summaries.
pub trait Writer {
    /// Sends the `body` of a `SummaryRequest` of the public contract to a model, and answers what it said.
    ///
    /// # Errors
    /// Why it failed, in words: the rung is skipped then.
    fn write(&mut self, request: &Value) -> Result<String, String>;
    /// What [`Writer::remember`] was given under a key.
    fn recall(&mut self, _key: &str) -> Option<String> {
        None
    }
    /// Keeps a summary for later calls on the same history, so that none is made twice.
    fn remember(&mut self, _key: &str, _value: &str) {}
}

/// As [`compact`], with summaries.
///
/// # Errors
/// Every error of the package.
pub fn compact_with(request: &Value, options: &Value, writer: &mut dyn Writer) -> Result<Compacted, Error> {
    let mut options = options.clone();
    options["has"] = json!(["summarize", "memo"]);
    let mut done = drive(Op::Compact, request, &options, Vec::new(), &mut |asked, _| {
        let text = |key: &str| asked[key].as_str().unwrap_or_default();
        match asked["ask"].as_str() {
            Some("recall") => Some(json!(writer.recall(text("key")))),
            Some("remember") => {
                writer.remember(text("key"), text("value"));
                Some(Value::Null)
            }
            Some("write") => {
                let mut wanted = asked.clone();
                wanted["body"] = built(&asked["body"], &[]);
                Some(writer.write(&wanted).map_or_else(|why| json!(["failed", why]), Value::String))
            }
            _ => None,
        }
    })?;
    let report = done["report"].take();
    Ok(Compacted { body: edited(request, &done["edits"]), report })
}

/// What fills the window.
///
/// # Errors
/// For an unknown model, an unknown format and options that make no sense.
pub fn measure(request: &Value, options: &Value) -> Result<Value, Error> {
    run(Op::Measure, request, options)
}

/// Every rule of the format that the history breaks.
///
/// # Errors
/// For an unknown format.
pub fn check(request: &Value, options: &Value) -> Result<Vec<Value>, Error> {
    match run(Op::Check, request, options)? {
        Value::Array(violations) => Ok(violations),
        _ => Ok(Vec::new()),
    }
}

/// Mends what can be mended; answers the request and the repairs.
///
/// # Errors
/// [`Error::InvalidHistory`] for what cannot.
pub fn repair(request: &Value, options: &Value) -> Result<(Value, Value), Error> {
    let mut done = run(Op::Repair, request, options)?;
    let repairs = done["repairs"].take();
    Ok((edited(request, &done["edits"]), repairs))
}

/// Keeps the system prompt and the newest messages; the limit stands under `limit` of the options.
///
/// # Errors
/// [`Error::CannotFit`] when the newest unit alone is beyond a limit of tokens.
pub fn trim(request: &Value, options: &Value) -> Result<Compacted, Error> {
    let mut done = run(Op::Trim, request, options)?;
    let report = done["report"].take();
    Ok(Compacted { body: edited(request, &done["edits"]), report })
}

/// The overflow that an error tells of, in any provider's words; `None` when it is none. The error is a body, `{ "status", "body" }`, an
/// event of a stream or a text.
pub fn overflow(error: &Value) -> Option<Overflow> {
    // Nested too deep it is no provider's.
    recover::overflow(doc(error, None).ok()?.root())
}

/// Learns from the usage that a provider reported of a request. `report` is what [`compact`] or [`measure`] said of it; `previous` may be
/// null. The answer is the option `calibration` of later calls.
///
/// # Errors
/// [`Error::Option`] for a previous calibration or a report that is none.
pub fn calibrate(previous: &Value, report: &Value, usage: &Value) -> Result<Calibration, Error> {
    let asked = json!({ "previous": previous, "report": report, "usage": usage });
    let asked = doc(&asked, None).map_err(|fault| Error::Option(fault.to_string()))?;
    Ok(meter::calibrate(asked.root())?)
}

/// The words behind a reference, from the history before any compaction; `None` when it holds none such.
///
/// # Errors
/// [`Error::InvalidHistory`] for a history that no repair may mend.
pub fn restore_elided(history: &Value, reference: &str) -> Result<Option<String>, Error> {
    let words = run(Op::Restore, history, &json!({ "ref": reference }))?;
    Ok(words.as_str().map(str::to_owned))
}

/// Draws the transcript of a request as pages, whatever that costs; a text is drawn when `request` is a string. `options` are those of the npm
/// package as JSON, but for `fonts`, which are TrueType or OpenType files. The answer is `PageSet` of the public contract, with each page's
/// PNG beside it.
///
/// # Errors
/// [`Error::Unrenderable`] where more than a twentieth of the letters cannot be drawn; for options that make no sense and unknown formats.
pub fn pages(request: &Value, options: &Value, fonts: Vec<Vec<u8>>) -> Result<(Value, Vec<Vec<u8>>), Error> {
    let mut asked = json!({ "pages": options, "model": options["model"], "format": options["format"] });
    let empty = json!([]);
    let request = if request.is_string() {
        asked["text"] = request.clone();
        &empty
    } else {
        request
    };
    let (mut drawn, mut told) = (Vec::new(), Vec::new());
    let mut set = drive(Op::Pages, request, &asked, fonts, &mut |asked, job| {
        (asked["ask"] == "page").then(|| {
            told.push(asked["page"].clone());
            drawn.push(job.page());
            Value::Null
        })
    })?;
    set["pages"] = Value::Array(told);
    Ok((set, drawn))
}

/// The text that [`pages`] draws of a request: what was said, behind a marker for each speaker.
///
/// # Errors
/// For an unknown format.
pub fn transcript(request: &Value, options: &Value) -> Result<String, Error> {
    Ok(run(Op::Transcript, request, options)?.as_str().unwrap_or_default().to_owned())
}

fn run(op: Op, request: &Value, options: &Value) -> Result<Value, Error> {
    drive(op, request, options, Vec::new(), &mut |_, _| None)
}

/// Drives a job; `host` answers what it asks, or nothing when it cannot.
fn drive(
    op: Op,
    request: &Value,
    options: &Value,
    fonts: Vec<Vec<u8>>,
    host: &mut dyn FnMut(&Value, &mut Job) -> Option<Value>,
) -> Result<Value, Error> {
    let deep = |fault: crate::message::TapeError| Error::Option(fault.to_string());
    let (envelope, key) = envelope(request, options);
    let empty = Vec::new();
    let messages = messages(request).unwrap_or(&empty);
    let tape = |value: &Value, list| doc(value, list).map(crate::message::Doc::into_tape).map_err(deep);
    let mut job = Job::new(op, tape(&envelope, key)?, tape(options, None)?)?;
    for message in messages {
        job.push(tape(message, None)?)?;
    }
    fonts.into_iter().for_each(|font| job.font(font));
    let mut said = None;
    loop {
        let answer = job.next(said.take())?;
        let mut asked: Value = serde_json::from_str(&answer).map_err(|error| Error::Internal(error.to_string()))?;
        match asked["ask"].as_str() {
            None => return Ok(asked["done"].take()),
            Some("yield") => {}
            Some(_) => {
                let answer = host(&asked, &mut job).ok_or_else(|| {
                    Error::Option("This callback is for the npm package; a Rust caller drives a `Job`.".to_owned())
                })?;
                said = Some(tape(&answer, None)?);
            }
        }
    }
}

fn envelope(request: &Value, options: &Value) -> (Value, Option<&'static str>) {
    if !request.is_array() {
        return (request.clone(), list_key(request));
    }
    let mut envelope = Map::new();
    envelope.insert("messages".to_owned(), json!([]));
    for key in ["system", "tools"] {
        if let Some(value) = options.get(key) {
            envelope.insert(key.to_owned(), value.clone());
        }
    }
    (Value::Object(envelope), Some("messages"))
}
