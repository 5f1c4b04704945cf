//! Eight bytes at a time in a `u64`, the first in the low byte. A mask has the high bit of each byte that is meant.

/// The high bit of every byte.
pub(super) const HIGH: u64 = 0x8080_8080_8080_8080;
/// The bit that makes an ASCII letter small, in every byte.
pub(super) const SMALL: u64 = 0x2020_2020_2020_2020;

/// Every byte the same.
const fn all(byte: u8) -> u64 {
    0x0101_0101_0101_0101 * byte as u64
}

/// The eight bytes at `at`; 0xff, which is in no ASCII class, beyond the end.
#[inline(always)]
pub(super) fn eight(text: &[u8], at: usize) -> u64 {
    if let Some(Ok(bytes)) = text.get(at..at + 8).map(<[u8; 8]>::try_from) {
        u64::from_le_bytes(bytes)
    } else {
        text.iter().skip(at).take(8).rev().fold(u64::MAX, |word, &byte| word << 8 | u64::from(byte))
    }
}

/// The high bit of each byte that is an ASCII letter, and of each that is a capital.
#[inline(always)]
pub(super) fn letters(word: u64) -> (u64, u64) {
    let folded = (word | SMALL) & !HIGH;
    let from_a = folded + 0x1f1f_1f1f_1f1f_1f1f;
    let past_z = folded + 0x0505_0505_0505_0505;
    let letter = from_a & !past_z & !word & HIGH;
    (letter, (!word << 2) & letter)
}

/// The first `count` bytes, zeros above.
#[inline(always)]
pub(super) fn low_bytes(word: u64, count: u32) -> u64 {
    if count >= 8 { word } else { word & ((1 << (8 * count)) - 1) }
}

/// Bytes from `from` up to but not `past`; both below 0x80.
#[inline(always)]
fn within(word: u64, from: u8, past: u8) -> u64 {
    let low = word & !HIGH;
    (low + all(0x80 - from)) & !(low + all(0x80 - past)) & !word & HIGH
}

/// Bytes that are not zero.
#[inline(always)]
pub(super) fn differing(word: u64) -> u64 {
    (((word & !HIGH) + !HIGH) | word) & HIGH
}

/// ASCII digits.
#[inline(always)]
pub(super) fn digits(word: u64) -> u64 {
    within(word, b'0', b'9' + 1)
}

/// Line feeds and carriage returns.
#[inline(always)]
pub(super) fn newlines(word: u64) -> u64 {
    !(differing(word ^ all(b'\n')) & differing(word ^ all(b'\r'))) & HIGH
}

/// Blanks and newlines: the classes `BLANK` and `NEWLINE`.
#[inline(always)]
pub(super) fn blanks(word: u64) -> u64 {
    within(word, b'\t', b'\r' + 1) | (!differing(word ^ all(b' ')) & HIGH)
}

/// What is below 0x80 and neither letter nor digit nor blank: the class `PUNCT`.
#[inline(always)]
pub(super) fn marks(word: u64) -> u64 {
    !(letters(word).0 | digits(word) | blanks(word)) & !word & HIGH
}

/// How many of the first bytes a mask means without a gap.
#[inline(always)]
pub(super) fn leading(mask: u64) -> u32 {
    (mask ^ HIGH).trailing_zeros() / 8
}
