//! Letters and cells.

mod outlines;

use super::bitmap::BITMAPS;
use super::{Cell, Drawn, Faces, Mark, fold, wide};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use unicode_normalization::char::compose;

const ALL: [Mark; 5] = [Mark::Break, Mark::Tab, Mark::Four, Mark::Open, Mark::Close];

/// Each built-in face in cells of its own size.
fn built_in() -> impl Iterator<Item = Faces> {
    BITMAPS.iter().map(|face| Faces::new(face.name, face.width, face.height, &[]).unwrap())
}

fn smallest() -> Faces {
    Faces::new("5x7", 5, 7, &[]).unwrap()
}

/// The one cell of a letter.
fn cell(faces: &mut Faces, letter: char) -> Cell {
    let drawn = faces.look(letter);
    assert!(drawn.len == 1 && !drawn.missing && !drawn.wide, "{letter:?}: {drawn:?}");
    drawn.cells[0]
}

/// What a letter is drawn as, in letters.
fn text(faces: &mut Faces, letter: char) -> String {
    let Drawn { cells, len, .. } = faces.look(letter);
    cells[..usize::from(len)].iter().map(|&cell| faces.letter_of(cell).unwrap()).collect()
}

/// Pixels that differ between two letters.
fn apart(faces: &mut Faces, one: char, other: char) -> u32 {
    let (one, other) = (cell(faces, one), cell(faces, other));
    faces.glyph(one).iter().zip(faces.glyph(other)).map(|(one, other)| (one ^ other).count_ones()).sum()
}

#[test]
fn letters_that_readers_mix_up_are_apart() {
    for mut faces in built_in() {
        for (one, other, least) in [
            ('0', 'O', 2),
            ('0', '8', 2),
            ('0', 'o', 2),
            ('1', 'l', 3),
            ('1', 'I', 3),
            ('l', 'I', 3),
            ('l', '|', 3),
            ('5', 'S', 3),
        ] {
            let apart = apart(&mut faces, one, other);
            assert!(apart >= least, "{one} and {other} differ by {apart} in {}", faces.bitmap.name);
        }
    }
}

/// So that pages can be read back: by a model, and by the tests of pages.
#[test]
fn no_two_letters_of_ascii_nor_signs_of_the_layout_are_alike() {
    for mut faces in built_in() {
        let mut seen = BTreeMap::new();
        let marks = ALL.map(|mark| (faces.mark(mark), 'M'));
        let text = (' '..='~')
            .chain("\u{fffd}←→↑↓✓✗•…―".chars())
            .map(|letter| (cell(&mut faces, letter), letter))
            .collect::<Vec<_>>();
        for (cell, letter) in text.into_iter().chain(marks) {
            if let Some(other) = seen.insert(faces.glyph(cell).to_vec(), letter) {
                panic!("{letter} is {other} in {}", faces.bitmap.name);
            }
        }
        assert!(faces.glyph(Cell::BLANK).iter().all(|&ink| ink == 0));
        assert_eq!(cell(&mut faces, ' '), Cell::BLANK);
    }
}

#[test]
fn letters_drawn_alike_share_a_cell_and_are_read_as_the_first() {
    let mut faces = Faces::new("8x13", 8, 16, &[]).unwrap();
    assert_eq!(cell(&mut faces, 'А'), cell(&mut faces, 'A'));
    assert_eq!(cell(&mut faces, '—'), cell(&mut faces, '―'));
    assert_eq!((text(&mut faces, 'А'), text(&mut faces, '✅')), ("A".into(), "✓".into()));
    assert_ne!(cell(&mut faces, 'Я'), cell(&mut faces, 'R'));
    assert_eq!(faces.letter_of(Cell(u32::MAX)), None);
    let q = cell(&mut faces, 'q');
    assert_eq!(faces.letter_of(q.inverse()), Some('q'));
    assert_eq!(faces.glyph(q.inverse()), faces.glyph(q));
}

