//! What is changed after each kind of overflow; and that whoever follows it arrives.

use super::told;
use crate::message::json::doc;
use crate::recover::{Change, Kind, Next, Overflow, Sent, next, next_of};
use alloc::string::String;
use alloc::vec::Vec;
use proptest::prelude::*;
use serde_json::json;

const SENT: Sent = Sent {
    estimated: 150_000,
    factor: 1.0,
    bytes: 600_000,
    images: 8,
    output: Some(20_000),
    least: 0,
    reserve: None,
    window: 200_000,
};

fn refused(kind: Kind, limit: Option<u64>, actual: Option<u64>) -> Overflow {
    Overflow { kind, limit, actual, provider: None, message: String::new() }
}

fn change(overflow: &Overflow, sent: &Sent, tried: u32) -> Change {
    match next(overflow, sent, tried) {
        Next::Change(change) => change,
        Next::GiveUp(words) => panic!("gave up: {words}"),
    }
}

fn rungs(change: &Change) -> Vec<Option<&'static [&'static str]>> {
    change.passes.iter().map(|pass| pass.rungs).collect()
}

#[test]
fn an_answer_is_asked_for_shorter_and_the_history_stays() {
    let words = "input length and `max_tokens` exceed context limit: 188059 + 20000 > 200000, decrease input length";
    let sent = Sent { estimated: 180_000, ..SENT };
    let change = change(&told(&json!(words)).unwrap(), &sent, 0);
    let output = change.output.unwrap();
    assert!(188_059 + output <= 200_000 && output > 11_000, "{output}");
    assert!(change.passes.is_empty());
    assert_eq!(change.window, Some(200_000));
    assert!((change.factor.unwrap() - 188_059.0 / 180_000.0).abs() < 1e-9);
}

#[test]
fn an_answer_without_figures_is_halved_down_to_a_floor() {
    let overflow = refused(Kind::Output, None, None);
    let mut sent = SENT;
    let mut asked = Vec::new();
    loop {
        let change = change(&overflow, &sent, 0);
        if !change.passes.is_empty() {
            break;
        }
        sent.output = change.output;
        asked.push(change.output.unwrap());
    }
    assert_eq!(asked, [10_000, 5000, 2500, 1250]);
}

#[test]
fn what_an_answer_needs_is_never_taken() {
    // Its thinking takes 12,000, and the provider has room for 11,941: so the rest must be smaller.
    let sent = Sent { least: 12_001, ..SENT };
    let change = change(&refused(Kind::Output, Some(200_000), Some(188_059)), &sent, 0);
    assert_eq!((change.output, change.passes.len()), (None, 1));
    assert!(change.limits.tokens.unwrap() < 188_059);
}

#[test]
fn an_answer_that_was_never_limited_gets_a_limit() {
    let sent = Sent { output: None, ..SENT };
    let change = change(&refused(Kind::Output, Some(200_000), Some(179_045)), &sent, 0);
    assert!(change.output.is_some_and(|output| output > 20_000 && output <= 20_955));
}

#[test]
fn the_true_window_is_learnt_and_the_estimate_corrected() {
    let change = change(&refused(Kind::Tokens, Some(128_000), Some(165_000)), &SENT, 0);
    assert_eq!(change.window, Some(128_000));
    assert!((change.factor.unwrap() - 1.1).abs() < 1e-9);
    assert!(change.limits.tokens.unwrap() < 165_000);
    assert_eq!((change.output, rungs(&change)), (None, [None].to_vec()));
}

#[test]
fn a_limit_without_a_count_tells_that_the_estimate_was_too_low() {
    let change = change(&refused(Kind::Tokens, Some(190_000), None), &SENT, 0);
    assert!(change.factor.unwrap() * 150_000.0 >= 170_000.0, "input and answer were above the limit");
    let known = next(&refused(Kind::Tokens, Some(100_000), None), &SENT, 0);
    assert!(matches!(known, Next::Change(Change { factor: None, window: Some(100_000), .. })), "{known:?}");
}

#[test]
fn an_estimate_far_off_shrinks_the_window_by_what_no_factor_may_say() {
    // Six times what was estimated: the factor says three, the window the rest.
    let change = change(&refused(Kind::Tokens, Some(200_000), Some(900_000)), &SENT, 0);
    assert_eq!((change.factor, change.window), (Some(3.0), Some(100_000)));
}

#[test]
fn an_answer_as_long_as_the_window_gives_way() {
    let sent = Sent { output: Some(100_000), reserve: Some(150_000), ..SENT };
    let change = change(&refused(Kind::Tokens, Some(32_768), Some(160_000)), &sent, 0);
    assert_eq!((change.output, change.reserve), (Some(8192), Some(8192)));
}

#[test]
fn bytes_and_pictures_cost_pictures_before_words_and_never_a_summary() {
    for overflow in [refused(Kind::Bytes, None, None), refused(Kind::Images, Some(5), Some(8))] {
        let change = change(&overflow, &SENT, 0);
        let pictures: &[&str] = &["images"];
        assert_eq!(rungs(&change)[..2], [Some(pictures), Some(pictures)]);
        assert!(change.passes.iter().all(|pass| pass.rungs.is_some_and(|rungs| !rungs.contains(&"summary"))));
        assert_eq!((change.output, change.window, change.factor), (None, None, None));
    }
    let change = change(&refused(Kind::Bytes, Some(500_000), None), &Sent { images: 0, ..SENT }, 0);
    assert_eq!((change.passes.len(), change.limits.bytes), (1, Some(500_000)));
    assert!(rungs(&change)[0].unwrap().contains(&"window"));
    assert!(matches!(next(&refused(Kind::Images, None, None), &Sent { images: 0, ..SENT }, 0), Next::GiveUp(_)));
}

