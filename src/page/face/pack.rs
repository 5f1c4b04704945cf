//! Writes `faces.bin` from the fonts of `embedded-graphics` and from `own.rs`, and checks that it is what it would write:
//! `cargo test --lib page::face::pack::write -- --ignored`.

use super::bitmap::BITMAPS;
use super::own::{OWN, Own};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use embedded_graphics::geometry::{OriginDimensions, Point};
use embedded_graphics::image::GetPixel;
use embedded_graphics::mono_font::mapping::Mapping;
use embedded_graphics::mono_font::{self, MonoFont};
use embedded_graphics::pixelcolor::BinaryColor;
use unicode_normalization::char::compose;

/// Rows from the top, the leftmost pixel in the high bit.
type Rows = Vec<u8>;

/// One font in each of the sets that the crate carries whole.
macro_rules! sets {
    ($font:ident: $($set:ident),*) => { [&mono_font::ascii::$font, $(&mono_font::$set::$font),*] };
    ($font:ident) => {
        sets!(
            $font: iso_8859_1, iso_8859_2, iso_8859_3, iso_8859_4, iso_8859_5, iso_8859_7, iso_8859_9, iso_8859_10, iso_8859_13, iso_8859_14,
            iso_8859_15, iso_8859_16
        )
    };
}

/// In the order of `BITMAPS`.
fn fonts() -> [[&'static MonoFont<'static>; 13]; 5] {
    [sets!(FONT_8X13), sets!(FONT_6X12), sets!(FONT_6X10), sets!(FONT_5X8), sets!(FONT_5X7)]
}

fn rows(font: &MonoFont<'_>, letter: char) -> Rows {
    let (width, height) = (font.character_size.width, font.character_size.height);
    let columns = font.image.size().width / width;
    let number = font.glyph_mapping.index(letter) as u32;
    let (left, top) = (number % columns * width, number / columns * height);
    let ink = |x, y| font.image.pixel(Point::new((left + x) as i32, (top + y) as i32)) == Some(BinaryColor::On);
    (0..height).map(|y| (0..width).filter(|&x| ink(x, y)).fold(0, |row, x| row | 0x80 >> x)).collect()
}