#[test]
fn a_look_at_a_letter_does_not_change_with_what_was_looked_at() {
    let letters = ['é', 'ж', '≤', '中', '\u{301}', 'Ω', 'é', '⅓', '中', 'ж', '\u{10ffff}'];
    let (mut one, mut other) = (smallest(), smallest());
    for letter in letters {
        assert_eq!(one.look(letter), one.look(letter));
    }
    for letter in letters.into_iter().rev() {
        let (mine, yours) = (one.look(letter), other.look(letter));
        assert_eq!((mine.len, mine.missing), (yours.len, yours.missing));
        for (mine, yours) in mine.cells.into_iter().zip(yours.cells) {
            assert_eq!(one.glyph(mine), other.glyph(yours));
        }
    }
}

#[test]
fn the_marks_of_the_layout_are_no_letters_of_a_text() {
    let mut faces = smallest();
    assert_eq!(text(&mut faces, '↵'), "<-'");
    assert_eq!(text(&mut faces, '⇥'), "->|");
    assert_eq!(text(&mut faces, '⎵'), "|_|");
    let marks: Vec<Cell> = ALL.into_iter().map(|mark| faces.mark(mark)).collect();
    let letters: Vec<char> =
        (0..=0x2_ffff).filter_map(char::from_u32).filter(|&letter| letter != '⟦' && letter != '⟧').collect();
    for letter in letters {
        let drawn = faces.look(letter);
        assert!(drawn.cells.iter().all(|cell| !marks.contains(cell)), "{letter:?}");
        assert!(drawn.len > 0 || drawn.missing || fold::is_nothing(letter), "{letter:?}");
    }
    assert_eq!(cell(&mut faces, '⟦'), faces.mark(Mark::Open));
    assert_eq!(cell(&mut faces, '⟧'), faces.mark(Mark::Close));
}

#[test]
fn folds_are_ascii_and_of_letters_that_no_face_draws() {
    let mut seen = Vec::new();
    for (folded, letters) in fold::FOLDS {
        assert!(
            (1..=4).contains(&folded.len()) && folded.bytes().all(|letter| (b' '..=b'~').contains(&letter)),
            "{folded}"
        );
        assert!(!letters.is_empty());
        seen.extend(letters.chars());
    }
    for (twin, letters) in fold::TWINS {
        assert!(BITMAPS[0].draw(*twin).is_some(), "{twin} is not drawn");
        seen.extend(letters.chars());
    }
    for letter in &seen {
        assert!(!letter.is_ascii() && BITMAPS[0].draw(*letter).is_none(), "{letter} is drawn");
        assert!(fold::first(*letter).is_none() && !fold::is_nothing(*letter) && !fold::is_mark(*letter), "{letter}");
    }
    let times = seen.len();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), times, "a letter stands twice");
    for letter in (0..=0x10_ffff).filter_map(char::from_u32) {
        if let Some(folded) = fold::first(letter).or_else(|| fold::ascii(letter)) {
            assert!(!matches!(letter, ' '..='~'), "{letter}");
            assert!((1..=4).contains(&folded.letters().len()), "{letter:?}");
            assert!(folded.letters().iter().all(|letter| (b' '..=b'~').contains(letter)), "{letter:?}");
        }
    }
}

#[test]
fn folds_keep_the_meaning() {
    let mut faces = smallest();
    for (letter, folded) in [
        ('\u{1b}', "^["),
        ('\0', "^@"),
        ('\u{7f}', "^?"),
        ('\u{85}', "\\x85"),
        ('\u{9c}', "\\x9c"),
        ('\u{a0}', " "),
        ('\u{3000}', " "),
        ('\u{2028}', " "),
        ('Ａ', "A"),
        ('～', "~"),
        ('²', "²"),
        ('⁰', "^0"),
        ('⁴', "^4"),
        ('ⁿ', "^n"),
        ('₀', "_0"),
        ('₃', "_3"),
        ('₎', "_)"),
        ('①', "(1)"),
        ('⑨', "(9)"),
        ('⑩', "(10)"),
        ('⑲', "(19)"),
        ('⅓', " 1/3"),
        ('─', "-"),
        ('╬', "+"),
        ('║', "|"),
        ('╱', "/"),
        ('≤', "<="),
        ('ﬃ', "ffi"),
        ('→', "→"),
        ('“', "“"),
        ('″', "\""),
    ] {
        assert_eq!(text(&mut faces, letter), folded, "{letter:?}");
    }
}

