//! What must stay, whatever is given up: so that a refusal can be told from giving up too early.

use serde_json::{Value, json};

/// What the notices of dropped ranges may cost, in tokens.
const NOTICES: u64 = 400;

/// Says so when a request was refused as too large although what must stay would have fitted `most` tokens with room to spare.
pub fn refused_rightly(mended: &Value, options: &Value, most: u64) -> Result<(), String> {
    let tokens =
        palimpsest::measure(&least(mended, options), options).map_err(|error| error.to_string())?["tokens"].as_u64();
    match tokens {
        Some(tokens) if tokens + NOTICES < most => Err(format!("refused although {tokens} of {most} tokens would do")),
        _ => Ok(()),
    }
}

/// The request with the system's messages, the task, the last person's message and the newest unit alone.
fn least(request: &Value, options: &Value) -> Value {
    let list = request.get("messages").unwrap_or(request).as_array().unwrap();
    let speaks = |message: &Value| {
        let blocks = message["content"].as_array();
        let words = blocks.is_none_or(|blocks| blocks.iter().any(|block| block["type"] != "tool_result"));
        message["role"] == "user" && words && !is_systems(message)
    };
    let task = list.iter().position(&speaks).unwrap_or(list.len() - 1);
    let last = list.iter().rposition(&speaks).unwrap_or_default();
    let mut newest = unit_start(list);
    // Where user and assistant take turns, what the assistant says in several messages is one turn.
    while options["format"] == "anthropic" && newest > 0 && list[newest - 1..=newest].iter().all(is_assistants) {
        newest -= 1;
    }
    let stays = |(index, message): (usize, &Value)| {
        (index <= task || index == last || index >= newest || is_systems(message)).then(|| message.clone())
    };
    let kept: Vec<Value> = list.iter().enumerate().filter_map(stays).collect();
    let mut least = if request.is_array() { json!({}) } else { request.clone() };
    least["messages"] = json!(kept);
    least
}

/// Where the newest unit begins: the last message that is not the system's, or the calls whose results end the history. The system's messages
/// stay in any case, so they are no unit that a pass could leave alone.
pub fn unit_start(messages: &[Value]) -> usize {
    let mut start = messages.iter().rposition(|message| !is_systems(message)).unwrap_or_default();
    while start > 0 && is_result(&messages[start]) {
        start -= 1;
    }
    start
}

/// The system speaks, in its own name or, where it may not, in a user's message that says so.
pub fn is_systems(message: &Value) -> bool {
    message["role"] == "system" || message["content"][0]["text"] == palimpsest::format::SYSTEM_SAYS
}

fn is_assistants(message: &Value) -> bool {
    message["role"] == "assistant"
}

fn is_result(message: &Value) -> bool {
    let blocks = message["content"].as_array();
    message["role"] == "tool" || blocks.is_some_and(|blocks| blocks.iter().any(|block| block["type"] == "tool_result"))
}
