//! What is learnt from usage, in every provider's shape.

use super::{Calibration, calibrate, input_tokens};
use crate::message::WrongOption;
use crate::message::json::doc;
use serde_json::{Value, json};

fn learnt(previous: &Value, report: &Value, usage: &Value) -> Result<Calibration, WrongOption> {
    calibrate(doc(&json!({ "previous": previous, "report": report, "usage": usage }), None).unwrap().root())
}

fn report(tokens: u64) -> Value {
    json!({ "model": "gpt-4o", "estimated": tokens, "after": { "tokens": 7 } })
}

#[test]
fn usage_of_every_provider_is_read() {
    for (usage, tokens) in [
        (json!(1200), 1200.0),
        (
            json!({ "prompt_tokens": 1200, "completion_tokens": 9, "prompt_tokens_details": { "cached_tokens": 1024 } }),
            1200.0,
        ),
        (json!({ "prompt_tokens": 1200, "prompt_cache_hit_tokens": 1100, "prompt_cache_miss_tokens": 100 }), 1200.0),
        (
            json!({ "input_tokens": 1200, "input_tokens_details": { "cached_tokens": 1024 }, "output_tokens": 9 }),
            1200.0,
        ),
        (json!({ "input_tokens": 12, "cache_read_input_tokens": 1000, "cache_creation_input_tokens": 188 }), 1200.0),
        (json!({ "input_tokens": 0, "cache_read_input_tokens": 1200, "cache_creation_input_tokens": null }), 1200.0),
        (json!({ "promptTokenCount": 1200, "cachedContentTokenCount": 1000, "toolUsePromptTokenCount": 50 }), 1200.0),
        (json!({ "inputTokens": 1200, "outputTokens": 9, "cachedInputTokens": 1000 }), 1200.0),
        (json!({ "inputTokens": 1200, "inputTokenDetails": { "cacheReadTokens": 1000 } }), 1200.0),
        (json!({ "inputTokens": 200, "cachedInputTokens": 1000 }), 1200.0),
        (json!({ "inputTokens": { "total": 1200, "noCache": 200, "cacheRead": 1000 } }), 1200.0),
        (json!({ "promptTokens": 1200, "completionTokens": 9 }), 1200.0),
        (json!({ "inputTokens": 12, "cacheReadInputTokens": 1000, "cacheWriteInputTokens": 188 }), 1200.0),
        (json!({ "billed_units": { "input_tokens": 5 }, "tokens": { "input_tokens": 1200 } }), 1200.0),
        (json!({ "prompt_eval_count": 1200, "eval_count": 9 }), 1200.0),
        // Server-side steps: the first one read the request, the last one what a search found besides.
        (
            json!({ "input_tokens": 90, "cache_read_input_tokens": 9000, "iterations": [
                { "type": "message", "input_tokens": 12, "cache_read_input_tokens": 1000, "cache_creation_input_tokens": 188 },
                { "type": "message", "input_tokens": 90, "cache_read_input_tokens": 9000 },
            ] }),
            1200.0,
        ),
        (
            json!({ "input_tokens": 9, "iterations": [
                { "type": "advisor_message", "input_tokens": 5 },
                { "type": "fallback_message", "input_tokens": 1200 },
            ] }),
            1200.0,
        ),
        (json!({ "input_tokens": 1200, "iterations": null, "server_tool_use": { "web_search_requests": 0 } }), 1200.0),
    ] {
        assert_eq!(input_tokens(doc(&usage, None).unwrap().root()), Some(tokens), "{usage}");
    }
}

