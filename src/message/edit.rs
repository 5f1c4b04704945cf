//! What comes back: for each message of the result, the caller's own object, that object with paths changed, or a new one.
//! `docs/boundary.md` describes the JSON.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

/// A key or an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A key of an object.
    Key(&'static str),
    /// An index of an array.
    Index(u32),
}

/// Where a value stands within a message.
pub type Path = Vec<Step>;

/// A value of the result.
#[derive(Clone, Debug, PartialEq)]
pub enum Template {
    /// A text of this package's own.
    Text(String),
    /// The caller's value at a path of an input message, with paths within it changed.
    Ref(u32, Path, Vec<(Path, Template)>),
    /// A list.
    List(Vec<Template>),
    /// An object.
    Object(Vec<(&'static str, Template)>),
    /// `true` or `false`
    Bool(bool),
    /// A number.
    Number(u32),
}

impl Template {
    /// A text.
    pub fn text(text: &str) -> Template {
        Template::Text(text.to_owned())
    }
    /// The caller's value, unchanged.
    pub fn of(from: u32, path: Path) -> Template {
        Template::Ref(from, path, Vec::new())
    }
}

/// One message of the result.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// The caller's own object.
    Keep(u32),
    /// The caller's object, copied along each path.
    Change(u32, Vec<(Path, Template)>),
    /// A message that did not exist.
    New(Template),
}

/// The messages of the result.
#[derive(Clone, Debug, PartialEq)]
pub struct Edits {
    /// In order.
    pub messages: Vec<Item>,
}

impl Edits {
    /// True when the result is the request as it came.
    pub fn is_identity(&self, inputs: u32) -> bool {
        self.messages.len() == inputs as usize
            && self.messages.iter().enumerate().all(|(i, item)| *item == Item::Keep(i as u32))
    }
}

impl Serialize for Step {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self {
            Step::Key(key) => out.serialize_str(key),
            Step::Index(index) => out.serialize_u32(*index),
        }
    }
}

/// `[number, …path]`
pub(crate) struct Place<'a>(pub i64, pub &'a [Step]);

impl Serialize for Place<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut seq = out.serialize_seq(Some(self.1.len() + 1))?;
        seq.serialize_element(&self.0)?;
        for step in self.1 {
            seq.serialize_element(step)?;
        }
        seq.end()
    }
}

impl Serialize for Template {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut map = out.serialize_map(None)?;
        match self {
            Template::Text(text) => map.serialize_entry("lit", text)?,
            Template::Bool(value) => map.serialize_entry("lit", value)?,
            Template::Number(value) => map.serialize_entry("lit", value)?,
            Template::Ref(from, path, set) => {
                map.serialize_entry("ref", &Place(i64::from(*from), path))?;
                if !set.is_empty() {
                    map.serialize_entry("set", set)?;
                }
            }
            Template::List(items) => map.serialize_entry("list", items)?,
            Template::Object(entries) => map.serialize_entry("obj", &Entries(entries))?,
        }
        map.end()
    }
}

struct Entries<'a>(&'a [(&'static str, Template)]);

impl Serialize for Entries<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

impl Serialize for Item {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self {
            Item::Keep(index) => out.serialize_u32(*index),
            Item::Change(base, set) => {
                let mut map = out.serialize_map(Some(2))?;
                map.serialize_entry("base", base)?;
                map.serialize_entry("set", set)?;
                map.end()
            }
            Item::New(template) => {
                let mut map = out.serialize_map(Some(1))?;
                map.serialize_entry("new", template)?;
                map.end()
            }
        }
    }
}

impl Serialize for Edits {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut map = out.serialize_map(Some(1))?;
        map.serialize_entry("messages", &self.messages)?;
        map.end()
    }
}
