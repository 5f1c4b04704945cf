//! How long a text is as a JSON string.

/// Extra bytes that `JSON.stringify` spends on a byte: `\n` takes two, other control characters six.
static EXTRA: [u8; 256] = extra();

const fn extra() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 0x20 {
        table[byte] = 5;
        byte += 1;
    }
    table[0x08] = 1;
    table[b'\t' as usize] = 1;
    table[b'\n' as usize] = 1;
    table[0x0c] = 1;
    table[b'\r' as usize] = 1;
    table[b'"' as usize] = 1;
    table[b'\\' as usize] = 1;
    table
}

/// Bytes of a text as a JSON string, quotes and escapes included.
pub fn json_len(text: &[u8]) -> usize {
    let (words, rest) = text.as_chunks::<8>();
    let mut extra = one_by_one(rest);
    for word in words {
        // Most stretches of eight bytes hold nothing to escape.
        if may_escape(u64::from_le_bytes(*word)) {
            extra += one_by_one(word);
        }
    }
    text.len() + 2 + extra
}

fn one_by_one(text: &[u8]) -> usize {
    text.iter().map(|&byte| EXTRA[byte as usize] as usize).sum()
}

/// The high bit of every byte, and the lowest.
const HIGH: u64 = 0x8080_8080_8080_8080;
const LOW: u64 = 0x0101_0101_0101_0101;

/// True when one of eight bytes is a control character, a quote or a backslash.
fn may_escape(word: u64) -> bool {
    let control = !((word & !HIGH) + LOW * (0x80 - 0x20)) & !word & HIGH;
    let is = |byte: u8| {
        let differs = word ^ (LOW * u64::from(byte));
        !(((differs & !HIGH) + !HIGH) | differs) & HIGH
    };
    control | is(b'"') | is(b'\\') != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_told_in_every_place() {
        for byte in 0..=255u8 {
            for place in 0..16 {
                let mut text = [b'a'; 16];
                text[place] = byte;
                assert_eq!(json_len(&text), 18 + EXTRA[byte as usize] as usize, "{byte} at {place}");
            }
        }
    }
}
