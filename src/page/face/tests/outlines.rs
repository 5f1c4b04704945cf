//! Fonts of the caller, as a primary face and beside one.

use super::super::outline::Outline;
use super::{ALL, cell, text};
use crate::page::face::{Cell, Drawn, Faces};
use alloc::vec::Vec;
use font_test_data::{NOTOSERIFTC_AUTOHINT_METRICS, TINOS_SUBSET};

/// Some Chinese letters, all wide.
fn chinese() -> Vec<u8> {
    NOTOSERIFTC_AUTOHINT_METRICS.to_vec()
}

/// A blank, A, B, a and b.
fn latin() -> Vec<u8> {
    TINOS_SUBSET.to_vec()
}

fn levels(faces: &Faces, cell: Cell) -> Vec<u8> {
    faces.glyph(cell).iter().flat_map(|byte| [byte >> 4, byte & 15]).collect()
}

#[test]
fn a_wide_letter_is_two_cells() {
    let mut faces = Faces::new("8x13", 20, 40, &[latin(), chinese()]).unwrap();
    assert_eq!(faces.depth(), 1);
    let drawn = faces.look('主');
    assert!(drawn.wide && !drawn.missing && drawn.len == 2, "{drawn:?}");
    let [left, right, ..] = drawn.cells;
    assert_eq!((faces.letter_of(left), faces.letter_of(right)), (Some('主'), None));
    let font = Outline::parse(&chinese()).unwrap();
    let whole = font.draw('主', 40, 40, font.fit(20, 40), 1).unwrap();
    assert!(whole.iter().map(|ink| ink.count_ones()).sum::<u32>() > 50);
    // 20 bits and 20 bits, each begun in a new byte, are 40 bits.
    let halves = faces.glyph(left).chunks(3).zip(faces.glyph(right).chunks(3));
    let joined = halves.flat_map(|(left, right)| {
        [left[0], left[1], left[2] | right[0] >> 4, right[0] << 4 | right[1] >> 4, right[1] << 4 | right[2] >> 4]
    });
    assert_eq!(joined.collect::<Vec<u8>>(), whole);
    assert_eq!(faces.look('主'), drawn);
    // Each has its own halves.
    assert_ne!(faces.look('事').cells, drawn.cells);
    assert!(faces.look('中').missing, "not in the font");
}

#[test]
fn fonts_draw_nothing_that_the_face_or_a_fold_does() {
    let mut alone = Faces::new("8x13", 8, 16, &[]).unwrap();
    let mut beside = Faces::new("8x13", 8, 16, &[latin(), chinese()]).unwrap();
    for letter in ['A', 'b', 'é', '≤', '，', '\u{a0}', '—'] {
        assert_eq!(text(&mut alone, letter), text(&mut beside, letter));
        let (mine, yours) = (alone.look(letter).cells[0], beside.look(letter).cells[0]);
        assert_eq!(alone.glyph(mine), beside.glyph(yours));
    }
}

#[test]
fn an_outline_face_is_smoothed_and_the_built_in_one_helps() {
    let mut faces = Faces::new("Tinos 14", 9, 16, &[chinese(), latin()]).unwrap();
    assert_eq!(faces.depth(), 4);
    let smooth = cell(&mut faces, 'A');
    assert_eq!(faces.glyph(smooth).len(), 5 * 16);
    assert!(levels(&faces, smooth).iter().any(|level| !matches!(level, 0 | 15)));
    assert_eq!(cell(&mut faces, ' '), Cell::BLANK);
    for letter in ['c', '0', 'é', 'Ж', '→', '—', '\u{fffd}'] {
        let cell = cell(&mut faces, letter);
        let levels = levels(&faces, cell);
        assert!(levels.contains(&15) && levels.iter().all(|level| matches!(level, 0 | 15)), "{letter}");
    }
    assert_eq!(text(&mut faces, '≤'), "<=");
    let drawn = faces.look('主');
    assert!(drawn.wide && drawn.len == 2);
    assert_eq!(faces.letter_of(drawn.cells[0]), Some('主'));
    let empty = cell(&mut faces, '\u{fffd}');
    assert_eq!(faces.look('中'), Drawn { missing: true, ..Drawn::one(empty) });
    for mark in ALL {
        assert!(faces.glyph(faces.mark(mark)).iter().any(|&ink| ink != 0));
    }
}

#[test]
fn built_in_glyphs_grow_with_the_cells_of_an_outline() {
    let mut small = Faces::new("Tinos 13", 8, 13, &[latin()]).unwrap();
    let mut large = Faces::new("Tinos 30", 20, 40, &[latin()]).unwrap();
    let ink = |faces: &mut Faces| {
        let cell = cell(faces, '0');
        levels(faces, cell).iter().filter(|&&level| level == 15).count()
    };
    // Twice as large both ways.
    assert_eq!(ink(&mut large), 4 * ink(&mut small));
}

#[test]
fn outline_fonts_are_named_with_their_size() {
    let both = [latin(), chinese()];
    assert!(Faces::new("tInOS 14", 9, 16, &both).is_ok());
    assert!(Faces::new("Noto Serif TC 16", 8, 16, &both).is_ok_and(|mut faces| faces.look('主').wide));
    assert!(Faces::new("Whatever 14", 9, 16, &both[..1]).is_ok(), "one font alone needs no name");
    let wrong = |font: &str, width, height| Faces::new(font, width, height, &both).unwrap_err().0;
    for font in ["Tinos", "Tinos x", "Tinos 14.5", "Tinos -1", "Serif 14", "14", ""] {
        assert!(wrong(font, 9, 16).ends_with("Fonts passed: Tinos, Noto Serif TC."), "{}", wrong(font, 9, 16));
    }
    for font in ["Tinos 0", "Tinos 17", "Tinos 4294967295"] {
        assert!(wrong(font, 9, 16).contains("it must be 1 to 16"), "{font}");
    }
    assert_eq!(
        wrong("Tinos 6", 4, 6),
        "The face 5x7 does not fit into cells of 4×6 pixels: they must be 5×7 or larger."
    );
}
