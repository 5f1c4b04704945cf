//! What was drawn, and what was looked up.

use super::{Cell, Drawn};
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

/// Glyphs of one size, each kept once.
#[derive(Debug)]
pub(super) struct Glyphs {
    /// Bytes a glyph; at least 1.
    size: usize,
    /// One after the other, the blank first.
    pixels: Vec<u8>,
    /// Of each the letter first drawn so; none for a right half.
    letters: Vec<Option<char>>,
    /// Hash of a glyph → its number. Of two with one hash the first is found, and the second is not shared.
    known: BTreeMap<u64, u32>,
}

impl Glyphs {
    /// None but the blank.
    pub fn new(size: usize) -> Glyphs {
        let mut glyphs = Glyphs { size: size.max(1), pixels: Vec::new(), letters: Vec::new(), known: BTreeMap::new() };
        glyphs.share(&vec![0; size], ' ');
        glyphs
    }

    /// The pixels of a cell; a blank's for a number that no glyph has.
    pub fn get(&self, cell: Cell) -> &[u8] {
        let at = cell.glyph().saturating_mul(self.size);
        let glyph = self.pixels.get(at..at.saturating_add(self.size));
        glyph.or(self.pixels.get(..self.size)).unwrap_or_default()
    }

    /// The letter of a cell.
    pub fn letter(&self, cell: Cell) -> Option<char> {
        self.letters.get(cell.glyph()).copied().flatten()
    }

    /// A glyph more.
    pub fn add(&mut self, glyph: &[u8], letter: Option<char>) -> Cell {
        let cell = Cell(self.letters.len() as u32);
        let end = self.pixels.len() + self.size;
        self.pixels.extend(glyph.iter().take(self.size));
        // A font that drew less than a glyph.
        self.pixels.resize(end, 0);
        self.letters.push(letter);
        cell
    }

    /// A glyph, which letters drawn alike share.
    pub fn share(&mut self, glyph: &[u8], letter: char) -> Cell {
        let hash = hash(glyph);
        if let Some(&known) = self.known.get(&hash) {
            if self.get(Cell(known)) == glyph {
                return Cell(known);
            }
            return self.add(glyph, Some(letter));
        }
        let cell = self.add(glyph, Some(letter));
        self.known.insert(hash, cell.0);
        cell
    }
}

/// FNV-1a.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Letters of a block.
const BLOCK: usize = 256;

/// Letter → how it is drawn, without a search: blocks of letters, each made when the first of it is looked up. At most 4.4 MB of blocks for all of
/// Unicode, and an entry for each way to be drawn.
#[derive(Debug)]
pub(super) struct Seen {
    /// Of each block where its slots are, in blocks; 0 for none.
    blocks: Vec<u16>,
    /// Number of an entry of `drawn`, plus 1; 0 for none.
    slots: Vec<u32>,
    drawn: Vec<Drawn>,
}

impl Seen {
    /// Nothing.
    pub fn new() -> Seen {
        Seen { blocks: vec![0; 0x11_0000 / BLOCK], slots: vec![0; BLOCK], drawn: Vec::new() }
    }

    /// How a letter is drawn, if it was looked up before.
    pub fn get(&self, letter: char) -> Option<Drawn> {
        let letter = letter as usize;
        let block = usize::from(*self.blocks.get(letter / BLOCK)?);
        let slot = *self.slots.get(block * BLOCK + letter % BLOCK)?;
        self.drawn.get((slot as usize).checked_sub(1)?).copied()
    }

    /// Entries kept.
    #[cfg(test)]
    pub fn ways(&self) -> usize {
        self.drawn.len()
    }

    /// Keeps how a letter is drawn.
    pub fn put(&mut self, letter: char, drawn: Drawn) {
        let letter = letter as usize;
        let Some(block) = self.blocks.get_mut(letter / BLOCK) else { return };
        if *block == 0 {
            *block = (self.slots.len() / BLOCK) as u16;
            self.slots.resize(self.slots.len() + BLOCK, 0);
        }
        // Letters that nothing draws are many and alike.
        if self.drawn.last() != Some(&drawn) {
            self.drawn.push(drawn);
        }
        let len = self.drawn.len() as u32;
        if let Some(slot) = self.slots.get_mut(usize::from(*block) * BLOCK + letter % BLOCK) {
            *slot = len;
        }
    }
}
