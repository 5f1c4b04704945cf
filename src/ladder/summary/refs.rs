//! What has to survive a summary word for word: what the person asked for once and for all, and the exact strings of what goes.

use super::text::Summary;
use crate::message::{Kind, Message, Role, Store};
use crate::page::facts::{Facts, Rank};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Words by which a person says that something holds from now on.
const STANDING: [&str; 3] = ["always", "never", "from now on"];
/// Longest sentence that counts as an instruction, in letters.
const LONGEST: usize = 300;
/// Most of them; the newest stay.
const MOST: usize = 20;

/// The references of a summary: those of the one before, then the person's standing instructions, then the exact strings of `text`, as far
/// as `budget` tokens reach.
pub fn wanted(
    previous: Option<&Summary>,
    instructions: Vec<String>,
    text: &str,
    budget: u32,
    price: &dyn Fn(&str) -> u32,
) -> Vec<String> {
    let mut wanted: Vec<String> = Vec::new();
    let mut left = budget;
    let carried = previous.into_iter().flat_map(|previous| previous.references.iter().cloned());
    for reference in carried.chain(instructions) {
        let cost = price(&reference);
        if cost <= left && !wanted.contains(&reference) {
            left -= cost;
            wanted.push(reference);
        }
    }
    let mut facts = Facts::new();
    for setting in text.split_whitespace().filter_map(setting) {
        facts.add(setting, Rank::Exact);
    }
    facts.read(text);
    for fact in facts.sheet(left, price) {
        if !wanted.iter().any(|known| known.contains(fact)) {
            wanted.push(fact.to_string());
        }
    }
    wanted
}

/// A setting in a word, `NAME=value`: beside its name the value alone says nothing. The name is that of a variable of the environment.
fn setting(word: &str) -> Option<&str> {
    let word = word.trim_matches(|letter: char| matches!(letter, '`' | '"' | '\'' | '(' | ')' | ',' | ';' | '.'));
    let (name, value) = word.split_once('=')?;
    let of_name = |letter: char| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_';
    let named = name.len() > 1 && name.starts_with(|first: char| first.is_ascii_uppercase() || first == '_');
    let of_value = |letter: char| letter.is_alphanumeric() || "/._-:,@%+".contains(letter);
    let said = !value.is_empty() && value.chars().all(of_value);
    (named && name.chars().all(of_name) && said && word.len() <= LONGEST).then_some(word)
}

/// The sentences in which a person says what holds from now on, oldest first.
pub fn instructions<'a>(messages: impl Iterator<Item = &'a Message>, store: &Store) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let people = messages.filter(|message| message.role == Role::User);
    let words = people.flat_map(|message| message.parts.iter());
    for part in words.filter(|part| part.kind == Kind::Text && !part.own && !part.inside && !part.json) {
        let text = store.str(part.from, part.body);
        for sentence in text.split_inclusive(['.', '!', '?', '\n', '\u{3002}']).map(str::trim) {
            if is_standing(sentence) && !found.iter().any(|known| known == sentence) {
                found.push(sentence.to_string());
            }
        }
    }
    let first = found.len().saturating_sub(MOST);
    found.split_off(first)
}

fn is_standing(sentence: &str) -> bool {
    let letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    let stands = |word: &&str| {
        sentence.match_indices(|first: char| first.is_ascii_alphabetic()).any(|(at, _)| {
            let begins = !sentence[..at].ends_with(letter);
            let same = sentence.get(at..at + word.len()).is_some_and(|here| here.eq_ignore_ascii_case(word));
            begins && same && !sentence[at + word.len()..].starts_with(letter)
        })
    };
    sentence.chars().count() <= LONGEST && STANDING.iter().any(stands)
}

/// Appends what a summary has to hold and does not.
pub fn carry(summary: &mut Summary, wanted: &[String]) {
    for reference in wanted {
        if !summary.markdown.contains(reference.as_str()) {
            summary.references.push(reference.clone());
        }
    }
    summary.write();
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn what_the_model_dropped_is_appended_word_for_word() {
        let mut summary = Summary::read("## Context\n- ported src/parse.rs\n").unwrap_or_default();
        let text = "see src/parse.rs and https://ci.example.org/run/88213, commit 9f3c1ab27de0";
        let wanted = wanted(None, vec!["Never push.".to_string()], text, 100, &|text| text.len() as u32 / 4 + 1);
        assert_eq!(wanted, ["Never push.", "src/parse.rs", "https://ci.example.org/run/88213", "9f3c1ab27de0"]);
        carry(&mut summary, &wanted);
        assert_eq!(summary.references, ["Never push.", "https://ci.example.org/run/88213", "9f3c1ab27de0"]);
        assert!(
            summary
                .markdown
                .ends_with("## References\n- Never push.\n- https://ci.example.org/run/88213\n- 9f3c1ab27de0")
        );
    }

    #[test]
    fn earlier_references_come_first_and_a_budget_holds() {
        let previous = Summary { references: vec!["a/b.rs:1".into(), "c/d.rs:2".into()], ..Summary::default() };
        let kept = wanted(Some(&previous), Vec::new(), "e/f.rs:3 g/h.rs:4", 30, &|_| 10);
        assert_eq!(kept, ["a/b.rs:1", "c/d.rs:2", "e/f.rs:3"]);
    }

    #[test]
    fn a_setting_is_named_with_its_value() {
        assert_eq!(setting("`CACHE_BYTES=1048576`,"), Some("CACHE_BYTES=1048576"));
        for none in ["a=b", "=5", "PORT=", "x == y", "Port=80", "A=1", "PORT=\"$(cat"] {
            assert_eq!(setting(none), None, "{none}");
        }
    }

    #[test]
    fn a_standing_instruction_is_a_sentence_with_such_a_word() {
        for (sentence, stands) in [
            ("Always run the tests first.", true),
            ("from NOW on answer in German", true),
            ("You may never, ever push.", true),
            ("Nevertheless go on.", false),
            ("It hallways.", false),
            ("open never_mind.rs", false),
        ] {
            assert_eq!(is_standing(sentence), stands, "{sentence}");
        }
    }
}
