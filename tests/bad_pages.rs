//! Input that no page can be made of, or hardly: an error of the contract, or a counted fold, and never a fault.
#![cfg(all(feature = "std", not(target_arch = "wasm32")))]

#[allow(dead_code)]
#[path = "support/decode.rs"]
mod decode;

use decode::{Decoder, Picture};
use palimpsest::Error;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const MODEL: &str = "claude-sonnet-4-5";
const MEGABYTES: usize = 50 << 20;

type Drawn = (Value, Vec<Vec<u8>>);

fn drawn(text: &str, options: Value, fonts: Vec<Vec<u8>>) -> Result<Drawn, Error> {
    palimpsest::pages(&json!(text), &options, fonts)
}

fn code(text: &str, options: Value, fonts: Vec<Vec<u8>>) -> &'static str {
    drawn(text, options, fonts).map_or_else(|error| error.code(), |_| "none")
}

fn with(shape: Value) -> Value {
    json!({ "model": MODEL, "shape": shape })
}

fn told(set: &Value) -> &Vec<Value> {
    set["pages"].as_array().unwrap()
}

fn sum(set: &Value, key: &str) -> u64 {
    told(set).iter().map(|page| page[key].as_u64().unwrap()).sum()
}

/// The same bytes always, and nothing in them.
fn junk(len: usize) -> Vec<u8> {
    let mut state = 1u32;
    let next = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..len).map(next).collect()
}

#[test]
fn fonts_that_are_none() {
    let real = font_test_data::TINOS_SUBSET;
    let long = |start: &[u8]| [start, &junk(MEGABYTES - start.len())].concat();
    let bad: Vec<(&str, Vec<u8>)> = vec![
        ("empty", vec![]),
        ("words", b"this is no font".to_vec()),
        ("a web font", [b"wOF2", &real[4..]].concat()),
        ("50 MB of junk", junk(MEGABYTES)),
        ("50 MB behind the first words of a font", long(&[0, 1, 0, 0, 0, 20, 1, 0, 0, 4, 0, 64])),
        ("50 MB behind the first words of PostScript", long(b"OTTO\0\x09\0\x80\0\x03\0\x10")),
        ("50 MB behind the first words of a collection", long(b"ttcf\0\x01\0\0\xff\xff\xff\xff")),
        ("half a font", real[..real.len() / 2].to_vec()),
    ];
    for (what, font) in bad {
        let start = Instant::now();
        assert_eq!(code("words", json!({ "model": MODEL }), vec![font]), "option", "{what}");
        assert!(start.elapsed() < Duration::from_secs(5), "{what}: {:?}", start.elapsed());
    }
}

/// A font of 50 MB costs its bytes and no more.
#[test]
fn a_font_of_50_megabytes() {
    let font = [font_test_data::TINOS_SUBSET, &junk(MEGABYTES)].concat();
    let start = Instant::now();
    let shape = json!({ "font": "Tinos 16", "cellWidth": 9, "cellHeight": 18 });
    let (set, files) = drawn("Ab \"Ba\"", with(shape), vec![font]).unwrap();
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert_eq!((files.len(), Picture::read(&files[0]).depth, &set["unrenderable"]), (1, 4, &json!(0.0)));
}

/// A damaged font is an error or draws what it can; either way it ends.
#[test]
fn fonts_with_bytes_that_are_wrong() {
    for real in [font_test_data::TINOS_SUBSET, font_test_data::NOTO_SANS_JP_CFF, font_test_data::MOSTLY_OFF_CURVE] {
        for seed in 0..200usize {
            let mut font = real.to_vec();
            for (at, byte) in junk(seed + 8).into_iter().enumerate() {
                let place = (at * 7919 + seed * 104_729) % font.len();
                font[place] = byte;
            }
            let shape = json!({ "font": "any 16", "cellWidth": 9, "cellHeight": 18 });
            let code = code("Ab \"Ba\" ABCMNP and other words", with(shape), vec![font]);
            assert!(["none", "option", "unrenderable"].contains(&code), "{code}");
        }
    }
}

