use super::*;
use alloc::vec;
use proptest::prelude::*;

/// A face whose cells tell the letters. Most letters are one cell; あ is wide; … is folded to three; a joiner leaves no trace; U+0301 goes upon
/// e only; nothing draws a private letter.
struct Toy;

const RIGHT: Cell = Cell(1 << 20);
const BOX: Cell = Cell(1 << 21);
const DOT: Cell = Cell('.' as u32);

impl Look for Toy {
    fn look(&mut self, letter: char) -> Drawn {
        let cell = Cell(letter as u32);
        let (cells, len) = match letter {
            ' ' => ([Cell::BLANK; 4], 1),
            'あ' => ([cell, RIGHT, BOX, BOX], 2),
            '…' => ([DOT, DOT, DOT, BOX], 3),
            '\u{200d}' | '\u{300}'..='\u{36f}' => ([BOX; 4], 0),
            '\u{e000}'.. => ([BOX; 4], 1),
            _ => ([cell, BOX, BOX, BOX], 1),
        };
        let missing = matches!(letter, '\u{300}'..='\u{36f}' | '\u{e000}'..);
        Drawn { cells, len, wide: letter == 'あ', missing }
    }
    fn compose(&self, letter: char, mark: char) -> Option<char> {
        (letter == 'e' && mark == '\u{301}').then_some('é')
    }
    fn mark(&self, mark: Mark) -> Cell {
        Cell(match mark {
            Mark::Break => '↵',
            Mark::Tab => '⇥',
            Mark::Four => '⎵',
            Mark::Open => OPEN,
            Mark::Close => CLOSE,
        } as u32)
    }
}

fn letter(cell: Cell) -> char {
    match cell.glyph() as u32 {
        0 => '·',
        _ if cell.glyph() == RIGHT.glyph() => '→',
        _ if cell.glyph() == BOX.glyph() => '□',
        glyph => char::from_u32(glyph).unwrap(),
    }
}

/// Pages of `rows` rows, each its cells as letters, and how many code points it holds.
fn pages(text: &str, columns: u32, rows: u32) -> Vec<(String, u32)> {
    let mut flow = Flow::new(text, columns);
    let mut cells = vec![BOX; 7];
    let mut pages = Vec::new();
    while let Some(filled) = flow.page(&mut Toy, rows, &mut cells) {
        assert_eq!(filled.rows, (cells.len() as u32).div_ceil(columns.max(1)));
        assert!(filled.rows <= rows.max(1) && !cells.is_empty());
        pages.push((cells.iter().map(|cell| letter(*cell)).collect(), filled.chars));
    }
    assert_eq!(flow.page(&mut Toy, rows, &mut cells), None, "the end is the end");
    pages
}

/// All on one page.
fn laid(text: &str) -> String {
    pages(text, 100, 100).into_iter().map(|(page, _)| page).collect()
}

#[test]
fn white_space_takes_few_cells_and_comes_back() {
    assert_eq!(laid("a\n\tb"), "a↵⇥b");
    for (blanks, cells) in [(1, "·"), (3, "···"), (4, "⎵"), (5, "⎵·"), (8, "⎵⎵"), (10, "⎵⎵··")] {
        let run = " ".repeat(blanks);
        assert_eq!(laid(&run), cells);
        assert_eq!(laid(&["x", &run, "é"].concat()), ["x", cells, "é"].concat());
    }
}

#[test]
fn what_is_in_a_marker_is_inverse_to_its_end_or_the_end_of_the_line() {
    let inverse = |text| {
        let mut cells = Vec::new();
        Flow::new(text, 100).page(&mut Toy, 1, &mut cells).unwrap();
        let shown = |cell: &Cell| if cell.is_inverse() { letter(*cell) } else { '-' };
        cells.iter().map(shown).collect::<String>()
    };
    assert_eq!(inverse("a⟦us  er…⟧b c"), "-⟦us··er...⟧---");
    assert_eq!(inverse("⟦call     x\ny⟧z"), "⟦call⎵·x----");
    assert_eq!(inverse("⟧a⟦⟧b"), "--⟦⟧-");
}

