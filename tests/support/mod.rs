//! The real sessions that tests run over. They are not part of the project: without them those tests say so and pass.

use serde_json::{Value, json};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// One conversation of the corpus.
pub struct Session {
    /// File and place, for messages.
    pub name: String,
    /// A request body, or a bare array of messages.
    pub request: Value,
}

/// The folder of the corpus: `PALIMPSEST_CORPUS`, or `shared/corpus` beside the project.
pub fn corpus() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    let folder = std::env::var_os("PALIMPSEST_CORPUS").map_or_else(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    println!(
        "skipped: there is no corpus at {}; set PALIMPSEST_CORPUS to run this test over real sessions",
        folder.display()
    );
    None
}

/// All conversations of a kind, by the first letter of its folder.
pub fn sessions(corpus: &Path, kind: char) -> Vec<Session> {
    let mut found = Vec::new();
    for folder in sorted(corpus).into_iter().filter(|path| path.is_dir()) {
        if !file_name(&folder).starts_with(kind) {
            continue;
        }
        for file in sorted(&folder) {
            let text = fs::read_to_string(&file).unwrap();
            let name = file_name(&file);
            if kind == 'a' {
                found.push(Session { name, request: claude_code(&text) });
            } else {
                let text = text.trim_start_matches('\u{feff}');
                let lines = || text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
                let value = serde_json::from_str(text).unwrap_or_else(|_| Value::Array(lines()));
                collect(&retold(value), &name, &mut HashSet::new(), &mut found);
            }
        }
    }
    found
}

/// The main chain of a Claude Code file as a request.
pub fn claude_code(text: &str) -> Value {
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap_or_default()).collect();
    let doc = palimpsest::message::json::doc(&Value::Array(lines.clone()), None).unwrap();
    let chain = palimpsest::session::main_chain(doc.root());
    let message = |group: &Vec<u32>| {
        let parts: Vec<&Value> = group.iter().map(|&line| &lines[line as usize]["message"]).collect();
        if let [only] = parts.as_slice() {
            return json!({ "role": only["role"], "content": only["content"] });
        }
        let blocks = parts.iter().flat_map(|part| match &part["content"] {
            Value::Array(blocks) => blocks.clone(),
            text => vec![json!({ "type": "text", "text": text })],
        });
        json!({ "role": parts[0]["role"], "content": blocks.collect::<Vec<_>>() })
    };
    let messages: Vec<Value> = chain.messages.iter().map(message).collect();
    json!({ "model": "claude-sonnet-4-5", "messages": messages })
}

/// Data sets tell conversations in words of their own (ShareGPT's `from` and `value`, OASST's trees): the same as messages.
fn retold(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(retold).collect(),
        Value::Object(entries) if entries.contains_key("from") && entries.contains_key("value") => {
            let role = match entries["from"].as_str() {
                Some("system") => "system",
                Some("gpt" | "function_call") => "assistant",
                _ => "user",
            };
            json!({ "role": role, "content": entries["value"] })
        }
        Value::Object(entries) if entries.get("prompt").is_some_and(|prompt| prompt.get("replies").is_some()) => {
            let mut path = Vec::new();
            let mut node = Some(&entries["prompt"]);
            while let Some(message) = node {
                let role = if message["role"] == "assistant" { "assistant" } else { "user" };
                path.push(json!({ "role": role, "content": message["text"] }));
                node = message["replies"].get(0);
            }
            Value::Array(path)
        }
        Value::Object(entries) => Value::Object(entries.into_iter().map(|(key, value)| (key, retold(value))).collect()),
        value => value,
    }
}

/// Every list of messages within a value: the request that holds it when there is one, else the bare list.
fn collect(value: &Value, name: &str, seen: &mut HashSet<String>, found: &mut Vec<Session>) {
    match value {
        Value::Object(entries) => {
            let is_request = entries.contains_key("model") && entries.get("messages").is_some_and(is_history);
            for (key, value) in entries {
                if is_history(value) && seen.insert(value.to_string()) {
                    let name = format!("{name} {key} #{}", found.len());
                    let whole = is_request && key == "messages";
                    found.push(Session {
                        name,
                        request: if whole { Value::Object(entries.clone()) } else { value.clone() },
                    });
                } else {
                    collect(value, name, seen, found);
                }
            }
        }
        Value::Array(_) if is_history(value) && seen.insert(value.to_string()) => {
            found.push(Session { name: format!("{name} #{}", found.len()), request: value.clone() });
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, name, seen, found)),
        _ => {}
    }
}

/// True for a list of messages with roles and contents of the two formats.
fn is_history(value: &Value) -> bool {
    let Value::Array(items) = value else { return false };
    let known = ["system", "developer", "user", "assistant", "tool"];
    let message = |item: &Value| {
        let role = item["role"].as_str().unwrap_or_default();
        known.contains(&role) && (item.get("content").is_some() || item.get("tool_calls").is_some())
    };
    !items.is_empty() && items.iter().all(message)
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}
