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
    text.len() + 2 + text.iter().map(|&b| EXTRA[b as usize] as usize).sum::<usize>()
}
