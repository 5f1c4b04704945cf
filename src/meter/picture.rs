//! The size of a picture, read from its first bytes.
//!
//! A picture travels as base64 and may be megabytes long; its size stands in the first few dozen bytes, or, in a JPEG,
//! behind segments that say how long they are. So the decoder is a stream: it decodes what a header needs, steps over
//! the rest and allocates nothing. The crate `imagesize` 0.15 reads more formats, but needs `std` (`BufRead`, `Seek`)
//! and decoded bytes.
//!
//! Read are PNG, JPEG, GIF and WebP, which is what providers take. Rotation by EXIF is not looked at: it swaps the
//! sides, which changes no bill. Anything else, truncated or broken, is `None`.

/// Width and height in pixels of a picture in base64: standard or URL-safe, with or without a `data:…;base64,` before it,
/// with any white space in it. Each is at least 1.
pub fn size_of_base64(text: &[u8]) -> Option<(u32, u32)> {
    size(&mut Base64 { text: body(text)?, bits: 0, held: 0 })
}

/// Width and height in pixels of a picture's file; its beginning suffices. Each is at least 1.
pub fn size_of_bytes(bytes: &[u8]) -> Option<(u32, u32)> {
    size(&mut Bytes(bytes))
}

/// What a page of ours says right behind its size: the content of a text chunk. Another number will mean that pages are read otherwise.
pub const PAGE_KEY: &[u8] = b"palimpsest\0page 1";

/// Whether a picture in base64, as [`size_of_base64`] takes it, is a page of ours; its first eighty letters suffice.
pub fn is_page_base64(text: &[u8]) -> bool {
    body(text).is_some_and(|text| page(&mut Base64 { text, bits: 0, held: 0 }).is_some())
}

/// Whether a picture's file is a page of ours; its first sixty bytes suffice.
pub fn is_page_bytes(bytes: &[u8]) -> bool {
    page(&mut Bytes(bytes)).is_some()
}

/// W3C PNG, 11.2.2 and 11.3.3.3: of the header 13 bytes and their sum, then a text: its keyword ends with a zero byte.
fn page(source: &mut impl Source) -> Option<()> {
    source.expect(b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR")?;
    source.skip(13 + 4)?;
    source.skip(4)?;
    source.expect(b"tEXt")?;
    // Any number: what another version wrote is a page too.
    source.expect(PAGE_KEY.strip_suffix(b"1")?)
}

/// Bytes in order, some of them stepped over. `None` is the end.
trait Source {
    fn byte(&mut self) -> Option<u8>;
    fn skip(&mut self, count: u32) -> Option<()>;

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let mut bytes = [0; N];
        for byte in &mut bytes {
            *byte = self.byte()?;
        }
        Some(bytes)
    }

    fn expect(&mut self, bytes: &[u8]) -> Option<()> {
        bytes.iter().all(|wanted| self.byte() == Some(*wanted)).then_some(())
    }
}

struct Bytes<'a>(&'a [u8]);

impl Source for Bytes<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn skip(&mut self, count: u32) -> Option<()> {
        self.0 = self.0.get(usize::try_from(count).ok()?..)?;
        Some(())
    }
}

/// Decodes letter by letter. `bits` holds `held` bits (0, 2 or 4 between two bytes) that no byte has used yet.
struct Base64<'a> {
    text: &'a [u8],
    bits: u32,
    held: u32,
}

impl Source for Base64<'_> {
    fn byte(&mut self) -> Option<u8> {
        while self.held < 8 {
            let (letter, rest) = self.text.split_first()?;
            self.text = rest;
            if letter.is_ascii_whitespace() {
                continue;
            }
            self.bits = (self.bits << 6 | six_bits(*letter)?) & 0xFFFF;
            self.held += 6;
        }
        self.held -= 8;
        Some((self.bits >> self.held) as u8)
    }

    fn skip(&mut self, mut count: u32) -> Option<()> {
        // To the border of a group of four letters, then whole groups without looking at more than their white space.
        while count > 0 && self.held != 0 {
            self.byte()?;
            count -= 1;
        }
        let mut letters = usize::try_from(count / 3).ok()?.checked_mul(4)?;
        while letters > 0 {
            let (stepped, rest) = self.text.split_at_checked(letters)?;
            self.text = rest;
            letters = stepped.iter().filter(|letter| letter.is_ascii_whitespace()).count();
        }
        for _ in 0..count % 3 {
            self.byte()?;
        }
        Some(())
    }
}

fn six_bits(letter: u8) -> Option<u32> {
    Some(u32::from(match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    }))
}

/// Longest `data:` prefix that is looked through; media types with parameters stay far below.
const PREFIX: usize = 256;

