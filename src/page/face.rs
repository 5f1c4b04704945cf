//! A letter → cells.
//!
//! | file | holds |
//! | --- | --- |
//! | `bitmap` | the built-in faces |
//! | `own` | glyphs of our own, from which and from X.org's `pack` writes `faces.bin` |
//! | `outline` | fonts of the caller |
//! | `fold` | letters written in others |
//! | `wide` | letters two cells wide |
//! | `place` | pixels of a glyph in its cell |
//! | `store` | what was drawn and looked up |

mod bitmap;
mod fold;
mod outline;
#[cfg(test)]
mod own;
#[cfg(test)]
mod pack;
mod place;
mod store;
#[cfg(test)]
mod tests;
mod wide;

use crate::message::WrongOption;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use bitmap::{BITMAPS, Bitmap};
use outline::Outline;
use place::Grid;
use store::{Glyphs, Seen};

/// One cell of a page: which glyph stands in it. A wide letter is two cells, its left and its right half.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cell(pub u32);

impl Cell {
    /// White on black: what stands in a marker.
    const INVERSE: u32 = 1 << 31;
    /// A blank.
    pub const BLANK: Cell = Cell(0);
    /// The same glyph, white on black.
    #[must_use]
    pub const fn inverse(self) -> Cell {
        Cell(self.0 | Cell::INVERSE)
    }
    /// Drawn white on black.
    pub const fn is_inverse(self) -> bool {
        self.0 & Cell::INVERSE != 0
    }
    /// Number of its glyph.
    pub const fn glyph(self) -> usize {
        (self.0 & !Cell::INVERSE) as usize
    }
}

/// How a letter is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drawn {
    /// Its cells; the first `len` count. More than one where a letter is folded ("≤" is "<=") or wide.
    pub cells: [Cell; 4],
    /// Cells it takes: 0 for what leaves no trace (a zero-width joiner).
    pub len: u8,
    /// It is one wide letter, whose two cells must stand in one row.
    pub wide: bool,
    /// Nothing draws it: an empty box of one cell stands in its place, or nothing in the place of a combining mark.
    pub missing: bool,
}

impl Drawn {
    fn one(cell: Cell) -> Drawn {
        Drawn { cells: [cell, Cell::BLANK, Cell::BLANK, Cell::BLANK], len: 1, ..Drawn::default() }
    }
}

/// A sign that the layout draws and no letter of a text is drawn as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// ↵, a line break.
    Break,
    /// ⇥, a tab.
    Tab,
    /// ⎵, four blanks.
    Four,
    /// ⟦, the begin of a marker.
    Open,
    /// ⟧, the end of a marker.
    Close,
}

/// In the order of [`Mark`].
const MARKS: [char; 5] = ['↵', '⇥', '⎵', '⟦', '⟧'];
/// What stands in the place of a letter that nothing draws.
const BOX: char = '\u{fffd}';
/// Longest side of a cell, in pixels.
const SIDE: u32 = 64;

/// A primary face and what is tried for letters it lacks, in order.
#[derive(Debug)]
pub struct Faces {
    grid: Grid,
    /// The primary face; beside an outline, what draws the marks of the layout.
    bitmap: &'static Bitmap,
    /// The first is the primary face when the pages are smoothed.
    fonts: Vec<Font>,
    glyphs: Glyphs,
    seen: Seen,
    ascii: [Drawn; 128],
    marks: [Cell; 5],
    empty: Cell,
}

/// A font of the caller, and the pixels of its em.
#[derive(Debug)]
struct Font {
    outline: Outline,
    size: u32,
}