#[test]
fn usage_that_tells_nothing_changes_nothing() {
    let previous = json!({ "version": 1, "factor": 1.25, "samples": 6, "model": "gpt-4o" });
    for usage in [
        json!(null),
        json!(0),
        json!(-5),
        json!("many"),
        json!([]),
        json!({}),
        json!({ "prompt_tokens": 0 }),
        json!({ "prompt_tokens": null, "completion_tokens": 9 }),
        json!({ "output_tokens": 9 }),
        // What was read cannot be told from what was sent.
        json!({ "input_tokens": 90_000, "server_tool_use": { "web_search_requests": 2 } }),
        json!({ "input_tokens": 90, "iterations": [{ "type": "compaction", "input_tokens": 9 }, { "type": "message", "input_tokens": 90 }] }),
    ] {
        let after = learnt(&previous, &report(1000), &usage).unwrap();
        assert_eq!(serde_json::to_value(&after).unwrap(), previous, "{usage}");
        let first = learnt(&json!(null), &report(1000), &usage).unwrap();
        assert_eq!((first.factor, first.samples), (1.0, 0), "{usage}");
    }
}

#[test]
fn first_samples_count_alike_then_the_recent_ones_more() {
    let mut stored = json!(null);
    let mut factors = [0.0; 6];
    for (factor, tokens) in factors.iter_mut().zip([1000, 2000, 1500, 1500, 2500, 2500]) {
        let after = learnt(&stored, &report(1000), &json!(tokens)).unwrap();
        *factor = after.factor;
        stored = serde_json::to_value(&after).unwrap();
    }
    assert_eq!(factors, [1.0, 1.5, 1.5, 1.5, 1.75, 1.9375]);
    assert_eq!(stored["samples"], 6);
    assert_eq!(stored["version"], 1);
}

#[test]
fn the_factor_stays_within_bounds() {
    for (tokens, factor) in [(1, 0.5), (499, 0.5), (3001, 3.0), (1_000_000, 3.0)] {
        assert_eq!(learnt(&json!(null), &report(1000), &json!(tokens)).unwrap().factor, factor);
    }
    let wild = json!({ "factor": 90, "samples": 4, "model": "gpt-4o" });
    assert!(learnt(&wild, &report(1000), &json!(9000)).unwrap().factor <= 3.0);
}

#[test]
fn another_model_starts_anew_and_another_route_does_not() {
    let of = |model: &str| {
        let previous = json!({ "factor": 2, "samples": 8, "model": model });
        learnt(&previous, &report(1000), &json!(1000)).unwrap()
    };
    assert_eq!((of("gpt-5").factor, of("gpt-5").samples), (1.0, 1));
    assert_eq!((of("nobody-knows").factor, of("nobody-knows").samples), (1.0, 1));
    let routed = of("openai/gpt-4o-2024-08-06");
    assert_eq!((routed.factor, routed.samples, routed.model.as_str()), (1.75, 9, "gpt-4o"));
    assert_eq!(of("").samples, 9);
}

#[test]
fn reports_without_an_estimate_of_their_own_will_do() {
    let compacted = json!({ "model": "gpt-4o", "before": { "tokens": 9000 }, "after": { "tokens": 1000 } });
    let measured = json!({ "model": "gpt-4o", "tokens": 1000 });
    for report in [compacted, measured] {
        assert_eq!(learnt(&json!(null), &report, &json!(1500)).unwrap().factor, 1.5);
    }
}

#[test]
fn what_is_no_calibration_and_no_report_is_refused() {
    for (previous, report) in [
        (json!(5), report(1000)),
        (json!({ "factor": 0 }), report(1000)),
        (json!({ "factor": "2" }), report(1000)),
        (json!({ "factor": 1, "samples": -1 }), report(1000)),
        (json!(null), json!(null)),
        (json!(null), json!({ "model": "gpt-4o" })),
        (json!(null), json!({ "tokens": 9 })),
        (json!(null), report_of_nothing()),
    ] {
        assert!(learnt(&previous, &report, &json!(1000)).is_err(), "{previous} {report}");
    }
    // One that a later version has stored is learnt again.
    let later = json!({ "version": 2, "factor": { "text": 2 }, "model": "gpt-4o" });
    assert_eq!(learnt(&later, &report(1000), &json!(1500)).unwrap().samples, 1);
}

fn report_of_nothing() -> Value {
    json!({ "model": "gpt-4o", "estimated": 0 })
}
