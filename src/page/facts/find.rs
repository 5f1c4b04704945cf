//! One walk over a text: cuts it into words and asks of each what it is.
//!
//! A word is letters, digits and what paths and ids are made of besides. What its beginning promises may go on beyond it (an address, a line
//! number, a unit), so each kind is given the text and answers where its fact ends. No kind looks further than its fact may be long, but for
//! an address, which the walk then goes on behind: all is linear. The kinds read bytes: what they look for is ASCII.

use super::word::{Word, Words};
use super::{LONGEST, Rank, address, flag, id, number, path};

/// Calls `each` with every exact string of a text, in order, as often as it stands there. Markers and notes of a transcript are stepped over.
pub fn find(text: &str, each: &mut dyn FnMut(&str, Rank)) {
    let mut words = Words::new(text);
    let mut say = |start: usize, end: usize, rank: Rank| {
        let (Some(fact), Some(before), Some(after)) = (text.get(start..end), text.get(..start), text.get(end..)) else {
            return;
        };
        // What was left out beside it may be half of it.
        let halved = after.starts_with("… [") || before.ends_with(" letters left out] …");
        if !halved && (fact.len() <= LONGEST || fact.chars().count() <= LONGEST) {
            each(fact, rank);
        }
    };
    while let Some(word) = words.next() {
        words.go_on(read(&word, &mut say));
    }
}

type Say<'a> = dyn FnMut(usize, usize, Rank) + 'a;

/// Says the facts that begin in a word; answers where the walk goes on.
fn read(word: &Word<'_>, say: &mut Say<'_>) -> usize {
    let after = word.after();
    if after.starts_with(b"://") {
        let (start, end, valid) = address::url(word);
        if valid {
            say(start, end, Rank::Exact);
        }
        return end;
    }
    if word.len() > 4 * LONGEST {
        return word.end;
    }
    let windows = after.starts_with(b"\\") || after.starts_with(b":\\");
    let whole = id::integrity(word)
        .or_else(|| path::windows(word).filter(|_| windows))
        .map(|end| (word.start, end, Rank::Exact))
        .or_else(|| flag::flag(word).map(|end| (word.start, end, Rank::Named)))
        .or_else(|| path::unix(word).map(|(start, end)| (start, end, Rank::Exact)))
        .or_else(|| number::slashed(word.bytes()).then_some((word.start, word.end, Rank::Figure)));
    if let Some((start, end, rank)) = whole {
        say(start, end, rank);
        return end;
    }
    pieces(word, say)
}

/// What stands between the slashes of what is no path, the ends of a range, a package and its version.
fn pieces(word: &Word<'_>, say: &mut Say<'_>) -> usize {
    let bytes = word.bytes();
    let mut end = word.end;
    let mut from = 0;
    for at in 0..=bytes.len() {
        let parts = match bytes.get(at) {
            Some(b'.') => bytes.get(at + 1) == Some(&b'.'),
            byte => matches!(byte, None | Some(b'/' | b'@')),
        };
        if !parts {
            continue;
        }
        let piece = &bytes[from.min(at)..at];
        from = at + 1;
        let trims = |byte: &u8| !matches!(byte, b'.' | b'-' | b'~');
        let Some(last) = piece.iter().rposition(trims) else { continue };
        let first = piece.iter().position(trims).unwrap_or_default();
        let start = word.start + at - piece.len();
        end = end.max(single(word, start + first, start + last + 1, say));
    }
    end
}

/// One piece; answers where its fact ends, which may be beyond the word when it is the last.
fn single(word: &Word<'_>, start: usize, end: usize, say: &mut Say<'_>) -> usize {
    let text = word.text.as_bytes();
    let piece = &text[start..end];
    let after = if end == word.end { word.after() } else { b"" };
    let host = piece == b"localhost";
    let line = path::line(after);
    if line > 0 && (host || path::extension(piece).is_some()) {
        say(start, end + line, if host { Rank::Named } else { Rank::Exact });
        return end + line;
    }
    if piece[0].is_ascii_digit() {
        let time = number::time(piece, after);
        if time > 0 || word.is_line_number(piece, after) {
            return end + time;
        }
        if let Some((len, rank)) = number::number(piece, after).filter(|_| !id::is_uuid(piece)) {
            // A currency's sign belongs to it.
            let sign = usize::from(start == word.start && word.before == b'$' && rank == Rank::Figure);
            say(start - sign, start + len, rank);
            return start + len;
        }
    }
    if let Some(rank) = id::id(piece) {
        say(start, end, rank);
        return end;
    }
    // A file whose name bears a hash, a member of an object.
    let mut from = start;
    for part in piece.split(|byte| *byte == b'.') {
        if id::is_id(part) {
            say(from, from + part.len(), Rank::Exact);
        }
        from += part.len() + 1;
    }
    end
}
