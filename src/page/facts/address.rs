//! Addresses: `https://host/path?query`.

use super::word::{Word, in_word};

/// The address whose scheme ends a word that `://` follows: where it begins and ends, and whether it is one. `http://` alone is none, and
/// neither is a host of the web without a dot, a port or a path.
pub(super) fn url(word: &Word<'_>) -> (usize, usize, bool) {
    let scheme = word.str();
    let scheme = &scheme[scheme.rfind(|letter: char| !letter.is_ascii_alphanumeric()).map_or(0, |at| at + 1)..];
    // A letter beyond ASCII before the scheme: `rfind` answers where it begins.
    let scheme = scheme.trim_start_matches(|letter: char| !letter.is_ascii());
    let start = word.end - scheme.len();
    let body = &word.text[word.end + 3..];
    let body = &body[..length(body)];
    let end = word.end + 3 + body.len();
    let host = &body[..body.find(['/', '?', '#']).unwrap_or(body.len())];
    let web = scheme.starts_with("http");
    let valid = (2..=12).contains(&scheme.len())
        && scheme.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && body.contains(|letter: char| letter.is_alphanumeric())
        && (!web || host.contains(['.', ':']) || host == "localhost")
        && (!web || host.contains(|letter: char| letter.is_alphanumeric()));
    (start, end, valid)
}

/// Bytes of what follows `://`, without what only ends a sentence or encloses the address.
fn length(body: &str) -> usize {
    let mut depth = 0u32;
    let mut end = body.len();
    for (at, letter) in body.char_indices() {
        let goes_on = match letter {
            '(' => {
                depth += 1;
                true
            }
            ')' => {
                depth = depth.wrapping_sub(1);
                depth != u32::MAX
            }
            ':' | '?' | '#' | '!' | '$' | '&' | '*' | '+' | ',' | ';' | '=' | '%' => true,
            _ => in_word(letter),
        };
        if !goes_on {
            end = at;
            break;
        }
    }
    let body = &body[..end];
    let body = body.trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '(', '$', '=', '&', '~', '@']);
    // An empty query or an unfinished one goes with its sign; a slash at the end belongs to the address.
    body.len()
}