#[test]
fn shapes_that_are_none() {
    let strange = [
        json!(0),
        json!(-1),
        json!(0.5),
        json!(65),
        json!(1e9),
        json!(4_294_967_296u64),
        json!(1e300),
        json!("8"),
        json!([8]),
        json!(true),
    ];
    for key in ["cellWidth", "cellHeight", "width", "height", "columns", "rows"] {
        for size in &strange {
            // A cell of 65 pixels is too large, a page of 65 is small.
            let cell = key.starts_with("cell");
            let expected = if *size == json!(65) && !cell { "none" } else { "option" };
            let mut shape = json!({ "font": "5x7", "cellWidth": 5, "cellHeight": 9 });
            shape[key] = size.clone();
            assert_eq!(code("words", with(shape), vec![]), expected, "{key}: {size}");
        }
    }
    for shape in [
        json!("6x12"),
        json!([]),
        json!({ "font": "" }),
        json!({ "font": "9x18" }),
        json!({ "font": 6 }),
        json!({ "font": "8x13", "cellWidth": 7, "cellHeight": 13 }),
        json!({ "cellWidth": 4, "cellHeight": 6 }),
        json!({ "font": "Nobody's Mono 14", "cellWidth": 9, "cellHeight": 18 }),
        // Within every limit of one side, but not together.
        json!({ "font": "6x12", "width": 8192, "height": 8192 }),
    ] {
        assert_eq!(code("words", with(shape.clone()), vec![]), "option", "{shape}");
    }
    for options in [
        json!({ "model": MODEL, "maxPages": 0 }),
        json!({ "model": MODEL, "maxPages": -1 }),
        json!({ "model": MODEL, "maxPages": 1.5 }),
        json!({ "model": MODEL, "density": "denser" }),
        json!({ "model": MODEL, "profile": 7 }),
    ] {
        assert_eq!(code("words", options.clone(), vec![]), "option", "{options}");
    }
}

/// A million marks on one letter: what no letter takes is counted as lost, and the work is linear.
#[test]
fn a_million_combining_marks() {
    let start = Instant::now();
    let marks = "\u{301}\u{316}".repeat(500_000);
    match drawn(&format!("e{marks}"), json!({ "model": MODEL }), vec![]) {
        Err(Error::Unrenderable(what)) => {
            assert_eq!((what.missing, what.letters), (999_999, 1_000_001));
            assert_eq!(what.examples, "\u{316}\u{301}");
        }
        other => panic!("{:?}", other.map(|(set, _)| set)),
    }
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    // Below a twentieth they are a counted fold.
    let words = "letters and others, e".repeat(100_000);
    let marks = &marks[..2 * 100_000];
    let (set, files) = drawn(&format!("{words}{marks}"), json!({ "model": MODEL }), vec![]).unwrap();
    let share = set["unrenderable"].as_f64().unwrap();
    assert!((share - 99_999.0 / 2_200_000.0).abs() < 1e-9, "{share}");
    assert_eq!(sum(&set, "chars"), 2_200_000);
    let read = Decoder::new("8x13", 11, 16).read(&set, &files).unwrap();
    assert!(read == words[..words.len() - 1].to_owned() + "é");
}

#[test]
fn letters_that_nothing_draws() {
    for (text, least) in [
        ("مرحبا بالعالم، هذا نص من اليمين إلى اليسار", 0.5),
        ("שלום עולם, זה טקסט מימין לשמאל", 0.5),
        ("漢字仮名交じり文", 1.0),
        ("\u{e000}\u{e001}\u{e002}", 1.0),
        ("🦀🦀🦀🦀", 1.0),
    ] {
        match drawn(text, json!({ "model": MODEL }), vec![]) {
            Err(error @ Error::Unrenderable(_)) => {
                assert_eq!(error.code(), "unrenderable");
                let Error::Unrenderable(what) = error else { unreachable!() };
                assert!(what.share() >= least, "{text}: {what:?}");
                assert!(what.examples.chars().all(|letter| text.contains(letter)) && !what.examples.is_empty());
            }
            other => panic!("{text}: {:?}", other.map(|(set, _)| set)),
        }
    }
    // A word of them among many others is counted, and stands on the page as boxes.
    let text = format!("{} שלום", "plain words ".repeat(20));
    let (set, files) = drawn(&text, json!({ "model": MODEL }), vec![]).unwrap();
    assert_eq!(set["unrenderable"], json!(4.0 / text.chars().count() as f64));
    let read = Decoder::new("8x13", 11, 16).read(&set, &files).unwrap();
    assert!(read.ends_with("plain words  \u{fffd}\u{fffd}\u{fffd}\u{fffd}"), "{read}");
}