#[test]
fn a_marker_and_a_folded_letter_go_on_over_pages() {
    let page = |cells: &str, chars| (String::from(cells), chars);
    assert_eq!(pages("a…b", 1, 1), [page("a", 1), page(".", 1), page(".", 0), page(".", 0), page("b", 1)]);
    assert_eq!(pages("ab…c", 3, 1), [page("ab.", 3), page("..c", 1)]);
    let mut flow = Flow::new("⟦a…b⟧c", 3);
    let mut cells = Vec::new();
    flow.page(&mut Toy, 1, &mut cells).unwrap();
    // Taken up again from what was kept.
    let mut flow = Flow::resume("⟦a…b⟧c", 3, flow.place());
    flow.page(&mut Toy, 2, &mut cells).unwrap();
    assert_eq!(cells.iter().map(|cell| letter(*cell)).collect::<String>(), "..b⟧c");
    assert_eq!(cells.iter().map(|cell| cell.is_inverse()).collect::<Vec<_>>(), [true, true, true, true, false]);
}

#[test]
fn combining_marks_go_upon_the_letter_before() {
    assert_eq!(laid("caf\u{65}\u{301}s"), "cafés");
    assert_eq!(laid("e\u{310}\u{301}"), "é", "a mark that nothing takes does not stand between");
    assert_eq!(laid("a\u{301}"), "a");
    assert_eq!(laid(" \u{301}\n\u{301}"), "·↵");
    assert_eq!(laid("\u{301}a"), "a");
    let counted = |text| {
        let count = count(text, &mut Toy, 10, 0);
        (count.cells, count.letters, count.missing)
    };
    assert_eq!(counted("caf\u{65}\u{301}s"), (5, 6, 0));
    assert_eq!(counted("e\u{310}\u{301}"), (1, 3, 1));
    assert_eq!(counted("a\u{301}\u{200d}b"), (2, 4, 1));
}

#[test]
fn a_million_combining_marks() {
    // If each were looked at again for each other this would never end.
    for base in ["e", "", "あ"] {
        let text = [base, &"\u{301}".repeat(1_000_000), "\n"].concat();
        let count = count(&text, &mut Toy, 10, 0);
        let cells = if base == "あ" { 3 } else { 1 + base.len() as u64 };
        let composed = u64::from(base == "e");
        assert_eq!((count.cells, count.missing), (cells, 1_000_000 - composed));
        assert_eq!(count.lost, "\u{301}");
        let [(_, chars)] = pages(&text, 10, 10)[..] else { panic!() };
        assert_eq!(u64::from(chars), count.letters);
    }
}

#[test]
fn wide_letters_stand_in_one_row() {
    let all = |columns, rows| pages("abあcあd", columns, rows).into_iter().map(|(page, _)| page).collect::<Vec<_>>();
    assert_eq!(all(3, 9), ["ab·あ→cあ→d"]);
    assert_eq!(all(3, 1), ["ab·", "あ→c", "あ→d"]);
    assert_eq!(all(4, 1), ["abあ→", "cあ→d"]);
    // There is no room for one, so it may be split.
    assert_eq!(all(1, 9), ["abあ→cあ→d"]);
    assert_eq!(pages("abあ", 3, 1).iter().map(|(_, chars)| *chars).collect::<Vec<_>>(), [2, 1]);
}

#[test]
fn letters_that_nothing_draws_are_told_once_and_not_without_end() {
    let many: String = ('\u{e000}'..'\u{e040}').flat_map(|letter| [letter, letter]).collect();
    let mut all = count(&many, &mut Toy, 10, 0);
    assert_eq!((all.missing, all.letters, all.lost.chars().count()), (128, 128, Count::LOST));
    assert!(all.lost.chars().eq(('\u{e000}'..).take(Count::LOST)));
    let mut few = count("a\u{e001}", &mut Toy, 10, 0);
    few.add(&count("\u{e000}あ\u{e001}", &mut Toy, 10, 0));
    assert_eq!(few, Count { cells: 6, letters: 5, missing: 3, wide: true, lost: "\u{e001}\u{e000}".into() });
    all.add(&few);
    assert_eq!((all.missing, all.lost.chars().count()), (131, Count::LOST));
}

#[test]
fn no_cells_no_page() {
    assert!(pages("", 10, 10).is_empty());
    assert!(pages("\u{200d}\u{301}", 10, 10).is_empty());
    // What takes no cell makes no page of its own.
    assert_eq!(pages("ab\u{200d}\u{301}", 2, 1), [(String::from("ab"), 4)]);
    assert_eq!(pages("a…\u{200d}", 2, 1), [(String::from("a."), 2), (String::from(".."), 1)]);
    assert_eq!(pages("ab", 0, 0), [(String::from("a"), 1), (String::from("b"), 1)], "as if 1");
}

