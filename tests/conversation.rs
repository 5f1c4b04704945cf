//! A conversation that goes on from its newest walk sends what a caller would who sends the whole history each time.
#![cfg(all(feature = "std", not(target_arch = "wasm32")))]

#[path = "support/generate.rs"]
mod generate;
#[allow(dead_code)]
#[path = "support/least.rs"]
mod least;
#[allow(dead_code, unused_imports)]
#[path = "support/property.rs"]
mod property;

use palimpsest::message::json::doc;
use palimpsest::request::{Conversation, Job, Op};
use proptest::prelude::*;
use serde_json::{Value, json};

fn tape(value: &Value) -> Vec<u8> {
    doc(value, None).unwrap().into_tape()
}

fn envelope(system: &Value) -> Vec<u8> {
    let mut envelope = json!({ "messages": [] });
    if !system.is_null() {
        envelope["system"] = system.clone();
    }
    doc(&envelope, Some("messages")).unwrap().into_tape()
}

/// Drives a job or a conversation to its end.
fn end(mut next: impl FnMut() -> Result<String, palimpsest::Error>) -> Value {
    loop {
        match next() {
            Err(error) => return json!({ "error": error.code(), "message": error.to_string() }),
            Ok(answer) => {
                let answer: Value = serde_json::from_str(&answer).unwrap();
                if answer["ask"].is_null() {
                    return answer;
                }
            }
        }
    }
}

fn stateless(messages: &[Value], system: &Value, options: &Value) -> Value {
    let mut job = Job::new(Op::Compact, envelope(system), tape(options)).unwrap();
    for message in messages {
        job.push(tape(message)).unwrap();
    }
    end(|| job.next(None))
}

const STORY: &str = "## Key decisions\n- go on\n## Context\n- a story\n";

struct Kept {
    conversation: Conversation,
    system: Value,
    options: Value,
    messages: Vec<Value>,
}

impl Kept {
    fn new(format: &str, system: &Value, options: &Value) -> Kept {
        let conversation = Conversation::new(format).unwrap();
        Kept { conversation, system: system.clone(), options: options.clone(), messages: Vec::new() }
    }
    fn call(&mut self, op: &str, asked: &Value) -> Value {
        let asked = doc(asked, None).unwrap();
        serde_json::from_str(&self.conversation.call(op, asked.root()).unwrap()).unwrap()
    }
    fn append(&mut self, message: &Value) {
        let number = self.conversation.add(tape(message)).unwrap();
        self.call("append", &json!({ "id": format!("n{number}"), "at": number, "message": number }));
        self.messages.push(message.clone());
    }
    fn request(&mut self) -> Value {
        self.conversation.begin(envelope(&self.system), tape(&self.options)).unwrap();
        let conversation = &mut self.conversation;
        end(|| conversation.next(None))
    }
    /// A request whose summaries are written; where `goes_ahead`, another is made of the conversation while the words are awaited.
    fn written(&mut self, goes_ahead: bool) -> Value {
        let mut options = self.options.clone();
        options["has"] = json!(["summarize"]);
        self.conversation.begin(envelope(&self.system), tape(&options)).unwrap();
        let mut words = None;
        loop {
            let said = match self.conversation.next(words.take()) {
                Err(error) => return json!({ "error": error.code(), "message": error.to_string() }),
                Ok(said) => serde_json::from_str::<Value>(&said).unwrap(),
            };
            match said["ask"].as_str() {
                None => return said,
                Some("write") => {
                    if goes_ahead {
                        self.conversation.put_aside();
                        self.request();
                        self.conversation.take_up().unwrap();
                    }
                    words = Some(tape(&json!(STORY)));
                }
                Some(_) => {}
            }
        }
    }
    /// Lays the records of a report, as the package does.
    fn lay(&mut self, answer: &Value) {
        let mut records = answer["done"]["report"]["records"].clone();
        for record in records.as_array_mut().into_iter().flatten() {
            for end in ["from", "to", "drawnFrom"] {
                if record[end].is_number() {
                    record[end] = json!(format!("n{}", record[end]));
                }
            }
        }
        if records.is_array() {
            self.call("lay", &json!({ "records": records }));
        }
    }
}

