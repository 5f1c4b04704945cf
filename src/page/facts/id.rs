//! Hashes and ids.

use super::Rank;
use super::path::extension;
use super::word::Word;

/// What ids begin with that are too short to be known by their letters.
static PREFIXES: [&[u8]; 6] = [b"call_", b"toolu_", b"msg_", b"req_", b"resp_", b"chatcmpl-"];

fn joins(byte: &u8) -> bool {
    matches!(byte, b'-' | b'_')
}

fn digits(part: &[u8]) -> usize {
    part.iter().filter(|byte| byte.is_ascii_digit()).count()
}

/// What a piece is as a whole: an id, or a name that bears a version or a long number. The ending of a file belongs to it.
pub(super) fn id(piece: &[u8]) -> Option<Rank> {
    let stem = &piece[..extension(piece).unwrap_or(piece.len())];
    if is_id(stem) {
        return Some(Rank::Exact);
    }
    names_version(stem).then_some(Rank::Named)
}

/// A hash, a UUID, or letters and digits that nobody named so.
pub(super) fn is_id(text: &[u8]) -> bool {
    if text.len() < 6 || !text.iter().all(|byte| byte.is_ascii_alphanumeric() || joins(byte)) {
        return false;
    }
    if let Some(hex) = text.strip_prefix(b"0x") {
        return hex.len() >= 4 && hex.iter().all(u8::is_ascii_hexdigit);
    }
    let prefixed = PREFIXES.iter().find(|prefix| text.starts_with(prefix)).map(|prefix| &text[prefix.len()..]);
    prefixed.is_some_and(|rest| digits(rest) > 0 && in_words(rest) == 0)
        || is_uuid(text)
        || text.split(joins).any(|part| is_hash(part) || is_random(part))
}

pub(super) fn is_uuid(text: &[u8]) -> bool {
    text.len() == 36
        && text.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// Hexadecimal in one case, with digits among its letters; a number alone is a number.
fn is_hash(part: &[u8]) -> bool {
    part.len() >= 7
        && digits(part) > 0
        && part.iter().all(u8::is_ascii_hexdigit)
        && part.iter().any(u8::is_ascii_lowercase) != part.iter().any(u8::is_ascii_uppercase)
}

/// Letters of both cases and digits in no order: they change from one kind to another more often than words with a number in them do.
fn is_random(part: &[u8]) -> bool {
    if part.len() < 5 {
        return false;
    }
    let digits = digits(part);
    let (mut changes, mut borders) = (0, 0);
    for (before, after) in part.iter().zip(&part[1..]) {
        let border = before.is_ascii_digit() != after.is_ascii_digit();
        borders += usize::from(border);
        // A capital begins a word: only the change to it counts.
        changes += usize::from(border || before.is_ascii_lowercase() && after.is_ascii_uppercase());
    }
    let words = in_words(part);
    let letters = part.len() - digits;
    match part.len() {
        _ if borders >= 6 => true,
        5..=7 => digits > 0 && changes >= 4,
        _ if digits > 0 => changes >= 3 && words * 5 < letters * 2,
        len => len >= 16 && changes >= 5 && words * 4 < letters,
    }
}

/// Letters in runs that look like words: four of one case, or a capital and three small ones.
fn in_words(part: &[u8]) -> usize {
    let mut total = 0;
    let mut run = 0;
    let mut last = b'0';
    for &byte in part.iter().chain(b"0") {
        let same = byte.is_ascii_lowercase() == last.is_ascii_lowercase() || byte.is_ascii_lowercase() && run == 1;
        if !(same && byte.is_ascii_alphabetic() && last.is_ascii_alphabetic()) {
            total += if run >= 4 { run } else { 0 };
            run = 0;
        }
        run += usize::from(byte.is_ascii_alphabetic());
        last = byte;
    }
    total
}

/// `python3.11`, `gpt-4.1-mini`, `v1.2`, `CVE-2024-12345`, `20260211122820_add_users`.
fn names_version(text: &[u8]) -> bool {
    if !text.iter().any(u8::is_ascii_alphabetic) {
        return false;
    }
    let long = |part: &[u8], least: usize| part.len() >= least && digits(part) == part.len();
    text.split(|byte| *byte == b'-').any(|part| long(part, 4))
        || text.split(joins).any(|part| long(part, 6))
        || is_versioned(text)
}

/// A name before a number with a point. A name of one or two letters before a hyphen is a class of a style sheet, and a letter alone may be a
/// variable.
fn is_versioned(text: &[u8]) -> bool {
    let digit = |byte: &u8| byte.is_ascii_digit();
    let figure = |byte: &&u8| byte.is_ascii_digit() || **byte == b'.';
    let Some(point) = text.windows(3).position(|near| digit(&near[0]) && near[1] == b'.' && digit(&near[2])) else {
        return false;
    };
    let start = text[..point].iter().rposition(|byte| !digit(byte)).map_or(0, |at| at + 1);
    let points = text[start..].iter().take_while(figure).filter(|byte| **byte == b'.').count();
    let letters = |name: &[u8]| name.iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count();
    match &text[..start] {
        [] => text.contains(&b'-'),
        [b'v' | b'V'] | [.., b'-' | b'_' | b'.', b'v'] => true,
        [name @ .., b'-' | b'_'] => points > 1 || letters(name) > 2,
        name => letters(name) > 1,
    }
}

/// Where a checksum of a lock file ends: `sha512-` and base64.
pub(super) fn integrity(word: &Word<'_>) -> Option<usize> {
    let text = word.bytes();
    if !text.starts_with(b"sha") {
        return None;
    }
    let hyphen = text.iter().take(7).position(|byte| *byte == b'-')?;
    let from = word.start + hyphen + 1;
    let in_body = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(**byte, b'+' | b'/');
    let body = &word.text.as_bytes()[from..];
    let len = body.iter().take(super::LONGEST).take_while(in_body).count();
    let padding = body[len..].iter().take(2).take_while(|byte| **byte == b'=').count();
    // SHA-1, of which 27 letters are left, is the shortest.
    (digits(&text[..hyphen]) > 0 && len >= 27).then_some(from + len + padding)
}
