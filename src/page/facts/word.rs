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
    pub fn str(&self) -> &'a str {
        &self.text[self.start..self.end]
    }
    pub fn len(&self) -> usize {
        self.end - self.start
    }
    /// All that follows.
    pub fn after(&self) -> &'a str {
        &self.text[self.end..]
    }
    /// A number that tools print before each line of a file: such are many, and nobody asks for them.
    pub fn is_line_number(&self, piece: &str, after: &str) -> bool {
        let after = after.trim_start_matches(' ');
        self.first
            && piece.bytes().all(|byte| byte.is_ascii_digit())
            && ["\t", "\\t", "→", ":", "|", "│", "-"].iter().any(|mark| after.starts_with(mark))
    }
}

/// What paths, ids and versions are made of. Letters beyond ASCII stand in words too, from Latin to Greek Extended: what follows them are
/// punctuation, arrows, boxes, and scripts that are written without blanks.
pub(super) fn in_word(letter: char) -> bool {
    match letter {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-' | '.' | '/' | '~' | '@' => true,
        '×' | '÷' => false,
        _ => matches!(letter, 'µ' | 'À'..='\u{1fff}'),
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
        loop {
            let rest = self.text.get(self.at..)?;
            let letter = rest.chars().next()?;
            if !in_word(letter) {
                self.step(rest, letter);
                continue;
            }
            let (len, digit, slash) = measure(rest);
            let (start, end) = (self.at, self.at + len);
            let word = Word { text: self.text, start, end, before: self.before, first: self.first, slash };
            self.go_on(end);
            let bytes = self.text.as_bytes();
            let promises = match bytes.get(end) {
                Some(b'\\') => true,
                Some(b':') => matches!(bytes.get(end + 1), Some(b'/' | b'\\' | b'0'..=b'9')),
                _ => false,
            };
            if digit || slash || promises || letter == '-' {
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

    /// Steps over what stands between words.
    fn step(&mut self, rest: &str, letter: char) {
        let mut len = letter.len_utf8();
        let mut before = rest.as_bytes()[0];
        match letter {
            '\n' => self.first = true,
            ' ' | '\t' => {}
            '\\' => {
                // In JSON, where a letter behind it is no letter of the next word.
                (len, before) = escaped(rest.as_bytes());
                self.first = before == b'\n';
            }
            _ => {
                len = note(rest).unwrap_or(len);
                self.first = false;
            }
        }
        let at = self.at + len;
        self.at = if self.text.is_char_boundary(at) { at } else { self.at + letter.len_utf8() };
        self.before = before;
    }
}

/// Bytes of the word that a text begins with, and whether it holds a digit and a slash.
fn measure(text: &str) -> (usize, bool, bool) {
    let bytes = text.as_bytes();
    let (mut len, mut digit, mut slash) = (0, false, false);
    loop {
        match bytes.get(len) {
            Some(b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'-' | b'.' | b'~' | b'@') => len += 1,
            Some(b'0'..=b'9') => {
                digit = true;
                len += 1;
            }
            Some(b'/') => {
                slash = true;
                len += 1;
            }
            Some(0x80..) => match text[len..].chars().next() {
                Some(letter) if in_word(letter) => len += letter.len_utf8(),
                _ => break,
            },
            _ => break,
        }
    }
    (len, digit, slash)
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
            (if colour { 8 + figures } else { 6 }, b' ')
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
