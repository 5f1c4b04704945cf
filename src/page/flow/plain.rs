//! Runs of ASCII: most of what conversations hold. Here each letter is a cell, and four blanks are one.

use super::{Look, Mark};
use crate::page::face::Cell;
use alloc::vec::Vec;

/// A byte in each of eight places.
const fn each(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}
const HIGH: u64 = each(0x80);

/// In the high bit of each byte: whether it is `byte`. No byte of `word` may have its own set.
const fn equal(word: u64, byte: u8) -> u64 {
    (HIGH - (word ^ each(byte))) & HIGH
}

/// Bytes that can be counted blindly at the beginning, and their cells: printable ASCII, line breaks and tabs, but not the letter that a
/// combining mark may follow.
pub fn count(text: &[u8]) -> (usize, u64) {
    let (mut at, mut fours, mut run) = (0, 0, 0u32);
    // By words of eight bytes: a long run of text without two blanks together is the rule.
    while let Some(word) = text.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*word);
        if word & HIGH != 0 {
            break;
        }
        let printable = (word + each(0x80 - 0x20)) & !(word + each(1)) & HIGH;
        if printable | equal(word, b'\n') | equal(word, b'\t') != HIGH {
            break;
        }
        let blank = equal(word, b' ');
        if blank == HIGH {
            fours += 2;
        } else if blank & (blank << 8) == 0 && (run == 0 || blank & 0x80 == 0) {
            run = (blank >> 63) as u32;
        } else {
            for place in 0..8 {
                run = (run + 1) * (blank >> (8 * place + 7) & 1) as u32;
                fours += u64::from(run / 4);
                run %= 4;
            }
        }
        at += 8;
    }
    while let Some(byte @ (b' '..=b'~' | b'\n' | b'\t')) = text.get(at) {
        run = if *byte == b' ' { run + 1 } else { 0 };
        fours += u64::from(run / 4);
        run %= 4;
        at += 1;
    }
    // What follows may be a combining mark that changes the letter before it.
    let open = text.get(at).is_some_and(|next| !next.is_ascii());
    if open && at.checked_sub(1).and_then(|last| text.get(last)).is_some_and(u8::is_ascii_graphic) {
        at -= 1;
    }
    (at, at as u64 - 3 * fours)
}

/// The cells of ASCII.
pub struct Table {
    cells: [Cell; 128],
    four: Cell,
}

impl Table {
    pub fn new(faces: &mut impl Look) -> Table {
        let mut cells = [Cell::BLANK; 128];
        for (letter, cell) in (0u8..).zip(&mut cells).filter(|(letter, _)| letter.is_ascii_graphic()) {
            let [first, ..] = faces.look(letter.into()).cells;
            *cell = first;
        }
        for (letter, mark) in [(b'\n', Mark::Break), (b'\t', Mark::Tab)] {
            cells[usize::from(letter)] = faces.mark(mark);
        }
        Table { cells, four: faces.mark(Mark::Four) }
    }

    /// Lays what [`count`] would count blindly, up to `room` cells in all, and returns how many bytes that is.
    pub fn fill(&self, text: &[u8], room: usize, cells: &mut Vec<Cell>) -> usize {
        let mut at = 0;
        while cells.len() < room {
            let (cell, bytes) = match text.get(at..) {
                Some([b' ', b' ', b' ', b' ', ..]) => (self.four, 4),
                Some([letter @ (b' ' | b'\n' | b'\t'), ..]) => (self.cells[usize::from(*letter)], 1),
                Some([letter @ b'!'..=b'~']) => (self.cells[usize::from(*letter)], 1),
                Some([letter @ b'!'..=b'~', next, ..]) if next.is_ascii() => (self.cells[usize::from(*letter)], 1),
                _ => break,
            };
            cells.push(cell);
            at += bytes;
        }
        at
    }
}
