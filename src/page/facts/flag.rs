//! Flags of commands: `--no-verify`, `--port=8080`, `-j8`.

use super::word::{Word, in_word};

/// Longest value behind `=` that belongs to its flag, in bytes.
const VALUE: usize = 100;

/// Where the flag ends that a word is.
pub(super) fn flag(word: &Word<'_>) -> Option<usize> {
    let text = word.bytes();
    let name = text.strip_prefix(b"-")?;
    let (long, name) = name.strip_prefix(b"-").map_or((false, name), |name| (true, name));
    // Behind anything else it is a minus, or a variable of a style sheet.
    let begins = matches!(word.before, b' ' | b'\n' | b'\t' | b'"' | b'\'' | b'`' | b'[' | b',' | b'|');
    if word.slash || !begins || !name.first()?.is_ascii_alphabetic() {
        return None;
    }
    if !long {
        // A line that a change took away begins like one.
        let short = name.len() > 1 && name[1..].iter().all(u8::is_ascii_digit);
        return (short && !word.first).then_some(word.end);
    }
    let part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let last = name.iter().rposition(|byte| !matches!(byte, b'-' | b'.'))?;
    let end = word.end - (name.len() - 1 - last);
    let after = &word.text.as_bytes()[end..];
    if last == 0 || matches!(after.first(), Some(b':' | b';')) || !name.iter().all(part) {
        return None;
    }
    if after.first() != Some(&b'=') {
        return Some(end);
    }
    let mut len = 0;
    while len <= VALUE {
        len += match after.get(1 + len) {
            Some(b':' | b',' | b'+' | b'%') => 1,
            _ => match in_word(word.text, end + 1 + len) {
                0 => break,
                letter => letter,
            },
        };
    }
    let value = &after[1..1 + len];
    let len = value.iter().rposition(|byte| !matches!(byte, b'.' | b',' | b':')).map_or(0, |last| last + 1);
    Some(if len > 0 && len <= VALUE { end + 1 + len } else { end })
}
