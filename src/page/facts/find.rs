//! One walk over a text: cuts it into words and asks of each what it is.
//!
//! A word is letters, digits and what paths and ids are made of besides. What its beginning promises may go on beyond it (an address, a line
//! number, a unit), so each kind is given the text and answers where its fact ends. No kind looks further than its fact may be long, but for
//! an address, which the walk then goes on behind: all is linear.

use super::word::{Word, Words};
use super::{LONGEST, Rank, address, flag, id, number, path};

/// Calls `each` with every exact string of a text, in order, as often as it stands there. Markers and notes of a transcript are stepped over.
pub fn find(text: &str, each: &mut dyn FnMut(&str, Rank)) {
    let mut words = Words::new(text);
    let mut say = |start: usize, end: usize, rank: Rank| {
        let fact = text.get(start..end).unwrap_or_default();
        // What was left out beside it may be half of it.
        let halved = text.get(end..).is_some_and(|after| after.starts_with("… ["))
            || text.get(..start).is_some_and(|before| before.ends_with(" letters left out] …"));
        if halved {
            return;
        }
        if fact.len() <= LONGEST || fact.chars().count() <= LONGEST {
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
    if after.starts_with("://") {
        let (start, end, valid) = address::url(word);
        if valid {
            say(start, end, Rank::Exact);
        }
        return end;
    }
    if word.len() > 4 * LONGEST {
        return word.end;
    }
    if let Some(end) = id::integrity(word) {
        say(word.start, end, Rank::Exact);
        return end;
    }
    if after.starts_with('\\') || after.starts_with(":\\") {
        if let Some(end) = path::windows(word) {
            say(word.start, end, Rank::Exact);
            return end;
        }
    }
    if let Some(end) = flag::flag(word) {
        say(word.start, end, Rank::Named);
        return end;
    }
    if word.slash {
        if let Some((start, end)) = path::unix(word) {
            say(start, end, Rank::Exact);
            return end;
        }
        if number::slashed(word.str()) {
            say(word.start, word.end, Rank::Figure);
            return word.end;
        }
    }
    pieces(word, say)
}

/// What stands between the slashes of what is no path, the ends of a range, a package and its version.
fn pieces(word: &Word<'_>, say: &mut Say<'_>) -> usize {
    let mut end = word.end;
    let mut start = word.start;
    for piece in word.str().split(['/', '@']).flat_map(|part| part.split("..")) {
        // Pieces follow each other in the text: the next begins behind the last.
        let at = start + word.text.get(start..word.end).and_then(|rest| rest.find(piece)).unwrap_or_default();
        start = at + piece.len();
        let trimmed = piece.trim_start_matches(['.', '-', '~']);
        let at = start - trimmed.len();
        let trimmed = trimmed.trim_end_matches(['.', '-', '~']);
        if trimmed.is_empty() {
            continue;
        }
        // Only the last may go on beyond the word.
        let last = at + trimmed.len() == word.end;
        if let Some(beyond) = single(word, at, trimmed, last, say) {
            end = end.max(beyond);
        }
    }
    end
}

/// One piece; answers where its fact ends.
fn single(word: &Word<'_>, at: usize, piece: &str, last: bool, say: &mut Say<'_>) -> Option<usize> {
    let after = if last { word.after() } else { "" };
    let mut told = |len: usize, rank: Rank| {
        say(at, at + len, rank);
        Some(at + len)
    };
    if path::extension(piece).is_some() || piece == "localhost" {
        let line = path::line(after);
        if line > 0 {
            return told(piece.len() + line, if piece == "localhost" { Rank::Named } else { Rank::Exact });
        }
    }
    if piece.starts_with(|letter: char| letter.is_ascii_digit()) {
        if word.is_line_number(piece, after) {
            return None;
        }
        if let Some((len, rank)) = number::number(piece, after) {
            // A currency's sign belongs to it.
            let sign = usize::from(at == word.start && word.before == b'$' && rank == Rank::Figure);
            say(at - sign, at + len, rank);
            return Some(at + len);
        }
    }
    if let Some(rank) = id::id(piece) {
        return told(piece.len(), rank);
    }
    // A file whose name bears a hash, a member of an object.
    let mut from = at;
    for part in piece.split('.') {
        if id::is_id(part) {
            say(from, from + part.len(), Rank::Exact);
        }
        from += part.len() + 1;
    }
    None
}
