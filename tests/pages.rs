//! Pages read back: what a page shows is what was to be drawn, letter for letter, at the size and the price that were told.
#![cfg(all(feature = "std", not(target_arch = "wasm32")))]

#[path = "support/decode.rs"]
mod decode;
mod support;

use decode::{Decoder, Picture};
use palimpsest::Error;
use palimpsest::model::{self, ModelFacts};
use palimpsest::page::transcript::clean;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;
use support::Session;
use unicode_normalization::UnicodeNormalization;

/// A reader whose thinking does not stand on pages, as `transcript` leaves it out too.
const MODEL: &str = "claude-sonnet-4-5";

type Pitch = (&'static str, usize, usize);

fn options(pitch: Pitch) -> Value {
    let (font, width, height) = pitch;
    json!({ "model": MODEL, "shape": { "font": font, "cellWidth": width, "cellHeight": height } })
}

/// Letters and pages of one conversation that was read back.
fn read_back(decoder: &mut Decoder, request: &Value, pitch: Pitch) -> Result<(usize, usize), Error> {
    let text = match request {
        Value::String(text) => {
            let mut cleaned = String::new();
            clean(text, &mut cleaned);
            cleaned
        }
        request => palimpsest::transcript(request, &options(pitch))?,
    };
    let (set, files) = palimpsest::pages(request, &options(pitch), Vec::new())?;
    let fault = |words: String| Err(Error::Internal(words));
    let found = decoder.read(&set, &files).map_err(Error::Internal)?;
    let expected = decoder.expected(&text);
    if found != expected {
        let at = found.chars().zip(expected.chars()).take_while(|(found, expected)| found == expected).count();
        let near = |text: &str| text.chars().skip(at.saturating_sub(20)).take(50).collect::<String>();
        return fault(format!(
            "letter {at} of {}: read {:?}, drawn {:?}",
            expected.chars().count(),
            near(&found),
            near(&expected)
        ));
    }
    let sum = |key: &str| set["pages"].as_array().unwrap().iter().map(|page| page[key].as_u64().unwrap()).sum::<u64>();
    let letters = text.chars().count();
    if sum("chars") != letters as u64 {
        return fault(format!("{} letters told of {letters}", sum("chars")));
    }
    let tokens = set["tokens"].as_u64().unwrap();
    if tokens < sum("tokens") || set["facts"] == json!([]) && tokens != sum("tokens") {
        return fault(format!("{tokens} tokens told of {}", sum("tokens")));
    }
    Ok((letters, files.len()))
}

/// Of the corpus, each conversation once.
fn conversations() -> Option<&'static Vec<Session>> {
    static ALL: OnceLock<Option<Vec<Session>>> = OnceLock::new();
    let load = || {
        let corpus = support::corpus()?;
        let mut all = Vec::new();
        for kind in "abcdefghi".chars() {
            let found = support::sessions(&corpus, kind);
            println!("kind {kind}: {} conversations", found.len());
            all.extend(found);
        }
        Some(all)
    };
    ALL.get_or_init(load).as_ref()
}

/// Reads every `step`-th conversation of the corpus back.
fn corpus_reads_back(pitch: Pitch, step: usize) {
    let Some(sessions) = conversations() else { return };
    let mut decoder = Decoder::new(pitch.0, pitch.1, pitch.2);
    let (mut letters, mut pages, mut read) = (0, 0, 0);
    // Of each file how many were refused, and the share of letters that nothing draws: from, to.
    let mut refused: BTreeMap<&str, (usize, f64, f64)> = BTreeMap::new();
    let mut faults = Vec::new();
    for session in sessions.iter().step_by(step) {
        match read_back(&mut decoder, &session.request, pitch) {
            Ok(found) => {
                letters += found.0;
                pages += found.1;
                read += 1;
            }
            Err(Error::Unrenderable(what)) => {
                assert!(what.missing * 20 > what.letters, "{}", session.name);
                let file = session.name.split(' ').next().unwrap_or_default();
                let of = refused.entry(file).or_insert((0, 1.0, 0.0));
                *of = (of.0 + 1, of.1.min(what.share()), of.2.max(what.share()));
            }
            Err(error) => faults.push(format!("{}: {error}", session.name)),
        }
    }
    let count: usize = refused.values().map(|of| of.0).sum();
    println!("{pitch:?}: {read} conversations read back, {letters} letters on {pages} pages; {count} refused:");
    for (file, (count, from, to)) in refused {
        println!("  {file}: {count}, nothing draws {:.0} to {:.0} %", 100.0 * from, 100.0 * to);
    }
    assert!(faults.is_empty(), "{} faults: {faults:#?}", faults.len());
    // Most of the others are of scripts that no built-in face has.
    assert!(read > 300 / step, "{read} of {}", sessions.len());
}

