//! Cells → pixels, in memory that is given.
//!
//! A row of cells is drawn in bands of eight lines. The bytes that the eight lines have above one another are the lanes of one word, so a glyph
//! is moved to where it begins within a byte by one shift for eight lines. The rest is turning words full of bytes into lines.

use super::PageShape;
use super::face::{Cell, Faces};
use alloc::vec::Vec;

/// Fills `out` with a page of `shape` that is `height` pixels high: grey pixels of `depth` bits (1 or 4), rows begun in a new byte, the leftmost
/// pixel in the high bits, white the largest value. Cells fill rows of `shape.columns` from the top; what they leave is white, and what has no
/// place is cut off.
pub fn draw(cells: &[Cell], faces: &Faces, shape: &PageShape, height: u32, depth: u8, out: &mut Vec<u8>) {
    let grid = Grid {
        columns: shape.columns.max(1) as usize,
        cell_bits: shape.cell_width as usize * usize::from(depth),
        cell_height: shape.cell_height as usize,
        stride: (shape.width as usize * usize::from(depth)).div_ceil(8),
    };
    out.clear();
    out.resize(grid.stride * height as usize, 0xFF);
    grid.draw(cells, |cell| faces.glyph(cell), out);
}

/// Lines of a band.
const BAND: usize = 8;

/// A byte in each lane.
const fn each(byte: u8) -> u64 {
    u64::from_le_bytes([byte; BAND])
}

/// In each lane the high bits, so many of eight.
const fn high(bits: usize) -> u64 {
    each(!(0xFF >> bits) as u8)
}

struct Grid {
    columns: usize,
    /// Of one line of a cell.
    cell_bits: usize,
    cell_height: usize,
    /// Bytes of one line of the page.
    stride: usize,
}

impl Grid {
    fn draw<'a>(&self, cells: &[Cell], glyph: impl Fn(Cell) -> &'a [u8], out: &mut [u8]) {
        let block = self.stride * self.cell_height;
        if block == 0 || self.cell_bits == 0 {
            return;
        }
        let mut lanes = Lanes::new(self.cell_bits);
        let mut row = Vec::with_capacity(self.columns);
        let mut band = Vec::with_capacity(self.stride + 1);
        for (cells, block) in cells.chunks(self.columns).zip(out.chunks_mut(block)) {
            row.clear();
            row.extend(cells.iter().map(|cell| lanes.place(*cell, &glyph)));
            for (number, lines) in block.chunks_mut(BAND * self.stride).enumerate() {
                lanes.join(&row, number, &mut band);
                put(&band, lines, self.stride);
            }
        }
    }
}

/// Where the lanes of a glyph begin, and what their bits are turned over with.
type Inked = (usize, u64);

/// Glyphs as lanes.
struct Lanes {
    /// Of each glyph where its lanes begin, plus 1; 0 where it has not been met.
    known: Vec<u32>,
    /// Of each glyph band by band, of each band the bytes from left to right.
    lanes: Vec<u64>,
    /// Bytes of one line of a glyph.
    bytes: usize,
    /// Bits of the last of them.
    last: usize,
}

impl Lanes {
    fn new(cell_bits: usize) -> Lanes {
        let bytes = cell_bits.div_ceil(8);
        Lanes { known: Vec::new(), lanes: Vec::new(), bytes, last: cell_bits + 8 - 8 * bytes }
    }

    /// A cell's, which are made where they are new.
    fn place<'a>(&mut self, cell: Cell, glyph: impl Fn(Cell) -> &'a [u8]) -> Inked {
        if self.known.len() <= cell.glyph() {
            self.known.resize(cell.glyph() + 1, 0);
        }
        if self.known[cell.glyph()] == 0 {
            self.known[cell.glyph()] = self.lanes.len() as u32 + 1;
            for band in glyph(cell).chunks(BAND * self.bytes) {
                for byte in 0..self.bytes {
                    let mut lanes = [0; BAND];
                    let column = band.iter().skip(byte).step_by(self.bytes);
                    lanes.iter_mut().zip(column).for_each(|(lane, byte)| *lane = *byte);
                    self.lanes.push(u64::from_le_bytes(lanes));
                }
            }
        }
        let turn = if cell.is_inverse() { u64::MAX } else { 0 };
        (self.known[cell.glyph()] as usize - 1, turn)
    }

    /// A band of a row of cells: the bytes of its lines.
    fn join(&self, row: &[Inked], band: usize, out: &mut Vec<u64>) {
        out.clear();
        // `held` high bits, fewer than eight, of each lane of `register` are in no byte yet.
        let (mut register, mut held) = (0, 0);
        let mut push = |ink: u64, bits: usize| {
            register |= (ink & each(0xFF >> held << held)) >> held;
            held += bits;
            if held >= 8 {
                out.push(register);
                held -= 8;
                register = (ink << (bits - held)) & high(held);
            }
        };
        let (last, mask) = (self.last, high(self.last));
        if self.bytes == 1 {
            for (start, turn) in row {
                push((self.lanes.get(start + band).unwrap_or(&0) ^ turn) & mask, last);
            }
        } else {
            for (start, turn) in row {
                let start = start + band * self.bytes;
                let ink = self.lanes.get(start..start + self.bytes).unwrap_or_default();
                if let Some((end, whole)) = ink.split_last() {
                    whole.iter().for_each(|ink| push(ink ^ turn, 8));
                    push((end ^ turn) & mask, last);
                }
            }
        }
        if held > 0 {
            out.push(register);
        }
    }
}

/// Writes the bytes of a band to its lines, eight of each at a time.
fn put(band: &[u64], lines: &mut [u8], stride: usize) {
    for (place, bytes) in band.chunks(BAND).enumerate() {
        let mut square = [0; BAND];
        square.iter_mut().zip(bytes).for_each(|(place, bytes)| *place = *bytes);
        transpose(&mut square);
        for (line, ink) in lines.chunks_mut(stride).zip(square) {
            let pixels = (!ink).to_le_bytes();
            let line = line.get_mut(BAND * place..).unwrap_or_default();
            match line.first_chunk_mut() {
                Some(line) => *line = pixels,
                None => line.iter_mut().zip(pixels).for_each(|(line, pixels)| *line = pixels),
            }
        }
    }
}

/// Lane 3 of word 5 becomes lane 5 of word 3: within squares of two, then of four, then of eight.
fn transpose(square: &mut [u64; BAND]) {
    const STEPS: [(u64, [[usize; 2]; 4]); 3] = [
        (0x00FF_00FF_00FF_00FF, [[0, 1], [2, 3], [4, 5], [6, 7]]),
        (0x0000_FFFF_0000_FFFF, [[0, 2], [1, 3], [4, 6], [5, 7]]),
        (0x0000_0000_FFFF_FFFF, [[0, 4], [1, 5], [2, 6], [3, 7]]),
    ];
    for (mask, pairs) in STEPS {
        let bits = mask.trailing_ones();
        for [upper, lower] in pairs {
            let swap = (square[upper] >> bits ^ square[lower]) & mask;
            square[lower] ^= swap;
            square[upper] ^= swap << bits;
        }
    }
}

#[cfg(test)]
mod tests;
