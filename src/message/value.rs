//! A JavaScript or JSON value as it crossed: one tape of bytes and a table of the values in it. See `docs/boundary.md` for the tape.

use super::{Span, json_len};
use alloc::vec::Vec;

/// Deepest nesting that is read. JavaScript refuses more before it crosses; so does the reader, for other callers.
pub const MAX_DEPTH: usize = 512;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number, as its digits.
    Number,
    /// Text.
    String,
    /// A list.
    Array,
    /// Keys with values.
    Object,
    /// Raw bytes, of which the first stand here.
    Bytes,
    /// Where the messages of a request stand.
    List,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    shape: Shape,
    /// The key within an object.
    key: Span,
    /// Text, digits or bytes; for a container the tape from its tag to its end.
    span: Span,
    /// The node after this one and all it holds.
    next: u32,
    /// Bytes of it as compact JSON.
    bytes: u32,
}

/// A value with all it holds.
#[derive(Debug, Default)]
pub struct Doc {
    tape: Vec<u8>,
    nodes: Vec<Node>,
}

/// The memory of a [`Doc`]'s table of values, to be used again.
#[derive(Debug, Default)]
pub struct Table(Vec<Node>);

/// The tape is damaged, which only a fault of the bindings can cause, or too deep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TapeError {
    /// Ends early or holds an unknown tag.
    #[error("the value did not arrive whole")]
    Broken,
    /// Nested beyond [`MAX_DEPTH`].
    #[error("The request is nested deeper than 512 levels: flatten it before sending.")]
    TooDeep,
}

impl Doc {
    /// Reads a tape.
    ///
    /// # Errors
    /// See [`TapeError`].
    pub fn read(tape: Vec<u8>) -> Result<Doc, TapeError> {
        Doc::read_with(tape, Table::default())
    }
    /// Reads a tape into a table that another value has done with.
    ///
    /// # Errors
    /// See [`TapeError`].
    pub fn read_with(tape: Vec<u8>, mut spare: Table) -> Result<Doc, TapeError> {
        spare.0.clear();
        let mut reader = Reader { tape: &tape, at: 0, nodes: spare.0, bytes: 0 };
        reader.value(Span::default(), 0)?;
        if reader.at != tape.len() {
            return Err(TapeError::Broken);
        }
        let nodes = reader.nodes;
        Ok(Doc { tape, nodes })
    }
    /// The value itself.
    pub fn root(&self) -> Value<'_> {
        Value { doc: self, at: 0 }
    }
    /// Gives the tape back; spans read from the values still point into it.
    pub fn into_tape(self) -> Vec<u8> {
        self.tape
    }
    /// Gives the tape back, and the table for the next value.
    pub fn into_parts(self) -> (Vec<u8>, Table) {
        (self.tape, Table(self.nodes))
    }
}

struct Reader<'a> {
    tape: &'a [u8],
    at: usize,
    nodes: Vec<Node>,
    bytes: u32,
}

