//! Files that are no fonts, or no longer.

use super::super::Outline;
use super::make::{boxes, cff, composite, file, frame, glyf};
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

fn error(bytes: &[u8]) -> alloc::string::String {
    Outline::parse(bytes).unwrap_err().to_string()
}

/// Draws something of a font that may be damaged.
fn try_out(bytes: &[u8], letters: &[char]) -> usize {
    let Ok(font) = Outline::parse(bytes) else { return 0 };
    let size = font.fit(8, 16);
    let drawn = |&letter: &char| usize::from(font.draw(letter, 16, 16, size, 1 + 3 * (letter as u8 & 1)).is_some());
    letters.iter().map(drawn).sum()
}

const REAL: [(&[u8], &[char]); 5] = [
    (font_test_data::TINOS_SUBSET, &['A', 'B', 'a', 'b', '"']),
    (font_test_data::NOTO_SANS_JP_CFF, &['A', 'B', 'C', 'M', 'Z']),
    (font_test_data::GLYF_COMPONENTS, &['0', '1', '2', '.', '5']),
    (font_test_data::CHARSTRING_PATH_OPS, &['i']),
    (font_test_data::ttc::TTC, &['.', '…']),
];

#[test]
fn what_is_no_font_is_told() {
    let none = "The option `fonts` must hold TrueType or OpenType fonts; one is none: it must be the bytes of a .ttf, .otf or .ttc file.";
    for bytes in [&b""[..], b"\0\x01", b"<!doctype html>", &vec![0; 50_000_000], &vec![0xff; 1000]] {
        assert_eq!(error(bytes), none);
    }
    assert!(error(b"wOF2rest").contains("(WOFF): unpack it"));
    assert!(error(b"wOFFrest").contains("(WOFF): unpack it"));
    assert!(error(b"OTTO").contains("cut short or damaged"));
    // A colour font, and one that names nothing.
    assert!(error(font_test_data::CBDT).contains("bitmaps of one bit"));
    let mut tables = frame(600);
    assert!(error(&file(b"true", &tables)).contains("bitmaps of one bit"));
    tables.extend(glyf(&[vec![], boxes(&[])]));
    tables.retain(|(tag, _)| *tag != b"cmap");
    assert!(error(&file(b"true", &tables)).contains("bitmaps of one bit"));
}

#[test]
fn fifty_megabytes_cost_their_bytes() {
    let mut bytes = font_test_data::TINOS_SUBSET.to_vec();
    bytes.resize(50_000_000, 0xff);
    assert!(try_out(&bytes, &['A', 'b']) == 2);
}

#[test]
fn cut_anywhere() {
    for (bytes, letters) in REAL {
        let whole = try_out(bytes, letters);
        assert_eq!(whole, letters.len());
        for length in 0..bytes.len() {
            assert!(try_out(&bytes[..length], letters) <= whole);
        }
    }
}

/// Bytes changed at random, most of them in the heads of tables, where it hurts.
#[test]
fn flipped_at_random() {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let mut drawn = 0;
    for round in 0..10_000 {
        let (bytes, letters) = REAL[round % REAL.len()];
        let mut bytes = bytes.to_vec();
        for _ in 0..1 + random(20) {
            let at = if round % 3 == 0 { random(400.min(bytes.len())) } else { random(bytes.len()) };
            bytes[at] = [0, 0xff, bytes[at] ^ 1 << random(8), random(256) as u8][random(4)];
        }
        drawn += try_out(&bytes, letters);
    }
    // Much survives; else the test would test nothing.
    assert!(drawn > 5_000, "{drawn}");
}

#[test]
fn glyphs_of_themselves_end() {
    // `a` is made of itself; `b` of 16 `c`, each of 16 `d`, and so on down to a box.
    let many = |part: u16| composite(&[(part, 0, 0); 16]);
    let tower = [composite(&[(1, 0, 0)]), many(3), many(4), many(5), many(6), boxes(&[[0, 0, 100, 100]])];
    let mut tables = frame(600);
    tables.extend(glyf(&[vec![vec![]], tower.to_vec()].concat()));
    let font = Outline::parse(&file(b"true", &tables)).unwrap();
    assert_eq!(font.draw('a', 6, 12, 12, 1), None);
    assert_eq!(font.draw('b', 6, 12, 12, 1), None);
    // 16 parts of 16 are more than any letter has; 16 are not.
    assert!(font.draw('e', 6, 12, 12, 1).is_some());
}

#[test]
fn subroutines_of_subroutines_end() {
    // Each of nine calls the next 200 times and draws nothing; 200 to the ninth steps.
    let call = |i: i16| [&[28][..], &(i - 107).to_be_bytes(), &[29]].concat();
    let mut subroutines: Vec<Vec<u8>> = (1..9).map(|i| call(i).repeat(200)).collect();
    subroutines.push(vec![11]);
    let mut tables = frame(600);
    tables.push((b"CFF ", cff(&[vec![14], [call(0), vec![14]].concat(), [call(8), vec![14]].concat()], &subroutines)));
    let font = Outline::parse(&file(b"OTTO", &tables)).unwrap();
    assert_eq!(font.draw('a', 6, 12, 12, 1), None);
    assert!(font.draw('b', 6, 12, 12, 1).is_some());
}

#[test]
fn absurd_sizes() {
    let font = Outline::parse(font_test_data::TINOS_SUBSET).unwrap();
    for (width, height) in [(0, 12), (6, 0), (129, 12), (u32::MAX, u32::MAX)] {
        assert_eq!(font.draw('A', width, height, 12, 4), None);
    }
    for size in [0, 1, 128, u32::MAX] {
        assert_eq!(font.draw('A', 128, 128, size, 1).unwrap().len(), 2048);
    }
}