impl Faces {
    /// `font` as [`super::PageShape`] names it; a built-in face, or the name and pixel size of one of `fonts`, which are TrueType or OpenType
    /// files of the caller. The case of an outline font's name does not matter, and where one font alone is given, nor does the name.
    ///
    /// # Errors
    /// [`WrongOption`] for a font that is none, a name nobody bears, or cells that do not hold the face (1 to 64 pixels a side). The cells of an
    /// outline font must hold the smallest built-in face too, which draws the marks of the layout.
    pub fn new(font: &str, cell_width: u32, cell_height: u32, fonts: &[Vec<u8>]) -> Result<Faces, WrongOption> {
        let cells = format!("cells of {cell_width}×{cell_height} pixels");
        if !(1..=SIDE).contains(&cell_width) || !(1..=SIDE).contains(&cell_height) {
            return Err(WrongOption(format!("Pages cannot have {cells}: each side must be 1 to {SIDE}.")));
        }
        let mut outlines = Vec::with_capacity(fonts.len());
        for bytes in fonts {
            let outline = Outline::parse(bytes)?;
            outlines.push(Font { size: outline.fit(cell_width, cell_height), outline });
        }
        let named = Bitmap::named(font);
        if named.is_none() {
            put_first(&mut outlines, font, cell_height)?;
        }
        let smallest = &BITMAPS[BITMAPS.len() - 1];
        let bitmap = named.or_else(|| Bitmap::largest(cell_width, cell_height)).unwrap_or(smallest);
        let Bitmap { name, width, height, .. } = *bitmap;
        if width > cell_width || height > cell_height {
            let needs = format!("The face {name} does not fit into {cells}");
            return Err(WrongOption(format!("{needs}: they must be {width}×{height} or larger.")));
        }
        let grid = Grid { width: cell_width, height: cell_height, depth: if named.is_some() { 1 } else { 4 } };
        let mut faces = Faces {
            grid,
            bitmap,
            fonts: outlines,
            glyphs: Glyphs::new(grid.bytes()),
            seen: Seen::new(),
            ascii: [Drawn::default(); 128],
            marks: [Cell::BLANK; 5],
            empty: Cell::BLANK,
        };
        faces.empty = faces.built_in(BOX).unwrap_or_default();
        faces.marks = MARKS.map(|mark| faces.built_in(mark).unwrap_or_default());
        // Controls are folded to the others, which come first therefore.
        for letter in (b' '..=b'~').chain(0..=0x1f).chain([0x7f]) {
            faces.ascii[usize::from(letter)] = faces.find(char::from(letter));
        }
        Ok(faces)
    }

    /// Bits a pixel: 1 for a bitmap face, 4 for an outline face, which is smoothed.
    pub fn depth(&self) -> u8 {
        self.grid.depth
    }

    /// The cells of a letter of a text.
    pub fn look(&mut self, letter: char) -> Drawn {
        if let Some(&drawn) = self.ascii.get(letter as usize) {
            return drawn;
        }
        if let Some(drawn) = self.seen.get(letter) {
            return drawn;
        }
        let drawn = self.find(letter);
        self.seen.put(letter, drawn);
        drawn
    }

    /// The cell of a mark of the layout. No letter is drawn so but ⟦ and ⟧, which texts must not contain.
    pub fn mark(&self, mark: Mark) -> Cell {
        self.marks[mark as usize]
    }

    /// The letter that a letter and a combining mark make, where a built-in face draws it (`e` and U+0301 are `é`), or where it is of kana or Hangul.
    pub fn compose(&self, letter: char, mark: char) -> Option<char> {
        bitmap::compose(letter, mark).or_else(|| fold::compose(letter, mark))
    }

    /// The pixels of a cell's glyph, row by row from the top, each row begun in a new byte, leftmost pixel in the high bits, ink set. Inversion
    /// is the raster's matter.
    pub fn glyph(&self, cell: Cell) -> &[u8] {
        self.glyphs.get(cell)
    }

    /// The letter that was first drawn as a cell's glyph; a wide letter for its left half, none for its right half. Letters drawn alike (Latin and
    /// Cyrillic A) are one.
    pub fn letter_of(&self, cell: Cell) -> Option<char> {
        self.glyphs.letter(cell)
    }

