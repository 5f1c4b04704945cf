//! Addresses: `https://host/path?query`.

use super::word::{Word, in_word};

/// The address whose scheme ends a word that `://` follows: where it begins and ends, and whether it is one. `http://` alone is none, and
/// neither is a host of the web without a dot, a port or a path.
pub(super) fn url(word: &Word<'_>) -> (usize, usize, bool) {
    let name = word.bytes();
    let scheme = &name[name.iter().rposition(|byte| !byte.is_ascii_alphanumeric()).map_or(0, |at| at + 1)..];
    let from = word.end + 3;
    let end = from + length(word.text, from);
    let body = &word.text.as_bytes()[from..end];
    let host = body.split(|byte| matches!(byte, b'/' | b'?' | b'#')).next().unwrap_or_default();
    let named = |text: &[u8]| text.iter().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
    let web = scheme.starts_with(b"http");
    let valid = (2..=12).contains(&scheme.len())
        && scheme[0].is_ascii_alphabetic()
        && named(body)
        && (!web || named(host) && (host == b"localhost" || host.iter().any(|byte| matches!(byte, b'.' | b':'))));
    (word.end - scheme.len(), end, valid)
}

/// Bytes of what follows `://`, without what only ends a sentence or encloses the address.
fn length(text: &str, from: usize) -> usize {
    let mut open = 0u32;
    let mut len = 0;
    let body = &text.as_bytes()[from..];
    while let Some(&byte) = body.get(len) {
        match byte {
            b'(' => open += 1,
            b')' if open > 0 => open -= 1,
            b':' | b'?' | b'#' | b'!' | b'$' | b'&' | b'*' | b'+' | b',' | b';' | b'=' | b'%' => {}
            _ => match in_word(text, from + len) {
                0 => break,
                letter => {
                    len += letter;
                    continue;
                }
            },
        }
        len += 1;
    }
    // An empty query goes with its sign; a slash at the end belongs to the address.
    let ends = |byte: &u8| !b".,;:!?*($=&~@".contains(byte);
    body[..len].iter().rposition(ends).map_or(0, |last| last + 1)
}
