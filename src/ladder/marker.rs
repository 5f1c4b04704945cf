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

/// Stands before pages. Its first line never changes: a provider's cache reaches to the last page that stays.
pub fn lead_in(left_out: u64) -> String {
    let mut words = format!(
        "{MARK}what was said before, drawn as pages to save room. Read each page row by row from the left, and all of them as one text: rows break \
         anywhere, \u{21b5} is a line break, \u{21e5} a tab, \u{23b5} four spaces. White on black, \u{27e6}user\u{27e7} or \u{27e6}result of a tool\u{27e7} \
         says who speaks. Do not guess names, numbers or ids that you cannot read clearly: those listed after the pages are exact.]"
    );
    if left_out > 0 {
        words.push('\n');
        words.push_str(&notice(left_out));
    }
    words
}

/// Stands after pages: how many messages they hold, and the exact strings on them.
pub fn sheet(messages: u64, facts: &[&str]) -> String {
    let noun = if messages == 1 { "message" } else { "messages" };
    let mut words = format!("{MARK}the pages above stand for {messages} {noun}");
    if facts.is_empty() {
        words.push(']');
        return words;
    }
    words.push_str("; exact strings on them:]");
    for fact in facts {
        words.push('\n');
        words.push_str(fact);
    }
    words
}

/// How many messages pages stand for, as the words after them say; `None` for any other text.
pub fn drawn(text: &str) -> Option<u64> {
    let rest = text.strip_prefix(MARK)?.strip_prefix("the pages above stand for ")?;
    rest.split_once(' ')?.0.parse().ok()
}

/// The first line of a summary: how many messages it stands for, and how often it was written anew.
pub fn summary(messages: u64, generation: u32) -> String {
    let noun = if messages == 1 { "message" } else { "messages" };
    format!("{MARK}summary of {messages} earlier {noun}, generation {generation}]")
}

/// How many messages a summary stands for, its generation, and its words; `None` for any other text.
pub fn summed(text: &str) -> Option<(u64, u32, &str)> {
    let (messages, rest) = text.strip_prefix(MARK)?.strip_prefix("summary of ")?.split_once(' ')?;
    let (first, words) = rest.split_once(']')?;
    let generation = first.rsplit_once(" generation ")?.1;
    Some((messages.parse().ok()?, generation.parse().ok()?, words.trim_start()))
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

    #[test]
    fn a_summary_is_read_back() {
        let words = format!("{}\n## Context\n- a] b", summary(12, 3));
        assert!(is_own(words.as_bytes()));
        assert_eq!(summed(&words), Some((12, 3, "## Context\n- a] b")));
        assert_eq!(summed(&summary(1, 1)), Some((1, 1, "")));
        assert_eq!(noticed(&words), None);
        assert_eq!(summed(&notice(3)), None);
    }
}