#[test]
fn what_nothing_draws_is_an_empty_box_and_counted() {
    let mut faces = smallest();
    let empty = cell(&mut faces, '\u{fffd}');
    // A wide letter too: two boxes would say no more. Controls of direction are shown.
    for letter in ['中', 'ب', 'א', 'क', '🎉', '\u{202e}', '\u{2067}', '†', '\u{10ffff}', '\u{e0041}', 'ế'] {
        assert_eq!(faces.look(letter), Drawn { missing: true, ..Drawn::one(empty) }, "{letter:?}");
    }
    for mark in ['\u{301}', '\u{20e3}', '\u{5b4}', '\u{64e}', '\u{fe20}', '\u{3099}'] {
        assert_eq!(faces.look(mark), Drawn { missing: true, ..Drawn::default() }, "{mark:?}");
    }
    for nothing in ['\u{200d}', '\u{200b}', '\u{fe0f}', '\u{ad}', '\u{feff}', '\u{e0100}'] {
        assert_eq!(faces.look(nothing), Drawn::default(), "{nothing:?}");
    }
}

#[test]
fn all_of_unicode_takes_bounded_memory() {
    let mut faces = smallest();
    let before = faces.glyphs.get(Cell::BLANK).len();
    for letter in (0..=0x10_ffff).filter_map(char::from_u32) {
        faces.look(letter);
    }
    assert_eq!(before, 7);
    assert!(faces.seen.ways() < 2_000, "{}", faces.seen.ways());
}

#[test]
fn marks_join_their_letters() {
    let faces = smallest();
    let mut joined = 0;
    for mark in '\u{300}'..='\u{36f}' {
        for base in (' '..='\u{24f}').chain('\u{370}'..='\u{4ff}').chain('\u{1e00}'..='\u{1eff}') {
            let expected = compose(base, mark).filter(|&letter| BITMAPS[0].draw(letter).is_some());
            assert_eq!(faces.compose(base, mark), expected, "{base} and {mark:?}");
            joined += usize::from(expected.is_some());
        }
    }
    assert!(joined > 200, "{joined}");
    assert_eq!(faces.compose('e', 'e'), None);
    assert_eq!(faces.compose('中', '\u{301}'), None);
    assert_eq!(faces.compose('e', '\u{10ffff}'), None);
}

#[test]
fn parts_of_syllables_join() {
    let faces = smallest();
    let marks = ('\u{3099}'..='\u{309a}').chain('\u{1161}'..='\u{1175}').chain('\u{11a7}'..='\u{11c3}');
    for mark in marks {
        // The voiced ワ, ヰ, ヱ and ヲ and iteration marks are out of order, and rarer than their rule is long.
        let bases = ('\u{3041}'..='\u{3096}')
            .chain('\u{30a1}'..='\u{30ee}')
            .chain('\u{1100}'..='\u{1113}')
            .chain('\u{ac00}'..='\u{d7a3}');
        for base in bases {
            assert_eq!(faces.compose(base, mark), compose(base, mark), "{base} and {mark:?}");
        }
    }
}

#[test]
fn a_glyph_stands_in_the_middle_of_a_larger_cell_with_most_spare_below() {
    let mut own = Faces::new("8x13", 8, 13, &[]).unwrap();
    let mut large = Faces::new("8x13", 11, 22, &[]).unwrap();
    for letter in ['g', 'Å', '|', '_', '⟦'] {
        let (own_cell, large_cell) = (cell(&mut own, letter), cell(&mut large, letter));
        let (own, large) = (own.glyph(own_cell), large.glyph(large_cell));
        assert_eq!(large.len(), 2 * 22);
        for y in 0..22 {
            let row = u16::from_be_bytes([large[2 * y], large[2 * y + 1]]);
            // 9 rows to spare, 2 of them above; 3 columns, 1 of them to the left.
            let expected = if (2..15).contains(&y) { u16::from(own[y - 2]) << 8 >> 1 } else { 0 };
            assert_eq!(row, expected, "{letter}, row {y}");
        }
    }
}

