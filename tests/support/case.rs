//! One case of `tests/cases`: runs it and says in what the answer is wrong. `tests/cases/README.md` explains the keys.

use serde_json::{Value, json};

/// All cases, for a browser that has no folder to read.
pub const ALL: &[&str] = &[
    include_str!("../cases/01-parallel-results-cut.json"),
    include_str!("../cases/02-any-is-not-all.json"),
    include_str!("../cases/03-unanswered-call-then-user.json"),
    include_str!("../cases/04-user-text-and-orphan-result.json"),
    include_str!("../cases/05-thinking-untouched.json"),
    include_str!("../cases/06-empty-after-elision.json"),
    include_str!("../cases/07-window-starts-with-user.json"),
    include_str!("../cases/08-fixed-part-too-large.json"),
    include_str!("../cases/09-rung-that-grows.json"),
    include_str!("../cases/10-text-only-reader.json"),
    include_str!("../cases/11-empty-summary.json"),
    include_str!("../cases/12-error-as-summary.json"),
    include_str!("../cases/13-references-survive.json"),
    include_str!("../cases/14-image-counts.json"),
    include_str!("../cases/15-image-limit-crossed.json"),
    include_str!("../cases/18-reused-ids.json"),
    include_str!("../cases/20-overflow-anthropic-bytes.json"),
    include_str!("../cases/20-overflow-anthropic-output.json"),
    include_str!("../cases/20-overflow-anthropic-tokens.json"),
    include_str!("../cases/20-overflow-bedrock-throttle.json"),
    include_str!("../cases/20-overflow-gemini.json"),
    include_str!("../cases/20-overflow-llamacpp.json"),
    include_str!("../cases/20-overflow-openai-code.json"),
    include_str!("../cases/20-overflow-openai-rate.json"),
    include_str!("../cases/20-overflow-ordinary-400.json"),
    include_str!("../cases/20-overflow-string.json"),
    include_str!("../cases/20-overflow-undefined.json"),
    include_str!("../cases/20-overflow-xai.json"),
    include_str!("../cases/50-forged-speaker.json"),
    include_str!("../cases/85-strict-assistant-first.json"),
    include_str!("../cases/86-strict-two-systems.json"),
    include_str!("../cases/87-older-model-system.json"),
    include_str!("../cases/88-provider-result-without-call.json"),
    include_str!("../cases/89-cache-marker-moves.json"),
    include_str!("../cases/90-nameless-call.json"),
    include_str!("../cases/91-result-from-assistant.json"),
    include_str!("../cases/92-block-without-text.json"),
    include_str!("../cases/93-picture-in-result.json"),
    include_str!("../cases/94-shared-id.json"),
    include_str!("../cases/95-only-instructions.json"),
    include_str!("../cases/96-strict-host.json"),
    include_str!("../cases/97-strict-window.json"),
    include_str!("../cases/98-large-among-many.json"),
    include_str!("../cases/99-picture-too-large.json"),
];

/// What came of a case: a body and what was said of it.
struct Answer {
    body: Value,
    said: Value,
}

/// A writer who always says the same.
struct Always<'a>(&'a str);

impl palimpsest::Writer for Always<'_> {
    fn write(&mut self, _: &Value) -> Result<String, String> {
        Ok(self.0.to_string())
    }
}

fn run(case: &Value) -> Result<Answer, palimpsest::Error> {
    let input = &case["input"];
    let mut options = case["options"].clone();
    options["format"] = case["format"].clone();
    match case["op"].as_str().unwrap() {
        "repair" => palimpsest::repair(input, &options)
            .map(|(body, repairs)| Answer { body, said: json!({ "repairs": repairs }) }),
        "trim" => {
            let options = json!({ "limit": case["options"], "format": case["format"] });
            palimpsest::trim(input, &options).map(|done| Answer { body: done.body, said: done.report })
        }
        "compact" => {
            let done = match options["summarize_returns"].as_str() {
                Some(words) => palimpsest::compact_with(input, &options, &mut Always(words)),
                None => palimpsest::compact(input, &options),
            };
            done.map(|done| Answer { body: done.body, said: done.report })
        }
        "pages" => palimpsest::transcript(input, &options)
            .map(|transcript| Answer { body: input.clone(), said: json!({ "transcript": transcript }) }),
        "measure" => palimpsest::measure(input, &options).map(|said| Answer { body: input.clone(), said }),
        other => panic!("no such op: {other}"),
    }
}

