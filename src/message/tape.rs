//! Writing a tape, for callers that are not JavaScript and for texts of this package's own.

use super::Span;
use alloc::vec::Vec;

/// Writes a value of a tape as compact JSON, for pricing: only quotes, backslashes and line ends are escaped.
pub fn write_json(tape: &[u8], out: &mut Vec<u8>) {
    let mut rest = tape;
    // Whether each open container is an object, and how many keys and values it has had.
    let mut open: Vec<(bool, usize)> = Vec::new();
    while let Some((&tag, after)) = rest.split_first() {
        rest = after;
        if tag == 7 {
            let object = open.pop().is_some_and(|(object, _)| object);
            out.push(if object { b'}' } else { b']' });
            continue;
        }
        if let Some((object, count)) = open.last_mut() {
            if *object && *count % 2 == 1 {
                out.push(b':');
            } else if *count > 0 {
                out.push(b',');
            }
            *count += 1;
        }
        match tag {
            0 => out.extend_from_slice(b"null"),
            1 => out.extend_from_slice(b"false"),
            2 => out.extend_from_slice(b"true"),
            3 => out.extend_from_slice(take(&mut rest, 1)),
            4 => quoted(take(&mut rest, 4), out),
            5 | 6 => {
                out.push(if tag == 6 { b'{' } else { b'[' });
                open.push((tag == 6, 0));
            }
            8 => {
                rest = rest.get(4..).unwrap_or_default();
                take(&mut rest, 4);
                out.extend_from_slice(b"[]");
            }
            _ => {
                rest = rest.get(4..).unwrap_or_default();
                out.extend_from_slice(b"[]");
            }
        }
    }
}

/// Takes a length of `width` bytes and what it measures off the front.
fn take<'a>(rest: &mut &'a [u8], width: usize) -> &'a [u8] {
    let mut len = 0;
    for (i, &byte) in rest.iter().take(width).enumerate() {
        len |= usize::from(byte) << (8 * i);
    }
    let body = rest.get(width..).unwrap_or_default();
    let (taken, after) = body.split_at(len.min(body.len()));
    *rest = after;
    taken
}

fn quoted(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for &byte in text {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            b'\n' => out.extend_from_slice(b"\\n"),
            _ => out.push(byte),
        }
    }
    out.push(b'"');
}

/// A tape in the making. `docs/boundary.md` describes the bytes.
#[derive(Debug, Default)]
pub struct Tape {
    bytes: Vec<u8>,
}

impl Tape {
    /// An empty tape.
    pub fn new() -> Tape {
        Tape::default()
    }
    /// `null`
    pub fn null(&mut self) {
        self.bytes.push(0);
    }
    /// `true` or `false`
    pub fn bool(&mut self, value: bool) {
        self.bytes.push(1 + u8::from(value));
    }
    /// A number by its digits, at most 255 of them.
    pub fn number(&mut self, digits: &str) {
        self.bytes.push(3);
        self.bytes.push(digits.len() as u8);
        self.bytes.extend_from_slice(digits.as_bytes());
    }
    /// A text or a key; answers where it stands.
    pub fn text(&mut self, text: &str) -> Span {
        self.bytes.push(4);
        self.word(text.len());
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(text.as_bytes());
        let end = self.bytes.len() as u32;
        Span { start, end }
    }
    /// Opens an array.
    pub fn array(&mut self) {
        self.bytes.push(5);
    }
    /// Opens an object; keys are texts.
    pub fn object(&mut self) {
        self.bytes.push(6);
    }
    /// Closes the innermost array or object.
    pub fn end(&mut self) {
        self.bytes.push(7);
    }
    /// Where the messages of a request stand.
    pub fn list(&mut self, count: usize) {
        self.bytes.push(9);
        self.word(count);
    }
    /// The bytes.
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }
    fn word(&mut self, word: usize) {
        self.bytes.extend_from_slice(&(word as u32).to_le_bytes());
    }
}
