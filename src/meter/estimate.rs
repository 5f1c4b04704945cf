//! How many tokens a text has, estimated in one pass over its bytes.
//!
//! Tokenizers of the byte-pair kind first cut a text into pieces (a word with the blank or mark before it, up to three
//! digits, a run of marks, a run of blanks), and no token crosses a cut. The scan makes the same cuts, so the count of
//! pieces is exact or nearly so, and only the tokens within a piece are a guess: a piece that stands in the digest of
//! the vocabulary costs about one; any other costs what pieces of its shape (lead, case, length) cost on average in
//! the text the weights were fitted on. See `benches/fit/README.md`.

use super::classes::*;
use super::weights::{self, Weights};

/// The tokenizer family an estimate is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// OpenAI from GPT-4o on.
    O200k,
    /// OpenAI's GPT-4 and GPT-3.5.
    Cl100k,
    /// Anthropic.
    Claude,
    /// Google.
    Gemini,
    /// Meta, from Llama 3 on.
    Llama,
    /// Alibaba.
    Qwen,
    /// DeepSeek.
    Deepseek,
    /// Mistral.
    Mistral,
    /// Anything else.
    Other,
}

/// Estimated tokens of one text in UTF-8; 0 for an empty one, else at least 1. Bytes that are no UTF-8 cost like
/// unknown symbols. The estimate of a list of texts is the sum of their estimates.
pub fn tokens(text: &[u8], table: Table) -> u32 {
    if text.is_empty() {
        return 0;
    }
    let family = weights::family(table);
    let mut scan = Scan { text, weights: family.weights, sums: [0; GROUPS] };
    scan.run();
    let mut total = 0u64;
    for (sum, factor) in scan.sums.iter().zip(family.factors) {
        total += sum * u64::from(factor);
    }
    // Costs and factors each have eight bits after the point.
    u32::try_from((total + (1 << 15)) >> 16).unwrap_or(u32::MAX).max(1)
}

/// Sums are kept apart for what families price differently.
pub(super) const GROUPS: usize = 6 + SCRIPTS;
const WORDS: usize = 0;
const DIGIT_GROUPS: usize = 1;
const DIGITS: usize = 2;
const MARKS: usize = 3;
const BLANKS: usize = 4;
const ENDINGS: usize = 5;
const FIRST_SCRIPT: usize = 6;

/// Lengths told apart; longer runs cost a little for each byte or letter more.
pub(super) const LENGTHS: usize = 16;

// What a hash begins with, so that pieces of several kinds can share the digest.
const WORD: u32 = 0;
const SPACED_WORD: u32 = 0x2545_f491;
const RUN_OF_MARKS: u32 = 0x51ed_270b;
const SYLLABLE: u32 = 0x7f4a_7c15;

const HIGH: u64 = 0x8080_8080_8080_8080;

struct Scan<'a> {
    text: &'a [u8],
    weights: &'static Weights,
    sums: [u64; GROUPS],
}

/// The eight bytes at `at`, the first in the low byte; zeros beyond the end.
#[inline(always)]
fn eight(text: &[u8], at: usize) -> u64 {
    if let Some(Ok(bytes)) = text.get(at..at + 8).map(<[u8; 8]>::try_from) {
        u64::from_le_bytes(bytes)
    } else {
        text.iter().skip(at).take(8).rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
    }
}

/// The high bit of each byte that is an ASCII letter, and of each that is a capital.
#[inline(always)]
fn letters(word: u64) -> (u64, u64) {
    let folded = (word | 0x2020_2020_2020_2020) & !HIGH;
    let from_a = folded + 0x1f1f_1f1f_1f1f_1f1f;
    let past_z = folded + 0x0505_0505_0505_0505;
    let letter = from_a & !past_z & !word & HIGH;
    (letter, (!word << 2) & letter)
}

#[inline(always)]
fn low_bytes(word: u64, count: u32) -> u64 {
    if count >= 8 { word } else { word & ((1 << (8 * count)) - 1) }
}