#[test]
fn no_text_is_no_page() {
    for request in [json!(""), json!([]), json!({ "model": MODEL, "messages": [] })] {
        let (set, files) = palimpsest::pages(&request, &json!({ "model": MODEL }), vec![]).unwrap();
        assert!(files.is_empty() && told(&set).is_empty(), "{request}");
        assert_eq!(
            (&set["tokens"], &set["facts"], &set["unrenderable"]),
            (&json!(0), &json!([]), &json!(0.0)),
            "{request}"
        );
    }
    // A line break is text, and has a glyph.
    let (_, files) = drawn("\n", json!({ "model": MODEL }), vec![]).unwrap();
    assert_eq!(files.len(), 1);
}

#[test]
fn a_line_of_5_megabytes() {
    let start = Instant::now();
    let line: String = (0..5_000_000u32).map(|at| char::from(b'!' + (at % 89) as u8)).collect();
    let (set, files) = drawn(&line, json!({ "model": MODEL, "shape": { "font": "6x12" } }), vec![]).unwrap();
    assert_eq!(sum(&set, "chars"), 5_000_000);
    assert_eq!(Decoder::new("6x12", 6, 12).read(&set, &files).unwrap(), line);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn controls_and_lone_surrogates_are_shown() {
    // A lone surrogate crosses as U+FFFD.
    let text = "nul \0 and \u{fffd} and \u{7f}\u{9b} and \u{202e}evil";
    let (set, files) = drawn(text, json!({ "model": MODEL }), vec![]).unwrap();
    let read = Decoder::new("8x13", 11, 16).read(&set, &files).unwrap();
    assert!(read.contains("nul <U+0000> and \u{fffd} and ") && read.contains("<U+202E>evil"), "{read}");
    assert_eq!(set["unrenderable"], json!(0.0));
    // A megabyte of them is counted instead.
    let (set, _) = drawn(&"\0".repeat(1 << 20), json!({ "model": MODEL }), vec![]).unwrap();
    assert!(sum(&set, "chars") < 100, "{set}");
}

#[test]
fn of_more_pages_than_are_wanted_the_oldest_are_left_out() {
    let text: String = (0..20_000).map(|line| format!("line {line} of src/file{line}.rs\n")).collect();
    let options = |most: Option<u32>| match most {
        Some(most) => json!({ "model": MODEL, "maxPages": most }),
        None => json!({ "model": MODEL }),
    };
    let (all, every) = drawn(&text, options(None), vec![]).unwrap();
    assert!(every.len() > 5);
    for most in [1, 3, every.len() - 1, every.len(), every.len() + 9] {
        let (set, files) = drawn(&text, options(Some(most as u32)), vec![]).unwrap();
        let kept = most.min(every.len());
        assert!(files == every[every.len() - kept..], "{most} pages are not the newest");
        let figures = |page: &Value| ["width", "height", "chars", "tokens"].map(|key| page[key].clone());
        let told_of = |set: &Value| told(set).iter().map(figures).collect::<Vec<_>>();
        assert_eq!(told_of(&set), told_of(&all)[every.len() - kept..]);
        // What is told is told of the pages that are there.
        let (tokens, words) = (set["tokens"].as_u64().unwrap(), set["textTokens"].as_u64().unwrap());
        assert!(tokens >= sum(&set, "tokens") && tokens <= sum(&set, "tokens") + words * 8 / 100, "{set}");
        let share = kept as f64 / every.len() as f64;
        assert!((words as f64 / all["textTokens"].as_f64().unwrap() - share).abs() < 0.1, "{words} of {share}");
        let text_kept: String = text.chars().skip(text.chars().count() - sum(&set, "chars") as usize).collect();
        assert!(set["facts"].as_array().unwrap().iter().all(|fact| text_kept.contains(fact.as_str().unwrap())));
        assert_eq!(Decoder::new("8x13", 11, 16).read(&set, &files).unwrap(), text_kept);
    }
}

#[test]
fn what_another_model_reads_says_nothing_of_this_one() {
    let options = |of: &str| json!({ "model": MODEL, "profile": { "model": of, "shape": { "font": "5x8", "cellWidth": 5, "cellHeight": 10 }, "exact": 1.0 } });
    let font = |options: Value| drawn("words", options, vec![]).unwrap().0["shape"]["font"].clone();
    assert_eq!(font(options("gpt-4o")), "8x13");
    assert_eq!(font(options(MODEL)), "5x8");
    // By the name a gateway gives it, it is still the same model.
    assert_eq!(font(options("anthropic/claude-sonnet-4-5")), "5x8");
}
