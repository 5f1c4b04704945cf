//! What a text looks like on a page.
//!
//! Letters that would act on the reader's side instead of being read (control letters, bidi, zero width) are shown by their number, `<U+202E>`.
//! Escape sequences of terminals go (see `escape`); base64 becomes a note (see `base64`). `\r\n` is a line end. A lone `\r` is one too: in what
//! people write it may be the line end of an old Mac, and taking the last line alone, as a terminal does, would lose the others. In what a
//! tool prints it mostly redraws a line of progress: there a line that says the same as the next but for figures and bars goes.

use super::base64;
use super::letters::{Fate, fate, plain_end};
use alloc::string::{String, ToString};
use core::fmt::Write;

/// Whose words they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Voice {
    /// A person's, the assistant's, the system's: nothing of them is lost.
    Person,
    /// A tool's.
    Tool,
}

/// Shown letters in a row that stay; the rest of the row is counted. Keeps what is no text from growing eightfold.
const ROW: usize = 3;

/// Appends a text, cleaned.
pub(super) fn append(text: &str, voice: Voice, out: &mut String) {
    let base = out.len();
    let mut cleaner =
        Cleaner { text, out, base, voice, row: 0, row_end: usize::MAX, silent_end: usize::MAX, held: None };
    cleaner.out.reserve(text.len());
    let mut at = 0;
    while let Some(run) = base64::next(text.as_bytes(), at) {
        cleaner.stretch(at, run.start);
        cleaner.settle();
        base64::note(&run, cleaner.out);
        at = run.end;
    }
    cleaner.stretch(at, text.len());
    cleaner.settle();
}

/// A whole number with a comma between thousands.
pub(super) fn grouped(number: u64, out: &mut String) {
    let digits = number.to_string();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
}

pub(super) struct Cleaner<'a> {
    pub text: &'a str,
    pub out: &'a mut String,
    /// Where this text begins in `out`.
    base: usize,
    voice: Voice,
    /// Letters shown in a row, and where the row ends in `out`.
    row: usize,
    row_end: usize,
    /// Where the last letter that left no trace ends in the text.
    silent_end: usize,
    /// Where the line stands in `out` that a carriage return ended, and where the one after it begins.
    held: Option<(usize, usize)>,
}

impl Cleaner<'_> {
    /// Cleans from `at` to `end`.
    fn stretch(&mut self, mut at: usize, end: usize) {
        let Some(bytes) = self.text.as_bytes().get(..end) else { return };
        let mut copied = at;
        while at < end {
            at = plain_end(bytes, at);
            let Some(letter) = self.text.get(at..end).and_then(|rest| rest.chars().next()) else { break };
            let next = at + letter.len_utf8();
            if next > at + 1 && fate(letter) == Fate::Stays {
                at = next;
                continue;
            }
            self.copy(copied, at);
            at = match letter {
                '\r' => self.carriage(at, end),
                '\u{8}' => self.backspace(at),
                '\u{1b}' => self.escape(at, end),
                _ => self.letter(letter, at),
            };
            copied = at;
        }
        self.copy(copied, end);
    }

    fn copy(&mut self, from: usize, to: usize) {
        let Some(mut words) = self.text.get(from..to) else { return };
        if self.held.is_some()
            && let Some(line) = words.find('\n')
        {
            self.out.push_str(&words[..line]);
            self.settle();
            words = &words[line..];
        }
        self.out.push_str(words);
    }

    /// A letter that does not stay; answers where the next begins.
    fn letter(&mut self, letter: char, at: usize) -> usize {
        let next = at + letter.len_utf8();
        let again = self.silent_end == at;
        let before = || self.out[self.base..].chars().next_back();
        let silent = match fate(letter) {
            Fate::Opens | Fate::Closes => {
                self.out.push_str(if fate(letter) == Fate::Opens { "[[" } else { "]]" });
                return next;
            }
            Fate::Silent => !again,
            Fate::Joiner => !again && before().is_some_and(|before| joins(before, letter)),
            _ => false,
        };
        if silent {
            self.silent_end = next;
        } else {
            self.show(letter);
        }
        next
    }

    /// Writes the number of a letter.
    pub fn show(&mut self, letter: char) {
        if self.row_end != self.out.len() {
            self.row = 0;
        }
        self.row += 1;
        if self.row > ROW + 1 {
            let count = self.out.rfind('<').unwrap_or(self.out.len());
            self.out.truncate(count);
        }
        // Writing to a string cannot fail.
        let _ = match self.row.checked_sub(ROW) {
            None | Some(0) => write!(self.out, "<U+{:04X}>", u32::from(letter)),
            Some(more) => write!(self.out, "<{more} more>"),
        };
        self.row_end = self.out.len();
    }

    /// Any number of carriage returns.
    fn carriage(&mut self, at: usize, end: usize) -> usize {
        let rest = self.text.as_bytes().get(at..end).unwrap_or_default();
        let count = rest.iter().take_while(|byte| **byte == b'\r').count();
        // Some hosts write `\r\r\n`.
        if rest.get(count) != Some(&b'\n') {
            self.settle();
            self.out.push('\n');
            if self.voice == Voice::Tool {
                let before = &self.out[self.base..self.out.len() - 1];
                let line = before.rfind('\n').map_or(self.base, |line| self.base + line + 1);
                self.held = Some((line, self.out.len()));
            }
        }
        at + count
    }

    /// The line after a carriage return is whole: drops the line before it when they say the same.
    fn settle(&mut self) {
        let Some((line, next)) = self.held.take() else { return };
        let (Some(before), Some(after)) = (self.out.get(line..next), self.out.get(next..)) else { return };
        let letters = |text| str::chars(text).filter(|letter| letter.is_alphabetic());
        let drawn = |text: &str| !text.contains(|letter: char| letter.is_ascii_digit()) || text.contains('%');
        // Figures alone may be a column of data, whose line ends these are.
        let redrawn = letters(before).eq(letters(after)) && (letters(before).next().is_some() || drawn(before));
        if redrawn || before.trim().is_empty() {
            self.out.replace_range(line..next, "");
        }
    }

    /// Printers struck a letter twice to make it bold, or over a line to underline it, and manual pages still do. Any other is shown.
    fn backspace(&mut self, at: usize) -> usize {
        let before = self.out[self.base..].chars().next_back();
        let after = self.text[at + 1..].chars().next();
        match (before, after) {
            (Some(before), Some(after)) if before != '\n' && (before == after || before == '_') => {
                self.out.pop();
                at + 1
            }
            (Some(before), Some('_')) if before != '\n' => at + 2,
            _ => {
                self.show('\u{8}');
                at + 1
            }
        }
    }
}

/// A joiner or a variation selector where it means no harm: after a letter beyond ASCII, or a selector in a keycap.
fn joins(before: char, letter: char) -> bool {
    !before.is_ascii() || (letter == '\u{fe0f}' && matches!(before, '0'..='9' | '#' | '*'))
}
