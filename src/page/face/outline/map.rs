//! Letter → number of its glyph: the table `cmap`.

use super::read::{slice, u16_at, u32_at};
use core::cmp::Ordering;

/// Where the maps of Unicode stand in a `cmap`: the one of all planes (format 12) and that of the first (format 4).
#[derive(Debug)]
pub(super) struct Map {
    full: Option<usize>,
    first: Option<usize>,
}

impl Map {
    /// `None` when no map is of Unicode.
    pub fn find(cmap: &[u8]) -> Option<Map> {
        let mut map = Map { full: None, first: None };
        for i in 0..usize::from(u16_at(cmap, 2)?) {
            let entry = slice(cmap, 4 + 8 * i, 8)?;
            // Platform 0 is Unicode; on 3, Windows, encodings 1 and 10 are.
            let unicode = matches!((u16_at(entry, 0)?, u16_at(entry, 2)?), (0, _) | (3, 1 | 10));
            let at = u32_at(entry, 4)?;
            match u16_at(cmap, at) {
                Some(12) if unicode => map.full = Some(at),
                Some(4) if unicode => map.first = Some(at),
                _ => {}
            }
        }
        (map.full.is_some() || map.first.is_some()).then_some(map)
    }

    /// The glyph of a letter; `None` where there is none.
    pub fn glyph(&self, cmap: &[u8], letter: char) -> Option<u16> {
        let found = |at: Option<usize>, look: fn(&[u8], u32) -> Option<u16>| {
            look(cmap.get(at?..)?, u32::from(letter)).filter(|&glyph| glyph != 0)
        };
        found(self.full, groups).or_else(|| found(self.first, segments))
    }
}

/// Format 12: ranges of letters whose glyphs have numbers in a row.
fn groups(table: &[u8], letter: u32) -> Option<u16> {
    let letter = usize::try_from(letter).ok()?;
    // Not more than there is room for.
    let at = search(u32_at(table, 12)?.min(table.len() / 12), |i| {
        let group = slice(table, 16 + 12 * i, 12)?;
        order(u32_at(group, 0)?, u32_at(group, 4)?, letter)
    })?;
    let group = slice(table, 16 + 12 * at, 12)?;
    let glyph = u32_at(group, 8)?.checked_add(letter - u32_at(group, 0)?)?;
    u16::try_from(glyph).ok()
}

/// Format 4: the same for the first plane, in four lists: ends, starts, deltas and offsets into a list of glyphs.
fn segments(table: &[u8], letter: u32) -> Option<u16> {
    let letter = u16::try_from(letter).ok()?;
    // Twice the number of segments: bytes of a list.
    let bytes = usize::from(u16_at(table, 6)?) & !1;
    let (ends, starts) = (14, 16 + bytes);
    let (deltas, offsets) = (starts + bytes, starts + 2 * bytes);
    let at = search(bytes / 2, |i| order(u16_at(table, starts + 2 * i)?, u16_at(table, ends + 2 * i)?, letter))?;
    let start = u16_at(table, starts + 2 * at)?;
    let delta = u16_at(table, deltas + 2 * at)?;
    let here = offsets + 2 * at;
    match u16_at(table, here)? {
        0 => Some(letter.wrapping_add(delta)),
        // Counted from where the offset itself stands.
        offset => match u16_at(table, here + usize::from(offset) + 2 * usize::from(letter - start))? {
            0 => None,
            glyph => Some(glyph.wrapping_add(delta)),
        },
    }
}

/// How the range `start..=end` lies to a letter. A range that begins after its end lies nowhere.
fn order<T: Ord>(start: T, end: T, letter: T) -> Option<Ordering> {
    Some(match (end.cmp(&letter), start.cmp(&letter)) {
        (Ordering::Less, _) => Ordering::Less,
        (_, Ordering::Greater) => Ordering::Greater,
        _ => Ordering::Equal,
    })
}

/// Binary search among `count` sorted entries.
fn search(count: usize, entry: impl Fn(usize) -> Option<Ordering>) -> Option<usize> {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        match entry(middle)? {
            Ordering::Less => low = middle + 1,
            Ordering::Greater => high = middle,
            Ordering::Equal => return Some(middle),
        }
    }
    None
}
