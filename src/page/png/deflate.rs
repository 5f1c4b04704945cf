//! Bytes → a zlib stream (RFC 1950, 1951).
//!
//! Own, since a crate for it costs the module 9 KB (`miniz_oxide`) to 30 KB (`zlib-rs`) and this does not, and since it may know what it packs:
//! see [`super::matches`].

use super::huffman::Code;
use super::matches::{Matches, REFERENCE};
use alloc::vec::Vec;

/// Literals and references in a block. Codes are made for each block: some 80 bytes of it.
const BLOCK: usize = 30_000;
/// Most bits of one: a length of 15 + 5, a distance of 15 + 13.
const MOST_BITS: usize = 48;
/// The end of a block, among literals and lengths.
const END: usize = 256;
/// In which order RFC 1951, 3.2.7, has the lengths of the codes of code lengths.
const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// Packs one text of bytes after the other, in memory that is used again.
pub struct Deflate {
    matches: Matches,
    block: Vec<u32>,
}

impl Deflate {
    pub fn new() -> Deflate {
        Deflate { matches: Matches::new(), block: Vec::new() }
    }

    /// Adds the stream of `data`, which are lines of `stride` bytes, to `out`.
    pub fn pack(&mut self, data: &[u8], stride: usize, out: &mut Vec<u8>) {
        // "deflate" with a window of 32 KB.
        out.extend_from_slice(&[0x78, 0x01]);
        self.matches.start(stride);
        let mut bits = Bits { out, held: 0, count: 0, len: 0 };
        bits.len = bits.out.len();
        loop {
            self.block.clear();
            let last = self.matches.fill(data, BLOCK, &mut self.block);
            bits.room(self.block.len() * MOST_BITS / 8 + 1000);
            block(&self.block, last, &mut bits);
            if last {
                break;
            }
        }
        bits.end();
        out.extend_from_slice(&adler(data).to_be_bytes());
    }
}

/// Number of a length's code behind [`END`], and its further bits: how many, and which.
fn length_code(token: u32) -> (usize, u32, u32) {
    let less_3 = token >> 15 & 0xFF;
    if less_3 == 255 {
        return (29, 0, 0);
    }
    let extra = (less_3 | 1).ilog2().saturating_sub(2);
    ((4 * extra + (less_3 >> extra)) as usize + 1, extra, less_3 & ((1 << extra) - 1))
}

/// Number of a distance's code, likewise.
fn distance_code(token: u32) -> (usize, u32, u32) {
    let less_1 = token & 0x7FFF;
    let extra = (less_1 | 1).ilog2().saturating_sub(1);
    ((2 * extra + (less_1 >> extra)) as usize, extra, less_1 & ((1 << extra) - 1))
}

/// Lengths of codes as they are written (RFC 1951, 3.2.7): a number up to 18, and for repetitions how many bits say how often.
fn repeated(lengths: &[u8]) -> Vec<(u8, u8, u32)> {
    let mut out = Vec::new();
    for alike in lengths.chunk_by(|a, b| a == b) {
        let (length, mut left) = (alike[0], alike.len());
        if length > 0 {
            out.push((length, 0, 0));
            left -= 1;
        }
        while left >= 3 {
            let (number, extra, least, most) = match (length, left) {
                (0, 11..) => (18, 7, 11, 138),
                (0, _) => (17, 3, 3, 10),
                _ => (16, 2, 3, 6),
            };
            let times = left.min(most);
            out.push((number, extra, (times - least) as u32));
            left -= times;
        }
        out.extend((0..left).map(|_| (length, 0, 0)));
    }
    out
}

/// A block with codes of its own.
fn block(tokens: &[u32], last: bool, bits: &mut Bits) {
    let mut letters = [0; 286];
    let mut distances = [0; 30];
    letters[END] = 1;
    // Of a code with one member every reader knows what to think; of one with none, not.
    distances[0] = 1;
    for token in tokens {
        if token & REFERENCE == 0 {
            letters[*token as usize & 0xFF] += 1;
        } else {
            letters[END + length_code(*token).0] += 1;
            distances[distance_code(*token).0] += 1;
        }
    }
    let (letters, distances) = (Code::new(&letters, 15), Code::new(&distances, 15));
    head(&letters, &distances, last, bits);
    for token in tokens {
        if token & REFERENCE == 0 {
            let (code, count) = letters.of(*token as usize & 0xFF);
            bits.put(code.into(), count);
        } else {
            let (number, extra, value) = length_code(*token);
            let (code, count) = letters.of(END + number);
            let length = u64::from(code | value << count);
            let length_bits = count + extra;
            let (number, extra, value) = distance_code(*token);
            let (code, count) = distances.of(number);
            bits.put(length | u64::from(code | value << count) << length_bits, length_bits + count + extra);
        }
    }
    let (code, count) = letters.of(END);
    bits.put(code.into(), count);
}

/// What stands before a block with codes of its own: the codes.
fn head(letters: &Code, distances: &Code, last: bool, bits: &mut Bits) {
    let mut lengths: Vec<u8> = letters.lengths().collect();
    let letters = lengths.len() as u64;
    lengths.extend(distances.lengths());
    let distances = lengths.len() as u64 - letters;
    let repeated = repeated(&lengths);
    let mut often = [0; 19];
    for (number, ..) in &repeated {
        often[usize::from(*number)] += 1;
    }
    let code = Code::new(&often, 7);
    let used = ORDER.iter().rposition(|number| code.of(*number).1 > 0).map_or(4, |last| (last + 1).max(4));
    bits.put(u64::from(last) | 2 << 1 | (letters - 257) << 3 | (distances - 1) << 8 | (used as u64 - 4) << 13, 17);
    for number in &ORDER[..used] {
        bits.put(code.of(*number).1.into(), 3);
    }
    for (number, extra, value) in repeated {
        let (code, count) = code.of(number.into());
        bits.put(u64::from(code | value << count), count + u32::from(extra));
    }
}

/// Writes bits, the lowest first.
struct Bits<'a> {
    out: &'a mut Vec<u8>,
    /// Bytes of `out` that are written; behind them is room.
    len: usize,
    /// The `count` bits, fewer than eight, that fill no byte yet.
    held: u64,
    count: u32,
}

impl Bits<'_> {
    /// Makes room for so many bytes.
    fn room(&mut self, bytes: usize) {
        self.out.resize(self.len + bytes, 0);
    }

    /// At most [`MOST_BITS`].
    #[inline]
    fn put(&mut self, bits: u64, count: u32) {
        self.held |= bits << self.count;
        self.count += count;
        // Always eight bytes: what is beyond `count` is written over.
        if let Some(place) = self.out.get_mut(self.len..).and_then(|room| room.first_chunk_mut()) {
            *place = self.held.to_le_bytes();
        }
        self.len += self.count as usize / 8;
        self.held >>= self.count & !7;
        self.count &= 7;
    }

    /// Ends with a whole byte, and takes back what room is left.
    fn end(self) {
        self.out.truncate(self.len + usize::from(self.count > 0));
    }
}

/// The sum behind a stream (RFC 1950, 8.2).
fn adler(data: &[u8]) -> u32 {
    let (mut low, mut high) = (1, 0);
    // As many bytes as 32 bits hold without overflow.
    for bytes in data.chunks(5552) {
        for byte in bytes {
            low += u32::from(*byte);
            high += low;
        }
        low %= 65_521;
        high %= 65_521;
    }
    high << 16 | low
}