#[inline(always)]
fn mix(hash: u32, word: u64) -> u32 {
    let hash = (hash.rotate_left(5) ^ word as u32).wrapping_mul(0x9e37_79b1);
    (hash.rotate_left(5) ^ (word >> 32) as u32).wrapping_mul(0x85eb_ca6b)
}

/// Whether the digest of the vocabulary holds what `hash` was made of. About one in nine of what it does not hold
/// passes too; the weights were fitted with that in them.
#[inline(always)]
fn known(hash: u32) -> usize {
    let hash = (hash ^ hash >> 15).wrapping_mul(0x2c1b_3c6d);
    let hash = hash ^ hash >> 13;
    // The product of sixteen bits with the number of blocks, without the lower sixteen: always a block.
    let block = weights::DIGEST[(hash >> 16) as usize * weights::BLOCKS >> 16];
    let bits = 1u64 << (hash & 63) | 1 << (hash >> 6 & 63) | 1 << ((hash >> 12 ^ hash >> 26) & 63);
    usize::from(block & bits == bits)
}

/// The same with six bits, for what is asked often and seldom there.
#[inline(always)]
fn known_twice(hash: u32) -> usize {
    if known(hash) == 1 { known(hash.wrapping_mul(0xc2b2_ae35)) } else { 0 }
}

