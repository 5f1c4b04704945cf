//! A font of the caller: TrueType or OpenType, with outlines, with bitmaps of one bit, or with both.
//!
//! | file | reads or makes |
//! | --- | --- |
//! | `read` | numbers, and the table of contents |
//! | `map` | a letter's glyph |
//! | `name` | the font's name |
//! | `glyf`; `cff`, `charstring` | outlines: TrueType's; PostScript's |
//! | `strike` | bitmaps |
//! | `path`, `ink` | an outline, and the pixels it covers |
//! | `grid` | whether outlines are pixels |
//!
//! Only the glyphs that a page needs are ever read, so a font of 50 MB costs its bytes and no more. A damaged font is an error when it is parsed,
//! a damaged glyph counts as one that the font lacks; limits on strokes, parts and steps bound the work a glyph may ask for.

mod cff;
mod charstring;
mod glyf;
mod grid;
mod ink;
mod map;
mod name;
mod path;
mod read;
mod strike;
#[cfg(test)]
mod tests;

use crate::message::WrongOption;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;
use path::Path;
use strike::{Bitmap, Strike};

/// Pixels of a side at most: two cells of 64.
const LARGEST: u32 = 128;
/// Pixels of an em at most, beyond which nothing of a letter would be in its cell.
const LARGEST_EM: u32 = 512;

/// One parsed font of the caller.
#[derive(Debug)]
pub(super) struct Outline {
    file: Vec<u8>,
    name: String,
    /// Units an em, and how far the line reaches above and below the baseline, in units.
    em: f32,
    ascent: f32,
    descent: f32,
    cmap: Range<usize>,
    map: map::Map,
    hmtx: Range<usize>,
    /// Widths in `hmtx`; glyphs beyond have the last.
    widths: u16,
    shapes: Shapes,
    strikes: Vec<Strike>,
    eblc: Range<usize>,
    ebdt: Range<usize>,
    /// Pixels an em, of a font whose outlines are pixels.
    grid: Option<u32>,
}

/// Where outlines are.
#[derive(Debug)]
enum Shapes {
    TrueType { loca: Range<usize>, glyf: Range<usize>, long: bool },
    PostScript { table: Range<usize>, cff: cff::Cff },
    None,
}

impl Outline {
    /// Parses a font file; of a collection, its first font.
    ///
    /// # Errors
    /// [`WrongOption`] for a file that is no font, is damaged where all letters need it, or has nothing that could be drawn here.
    pub fn parse(bytes: &[u8]) -> Result<Outline, WrongOption> {
        let wrong =
            |what: &str| WrongOption(format!("The option `fonts` must hold TrueType or OpenType fonts; one {what}."));
        let start = read::start(bytes).ok_or_else(|| match bytes.first_chunk() {
            Some(b"wOFF" | b"wOF2") => wrong("is a web font (WOFF): unpack it to .ttf or .otf first"),
            _ => wrong("is none: it must be the bytes of a .ttf, .otf or .ttc file"),
        })?;
        Outline::read(bytes, start).ok_or_else(|| wrong("is cut short or damaged: load it anew"))?.ok_or_else(|| {
            wrong("has neither a map of Unicode letters with outlines nor bitmaps of one bit (a colour or symbol font?): take another")
        })
    }

