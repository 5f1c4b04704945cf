//! Pixels → a PNG file.
//!
//! Written straight at the depth of the pixels, rows unfiltered: filters make pages of letters larger. The few chunks and their sums are
//! not worth a crate.

mod deflate;
mod huffman;
mod matches;

use crate::meter::PAGE_KEY;
use alloc::vec::Vec;
use deflate::Deflate;

/// Writes pages, one after the other, in memory that is used again: below half a megabyte beside the pixels.
pub struct Encoder {
    deflate: Deflate,
    rows: Vec<u8>,
}

impl core::fmt::Debug for Encoder {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.write_str("Encoder")
    }
}

impl Default for Encoder {
    fn default() -> Encoder {
        Encoder::new()
    }
}

impl Encoder {
    /// An encoder that has written nothing.
    pub fn new() -> Encoder {
        Encoder { deflate: Deflate::new(), rows: Vec::new() }
    }

    /// A grey picture as a PNG file that says it is a page of ours. `pixels` are rows of `width` pixels of `depth` bits (1, 2, 4 or 8), each
    /// begun in a new byte, the leftmost pixel in the high bits, white the largest value. Neither side is 0 nor above 2³¹ - 1.
    pub fn encode(&mut self, pixels: &[u8], width: u32, height: u32, depth: u8) -> Vec<u8> {
        let stride = (width as usize * usize::from(depth)).div_ceil(8);
        self.rows.clear();
        for row in pixels.chunks_exact(stride.max(1)).take(height as usize) {
            // The number of the filter: none.
            self.rows.push(0);
            self.rows.extend_from_slice(row);
        }
        let [a, b, c, d] = width.to_be_bytes();
        let [e, f, g, h] = height.to_be_bytes();
        let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
        let sums = sums();
        // Grey, compression and filters of the only kinds there are, not interlaced.
        chunk(&mut file, &sums, b"IHDR", |file| file.extend_from_slice(&[a, b, c, d, e, f, g, h, depth, 0, 0, 0, 0]));
        chunk(&mut file, &sums, b"tEXt", |file| file.extend_from_slice(PAGE_KEY));
        chunk(&mut file, &sums, b"IDAT", |file| self.deflate.pack(&self.rows, stride + 1, file));
        chunk(&mut file, &sums, b"IEND", |_| {});
        file.shrink_to_fit();
        file
    }
}

/// A chunk (W3C PNG, 5.3): length, kind, what `fill` adds, and a sum of kind and content.
fn chunk(file: &mut Vec<u8>, sums: &Sums, kind: &[u8; 4], fill: impl FnOnce(&mut Vec<u8>)) {
    let start = file.len();
    file.extend_from_slice(&[0; 4]);
    file.extend_from_slice(kind);
    fill(file);
    let len = (file.len() - start - 8) as u32;
    if let Some(place) = file.get_mut(start..).and_then(|chunk| chunk.first_chunk_mut()) {
        *place = len.to_be_bytes();
    }
    let sum = crc(file.get(start + 4..).unwrap_or_default(), sums);
    file.extend_from_slice(&sum.to_be_bytes());
}

/// What each byte does to a sum that four, three, two bytes and none follow.
type Sums = [[u32; 256]; 4];

fn sums() -> Sums {
    let mut sums = [[0; 256]; 4];
    let [first, later @ ..] = &mut sums;
    for (byte, sum) in (0..).zip(first.iter_mut()) {
        *sum = (0..8).fold(byte, |sum: u32, _| sum >> 1 ^ if sum & 1 == 1 { 0xEDB8_8320 } else { 0 });
    }
    let mut before = *first;
    for sums in later {
        before = before.map(|sum| sum >> 8 ^ first[sum as usize & 0xFF]);
        *sums = before;
    }
    sums
}

/// The sum of a chunk (W3C PNG, annex D), four bytes at a time.
fn crc(bytes: &[u8], sums: &Sums) -> u32 {
    let mut sum = u32::MAX;
    let mut words = bytes.chunks_exact(4);
    for word in &mut words {
        let [a, b, c, d] = (sum ^ word.first_chunk().map_or(0, |word| u32::from_le_bytes(*word))).to_le_bytes();
        sum = sums[3][usize::from(a)] ^ sums[2][usize::from(b)] ^ sums[1][usize::from(c)] ^ sums[0][usize::from(d)];
    }
    for byte in words.remainder() {
        sum = sum >> 8 ^ sums[0][usize::from(sum as u8 ^ byte)];
    }
    !sum
}

#[cfg(test)]
mod tests;
