//! A request as it crosses: the envelope first, then its messages one by one, read as soon as their format is known.

use super::error::Error;
use super::model::facts_of;
use crate::format::{Detector, Envelope, FORMATS, Format, Host, LIST_KEYS, Rules, by_name};
use crate::ladder::marker;
use crate::message::edit::Path;
use crate::message::{Doc, Kind, Message, Part, Reading, Shape, Store, Table, TapeError, Value};
use crate::meter::is_page_base64;
use alloc::format;
use alloc::vec::Vec;

/// What is wanted of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Make it fit.
    Compact,
    /// Say what fills it.
    Measure,
    /// Say what is broken.
    Check,
    /// Mend it.
    Repair,
    /// Keep the newest.
    Trim,
    /// Give elided words back.
    Restore,
    /// Draw it.
    Pages,
    /// Say what would be drawn.
    Transcript,
}

impl Op {
    /// By its name in the public contract.
    pub fn by_name(name: &str) -> Option<Op> {
        Some(match name {
            "compact" => Op::Compact,
            "measure" => Op::Measure,
            "check" => Op::Check,
            "repair" => Op::Repair,
            "trim" => Op::Trim,
            "restore" => Op::Restore,
            "pages" => Op::Pages,
            "transcript" => Op::Transcript,
            _ => return None,
        })
    }
}

/// The request, as far as it came in.
#[derive(Debug)]
pub struct Input {
    envelope: Doc,
    options: Doc,
    detector: Detector,
    format: Option<&'static dyn Format>,
    /// What of the reader decides which rules hold.
    host: Host,
    /// Messages that wait for their format.
    waiting: Vec<Doc>,
    /// The table of the message before, for the next.
    spare: Table,
    /// The messages.
    pub messages: Vec<Message>,
    /// Their texts.
    pub store: Store,
}