    /// `None` when it is damaged, `Some(None)` when it has nothing to draw.
    fn read(file: &[u8], start: usize) -> Option<Option<Outline>> {
        let table = |tag: &[u8; 4]| read::table(file, start, tag);
        let (head, hhea) = (file.get(table(b"head")?)?, file.get(table(b"hhea")?)?);
        // The bounds that the format itself sets.
        let em = read::u16_at(head, 18).filter(|em| (16..=16384).contains(em))?;
        let line = (read::i16_at(hhea, 4)?, read::i16_at(hhea, 6)?);
        // Fonts that leave the line to other tables: the usual parts of an em.
        let (ascent, descent) = if i32::from(line.0) > i32::from(line.1) {
            (f32::from(line.0), f32::from(line.1))
        } else {
            (0.8 * f32::from(em), -0.2 * f32::from(em))
        };
        let Some(cmap) = table(b"cmap") else { return Some(None) };
        let Some(map) = map::Map::find(file.get(cmap.clone())?) else { return Some(None) };
        let shapes = match (table(b"loca"), table(b"glyf"), table(b"CFF ")) {
            (Some(loca), Some(glyf), _) => Shapes::TrueType { loca, glyf, long: read::u16_at(head, 50)? != 0 },
            (_, _, Some(table)) => Shapes::PostScript { cff: cff::Cff::find(file.get(table.clone())?)?, table },
            _ => Shapes::None,
        };
        let (eblc, ebdt) = (table(b"EBLC").unwrap_or_default(), table(b"EBDT").unwrap_or_default());
        let strikes: Vec<Strike> = Strike::all(file.get(eblc.clone())?).collect();
        if matches!(shapes, Shapes::None) && strikes.is_empty() {
            return Some(None);
        }
        let mut font = Outline {
            file: file.into(),
            name: table(b"name").and_then(|range| file.get(range)).map(name::name).unwrap_or_default(),
            em: em.into(),
            ascent,
            descent,
            cmap,
            map,
            hmtx: table(b"hmtx")?,
            widths: read::u16_at(hhea, 34)?,
            shapes,
            strikes,
            eblc,
            ebdt,
            grid: None,
        };
        let sample = grid::SAMPLE.chars().filter_map(|letter| font.path(font.glyph(letter)?));
        font.grid = grid::find(u32::from(em), sample);
        Some(Some(font))
    }

    /// The font's name: family, and style unless it is the plain one.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The em, in pixels, at which the font's letters fit a cell, wide ones two cells: the largest, but a multiple of its own pixels for a font
    /// drawn in pixels, where one fits.
    pub fn fit(&self, width: u32, height: u32) -> u32 {
        let wide = ['一', '가', 'あ'].into_iter().find_map(|letter| Some((2 * width, self.glyph(letter)?)));
        let (room, glyph) = wide.or_else(|| Some((width, self.glyph('0')?))).unwrap_or((width, 0));
        let advance = self.advance(glyph).max(1.0);
        // Not negative: rounded down.
        let most = height.min((room as f32 * self.em / advance) as u32).clamp(1, LARGEST_EM);
        if matches!(self.shapes, Shapes::None) {
            let sizes = || self.strikes.iter().map(|strike| u32::from(strike.size));
            return sizes().filter(|&size| size <= most).max().or_else(|| sizes().min()).unwrap_or(most);
        }
        match self.grid {
            Some(grid) if grid <= most => most - most % grid,
            _ => most,
        }
    }

    /// Draws `letter` into `width` × `height` pixels (1 to 128), its em `size` pixels, at `depth` bits, 1 or 4: rows begun in a new byte, leftmost
    /// pixel in the high bits, ink set. All letters stand on one baseline. A letter too broad for its cells is made narrower. `None` when the font
    /// lacks the letter, and when a bitmap does not fit.
    pub fn draw(&self, letter: char, width: u32, height: u32, size: u32, depth: u8) -> Option<Vec<u8>> {
        if !(1..=LARGEST).contains(&width) || !(1..=LARGEST).contains(&height) {
            return None;
        }
        let glyph = self.glyph(letter)?;
        let cell = Cell { width, height, size: size.clamp(1, LARGEST_EM) };
        // What was drawn pixel by pixel for this size beats an outline, unless that is to be smoothed.
        let strike = match self.shapes {
            Shapes::None => self.nearest(cell.size),
            _ if depth == 1 => self.strikes.iter().find(|strike| u32::from(strike.size) == cell.size),
            _ => None,
        };
        if let Some(strike) = strike {
            let (eblc, ebdt) = (self.file.get(self.eblc.clone())?, self.file.get(self.ebdt.clone())?);
            if let Some(bitmap) = strike.bitmap(eblc, ebdt, glyph) {
                return self.copy(&bitmap, glyph, Cell { size: strike.size.into(), ..cell }, depth);
            }
        }
        self.outline(&self.path(glyph)?, glyph, cell, depth)
    }

    /// The largest strike that is not above `size`; else the smallest.
    fn nearest(&self, size: u32) -> Option<&Strike> {
        let below = self.strikes.iter().filter(|strike| u32::from(strike.size) <= size);
        below.max_by_key(|strike| strike.size).or_else(|| self.strikes.iter().min_by_key(|strike| strike.size))
    }

