//! Claude Code JSONL: which records make up the main chain, and which of them are one message.
//!
//! A record names the one it follows (`parentUuid`); a compaction starts a chain anew and names what it follows as `logicalParentUuid`. One
//! message of the API may span several records that share `message.id`, with results between them. Sidechains are other agents. Parents that
//! are not in the file, records that are no objects and ids that come twice all occur.

use crate::message::{Shape, Value};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec;
use alloc::vec::Vec;
use serde::Serialize;

/// The main chain of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Chain {
    /// The messages in order: each is made of the content of these lines, in order.
    pub messages: Vec<Vec<u32>>,
    /// Lines that are no record of the conversation.
    pub skipped: u32,
}

/// Finds the main chain. `lines` is an array with one entry a line: `null` for a line that was no object.
pub fn main_chain(lines: Value<'_>) -> Chain {
    let records: Vec<Option<Value<'_>>> =
        lines.items().map(|line| (line.shape() == Shape::Object).then_some(line)).collect();
    let mut by_id: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, record) in records.iter().enumerate() {
        if let Some(id) = record.and_then(|record| record.text("uuid")) {
            by_id.entry(id).or_insert(index);
        }
    }
    // The file of a sub-agent holds nothing but its sidechain: then that is the conversation.
    let spoken = |record: &Option<Value<'_>>| record.is_some_and(is_spoken);
    let sidechains_count = !records.iter().any(|record| spoken(record) && !is_sidechain(*record));
    let speaks: Vec<bool> =
        records.iter().map(|record| spoken(record) && (sidechains_count || !is_sidechain(*record))).collect();
    let skipped = records.iter().zip(&speaks).filter(|(record, speaks)| record.is_none() && !**speaks).count() as u32;
    let Some(tip) = speaks.iter().rposition(|&speaks| speaks) else {
        return Chain { messages: Vec::new(), skipped };
    };
    let mut path = Vec::new();
    let mut seen = BTreeSet::new();
    let mut at = Some(tip);
    while let Some(index) = at {
        // A circle ends where it closes.
        if !seen.insert(index) {
            break;
        }
        if speaks[index] {
            path.push(index);
        }
        at = before(index, &records, &by_id, &speaks);
    }
    path.reverse();
    Chain { messages: joined(path, &records, &speaks), skipped }
}

/// A record in which somebody speaks.
fn is_spoken(record: Value<'_>) -> bool {
    let role = record.get("message").and_then(|message| message.text("role"));
    matches!(record.text("type"), Some("user" | "assistant")) && role.is_some()
}

/// A record of another agent's conversation.
fn is_sidechain(record: Option<Value<'_>>) -> bool {
    record.and_then(|record| record.get("isSidechain")).and_then(Value::bool) == Some(true)
}

/// The record that this one follows. One whose parent is missing follows what stands before it in the file; a root follows nothing, unless it
/// says what it follows logically.
fn before(
    index: usize,
    records: &[Option<Value<'_>>],
    by_id: &BTreeMap<&str, usize>,
    speaks: &[bool],
) -> Option<usize> {
    let record = records[index]?;
    let parent = record.text("parentUuid").or(record.text("logicalParentUuid"))?;
    match by_id.get(parent) {
        Some(&parent) if parent != index => Some(parent),
        _ => speaks[..index].iter().rposition(|&speaks| speaks),
    }
}

/// Puts records that share a message together, where the first of them stands, and brings in those that the path went around: calls of one
/// message that were written as siblings, and their results.
fn joined(path: Vec<usize>, records: &[Option<Value<'_>>], speaks: &[bool]) -> Vec<Vec<u32>> {
    let on_path: BTreeSet<usize> = path.iter().copied().collect();
    let mut of_message: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut results: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, record) in records.iter().enumerate() {
        let Some(record) = record.filter(|_| speaks[index]) else { continue };
        if let Some(id) = message_id(record) {
            of_message.entry(id).or_default().push(index);
        }
        for id in answers(record) {
            results.entry(id).or_default().push(index);
        }
    }
    let mut used = BTreeSet::new();
    let mut messages = Vec::new();
    for index in path {
        if !used.insert(index) {
            continue;
        }
        let record = records[index].filter(|record| message_id(*record).is_some());
        let Some(id) = record.and_then(message_id) else {
            messages.push(vec![index as u32]);
            continue;
        };
        let mut whole = vec![index];
        whole.extend(of_message[id].iter().copied().filter(|other| used.insert(*other)));
        whole.sort_unstable();
        let calls: Vec<&str> = whole.iter().filter_map(|&index| records[index]).flat_map(calls).collect();
        messages.push(whole.into_iter().map(|index| index as u32).collect());
        let answers = calls.iter().filter_map(|call| results.get(call)).flatten();
        for &answer in answers {
            if !on_path.contains(&answer) && used.insert(answer) {
                messages.push(vec![answer as u32]);
            }
        }
    }
    messages
}

fn message_id(record: Value<'_>) -> Option<&str> {
    if record.text("type") != Some("assistant") {
        return None;
    }
    record.get("message")?.text("id")
}

fn blocks<'a>(record: Value<'a>, kind: &'static str) -> impl Iterator<Item = Value<'a>> {
    let content = record.get("message").and_then(|message| message.get("content"));
    content.into_iter().flat_map(Value::items).filter(move |block| block.text("type") == Some(kind))
}

fn answers<'a>(record: Value<'a>) -> impl Iterator<Item = &'a str> {
    blocks(record, "tool_result").filter_map(|block| block.text("tool_use_id"))
}

fn calls<'a>(record: Value<'a>) -> impl Iterator<Item = &'a str> {
    blocks(record, "tool_use").filter_map(|block| block.text("id"))
}
