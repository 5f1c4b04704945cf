//! Text → rows of cells, page by page.
//!
//! Text runs through the grid without regard to words. A line break and a tab are a cell each; four blanks in a row are one, so indentation
//! costs little and comes back exactly: `⎵⎵··` is ten blanks. What stands in a marker is white on black, up to the end of its line at most.
//!
//! Where a cell stands depends only on what comes before it, with one exception: how many blanks follow decides whether four of them are one
//! cell. So texts that are counted apart and drawn as one, and text to which more is appended, must end with a line break.

mod plain;

use super::face::{Cell, Drawn, Faces, Mark};
use super::transcript::{CLOSE, OPEN};
use alloc::string::String;
use alloc::vec::Vec;

/// What is asked of a face. Every printable ASCII letter must be one cell and never missing.
pub trait Look {
    /// The cells of a letter; none for a combining mark, which is missing when nothing could compose it.
    fn look(&mut self, letter: char) -> Drawn;
    /// The letter that a letter and a combining mark make, where the face draws it.
    fn compose(&self, letter: char, mark: char) -> Option<char>;
    /// The cell of a sign that stands for white space, or that bounds a marker.
    fn mark(&self, mark: Mark) -> Cell;
}

impl Look for Faces {
    fn look(&mut self, letter: char) -> Drawn {
        self.look(letter)
    }
    fn compose(&self, letter: char, mark: char) -> Option<char> {
        self.compose(letter, mark)
    }
    fn mark(&self, mark: Mark) -> Cell {
        self.mark(mark)
    }
}

/// The next thing in a text that gets cells: a letter with its combining marks, four blanks, a line break.
struct Step {
    drawn: Drawn,
    /// What it takes of the text.
    bytes: usize,
    letters: u32,
    missing: u32,
}

impl Step {
    fn mark(cell: Cell, letters: u32) -> Step {
        let drawn = Drawn { cells: [cell; 4], len: 1, wide: false, missing: false };
        Step { drawn, bytes: letters as usize, letters, missing: 0 }
    }

    /// `lost` is told each letter that nothing draws.
    fn next(text: &str, faces: &mut impl Look, mut lost: impl FnMut(char)) -> Option<Step> {
        let mut letters = text.chars();
        let first = letters.next()?;
        match first {
            '\n' => return Some(Step::mark(faces.mark(Mark::Break), 1)),
            '\t' => return Some(Step::mark(faces.mark(Mark::Tab), 1)),
            ' ' if text.starts_with("    ") => return Some(Step::mark(faces.mark(Mark::Four), 4)),
            ' ' => return Some(Step::mark(Cell::BLANK, 1)),
            OPEN | CLOSE => {
                let cell = faces.mark(if first == OPEN { Mark::Open } else { Mark::Close });
                return Some(Step { bytes: first.len_utf8(), ..Step::mark(cell, 1) });
            }
            _ => {}
        }
        let mut step = Step { drawn: Drawn::default(), bytes: 0, letters: 1, missing: 0 };
        let mut letter = first;
        let mut rest = letters.as_str();
        // The first combining mark of all is U+0300. One that no letter takes is passed over, so those behind it still find theirs.
        while let Some(mark) = letters.next().filter(|mark| *mark >= '\u{300}') {
            if let Some(composed) = faces.compose(letter, mark) {
                letter = composed;
            } else {
                let drawn = faces.look(mark);
                if !(drawn.missing && drawn.len == 0) {
                    break;
                }
                step.missing += 1;
                lost(mark);
            }
            step.letters += 1;
            rest = letters.as_str();
        }
        step.drawn = faces.look(letter);
        if step.drawn.missing {
            step.missing += 1;
            lost(letter);
        }
        step.bytes = text.len() - rest.len();
        Some(step)
    }

    /// Cells that must stand in one row and do not fit behind `column` cells: how many blanks take it to the next.
    fn pad(&self, column: u64, columns: u64) -> u64 {
        let len = u64::from(self.drawn.len);
        if self.drawn.wide && len <= columns && column + len > columns { columns - column } else { 0 }
    }
}

/// What a text takes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Cells, those that pad a row included.
    pub cells: u64,
    /// Code points.
    pub letters: u64,
    /// Those of them that nothing draws.
    pub missing: u64,
    /// There are wide letters, so that `cells` depends on where the text begins.
    pub wide: bool,
    /// The first of the letters that nothing draws, none twice.
    pub lost: String,
}

impl Count {
    /// Different letters that `lost` holds at most.
    pub const LOST: usize = 32;

    /// Counts another text behind this one.
    pub fn add(&mut self, other: &Count) {
        self.cells += other.cells;
        self.letters += other.letters;
        self.missing += other.missing;
        self.wide |= other.wide;
        if !other.lost.is_empty() && has_room(&self.lost) {
            other.lost.chars().for_each(|letter| remember(&mut self.lost, letter));
        }
    }
}

fn has_room(lost: &str) -> bool {
    lost.chars().count() < Count::LOST
}

