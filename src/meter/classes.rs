//! What a byte is, and what script a code point belongs to, as far as tokenizers tell them apart.

/// Class of an ASCII byte, or of the lead of a longer sequence.
pub(super) const LETTER: u8 = 0;
/// `0` to `9`.
pub(super) const DIGIT: u8 = 1;
/// A blank that may lead the next word: space, tab, vertical tab, form feed.
pub(super) const BLANK: u8 = 2;
/// Line feed and carriage return.
pub(super) const NEWLINE: u8 = 3;
/// Everything else below 0x80, control characters included.
pub(super) const PUNCT: u8 = 4;
/// 0x80 and above.
pub(super) const WIDE: u8 = 5;

/// Whether a byte of the class may share a token with the word after it.
pub(super) const LEADS_WORDS: [bool; 6] = [false, false, true, false, true, false];

/// The class of each byte.
pub(super) const CLASS: [u8; 256] = {
    let mut table = [PUNCT; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => LETTER,
            b'0'..=b'9' => DIGIT,
            b' ' | b'\t' | 0x0b | 0x0c => BLANK,
            b'\n' | b'\r' => NEWLINE,
            0x80.. => WIDE,
            _ => PUNCT,
        };
        byte += 1;
    }
    table
};

/// What stands before a word and shares its token: nothing, a letter or digit (no split was due to anything but case),
/// a space, or a character. Characters are grouped by how often vocabularies hold them joined to a word.
pub(super) const LEADS: usize = 8;
pub(super) const LEAD_NONE: usize = 0;
pub(super) const LEAD_GLUED: usize = 1;
pub(super) const LEAD_SPACE: usize = 2;

/// The lead a byte of class `BLANK` or `PUNCT` makes.
pub(super) const LEAD: [u8; 256] = {
    let mut table = [7u8; 256];
    table[b' ' as usize] = LEAD_SPACE as u8;
    table[b'_' as usize] = 3;
    table[b'.' as usize] = 4;
    table[b'-' as usize] = 5;
    table[b'(' as usize] = 5;
    table[b'<' as usize] = 5;
    table[b'/' as usize] = 6;
    table[b'\\' as usize] = 6;
    table[b'\t' as usize] = 6;
    table[b'[' as usize] = 6;
    table[b'=' as usize] = 6;
    table
};

/// A script, or a block of symbols, that tokenizers treat alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Script {
    // Letters, priced by the length of the run.
    Latin,
    Greek,
    Cyrillic,
    Hebrew,
    Arabic,
    Devanagari,
    Indic,
    Thai,
    OtherLetter,
    // Letters without word breaks or with a large alphabet, priced by pairs.
    Han,
    Kana,
    Hangul,
    // Symbols, priced one by one.
    Latin1,
    General,
    CjkPunct,
    FullWidth,
    Arrow,
    Box,
    Misc,
    Emoji,
    Joiner,
    OtherSymbol,
}

/// Scripts priced by the length of the run.
pub(super) const ALPHABETS: usize = Script::Han as usize;
/// First script that is no letter.
pub(super) const SYMBOLS: usize = Script::Latin1 as usize;
/// Number of scripts.
pub(super) const SCRIPTS: usize = Script::OtherSymbol as usize + 1;

/// The script of a code point at or above U+0080.
#[inline]
pub(super) fn script(code: u32) -> Script {
    if let 0x4e00..=0x9fff = code { Script::Han } else { other_script(code) }
}

fn other_script(code: u32) -> Script {
    use Script::*;
    match code {
        0xaa | 0xb5 | 0xba | 0xc0..=0xd6 | 0xd8..=0xf6 | 0xf8..=0x2af | 0x300..=0x36f | 0x1e00..=0x1eff => Latin,
        0x80..=0xff => Latin1,
        0x370..=0x3ff | 0x1f00..=0x1fff => Greek,
        0x400..=0x52f | 0x1c80..=0x1c8f => Cyrillic,
        0x590..=0x5ff | 0xfb1d..=0xfb4f => Hebrew,
        0x60c | 0x61b | 0x61f | 0x66a..=0x66d | 0x6d4 => OtherSymbol,
        0x600..=0x6ff | 0x750..=0x77f | 0x8a0..=0x8ff | 0xfb50..=0xfdff | 0xfe70..=0xfefe => Arabic,
        0x964 | 0x965 => OtherSymbol,
        0x900..=0x97f => Devanagari,
        0x980..=0xdff => Indic,
        0xe3f => OtherSymbol,
        0xe00..=0xe7f => Thai,
        0x1100..=0x11ff | 0x3130..=0x318f | 0xac00..=0xd7ff => Hangul,
        0x2000..=0x200a | 0x2010..=0x2064 | 0x20a0..=0x20cf => General,
        0x200b..=0x200f | 0xfe00..=0xfe0f | 0xfeff => Joiner,
        0x2500..=0x259f => Box,
        0x2190..=0x24ff => Arrow,
        0x25a0..=0x2bff | 0x2065..=0x218f => Misc,
        0x3005..=0x3007 | 0x3400..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x3ffff => Han,
        0x3000..=0x3040 | 0x30fb | 0x31c0..=0x31ef | 0x3200..=0x33ff => CjkPunct,
        0x3041..=0x30ff | 0x31f0..=0x31ff | 0xff66..=0xff9f => Kana,
        0x3100..=0x312f | 0x31a0..=0x31bf => OtherLetter,
        0xff00..=0xffef => FullWidth,
        0x1f000..=0x1faff => Emoji,
        0xe80..=0xeff
        | 0x530..=0x58f
        | 0x700..=0x74f
        | 0x780..=0x89f
        | 0xf00..=0x10ff
        | 0x1200..=0x1c7f
        | 0x1c90..=0x1dff => OtherLetter,
        0x2c00..=0x2dff | 0xa000..=0xabff => OtherLetter,
        _ => OtherSymbol,
    }
}
