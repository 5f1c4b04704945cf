//! Cells → pixels, in memory that is given.

use super::PageShape;
use super::face::{Cell, Faces};
use alloc::vec;
use alloc::vec::Vec;

/// Fills `out` with a page of `shape` that is `height` pixels high: grey pixels of `depth` bits (1 or 4), rows begun in a new byte, the leftmost
/// pixel in the high bits, white the largest value. Cells fill rows of `shape.columns` from the top; what they leave is white.
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
        if block == 0 {
            return;
        }
        let mut lines = vec![0; self.cell_height];
        for (row, block) in cells.chunks(self.columns).zip(out.chunks_mut(block)) {
            self.row(row, &glyph, &mut lines, block);
        }
    }

    /// A row of cells, all its lines side by side: each has a register into which glyphs are shifted, and from which whole words go to the
    /// page. The same for every line, that is the same shift sixteen times over, which processors have instructions for.
    fn row<'a>(&self, row: &[Cell], glyph: impl Fn(Cell) -> &'a [u8], lines: &mut [u64], block: &mut [u8]) {
        // `held` bits at the low end of each register are not on the page yet; `done` bytes of each line are.
        let (mut held, mut done) = (0, 0);
        let glyph_stride = self.cell_bits.div_ceil(8);
        for cell in row {
            let glyph = glyph(*cell);
            let turn = if cell.is_inverse() { 0xFF } else { 0 };
            for part in 0..glyph_stride {
                let count = (self.cell_bits - 8 * part).min(8);
                let shift = |line: &mut u64, ink: &u8| *line = *line << count | u64::from((ink ^ turn) >> (8 - count));
                if glyph_stride == 1 {
                    lines.iter_mut().zip(glyph).for_each(|(line, ink)| shift(line, ink));
                } else {
                    let ink = glyph.iter().skip(part).step_by(glyph_stride);
                    lines.iter_mut().zip(ink).for_each(|(line, ink)| shift(line, ink));
                }
                held += count;
                if held >= 32 {
                    held -= 32;
                    self.put(lines, held, done, block);
                    done += 4;
                }
            }
        }
        if held > 0 {
            // What is left, with white behind it.
            lines.iter_mut().for_each(|line| *line <<= 32 - held);
            self.put(lines, 0, done, block);
        }
    }

    /// The word of each register above `held` bits, behind `done` bytes of its line; what would stand beyond the end of the line is cut off.
    fn put(&self, lines: &[u64], held: usize, done: usize, block: &mut [u8]) {
        for (line, pixels) in lines.iter().zip(block.chunks_mut(self.stride)) {
            let word = (!(line >> held) as u32).to_be_bytes();
            let place = pixels.get_mut(done..).unwrap_or_default();
            match place.first_chunk_mut() {
                Some(place) => *place = word,
                None => place.iter_mut().zip(word).for_each(|(pixels, byte)| *pixels = byte),
            }
        }
    }
}

#[cfg(test)]
mod tests;
