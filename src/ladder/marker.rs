//! The words that stand where something was given up. All begin alike, so that a later pass knows its own output and leaves it alone.

use alloc::format;
use alloc::string::String;

/// How every one of them begins.
pub const MARK: &str = "[palimpsest: ";

/// What the assistant says between the system's words and a user's, where a format lets the system speak before the assistant only.
pub const BRIDGE: &str = "[palimpsest: the instructions above go on to hold]";

/// True for a text that this package wrote.
pub fn is_own(text: &[u8]) -> bool {
    text.starts_with(MARK.as_bytes())
}

/// Stands where messages were dropped.
pub fn notice(messages: u64) -> String {
    let (noun, verb) = if messages == 1 { ("message", "was") } else { ("messages", "were") };
    format!("{MARK}{messages} earlier {noun} {verb} left out here to keep within the context window]")
}

/// How many messages a notice speaks of; `None` for any other text.
pub fn noticed(text: &str) -> Option<u64> {
    let (count, rest) = text.strip_prefix(MARK)?.split_once(' ')?;
    rest.starts_with("earlier message").then(|| count.parse().ok())?
}

/// Stands where a result was elided.
pub fn elided(tool: &str, tokens: u32, reference: &str) -> String {
    format!("{MARK}the result of {tool} ({tokens} tokens) was elided; reference {reference}]")
}

/// Stands where a picture was dropped; sizes in pixels.
pub fn picture(size: Option<(u32, u32)>) -> String {
    match size {
        Some((width, height)) => format!("{MARK}a picture of {width}×{height} was left out]"),
        None => format!("{MARK}a picture was left out]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_is_read_back() {
        for count in [0, 1, 2, 12_345] {
            let words = notice(count);
            assert!(is_own(words.as_bytes()));
            assert_eq!(noticed(&words), Some(count));
        }
        assert_eq!(noticed(&picture(Some((3, 4)))), None);
        assert_eq!(noticed("[palimpsest: many earlier messages"), None);
    }
}