#[test]
fn the_corpus_reads_back_at_11x16() {
    corpus_reads_back(("8x13", 11, 16), 1);
}

#[test]
fn the_corpus_reads_back_at_8x16() {
    corpus_reads_back(("8x13", 8, 16), 1);
}

#[test]
fn the_corpus_reads_back_at_6x12() {
    corpus_reads_back(("6x12", 6, 12), 1);
}

#[test]
fn a_part_of_the_corpus_reads_back_at_the_other_pitches() {
    for pitch in ALL.into_iter().skip(3) {
        corpus_reads_back(pitch, 7);
    }
}

const ALL: [Pitch; 8] = [
    ("8x13", 11, 16),
    ("8x13", 8, 16),
    ("6x12", 6, 12),
    ("8x13", 8, 22),
    ("6x10", 6, 10),
    ("5x8", 5, 10),
    ("5x7", 5, 9),
    ("5x8", 5, 8),
];

/// A request with everything that layout and faces treat apart.
fn bundled() -> Value {
    let words = include_str!("texts/signs.txt");
    let result = words.replace("\n", "\r\n");
    json!({ "model": "gpt-4o", "messages": [
        { "role": "system", "content": "Answer in brief." },
        { "role": "user", "content": words },
        { "role": "assistant", "content": "Reading ⟦user⟧ it.", "tool_calls": [
            { "id": "a", "type": "function", "function": { "name": "read", "arguments": "{\"path\":\"src/page/mod.rs\",\"line\":17}" } }
        ] },
        { "role": "tool", "tool_call_id": "a", "content": result },
        { "role": "assistant", "content": include_str!("texts/prose.txt") },
    ] })
}

#[test]
fn the_bundled_text_reads_back_at_every_pitch() {
    for pitch in ALL {
        let mut decoder = Decoder::new(pitch.0, pitch.1, pitch.2);
        for request in [bundled(), json!(include_str!("texts/signs.txt"))] {
            let (letters, pages) = read_back(&mut decoder, &request, pitch).unwrap();
            assert!(letters > 500 && pages > 0);
        }
    }
}

/// The decoder would see a page that is wrong.
#[test]
fn a_wrong_letter_is_seen() {
    let pitch = ("6x12", 6, 12);
    let decoder = Decoder::new(pitch.0, pitch.1, pitch.2);
    let read = |text: &str| {
        let (set, files) = palimpsest::pages(&json!(text), &options(pitch), Vec::new()).unwrap();
        decoder.read(&set, &files).unwrap()
    };
    assert_eq!(read("one 1, l and I; 0 and O\n\n\t    x"), "one 1, l and I; 0 and O\n\n\t    x");
    assert_ne!(read("kind = 1"), read("kind = l"));
    let (set, files) = palimpsest::pages(&json!("some words"), &options(pitch), Vec::new()).unwrap();
    let wider = json!({ "shape": { "columns": set["shape"]["columns"], "width": 6, "height": 12, "rows": 1 }, "pages": set["pages"] });
    assert!(decoder.read(&wider, &files).is_err());
    let other = Decoder::new("6x10", 6, 10);
    assert!(other.read(&set, &files).is_err());
}

/// In which script a letter is written, of those the faces have.
fn script(letter: char) -> &'static str {
    match letter {
        '\u{370}'..='\u{3ff}' => "Greek",
        '\u{400}'..='\u{52f}' => "Cyrillic",
        // The Kelvin sign, wide forms: Unicode's own other names for letters.
        '\u{2100}'..='\u{214f}' => "sign",
        '\u{ff00}'..='\u{ffef}' => "wide",
        _ => "Latin",
    }
}

/// "Drawn alike" excuses twins of different scripts, and within a script nothing but what is listed here.
#[test]
fn letters_drawn_alike_are_of_different_scripts() {
    let mut confused = Vec::new();
    for pitch in ALL {
        let twins = Decoder::new(pitch.0, pitch.1, pitch.2).twins();
        assert!(twins.len() > 20, "{pitch:?}: {}", twins.len());
        for letters in twins {
            for (at, a) in letters.iter().enumerate() {
                let other = |b: &&char| script(*a) == script(**b) && !may_be_alike(pitch.0, *a, **b);
                confused.extend(letters[at + 1..].iter().find(other).map(|b| (pitch, *a, *b)));
            }
        }
    }
    assert!(confused.is_empty(), "{confused:?}");
}

