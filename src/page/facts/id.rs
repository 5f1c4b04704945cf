//! Hashes and ids.

use super::Rank;
use super::path::extension;
use super::word::Word;

/// What ids begin with that are too short to be known by their letters.
static PREFIXES: [&str; 6] = ["call_", "toolu_", "msg_", "req_", "resp_", "chatcmpl-"];

/// What a piece is as a whole: an id, or a name that bears a version or a long number. The ending of a file belongs to it.
pub(super) fn id(piece: &str) -> Option<Rank> {
    let stem = &piece[..extension(piece).unwrap_or(piece.len())];
    if is_id(stem) {
        return Some(Rank::Exact);
    }
    names_version(stem).then_some(Rank::Named)
}

/// A hash, a UUID, or letters and digits that nobody named so.
pub(super) fn is_id(text: &str) -> bool {
    if text.len() < 6 || !text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')) {
        return false;
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return digits.len() >= 4 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    }
    let prefixed = PREFIXES.iter().find_map(|prefix| text.strip_prefix(prefix));
    if prefixed.is_some_and(|rest| rest.contains(|letter: char| letter.is_ascii_digit()) && in_words(rest) == 0) {
        return true;
    }
    is_uuid(text) || text.split(['-', '_']).any(|part| is_hash(part) || is_random(part))
}

fn is_uuid(text: &str) -> bool {
    let hex = |part: &str| part.bytes().all(|byte| byte.is_ascii_hexdigit());
    text.len() == 36 && text.split('-').map(str::len).eq([8, 4, 4, 4, 12]) && text.split('-').all(hex)
}

/// Hexadecimal in one case, with digits among its letters; a number alone is a number.
fn is_hash(part: &str) -> bool {
    let has = |kind: fn(&u8) -> bool| part.bytes().any(|byte| kind(&byte));
    part.len() >= 7
        && part.bytes().all(|byte| byte.is_ascii_hexdigit())
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_lowercase) != has(u8::is_ascii_uppercase)
}

/// Letters of both cases and digits in no order: they change from one kind to another more often than words with a number in them do.
fn is_random(part: &str) -> bool {
    let bytes = part.as_bytes();
    if bytes.len() < 5 {
        return false;
    }
    let digits = bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
    let (mut changes, mut borders) = (0, 0);
    for (before, after) in bytes.iter().zip(&bytes[1..]) {
        let border = before.is_ascii_digit() != after.is_ascii_digit();
        borders += usize::from(border);
        // A capital begins a word: only the change to it counts.
        changes += usize::from(border || before.is_ascii_lowercase() && after.is_ascii_uppercase());
    }
    let words = in_words(part);
    let letters = bytes.len() - digits;
    match bytes.len() {
        _ if borders >= 6 => true,
        5..=7 => digits > 0 && changes >= 4,
        _ if digits > 0 => changes >= 3 && words * 5 < letters * 2,
        len => len >= 16 && changes >= 5 && words * 4 < letters,
    }
}

/// Letters in runs that look like words: four of one case, or a capital and three small ones.
fn in_words(part: &str) -> usize {
    let mut total = 0;
    let mut run = 0;
    let mut last = b'0';
    for byte in part.bytes().chain([b'0']) {
        let goes_on = byte.is_ascii_alphabetic()
            && (byte.is_ascii_lowercase() == last.is_ascii_lowercase() || byte.is_ascii_lowercase() && run == 1)
            && last.is_ascii_alphabetic();
        if !goes_on {
            total += if run >= 4 { run } else { 0 };
            run = 0;
        }
        run += usize::from(byte.is_ascii_alphabetic());
        last = byte;
    }
    total
}

/// `python3.11`, `gpt-4.1-mini`, `v1.2`, `CVE-2024-12345`, `20260211122820_add_users`.
fn names_version(text: &str) -> bool {
    if !text.bytes().any(|byte| byte.is_ascii_alphabetic()) {
        return false;
    }
    let long = |part: &str, least: usize| part.len() >= least && part.bytes().all(|byte| byte.is_ascii_digit());
    text.split('-').any(|part| long(part, 4)) || text.split(['-', '_']).any(|part| long(part, 6)) || is_versioned(text)
}

/// A name before a number with a point. A name of one or two letters before a hyphen is a class of a style sheet, and a letter alone may be a
/// variable.
fn is_versioned(text: &str) -> bool {
    let digit = |byte: &u8| byte.is_ascii_digit();
    let figure = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    let bytes = text.as_bytes();
    let Some(point) = bytes.windows(3).position(|near| digit(&near[0]) && near[1] == b'.' && digit(&near[2])) else {
        return false;
    };
    let start = bytes[..point].iter().rposition(|byte| !digit(byte)).map_or(0, |at| at + 1);
    let points = bytes[start..].iter().take_while(|byte| figure(byte)).filter(|byte| **byte == b'.').count();
    let name = &bytes[..start];
    let letters = |name: &[u8]| name.iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count();
    match name {
        [] => text.contains('-'),
        [b'v' | b'V'] | [.., b'-' | b'_' | b'.', b'v'] => true,
        [name @ .., b'-' | b'_'] => points > 1 || letters(name) > 2,
        _ => letters(name) > 1,
    }
}

/// Where a checksum of a lock file ends: `sha512-` and base64.
pub(super) fn integrity(word: &Word<'_>) -> Option<usize> {
    let text = &word.text[word.start..];
    let name = ["sha1-", "sha256-", "sha384-", "sha512-"].into_iter().find(|name| text.starts_with(name))?;
    let body = &text.as_bytes()[name.len()..];
    let in_body = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let len = body.iter().take(super::LONGEST).take_while(|byte| in_body(byte)).count();
    let padding = body[len..].iter().take(2).take_while(|byte| **byte == b'=').count();
    (len >= 27).then_some(word.start + name.len() + len + padding)
}