impl Scan<'_> {
    #[inline(always)]
    fn class(&self, at: usize) -> u8 {
        // Beyond the end stands nothing that joins with anything.
        self.text.get(at).map_or(NEWLINE, |&byte| CLASS[usize::from(byte)])
    }

    fn run(&mut self) {
        let text = self.text;
        let mut at = 0;
        let mut glued = LEAD_NONE;
        while at < text.len() {
            let byte = text[at];
            let class = CLASS[usize::from(byte)];
            let next = self.class(at + 1);
            if class == LETTER {
                at = self.word(at, glued);
                glued = LEAD_GLUED;
            } else if next == LETTER && (class == BLANK || class == PUNCT) {
                at = self.word(at + 1, usize::from(LEAD[usize::from(byte)]));
                glued = LEAD_GLUED;
            } else if class == DIGIT {
                at = self.digits(at);
                glued = LEAD_GLUED;
            } else {
                at = match class {
                    PUNCT => self.marks(at, at),
                    BLANK if byte == b' ' && next == PUNCT => self.marks(at, at + 1),
                    WIDE => self.wide(at, 0),
                    BLANK if byte == b' ' && next == WIDE => self.wide(at + 1, 1),
                    _ => self.blanks(at),
                };
                glued = LEAD_NONE;
            }
        }
    }

    /// A word of ASCII letters from `start` up to where a capital follows a small letter.
    #[inline(always)]
    fn word(&mut self, start: usize, lead: usize) -> usize {
        let text = self.text;
        let mut word = eight(text, start);
        let (mut letter, mut capital) = letters(word);
        let mut hash = if lead == LEAD_SPACE { SPACED_WORD } else { WORD };
        let mut length = 0usize;
        let mut carry = 0;
        let (mut capitals, mut all, mut first) = (0u64, true, 0u64);
        loop {
            let small = letter & !capital;
            let stop = (letter ^ HIGH) | (capital & (small << 8 | carry));
            let count = stop.trailing_zeros() / 8;
            hash = mix(hash, low_bytes(word, count));
            let here = low_bytes(capital, count);
            all &= here == low_bytes(letter, count);
            if length == 0 {
                first = here & 0x80;
            }
            capitals += u64::from(here.count_ones());
            length += count as usize;
            if count < 8 {
                break;
            }
            carry = small >> 56;
            word = eight(text, start + length);
            (letter, capital) = letters(word);
        }
        let mut end = start + length;
        let case = if capitals == 0 {
            0
        } else if capitals == 1 && first != 0 {
            1
        } else if all {
            2
        } else {
            3
        };
        let shape = ((lead * 4 + case) * 2 + known(hash)) * LENGTHS + length.min(LENGTHS) - 1;
        let mut cost = u64::from(self.weights.word[shape]);
        if length > LENGTHS {
            cost += (length - LENGTHS) as u64 * u64::from(self.weights.word_more);
        }
        match text.get(end) {
            Some(b'\'') => {
                let (bytes, ending) = contraction(text, end + 1);
                if bytes > 0 {
                    self.sums[ENDINGS] += u64::from(self.weights.ending[ending]);
                    end += 1 + bytes;
                }
            }
            Some(0x80..) => {
                let (code, _) = decode(text, end);
                if script(code) == Script::Latin {
                    return self.alphabet(start, Script::Latin, usize::from(lead == LEAD_SPACE));
                }
            }
            _ => {}
        }
        self.sums[WORDS] += cost;
        end
    }

    /// Digits, in groups of up to three.
    #[inline(always)]
    fn digits(&mut self, start: usize) -> usize {
        let count = self.text[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.sums[DIGIT_GROUPS] += (count as u64).div_ceil(3) * 256;
        self.sums[DIGITS] += count as u64 * 256;
        start + count
    }

    /// Marks from `first` on, with the space at `start` when that is before `first`, and the newlines that follow.
    #[inline(always)]
    fn marks(&mut self, start: usize, first: usize) -> usize {
        let text = self.text;
        let mut end = first;
        let mut turns = 0usize;
        let mut before = 0;
        while let Some(&byte) = text.get(end) {
            if CLASS[usize::from(byte)] != PUNCT {
                break;
            }
            turns += usize::from(byte != before);
            before = byte;
            end += 1;
        }
        let length = end - first;
        while let Some(b'\n' | b'\r' | b'/') = text.get(end) {
            turns += usize::from(text[end] != before);
            before = text[end];
            end += 1;
        }
        let whole = end - start;
        let hash = mix(RUN_OF_MARKS, low_bytes(eight(text, start), whole.min(8) as u32));
        let known = if whole <= 8 { known_twice(hash) } else { 0 };
        let weights = self.weights;
        let mut cost = u64::from(weights.marks[(turns.min(8) - 1) * 2 + known]);
        if turns > 8 {
            cost += (turns - 8) as u64 * u64::from(weights.marks_turn);
        }
        if length > turns + 16 {
            cost += ((length - turns) / 16) as u64 * u64::from(weights.marks_run);
        }
        self.sums[MARKS] += cost;
        end
    }

    /// Blanks and newlines: up to the last newline as one piece; else all but the last blank, which leads what follows.
    #[inline(always)]
    fn blanks(&mut self, start: usize) -> usize {
        let text = self.text;
        let mut end = start;
        let mut line = start;
        let mut turns = 0u64;
        let mut before = 0;
        while let Some(&byte) = text.get(end) {
            match CLASS[usize::from(byte)] {
                BLANK => {}
                NEWLINE => line = end + 1,
                _ => break,
            }
            turns += u64::from(byte != before);
            before = byte;
            end += 1;
        }
        let end = if line > start {
            line
        } else if end == text.len() || end == start + 1 {
            end
        } else {
            end - 1
        };
        // One token up to about eighty blanks of a kind; a mix of kinds is cut now and then.
        self.sums[BLANKS] +=
            256 + ((end - start) / 80) as u64 * 256 + turns.saturating_sub(3) * u64::from(self.weights.blank_turn);
        end
    }

    /// A run of one script, from `start`; `spaced` is 1 after a space that belongs to it.
    fn wide(&mut self, start: usize, spaced: usize) -> usize {
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
    fn alphabet(&mut self, start: usize, of: Script, spaced: usize) -> usize {
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
        let row = (of as usize * 2 + spaced) * LENGTHS;
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
            if goes_on
                && known_twice(mix(mix(SYLLABLE, eight_of(text, at, end)), eight_of(text, end, end + next.1))) == 1
            {
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
            let single = known_twice(mix(SYLLABLE, eight_of(text, at, end)));
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
            } else if known_twice(mix(SYLLABLE, eight_of(text, end, end + bytes))) == 1 {
                2
            } else {
                usize::from(before != u32::MAX)
            };
            cost += u64::from(weights.symbol[row + price]);
            before = code;
            end += bytes;
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

/// The code point at `at` and its length in bytes; a byte that begins none counts as U+FFFD of length 1, the end as 0.
#[inline(always)]
fn decode(text: &[u8], at: usize) -> (u32, usize) {
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