impl Input {
    /// Starts with the envelope and the options, both as tapes.
    ///
    /// # Errors
    /// [`Error::UnsupportedFormat`] when the envelope holds no list of messages; [`Error::Option`] for an unknown `format` or a value too deep.
    pub fn new(envelope: Vec<u8>, options: Vec<u8>) -> Result<Input, Error> {
        let envelope = Doc::read(envelope).map_err(broken)?;
        let options = Doc::read(options).map_err(broken)?;
        let root = envelope.root();
        let holds = |key: &&str| root.get(key).is_some_and(|value| value.shape() == Shape::List);
        if !LIST_KEYS.iter().any(holds) {
            return Err(Error::UnsupportedFormat(format!(
                "The request holds no list of messages: expected an array under {}, or an array of messages itself.",
                LIST_KEYS.map(|key| format!("`{key}`")).join(", ")
            )));
        }
        let format = match reading(&options).text("format")? {
            None => None,
            Some(name) => Some(by_name(name).ok_or_else(|| unknown_format(name))?),
        };
        let detector = Detector::new(root);
        let (waiting, messages, store) = (Vec::new(), Vec::new(), Store::new());
        Ok(Input {
            envelope,
            options,
            detector,
            format,
            host: Host::default(),
            waiting,
            spare: Table::default(),
            messages,
            store,
        })
    }
    /// For messages of a known format, whatever surrounds them each time they are asked about.
    ///
    /// # Errors
    /// [`Error::Option`] for an unknown format.
    pub fn of_format(name: &str) -> Result<Input, Error> {
        // An object with nothing in it.
        let empty = || Doc::read(alloc::vec![6, 7]).map_err(broken);
        let (envelope, options) = (empty()?, empty()?);
        let format = by_name(name).ok_or_else(|| unknown_format(name))?;
        let detector = Detector::new(envelope.root());
        let (waiting, messages, store) = (Vec::new(), Vec::new(), Store::new());
        let (format, host, spare) = (Some(format), Host::default(), Table::default());
        Ok(Input { envelope, options, detector, format, host, waiting, spare, messages, store })
    }
    /// Takes what surrounds the messages this time, and the options.
    ///
    /// # Errors
    /// [`Error::Option`] for a value too deep.
    pub fn ask(&mut self, envelope: Vec<u8>, options: Vec<u8>) -> Result<(), Error> {
        self.envelope = Doc::read(envelope).map_err(broken)?;
        self.options = Doc::read(options).map_err(broken)?;
        self.settle().map(|_| ())
    }
    /// Takes the next message.
    ///
    /// # Errors
    /// [`Error::UnsupportedFormat`] for something that is no message of the request's format.
    pub fn push(&mut self, message: Vec<u8>) -> Result<(), Error> {
        let doc = Doc::read_with(message, core::mem::take(&mut self.spare)).map_err(broken)?;
        if self.format.is_none() {
            self.detector.look(doc.root());
            self.format = self.detector.found.and_then(by_name);
        }
        self.waiting.push(doc);
        if self.format.is_some() { self.read_waiting() } else { Ok(()) }
    }
    /// Settles the format, when no message did.
    ///
    /// # Errors
    /// [`Error::UnsupportedFormat`] when no format of this version can have written the request.
    pub fn settle(&mut self) -> Result<&'static dyn Format, Error> {
        if self.format.is_none() {
            let model = reading(&self.options).text("model").ok().flatten();
            let model = model.or(self.envelope.root().text("model"));
            self.format = self.detector.settle(model);
        }
        self.read_waiting()?;
        let facts = facts_of(self.options().get("model"), self.envelope().model);
        self.host =
            facts.map_or(Host::default(), |facts| Host { strict: facts.strict, system_inside: facts.takes_system() });
        self.format.ok_or_else(|| {
            let words = format!("The messages are of no format that this version reads, {}.", names().join(" or "));
            Error::UnsupportedFormat(words)
        })
    }
    /// What surrounds the messages, as the format reads it.
    pub fn envelope(&self) -> Envelope<'_> {
        self.format.map_or_else(Envelope::default, |format| format.envelope(self.envelope.root()))
    }
    /// What the reader's host refuses.
    pub fn rules(&self) -> &'static Rules {
        self.format.unwrap_or(FORMATS[0]).rules(self.host)
    }
    /// Where the value of a part stands in the caller's message.
    pub fn path_of(&self, part: &Part) -> Path {
        self.format.unwrap_or(FORMATS[0]).path(part)
    }
    /// The name of the format, once it is settled.
    pub fn settled_name(&self) -> &'static str {
        self.format.map_or("", |format| format.name())
    }
    /// What surrounds the messages, as it came.
    pub fn envelope_value(&self) -> Value<'_> {
        self.envelope.root()
    }
    /// Bytes of the envelope, its list empty.
    pub fn envelope_bytes(&self) -> u32 {
        self.envelope.root().bytes()
    }
    /// The caller's options.
    pub fn options(&self) -> Reading<'_> {
        reading(&self.options)
    }
    /// True when the host has a callback of this name.
    pub fn has(&self, callback: &str) -> bool {
        self.options().texts("has").ok().flatten().is_some_and(|has| has.contains(&callback))
    }

    fn read_waiting(&mut self) -> Result<(), Error> {
        let Some(format) = self.format else { return Ok(()) };
        for doc in core::mem::take(&mut self.waiting) {
            let from = self.store.inputs();
            let message = format.read(doc.root(), from).ok_or_else(|| {
                Error::UnsupportedFormat(format!("Message {from} is no message of the format {}.", format.name()))
            })?;
            let (tape, table) = doc.into_parts();
            self.store.add_input(tape);
            self.spare = table;
            let message = self.marked(message);
            self.messages.push(message);
        }
        Ok(())
    }
    /// Tells this package's own words of an earlier pass.
    fn marked(&self, mut message: Message) -> Message {
        for part in &mut message.parts {
            let body = self.store.bytes(part.from, part.body);
            part.own = match part.kind {
                Kind::Text | Kind::Result => !part.json && marker::is_own(body),
                Kind::Image => is_page_base64(body),
                _ => false,
            };
        }
        message
    }
}

fn reading(options: &Doc) -> Reading<'_> {
    let root = options.root();
    Reading((root.shape() == Shape::Object).then_some(root))
}

fn unknown_format(name: &str) -> Error {
    Error::Option(format!("There is no format `{name}` in this version; known are {}.", names().join(", ")))
}

fn names() -> Vec<&'static str> {
    FORMATS.iter().map(|format| format.name()).collect()
}

fn broken(error: TapeError) -> Error {
    match error {
        TapeError::TooDeep => Error::Option(format!("{error}")),
        TapeError::Broken => Error::Internal(format!("{error}")),
    }
}
