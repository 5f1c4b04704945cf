//! What both formats must do: tell a request apart, and write back what they read.

use super::*;
use crate::message::json::doc;
use crate::message::{Kind, Role};
use alloc::vec;
use serde_json::{Value as Json, json};

/// The format of a request, by its envelope and its messages.
fn told(envelope: &Json, messages: &[Json]) -> Option<&'static str> {
    let envelope = doc(envelope, Some("messages")).unwrap();
    let mut detector = Detector::new(envelope.root());
    for message in messages {
        detector.look(doc(message, None).unwrap().root());
    }
    detector.settle(envelope.root().text("model")).map(|format| format.name())
}

fn read(format: &str, message: &Json) -> (Message, Store) {
    let doc = doc(message, None).unwrap();
    let message = by_name(format).unwrap().read(doc.root(), 0).expect("it is a message");
    let mut store = Store::new();
    store.add_input(doc.into_tape());
    (message, store)
}

#[test]
fn formats_are_told_apart() {
    let plain = json!({ "role": "user", "content": "hi" });
    let rows = [
        (json!({ "messages": [] }), vec![plain.clone()], Some("openai-chat")),
        (json!({ "model": "claude-opus-4-8", "messages": [] }), vec![plain.clone()], Some("anthropic")),
        (json!({ "system": "be brief", "messages": [] }), vec![plain.clone()], Some("anthropic")),
        (json!({ "tools": [{ "name": "t", "input_schema": {} }], "messages": [] }), vec![], Some("anthropic")),
        (json!({ "tools": [{ "type": "function", "function": {} }], "messages": [] }), vec![], Some("openai-chat")),
        (
            json!({ "messages": [] }),
            vec![plain.clone(), json!({ "role": "tool", "content": "x" })],
            Some("openai-chat"),
        ),
        (
            json!({ "messages": [] }),
            vec![plain.clone(), json!({ "role": "assistant", "content": [{ "type": "tool_use", "id": "a" }] })],
            Some("anthropic"),
        ),
        (json!({ "contents": [], "messages": [] }), vec![], None),
        (json!({ "messages": [] }), vec![json!({ "parts": [] })], None),
    ];
    for (envelope, messages, wanted) in rows {
        assert_eq!(told(&envelope, &messages), wanted, "{envelope} {messages:?}");
    }
}

#[test]
fn what_is_read_is_written_back_untouched() {
    let messages = [
        (
            "openai-chat",
            json!({ "role": "user", "content": [{ "type": "text", "text": "a" }, { "type": "new-kind", "x": 1 }] }),
        ),
        (
            "openai-chat",
            json!({ "role": "assistant", "content": null, "refusal": "no", "tool_calls": [{ "id": "c" }] }),
        ),
        ("openai-chat", json!({ "role": "tool", "tool_call_id": "c", "content": null, "extra": [{}] })),
        ("openai-chat", json!({ "role": "nobody-knows", "content": 5 })),
        (
            "anthropic",
            json!({ "role": "assistant", "content": [{ "type": "thinking", "thinking": "t", "signature": "s" }] }),
        ),
        (
            "anthropic",
            json!({ "role": "user", "content": [{ "type": "tool_result", "tool_use_id": "u", "content": [
            { "type": "text", "text": "a" }, { "type": "image", "source": { "type": "url", "url": "https://x" } }] }] }),
        ),
        ("anthropic", json!({ "role": "user", "content": [7, null, "text", [], {}] })),
    ];
    for (format, message) in messages {
        let (read, store) = read(format, &message);
        assert_eq!(by_name(format).unwrap().write(&read, &store), Item::Keep(0), "{message}");
    }
}

#[test]
fn parts_are_told_apart() {
    let (message, store) = read(
        "anthropic",
        &json!({ "role": "assistant", "content": [
            { "type": "redacted_thinking", "data": "abc" },
            { "type": "tool_use", "id": "u1", "name": "read", "input": { "p": 1 } },
            { "type": "server_tool_use", "id": "s1", "name": "web_search", "input": {} },
            { "type": "web_search_tool_result", "tool_use_id": "s1", "content": [] },
        ] }),
    );
    let kinds: Vec<Kind> = message.parts.iter().map(|part| part.kind).collect();
    assert_eq!(kinds, [Kind::Reasoning, Kind::Call, Kind::Call, Kind::Result]);
    assert_eq!(message.parts.iter().filter(|part| part.is_call()).count(), 1);
    assert_eq!(store.str(0, message.parts[1].name), "read");
    assert!(!message.is_person());
}

#[test]
fn a_person_is_who_says_something() {
    let person = |format, message: &Json| read(format, message).0.is_person();
    assert!(person("anthropic", &json!({ "role": "user", "content": "hi" })));
    assert!(person(
        "anthropic",
        &json!({ "role": "user", "content": [
        { "type": "tool_result", "tool_use_id": "u", "content": "x" }, { "type": "text", "text": "go on" }] })
    ));
    assert!(!person(
        "anthropic",
        &json!({ "role": "user", "content": [
        { "type": "tool_result", "tool_use_id": "u", "content": [{ "type": "text", "text": "x" }] }] })
    ));
    assert!(!person("openai-chat", &json!({ "role": "tool", "tool_call_id": "c", "content": "x" })));
    assert_eq!(read("openai-chat", &json!({ "role": "developer", "content": "x" })).0.role, Role::System);
}
