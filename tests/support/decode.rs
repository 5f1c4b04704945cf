//! Pages → the text they show. Of each cell nothing but its pixels is used: they are looked up among the glyphs of the page's face.

use palimpsest::page::face::{Faces, Mark};
use serde_json::Value;
use std::collections::HashMap;
use std::io::Cursor;
use unicode_normalization::char::compose;

const OPEN: char = '⟦';
const CLOSE: char = '⟧';
/// Four blanks in one cell. No letter of a text is drawn so: the sign itself is folded.
const FOUR: char = '⎵';

/// Apostrophes and their like, which count as letters and are folded to `'`.
const MODIFIERS: std::ops::Range<char> = '\u{2b0}'..'\u{300}';

/// The pixels of a cell, row by row, ink set; cells of at most 256 pixels.
type Glyph = [u64; 4];

/// Reads pages of one bitmap face in cells of one size.
pub struct Decoder {
    faces: Faces,
    cell: (usize, usize),
    /// Of each glyph the first letter that is drawn so.
    letters: HashMap<Glyph, char>,
}

/// A decoded picture: rows of bytes, a pixel in `depth` bits.
pub struct Picture {
    pub width: usize,
    pub height: usize,
    pub depth: usize,
    rows: Vec<u8>,
}

impl Picture {
    pub fn read(file: &[u8]) -> Picture {
        let mut reader = png::Decoder::new(Cursor::new(file)).read_info().expect("a PNG");
        let mut rows = vec![0; reader.output_buffer_size().expect("a size")];
        let told = reader.next_frame(&mut rows).expect("a whole PNG");
        assert_eq!(told.color_type, png::ColorType::Grayscale);
        let (width, height) = (told.width as usize, told.height as usize);
        Picture { width, height, depth: told.bit_depth as usize, rows }
    }

    /// Ink from 0 to the most of the depth.
    pub fn ink(&self, x: usize, y: usize) -> u8 {
        let most = ((1u16 << self.depth) - 1) as u8;
        let bit = x * self.depth;
        let byte = self.rows[y * (self.width * self.depth).div_ceil(8) + bit / 8];
        most - (byte >> (8 - self.depth - bit % 8) & most)
    }

    fn glyph(&self, left: usize, top: usize, (width, height): (usize, usize)) -> Glyph {
        assert!(self.depth == 1 && width <= 16);
        let stride = self.width.div_ceil(8);
        packed(height, width, |y| {
            let row = &self.rows[(top + y) * stride..][..stride];
            let bytes =
                (0..3).fold(0u32, |bytes, next| bytes << 8 | u32::from(*row.get(left / 8 + next).unwrap_or(&0)));
            !bytes >> (24 - left % 8 - width) & ((1 << width) - 1)
        })
    }
}

/// Rows of bits, one behind the other.
fn packed(height: usize, width: usize, row: impl Fn(usize) -> u32) -> Glyph {
    assert!(height * width <= 256);
    let mut glyph = [0; 4];
    for y in 0..height {
        let (at, bits) = (y * width, u128::from(row(y)));
        let spread = bits << (at % 64);
        glyph[at / 64] |= spread as u64;
        if let Some(next) = glyph.get_mut(at / 64 + 1) {
            *next |= (spread >> 64) as u64;
        }
    }
    glyph
}

impl Decoder {
    pub fn new(font: &str, width: usize, height: usize) -> Decoder {
        let faces = Faces::new(font, width as u32, height as u32, &[]).expect("a built-in face");
        assert_eq!(faces.depth(), 1);
        let mut decoder = Decoder { faces, cell: (width, height), letters: HashMap::new() };
        for (mark, letter) in
            [(Mark::Break, '\n'), (Mark::Tab, '\t'), (Mark::Four, FOUR), (Mark::Open, OPEN), (Mark::Close, CLOSE)]
        {
            let cell = decoder.faces.mark(mark);
            let glyph = decoder.glyph_of(cell);
            assert_eq!(decoder.letters.insert(glyph, letter), None, "{mark:?} is drawn as another mark");
        }
        // The faces have letters of the first plane only.
        for letter in '\0'..'\u{10000}' {
            let drawn = decoder.faces.look(letter);
            if drawn.len == 1 && !drawn.missing {
                let glyph = decoder.glyph_of(drawn.cells[0]);
                let first = *decoder.letters.entry(glyph).or_insert(letter);
                let ascii = letter.is_ascii_graphic() || letter == ' ' || letter == OPEN || letter == CLOSE;
                assert!(!ascii || first == letter, "{letter:?} is drawn as {first:?}");
                assert!(!"\n\t⎵".contains(first), "{letter:?} is drawn as a sign of the layout");
            }
        }
        // Else a cell in a marker could be taken for another that stands in none.
        let turned = |glyph: &Glyph| packed(height, width, |y| !row(glyph, y, width) & ((1 << width) - 1));
        assert!(decoder.letters.keys().all(|glyph| !decoder.letters.contains_key(&turned(glyph))));
        decoder
    }

    fn glyph_of(&self, cell: palimpsest::page::face::Cell) -> Glyph {
        let (width, height) = self.cell;
        let (bytes, stride) = (self.faces.glyph(cell), width.div_ceil(8));
        packed(height, width, |y| {
            let row = bytes[y * stride..][..stride].iter().fold(0, |row, byte| row << 8 | u32::from(*byte));
            row >> (8 * stride - width)
        })
    }

