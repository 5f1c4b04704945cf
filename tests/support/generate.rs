//! Random conversations of both formats: whole ones, as an agent leaves them, and broken ones, as stores and cuts leave them.

use proptest::prelude::*;
use serde_json::{Value, json};

/// The two formats.
pub const FORMATS: [&str; 2] = ["openai-chat", "anthropic"];

/// A step of a conversation, before a format writes it.
#[derive(Clone, Debug)]
pub enum Step {
    /// A person speaks, perhaps with a picture, perhaps with an empty part beside.
    Person { words: String, picture: bool, empty: bool },
    /// The assistant speaks.
    Says(String),
    /// The assistant thinks, calls tools and gets results.
    Calls { thinking: bool, words: String, calls: Vec<Call> },
    /// Instructions in the middle.
    System(String),
}

/// A call and what became of it.
#[derive(Clone, Debug)]
pub struct Call {
    id: u8,
    tool: u8,
    argument: u8,
    result: String,
    error: bool,
    picture: bool,
}

/// What goes wrong with a history that passes through stores and cuts.
#[derive(Clone, Debug)]
pub enum Damage {
    /// A message is lost.
    Lose(prop::sample::Index),
    /// Two messages change places.
    Swap(prop::sample::Index, prop::sample::Index),
    /// A message comes twice.
    Repeat(prop::sample::Index),
    /// A message loses its words.
    Empty(prop::sample::Index),
    /// The beginning is cut off.
    Cut(prop::sample::Index),
}

fn words(most: usize) -> impl Strategy<Value = String> {
    let word = prop_oneof![
        4 => "[a-z]{1,9}",
        1 => "[A-Z][a-z]{2,8}\\.",
        1 => "[0-9a-f]{8,16}",
        1 => "[а-я]{2,9}",
        1 => "[一-龠]{1,4}",
    ];
    prop::collection::vec(word, 1..most).prop_map(|words| words.join(" "))
}

fn call() -> impl Strategy<Value = Call> {
    // Few ids, tools and arguments, so that they repeat.
    (0u8..6, 0u8..3, 0u8..5, words(160), prop::bool::weighted(0.1), prop::bool::weighted(0.1))
        .prop_map(|(id, tool, argument, result, error, picture)| Call { id, tool, argument, result, error, picture })
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (words(40), prop::bool::weighted(0.2), prop::bool::weighted(0.1))
            .prop_map(|(words, picture, empty)| Step::Person { words, picture, empty }),
        2 => words(80).prop_map(Step::Says),
        5 => (any::<bool>(), words(10), prop::collection::vec(call(), 1..4))
            .prop_map(|(thinking, words, calls)| Step::Calls { thinking, words, calls }),
        1 => words(12).prop_map(Step::System),
    ]
}

/// Steps that begin with a person's task.
pub fn steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
    (words(30), prop::collection::vec(step(), 1..most)).prop_map(|(task, mut steps)| {
        steps.insert(0, Step::Person { words: task, picture: false, empty: false });
        steps
    })
}

/// Damage to a history.
pub fn damage() -> impl Strategy<Value = Vec<Damage>> {
    let index = || any::<prop::sample::Index>();
    let one = prop_oneof![
        index().prop_map(Damage::Lose),
        (index(), index()).prop_map(|(a, b)| Damage::Swap(a, b)),
        index().prop_map(Damage::Repeat),
        index().prop_map(Damage::Empty),
        index().prop_map(Damage::Cut),
    ];
    prop::collection::vec(one, 1..5)
}

/// Damages a request.
pub fn broken(mut request: Value, damage: &[Damage]) -> Value {
    let messages = request["messages"].as_array_mut().unwrap();
    for damage in damage {
        let len = messages.len();
        match damage {
            Damage::Lose(at) if len > 1 => drop(messages.remove(at.index(len))),
            Damage::Swap(a, b) => messages.swap(a.index(len), b.index(len)),
            Damage::Repeat(at) => messages.insert(at.index(len), messages[at.index(len)].clone()),
            Damage::Empty(at) => messages[at.index(len)]["content"] = json!(""),
            Damage::Cut(at) => drop(messages.drain(..at.index(len))),
            Damage::Lose(_) => {}
        }
    }
    request
}

