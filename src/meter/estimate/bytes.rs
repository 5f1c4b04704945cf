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

/// All but ASCII digits.
#[inline(always)]
pub(super) fn no_digits(word: u64) -> u64 {
    within(word, b'0', b'9' + 1) ^ HIGH
}

/// Line feeds and carriage returns.
#[inline(always)]
pub(super) fn newlines(word: u64) -> u64 {
    !(differing(word ^ all(b'\n')) & differing(word ^ all(b'\r'))) & HIGH
}

/// All but blanks and newlines, the classes `BLANK` and `NEWLINE`.
#[inline(always)]
pub(super) fn no_blanks(word: u64) -> u64 {
    differing(word ^ all(b' ')) & !within(word, b'\t', b'\r' + 1)
}

/// All but what is below 0x80 and neither letter nor digit nor blank: the class `PUNCT`.
#[inline(always)]
pub(super) fn no_marks(word: u64) -> u64 {
    (letters(word).0 | !(no_digits(word) & no_blanks(word)) | word) & HIGH
}

/// All bits of the bytes before the first one that a mask means; of all eight when it means none.
#[inline(always)]
pub(super) fn before(stop: u64) -> u64 {
    ((stop & stop.wrapping_neg()) >> 7).wrapping_sub(1)
}

/// How many bytes come before the first one that a mask means; eight when it means none.
#[inline(always)]
pub(super) fn index(stop: u64) -> u32 {
    stop.trailing_zeros() / 8
}

/// How many bytes a mask means. (Without the instruction for it, counting bits takes longer than this product.)
#[inline(always)]
pub(super) fn count(mask: u64) -> u32 {
    ((mask >> 7).wrapping_mul(all(1)) >> 56) as u32
}
