//! What pieces of text cost, in 1/256 token, and how families differ. Written by `benches/fit/fit.mjs`; do not edit.

use super::classes::{ALPHABETS, LEADS, SCRIPTS, SYMBOLS};
use super::estimate::{GROUPS, LENGTHS, Table};

/// Costs of one tokenizer.
pub(super) struct Weights {
    /// Words by lead, case (small, first capital, capitals, other), level (unknown, known, known in small letters after a
    /// space), and length.
    pub word: [u16; LEADS * 4 * 3 * LENGTHS],
    /// Each letter of a word beyond `LENGTHS`.
    pub word_more: u16,
    /// `'s`, other contractions.
    pub ending: [u16; 2],
    /// Runs of marks by turns (how often another mark follows) up to eight, and whether known.
    pub marks: [u16; 16],
    /// Each turn beyond eight.
    pub marks_turn: u16,
    /// Each sixteen repeated marks.
    pub marks_run: u16,
    /// Each turn of a run of blanks beyond three.
    pub blank_turn: u16,
    /// Runs of letters of an alphabet by script, whether after a space, whether known, and length.
    pub alphabet: [u16; ALPHABETS * 4 * LENGTHS],
    /// Each letter of such a run beyond `LENGTHS`, by script.
    pub alphabet_more: [u16; ALPHABETS],
    /// A run of syllables: its start without and with a space; then for Han, kana, Hangul: known pair, known letter, other.
    pub syllable: [u16; 2 + 3 * (SYMBOLS - ALPHABETS)],
    /// Symbols by block: first of a run, later, known, the same again.
    pub symbol: [u16; 4 * (SCRIPTS - SYMBOLS)],
}

/// A tokenizer family: the costs it is nearest to and a factor for each group of them, in 1/256.
pub(super) struct Family {
    pub weights: &'static Weights,
    pub factors: [u16; GROUPS],
}

/// The figures of a family.
pub(super) fn family(table: Table) -> &'static Family {
    &FAMILIES[table as usize]
}

/// Blocks of the digest.
pub(super) const BLOCKS: usize = /*BLOCKS*/;

/// Which pieces are one token: a Bloom filter of the vocabulary's likeliest entries, in blocks of 64 bits.
pub(super) static DIGEST: [u64; BLOCKS] = {
    let bytes = include_bytes!("digest.bin");
    let mut blocks = [0; BLOCKS];
    let mut at = 0;
    while at < 8 * BLOCKS {
        blocks[at / 8] |= (bytes[at] as u64) << (8 * (at % 8));
        at += 1;
    }
    blocks
};

/// In the order of `Table`.
#[rustfmt::skip]
static FAMILIES: [Family; /*COUNT*/] = [
/*FAMILIES*/
];

/*TABLES*/
