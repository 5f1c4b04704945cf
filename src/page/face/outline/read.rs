//! Big-endian numbers and the table of contents of a font file. Nothing here trusts an offset.

use core::ops::Range;

/// The byte at `at`.
pub(super) fn u8_at(data: &[u8], at: usize) -> Option<u8> {
    data.get(at).copied()
}

/// The signed byte at `at`.
pub(super) fn i8_at(data: &[u8], at: usize) -> Option<i8> {
    u8_at(data, at).map(|byte| byte as i8)
}

/// The 16-bit number at `at`.
pub(super) fn u16_at(data: &[u8], at: usize) -> Option<u16> {
    let [a, b] = *data.get(at..)?.first_chunk()?;
    Some(u16::from_be_bytes([a, b]))
}

/// The signed 16-bit number at `at`.
pub(super) fn i16_at(data: &[u8], at: usize) -> Option<i16> {
    u16_at(data, at).map(|word| word as i16)
}

/// The 32-bit number at `at`, as an offset.
pub(super) fn u32_at(data: &[u8], at: usize) -> Option<usize> {
    let word = *data.get(at..)?.first_chunk()?;
    usize::try_from(u32::from_be_bytes(word)).ok()
}

/// `length` bytes from `at`.
pub(super) fn slice(data: &[u8], at: usize, length: usize) -> Option<&[u8]> {
    data.get(at..at.checked_add(length)?)
}

/// Where the font begins: that of a collection is its first.
pub(super) fn start(file: &[u8]) -> Option<usize> {
    match file.first_chunk()? {
        b"ttcf" => u32_at(file, 12),
        [0, 1, 0, 0] | b"true" | b"OTTO" => Some(0),
        _ => None,
    }
}

/// The range of a table of the font that begins at `start`; one that ends beyond the file is cut there.
pub(super) fn table(file: &[u8], start: usize, tag: &[u8; 4]) -> Option<Range<usize>> {
    let font = file.get(start..)?;
    let count = u16_at(font, 4)?;
    for i in 0..usize::from(count) {
        let entry = slice(font, 12 + 16 * i, 16)?;
        if entry.starts_with(tag) {
            let from = u32_at(entry, 8)?;
            let to = from.saturating_add(u32_at(entry, 12)?).min(file.len());
            return (from < to).then_some(from..to);
        }
    }
    None
}
