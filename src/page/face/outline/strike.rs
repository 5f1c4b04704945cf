//! Bitmaps within a font: the tables `EBLC` and `EBDT`, one strike a size. Fonts drawn for one size of pixels hold nothing else.

use super::read::{i8_at, slice, u8_at, u16_at, u32_at};

/// The glyphs of one size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strike {
    /// Pixels an em.
    pub size: u8,
    /// Its list of ranges of glyphs in `EBLC`, and how many there are.
    list: usize,
    ranges: usize,
}

/// A glyph's pixels, a bit each.
pub(super) struct Bitmap<'a> {
    width: usize,
    height: usize,
    /// From the pen to its left edge.
    pub left: i32,
    /// From the baseline up to its top.
    pub top: i32,
    bits: &'a [u8],
    /// Bits from one row to the next.
    stride: usize,
}

/// The first and the last, if any.
type Span = Option<(i32, i32)>;

impl Bitmap<'_> {
    /// Calls `f` with the column and the row of every pixel that has ink.
    pub fn each(&self, mut f: impl FnMut(i32, i32)) {
        for y in 0..self.height {
            for x in 0..self.width {
                let bit = y * self.stride + x;
                if u8_at(self.bits, bit / 8).is_some_and(|byte| byte >> (7 - bit % 8) & 1 != 0) {
                    // Sides are bytes.
                    f(x as i32, y as i32);
                }
            }
        }
    }

    /// The first and last column, and row, that have ink.
    pub fn extent(&self) -> (Span, Span) {
        let wider = |range: Span, at: i32| Some(range.map_or((at, at), |(a, b)| (a.min(at), b.max(at))));
        let mut extent = (None, None);
        self.each(|x, y| extent = (wider(extent.0, x), wider(extent.1, y)));
        extent
    }
}

impl Strike {
    /// The strikes of one bit a pixel, `count` at most 64.
    pub fn all(eblc: &[u8]) -> impl Iterator<Item = Strike> {
        let count = u32_at(eblc, 4).unwrap_or(0).min(64);
        (0..count).filter_map(|i| {
            let record = slice(eblc, 8 + 48 * i, 48)?;
            let square = u8_at(record, 44)? == u8_at(record, 45)?;
            (square && u8_at(record, 46)? == 1).then_some(Strike {
                size: u8_at(record, 45)?,
                list: u32_at(record, 0)?,
                ranges: u32_at(record, 8)?,
            })
        })
    }

    /// The bitmap of a glyph; `None` when this strike has none.
    pub fn bitmap<'a>(&self, eblc: &[u8], ebdt: &'a [u8], glyph: u16) -> Option<Bitmap<'a>> {
        let list = eblc.get(self.list..)?;
        // There are no more ranges than glyphs.
        for i in 0..self.ranges.min(1 << 16) {
            let range = slice(list, 8 * i, 8)?;
            let first = u16_at(range, 0)?;
            if (first..=u16_at(range, 2)?).contains(&glyph) {
                return images(list.get(u32_at(range, 4)?..)?, ebdt, usize::from(glyph - first));
            }
        }
        None
    }
}

/// The glyph `i` of a range.
fn images<'a>(table: &[u8], ebdt: &'a [u8], i: usize) -> Option<Bitmap<'a>> {
    let base = u32_at(table, 4)?;
    let mut metrics: &[u8] = &[];
    let (from, to) = match u16_at(table, 0)? {
        1 => (u32_at(table, 8 + 4 * i)?, u32_at(table, 12 + 4 * i)?),
        // All of one size, and their metrics stand here.
        2 => {
            let size = u32_at(table, 8)?;
            metrics = table.get(12..)?;
            (size.checked_mul(i)?, size.checked_mul(i + 1)?)
        }
        3 => (u16_at(table, 8 + 2 * i)?.into(), u16_at(table, 10 + 2 * i)?.into()),
        _ => return None,
    };
    let data = ebdt.get(base.checked_add(from)?..base.checked_add(to)?)?;
    // Rows begun in a new byte (1, 6), or bits in a row (2, 5, 7); after 5 bytes of metrics (1, 2), 8 (6, 7), or none (5).
    let (skip, aligned) = match u16_at(table, 2)? {
        1 => (5, true),
        2 => (5, false),
        5 => (0, false),
        6 => (8, true),
        7 => (8, false),
        _ => return None,
    };
    if skip > 0 {
        metrics = data;
    }
    let (height, width) = (usize::from(u8_at(metrics, 0)?), usize::from(u8_at(metrics, 1)?));
    let bits = data.get(skip..)?;
    let stride = if aligned { width.next_multiple_of(8) } else { width };
    if bits.len() < (stride * height).div_ceil(8) {
        return None;
    }
    Some(Bitmap { width, height, left: i8_at(metrics, 2)?.into(), top: i8_at(metrics, 3)?.into(), bits, stride })
}