fn may_be_alike(face: &str, a: char, b: char) -> bool {
    let bare = |letter: char| letter.nfd().next();
    match (a, b) {
        // Romanian's commas, which its own writers exchange for cedillas.
        ('Ş', 'Ș') | ('ş', 'ș') | ('Ţ', 'Ț') | ('ţ', 'ț') => true,
        ('Â', 'Å') => matches!(face, "6x10" | "5x8" | "5x7"),
        ('Ё', 'Е') | ('І', 'Ї') | ('Ð', 'Đ') | ('Θ', 'θ') => matches!(face, "5x8" | "5x7"),
        ('æ', 'œ') => face == "5x7",
        // It has no room above a capital.
        _ => face == "5x7" && a.is_uppercase() && bare(a) == bare(b),
    }
}

thread_local! {
    static DECODERS: RefCell<HashMap<(String, usize, usize), Decoder>> = RefCell::default();
}

/// A text of words, signs and white space.
fn texts() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        12 => "[ -~]{1,12}",
        3 => prop::sample::select(&["\n", "\n\n", "    ", "     ", "\t", "        ", "\r\n", "\n\n    "][..]).prop_map(String::from),
        1 => prop::sample::select(&["café", "cafe\u{301}", "⟦user⟧", "≤→…", "Привет", "\u{200b}", "\u{1b}[1m", "x\u{302}\u{302}", "漢", "Ａ１"][..])
            .prop_map(String::from),
    ];
    (prop::collection::vec(word, 0..120), prop_oneof![4 => Just(1usize), 1 => 1usize..40])
        .prop_map(|(words, times)| words.concat().repeat(times))
}

/// Draws a text for a model: each page has the size and the price that are told and is neither shrunk nor refused, and all of them show the
/// text. How many pages there are.
fn arrives(facts: &ModelFacts, dense: bool, text: &str) -> Result<usize, TestCaseError> {
    let options = json!({ "model": facts.id, "density": if dense { "dense" } else { "safe" } });
    let (set, files) = match palimpsest::pages(&json!(text), &options, Vec::new()) {
        Err(Error::Unrenderable(_)) => return Ok(0),
        done => done.unwrap(),
    };
    let told = set["pages"].as_array().unwrap();
    prop_assert_eq!(told.len(), files.len());
    let mut tokens = 0;
    for (told, file) in told.iter().zip(&files) {
        let picture = Picture::read(file);
        let (width, height) = (picture.width as u32, picture.height as u32);
        let rule = told["detail"].as_str().map_or(facts.images, |detail| facts.images_at(detail));
        let cost = rule.cost(width, height);
        prop_assert_eq!((cost.width, cost.height), (width, height), "{} would resize it", facts.id);
        prop_assert_eq!(told["tokens"].as_u64(), Some(cost.tokens.into()));
        prop_assert!(within_limits(facts, width, height, file.len()), "{} would refuse it", facts.id);
        tokens += u64::from(cost.tokens);
    }
    let total = set["tokens"].as_u64().unwrap();
    prop_assert!(total >= tokens && (total == tokens || set["facts"] != json!([])));
    let number = |key: &str| set["shape"][key].as_u64().unwrap() as usize;
    let pitch = (set["shape"]["font"].as_str().unwrap().to_owned(), number("cellWidth"), number("cellHeight"));
    DECODERS.with_borrow_mut(|decoders| {
        let new = |(font, width, height): &(String, usize, usize)| Decoder::new(font, *width, *height);
        let decoder = decoders.entry(pitch).or_insert_with_key(new);
        let mut cleaned = String::new();
        clean(text, &mut cleaned);
        prop_assert_eq!(decoder.read(&set, &files).map_err(TestCaseError::fail)?, decoder.expected(&cleaned));
        Ok(files.len())
    })
}

#[test]
fn pages_arrive_as_drawn_at_every_model() {
    let text = [include_str!("texts/signs.txt"), include_str!("texts/prose.txt")].concat().repeat(9);
    let (mut models, mut pages) = (0, 0);
    for facts in model::all() {
        for dense in [false, true] {
            let drawn = arrives(&facts, dense, &text).unwrap_or_else(|fault| panic!("{}: {fault}", facts.id));
            assert!(drawn > 0, "{}", facts.id);
            pages += drawn;
        }
        models += 1;
    }
    println!("{models} models, {pages} pages");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(10_000) })]

    #[test]
    fn pages_of_any_text_arrive_as_drawn(facts in prop::sample::select(model::all()), text in texts(), dense: bool) {
        arrives(&facts, dense, &text)?;
    }
}

fn within_limits(facts: &ModelFacts, width: u32, height: u32, bytes: usize) -> bool {
    let limits = &facts.limits;
    limits.edge.is_none_or(|edge| width.max(height) <= edge)
        && limits.pixels.is_none_or(|most| u64::from(width) * u64::from(height) <= u64::from(most))
        && limits.base64.is_none_or(|most| bytes.div_ceil(3) * 4 <= most as usize)
}