impl Reader<'_> {
    fn byte(&mut self) -> Result<u8, TapeError> {
        let byte = *self.tape.get(self.at).ok_or(TapeError::Broken)?;
        self.at += 1;
        Ok(byte)
    }
    fn word(&mut self) -> Result<usize, TapeError> {
        let bytes = self.tape.get(self.at..self.at + 4).ok_or(TapeError::Broken)?;
        self.at += 4;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize)
    }
    fn span(&mut self, len: usize) -> Result<Span, TapeError> {
        let start = self.at;
        let end = start.checked_add(len).ok_or(TapeError::Broken)?;
        if end > self.tape.len() {
            return Err(TapeError::Broken);
        }
        self.at = end;
        Ok(Span { start: start as u32, end: end as u32 })
    }
    fn text(&mut self) -> Result<Span, TapeError> {
        let len = self.word()?;
        let span = self.span(len)?;
        let text = &self.tape[span.start as usize..span.end as usize];
        self.count(json_len(text));
        Ok(span)
    }
    fn count(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(bytes as u32);
    }
    fn value(&mut self, key: Span, depth: usize) -> Result<(), TapeError> {
        if depth > MAX_DEPTH {
            return Err(TapeError::TooDeep);
        }
        let start = self.at;
        let bytes = self.bytes;
        let node = self.nodes.len();
        let tag = self.byte()?;
        self.nodes.push(Node { shape: Shape::Null, key, span: Span::default(), next: 0, bytes: 0 });
        let (shape, span) = match tag {
            0 => {
                self.count(4);
                (Shape::Null, Span::default())
            }
            1 | 2 => {
                self.count(if tag == 1 { 5 } else { 4 });
                (Shape::Bool, self.here(start))
            }
            3 => {
                let len = self.byte()? as usize;
                self.count(len);
                (Shape::Number, self.span(len)?)
            }
            4 => (Shape::String, self.text()?),
            5 => {
                self.children(depth, false)?;
                (Shape::Array, self.here(start))
            }
            6 => {
                self.children(depth, true)?;
                (Shape::Object, self.here(start))
            }
            8 => {
                let whole = self.word()?;
                let len = self.word()?;
                self.count(whole.saturating_mul(4) / 3);
                (Shape::Bytes, self.span(len)?)
            }
            9 => {
                self.word()?;
                self.count(2);
                (Shape::List, Span::default())
            }
            _ => return Err(TapeError::Broken),
        };
        let next = self.nodes.len() as u32;
        let slot = &mut self.nodes[node];
        slot.shape = shape;
        slot.span = span;
        slot.next = next;
        slot.bytes = self.bytes - bytes;
        Ok(())
    }
    fn children(&mut self, depth: usize, keyed: bool) -> Result<(), TapeError> {
        self.count(2);
        let mut first = true;
        while self.tape.get(self.at).is_some_and(|&tag| tag != 7) {
            if !first {
                self.count(1);
            }
            first = false;
            let mut key = Span::default();
            if keyed {
                if self.byte()? != 4 {
                    return Err(TapeError::Broken);
                }
                key = self.text()?;
                self.count(1);
            }
            self.value(key, depth + 1)?;
        }
        self.byte().map(|_| ())
    }
    fn here(&self, start: usize) -> Span {
        Span { start: start as u32, end: self.at as u32 }
    }
}

/// A value inside a [`Doc`].
#[derive(Clone, Copy, Debug)]
pub struct Value<'a> {
    doc: &'a Doc,
    at: u32,
}