    /// How a letter is drawn that was not looked up before. What folds comes before the caller's fonts: their quotes and lines are made for wide
    /// cells, and a letter is drawn alike whatever fonts are given.
    fn find(&mut self, letter: char) -> Drawn {
        match letter {
            '⟦' => return Drawn::one(self.mark(Mark::Open)),
            '⟧' => return Drawn::one(self.mark(Mark::Close)),
            BOX => return Drawn::one(self.empty),
            _ if fold::is_nothing(letter) => return Drawn::default(),
            _ if fold::is_mark(letter) => return Drawn { missing: true, ..Drawn::default() },
            _ => {}
        }
        if let Some(folded) = fold::first(letter) {
            return self.folded(folded);
        }
        let missing = Drawn { missing: true, ..Drawn::one(self.empty) };
        if fold::is_shaped(letter) {
            return missing;
        }
        let twin = fold::twin(letter);
        if let Some(drawn) = self.primary(letter).or_else(|| self.primary(twin?)) {
            return drawn;
        }
        if let Some(folded) = fold::ascii(letter) {
            return self.folded(folded);
        }
        if let Some(drawn) = (0..self.fonts.len()).find_map(|font| self.outlined(font, letter)) {
            return drawn;
        }
        // What an outline face lacks the built-in one may have.
        let last = self.built_in(letter).or_else(|| self.built_in(twin?));
        last.map_or(missing, Drawn::one)
    }

    /// By the primary face.
    fn primary(&mut self, letter: char) -> Option<Drawn> {
        if self.grid.depth == 1 { self.built_in(letter).map(Drawn::one) } else { self.outlined(0, letter) }
    }

    /// By the built-in face.
    fn built_in(&mut self, letter: char) -> Option<Cell> {
        let rows = self.bitmap.draw(letter)?;
        Some(self.glyphs.share(&self.grid.place(self.bitmap, &rows), letter))
    }

    /// By a font of the caller.
    fn outlined(&mut self, font: usize, letter: char) -> Option<Drawn> {
        let Font { outline, size } = self.fonts.get(font)?;
        let Grid { width, height, depth } = self.grid;
        if wide::is_wide(letter) {
            let glyph = outline.draw(letter, 2 * width, height, *size, depth)?;
            // Halves are not shared: two letters may have one half in common.
            let left = self.glyphs.add(&self.grid.half(&glyph, false), Some(letter));
            let right = self.glyphs.add(&self.grid.half(&glyph, true), None);
            return Some(Drawn { cells: [left, right, Cell::BLANK, Cell::BLANK], len: 2, wide: true, missing: false });
        }
        let glyph = outline.draw(letter, width, height, *size, depth)?;
        Some(Drawn::one(self.glyphs.share(&glyph, letter)))
    }

    fn folded(&self, folded: fold::Folded) -> Drawn {
        let mut drawn = Drawn::default();
        for (cell, &letter) in drawn.cells.iter_mut().zip(folded.letters()) {
            *cell = self.ascii.get(usize::from(letter)).map_or(Cell::BLANK, |drawn| drawn.cells[0]);
            drawn.len += 1;
        }
        drawn
    }
}

/// Puts the font that `name` names with its size before the others.
fn put_first(fonts: &mut Vec<Font>, name: &str, height: u32) -> Result<(), WrongOption> {
    let (family, size) = name.rsplit_once(' ').unwrap_or((name, ""));
    let alone = fonts.len() == 1;
    let at = fonts.iter().position(|font| alone || font.outline.name().eq_ignore_ascii_case(family.trim()));
    let (Some(at), Ok(size)) = (at, size.parse::<u32>()) else {
        let built_in = BITMAPS.each_ref().map(|face| face.name).join(", ");
        let given = fonts.iter().map(|font| font.outline.name()).collect::<Vec<_>>().join(", ");
        let given = if given.is_empty() { "none" } else { &given };
        let name: String = name.chars().take(80).collect();
        return Err(WrongOption(format!(
            "There is no face \"{name}\". Built in are {built_in}; a font passed in `fonts` goes by its name and pixel size, as in \
             \"JetBrains Mono 14\". Fonts passed: {given}."
        )));
    };
    if !(1..=height).contains(&size) {
        return Err(WrongOption(format!(
            "A font of {size} pixels does not fit into cells {height} high: it must be 1 to {height}."
        )));
    }
    let mut font = fonts.remove(at);
    font.size = size;
    fonts.insert(0, font);
    Ok(())
}
