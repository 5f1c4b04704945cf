//! Real sessions, at windows that most of them do not fit.
#![cfg(feature = "std")]

#[path = "support/least.rs"]
mod least;
mod support;

use least::{refused_rightly, unit_start};
use palimpsest::Error;
use serde_json::{Value, json};
use support::Session;

const WINDOWS: [u32; 3] = [4_000, 16_000, 64_000];

#[test]
fn every_conversation_fits_or_names_why_not() {
    let Some(corpus) = support::corpus() else { return };
    let mut faults = Vec::new();
    for kind in ['a', 'f', 'g', 'h', 'i'] {
        let sessions = support::sessions(&corpus, kind);
        assert!(!sessions.is_empty(), "kind {kind} has no conversation");
        for window in WINDOWS {
            let mut tally = Tally::default();
            for session in &sessions {
                if let Err(fault) = tally.run(session, window) {
                    faults.push(format!("{} at {window}: {fault}", session.name));
                }
            }
            println!("kind {kind} at {window}: {} conversations, {tally}", sessions.len());
        }
    }
    assert!(faults.is_empty(), "{} faults: {faults:#?}", faults.len());
}

#[derive(Default)]
struct Tally {
    unchanged: usize,
    mended: usize,
    compacted: usize,
    refused: Vec<String>,
}

impl std::fmt::Display for Tally {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} unchanged, {} mended, {} compacted, ", self.unchanged, self.mended, self.compacted)?;
        write!(out, "{} refused {:?}", self.refused.len(), self.refused)
    }
}

impl Tally {
    fn run(&mut self, session: &Session, window: u32) -> Result<(), String> {
        let request = &session.request;
        let id = request["model"].as_str().unwrap_or("gpt-4o");
        // Recorded requests ask for more output than the window of this test holds.
        let options = json!({ "model": { "id": id, "window": window }, "reserveOutput": window / 8 });
        let done = match palimpsest::compact(request, &options) {
            Ok(done) => done,
            Err(error @ Error::CannotFit(_)) => {
                let (mended, _) = palimpsest::repair(request, &options).map_err(|error| error.to_string())?;
                refused_rightly(&mended, &options, u64::from(window - window / 8))?;
                self.refused.push(format!("{}: {error}", session.name));
                return Ok(());
            }
            Err(error) => return Err(error.to_string()),
        };
        let report = &done.report;
        if report["fits"] != true {
            return Err(format!("does not fit and is no error: {report}"));
        }
        let broken = palimpsest::check(&done.body, &options).map_err(|error| error.to_string())?;
        if !broken.is_empty() {
            return Err(format!("breaks rules: {broken:?}"));
        }
        let measured = palimpsest::measure(&done.body, &options).map_err(|error| error.to_string())?;
        let after = &report["after"];
        for figure in ["tokens", "messages", "images"] {
            if measured[figure] != after[figure] {
                return Err(format!("{figure}: reported {} and measured {}", after[figure], measured[figure]));
            }
        }
        let bytes = |count: &Value| count["bytes"].as_f64().unwrap();
        if (bytes(after) / bytes(&measured) - 1.0).abs() > 0.02 {
            return Err(format!("bytes: reported {} and measured {}", after["bytes"], measured["bytes"]));
        }
        let again = palimpsest::compact(&done.body, &options).map_err(|error| error.to_string())?;
        if again.body != done.body {
            return Err(format!("compacting again changed it: {}", again.report));
        }
        keeps_what_must_stay(request, &done.body, &options)?;
        match (done.body == *request, report["records"].as_array().is_some_and(Vec::is_empty)) {
            (true, _) => self.unchanged += 1,
            (false, true) => self.mended += 1,
            (false, false) => self.compacted += 1,
        }
        Ok(())
    }
}

/// The newest unit, and the last message of a person, word for word.
fn keeps_what_must_stay(before: &Value, after: &Value, options: &Value) -> Result<(), String> {
    let (mended, _) = palimpsest::repair(before, options).map_err(|error| error.to_string())?;
    let (before, after) = (messages(&mended), messages(after));
    let newest = &before[unit_start(before)..];
    if !after.ends_with(newest) {
        return Err(format!("the newest unit changed: {}", json!(newest)));
    }
    let Some(person) = before.iter().rev().find(|message| !words(message).is_empty()) else { return Ok(()) };
    if !after.iter().any(|message| message["role"] == "user" && words(message) == words(person)) {
        return Err(format!("the person's last message is gone: {person}"));
    }
    Ok(())
}

fn messages(request: &Value) -> &[Value] {
    let list = request.get("messages").unwrap_or(request);
    list.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// What a person said in a message, apart from results.
fn words(message: &Value) -> Vec<Value> {
    if message["role"] != "user" {
        return Vec::new();
    }
    match &message["content"] {
        Value::Array(blocks) => blocks.iter().filter(|block| block["type"] != "tool_result").cloned().collect(),
        content => vec![content.clone()],
    }
}
