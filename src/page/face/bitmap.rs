//! The built-in faces: X.org's misc fixed fonts, with glyphs of our own drawn over them.
//!
//! `faces.bin` is written by the test `pack::write`. It holds every letter of ASCII and ISO 8859 that the crate `embedded-graphics` 0.8 draws in
//! all five faces (X.org `font-misc-misc`, "Public domain font. Share and enjoy.") and the letters of `own.rs`. All numbers are little-endian:
//!
//! | bytes | what |
//! | --- | --- |
//! | 2, 2 | letters; runs |
//! | 4 a run | runs of letters that follow one another, in order: the first letter, the letters before it |
//! | 2 a letter | number of the letter that it is with a mark taken off; itself when it bears none |
//! | 1 a letter | that mark, counted from U+0300 |
//! | height a letter, face by face | rows from the top, a byte each, the leftmost pixel in the high bit; XOR those of the letter without mark |
//!
//! The XOR is for gzip, which knows nothing of accents: 7.7 KB instead of 8.6.

static FILE: &[u8] = include_bytes!("faces.bin");

/// Most rows of a face.
const ROWS: usize = 13;

/// One face.
#[derive(Debug)]
pub(super) struct Bitmap {
    /// As the caller names it.
    pub name: &'static str,
    /// Pixels, of each letter.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// Rows a letter in the faces that stand before it in the file.
    before: usize,
}

/// Largest first, as they stand in the file.
pub(super) static BITMAPS: [Bitmap; 5] = [
    Bitmap { name: "8x13", width: 8, height: 13, before: 0 },
    Bitmap { name: "6x12", width: 6, height: 12, before: 13 },
    Bitmap { name: "6x10", width: 6, height: 10, before: 25 },
    Bitmap { name: "5x8", width: 5, height: 8, before: 35 },
    Bitmap { name: "5x7", width: 5, height: 7, before: 43 },
];

fn word(at: usize) -> usize {
    match FILE.get(at..at + 2) {
        Some(&[low, high]) => usize::from(low) | usize::from(high) << 8,
        _ => 0,
    }
}

fn letters() -> usize {
    word(0)
}

fn runs() -> usize {
    word(2)
}

/// Where the letters without marks begin.
fn bare() -> usize {
    4 + 4 * runs()
}

/// Number of a letter that the faces have.
fn number(letter: char) -> Option<usize> {
    let letter = letter as usize;
    let (mut low, mut high) = (0, runs());
    while low < high {
        let middle = (low + high) / 2;
        if word(4 + 4 * middle) <= letter {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    let run = low.checked_sub(1)?;
    let number = word(6 + 4 * run) + letter - word(4 + 4 * run);
    let next = if low < runs() { word(6 + 4 * low) } else { letters() };
    (number < next).then_some(number)
}

/// The letter of a number.
fn letter(number: usize) -> Option<char> {
    let run = (0..runs()).rev().find(|run| word(6 + 4 * run) <= number)?;
    char::from_u32((word(4 + 4 * run) + number - word(6 + 4 * run)) as u32)
}

/// What a letter is without its mark, by numbers: the other letter and the mark from U+0300.
fn bared(number: usize) -> Option<(usize, u8)> {
    let bare_number = word(bare() + 2 * number);
    let mark = *FILE.get(bare() + 2 * letters() + number)?;
    (bare_number != number).then_some((bare_number, mark))
}

/// The letter that a letter and a combining mark make, where the faces have it.
pub(super) fn compose(base: char, mark: char) -> Option<char> {
    let mark = u8::try_from((mark as u32).checked_sub(0x300)?).ok()?;
    let base = number(base)?;
    (0..letters()).find(|&number| bared(number) == Some((base, mark))).and_then(letter)
}

impl Bitmap {
    /// The face of a name.
    pub fn named(name: &str) -> Option<&'static Bitmap> {
        BITMAPS.iter().find(|face| face.name == name)
    }

    /// The largest that cells of this size hold.
    pub fn largest(width: u32, height: u32) -> Option<&'static Bitmap> {
        BITMAPS.iter().find(|face| face.width <= width && face.height <= height)
    }

    /// Rows from the top, the leftmost pixel in the high bit.
    pub fn draw(&self, letter: char) -> Option<[u8; ROWS]> {
        let mut number = number(letter)?;
        let mut rows = [0; ROWS];
        let height = self.height as usize;
        // Two marks are the most a letter here bears.
        for _ in 0..3 {
            let at = bare() + letters() * (3 + self.before) + number * height;
            for (row, &more) in rows.iter_mut().zip(FILE.get(at..at + height)?) {
                *row ^= more;
            }
            match bared(number) {
                Some((bare, _)) => number = bare,
                None => break,
            }
        }
        Some(rows)
    }
}
