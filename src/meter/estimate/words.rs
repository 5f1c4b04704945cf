//! Words of ASCII letters.

use super::bytes::{HIGH, SMALL, before, eight, index, letters};
use super::digest::{holds_word, longer};
use super::wide::decode;
use super::{ENDINGS, LENGTHS, Scan, WORDS};
use crate::meter::classes::{LEAD_SPACE, Script, script};

impl Scan<'_> {
    /// A word of ASCII letters from `start` up to where a capital follows a small letter.
    #[inline(always)]
    pub(super) fn word(&mut self, start: usize, lead: usize) -> usize {
        let text = self.text;
        let spaced = usize::from(lead == LEAD_SPACE);
        let word = eight(text, start);
        let (letter, capital) = letters(word);
        let small = letter & !capital;
        let stop = letter ^ HIGH | capital & small << 8;
        let inside = before(stop);
        let here = capital & inside;
        let mut beyond = here & !0x80;
        let mut all = here == letter & inside;
        let mut folded = (word | SMALL) & inside;
        let mut length = index(stop) as usize;
        if stop == 0 {
            let mut carry = small >> 56;
            loop {
                let word = eight(text, start + length);
                let (letter, capital) = letters(word);
                let small = letter & !capital;
                let stop = letter ^ HIGH | capital & (small << 8 | carry);
                let inside = before(stop);
                beyond |= capital & inside;
                all &= capital & inside == letter & inside;
                folded = longer(folded, (word | SMALL) & inside);
                length += index(stop) as usize;
                if stop != 0 {
                    break;
                }
                carry = small >> 56;
            }
        }
        // 0 small letters, 1 a capital first, 2 capitals, 3 some of both.
        let case = if beyond != 0 { 3 - usize::from(all) } else { usize::from(here != 0) };
        // Known as it stands; or known in small letters after a space.
        let level = if holds_word(folded, spaced, case) { 1 } else { 2 * usize::from(holds_word(folded, 1, 0)) };
        let shape = ((lead * 4 + case) * 3 + level) * LENGTHS + length.min(LENGTHS) - 1;
        let mut cost = u64::from(self.weights.word[shape]);
        if length > LENGTHS {
            cost += (length - LENGTHS) as u64 * u64::from(self.weights.word_more);
        }
        let end = start + length;
        match text.get(end) {
            Some(b'\'' | 0x80..) => self.word_goes_on(start, end, spaced, cost),
            _ => {
                self.sums[WORDS] += cost;
                end
            }
        }
    }

    /// A word up to `end` that an apostrophe or a byte above 0x7f follows.
    #[cold]
    fn word_goes_on(&mut self, start: usize, end: usize, spaced: usize, cost: u64) -> usize {
        let text = self.text;
        if text[end] >= 0x80 && script(decode(text, end).0) == Script::Latin {
            return self.alphabet(start, Script::Latin, spaced);
        }
        self.sums[WORDS] += cost;
        if text[end] == b'\'' {
            let (bytes, ending) = contraction(text, end + 1);
            if bytes > 0 {
                self.sums[ENDINGS] += u64::from(self.weights.ending[ending]);
                return end + 1 + bytes;
            }
        }
        end
    }
}

/// Bytes of a contraction after its apostrophe, and its number among the endings; 0 bytes when there is none.
fn contraction(text: &[u8], at: usize) -> (usize, usize) {
    let lower = |at: usize| text.get(at).map_or(0, u8::to_ascii_lowercase);
    match (lower(at), lower(at + 1)) {
        (b's', _) => (1, 0),
        (b't' | b'm' | b'd', _) => (1, 1),
        (b'r', b'e') | (b'v', b'e') | (b'l', b'l') => (2, 1),
        _ => (0, 0),
    }
}
