//! Flags of commands: `--no-verify`, `--port=8080`, `-j8`.

use super::word::{Word, in_word};

/// Longest value behind `=` that belongs to its flag, in bytes.
const VALUE: usize = 100;

/// Where the flag ends that a word is.
pub(super) fn flag(word: &Word<'_>) -> Option<usize> {
    let text = word.str();
    let name = text.strip_prefix("--").or_else(|| text.strip_prefix('-'))?;
    let long = text.starts_with("--");
    if word.slash || !name.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
        return None;
    }
    // Behind anything else it is a minus, or a variable of a style sheet.
    if !matches!(word.before, b' ' | b'\n' | b'\t' | b'"' | b'\'' | b'`' | b'[' | b',' | b'|') {
        return None;
    }
    if !long {
        // A line that a change took away begins like one.
        let digits = name.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
        let short =
            name.len() == digits.len() + 1 && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        return (short && !word.first).then_some(word.end);
    }
    let name = name.trim_end_matches(['.', '-']);
    let end = word.end - (text.len() - 2 - name.len());
    let part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let after = &word.text[end..];
    let declares = after.starts_with(':') || after.starts_with(';');
    if name.len() < 2 || declares || !name.bytes().all(part) {
        return None;
    }
    let Some(value) = after.strip_prefix('=') else { return Some(end) };
    let value_end = value.find(|letter: char| !(in_word(letter) || matches!(letter, ':' | ',' | '+' | '%')));
    let value = &value[..value_end.unwrap_or(value.len())];
    let value = value.trim_end_matches(['.', ',', ':']);
    let whole = (1..=VALUE).contains(&value.len()) && !value.contains("//");
    Some(if whole { end + 1 + value.len() } else { end })
}
