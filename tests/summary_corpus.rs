//! Real sessions, retold by a writer who copies what people asked and what was said last: every request to it fits, whatever it forgets of the
//! exact strings is carried, and nothing is made twice.
#![cfg(feature = "std")]

mod support;

use palimpsest::{Compacted, Error, Writer};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use support::Session;

/// Retells the transcript that it is sent in a few lines of it.
struct Copyist {
    model: Value,
    memory: BTreeMap<String, String>,
    asked: usize,
    parts: usize,
    faults: Vec<String>,
}

impl Writer for Copyist {
    fn write(&mut self, request: &Value) -> Result<String, String> {
        self.asked += 1;
        self.parts += usize::from(request["parts"].as_u64() > Some(1));
        let measured = palimpsest::measure(&request["body"], &json!({ "model": self.model }))
            .map_err(|error| error.to_string())?;
        let most = self.model["window"].as_u64().unwrap() * 15 / 16;
        if measured["tokens"].as_u64() > Some(most) {
            self.faults.push(format!("a request for a summary takes {} of {most} tokens", measured["tokens"]));
        }
        let prompt = request["prompt"].as_str().unwrap();
        let lines: Vec<&str> = prompt.lines().filter(|line| line.starts_with('\u{27e6}')).collect();
        let cut = |line: &&str| line.chars().take(90).collect::<String>();
        let asked = lines.iter().filter(|line| line.starts_with("\u{27e6}user")).rev().take(4).map(cut);
        let last = lines.iter().rev().take(4).map(cut);
        let list = |items: Vec<String>| items.iter().map(|item| format!("- {item}\n")).collect::<String>();
        let before = request["previous"]["context"].as_array().cloned().unwrap_or_default();
        let kept = before.iter().filter_map(Value::as_str).take(4).map(|item| item.chars().take(90).collect());
        Ok(format!(
            "## Open questions\n{}## Context\n{}{}",
            list(asked.collect()),
            list(last.collect()),
            list(kept.collect())
        ))
    }
    fn recall(&mut self, key: &str) -> Option<String> {
        self.memory.get(key).cloned()
    }
    fn remember(&mut self, key: &str, value: &str) {
        self.memory.insert(key.to_string(), value.to_string());
    }
}

#[test]
fn every_session_is_retold() {
    let Some(corpus) = support::corpus() else { return };
    let (mut faults, mut all) = (Vec::new(), 0);
    for kind in ['a', 'f'] {
        let sessions = support::sessions(&corpus, kind);
        for window in [8_000, 32_000] {
            let mut told = (0, 0, 0, 0);
            for session in &sessions {
                match retold(session, window) {
                    Err(fault) => faults.push(format!("{} at {window}: {fault}", session.name)),
                    Ok(None) => told.3 += 1,
                    Ok(Some((asked, parts))) => {
                        told.0 += usize::from(asked > 0);
                        told.1 += asked;
                        told.2 += parts;
                    }
                }
            }
            let (sessions, asked, parts, refused) = told;
            all += sessions;
            println!(
                "kind {kind} at {window}: {sessions} summarised by {asked} calls, {parts} of them for parts, {refused} cannot fit"
            );
            all += sessions;
        }
    }
    assert!(all > 0, "nothing was summarised");
    assert!(faults.is_empty(), "{} faults: {faults:#?}", faults.len());
}

/// How often the writer was asked, and for how many parts; `None` when the session cannot fit.
fn retold(session: &Session, window: u32) -> Result<Option<(usize, usize)>, String> {
    let request = &session.request;
    let model =
        json!({ "id": request["model"].as_str().unwrap_or("gpt-4o"), "window": window, "maxOutput": window / 8 });
    let options =
        json!({ "model": model, "reserveOutput": window / 8, "rungs": ["elide", "images", "summary", "window"] });
    let (memory, faults) = (BTreeMap::new(), Vec::new());
    let mut writer = Copyist { model: model.clone(), memory, asked: 0, parts: 0, faults };
    let compact = |request: &Value, writer: &mut Copyist| palimpsest::compact_with(request, &options, writer);
    let done = match compact(request, &mut writer) {
        Err(Error::CannotFit(_)) => return Ok(None),
        done => done.map_err(|error| error.to_string())?,
    };
    holds(&done, request, &options)?;
    let asked = writer.asked;
    let again = compact(request, &mut writer).map_err(|error| error.to_string())?;
    if again.body != done.body || writer.asked != asked {
        return Err("the second time it is another".to_string());
    }
    let fed = compact(&done.body, &mut writer).map_err(|error| error.to_string())?;
    if fed.body != done.body {
        return Err(format!("compacting again changed it: {}", fed.report));
    }
    writer.faults.pop().map_or(Ok(Some((asked, writer.parts))), Err)
}

fn holds(done: &Compacted, request: &Value, options: &Value) -> Result<(), String> {
    let broken = palimpsest::check(&done.body, options).map_err(|error| error.to_string())?;
    if !broken.is_empty() {
        return Err(format!("breaks rules: {broken:?}"));
    }
    let (mended, _) = palimpsest::repair(request, options).map_err(|error| error.to_string())?;
    let before = palimpsest::measure(&mended, options).map_err(|error| error.to_string())?;
    if done.report["fits"] != true || done.report["after"]["tokens"].as_u64() > before["tokens"].as_u64() {
        return Err(format!("does not fit, or grew: {}", done.report));
    }
    let records = done.report["records"].as_array().unwrap();
    for record in records.iter().filter(|record| record["rung"] == "summary") {
        let words = record["summary"]["markdown"].as_str().unwrap();
        if !done.body.to_string().contains(&json!(words).to_string()[1..json!(words).to_string().len() - 1]) {
            return Err("a summary of the report does not stand in the request".to_string());
        }
        let whole = palimpsest::transcript(request, options).map_err(|error| error.to_string())?;
        let references = record["summary"]["references"].as_array().unwrap();
        let lost = references.iter().filter_map(Value::as_str).find(|reference| {
            let plain = reference.chars().all(|letter| letter.is_ascii_alphanumeric() || "/._-:".contains(letter));
            plain && !whole.contains(reference)
        });
        if let Some(reference) = lost {
            return Err(format!("`{reference}` was never said"));
        }
    }
    Ok(())
}
