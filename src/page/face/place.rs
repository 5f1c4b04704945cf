//! Pixels of a glyph in its cell.

use super::bitmap::Bitmap;
use alloc::vec;
use alloc::vec::Vec;

/// A cell: pixels, and bits a pixel (1 or 4). Rows begin in a new byte, the leftmost pixel stands in the high bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    pub width: u32,
    pub height: u32,
    pub depth: u8,
}

impl Grid {
    /// Bytes of a row.
    fn row(&self) -> usize {
        (self.width * u32::from(self.depth)).div_ceil(8) as usize
    }

    /// Bytes of a glyph.
    pub fn bytes(&self) -> usize {
        self.row() * self.height as usize
    }

    /// A glyph of a built-in face. A cell larger than the face has the spare columns on both sides, a quarter of the spare rows above and the rest
    /// below. Beside an outline, which grows with its cell and stands in its middle, the glyph is as many times larger as the cell holds, and in
    /// the middle too.
    pub fn place(&self, face: &Bitmap, rows: &[u8]) -> Vec<u8> {
        let outline = self.depth != 1;
        let zoom = if outline { (self.width / face.width).min(self.height / face.height).max(1) } else { 1 };
        let left = self.width.saturating_sub(face.width * zoom) / 2;
        let top = self.height.saturating_sub(face.height * zoom) / if outline { 2 } else { 4 };
        let mut glyph = vec![0; self.bytes()];
        for (y, &row) in
            (0..face.height * zoom).zip(rows.iter().flat_map(|row| core::iter::repeat_n(row, zoom as usize)))
        {
            for x in (0..face.width * zoom).filter(|x| 0x80 >> (x / zoom) & row != 0) {
                let bit = (left + x) * u32::from(self.depth);
                let pixel = if outline { 0xf0 } else { 0x80 };
                if let Some(byte) = glyph.get_mut((top + y) as usize * self.row() + bit as usize / 8) {
                    *byte |= pixel >> (bit % 8);
                }
            }
        }
        glyph
    }

    /// The left or the right half of a glyph that is two cells wide.
    pub fn half(&self, wide: &[u8], right: bool) -> Vec<u8> {
        let bits = (self.width * u32::from(self.depth)) as usize;
        let from = if right { bits } else { 0 };
        let mut glyph = vec![0; self.bytes()];
        for (to, row) in glyph.chunks_exact_mut(self.row()).zip(wide.chunks_exact((2 * bits).div_ceil(8))) {
            for bit in 0..bits {
                let ink = row[(from + bit) / 8] << ((from + bit) % 8) & 0x80;
                to[bit / 8] |= ink >> (bit % 8);
            }
        }
        glyph
    }
}
