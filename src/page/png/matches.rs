//! Bytes → literals and references to what stood before, as "deflate" (RFC 1951) has them.
//!
//! Made for lines of pixels of small letters, which differ from other data. Blank bands aside, few bytes differ from what the letters of one
//! pixel line can be, so a byte costs some five bits and a reference twenty: those of three or four bytes rarely pay. So earlier places are
//! found by five bytes, the last two of them are looked at and the line above, and what a reference saves in bits decides, not its length.
//! `npm run bench -- pages` compares: files are at most 1.05 of what `miniz_oxide` makes at its highest level, in a tenth of the time or less.

use alloc::vec;
use alloc::vec::Vec;

/// A literal is its byte; a reference is this bit, the length less 3 from bit 15 on, the distance less 1 below.
pub const REFERENCE: u32 = 1 << 31;
/// Farthest back that a reference reaches; the size of the format's window.
const FARTHEST: usize = 1 << 15;
/// Longest reference.
const LONGEST: usize = 258;

/// References of at least so many bytes are taken without a look at the next place.
const LAZY: usize = 24;
/// Places within references of at least so many bytes are not remembered: blank bands.
const BAND: usize = 64;
/// What a byte costs, in half bits.
const LITERAL: i32 = 10;
/// Entries are two to this power.
const ENTRIES: u32 = 15;
/// Places of an entry. A third one made pages 1 % smaller and took 20 % longer.
const PLACES: usize = 2;

/// A reference and what it saves, in half bits. Of length 0: none.
#[derive(Clone, Copy)]
struct Found {
    saves: i32,
    len: usize,
    distance: usize,
}

const NONE: Found = Found { saves: 1, len: 0, distance: 0 };

/// Places with the same first bytes, the newest first: of each sixteen bits of their hash, which tell without a look at the bytes that they are
/// others, and the place modulo 65,536.
type Entry = [u32; PLACES];

/// Goes through bytes from the beginning and keeps the places it came by.
pub struct Matches {
    /// Two to the power of [`ENTRIES`].
    entries: Vec<Entry>,
    /// Bytes of a line.
    stride: usize,
    at: usize,
}

impl Matches {
    pub fn new() -> Matches {
        Matches { entries: vec![[0; PLACES]; 1 << ENTRIES], stride: 0, at: 0 }
    }

    /// Begins anew, with lines of `stride` bytes.
    pub fn start(&mut self, stride: usize) {
        self.entries.fill([0; PLACES]);
        self.stride = stride;
        self.at = 0;
    }

    /// Adds what comes next to `out` until it holds at least `most`, or all of `data` is through, which is told. `data` is the same in every
    /// call since [`Matches::start`].
    pub fn fill(&mut self, data: &[u8], most: usize, out: &mut Vec<u32>) -> bool {
        // Whole words are compared. The last few bytes stand for themselves.
        let end = data.len().saturating_sub(8);
        while out.len() < most && self.at < end {
            let mut found = self.find(data, self.at);
            while found.len > 0 && found.len < LAZY && self.at + 1 < end {
                let next = self.find(data, self.at + 1);
                if next.saves <= found.saves {
                    // The place was looked at and is remembered already.
                    break;
                }
                self.literal(data, out);
                found = next;
            }
            if found.len == 0 {
                self.literal(data, out);
                continue;
            }
            out.push(REFERENCE | (found.len as u32 - 3) << 15 | (found.distance as u32 - 1));
            let behind = self.at + found.len;
            if found.len < BAND {
                let first = self.at + if found.len < LAZY { 2 } else { 1 };
                for at in first..behind.min(end) {
                    self.remember(at, word(data, at));
                }
            }
            self.at = behind;
        }
        while out.len() < most && self.at < data.len() {
            self.literal(data, out);
        }
        self.at >= data.len()
    }

    fn literal(&mut self, data: &[u8], out: &mut Vec<u32>) {
        out.extend(data.get(self.at).map(|byte| u32::from(*byte)));
        self.at += 1;
    }

    /// Enters a place under its first five bytes. Returns what stood there, and what places with the same bytes have there.
    #[inline]
    fn remember(&mut self, at: usize, word: u64) -> (Entry, u32) {
        // Multiplication by the golden ratio spreads the bytes over the high bits.
        let hash = (word << 24).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let same = (hash >> (64 - ENTRIES - 16)) as u32 & 0xFFFF;
        let Some(entry) = self.entries.get_mut((hash >> (64 - ENTRIES)) as usize) else { return ([0; PLACES], 1) };
        let before = *entry;
        *entry = [same << 16 | at as u32 & 0xFFFF, before[0]];
        (before, same)
    }

    /// The best reference at a place, which is remembered.
    fn find(&mut self, data: &[u8], at: usize) -> Found {
        let here = word(data, at);
        let (entry, same) = self.remember(at, here);
        let above = differ(data, at, self.stride, here);
        // One condition where nothing is found, which is the rule. The first four bytes must be the same.
        if (above << 32 != 0) & (entry[0] >> 16 != same) & (entry[1] >> 16 != same) {
            return NONE;
        }
        let mut best = NONE;
        let mut attempt = |distance: usize, differ: u64| {
            if differ << 32 == 0 {
                let len = if differ == 0 { common(data, at, distance) } else { differ.trailing_zeros() as usize / 8 };
                let saves = saves(len, distance);
                if saves > best.saves {
                    best = Found { saves, len, distance };
                }
            }
        };
        attempt(self.stride, above);
        for place in entry {
            if place >> 16 == same {
                let distance = usize::from((at as u16).wrapping_sub(place as u16));
                attempt(distance, differ(data, at, distance, here));
            }
        }
        best
    }
}

/// What a reference saves against literals, in half bits: the codes of lengths and distances taken as of four and four and a half bits.
fn saves(len: usize, distance: usize) -> i32 {
    let log = |value: usize| (value as u32 | 1).ilog2() as i32;
    let extra_len = (log(len.saturating_sub(3)) - 2).max(0);
    let extra_distance = (log(distance) - 1).max(0);
    LITERAL * len as i32 - (8 + 2 * extra_len) - (9 + 2 * extra_distance)
}

/// Eight bytes; beyond the end zeros.
fn word(data: &[u8], at: usize) -> u64 {
    data.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// The bits in which the eight bytes `distance` back differ from those at `at`; all, where there are none.
fn differ(data: &[u8], at: usize, distance: usize, here: u64) -> u64 {
    match at.checked_sub(distance) {
        Some(back) if distance > 0 && distance <= FARTHEST => word(data, back) ^ here,
        _ => u64::MAX,
    }
}

/// Bytes from `at` on that are the same `distance` back; at most what a reference holds.
fn common(data: &[u8], at: usize, distance: usize) -> usize {
    let here = data.get(at..).unwrap_or_default();
    let here = here.get(..LONGEST).unwrap_or(here);
    let back = data.get(at.saturating_sub(distance)..).unwrap_or_default();
    let mut len = 0;
    for (a, b) in here.chunks_exact(8).zip(back.chunks_exact(8)) {
        let differ = word(a, 0) ^ word(b, 0);
        if differ != 0 {
            return len + differ.trailing_zeros() as usize / 8;
        }
        len += 8;
    }
    let rest = here.iter().zip(back).skip(len).take_while(|(a, b)| a == b);
    len + rest.count()
}
