//! A letter → cells.

use crate::message::WrongOption;
use alloc::vec::Vec;

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
    /// Its cells; the first `len` count. More than one where a letter is folded ("…" is three dots) or wide.
    pub cells: [Cell; 4],
    /// Cells it takes: 0 for what leaves no trace (a zero-width joiner).
    pub len: u8,
    /// It is one wide letter, whose two cells must stand in one row.
    pub wide: bool,
    /// Nothing draws it: an empty box stands in its place.
    pub missing: bool,
}

/// A primary face and what is tried for letters it lacks, in order.
#[derive(Debug)]
pub struct Faces {}

impl Faces {
    /// `font` as [`super::PageShape`] names it; a built-in face, or the name and pixel size of one of `fonts`, which are TrueType or OpenType
    /// files of the caller.
    ///
    /// # Errors
    /// [`WrongOption`] for a font that is none, a name nobody bears, or cells that do not hold the face (1 to 64 pixels a side).
    pub fn new(font: &str, cell_width: u32, cell_height: u32, fonts: &[Vec<u8>]) -> Result<Faces, WrongOption> {
        let _ = (font, cell_width, cell_height, fonts);
        todo!()
    }
    /// Bits a pixel: 1 for a bitmap face, 4 for an outline face, which is smoothed.
    pub fn depth(&self) -> u8 {
        todo!()
    }
    /// The cells of a letter.
    pub fn look(&mut self, letter: char) -> Drawn {
        let _ = letter;
        todo!()
    }
    /// The letter that a letter and a combining mark make, where a face draws it: `e` and U+0301 are `é`.
    pub fn compose(&self, letter: char, mark: char) -> Option<char> {
        let _ = (letter, mark);
        None
    }
    /// The pixels of a cell's glyph, row by row from the top, each row begun in a new byte, leftmost pixel in the high bits, ink set. Inversion
    /// is the raster's matter.
    pub fn glyph(&self, cell: Cell) -> &[u8] {
        let _ = cell;
        todo!()
    }
}