#[test]
fn a_window_without_room_is_given_up() {
    let sent = Sent { least: 9000, ..SENT };
    assert!(matches!(next(&refused(Kind::Tokens, Some(8192), Some(150_000)), &sent, 0), Next::GiveUp(_)));
}

#[test]
fn what_comes_across_is_read_and_told() {
    let asked = json!({
        "overflow": { "kind": "output", "limit": 200_000, "actual": 188_059, "message": "no" },
        "sent": { "estimated": 180_000, "bytes": 1, "images": 0, "output": 20_000, "window": 200_000 }, "tried": 0,
    });
    let answer = next_of(doc(&asked, None).unwrap().root());
    let told: serde_json::Value = serde_json::from_str(&serde_json::to_string(&answer).unwrap()).unwrap();
    assert_eq!(told["change"]["output"], 11_755);
    assert_eq!(told["change"]["limits"], json!({}));
    let nothing = next_of(doc(&json!({}), None).unwrap().root());
    assert!(matches!(nothing, Next::GiveUp(_)), "of nothing nothing can be made: {nothing:?}");
}

fn any_overflow() -> impl Strategy<Value = Overflow> {
    let kind = prop_oneof![Just(Kind::Tokens), Just(Kind::Bytes), Just(Kind::Images), Just(Kind::Output)];
    let figure = || proptest::option::of(prop_oneof![0..300u64, 0..2_000_000u64, Just(u64::MAX)]);
    (kind, figure(), figure()).prop_map(|(kind, limit, actual)| refused(kind, limit, actual))
}

fn any_sent() -> impl Strategy<Value = Sent> {
    let tokens = || prop_oneof![0..2000u64, 0..2_000_000u64];
    let maybe = || proptest::option::of(tokens());
    (tokens(), 0.5..3.0f64, tokens(), 0..200u64, maybe(), tokens(), maybe(), tokens()).prop_map(
        |(estimated, factor, bytes, images, output, least, reserve, window)| Sent {
            estimated,
            factor,
            bytes,
            images,
            output,
            least,
            reserve,
            window,
        },
    )
}

proptest! {
    #[test]
    fn a_change_is_always_one_to_less(overflow in any_overflow(), sent in any_sent(), tried in 0..4u32) {
        let Next::Change(change) = next(&overflow, &sent, tried) else { return Ok(()) };
        let factor = change.factor.unwrap_or(sent.factor);
        prop_assert!((0.5..=3.0).contains(&factor));
        if let Some(tokens) = change.limits.tokens {
            prop_assert!(tokens as f64 <= (sent.estimated as f64 * factor).max(1.0));
        }
        if let Some(bytes) = change.limits.bytes {
            prop_assert!(bytes <= sent.bytes.max(1));
        }
        if let Some(images) = change.limits.images {
            prop_assert!(images < sent.images);
        }
        if change.passes.is_empty() {
            prop_assert!(change.output.is_some_and(|output| output > 0 && sent.output.is_none_or(|asked| output < asked)));
        }
        if let (Some(output), Some(window)) = (change.output.filter(|_| !change.passes.is_empty()), change.window) {
            prop_assert!(output < window && output >= sent.least);
        }
    }

    /// A provider of any window, an estimate off by any ratio up to 2.9 (2 where nobody counts), and a ladder that goes down as it is told.
    #[test]
    fn two_recoveries_are_enough_where_the_provider_names_its_figures(
        window in 4_000..400_000u64, ratio in 0.5..2.9f64, believed in 0.5..8.0f64, counts in any::<bool>(),
    ) {
        let ratio = if counts { ratio } else { ratio.min(2.0) };
        let output = window / 8;
        let believed = (window as f64 * believed) as u64;
        let mut sent = Sent { estimated: believed / 5 * 4, factor: 1.0, window: believed, output: Some(output), ..Sent::default() };
        let mut tried = 0;
        loop {
            let input = (sent.estimated as f64 * ratio) as u64;
            if input + sent.output.unwrap_or_default() <= window {
                break;
            }
            prop_assert!(tried < 2, "refused again: {sent:?} is {input} of {window}");
            let kind = if input < window { Kind::Output } else { Kind::Tokens };
            let Next::Change(change) = next(&refused(kind, Some(window), counts.then_some(input)), &sent, tried) else { panic!() };
            sent.factor = change.factor.unwrap_or(sent.factor);
            sent.window = change.window.unwrap_or(sent.window);
            sent.output = change.output.or(sent.output);
            if let Some(most) = change.limits.tokens {
                let room = sent.window - sent.output.unwrap_or_default();
                let act = most.min(room).min(sent.window / 5 * 4);
                sent.estimated = sent.estimated.min((act as f64 / sent.factor) as u64);
            }
            tried += 1;
        }
    }
}
