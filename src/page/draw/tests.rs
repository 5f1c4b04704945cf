use super::*;
use crate::meter::is_page_bytes;
use crate::page::flow::count;
use alloc::string::String;
use alloc::{format, vec};
use std::io::Cursor;

fn shape() -> PageShape {
    PageShape { font: "6x12".into(), cell_width: 6, cell_height: 12, width: 250, height: 130, columns: 41, rows: 10 }
}

/// Some pages of code and prose.
fn text() -> String {
    (0..60).map(|line| format!("⟦result⟧ {line}:    let x = \"…\";\tcafé\n")).collect()
}

fn all(text: &str, skip: u64) -> (u64, Vec<Page>) {
    behind(text, 0, skip)
}

fn behind(text: &str, taken: u32, skip: u64) -> (u64, Vec<Page>) {
    let mut faces = Faces::new("6x12", 6, 12, &[]).unwrap();
    let mut drawing = Drawing::behind(&shape(), taken);
    let skipped = drawing.skip(text, &mut faces, skip);
    let next = || drawing.next(text, &mut faces, &|rows| rows * 12 + 10);
    (skipped, core::iter::from_fn(next).collect())
}

#[test]
fn page_after_page_until_the_text_is_through() {
    let text = text();
    let (_, pages) = all(&text, 0);
    assert_eq!(pages.len(), 5);
    assert_eq!(pages.iter().map(|page| page.chars as usize).sum::<usize>(), text.chars().count());
    let (last, full) = pages.split_last().unwrap();
    assert!(full.iter().all(|page| (page.width, page.height) == (250, 130)));
    assert!(last.width == 250 && last.height < 130 && last.height % 12 == 10);
    assert!(pages.iter().all(|page| is_page_bytes(&page.png)));
    assert_eq!(all("", 0), (0, vec![]));
}

#[test]
fn what_is_passed_over_is_not_drawn_and_changes_nothing() {
    let text = text();
    let (_, pages) = all(&text, 0);
    for skip in 0..pages.len() {
        let (skipped, rest) = all(&text, skip as u64);
        assert_eq!(skipped, pages[..skip].iter().map(|page| u64::from(page.chars)).sum::<u64>());
        assert_eq!(rest, pages[skip..]);
    }
    assert_eq!(all(&text, 99), (text.chars().count() as u64, vec![]));
}

#[test]
fn a_text_behind_another_is_drawn_as_if_both_were_one() {
    let text = text() + &"漢字と仮名。\n".repeat(9) + &text();
    let (_, pages) = all(&text, 0);
    let mut faces = Faces::new("6x12", 6, 12, &[]).unwrap();
    for (cut, _) in text.match_indices('\n') {
        let (before, rest) = text.split_at(cut + 1);
        let cells = count(before, &mut faces, 41, 0).cells;
        let (passed, taken) = (cells / 410, (cells % 410) as u32);
        // The page on which it begins is passed over, unless it begins with it.
        let skip = u64::from(taken > 0);
        assert_eq!(behind(rest, taken, skip).1, pages[(passed + skip) as usize..], "{cut}");
    }
}

#[test]
fn the_file_holds_the_cells_of_the_page() {
    let text = text();
    let (_, pages) = all(&text, 0);
    let mut faces = Faces::new("6x12", 6, 12, &[]).unwrap();
    let mut flow = Flow::new(&text, 41);
    let mut cells = Vec::new();
    for page in pages {
        flow.page(&mut faces, 10, &mut cells).unwrap();
        let mut reader = ::png::Decoder::new(Cursor::new(&page.png)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        let line = (250usize).div_ceil(8);
        for (number, cell) in cells.iter().enumerate() {
            let (left, top) = (number % 41 * 6, number / 41 * 12);
            for (y, ink) in faces.glyph(*cell).iter().enumerate() {
                for x in 0..6 {
                    let white = pixels[(top + y) * line + (left + x) / 8] >> (7 - (left + x) % 8) & 1 == 1;
                    assert_eq!(white, (ink >> (7 - x) & 1 == 1) == cell.is_inverse(), "cell {number} at {x}, {y}");
                }
            }
        }
    }
}