/// Lines of text with everything in it that flows in its own way.
fn lines() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        6 => "[a-zA-Z0-9.,:]{1,9}",
        3 => " {1,9}",
        1 => "[\t\u{1}\u{7f}]",
        1 => "[éあ…\u{200d}\u{e000}\u{ffff}🦀]{1,4}",
        1 => "e?[\u{301}\u{310}]{1,3}",
        1 => "⟦[a-z あ]{0,6}⟧?",
    ];
    let line = prop::collection::vec(word, 0..12).prop_map(|words| words.concat() + "\n");
    prop::collection::vec(line, 0..8).prop_map(|lines| lines.concat())
}

fn is_wide(cell: char) -> bool {
    cell == 'あ'
}

proptest! {
    #[test]
    fn texts_counted_apart_are_drawn_as_one(texts in prop::collection::vec(lines(), 0..6), columns in 1..40u32, rows in 1..5u32) {
        let mut counted = Count::default();
        for text in &texts {
            let one = count(text, &mut Toy, columns, counted.cells);
            counted.add(&one);
        }
        let joined = texts.concat();
        prop_assert_eq!(&counted, &count(&joined, &mut Toy, columns, 0));
        let pages = pages(&joined, columns, rows);
        let cells = pages.iter().map(|(page, _)| page.chars().count() as u64).sum::<u64>();
        prop_assert_eq!(counted.cells, cells);
        prop_assert_eq!(counted.letters, joined.chars().count() as u64);
        prop_assert_eq!(counted.wide, joined.contains('あ'));
        prop_assert_eq!(pages.len() as u64, cells.div_ceil(u64::from(columns * rows)));
        prop_assert_eq!(counted.letters, pages.iter().map(|(_, chars)| u64::from(*chars)).sum::<u64>());
        // Without wide letters it does not matter where a text begins.
        prop_assert!(counted.wide || count(&joined, &mut Toy, columns, 7).cells == cells);
    }

    #[test]
    fn appended_text_changes_the_last_page_only(text in lines(), more in lines(), columns in 1..40u32, rows in 1..5u32) {
        let before = pages(&text, columns, rows);
        let after = pages(&[text, more].concat(), columns, rows);
        prop_assert!(after.len() >= before.len());
        let settled = before.len().saturating_sub(1);
        prop_assert_eq!(&before[..settled], &after[..settled]);
        if let (Some((before, _)), Some((after, _))) = (before.last(), after.get(settled)) {
            prop_assert!(after.starts_with(before.as_str()), "{:?} does not begin with {:?}", after, before);
        }
    }

    #[test]
    fn no_wide_letter_is_split(text in lines(), columns in 2..20u32, rows in 1..5u32) {
        for (page, _) in pages(&text, columns, rows) {
            let cells: Vec<char> = page.chars().collect();
            for row in cells.chunks(columns as usize) {
                for (place, cell) in row.iter().enumerate() {
                    prop_assert_eq!(is_wide(*cell), row.get(place + 1) == Some(&'→'));
                }
                prop_assert!(row[0] != '→');
            }
        }
    }

    #[test]
    fn ascii_is_counted_in_words_as_letter_by_letter(text in "([a-c]{0,3} {0,11}[\n\t]?){0,12}[a-c ~\u{1}\u{7f}\u{80}é]{0,9}") {
        let (letters, cells) = plain::count(text.as_bytes());
        let (mut rest, mut slow) = (&text[..letters], 0);
        while let Some(step) = Step::next(rest, &mut Toy, |_| panic!("nothing is missing")) {
            slow += u64::from(step.drawn.len);
            rest = &rest[step.bytes..];
        }
        prop_assert_eq!(cells, slow);
        // It stops at the first letter that is no plain one, or at the one before it.
        let plain = |letter: char| matches!(letter, ' '..='~' | '\n' | '\t');
        let end = text.find(|letter| !plain(letter)).unwrap_or(text.len());
        prop_assert!(letters == end || letters + 1 == end && !text[end..].starts_with(|letter: char| letter.is_ascii()));
    }
}