    fn glyph(&self, letter: char) -> Option<u16> {
        self.map.glyph(self.file.get(self.cmap.clone())?, letter)
    }

    /// From the pen before the glyph to the pen after it, in units.
    fn advance(&self, glyph: u16) -> f32 {
        let at = usize::from(glyph.min(self.widths.saturating_sub(1)));
        let width = self.file.get(self.hmtx.clone()).and_then(|hmtx| read::u16_at(hmtx, 4 * at));
        width.map_or(self.em, f32::from)
    }

    fn path(&self, glyph: u16) -> Option<Path> {
        let data = |range: &Range<usize>| self.file.get(range.clone());
        match &self.shapes {
            Shapes::TrueType { loca, glyf, long } => {
                glyf::Glyphs { loca: data(loca)?, long: *long, glyf: data(glyf)? }.path(glyph)
            }
            Shapes::PostScript { table, cff } => cff.path(data(table)?, glyph),
            Shapes::None => None,
        }
    }

    /// Where the pen stands, in whole pixels, so that what was drawn in pixels stays sharp: the line in the middle of the cell's height, the
    /// letter in the middle of its width.
    fn pen(&self, glyph: u16, cell: Cell) -> (i32, i32) {
        let scale = cell.size as f32 / self.em;
        let x = (cell.width as f32 - self.advance(glyph) * scale) / 2.0;
        let y = (cell.height as f32 + (self.ascent + self.descent) * scale) / 2.0;
        (floor(x), floor(y + 0.5))
    }

    fn outline(&self, path: &Path, glyph: u16, cell: Cell, depth: u8) -> Option<Vec<u8>> {
        let mut ink = ink::Ink::new(usize::try_from(cell.width).ok()?, usize::try_from(cell.height).ok()?);
        let scale = cell.size as f32 / self.em;
        let (x, y) = self.pen(glyph, cell);
        let (mut x, y, mut across) = (x as f32, y as f32, scale);
        let width = cell.width as f32;
        if let Some((left, right)) = path.extent() {
            let (left, right) = (left * scale, right * scale);
            // Serifs may reach over the edge a little.
            let over = width / 16.0;
            if right - left > width + over {
                across = scale * width / (right - left);
                x = -left * width / (right - left);
            } else if x + left < -over {
                x = -left;
            } else if x + right > width + over {
                x = width - right;
            }
        }
        ink.draw(path, |point| (x + point.0 * across, y - point.1 * scale));
        Some(ink.pack(depth))
    }

    fn copy(&self, bitmap: &Bitmap, glyph: u16, cell: Cell, depth: u8) -> Option<Vec<u8>> {
        let (pen, baseline) = self.pen(glyph, cell);
        let (columns, rows) = bitmap.extent();
        let x = inside(pen + bitmap.left, columns, cell.width)?;
        let y = inside(baseline - bitmap.top, rows, cell.height)?;
        let (per_byte, full) = if depth == 1 { (8, 1) } else { (2, 15) };
        let stride = cell.width.div_ceil(per_byte);
        let mut packed = alloc::vec![0u8; usize::try_from(stride * cell.height).ok()?];
        bitmap.each(|column, row| {
            let (Ok(x), Ok(y)) = (u32::try_from(x + column), u32::try_from(y + row)) else { return };
            let byte = usize::try_from(y * stride + x / per_byte).ok().and_then(|at| packed.get_mut(at));
            if let Some(byte) = byte {
                *byte |= full << (8 / per_byte * (per_byte - 1 - x % per_byte));
            }
        });
        Some(packed)
    }
}

/// Where a letter is drawn, and how large.
#[derive(Clone, Copy)]
struct Cell {
    width: u32,
    height: u32,
    size: u32,
}

/// `at`, moved as little as needed so that all that has ink from there on, `first..=last`, is in `0..room`; `None` when it is longer.
fn inside(at: i32, ink: Option<(i32, i32)>, room: u32) -> Option<i32> {
    let Some((first, last)) = ink else { return Some(at) };
    let room = i32::try_from(room).ok()?;
    if last - first >= room {
        return None;
    }
    Some(at.clamp(-first, room - 1 - last))
}

/// The next whole number down.
fn floor(x: f32) -> i32 {
    let whole = x as i32;
    whole - i32::from(whole as f32 > x)
}