fn remember(lost: &mut String, letter: char) {
    if has_room(lost) && !lost.contains(letter) {
        lost.push(letter);
    }
}

/// Measures a text that begins behind `at` cells in rows of `columns` (at least 1), without keeping any cell. ASCII goes at a gigabyte a second
/// or more.
pub fn count(text: &str, faces: &mut impl Look, columns: u32, at: u64) -> Count {
    let columns = u64::from(columns.max(1));
    let mut count = Count::default();
    let mut rest = text;
    loop {
        let (letters, cells) = plain::count(rest.as_bytes());
        rest = rest.get(letters..).unwrap_or_default();
        count.cells += cells;
        count.letters += letters as u64;
        let Some(step) = Step::next(rest, faces, |letter| remember(&mut count.lost, letter)) else { break };
        rest = rest.get(step.bytes..).unwrap_or_default();
        count.cells += step.pad((at + count.cells) % columns, columns) + u64::from(step.drawn.len);
        count.letters += u64::from(step.letters);
        count.missing += u64::from(step.missing);
        count.wide |= step.drawn.wide;
    }
    count
}

/// What a page holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filled {
    /// Rows in use, the last of them perhaps in part; at least 1.
    pub rows: u32,
    /// Code points of the text whose first cell stands on the page.
    pub chars: u32,
}

/// How far a text has flowed; what is kept of a flow where the text cannot be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Bytes of the text that are laid.
    at: usize,
    /// Within a marker.
    marker: bool,
    /// The cells of the last letter. A page that had room for some of them only leaves the others, `held[from..to]`, to the next.
    held: [Cell; 4],
    from: u8,
    to: u8,
    /// Cells of the next page that other text takes.
    taken: u32,
}

impl Place {
    /// At the beginning of a text that stands behind another, which takes so many cells of the page.
    pub fn behind(taken: u32) -> Place {
        Place { taken, ..Place::default() }
    }
    fn hold(&mut self, drawn: &Drawn) {
        let marker = self.marker;
        self.held = drawn.cells.map(|cell| if marker { cell.inverse() } else { cell });
        (self.from, self.to) = (0, drawn.len);
    }

    /// Lays what is held, as far as there is room.
    fn lay(&mut self, room: usize, cells: &mut Vec<Cell>) {
        let held = self.held.get(self.from.into()..self.to.into()).unwrap_or_default();
        let before = cells.len();
        cells.extend(held.iter().take(room.saturating_sub(before)));
        self.from += (cells.len() - before) as u8;
    }
}

/// A text on its way through pages.
#[derive(Clone, Debug)]
pub struct Flow<'a> {
    text: &'a str,
    columns: u32,
    place: Place,
}

impl<'a> Flow<'a> {
    /// At the beginning of a text, in rows of `columns` (at least 1).
    pub fn new(text: &'a str, columns: u32) -> Flow<'a> {
        Flow::resume(text, columns, Place::default())
    }

    /// Where an earlier flow of the same text in the same columns was.
    pub fn resume(text: &'a str, columns: u32, place: Place) -> Flow<'a> {
        Flow { text, columns: columns.max(1), place }
    }

    /// How far it is.
    pub fn place(&self) -> Place {
        self.place
    }

    /// Fills `cells` with the next page of at most `rows` rows (at least 1), row after row; the last row ends where the text does. `None` at
    /// the end of the text.
    pub fn page(&mut self, faces: &mut impl Look, rows: u32, cells: &mut Vec<Cell>) -> Option<Filled> {
        let columns = self.columns as usize;
        let room = columns.saturating_mul(rows.max(1) as usize);
        let table = plain::Table::new(faces);
        let place = &mut self.place;
        let mut chars = 0;
        cells.clear();
        cells.extend((0..core::mem::take(&mut place.taken)).map(|_| Cell::BLANK));
        place.lay(room, cells);
        while place.from >= place.to {
            if !place.marker {
                let letters = table.fill(self.text.as_bytes().get(place.at..).unwrap_or_default(), room, cells);
                place.at += letters;
                chars += letters as u32;
            }
            let rest = self.text.get(place.at..).unwrap_or_default();
            let Some(step) = Step::next(rest, faces, |_| {}) else { break };
            let pad = step.pad((cells.len() % columns) as u64, columns as u64);
            cells.extend((0..pad).map(|_| Cell::BLANK));
            // What takes no cell goes with what stands before it.
            if cells.len() >= room && step.drawn.len > 0 {
                break;
            }
            let first = rest.chars().next();
            place.marker = first == Some(OPEN) || place.marker && first != Some('\n');
            place.hold(&step.drawn);
            place.lay(room, cells);
            place.marker &= first != Some(CLOSE);
            place.at += step.bytes;
            chars += step.letters;
        }
        (!cells.is_empty()).then(|| Filled { rows: cells.len().div_ceil(columns) as u32, chars })
    }
}

#[cfg(test)]
mod tests;
