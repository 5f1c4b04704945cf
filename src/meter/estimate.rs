//! How many tokens a text has, estimated in one pass over its bytes.
//!
//! Tokenizers of the byte-pair kind first cut a text into pieces (a word with the blank or mark before it, up to three
//! digits, a run of marks, a run of blanks), and no token crosses a cut. The scan makes the same cuts, so the count of
//! pieces is exact or nearly so, and only the tokens within a piece are a guess: a piece that stands in the digest of
//! the vocabulary costs about one; any other costs what pieces of its shape (lead, case, length) cost on average in
//! the text the weights were fitted on. See `benches/fit/README.md`.

mod bytes;
mod digest;
mod runs;
mod wide;
mod words;

use super::classes::{
    BLANK, CLASS, DIGIT, LEAD, LEAD_GLUED, LEAD_NONE, LEAD_SPACE, LEADS_WORDS, LETTER, NEWLINE, PUNCT, SCRIPTS, WIDE,
};
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
        // What stands before a word at `at` that begins with no blank or mark.
        let mut before = LEAD_NONE;
        while let Some(&byte) = text.get(at) {
            let class = CLASS[usize::from(byte)];
            let next = self.class(at + 1);
            // The commonest first, each in a branch of its own: a lead that is computed makes every word wait for it.
            if class == LETTER {
                at = self.word(at, before);
                before = LEAD_GLUED;
            } else if byte == b' ' && next == LETTER {
                at = self.word(at + 1, LEAD_SPACE);
                before = LEAD_GLUED;
            } else if next == LETTER && LEADS_WORDS[usize::from(class)] {
                at = self.word(at + 1, usize::from(LEAD[usize::from(byte)]));
                before = LEAD_GLUED;
            } else if class == DIGIT {
                at = self.digits(at);
                before = LEAD_GLUED;
            } else {
                at = match (class, next) {
                    (PUNCT, _) => self.marks(at, at),
                    (WIDE, _) => self.wide(at, 0),
                    (BLANK, PUNCT) if byte == b' ' => self.marks(at, at + 1),
                    (BLANK, WIDE) if byte == b' ' => self.wide(at + 1, 1),
                    _ => self.blanks(at),
                };
                before = LEAD_NONE;
            }
        }
    }
}

#[cfg(test)]
mod tests;