    /// The text of pages that belong together, and whether all that no cell covers is white.
    pub fn read(&self, set: &Value, files: &[Vec<u8>]) -> Result<String, String> {
        let number = |value: &Value| value.as_u64().expect("a number") as usize;
        let shape = &set["shape"];
        let (columns, (width, height)) = (number(&shape["columns"]), self.cell);
        let told = set["pages"].as_array().ok_or("no pages")?;
        if told.len() != files.len() {
            return Err(format!("{} pages told, {} drawn", told.len(), files.len()));
        }
        let (mut text, mut in_marker) = (String::new(), false);
        for (page, (file, told)) in files.iter().zip(told).enumerate() {
            let picture = Picture::read(file);
            let full = page + 1 < files.len();
            let size = (picture.width, picture.height);
            if size != (number(&told["width"]), number(&told["height"]))
                || size.0 != number(&shape["width"])
                || size.1 > number(&shape["height"])
                || full && size.1 != number(&shape["height"])
            {
                return Err(format!("page {page} is {size:?}, told {told}, of {shape}"));
            }
            let rows = (picture.height / height).min(number(&shape["rows"]));
            for row in 0..rows {
                for column in 0..columns {
                    let glyph = picture.glyph(column * width, row * height, self.cell);
                    let at = || format!("page {page}, row {row}, column {column}");
                    let (letter, inverse) = self.letter(&glyph).ok_or_else(|| format!("no glyph: {}", at()))?;
                    in_marker = letter == OPEN || in_marker && letter != '\n';
                    if inverse != in_marker {
                        return Err(format!("{letter:?} inverse: {inverse}: {}", at()));
                    }
                    in_marker &= letter != CLOSE;
                    if letter == FOUR { text.push_str("    ") } else { text.push(letter) }
                }
            }
            let right = (0..picture.height).flat_map(|y| (columns * width..picture.width).map(move |x| (x, y)));
            let below = (rows * height..picture.height).flat_map(|y| (0..picture.width).map(move |x| (x, y)));
            if let Some(place) = right.chain(below).find(|&(x, y)| picture.ink(x, y) != 0) {
                return Err(format!("ink beside the cells: page {page}, {place:?}"));
            }
        }
        // The last row is filled up with blanks.
        text.truncate(text.trim_end_matches(' ').len());
        Ok(text)
    }

    fn letter(&self, glyph: &Glyph) -> Option<(char, bool)> {
        if let Some(letter) = self.letters.get(glyph) {
            return Some((*letter, false));
        }
        let (width, height) = self.cell;
        let turned = packed(height, width, |y| !row(glyph, y, width) & ((1 << width) - 1));
        self.letters.get(&turned).map(|letter| (*letter, true))
    }

    /// What [`Decoder::read`] must find of a text: each letter as the first that is drawn alike, or as the letters that it is folded to, or as
    /// U+FFFD where nothing draws it. A combining mark makes another letter of the one before it where that is drawn, else it is gone.
    pub fn expected(&mut self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        // The letter before, and where it begins.
        let mut last = (' ', 0);
        for letter in text.chars() {
            if letter >= '\u{300}'
                && let Some(composed) = compose(last.0, letter)
                && (!self.faces.look(composed).missing || self.faces.look(last.0).missing)
            {
                out.truncate(last.1);
                self.show(composed, &mut out);
                last.0 = composed;
                continue;
            }
            let drawn = self.faces.look(letter);
            if drawn.missing && drawn.len == 0 {
                continue;
            }
            last = (letter, out.len());
            self.show(letter, &mut out);
        }
        out.truncate(out.trim_end_matches(' ').len());
        out
    }

    fn show(&mut self, letter: char, out: &mut String) {
        if letter == '\n' || letter == '\t' || letter.is_ascii_graphic() || letter == ' ' {
            return out.push(letter);
        }
        let drawn = self.faces.look(letter);
        for cell in &drawn.cells[..drawn.len.into()] {
            let glyph = self.glyph_of(*cell);
            out.push(if drawn.missing { '\u{fffd}' } else { self.letters[&glyph] });
        }
    }

    /// Letters and digits that are drawn alike, first the one that is read for all of them.
    pub fn twins(&mut self) -> Vec<Vec<char>> {
        let mut classes: HashMap<Glyph, Vec<char>> = HashMap::new();
        for letter in '!'..'\u{10000}' {
            let drawn = self.faces.look(letter);
            if drawn.len == 1 && !drawn.missing && letter.is_alphanumeric() && !MODIFIERS.contains(&letter) {
                classes.entry(self.glyph_of(drawn.cells[0])).or_default().push(letter);
            }
        }
        let mut twins: Vec<Vec<char>> = classes.into_values().filter(|letters| letters.len() > 1).collect();
        twins.sort();
        twins
    }
}

/// A row of a glyph.
fn row(glyph: &Glyph, y: usize, width: usize) -> u32 {
    let at = y * width;
    let low = u128::from(glyph[at / 64]) | u128::from(*glyph.get(at / 64 + 1).unwrap_or(&0)) << 64;
    (low >> (at % 64)) as u32 & ((1 << width) - 1)
}