/// What a font draws. Letters that it lacks it draws as a question mark.
fn drawn(sets: &[&MonoFont<'_>]) -> BTreeMap<char, Rows> {
    let mut glyphs = BTreeMap::new();
    for (mapping, font) in Mapping::iter().filter(|&mapping| mapping != Mapping::JisX0201).zip(sets) {
        let unknown = rows(font, '?');
        for letter in mapping.glyph_mapping().chars() {
            let rows = rows(font, letter);
            if rows != unknown || letter == '?' {
                glyphs.insert(letter, rows);
            }
        }
    }
    glyphs
}

fn own(own: &Own, height: usize) -> impl Iterator<Item = (char, Rows)> {
    own.letters.chars().enumerate().map(move |(at, letter)| {
        let art = own.rows.iter().map(|row| {
            let glyph = row.split(' ').nth(at).expect("a glyph a letter");
            glyph.bytes().enumerate().filter(|&(_, ink)| ink == b'#').fold(0, |row, (x, _)| row | 0x80 >> x)
        });
        let mut rows: Rows = core::iter::repeat_n(0, own.top).chain(art).collect();
        assert!(rows.len() <= height, "{letter} is too high for {}", own.face);
        rows.resize(height, 0);
        (letter, rows)
    })
}

/// Every letter that all faces have, and how each draws it.
fn glyphs() -> (Vec<char>, Vec<BTreeMap<char, Rows>>) {
    let mut faces: Vec<_> = fonts().iter().map(|sets| drawn(sets)).collect();
    for (glyphs, face) in faces.iter_mut().zip(&BITMAPS) {
        for more in OWN.iter().filter(|own| own.face == face.name) {
            glyphs.extend(own(more, face.height as usize));
        }
    }
    let mut letters: BTreeSet<char> = faces[0].keys().copied().collect();
    letters.retain(|letter| faces.iter().all(|glyphs| glyphs.contains_key(letter)));
    // A blank and a hyphen by another name: one folds, the other leaves no trace.
    letters.retain(|&letter| letter != '\u{a0}' && letter != '\u{ad}');
    (letters.into_iter().collect(), faces)
}

/// The letter without its mark, and the mark, by canonical composition.
fn bared(letters: &[char]) -> BTreeMap<char, (char, char)> {
    let mut bared = BTreeMap::new();
    for &base in letters {
        for mark in '\u{300}'..='\u{36f}' {
            if let Some(letter) = compose(base, mark) {
                bared.insert(letter, (base, mark));
            }
        }
    }
    bared
}

/// The file, as `bitmap.rs` describes it.
fn pack() -> Vec<u8> {
    let (letters, faces) = glyphs();
    let bared = bared(&letters);
    let number = |letter: char| letters.binary_search(&letter).expect("a letter of the faces");
    let words = |words: &[usize]| -> Vec<u8> {
        words.iter().flat_map(|&word| u16::try_from(word).unwrap().to_le_bytes()).collect()
    };
    let mut runs: Vec<[usize; 2]> = Vec::new();
    for (at, &letter) in letters.iter().enumerate() {
        if at == 0 || letters[at - 1] as u32 + 1 != letter as u32 {
            runs.push([letter as usize, at]);
        }
    }
    let mut file = words(&[letters.len(), runs.len()]);
    file.extend(words(runs.as_flattened()));
    for letter in &letters {
        file.extend(words(&[number(bared.get(letter).map_or(*letter, |&(base, _)| base))]));
    }
    file.extend(letters.iter().map(|letter| bared.get(letter).map_or(0, |&(_, mark)| (mark as u32 - 0x300) as u8)));
    for glyphs in &faces {
        for letter in &letters {
            match bared.get(letter) {
                Some((base, _)) => {
                    file.extend(glyphs[letter].iter().zip(&glyphs[base]).map(|(row, without)| row ^ without))
                }
                None => file.extend(&glyphs[letter]),
            }
        }
    }
    file
}

#[test]
#[ignore = "writes src/page/face/faces.bin"]
fn write() {
    std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/src/page/face/faces.bin"), pack()).expect("written");
}

#[test]
fn the_file_is_what_the_sources_make() {
    assert!(pack() == include_bytes!("faces.bin"), "run: cargo test --lib page::face::pack::write -- --ignored");
}

/// What the tables say is read back as the sources have it.
#[test]
fn every_letter_is_drawn_as_its_source_has_it() {
    let (letters, faces) = glyphs();
    assert!(letters.len() > 500);
    for (face, glyphs) in BITMAPS.iter().zip(&faces) {
        for letter in &letters {
            let rows = face.draw(*letter).expect("a letter of the faces");
            assert_eq!(&rows[..face.height as usize], &glyphs[letter][..], "{letter} in {}", face.name);
        }
    }
    for outside in ['\u{1f}', '\u{7f}', '\u{a0}', '\u{ad}', '\u{3a2}', '中', '\u{10ffff}'] {
        assert_eq!(BITMAPS[0].draw(outside), None, "{outside:?}");
    }
}

/// A letter of a set that a face lacks would be left out of all.
#[test]
fn all_letters_of_the_sets_are_there() {
    let (letters, _) = glyphs();
    let missing: Vec<char> = Mapping::iter()
        .filter(|&mapping| mapping != Mapping::JisX0201)
        .flat_map(|mapping| mapping.glyph_mapping().chars())
        .filter(|letter| !letters.contains(letter))
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    // Delete, two letters that fold, one that is none, one that the set took in after the fonts were drawn.
    assert_eq!(missing, ['\u{7f}', '\u{a0}', '\u{ad}', '\u{3a2}', '\u{3cf}']);
}
