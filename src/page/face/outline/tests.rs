mod bad;
mod make;

use super::{Cell, Outline};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use make::{boxes, cff, cmap4, composite, file, frame, glyf, strike, words};

/// The pixels as text: ink from '.' for none to '#' for all.
fn art(pixels: &[u8], width: usize, depth: u8) -> Vec<String> {
    let (per_byte, most) = if depth == 1 { (8, 1) } else { (2, 15) };
    let level = |row: &[u8], x: usize| row[x / per_byte] >> (8 / per_byte * (per_byte - 1 - x % per_byte)) & most;
    let letter = |level: u8| if level == most { '#' } else { char::from(b".123456789abcde"[usize::from(level)]) };
    let rows = pixels.chunks(width.div_ceil(per_byte));
    rows.map(|row| (0..width).map(|x| letter(level(row, x))).collect()).collect()
}

fn true_type(advance: u16, glyphs: &[Vec<u8>]) -> Outline {
    let mut tables = frame(advance);
    tables.extend(glyf(glyphs));
    Outline::parse(&file(&[0, 1, 0, 0], &tables)).unwrap()
}

/// A letter in pixels of 100 units, `a`: an upright with a foot below the baseline.
fn pixels() -> Vec<u8> {
    boxes(&[[0, -100, 100, 400], [100, -100, 300, 0]])
}

