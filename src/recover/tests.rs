//! What refusals are told as, in any dress, and what must not be taken for one.

mod next;
mod refusals;

use super::Kind::{Bytes, Images, Tokens};
use super::evidence::{FIELDS, NAMES};
use super::words::{ROWS, holds, plain};
use super::{Overflow, overflow};
use crate::message::json::doc;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;
use refusals::REFUSALS;
use serde_json::{Value, json};

fn told(error: &Value) -> Option<Overflow> {
    overflow(doc(error, None).unwrap().root())
}

#[test]
fn refusals_are_told_with_their_figures() {
    for &(words, kind, limit, actual, provider) in REFUSALS {
        let found = told(&json!(words)).unwrap_or_else(|| panic!("not told: {words}"));
        assert_eq!(found.kind, kind, "{words}");
        assert_eq!(found.limit.unwrap_or_default(), limit, "limit of: {words}");
        assert_eq!(found.actual.unwrap_or_default(), actual, "actual of: {words}");
        assert_eq!(found.provider.unwrap_or_default(), provider, "{words}");
        assert!(words.starts_with(&found.message), "{}", found.message);
    }
}

#[test]
fn every_row_of_the_table_is_there_for_a_refusal() {
    let firsts: Vec<&str> = REFUSALS
        .iter()
        .filter_map(|refusal| {
            let text = plain(refusal.0);
            ROWS.iter().map(|row| row.words).find(|words| holds(&text, words))
        })
        .collect();
    let idle: Vec<&str> = ROWS.iter().map(|row| row.words).filter(|words| !firsts.contains(words)).collect();
    assert!(idle.is_empty(), "{idle:#?}");
}

#[test]
fn a_refusal_is_told_in_any_dress() {
    for &(words, kind, limit, ..) in REFUSALS {
        for error in [
            json!({ "status": 400, "message": words }),
            json!({ "status": 400, "error": { "message": words, "type": "invalid_request_error" } }),
            json!({ "type": "error", "error": { "type": "invalid_request_error", "message": words } }),
            json!({ "statusCode": 400, "message": "Bad Request", "responseBody": json!({ "error": words }).to_string() }),
            json!({ "name": "RetryError", "lastError": { "cause": { "message": words } } }),
            json!([{ "error": { "code": 400, "message": words, "status": "INVALID_ARGUMENT" } }]),
            json!({ "error": { "message": "Provider returned error", "code": 400, "metadata": { "raw": words } } }),
            json!(words.to_uppercase()),
        ] {
            let found = told(&error).unwrap_or_else(|| panic!("not told: {error}"));
            assert_eq!((found.kind, found.limit.unwrap_or_default()), (kind, limit), "{error}");
        }
        let limited = json!({ "status": 429, "message": words });
        assert_eq!(told(&limited), None, "a status 429 is a matter of time: {limited}");
    }
}

#[test]
fn other_failures_are_none() {
    for words in [
        "",
        "ThrottlingException: Too many tokens, please wait before trying again.",
        "Too many tokens, please wait before trying again.",
        "Too many tokens per day, please wait before trying again.",
        "Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 28000, Requested 9000.",
        "Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Requested 342389. The input or output tokens must be reduced in order to run successfully.",
        "413 Request too large for model `llama-3.3-70b-versatile` in organization `org_1` service tier `on_demand` on tokens per minute (TPM): Limit 12000, Requested 14137, please reduce your message size and try again.",
        "You exceeded your current quota, please check your plan and billing details.",
        "Resource has been exhausted (e.g. check quota).",
        "Extra usage is required for long context requests.",
        "This request would exceed your organization's rate limit of 40,000 input tokens per minute",
        "This request requires more credits, or fewer max_tokens. You requested up to 64000 tokens, but can only afford 4262.",
        "Prompt tokens limit exceeded: 34119 > 4262. To increase, visit https://openrouter.ai/settings/credits and upgrade to a paid account",
        "max_tokens is too large: 300000. This model supports at most 16384 completion tokens, whereas you provided 300000.",
        "max_completion_tokens is too large: 262144. This model supports at most 256000 completion tokens.",
        "The maximum tokens you requested exceeds the model limit of 8192. Try again with a maximum tokens value that is lower than 8192.",
        "max_tokens must be less than or equal to 16384, the maximum value for max_tokens is less than the context_window for this model",
        "too many tokens: max tokens must be less than or equal to 4096, the maximum output length for this model - received 1000000.",
        "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]",
        "Invalid schema for function 'read'",
        "Invalid 'tools[3].function.description': string too long. Expected a string with maximum length 1024, but got a string with length 1400 instead.",
        "Invalid 'input[95].call_id': string too long. Expected a string with maximum length 64, but got a string with length 116 instead.",
        "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 166 instead.",
        "thinking.budget_tokens: must be less than max_tokens",
        "The cached content is of 500 tokens. The minimum token count to start caching is 4096.",
        "context deadline exceeded (Client.Timeout exceeded while awaiting headers)",
        "messages: text content blocks must be non-empty",
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
        "Could not process image",
        "Overloaded",
        "429 Too Many Requests",
        "400 status code (no body)",
        "fetch failed",
        "model not found: context-large-413b",
        "Stop reason: max_tokens",
    ] {
        assert_eq!(told(&json!(words)), None, "{words}");
        assert_eq!(told(&json!({ "status": 400, "error": { "message": words } })), None, "{words}");
    }
}

