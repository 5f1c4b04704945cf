//! Errors. Each has a stable code, and a message that says what happened and what to do.

use crate::history::Violation;
use crate::ladder::{Report, grouped};
use crate::message::WrongOption;
use crate::message::edit::Edits;
use crate::tree::TreeError;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// Anything that can go wrong.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Options that make no sense.
    #[error("{0}")]
    Option(String),
    /// An object of no known format.
    #[error("{0}")]
    UnsupportedFormat(String),
    /// A history broken beyond what may be mended.
    #[error("The history breaks {} that no repair may mend, first: {}.", count(.0), first(.0))]
    InvalidHistory(Vec<Violation>),
    /// A model nobody here knows.
    #[error("{0}")]
    UnknownModel(String),
    /// Every rung ran and it still does not fit.
    #[error("{}", .0.message)]
    CannotFit(Box<Unfit>),
    /// What the tree refuses.
    #[error("{0}")]
    Tree(TreeError),
    /// Too many letters that no face draws.
    #[error("{}", .0.message())]
    Unrenderable(Unrenderable),
    /// A fault of this package.
    #[error("This is a fault of palimpsest, please report it: {0}.")]
    Internal(String),
}

/// What is known when a request cannot be made to fit.
#[derive(Debug)]
pub struct Unfit {
    /// What is too large.
    pub message: String,
    /// What was done.
    pub report: Report,
    /// How far it went.
    pub edits: Option<Edits>,
}

/// What no face draws.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unrenderable {
    /// Letters that nothing draws.
    pub missing: u64,
    /// Of so many.
    pub letters: u64,
    /// Some of them, each once.
    pub examples: String,
}

impl Unrenderable {
    /// Share of the letters that nothing draws, from 0 to 1.
    pub fn share(&self) -> f64 {
        self.missing as f64 / self.letters.max(1) as f64
    }
    fn message(&self) -> String {
        alloc::format!(
            "No face here draws {} of {} letters, such as \u{201c}{}\u{201d}: give a font that does as `fonts`, or leave this text as it is.",
            grouped(self.missing),
            grouped(self.letters),
            self.examples
        )
    }
}

impl Error {
    /// The code of the public contract.
    pub fn code(&self) -> &'static str {
        match self {
            Error::Option(_) => "option",
            Error::UnsupportedFormat(_) => "unsupported-format",
            Error::InvalidHistory(_) => "invalid-history",
            Error::UnknownModel(_) => "unknown-model",
            Error::CannotFit(_) => "cannot-fit",
            Error::Unrenderable(_) => "unrenderable",
            Error::Tree(fault) => fault.code(),
            Error::Internal(_) => "internal",
        }
    }
}

impl From<TreeError> for Error {
    fn from(fault: TreeError) -> Error {
        Error::Tree(fault)
    }
}

impl From<WrongOption> for Error {
    fn from(wrong: WrongOption) -> Error {
        Error::Option(wrong.0)
    }
}

impl Serialize for Error {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut map = out.serialize_map(None)?;
        map.serialize_entry("code", self.code())?;
        map.serialize_entry("message", &self.to_string())?;
        match self {
            Error::InvalidHistory(violations) => map.serialize_entry("violations", violations)?,
            Error::CannotFit(unfit) => {
                map.serialize_entry("report", &unfit.report)?;
                map.serialize_entry("edits", &unfit.edits)?;
            }
            Error::Unrenderable(unrenderable) => {
                map.serialize_entry("share", &unrenderable.share())?;
                map.serialize_entry("letters", &unrenderable.examples)?;
            }
            Error::Tree(TreeError::OpenTurn(calls)) => map.serialize_entry("calls", calls)?,
            _ => {}
        }
        map.end()
    }
}

fn count(violations: &[Violation]) -> String {
    match violations.len() {
        1 => "a rule".into(),
        n => alloc::format!("{n} rules"),
    }
}

fn first(violations: &[Violation]) -> String {
    violations.first().map_or_else(String::new, |v| alloc::format!("message {}: {} ({})", v.index, v.message, v.rule))
}
