//! PostScript outlines: the table `CFF `, as Adobe's Technical Note 5176 has it. Each glyph is a program, read in `charstring`.

use super::charstring::Run;
use super::path::Path;
use super::read::{slice, u8_at, u16_at};
use alloc::vec::Vec;
use core::ops::Range;

/// Where things stand in a `CFF ` table.
#[derive(Debug)]
pub(super) struct Cff {
    glyphs: usize,
    global: usize,
    /// Local subroutines; of fonts made of several, those of each.
    local: Vec<Option<usize>>,
    /// Which of several fonts a glyph belongs to.
    select: Option<usize>,
}

impl Cff {
    /// `None` when it is damaged.
    pub fn find(data: &[u8]) -> Option<Cff> {
        let names = usize::from(u8_at(data, 2)?);
        let tops = index_end(data, names)?;
        let strings = index_end(data, tops)?;
        let global = index_end(data, strings)?;
        let top = data.get(entry(data, tops, 0)?)?;
        let private = |dict: &[u8]| {
            let (length, at) = (operand(dict, 18, 0)?, operand(dict, 18, 1)?);
            at.checked_add(operand(slice(data, at, length)?, 19, 0)?)
        };
        let mut cff =
            Cff { glyphs: operand(top, 17, 0)?, global, local: Vec::new(), select: operand(top, TWO | 37, 0) };
        match operand(top, TWO | 36, 0) {
            // At most 256, for their numbers are bytes.
            Some(fonts) => (0..count(data, fonts)?.min(256)).try_for_each(|i| {
                let dict = data.get(entry(data, fonts, i)?)?;
                cff.local.push(private(dict));
                Some(())
            })?,
            None => cff.local.push(private(top)),
        }
        Some(cff)
    }

    /// The outline of a glyph; `None` when it is damaged.
    pub fn path(&self, data: &[u8], glyph: u16) -> Option<Path> {
        let font = self.select.map_or(Some(0), |select| font_of(data.get(select..)?, glyph))?;
        let local = self.local.get(font).copied().flatten();
        Run::new(data, self.global, local).path(entry(data, self.glyphs, usize::from(glyph))?)
    }
}

/// Which of several fonts a glyph belongs to: `FDSelect`.
fn font_of(select: &[u8], glyph: u16) -> Option<usize> {
    if u8_at(select, 0)? == 0 {
        return u8_at(select, 1 + usize::from(glyph)).map(usize::from);
    }
    // Ranges, sorted: the first glyph of each, and its font.
    let (mut low, mut high) = (0, usize::from(u16_at(select, 1)?));
    while high - low > 1 {
        let middle = (low + high) / 2;
        if u16_at(select, 3 + 3 * middle)? <= glyph { low = middle } else { high = middle }
    }
    u8_at(select, 5 + 3 * low).map(usize::from)
}

/// Entries of an INDEX, a list of byte strings.
pub(super) fn count(data: &[u8], at: usize) -> Option<usize> {
    u16_at(data, at).map(usize::from)
}

/// The bytes of one of its entries.
pub(super) fn entry(data: &[u8], at: usize, i: usize) -> Option<Range<usize>> {
    let (count, size) = (count(data, at)?, usize::from(u8_at(data, at.checked_add(2)?)?));
    if i >= count || !(1..=4).contains(&size) {
        return None;
    }
    let offsets = at + 3;
    // Offsets count from the byte before the first entry.
    let base = offsets + (count + 1) * size - 1;
    let offset = |i: usize| {
        let bytes = slice(data, offsets + i * size, size)?;
        base.checked_add(bytes.iter().fold(0, |sum, &byte| sum << 8 | usize::from(byte)))
    };
    let range = offset(i)?..offset(i + 1)?;
    (range.start <= range.end && range.end <= data.len()).then_some(range)
}

/// Where the INDEX at `at` ends.
fn index_end(data: &[u8], at: usize) -> Option<usize> {
    match count(data, at)? {
        0 => Some(at + 2),
        count => entry(data, at, count - 1).map(|last| last.end),
    }
}

/// Marks an operator of two bytes, 12 and another.
const TWO: u16 = 0x0c00;

/// The operand `i` of an operator in a DICT, a list of numbers with the operator behind. Real numbers count as zero: no offset is one.
fn operand(dict: &[u8], operator: u16, i: usize) -> Option<usize> {
    let mut numbers: [i32; 2] = [0; 2];
    let mut found = 0;
    let mut at = 0;
    while let Some(byte) = u8_at(dict, at) {
        at += 1;
        let number = match byte {
            0..=21 => {
                let mut this = u16::from(byte);
                if byte == 12 {
                    this = TWO | u16::from(u8_at(dict, at)?);
                    at += 1;
                }
                if this == operator {
                    return (i < found).then_some(*numbers.get(i)?).and_then(|number| usize::try_from(number).ok());
                }
                found = 0;
                continue;
            }
            28 => number(dict, &mut at, 2)?,
            29 => number(dict, &mut at, 4)?,
            30 => {
                while u8_at(dict, at)? & 0x0f != 0x0f {
                    at += 1;
                }
                at += 1;
                0
            }
            _ => short(byte, dict, &mut at)?,
        };
        if let Some(slot) = numbers.get_mut(found) {
            *slot = number;
        }
        found += 1;
    }
    None
}

/// A number of 2 or 4 bytes.
pub(super) fn number(data: &[u8], at: &mut usize, length: usize) -> Option<i32> {
    let bytes = slice(data, *at, length)?;
    *at += length;
    let sign = if bytes.first()? & 0x80 == 0 { 0 } else { -1 };
    Some(bytes.iter().fold(sign, |sum, &byte| sum << 8 | i32::from(byte)))
}

/// A number that begins with its first byte: one or two bytes.
pub(super) fn short(byte: u8, data: &[u8], at: &mut usize) -> Option<i32> {
    let first = i32::from(byte);
    let mut second = || {
        *at += 1;
        u8_at(data, *at - 1).map(i32::from)
    };
    match byte {
        32..=246 => Some(first - 139),
        247..=250 => Some((first - 247) * 256 + second()? + 108),
        251..=254 => Some(-(first - 251) * 256 - second()? - 108),
        _ => None,
    }
}