impl<'a> Value<'a> {
    fn node(self) -> Node {
        self.doc.nodes[self.at as usize]
    }
    fn slice(self, span: Span) -> &'a [u8] {
        &self.doc.tape[span.start as usize..span.end as usize]
    }
    /// What it is.
    pub fn shape(self) -> Shape {
        self.node().shape
    }
    /// Where its text, digits or bytes stand on the tape; for a container the tape from tag to end.
    pub fn span(self) -> Span {
        self.node().span
    }
    /// Its text; `None` when it is no string, or no UTF-8.
    pub fn str(self) -> Option<&'a str> {
        if self.shape() != Shape::String {
            return None;
        }
        core::str::from_utf8(self.slice(self.span())).ok()
    }
    /// Its key within an object.
    pub fn key(self) -> &'a [u8] {
        self.slice(self.node().key)
    }
    /// A number.
    pub fn f64(self) -> Option<f64> {
        if self.shape() != Shape::Number {
            return None;
        }
        core::str::from_utf8(self.slice(self.span())).ok()?.parse().ok()
    }
    /// `true` or `false`.
    pub fn bool(self) -> Option<bool> {
        (self.shape() == Shape::Bool).then(|| self.slice(self.span()) == [2])
    }
    /// Neither absent nor `null`.
    pub fn some(self) -> Option<Value<'a>> {
        (self.shape() != Shape::Null).then_some(self)
    }
    /// The last entry of this key, as JavaScript would see it.
    pub fn get(self, key: &str) -> Option<Value<'a>> {
        if self.shape() != Shape::Object {
            return None;
        }
        self.items().filter(|item| item.key() == key.as_bytes()).last()
    }
    /// True when a key holds something other than `null`.
    pub fn has(self, key: &str) -> bool {
        self.get(key).and_then(Value::some).is_some()
    }
    /// The text of a key.
    pub fn text(self, key: &str) -> Option<&'a str> {
        self.get(key)?.str()
    }
    /// Where the text of a key stands; an empty span when there is none.
    pub fn text_span(self, key: &str) -> Span {
        match self.get(key) {
            Some(value) if value.shape() == Shape::String => value.span(),
            _ => Span::default(),
        }
    }
    /// The values of an array or object, in order; none for anything else.
    pub fn items(self) -> impl Iterator<Item = Value<'a>> + Clone {
        let node = self.node();
        let container = matches!(node.shape, Shape::Array | Shape::Object);
        let end = if container { node.next } else { self.at + 1 };
        let doc = self.doc;
        let mut at = self.at + 1;
        core::iter::from_fn(move || {
            if at >= end {
                return None;
            }
            let value = Value { doc, at };
            at = value.node().next;
            Some(value)
        })
    }
    /// Writes it as compact JSON, for pricing; see [`super::write_json`].
    pub fn write_json(self, out: &mut Vec<u8>) {
        let span = self.span();
        let container = matches!(self.shape(), Shape::Array | Shape::Object);
        match self.shape() {
            Shape::String => super::write_json(&self.doc.tape[span.start as usize - 5..span.end as usize], out),
            _ if container => super::write_json(self.slice(span), out),
            Shape::Null => out.extend_from_slice(b"null"),
            Shape::Bool => super::write_json(self.slice(span), out),
            _ => out.extend_from_slice(self.slice(span)),
        }
    }
    /// Bytes of it as compact JSON.
    pub fn bytes(self) -> u32 {
        self.node().bytes
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use crate::message::{Tape, json, write_json};
    use alloc::string::{String, ToString};
    use proptest::prelude::*;
    use serde_json::Value as Json;

    fn any_json() -> impl Strategy<Value = Json> {
        let leaf = prop_oneof![
            Just(Json::Null),
            any::<bool>().prop_map(Json::from),
            any::<i64>().prop_map(Json::from),
            any::<String>().prop_map(Json::from),
        ];
        leaf.prop_recursive(5, 60, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Json::from),
                prop::collection::btree_map(any::<String>(), inner, 0..6)
                    .prop_map(|entries| Json::Object(entries.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn bytes_are_those_of_compact_json(value in any_json()) {
            let doc = json::doc(&value, None).unwrap();
            prop_assert_eq!(doc.root().bytes() as usize, value.to_string().len());
        }

        #[test]
        fn what_is_priced_is_json(value in any_json().prop_filter("plain", |value| !value.to_string().contains("\\"))) {
            let doc = json::doc(&value, None).unwrap();
            let mut out = Vec::new();
            doc.root().write_json(&mut out);
            prop_assert_eq!(String::from_utf8(out).unwrap(), value.to_string());
        }

        #[test]
        fn no_tape_panics(tape in prop::collection::vec(prop_oneof![0u8..12, any::<u8>()], 0..60)) {
            if let Ok(doc) = Doc::read(tape.clone()) {
                doc.root().write_json(&mut Vec::new());
            }
            write_json(&tape, &mut Vec::new());
        }
    }

    #[test]
    fn nesting_beyond_the_limit_is_refused() {
        let nested = |depth: usize| {
            let mut tape = Tape::new();
            (0..depth).for_each(|_| tape.array());
            (0..depth).for_each(|_| tape.end());
            Doc::read(tape.finish()).map(|_| ())
        };
        assert_eq!(nested(MAX_DEPTH), Ok(()));
        assert_eq!(nested(MAX_DEPTH + 2), Err(TapeError::TooDeep));
    }

    #[test]
    fn the_last_of_equal_keys_counts() {
        let mut tape = Tape::new();
        tape.object();
        for value in ["first", "last"] {
            tape.text("key");
            tape.text(value);
        }
        tape.end();
        let doc = Doc::read(tape.finish()).unwrap();
        assert_eq!(doc.root().text("key"), Some("last"));
        assert_eq!(doc.root().text("other"), None);
    }
}
