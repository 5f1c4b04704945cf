//! The core in a browser, where a `usize` has 32 bits: the same cases, and requests of both formats that are too large.
//! `wasm-pack test --headless --chrome --test wasm --features wasm` runs it.
#![cfg(target_arch = "wasm32")]

#[path = "support/case.rs"]
mod case;
#[path = "support/generate.rs"]
mod generate;
#[path = "support/least.rs"]
mod least;
#[path = "support/property.rs"]
mod property;

use palimpsest::{check, compact, measure};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
fn every_case_holds() {
    for text in case::ALL {
        let case: Value = serde_json::from_str(text).unwrap();
        let faults = case::faults(&case);
        assert!(faults.is_empty(), "{}: {faults:#?}", case["id"]);
    }
}

#[wasm_bindgen_test]
fn a_request_that_is_too_large_comes_out_so_that_it_fits() {
    for body in [anthropic(120), chat(120)] {
        for window in [16_000_u64, 64_000] {
            let options = json!({ "model": { "id": body["model"], "window": window } });
            let before = measure(&body, &options).unwrap()["tokens"].as_u64().unwrap();
            assert!(before > window, "{before} tokens are not too many for {window}");

            let done = compact(&body, &options).unwrap();
            assert_eq!(done.report["fits"], true);
            assert!(done.report["after"]["tokens"].as_u64().unwrap() < window);
            assert!(check(&done.body, &json!({})).unwrap().is_empty());
            assert_eq!(list(&done.body).last(), list(&body).last());
            assert!(
                list(&done.body).contains(&body["messages"][usize::from(body["model"] == "gpt-4o")]),
                "the task is gone"
            );

            let again = compact(&done.body, &options).unwrap();
            assert!(again.body == done.body, "compacting it once more changed it");
        }
    }
}

#[wasm_bindgen_test]
fn a_request_below_the_threshold_is_left_alone() {
    for body in [anthropic(2), chat(2)] {
        assert!(compact(&body, &json!({})).unwrap().body == body);
    }
}

#[wasm_bindgen_test]
fn what_cannot_be_is_refused_by_its_code() {
    let code = |body: Value, options: Value| compact(&body, &options).err().map(|error| error.code());
    assert_eq!(code(json!({ "prompt": "hello" }), json!({})), Some("unsupported-format"));
    assert_eq!(code(chat(2), json!({ "model": "no-such-model" })), Some("unknown-model"));
    assert_eq!(code(chat(2), json!({ "threshold": 0.2, "target": 0.5 })), Some("option"));
    let tiny = json!({ "model": { "id": "tiny", "window": 300 }, "reserveOutput": 100 });
    assert_eq!(code(chat(40), tiny), Some("cannot-fit"));
}

#[wasm_bindgen_test]
fn pictures_that_claim_any_size_have_a_price() {
    for side in [1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff_u32] {
        for model in ["gpt-4o", "gpt-5", "gemini-2.5-pro", "claude-sonnet-4-5"] {
            let url = format!("data:image/png;base64,{}", png_header(side));
            let picture = json!({ "type": "image_url", "image_url": { "url": url } });
            let body = json!({ "model": model, "messages": [{ "role": "user", "content": [picture] }] });
            let measured = measure(&body, &json!({})).unwrap();
            assert!(measured["parts"]["images"].as_u64().unwrap() > 0, "{model}, {side}: {measured}");
        }
    }
}

fn list(body: &Value) -> &Vec<Value> {
    body["messages"].as_array().unwrap()
}

const LINE: &str = "    let total = items.iter().map(|item| item.price * item.count).sum::<u64>(); // 合計, geprüft\n";

fn result(step: usize) -> String {
    format!("// file {step}\n{}", LINE.repeat(20 + step * 7 % 23))
}

/// A task and `steps` calls with their results.
fn anthropic(steps: usize) -> Value {
    let mut messages = vec![json!({ "role": "user", "content": "Find where the total is wrong." })];
    for step in 0..steps {
        let id = format!("toolu_{step}");
        let path = format!("src/{step}.rs");
        let call = json!({ "type": "tool_use", "id": id, "name": "read", "input": { "path": path } });
        let answer = json!({ "type": "tool_result", "tool_use_id": id, "content": result(step) });
        messages.push(json!({ "role": "assistant", "content": [{ "type": "text", "text": "Looking." }, call] }));
        messages.push(json!({ "role": "user", "content": [answer] }));
    }
    json!({ "model": "claude-sonnet-4-5", "max_tokens": 2000, "system": "You are careful.", "messages": messages })
}

/// The same in the other format.
fn chat(steps: usize) -> Value {
    let mut messages = vec![
        json!({ "role": "system", "content": "You are careful." }),
        json!({ "role": "user", "content": "Find where the total is wrong." }),
    ];
    for step in 0..steps {
        let id = format!("call_{step}");
        let arguments = json!({ "path": format!("src/{step}.rs") }).to_string();
        let call = json!({ "id": id, "type": "function", "function": { "name": "read", "arguments": arguments } });
        messages.push(json!({ "role": "assistant", "content": null, "tool_calls": [call] }));
        messages.push(json!({ "role": "tool", "tool_call_id": id, "content": result(step) }));
    }
    json!({ "model": "gpt-4o", "max_completion_tokens": 2000, "messages": messages })
}

/// The first 33 bytes of a PNG with this many pixels on each side, in base64.
fn png_header(side: u32) -> String {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    bytes.extend(side.to_be_bytes());
    bytes.extend(side.to_be_bytes());
    bytes.extend([8, 2, 0, 0, 0, 0, 0, 0, 0]);
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let six = |bits: u32, at: u32| char::from(LETTERS[(bits >> (18 - 6 * at)) as usize & 63]);
    let group = |three: &[u8]| three.iter().fold(0, |bits, &byte| bits << 8 | u32::from(byte));
    bytes.chunks(3).flat_map(|three| (0..4).map(move |at| six(group(three), at))).collect()
}

/// Conversations that each promise is tried on here; natively it is ten times as many.
const CONVERSATIONS: u32 = 24;

#[wasm_bindgen_test]
fn every_promise_is_kept() {
    let config = Config { cases: CONVERSATIONS, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let result = runner.run(&(property::given(), property::damage(), property::varied()), |(given, damage, varied)| {
        property::sendable_and_never_larger(&given)?;
        property::idempotent(&given)?;
        property::elided_comes_back(&given)?;
        property::any_options(&given, &varied)?;
        property::stable_prefix(&given)?;
        property::mended(&given, &damage)?;
        property::repairs_keep_words(&given, &damage)?;
        property::trimmed(&given, 8)
    });
    assert!(result.is_ok(), "{result:?}");
}
