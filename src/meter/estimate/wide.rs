//! Runs of code points beyond ASCII.

use super::bytes::{eight, low_bytes};
use super::digest::{Kind, holds_piece, holds_wide_word, longer};
use super::{FIRST_SCRIPT, LENGTHS, Scan};
use crate::meter::classes::{ALPHABETS, SYMBOLS, Script, script};

impl Scan<'_> {
    /// A run of one script, from `start`; `spaced` is 1 after a space that belongs to it.
    pub(super) fn wide(&mut self, start: usize, spaced: usize) -> usize {
        let (code, _) = decode(self.text, start);
        let script = script(code);
        if (script as usize) < ALPHABETS {
            self.alphabet(start, script, spaced)
        } else if (script as usize) < SYMBOLS {
            self.syllables(start, spaced)
        } else {
            self.symbols(start, script)
        }
    }

    /// Letters of one alphabet; ASCII letters count as Latin.
    pub(super) fn alphabet(&mut self, start: usize, of: Script, spaced: usize) -> usize {
        let text = self.text;
        let mut end = start;
        let mut length = 0usize;
        while let Some(&byte) = text.get(end) {
            let bytes = if byte < 0x80 {
                if of != Script::Latin || !byte.is_ascii_alphabetic() {
                    break;
                }
                1
            } else {
                let (code, bytes) = decode(text, end);
                if script(code) != of {
                    break;
                }
                bytes
            };
            end += bytes;
            length += 1;
        }
        let weights = self.weights;
        let mut word = eight_of(text, start, end.min(start + 8));
        let mut at = start + 8;
        while at <= end {
            word = longer(word, eight_of(text, at, end.min(at + 8)));
            at += 8;
        }
        let known = usize::from(holds_wide_word(word, spaced));
        let row = ((of as usize * 2 + spaced) * 2 + known) * LENGTHS;
        let mut cost = u64::from(weights.alphabet[row + length.clamp(1, LENGTHS) - 1]);
        if length > LENGTHS {
            cost += (length - LENGTHS) as u64 * u64::from(weights.alphabet_more[of as usize]);
        }
        self.sums[FIRST_SCRIPT + of as usize] += cost;
        end
    }

    /// Han, kana and Hangul: pairs that the vocabulary holds, known letters, others.
    fn syllables(&mut self, start: usize, spaced: usize) -> usize {
        let text = self.text;
        let weights = self.weights;
        let (code, bytes) = decode(text, start);
        let mut here = script(code);
        let mut at = start;
        let mut end = start + bytes;
        self.sums[FIRST_SCRIPT + here as usize] += u64::from(weights.syllable[spaced]);
        loop {
            // Invariant: at..end is one letter of script `here`.
            let next = decode(text, end);
            let after = if next.1 == 0 { Script::OtherSymbol } else { script(next.0) };
            let goes_on = (ALPHABETS..SYMBOLS).contains(&(after as usize));
            let row = 2 + (here as usize - ALPHABETS) * 3;
            let group = FIRST_SCRIPT + here as usize;
            if goes_on && holds_piece(eight_of(text, at, end + next.1), Kind::Letters) {
                self.sums[group] += u64::from(weights.syllable[row]);
                at = end + next.1;
                let (code, bytes) = decode(text, at);
                here = if bytes == 0 { Script::OtherSymbol } else { script(code) };
                if !(ALPHABETS..SYMBOLS).contains(&(here as usize)) {
                    return at;
                }
                end = at + bytes;
                continue;
            }
            let single = usize::from(holds_piece(eight_of(text, at, end), Kind::Letters));
            self.sums[group] += u64::from(weights.syllable[row + 2 - single]);
            if !goes_on {
                return end;
            }
            at = end;
            end += next.1;
            here = after;
        }
    }

    /// Symbols of one block.
    fn symbols(&mut self, start: usize, of: Script) -> usize {
        let text = self.text;
        let weights = self.weights;
        let row = (of as usize - SYMBOLS) * 4;
        let mut end = start;
        let mut before = u32::MAX;
        let mut cost = 0u64;
        loop {
            let (code, bytes) = decode(text, end);
            if bytes == 0 || text[end] < 0x80 || script(code) != of {
                break;
            }
            let price = if before == code {
                3
            } else if holds_piece(eight_of(text, end, end + bytes), Kind::Letters) {
                2
            } else {
                usize::from(before != u32::MAX)
            };
            cost += u64::from(weights.symbol[row + price]);
            before = code;
            end += bytes;
        }
        // Newlines share the token of the symbols before them.
        while let Some(b'\n' | b'\r') = text.get(end) {
            end += 1;
        }
        self.sums[FIRST_SCRIPT + of as usize] += cost;
        end
    }
}

/// The bytes from `from` to `to`, at most eight, as one number.
#[inline(always)]
fn eight_of(text: &[u8], from: usize, to: usize) -> u64 {
    low_bytes(eight(text, from), (to - from) as u32)
}

/// The code point at `at` and its length in bytes; a byte that begins none counts as U+FFFD of length 1, the end as 0.
#[inline(always)]
pub(super) fn decode(text: &[u8], at: usize) -> (u32, usize) {
    let Some(&lead) = text.get(at) else { return (0, 0) };
    let tail = |offset: usize| match text.get(at + offset) {
        Some(&byte) if byte & 0xc0 == 0x80 => Some(u32::from(byte & 0x3f)),
        _ => None,
    };
    let code = match lead {
        0..=0x7f => return (u32::from(lead), 1),
        0xc2..=0xdf => tail(1).map(|a| (u32::from(lead & 0x1f) << 6 | a, 2)),
        0xe0..=0xef => tail(1).zip(tail(2)).map(|(a, b)| (u32::from(lead & 0xf) << 12 | a << 6 | b, 3)),
        0xf0..=0xf4 => {
            tail(1).zip(tail(2)).zip(tail(3)).map(|((a, b), c)| (u32::from(lead & 7) << 18 | a << 12 | b << 6 | c, 4))
        }
        _ => None,
    };
    match code {
        Some((code, bytes)) if code >= 0x80 => (code, bytes),
        _ => (0xfffd, 1),
    }
}