/// In what the answer to a case is wrong; empty when it holds.
pub fn faults(case: &Value) -> Vec<String> {
    let expect = case["expect"].as_object().expect("every case expects something");
    if case["op"] == "overflow" {
        return untold(case);
    }
    let answer = match run(case) {
        Ok(answer) => answer,
        Err(error) => return refused(&error, expect),
    };
    let Answer { body, said } = &answer;
    let input = &case["input"];
    let text = body.to_string();
    let messages = body["messages"].as_array().unwrap();
    let mut faults = Vec::new();
    let mut want = |holds: bool, what: String| {
        if !holds {
            faults.push(what);
        }
    };
    for (key, wanted) in expect {
        let strings = || wanted.as_array().unwrap().iter().map(|word| word.as_str().unwrap());
        match key.as_str() {
            "valid" => {
                let mut options = json!({ "format": case["format"] });
                if !case["options"]["model"].is_null() {
                    options["model"] = case["options"]["model"].clone();
                }
                let broken = palimpsest::check(body, &options).unwrap();
                want(broken.is_empty(), format!("not valid: {broken:?}"));
            }
            "unchanged" => want(body == input, "it was changed".into()),
            "same" => {
                let inputs = input["messages"].as_array().unwrap();
                for index in wanted.as_array().unwrap().iter().map(|index| index.as_i64().unwrap()) {
                    let of = |list: &Vec<Value>| if index < 0 { list.len() as i64 + index } else { index } as usize;
                    let (before, after) = (inputs.get(of(inputs)), messages.get(of(messages)));
                    want(before.is_some() && before == after, format!("message {index} was changed"));
                }
            }
            "contains" => strings().for_each(|word| want(text.contains(word), format!("`{word}` is missing"))),
            "lacks" => strings().for_each(|word| want(!text.contains(word), format!("`{word}` is there"))),
            "shrinks" => want(
                said["after"]["tokens"].as_u64() < said["before"]["tokens"].as_u64(),
                format!("{} → {}", said["before"]["tokens"], said["after"]["tokens"]),
            ),
            "repairs" => strings().for_each(|kind| {
                let repairs = said["repairs"].as_array().unwrap();
                want(repairs.iter().any(|repair| repair["kind"] == kind), format!("no repair {kind}: {repairs:?}"));
            }),
            "skipped" => strings().for_each(|rung| {
                let entries = said["rungs"].as_array().unwrap();
                let skipped =
                    entries.iter().any(|entry| entry["rung"] == rung && entry["ran"] == false && entry["reason"] != "");
                want(skipped, format!("{rung} was not skipped: {entries:?}"));
            }),
            "speakers" => {
                let transcript = said["transcript"].as_str().unwrap();
                let told: Vec<&str> = palimpsest::page::transcript::speakers(transcript).collect();
                want(json!(told) == *wanted, format!("{told:?} in {transcript}"));
            }
            "noImages" => want(!text.contains("base64"), "there is a picture".into()),
            "maxImages" => want(said["after"]["images"].as_u64() <= wanted.as_u64(), said["after"].to_string()),
            "firstRole" => want(messages[0]["role"] == *wanted, messages[0]["role"].to_string()),
            "parts" => {
                for (part, range) in wanted.as_object().unwrap() {
                    let tokens = said["parts"][part].as_u64();
                    want(
                        tokens >= range["min"].as_u64() && tokens <= range["max"].as_u64(),
                        format!("{part}: {tokens:?}"),
                    );
                }
            }
            "note" => {}
            "error" | "mentions" => want(false, "it was not refused".into()),
            other => want(false, format!("the key `{other}` is not understood")),
        }
    }
    faults
}

/// In what the overflow that was told is not the one expected.
fn untold(case: &Value) -> Vec<String> {
    let told = json!(palimpsest::overflow(&case["input"]));
    match &case["expect"]["overflow"] {
        Value::Object(fields) => {
            let wrong = fields.iter().filter(|(key, wanted)| told[key] != **wanted);
            wrong.map(|(key, wanted)| format!("{key} is not {wanted}: {told}")).collect()
        }
        _ if told.is_null() => Vec::new(),
        _ => vec![format!("it is no overflow: {told}")],
    }
}

fn refused(error: &palimpsest::Error, expect: &serde_json::Map<String, Value>) -> Vec<String> {
    let class = match error.code() {
        "cannot-fit" => "CannotFitError",
        "invalid-history" => "InvalidHistoryError",
        "unknown-model" => "UnknownModelError",
        "unsupported-format" => "UnsupportedFormatError",
        _ => "OptionError",
    };
    let words = expect.get("mentions").and_then(Value::as_array).into_iter().flatten();
    let mut faults: Vec<String> = words
        .filter(|word| !error.to_string().contains(word.as_str().unwrap()))
        .map(|word| format!("the message does not mention {word}: {error}"))
        .collect();
    if expect.get("error").and_then(Value::as_str) != Some(class) {
        faults.push(format!("refused with {class}: {error}"));
    }
    faults
}
