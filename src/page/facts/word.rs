//! The words of a text that may hold a fact.

use crate::page::transcript::{CLOSE, OPEN};

/// One word, with what stands around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'a> {
    pub text: &'a str,
    pub start: usize,
    pub end: usize,
    /// The byte before it; a blank where an escape of JSON stands, a line end at the beginning.
    pub before: u8,
    /// The first of its line.
    pub first: bool,
    /// It holds a slash.
    pub slash: bool,
}

impl<'a> Word<'a> {
    pub fn bytes(&self) -> &'a [u8] {
        &self.text.as_bytes()[self.start..self.end]
    }
    pub fn len(&self) -> usize {
        self.end - self.start
    }
    /// All that follows.
    pub fn after(&self) -> &'a [u8] {
        &self.text.as_bytes()[self.end..]
    }
    /// A number that tools print before each line of a file: such are many, and nobody asks for them.
    pub fn is_line_number(&self, piece: &[u8], after: &[u8]) -> bool {
        let marks: [&[u8]; 7] = [b"\t", b"\\t", "→".as_bytes(), b":", b"|", "│".as_bytes(), b"-"];
        let blanks = after.iter().take_while(|byte| **byte == b' ').count();
        self.first && piece.iter().all(u8::is_ascii_digit) && marks.iter().any(|mark| after[blanks..].starts_with(mark))
    }
}

/// Bytes of the letter at `at`, when it is one that stands in words; else 0. Paths, ids and versions are made of these. Letters beyond ASCII
/// stand in words too, from Latin to Greek Extended: what follows them are punctuation, arrows, boxes, and scripts that are written without
/// blanks.
pub(super) fn in_word(text: &str, at: usize) -> usize {
    match text.as_bytes().get(at) {
        Some(b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b'.' | b'/' | b'~' | b'@') => 1,
        Some(0x80..) => match text.get(at..).and_then(|rest| rest.chars().next()) {
            Some('×' | '÷') => 0,
            Some(letter @ ('µ' | 'À'..='\u{1fff}')) => letter.len_utf8(),
            _ => 0,
        },
        _ => 0,
    }
}

/// Where the letters of a word that begins at `at` end.
pub(super) fn word_end(text: &str, mut at: usize) -> usize {
    loop {
        match in_word(text, at) {
            0 => return at,
            letter => at += letter,
        }
    }
}

/// Walks over a text.
#[derive(Debug)]
pub(super) struct Words<'a> {
    text: &'a str,
    at: usize,
    before: u8,
    first: bool,
}

/// Longest marker or note that is stepped over, in letters.
const NOTE: usize = 100;

impl<'a> Words<'a> {
    pub fn new(text: &'a str) -> Words<'a> {
        Words { text, at: 0, before: b'\n', first: true }
    }

    /// The next word that may hold a fact: one with a digit or a slash, one that begins like a flag, one before what makes an address.
    pub fn next(&mut self) -> Option<Word<'a>> {
        let bytes = self.text.as_bytes();
        loop {
            let start = self.at;
            let first = *bytes.get(start)?;
            let end = word_end(self.text, start);
            if end == start {
                self.step(first);
                continue;
            }
            let letters = &bytes[start..end];
            let slash = letters.contains(&b'/');
            let word = Word { text: self.text, start, end, before: self.before, first: self.first, slash };
            self.go_on(end);
            let promises = match bytes.get(end) {
                Some(b'\\') => true,
                Some(b':') => matches!(bytes.get(end + 1), Some(b'/' | b'\\' | b'0'..=b'9')),
                _ => false,
            };
            if slash || promises || first == b'-' || letters.iter().any(u8::is_ascii_digit) {
                return Some(word);
            }
        }
    }

    /// Goes on at `end`, which stands in the line of the last word.
    pub fn go_on(&mut self, end: usize) {
        if end > self.at {
            self.at = end;
            self.before = self.text.as_bytes().get(end - 1).copied().unwrap_or(b' ');
            self.first = false;
        }
    }

    /// Steps over what stands between words and begins with this byte.
    fn step(&mut self, first: u8) {
        let rest = &self.text[self.at..];
        let mut before = first;
        let len = match first {
            b'\n' => {
                self.first = true;
                1
            }
            b' ' | b'\t' => 1,
            b'\\' => {
                // In JSON, where a letter behind it is no letter of the next word.
                let len;
                (len, before) = escaped(rest.as_bytes());
                self.first = before == b'\n';
                len
            }
            _ => {
                self.first = false;
                let letter = if first < 0x80 { 1 } else { rest.chars().next().map_or(1, char::len_utf8) };
                if matches!(first, b'[' | 0xe2) { note(rest).unwrap_or(letter) } else { letter }
            }
        };
        self.at += len;
        self.before = before;
    }
}

/// Bytes of an escape, and what it stands for: a line end, or something that parts words.
fn escaped(rest: &[u8]) -> (usize, u8) {
    match rest.get(1) {
        Some(b'n') => (2, b'\n'),
        Some(b'r' | b't' | b'b' | b'f' | b'"' | b'\\') => (2, b' '),
        Some(b'u') if rest.get(2..6).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)) => {
            // A terminal's colour has figures, but none to keep.
            let colour = rest.get(2..7).is_some_and(|escape| escape.eq_ignore_ascii_case(b"001b["));
            let figures = rest.iter().skip(7).take(20).take_while(|byte| matches!(byte, b'0'..=b'9' | b';')).count();
            let ends = colour && rest.get(7 + figures).is_some_and(u8::is_ascii_alphabetic);
            (if ends { 8 + figures } else { 6 }, b' ')
        }
        _ => (1, b'\\'),
    }
}

/// Markers, and notes of what was left out, whose figures nobody asks for: how they begin and end.
static NOTES: [(&str, &str); 4] =
    [("\u{27e6}", "\u{27e7}"), ("[base64 ", "]"), ("[escape ", "]"), ("… [", " letters left out]")];

/// Bytes of a marker or note that a text begins with.
fn note(rest: &str) -> Option<usize> {
    let (begins, ends) = NOTES.iter().find(|(begins, _)| rest.starts_with(begins))?;
    let body = &rest[begins.len()..];
    let bracket = |letter: char| matches!(letter, '\n' | '[' | ']' | OPEN | CLOSE);
    let (at, last) = body.char_indices().take(NOTE).find(|(_, letter)| bracket(*letter))?;
    let len = at + last.len_utf8();
    body[..len].ends_with(ends).then_some(begins.len() + len)
}