/// Exact strings break first where the ink of two lines is less than two pixels apart; at 6×10 a reader found 29 of 30 with one.
#[test]
fn rows_of_the_pitches_leave_room() {
    let pitches = [
        ("8x13", 11, 16),
        ("8x13", 8, 16),
        ("8x13", 8, 22),
        ("6x12", 6, 12),
        ("6x10", 6, 10),
        ("5x8", 5, 10),
        ("5x7", 5, 9),
    ];
    let mut apart = Vec::new();
    for (name, width, height) in pitches {
        let mut faces = Faces::new(name, width, height, &[]).unwrap();
        let stride = width.div_ceil(8) as usize;
        let mut ink = alloc::vec![false; height as usize];
        for letter in ('A'..='Z').chain('a'..='z').chain('0'..='9') {
            let cell = cell(&mut faces, letter);
            for (row, ink) in faces.glyph(cell).chunks(stride).zip(&mut ink) {
                *ink |= row.iter().any(|&byte| byte != 0);
            }
        }
        let above = ink.iter().take_while(|ink| !**ink).count();
        let below = ink.iter().rev().take_while(|ink| !**ink).count();
        apart.push(above + below);
    }
    assert_eq!(apart, [5, 5, 11, 2, 1, 3, 2]);
}

#[test]
fn scripts_that_need_shaping_are_known() {
    for letter in ['א', 'ب', 'क', 'ก', 'ខ', 'မ', 'ᠮ', 'ﷲ', 'ﻼ', '\u{10900}'] {
        assert!(fold::is_shaped(letter), "{letter}");
    }
    for letter in ['a', 'Ա', 'ა', 'አ', '中', '한', 'Ꮳ', '\u{feff}', '🎉'] {
        assert!(!fold::is_shaped(letter), "{letter}");
    }
}

#[test]
fn wide_letters_are_known() {
    for letter in ['中', '文', 'あ', 'ア', '한', '，', '🎉', '⚡', '\u{20000}', '\u{1100}', '\u{ffe6}'] {
        assert!(wide::is_wide(letter), "{letter}");
    }
    for letter in ['a', 'é', 'ж', '→', '─', '\u{10ff}', '\u{1160}', '\u{303f}', 'ｱ', '\u{ffe7}', '\u{10ffff}', '𝐀']
    {
        assert!(!wide::is_wide(letter), "{letter}");
    }
}

#[test]
fn wrong_faces_and_cells_say_what_to_do() {
    let wrong = |font: &str, width, height| Faces::new(font, width, height, &[]).unwrap_err().0;
    for (width, height) in [(0, 16), (8, 0), (65, 16), (8, u32::MAX), (u32::MAX, 65)] {
        assert!(wrong("8x13", width, height).contains("1 to 64"), "{width}×{height}");
    }
    assert_eq!(
        wrong("8x13", 8, 12),
        "The face 8x13 does not fit into cells of 8×12 pixels: they must be 8×13 or larger."
    );
    assert_eq!(
        wrong("6x12", 5, 12),
        "The face 6x12 does not fit into cells of 5×12 pixels: they must be 6×12 or larger."
    );
    for name in ["", " ", "8x14", "JetBrains Mono 14", "14", "8x13 13", "\u{0}"] {
        let told = wrong(name, 8, 16);
        assert!(told.contains("8x13, 6x12, 6x10, 5x8, 5x7") && told.contains("Fonts passed: none."), "{told}");
    }
    assert!(wrong(&"x".repeat(1_000_000), 8, 16).len() < 500);
    assert!(Faces::new("8x13", 64, 64, &[]).is_ok());
    assert!(Faces::new("8x13", 8, 16, &[Vec::new()]).is_err());
}
