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
/// as `budget` tokens reach. Instructions come before all else. What is new gets half of the rest where it needs it: a summary that is updated
/// again and again would else hold what it held at first, and nothing of what the work is about now.
pub fn wanted(
    previous: Option<&Summary>,
    instructions: Vec<String>,
    text: &str,
    budget: u32,
    price: &dyn Fn(&str) -> u32,
) -> Vec<String> {
    let mut carried: Vec<Carried> = Vec::new();
    let before = previous.into_iter().flat_map(|previous| previous.references.iter().cloned());
    for words in before.chain(instructions) {
        if !carried.iter().any(|known| known.words == words) {
            let rank = if words.contains(' ') && is_standing(&words) { RULE } else { OLD };
            carried.push(Carried { cost: price(&words), rank, kept: false, words });
        }
    }
    let mut left = budget;
    keep(&mut carried, RULE, &mut left);

    let mut facts = Facts::new();
    for setting in text.split_whitespace().filter_map(setting) {
        facts.add(setting, Rank::Exact);
    }
    facts.read(text);
    let others =
        carried.iter().filter(|known| known.rank == OLD).fold(0, |sum: u32, known| sum.saturating_add(known.cost));
    let share = (left / 2).max(left.saturating_sub(others));
    // What is known takes no room of what is new.
    let cost = |fact: &str| if carried.iter().any(|known| known.words.contains(fact)) { 0 } else { price(fact) };
    let mut news = facts.sheet(share, &cost);
    news.retain(|fact| {
        let cost = cost(fact);
        left = left.saturating_sub(cost);
        cost > 0
    });
    if others > left {
        for known in carried.iter_mut().filter(|known| known.rank == OLD && text.contains(&known.words)) {
            known.rank = AGAIN;
        }
        keep(&mut carried, AGAIN, &mut left);
    }
    keep(&mut carried, OLD, &mut left);

    let mut wanted: Vec<String> = carried.into_iter().filter(|known| known.kept).map(|known| known.words).collect();
    for fact in news {
        if !wanted.iter().any(|known| known.contains(fact)) {
            wanted.push(fact.to_string());
        }
    }
    wanted
}

/// Instructions, what is spoken of again, and the rest.
const RULE: u8 = 0;
const AGAIN: u8 = 1;
const OLD: u8 = 2;

/// What the summary before holds, and what the person asked for since.
struct Carried {
    words: String,
    cost: u32,
    rank: u8,
    kept: bool,
}

/// Keeps what there is room for; of what there is none for, the oldest go.
#[inline(never)]
fn keep(carried: &mut [Carried], rank: u8, left: &mut u32) {
    for known in carried.iter_mut().rev().filter(|known| known.rank == rank) {
        if let Some(rest) = left.checked_sub(known.cost) {
            *left = rest;
            known.kept = true;
        }
    }
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
    fn what_is_new_is_not_crowded_out_by_what_was_known_before() {
        let old: Vec<String> = (0..9).map(|n| alloc::format!("old/{n}.rs:1")).collect();
        let previous = Summary { references: old, ..Summary::default() };
        let text = "old/8.rs:1 and old/0.rs:1, then new/a.rs:1 new/b.rs:2 new/c.rs:3 new/d.rs:4";
        let kept = wanted(Some(&previous), Vec::new(), text, 60, &|_| 10);
        assert_eq!(kept, ["old/0.rs:1", "old/7.rs:1", "old/8.rs:1", "new/a.rs:1", "new/b.rs:2", "new/c.rs:3"]);
        // Nothing that is new leaves all the room to what was known.
        assert_eq!(wanted(Some(&previous), Vec::new(), "", 90, &|_| 10), previous.references);
    }

    #[test]
    fn standing_instructions_come_before_all_else() {
        let mut references: Vec<String> = (0..9).map(|n| alloc::format!("old/{n}.rs:1")).collect();
        references.insert(0, "Never push.".into());
        let previous = Summary { references, ..Summary::default() };
        let said = vec!["From now on answer in German.".to_string()];
        let kept = wanted(Some(&previous), said.clone(), "new/a.rs:1", 40, &|_| 10);
        assert_eq!(kept, ["Never push.", "old/8.rs:1", "From now on answer in German.", "new/a.rs:1"]);
        assert_eq!(wanted(Some(&previous), said, "new/a.rs:1", 10, &|_| 10), ["From now on answer in German."]);
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