/// Places at which a request would be sent.
fn sendable(messages: &[Value], end: usize, options: &Value) -> bool {
    let grown = json!({ "messages": &messages[..end] });
    messages[end - 1]["role"] != "assistant" && palimpsest::check(&grown, options).unwrap().is_empty()
}

proptest! {
    #[test]
    fn going_on_is_walking_anew((format, steps, window) in property::given()) {
        let options = property::options(format, window);
        let whole = generate::request(format, &steps);
        let (whole, _) = palimpsest::repair(&whole, &options).unwrap();
        let messages = whole["messages"].as_array().unwrap();
        let mut kept = Kept::new(format, &whole["system"], &options);
        for end in 1..=messages.len() {
            kept.append(&messages[end - 1]);
            if !sendable(messages, end, &options) {
                continue;
            }
            let (ours, theirs) = (kept.request(), stateless(&messages[..end], &whole["system"], &options));
            prop_assert_eq!(&ours["done"]["edits"], &theirs["done"]["edits"], "{}", ours);
            prop_assert_eq!(&ours, &theirs);
        }
    }

    /// What is made of a request does not depend on who went ahead of it while a summary was written.
    #[test]
    fn who_goes_ahead_changes_nothing((format, steps, window) in property::given()) {
        let mut options = property::options(format, window);
        options["rungs"] = json!(["elide", "images", "summary", "window"]);
        let whole = generate::request(format, &steps);
        let (whole, _) = palimpsest::repair(&whole, &options).unwrap();
        let messages = whole["messages"].as_array().unwrap();
        let mut alone = Kept::new(format, &whole["system"], &options);
        let mut passed = Kept::new(format, &whole["system"], &options);
        for end in 1..=messages.len() {
            alone.append(&messages[end - 1]);
            passed.append(&messages[end - 1]);
            if sendable(messages, end, &options) {
                let (one, other) = (alone.written(false), passed.written(true));
                prop_assert_eq!(&one, &other);
                alone.lay(&one);
                passed.lay(&other);
            }
        }
    }

    /// Records laid, the conversation read from a store: the same is sent.
    #[test]
    fn records_say_what_was_decided((format, steps, window) in property::given()) {
        let options = property::options(format, window);
        let whole = generate::request(format, &steps);
        let (whole, _) = palimpsest::repair(&whole, &options).unwrap();
        let messages = whole["messages"].as_array().unwrap();
        let mut kept = Kept::new(format, &whole["system"], &options);
        let mut last = None;
        for end in 1..=messages.len() {
            kept.append(&messages[end - 1]);
            if sendable(messages, end, &options) {
                let answer = kept.request();
                kept.lay(&answer);
                last = Some((end, answer));
            }
        }
        let Some((end, answer)) = last.filter(|(_, answer)| answer["done"].is_object()) else { return Ok(()) };
        // A record holds where the path goes on beyond it.
        let records = answer["done"]["report"]["records"].as_array();
        if records.into_iter().flatten().any(|record| record["to"] == json!(end - 1)) {
            return Ok(());
        }
        let mut again = Kept::new(format, &whole["system"], &options);
        messages[..end].iter().for_each(|message| again.append(message));
        again.lay(&answer);
        let reopened = again.request();
        let (one, other) = (reopened["done"]["edits"].to_string(), answer["done"]["edits"].to_string());
        let at = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count().saturating_sub(60);
        let cut = |text: &str| text.chars().skip(at.saturating_sub(200)).take(600).collect::<String>();
        prop_assert!(one == other, "CUT {} | {} | {}", cut(&one), cut(&other), &answer["done"]["report"]);
        prop_assert_eq!(&reopened["done"]["edits"], &answer["done"]["edits"], "{} then {}", &answer["done"]["report"], reopened);
    }
}
