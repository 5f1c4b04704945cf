//! The name by which a font goes: the table `name`.

use super::read::{slice, u16_at};
use alloc::string::String;

/// Letters of a name at most: it is printed in errors.
const LONGEST: usize = 100;

/// Family, and style unless that is the plain one: "JetBrains Mono", "JetBrains Mono Bold". Empty when the font does not tell.
pub(super) fn name(table: &[u8]) -> String {
    // 16 and 17 where a family has more than four styles, else 1 and 2.
    let family = entry(table, 16).or_else(|| entry(table, 1)).unwrap_or_default();
    let style = entry(table, 17).or_else(|| entry(table, 2)).unwrap_or_default();
    let plain = matches!(style.as_str(), "" | "Regular" | "Book" | "Normal" | "Roman" | "Medium");
    if plain { family } else { family + " " + &style }
}

/// A name by its number, preferably as Windows reads it, in UTF-16.
fn entry(table: &[u8], number: u16) -> Option<String> {
    let texts = usize::from(u16_at(table, 4)?);
    let mut found = None;
    for i in 0..usize::from(u16_at(table, 2)?) {
        let record = slice(table, 6 + 12 * i, 12)?;
        if u16_at(record, 6)? != number {
            continue;
        }
        let (length, at) = (usize::from(u16_at(record, 8)?), usize::from(u16_at(record, 10)?));
        let Some(bytes) = slice(table, texts + at, length) else { continue };
        match (u16_at(record, 0)?, u16_at(record, 4)?) {
            // English, or no language at all, ends the search.
            (3, 0x409) | (0, _) => return Some(utf16(bytes)),
            (3, _) => found = found.or(Some(utf16(bytes))),
            (1, 0) => found = found.or(Some(bytes.iter().take(LONGEST).map(|&byte| char::from(byte & 0x7f)).collect())),
            _ => {}
        }
    }
    found
}

fn utf16(bytes: &[u8]) -> String {
    let units = bytes.as_chunks::<2>().0.iter().map(|&unit| u16::from_be_bytes(unit));
    let letters = char::decode_utf16(units).map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER));
    letters.filter(|letter| !letter.is_control()).take(LONGEST).collect()
}