#[test]
fn codes_and_statuses_speak_where_words_do_not() {
    let kind = |error: Value| told(&error).map(|found| found.kind);
    assert_eq!(kind(json!({ "status": 413, "body": "" })), Some(Bytes));
    assert_eq!(kind(json!({ "status": 413 })), Some(Bytes));
    assert_eq!(kind(json!("413 status code (no body)")), Some(Bytes));
    assert_eq!(kind(json!({ "message": "Error: 413" })), Some(Bytes));
    assert_eq!(
        kind(json!({ "status": 413, "error": { "message": "failed to parse request", "code": "" } })),
        Some(Bytes)
    );
    assert_eq!(kind(json!({ "status": 413, "error": { "message": "Prompt is too long" } })), Some(Tokens));
    assert_eq!(
        kind(
            json!({ "status": 413, "error": { "message": "Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 9000", "type": "tokens", "code": "rate_limit_exceeded" } })
        ),
        None
    );
    assert_eq!(kind(json!({ "status": 400, "body": "" })), None);
    assert_eq!(kind(json!({ "code": "context_length_exceeded", "message": "no" })), Some(Tokens));
    assert_eq!(kind(json!({ "error": { "code": "model_max_prompt_tokens_exceeded" } })), Some(Tokens));
    assert_eq!(kind(json!({ "code": "image_too_large" })), Some(Images));
    assert_eq!(
        kind(json!({ "type": "message_delta", "delta": { "stop_reason": "model_context_window_exceeded" } })),
        Some(Tokens)
    );
    assert_eq!(
        kind(json!({ "choices": [{ "finish_reason": "model_context_window_exceeded", "delta": {} }] })),
        Some(Tokens)
    );
    assert_eq!(
        kind(
            json!({ "type": "response.failed", "response": { "status": "failed", "error": { "code": "context_length_exceeded", "message": "Your input exceeds the context window of this model." } } })
        ),
        Some(Tokens)
    );
    assert_eq!(
        kind(
            json!({ "error": { "code": 429, "message": "Resource has been exhausted", "status": "RESOURCE_EXHAUSTED" } })
        ),
        None
    );
    assert_eq!(kind(json!({ "throttlingException": { "message": "prompt is too long: 9 tokens > 8 maximum" } })), None);
    assert_eq!(kind(json!({ "name": "RateLimitError", "message": "prompt is too long" })), None);
    assert_eq!(kind(json!(null)), None);
    assert_eq!(kind(json!(413)), None);
}

#[test]
fn names_stand_before_words() {
    let words = FIELDS.split(' ').position(|field| field == "message");
    assert_eq!(words, Some(NAMES));
    assert_eq!(told(&json!({ "name": "Error 413", "reason": "413" })), None, "a name tells no status");
}

#[test]
fn figures_stand_in_fields_too() {
    let error = json!({ "error": { "code": 400, "message": "request exceeds the available context size, try increasing it", "type": "exceed_context_size_error", "n_prompt_tokens": 16403, "n_ctx": 16384 } });
    let found = told(&error).unwrap();
    assert_eq!((found.limit, found.actual, found.provider), (Some(16_384), Some(16_403), Some("llama.cpp")));
    assert!(found.message.starts_with("request exceeds"));
}

#[test]
fn of_several_attempts_the_last_counts() {
    let limited = json!({ "statusCode": 429, "message": "Rate limit reached" });
    let refused = json!({ "statusCode": 400, "message": "prompt is too long: 9 tokens > 8 maximum" });
    let error = |last: &Value| json!({ "name": "AI_RetryError", "message": "Failed after 2 attempts.", "errors": [limited, refused], "lastError": last });
    assert_eq!(told(&error(&refused)).map(|found| found.kind), Some(Tokens));
    assert_eq!(told(&error(&limited)), None);
}

#[test]
fn a_conversation_that_an_error_carries_is_not_read() {
    let words = "prompt is too long: 213462 tokens > 200000 maximum";
    for error in [
        json!({ "message": "Bad Request", "requestBodyValues": { "messages": [{ "content": words }] } }),
        json!({ "choices": [{ "delta": { "content": words }, "message": { "content": words } }] }),
        json!({ "type": "message", "content": [{ "type": "text", "text": words }], "stop_reason": "end_turn" }),
        json!({ "response": { "output": [{ "content": words }], "instructions": words, "status": "completed" } }),
    ] {
        assert_eq!(told(&error), None, "{error}");
    }
}

#[test]
fn the_words_are_those_of_the_provider() {
    let clean = "prompt is too long: 213462 tokens > 200000 maximum";
    let body = json!({ "type": "error", "error": { "type": "invalid_request_error", "message": clean } });
    let error = json!({ "status": 400, "message": format!("400 {body}"), "error": body });
    assert_eq!(told(&error).unwrap().message, clean);
    let long = json!({ "message": format!("{clean} {}", "é".repeat(5000)) });
    assert_eq!(told(&long).unwrap().message.chars().count(), 1000);
}