#[test]
fn outlines_agree_with_fontdue() {
    let fonts = [
        font_test_data::TINOS_SUBSET,
        font_test_data::TTHINT_SUBSET,
        font_test_data::COUSINE_HINT_SUBSET,
        font_test_data::GLYF_COMPONENTS,
        font_test_data::MOSTLY_OFF_CURVE,
        font_test_data::STARTING_OFF_CURVE,
        font_test_data::NOTOSERIFTC_AUTOHINT_METRICS,
        font_test_data::NOTO_SANS_JP_CFF,
        font_test_data::NOTO_SERIF_DISPLAY_TRIMMED,
        font_test_data::CHARSTRING_PATH_OPS,
    ];
    let mut compared = 0;
    for bytes in fonts {
        let font = Outline::parse(bytes).unwrap();
        let settings = fontdue::FontSettings { scale: 400.0, ..Default::default() };
        let peer = fontdue::Font::from_bytes(bytes, settings).unwrap();
        for &letter in peer.chars().keys() {
            let ours = font.draw(letter, 128, 128, 48, 4).unwrap_or_else(|| panic!("{letter:?} of {}", font.name()));
            let (metrics, theirs) = peer.rasterize(letter, 48.0);
            let cell = Cell { width: 128, height: 128, size: 48 };
            let pen = font.pen(font.glyph(letter).unwrap(), cell);
            let mut expected = vec![0; 128 * 128];
            let top = pen.1 - metrics.ymin - metrics.height as i32;
            for (i, &cover) in theirs.iter().enumerate() {
                let (x, y) = (pen.0 + metrics.xmin + (i % metrics.width) as i32, top + (i / metrics.width) as i32);
                expected[(128 * y + x) as usize] = (i32::from(cover) * 15 + 127) / 255;
            }
            for (i, &expected) in expected.iter().enumerate() {
                let level = i32::from(ours[i / 2] >> (4 * (1 - i % 2)) & 15);
                // Curves are cut into pieces differently.
                assert!((level - expected).abs() <= 2, "{letter:?} of {} at {},{}", font.name(), i % 128, i / 128);
            }
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn pixel_fonts_are_sharp_on_a_common_baseline() {
    let font = true_type(600, &[vec![vec![], pixels(), boxes(&[[0, 0, 600, 100]])], vec![pixels(); 9]].concat());
    assert_eq!([font.fit(6, 12), font.fit(8, 16), font.fit(12, 24), font.fit(5, 8)], [12, 12, 24, 8]);
    let drawn = font.draw('a', 6, 12, 12, 1).unwrap();
    let rows = [
        "......", "......", "......", "......", "......", "......", "#.....", "#.....", "#.....", "#.....", "###...",
        "......",
    ];
    assert_eq!(art(&drawn, 6, 1), rows);
    assert_eq!(art(&font.draw('a', 6, 12, 12, 4).unwrap(), 6, 4), rows);
    // In a larger cell: two rows down, one column in, and both letters the same.
    let lines: Vec<usize> = ['a', 'b']
        .map(|letter| art(&font.draw(letter, 8, 16, 12, 1).unwrap(), 8, 1))
        .map(|art| art.iter().rposition(|row| row.contains('#')).unwrap())
        .into();
    assert_eq!(lines, [12, 11]);
    assert_eq!(art(&font.draw('a', 8, 16, 12, 1).unwrap(), 8, 1)[8], ".#......");
    // Twice the size.
    assert_eq!(art(&font.draw('a', 12, 24, 24, 1).unwrap(), 12, 1)[20], "######......");
    assert_eq!(font.draw('~', 6, 12, 12, 1), None);
    assert_eq!(font.name(), "Test Sans Bold");
}

#[test]
fn smooth_fonts_fit_by_width_and_height() {
    // A slope: no grid.
    let slope = || boxes(&[[0, 0, 617, 100]]);
    let font = true_type(600, &[vec![], slope(), slope(), slope(), slope(), slope()]);
    assert_eq!(font.grid, None);
    assert_eq!(font.fit(0, 0), 1);
    let jetbrains = true_type(720, &[vec![], slope()]);
    // No '0' here: an em's worth of glyph 0, 720 of 1200 units.
    assert_eq!([jetbrains.fit(6, 12), jetbrains.fit(6, 8)], [10, 8]);
}

#[test]
fn half_covered_pixels_have_half_the_ink() {
    let font = true_type(600, &[vec![], boxes(&[[0, 0, 150, 100], [300, 0, 340, 100]])]);
    assert_eq!(art(&font.draw('a', 6, 12, 12, 4).unwrap(), 6, 4)[9], "#8.6..");
    assert_eq!(art(&font.draw('a', 6, 12, 12, 1).unwrap(), 6, 1)[9], "##....");
}

#[test]
fn broad_letters_are_made_narrower_and_stray_ones_brought_in() {
    let font = true_type(
        600,
        &[vec![], boxes(&[[0, 0, 1200, 100]]), boxes(&[[-400, 0, -200, 100]]), boxes(&[[700, 0, 900, 100]])],
    );
    let row = |letter| art(&font.draw(letter, 6, 12, 12, 1).unwrap(), 6, 1).remove(9);
    assert_eq!([row('a'), row('b'), row('c')], ["######", "##....", "....##"]);
}

#[test]
fn composites_are_put_together() {
    let scaled = {
        let mut glyph = composite(&[(1, 0, 0)]);
        glyph.splice(10..12, [0, 0x0a]); // with a scale
        words(&mut glyph, &[0x2000]); // a half
        glyph
    };
    let font = true_type(600, &[vec![], boxes(&[[0, 0, 200, 200]]), composite(&[(1, 0, 0), (1, 100, 0)]), scaled]);
    let row = |letter| art(&font.draw(letter, 6, 12, 12, 1).unwrap(), 6, 1).remove(9);
    assert_eq!([row('a'), row('b'), row('c')], ["##....", "###...", "#....."]);
}

#[test]
fn postscript_outlines_call_subroutines() {
    // 100 100 rmoveto, then in a subroutine: 200 hlineto 100 vlineto -200 hlineto; endchar.
    let number = |n: i16| [vec![28], n.to_be_bytes().to_vec()].concat();
    let square = [number(200), number(100), number(-200), vec![6, 11]].concat();
    let call = [number(100), number(0), vec![21], number(-107), vec![29, 14]].concat();
    let mut tables = frame(600);
    tables.push((b"CFF ", cff(&[vec![14], call], &[square])));
    let font = Outline::parse(&file(b"OTTO", &tables)).unwrap();
    assert_eq!(art(&font.draw('a', 6, 12, 12, 1).unwrap(), 6, 1)[9], ".##...");
}

#[test]
fn maps_of_the_first_plane() {
    let mut tables = frame(600);
    // `a` by delta; `b` to `d` by a list in which `c` is missing, which stands 4 bytes behind the offset; the end.
    tables[3].1 = cmap4(&[(0x61, 0x61, 0xffa0, 0), (0x62, 0x64, 0, 4), (0xffff, 0xffff, 1, 0)], &[2, 0, 1]);
    tables.extend(glyf(&[vec![], pixels(), boxes(&[[0, 0, 600, 100]])]));
    let font = Outline::parse(&file(b"true", &tables)).unwrap();
    let glyphs = ['a', 'b', 'c', 'd', 'e', '\u{ffff}', '\u{10061}'].map(|letter| font.glyph(letter));
    assert_eq!(glyphs, [Some(1), Some(2), None, Some(1), None, None, None]);
}

/// A bitmap 3 wide and 2 high, `##.` over `.#.`, as the second glyph of a strike, in every way the tables have.
#[test]
fn bitmaps_of_every_kind() {
    let small = [2, 3, 1, 2, 6];
    let big = [2, 3, 1, 2, 6, 0, 0, 0];
    let (aligned, packed) = ([0b1100_0000, 0b0100_0000], [0b1100_1000]);
    let images: [(u16, Vec<u8>); 5] = [
        (1, [&small[..], &aligned].concat()),
        (2, [&small[..], &packed].concat()),
        (5, packed.to_vec()),
        (6, [&big[..], &aligned].concat()),
        (7, [&big[..], &packed].concat()),
    ];
    for (format, image) in images {
        let size = image.len() as u32;
        let ranges = [
            (1, [0, size, 2 * size].iter().flat_map(|at: &u32| at.to_be_bytes()).collect::<Vec<u8>>()),
            (2, [&size.to_be_bytes()[..], &big].concat()),
            (3, [0, size as u16, 2 * size as u16].iter().flat_map(|at| at.to_be_bytes()).collect()),
        ];
        for (index, range) in ranges {
            if format == 5 && index != 2 {
                continue; // without metrics
            }
            let mut tables = frame(600);
            tables.extend(strike([index, format], &range, &[image.clone(), image.clone()].concat()));
            let font = Outline::parse(&file(&[0, 1, 0, 0], &tables)).unwrap();
            let art = |depth| art(&font.draw('b', 6, 12, font.fit(6, 12), depth).unwrap(), 6, depth);
            assert_eq!(art(1)[8..11], [".##...", "..#...", "......"], "{index} {format}");
            assert_eq!(art(4)[8..11], [".##...", "..#...", "......"], "{index} {format}");
            // Beyond the last glyph; in a cell too small for it, where it would be cut.
            assert_eq!(font.draw('c', 6, 12, 12, 1), None);
            assert_eq!(font.draw('b', 6, 1, 12, 1), None);
            assert_eq!(font.draw('b', 2, 2, 12, 1).unwrap(), [0b1100_0000, 0b0100_0000]);
        }
    }
}
