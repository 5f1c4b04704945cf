//! The digest of a vocabulary: whether a piece is one token, answered from a Bloom filter.

use crate::meter::weights::{BLOCKS, DIGEST};

const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// Mixed in before the product, so that pieces of several kinds can share the digest: words by space before them and
/// case, then `Kind`, then words of other alphabets by space.
const TAGS: [u64; 12] = {
    let mut tags = [0; 12];
    let mut n = 0;
    while n < 12 {
        tags[n] = 0xd6e8_feb8_6659_fd93_u64.wrapping_mul(n as u64 + 1);
        n += 1;
    }
    tags
};

/// What a piece that is no word is made of.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// ASCII marks, perhaps with a space before or newlines after.
    Marks = 8,
    /// One or two letters of a script without word breaks, or one symbol.
    Letters = 9,
}

/// Joins the next eight bytes to a word, which may be fewer, or none.
#[inline(always)]
pub(super) fn longer(word: u64, next: u64) -> u64 {
    word.wrapping_mul(FACTOR).rotate_left(29) ^ next
}

/// The block of a piece and a number whose sixes of bits choose bits in it.
#[inline(always)]
fn spot(piece: u64, tag: u64) -> (u64, u64) {
    let hash = (piece ^ tag).wrapping_mul(FACTOR);
    let hash = hash ^ hash >> 29;
    // The product of 32 bits with the number of blocks, without the lower 32: always a block.
    (DIGEST[(((hash >> 32) * BLOCKS as u64) >> 32) as usize], hash)
}

/// Whether the digest holds a word, given in small letters. About one word in eight that it does not hold passes too;
/// the weights were fitted with that in them.
#[inline(always)]
pub(super) fn holds_word(word: u64, spaced: usize, case: usize) -> bool {
    holds(word, TAGS[(4 * spaced + case) & 7])
}

/// The same for a word beyond ASCII, as it is written.
#[inline(always)]
pub(super) fn holds_wide_word(word: u64, spaced: usize) -> bool {
    holds(word, TAGS[10 + (spaced & 1)])
}

#[inline(always)]
fn holds(word: u64, tag: u64) -> bool {
    let (block, hash) = spot(word, tag);
    let bits = 1 << (hash & 63) | 1 << (hash >> 6 & 63) | 1 << (hash >> 12 & 63);
    block & bits == bits
}

/// Whether the digest holds another piece of at most eight bytes. It is asked about many that are not there, hence six
/// bits instead of three.
#[inline(always)]
pub(super) fn holds_piece(piece: u64, kind: Kind) -> bool {
    let (block, hash) = spot(piece, TAGS[kind as usize]);
    let mut bits = 0u64;
    for six in 0..6 {
        bits |= 1 << (hash >> (6 * six) & 63);
    }
    block & bits == bits
}
