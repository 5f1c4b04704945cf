//! Letters that must not stand on a page as they are.

/// What becomes of a letter beyond ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It stays.
    Stays,
    /// It would change how others are read, or hide: its number is shown instead.
    Shown,
    /// It joins or dresses the letter before it, which beyond ASCII means no harm: there it leaves no trace. Elsewhere, and a second in a
    /// row, it is shown, since such letters are also used to hide words.
    Joiner,
    /// A soft hyphen or a byte order mark: leaves no trace, but for a second in a row.
    Silent,
    /// It looks like what opens a marker.
    Opens,
    /// It looks like what closes a marker.
    Closes,
}

/// Unicode 16: controls (C1), all format characters (general category Cf) that change or hide, fillers that are drawn as nothing.
pub(super) fn fate(letter: char) -> Fate {
    match letter {
        '\u{a0}'..='\u{ac}' | '\u{ae}'..='\u{34e}' | '\u{350}'..='\u{61b}' | '\u{61d}'..='\u{115e}' => Fate::Stays,
        // Mathematical and legal white brackets, brackets with a quill, a tick, a bar or a stroke.
        '\u{27e6}' | '\u{301a}' | '\u{2045}' | '\u{298b}' | '\u{298d}' | '\u{298f}' | '\u{2e55}' | '\u{2e57}' => {
            Fate::Opens
        }
        '\u{27e7}' | '\u{301b}' | '\u{2046}' | '\u{298c}' | '\u{298e}' | '\u{2990}' | '\u{2e56}' | '\u{2e58}' => {
            Fate::Closes
        }
        '\u{ad}' | '\u{feff}' => Fate::Silent,
        '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => Fate::Joiner,
        '\u{80}'..='\u{9f}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'..='\u{1160}'
        | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}' => Fate::Shown,
        _ => Fate::Stays,
    }
}

/// The high bit of every byte, and the lowest.
const HIGH: u64 = 0x8080_8080_8080_8080;
const LOW: u64 = 0x0101_0101_0101_0101;

/// Where the first byte stands, from `at` on, that is no printable ASCII, line end or tab; the length when there is none.
pub(super) fn plain_end(text: &[u8], mut at: usize) -> usize {
    let plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    while text.get(at).is_some_and(|&byte| plain(byte)) {
        let Some(word) = text.get(at..).and_then(|rest| rest.first_chunk::<8>()) else {
            at += 1;
            continue;
        };
        let other = others(u64::from_le_bytes(*word));
        if other != 0 {
            return at + other.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at
}

/// The high bit of each of eight bytes that is not plain; see [`plain_end`].
fn others(word: u64) -> u64 {
    let low = word & !HIGH;
    let control = !(low + LOW * (0x80 - 0x20)) & HIGH;
    let is = |byte: u8| {
        let differs = low ^ (LOW * u64::from(byte));
        !(differs + !HIGH) & HIGH
    };
    (control & !is(b'\n') & !is(b'\t')) | is(0x7f) | (word & HIGH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_told_in_every_place() {
        for byte in 0..=255u8 {
            for place in 0..20 {
                let mut text = [b'a'; 20];
                text[place] = byte;
                let plain = matches!(byte, b' '..=b'~' | b'\n' | b'\t');
                assert_eq!(plain_end(&text, 0), if plain { 20 } else { place }, "{byte} at {place}");
            }
        }
    }

    #[test]
    fn what_may_stand_on_a_page_stays() {
        // Cyrillic, Arabic, Devanagari, Hangul, an ellipsis, arrows, a box, Han, kana, full width, private use, an emoji, a combining mark.
        for letter in "ñжعक한…→│漢かＡ\u{e000}🦀\u{301}\u{a0}".chars() {
            assert_eq!(fate(letter), Fate::Stays, "{letter:?}");
        }
        for letter in ['\u{85}', '\u{9b}', '\u{202e}', '\u{2066}', '\u{200b}', '\u{2060}', '\u{e0041}', '\u{3164}'] {
            assert_eq!(fate(letter), Fate::Shown, "{letter:?}");
        }
    }
}