/// The request that these steps make.
pub fn request(format: &str, steps: &[Step]) -> Value {
    if format == "anthropic" { anthropic(steps) } else { openai(steps) }
}

/// A tiny PNG of 64 by 48 pixels, as far as its header goes.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAEAAAAAwCAIAAAAuKetIAAAAAElFTkSuQmCC";

fn openai(steps: &[Step]) -> Value {
    let mut messages = vec![json!({ "role": "system", "content": "You are careful." })];
    for step in steps {
        match step {
            Step::Person { words, picture, .. } => {
                let url = format!("data:image/png;base64,{PNG}");
                messages.push(if *picture {
                    json!({ "role": "user", "content": [
                        { "type": "text", "text": words }, { "type": "image_url", "image_url": { "url": url } }] })
                } else {
                    json!({ "role": "user", "content": words })
                });
            }
            Step::Says(words) => messages.push(json!({ "role": "assistant", "content": words })),
            Step::System(words) => messages.push(json!({ "role": "system", "content": words })),
            Step::Calls { words, calls, .. } => {
                let calls = distinct(calls);
                let tool_calls: Vec<Value> = calls.iter().map(|call| json!({
                    "id": format!("call_{}", call.id), "type": "function",
                    "function": { "name": format!("tool{}", call.tool), "arguments": format!("{{\"a\":{}}}", call.argument) }
                })).collect();
                messages.push(json!({ "role": "assistant", "content": words, "tool_calls": tool_calls }));
                for call in calls.iter().rev() {
                    let id = format!("call_{}", call.id);
                    messages.push(json!({ "role": "tool", "tool_call_id": id, "content": call.result, "unknown": { "kept": [1, null] } }));
                }
            }
        }
    }
    json!({ "model": "gpt-4o", "messages": messages })
}

fn anthropic(steps: &[Step]) -> Value {
    let mut messages: Vec<Value> = Vec::new();
    for step in steps {
        match step {
            Step::Person { words, picture, empty } => {
                let image =
                    json!({ "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": PNG } });
                let mut content = vec![json!({ "type": "text", "text": words })];
                content.extend(picture.then_some(image));
                content.extend(empty.then(|| json!({ "type": "text", "text": "" })));
                messages.push(json!({ "role": "user", "content": content }));
            }
            Step::Says(words) => messages.push(json!({ "role": "assistant", "content": words })),
            // Legal only after a user's turn; elsewhere it is what a repair has to mend.
            Step::System(words) => messages.push(json!({ "role": "system", "content": words })),
            Step::Calls { thinking, words, calls } => {
                let calls = distinct(calls);
                let mut content = Vec::new();
                if *thinking {
                    content.push(
                        json!({ "type": "thinking", "thinking": words, "signature": format!("sig-{}", words.len()) }),
                    );
                }
                content.extend(calls.iter().map(|call| {
                    json!({
                        "type": "tool_use", "id": format!("toolu_{}", call.id),
                        "name": format!("tool{}", call.tool), "input": { "a": call.argument }
                    })
                }));
                messages.push(json!({ "role": "assistant", "content": content }));
                let results: Vec<Value> = calls.into_iter().map(result).collect();
                messages.push(json!({ "role": "user", "content": results }));
            }
        }
    }
    json!({ "model": "claude-sonnet-4-5", "system": "You are careful.", "messages": messages })
}

fn result(call: &Call) -> Value {
    let content = if call.picture {
        json!([{ "type": "text", "text": call.result },
            { "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": PNG } }])
    } else {
        json!(call.result)
    };
    let id = format!("toolu_{}", call.id);
    let mut result = json!({ "type": "tool_result", "tool_use_id": id, "content": content });
    if call.error {
        result["is_error"] = json!(true);
    }
    result
}

/// Ids may come again in a later batch, not within one.
fn distinct(calls: &[Call]) -> Vec<&Call> {
    let mut seen = std::collections::HashSet::new();
    calls.iter().filter(|call| seen.insert(call.id)).collect()
}
