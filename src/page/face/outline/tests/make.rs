//! Small fonts for tests, put together table by table.

use alloc::vec;
use alloc::vec::Vec;

/// Units an em of the fonts made here: 12 pixels of 100.
pub const EM: u16 = 1200;

/// A font file of these tables.
pub fn file(kind: &[u8; 4], tables: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut head = kind.to_vec();
    words(&mut head, &[tables.len() as u16, 0, 0, 0]);
    let mut body = Vec::new();
    for (tag, table) in tables {
        head.extend_from_slice(*tag);
        longs(&mut head, &[0, (12 + 16 * tables.len() + body.len()) as u32, table.len() as u32]);
        body.extend_from_slice(table);
        body.resize(body.len().next_multiple_of(4), 0);
    }
    head.extend(body);
    head
}

pub fn words(out: &mut Vec<u8>, words: &[u16]) {
    words.iter().for_each(|word| out.extend(word.to_be_bytes()));
}

pub fn longs(out: &mut Vec<u8>, longs: &[u32]) {
    longs.iter().for_each(|long| out.extend(long.to_be_bytes()));
}

/// The tables that every font has: an em of 12 pixels, 10 above the baseline and 2 below, all glyphs `advance` wide, named "Test Sans Bold".
/// The letters from `a` on are glyphs 1, 2, ….
pub fn frame(advance: u16) -> Vec<(&'static [u8; 4], Vec<u8>)> {
    let mut head = vec![0; 54];
    head.splice(18..20, EM.to_be_bytes());
    head.splice(50..52, [0, 1]); // long offsets
    let mut hhea = vec![0; 36];
    hhea.splice(4..8, [1000i16, -200].iter().flat_map(|word| word.to_be_bytes()));
    hhea.splice(34..36, [0, 1]); // one width for all
    let mut hmtx = Vec::new();
    words(&mut hmtx, &[advance, 0]);
    vec![(b"head", head), (b"hhea", hhea), (b"hmtx", hmtx), (b"cmap", cmap12(&[(0x61, 0x7a, 1)])), (b"name", name())]
}

fn name() -> Vec<u8> {
    let texts: [(u16, &str); 2] = [(1, "Test Sans"), (2, "Bold")];
    let (mut records, mut bytes) = (Vec::new(), Vec::new());
    for (number, text) in texts {
        words(&mut records, &[3, 1, 0x409, number, 2 * text.len() as u16, bytes.len() as u16]);
        words(&mut bytes, &text.encode_utf16().collect::<Vec<u16>>());
    }
    let mut table = Vec::new();
    words(&mut table, &[0, 2, 6 + records.len() as u16]);
    [table, records, bytes].concat()
}

/// A map of one kind of table, `platform` Windows.
fn cmap(encoding: u16, map: Vec<u8>) -> Vec<u8> {
    let mut table = Vec::new();
    words(&mut table, &[0, 1, 3, encoding]);
    longs(&mut table, &[12]);
    [table, map].concat()
}

/// Ranges of letters and the glyph of the first.
pub fn cmap12(groups: &[(u32, u32, u32)]) -> Vec<u8> {
    let mut map = Vec::new();
    words(&mut map, &[12, 0]);
    longs(&mut map, &[16 + 12 * groups.len() as u32, 0, groups.len() as u32]);
    groups.iter().for_each(|&(first, last, glyph)| longs(&mut map, &[first, last, glyph]));
    cmap(10, map)
}

/// Segments of format 4: first, last, delta, offset; then glyphs.
pub fn cmap4(segments: &[(u16, u16, u16, u16)], glyphs: &[u16]) -> Vec<u8> {
    let mut map = Vec::new();
    words(&mut map, &[4, 0, 0, 2 * segments.len() as u16, 0, 0, 0]);
    segments.iter().for_each(|segment| words(&mut map, &[segment.1]));
    words(&mut map, &[0]);
    segments.iter().for_each(|segment| words(&mut map, &[segment.0]));
    segments.iter().for_each(|segment| words(&mut map, &[segment.2]));
    segments.iter().for_each(|segment| words(&mut map, &[segment.3]));
    words(&mut map, glyphs);
    cmap(1, map)
}