/// What stands behind `data:…;base64,`, or all of it. `None` for a data URL that is not base64.
fn body(text: &[u8]) -> Option<&[u8]> {
    let text = text.trim_ascii_start();
    let is_url = text.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"data:"));
    if !is_url {
        return Some(text);
    }
    let comma = text.iter().take(PREFIX).position(|letter| *letter == b',')?;
    let (head, body) = (&text[..comma], &text[comma + 1..]);
    let mark = b";base64";
    let tail = head.trim_ascii_end();
    let tail = &tail[tail.len().checked_sub(mark.len())?..];
    tail.eq_ignore_ascii_case(mark).then_some(body)
}

fn size(source: &mut impl Source) -> Option<(u32, u32)> {
    let (width, height) = match source.byte()? {
        0x89 => png(source),
        0xFF => jpeg(source),
        b'G' => gif(source),
        b'R' => webp(source),
        _ => None,
    }?;
    (width > 0 && height > 0).then_some((width, height))
}

/// W3C PNG, 5.2 and 11.2.2: signature, then the chunk IHDR. Apple's tools put a chunk CgBI before it.
fn png(source: &mut impl Source) -> Option<(u32, u32)> {
    source.expect(b"PNG\r\n\x1a\n")?;
    let mut length = u32::from_be_bytes(source.array()?);
    let mut kind: [u8; 4] = source.array()?;
    if &kind == b"CgBI" {
        source.skip(length.checked_add(4)?)?;
        length = u32::from_be_bytes(source.array()?);
        kind = source.array()?;
    }
    if &kind != b"IHDR" || length < 8 {
        return None;
    }
    let (width, height) = (u32::from_be_bytes(source.array()?), u32::from_be_bytes(source.array()?));
    let most = i32::MAX as u32;
    (width <= most && height <= most).then_some((width, height))
}

/// GIF89a, 17 and 18: the size of the logical screen.
fn gif(source: &mut impl Source) -> Option<(u32, u32)> {
    source.expect(b"IF8")?;
    if !matches!(&source.array()?, b"7a" | b"9a") {
        return None;
    }
    let (width, height) = (u16::from_le_bytes(source.array()?), u16::from_le_bytes(source.array()?));
    Some((width.into(), height.into()))
}

/// ITU T.81, annex B: segments up to the first frame header. A preview within EXIF lies inside a segment and is stepped over.
fn jpeg(source: &mut impl Source) -> Option<(u32, u32)> {
    source.expect(&[0xD8])?;
    loop {
        source.expect(&[0xFF])?;
        let mut marker = source.byte()?;
        // Any number of fill bytes may stand before a marker.
        while marker == 0xFF {
            marker = source.byte()?;
        }
        match marker {
            // Without a length.
            0x01 | 0xD0..=0xD7 => continue,
            // A frame; C4, C8 and CC among them are tables.
            0xC0..=0xC3 | 0xC5..=0xC7 | 0xC9..=0xCB | 0xCD..=0xCF => {
                source.skip(3)?;
                let (height, width) = (u16::from_be_bytes(source.array()?), u16::from_be_bytes(source.array()?));
                return Some((width.into(), height.into()));
            }
            // No frame before the end or the data.
            0x00 | 0xD8..=0xDA => return None,
            _ => {
                let length = u16::from_be_bytes(source.array()?);
                source.skip(u32::from(length).checked_sub(2)?)?;
            }
        }
    }
}

/// RFC 9649: the first chunk is lossy, lossless, or an extended header with the size of the canvas.
fn webp(source: &mut impl Source) -> Option<(u32, u32)> {
    source.expect(b"IFF")?;
    source.skip(4)?;
    source.expect(b"WEBPVP8")?;
    let kind = source.byte()?;
    source.skip(4)?;
    match kind {
        b' ' => {
            let [first, ..] = source.array::<3>()?;
            // Only a key frame has a size.
            if first & 1 != 0 {
                return None;
            }
            source.expect(&[0x9D, 0x01, 0x2A])?;
            // 14 bits; the two above are a scale for showing it.
            let side = |bytes| u32::from(u16::from_le_bytes(bytes) & 0x3FFF);
            Some((side(source.array()?), side(source.array()?)))
        }
        b'L' => {
            source.expect(&[0x2F])?;
            let bits = u32::from_le_bytes(source.array()?);
            Some(((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1))
        }
        b'X' => {
            source.skip(4)?;
            let side = |[a, b, c]: [u8; 3]| u32::from_le_bytes([a, b, c, 0]) + 1;
            Some((side(source.array()?), side(source.array()?)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
