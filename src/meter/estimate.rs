//! How many tokens a text has, estimated in one pass over its bytes.
//!
//! Tokenizers of the byte-pair kind first cut a text into pieces (a word with the blank or mark before it, up to three
//! digits, a run of marks, a run of blanks), and no token crosses a cut. The scan makes the same cuts, so the count of
//! pieces is exact or nearly so, and only the tokens within a piece are a guess: a piece that stands in the digest of
//! the vocabulary costs about one; any other costs what pieces of its shape (lead, case, length) cost on average in
//! the text the weights were fitted on. See `benches/fit/README.md`.

mod bytes;
mod digest;

use self::bytes::{HIGH, SMALL, blanks, differing, digits, eight, leading, letters, low_bytes, marks, newlines};
use self::digest::{Kind, holds_piece, holds_word, longer};
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

struct Scan<'a> {
    text: &'a [u8],
    weights: &'static Weights,
    sums: [u64; GROUPS],
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
            let bare = class == LETTER;
            if bare | ((next == LETTER) & LEADS_WORDS[usize::from(class)]) {
                let lead = if bare { glued } else { usize::from(LEAD[usize::from(byte)]) };
                at = self.word(at + usize::from(!bare), lead);
                glued = LEAD_GLUED;
                continue;
            }
            glued = LEAD_NONE;
            match class {
                PUNCT => at = self.marks(at, at),
                DIGIT => {
                    at = self.digits(at);
                    glued = LEAD_GLUED;
                }
                WIDE => at = self.wide(at, 0),
                BLANK if byte == b' ' && next == PUNCT => at = self.marks(at, at + 1),
                BLANK if byte == b' ' && next == WIDE => at = self.wide(at + 1, 1),
                _ => at = self.blanks(at),
            }
        }
    }

    /// A word of ASCII letters from `start` up to where a capital follows a small letter.
    #[inline(always)]
    fn word(&mut self, start: usize, lead: usize) -> usize {
        let text = self.text;
        let word = eight(text, start);
        let (letter, capital) = letters(word);
        let small = letter & !capital;
        let count = (letter ^ HIGH | capital & small << 8).trailing_zeros() / 8;
        let spaced = usize::from(lead == LEAD_SPACE);
        let here = low_bytes(capital, count);
        // 0 small letters, 1 a capital first, 2 capitals, 3 some of both.
        let mut beyond = here & !0x80;
        let mut all = here == low_bytes(letter, count);
        let mut folded = low_bytes(word | SMALL, count);
        let mut length = count as usize;
        if count == 8 {
            let mut carry = small >> 56;
            loop {
                let word = eight(text, start + length);
                let (letter, capital) = letters(word);
                let small = letter & !capital;
                let count = (letter ^ HIGH | capital & (small << 8 | carry)).trailing_zeros() / 8;
                let here = low_bytes(capital, count);
                beyond |= here;
                all &= here == low_bytes(letter, count);
                folded = longer(folded, low_bytes(word | SMALL, count));
                length += count as usize;
                if count < 8 {
                    break;
                }
                carry = small >> 56;
            }
        }
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

    /// Digits, in groups of up to three.
    #[inline(always)]
    fn digits(&mut self, start: usize) -> usize {
        let mut end = start;
        loop {
            let count = leading(digits(eight(self.text, end)));
            end += count as usize;
            if count < 8 {
                break;
            }
        }
        let count = (end - start) as u64;
        self.sums[DIGIT_GROUPS] += count.div_ceil(3) * 256;
        self.sums[DIGITS] += count * 256;
        end
    }

    /// Marks from `first` on, with the space at `start` when that is before `first`, and the newlines that follow.
    #[inline(always)]
    fn marks(&mut self, start: usize, first: usize) -> usize {
        let text = self.text;
        let word = eight(text, first);
        let mut end = first;
        let mut chunk = word;
        let mut before = !chunk & 0xff;
        let mut turns = 0u32;
        loop {
            let count = leading(marks(chunk));
            end += count as usize;
            turns += low_bytes(differing(chunk ^ (chunk << 8 | before)), count).count_ones();
            if count < 8 {
                break;
            }
            before = chunk >> 56;
            chunk = eight(text, end);
        }
        let length = end - first;
        // The loop ends before a newline or not at all; slashes after newlines are marks of the same piece.
        if self.class(end) == NEWLINE && end < text.len() {
            let mut before = text[end - 1];
            while let Some(&byte @ (b'\n' | b'\r' | b'/')) = text.get(end) {
                turns += u32::from(byte != before);
                before = byte;
                end += 1;
            }
        }
        let whole = end - start;
        let piece = if start == first { word } else { word << 8 | u64::from(b' ') };
        let known = whole <= 8 && holds_piece(low_bytes(piece, whole as u32), Kind::Marks);
        let weights = self.weights;
        let mut cost = u64::from(weights.marks[(turns.min(8) as usize - 1) * 2 + usize::from(known)]);
        if turns > 8 {
            cost += u64::from(turns - 8) * u64::from(weights.marks_turn);
        }
        if length > 16 + turns as usize {
            cost += ((length - turns as usize) / 16) as u64 * u64::from(weights.marks_run);
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
        let mut turns = 0u32;
        let mut before = 0;
        loop {
            let chunk = eight(text, end);
            let count = leading(blanks(chunk));
            let newlines = low_bytes(newlines(chunk), count);
            if newlines != 0 {
                line = end + 8 - newlines.leading_zeros() as usize / 8;
            }
            turns += low_bytes(differing(chunk ^ (chunk << 8 | before)), count).count_ones();
            end += count as usize;
            if count < 8 {
                break;
            }
            before = chunk >> 56;
        }
        let end = if line > start {
            line
        } else if end == text.len() || end == start + 1 {
            end
        } else {
            end - 1
        };
        // One token up to about eighty blanks of a kind; a mix of kinds is cut now and then.
        let mixed = u64::from(turns.saturating_sub(3)) * u64::from(self.weights.blank_turn);
        self.sums[BLANKS] += 256 + ((end - start) / 80) as u64 * 256 + mixed;
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