/// `loca` and `glyf` of these glyphs, the first of which is glyph 0.
pub fn glyf(glyphs: &[Vec<u8>]) -> [(&'static [u8; 4], Vec<u8>); 2] {
    let (mut loca, mut glyf) = (Vec::new(), Vec::new());
    longs(&mut loca, &[0]);
    for glyph in glyphs {
        glyf.extend_from_slice(glyph);
        longs(&mut loca, &[glyf.len() as u32]);
    }
    [(b"loca", loca), (b"glyf", glyf)]
}

/// A glyph of rectangles: left, bottom, right, top in units.
pub fn boxes(boxes: &[[i16; 4]]) -> Vec<u8> {
    let mut glyph = Vec::new();
    words(&mut glyph, &[boxes.len() as u16, 0, 0, 0, 0]);
    (0..boxes.len()).for_each(|i| words(&mut glyph, &[4 * i as u16 + 3]));
    words(&mut glyph, &[0]);
    glyph.resize(glyph.len() + 4 * boxes.len(), 1); // on the curve, deltas of two bytes
    for axis in [[0, 0, 2, 2], [1, 3, 3, 1]] {
        let mut at = 0i16;
        for corner in boxes.iter().flat_map(|sides| axis.map(|side: usize| sides[side])) {
            words(&mut glyph, &[corner.wrapping_sub(at) as u16]);
            at = corner;
        }
    }
    glyph
}

/// A composite glyph: parts, and how far each is moved.
pub fn composite(parts: &[(u16, i8, i8)]) -> Vec<u8> {
    let mut glyph = Vec::new();
    words(&mut glyph, &[u16::MAX, 0, 0, 0, 0]);
    for (i, part) in parts.iter().enumerate() {
        let more = if i + 1 < parts.len() { 0x20 } else { 0 };
        words(&mut glyph, &[2 | more, part.0]);
        glyph.extend([part.1 as u8, part.2 as u8]);
    }
    glyph
}

/// A `CFF ` table with these charstrings and global subroutines.
pub fn cff(glyphs: &[Vec<u8>], subroutines: &[Vec<u8>]) -> Vec<u8> {
    let start = [vec![1, 0, 4, 1], index(&[b"A".to_vec()])].concat();
    let rest = [index(&[]), index(subroutines)].concat();
    // The top DICT holds one number, of five bytes, and its operator: an INDEX of 7 + 6 bytes.
    let at = start.len() + 13 + rest.len();
    let mut top = vec![29];
    longs(&mut top, &[at as u32]);
    top.push(17);
    [start, index(&[top]), rest, index(glyphs)].concat()
}

fn index(entries: &[Vec<u8>]) -> Vec<u8> {
    let mut table = Vec::new();
    words(&mut table, &[entries.len() as u16]);
    if entries.is_empty() {
        return table;
    }
    table.push(2);
    let mut at = 1;
    words(&mut table, &[at]);
    for entry in entries {
        at += entry.len() as u16;
        words(&mut table, &[at]);
    }
    table.extend(entries.concat());
    table
}

/// `EBLC` and `EBDT` of one strike of 12 pixels. `range`: what follows the formats and the offset in its one range, of glyphs 1 and 2.
pub fn strike(formats: [u16; 2], range: &[u8], images: &[u8]) -> [(&'static [u8; 4], Vec<u8>); 2] {
    let mut eblc = Vec::new();
    longs(&mut eblc, &[0x0002_0000, 1, 56, 0, 1, 0]);
    eblc.resize(52, 0);
    eblc.extend([12, 12, 1, 1]);
    words(&mut eblc, &[1, 2]);
    longs(&mut eblc, &[8]);
    words(&mut eblc, &formats);
    longs(&mut eblc, &[4]);
    eblc.extend_from_slice(range);
    [(b"EBLC", eblc), (b"EBDT", [&[0, 2, 0, 0], images].concat())]
}
