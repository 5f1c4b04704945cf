//! The promises, each as a property of one conversation: run natively over many, in WebAssembly over fewer.

pub use super::generate::{Damage, damage};
use super::generate::{FORMATS, Step, broken, request, steps};
use super::least::{is_systems, refused_rightly};
use palimpsest::{Compacted, Error};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A conversation of a format, and the window it meets.
pub type Given = (&'static str, Vec<Step>, u32);

/// Conversations of both formats at windows that many of them do not fit.
pub fn given() -> impl Strategy<Value = Given> {
    (prop::sample::select(&FORMATS[..]), steps(40), 700u32..6000)
}

type Holds = Result<(), TestCaseError>;

pub fn options(format: &str, window: u32) -> Value {
    // A third of Anthropic's conversations meet a model that lets the system speak inside.
    let id = if format == "anthropic" && window.is_multiple_of(3) { "claude-opus-4-8" } else { "reader" };
    let model = json!({ "id": id, "window": window, "maxOutput": window / 8, "vision": true });
    let mut options = json!({ "format": format, "model": model, "elide": { "minTokens": 20, "keepResults": 2 } });
    // Half of all conversations meet a reader of pages, small ones, since the windows are small.
    if window.is_multiple_of(2) {
        options["pages"] = json!({ "shape": { "font": "5x8", "width": 168, "height": 112 } });
    }
    options
}

/// A quarter of the hosts want roles in turns.
fn stricter(mut options: Value, window: u32) -> Value {
    options["model"]["strict"] = json!(window.is_multiple_of(4));
    options
}

/// Compacts; `None` when it cannot fit and says so.
fn compacted(request: &Value, options: &Value) -> Result<Option<Compacted>, TestCaseError> {
    match palimpsest::compact(request, options) {
        Ok(done) => Ok(Some(done)),
        Err(Error::CannotFit(_)) => Ok(None),
        Err(error) => Err(TestCaseError::fail(error.to_string())),
    }
}

fn violations(request: &Value, options: &Value) -> Vec<Value> {
    palimpsest::check(request, options).unwrap()
}

fn messages(request: &Value) -> &Vec<Value> {
    request["messages"].as_array().unwrap()
}

/// What comes out obeys every rule of its format, fits, and is no larger; the task stays word for word.
pub fn sendable_and_never_larger((format, steps, window): &Given) -> Holds {
    let request = request(format, steps);
    let options = options(format, *window);
    let Some(done) = compacted(&request, &options)? else {
        let (mended, _) = palimpsest::repair(&request, &options).unwrap();
        return refused_rightly(&mended, &options, u64::from(window - window / 8)).map_err(TestCaseError::fail);
    };
    prop_assert_eq!(violations(&done.body, &options), Vec::<Value>::new());
    prop_assert_eq!(&done.report["fits"], &json!(true));
    let (mended, _) = palimpsest::repair(&request, &options).unwrap();
    let tokens = |request: &Value| palimpsest::measure(request, &options).unwrap()["tokens"].as_u64();
    prop_assert!(tokens(&done.body) <= tokens(&mended));
    prop_assert_eq!(tokens(&done.body), done.report["after"]["tokens"].as_u64());
    let task = messages(&mended).iter().find(|message| message["role"] == "user" && !is_systems(message));
    prop_assert!(messages(&done.body).contains(task.unwrap()));
    prop_assert!(
        messages(&mended)
            .iter()
            .filter(|message| is_systems(message))
            .all(|message| messages(&done.body).contains(message))
    );
    // Each rung goes on from where the one before it stopped, and the last of them says where it ends.
    let mut left = tokens(&mended);
    for entry in done.report["rungs"].as_array().unwrap() {
        prop_assert_eq!(entry["before"].as_u64(), left, "{}", &done.report["rungs"]);
        left = entry["after"].as_u64();
    }
    prop_assert_eq!(left, done.report["after"]["tokens"].as_u64(), "{}", &done.report["rungs"]);
    Ok(())
}

/// The same call gives the same result, and compacting the result again changes nothing.
pub fn idempotent((format, steps, window): &Given) -> Holds {
    let request = request(format, steps);
    let options = options(format, *window);
    let Some(done) = compacted(&request, &options)? else { return Ok(()) };
    prop_assert_eq!(&compacted(&request, &options)?.unwrap(), &done);
    let again = compacted(&done.body, &options)?.expect("what fits once fits again");
    prop_assert_eq!(&again.body, &done.body, "{}", again.report);
    Ok(())
}

/// Nothing is lost: what was elided comes back by its reference, word for word, from the history as it was.
pub fn elided_comes_back((format, steps, window): &Given) -> Holds {
    let request = request(format, steps);
    let options = options(format, *window);
    let Some(done) = compacted(&request, &options)? else { return Ok(()) };
    let (mended, _) = palimpsest::repair(&request, &options).unwrap();
    let text = mended.to_string();
    let records = done.report["records"].as_array().unwrap();
    for reference in records.iter().flat_map(|record| record["items"].as_array().into_iter().flatten()) {
        let reference = reference.as_str().unwrap();
        let words = palimpsest::restore_elided(&request, reference).unwrap();
        let words = words.ok_or_else(|| TestCaseError::fail(format!("{reference} is not found again")))?;
        prop_assert!(words.len() > 20 && text.contains(&json!(words).to_string()), "{reference}: {words}");
        prop_assert!(done.body.to_string().contains(reference));
    }
    Ok(())
}

/// Options as callers vary them.
pub fn varied() -> impl Strategy<Value = Value> {
    let rungs = prop::sample::subsequence(vec!["elide", "images", "snapshot", "summary", "window"], 0..=5);
    let keep = (prop::option::of(0u32..6), 1u32..7, 0u32..4, 0u32..4);
    (keep, rungs, any::<[bool; 2]>(), 1u32..8, prop::option::of(0u64..4)).prop_map(
        |((head, exchanges, results, images), rungs, [force, strict], tenths, pictures)| {
            let mut options = json!({
                "keepExchanges": exchanges, "rungs": rungs, "force": force, "onUnfit": "return", "strict": strict,
                "target": f64::from(tenths) / 10.0, "elide": { "keepResults": results, "minTokens": 10 }, "images": { "keep": images },
            });
            if let Some(head) = head {
                options["keepHead"] = json!(head);
            }
            if let Some(pictures) = pictures {
                options["limits"] = json!({ "images": pictures });
            }
            options
        },
    )
}

/// Whatever the options, what comes out obeys its format, and is idempotent unless it was forced.
pub fn any_options((format, steps, window): &Given, varied: &Value) -> Holds {
    let request = request(format, steps);
    let mut options = options(format, *window);
    options.as_object_mut().unwrap().extend(varied.as_object().unwrap().clone());
    options["model"]["strict"] = options["strict"].take();
    let Some(done) = compacted(&request, &options)? else { return Ok(()) };
    prop_assert_eq!(violations(&done.body, &options), Vec::<Value>::new());
    let tokens = palimpsest::measure(&done.body, &options).unwrap()["tokens"].as_u64();
    prop_assert_eq!(tokens, done.report["after"]["tokens"].as_u64());
    options["force"] = json!(false);
    if varied["force"] == false {
        let again = compacted(&done.body, &options)?.unwrap();
        prop_assert_eq!(&again.body, &done.body, "{}", again.report);
    }
    Ok(())
}

/// The beginnings of a history after which a request would be sent.
fn sendable_beginnings<'a>(whole: &'a Value, options: &'a Value) -> impl Iterator<Item = Value> + 'a {
    let beginning = move |end: usize| {
        let mut grown = whole.clone();
        grown["messages"].as_array_mut().unwrap().truncate(end);
        let asks = messages(&grown)[end - 1]["role"] != "assistant";
        (asks && violations(&grown, options).is_empty()).then_some(grown)
    };
    (1..=messages(whole).len()).filter_map(beginning)
}

/// When history only grew and no compaction was due, the new result begins with the old one.
pub fn stable_prefix((format, steps, window): &Given) -> Holds {
    let options = options(format, *window);
    let whole = request(format, steps);
    let (whole, _) = palimpsest::repair(&whole, &options).unwrap();
    let mut before: Option<(Vec<Value>, Value)> = None;
    for grown in sendable_beginnings(&whole, &options) {
        let Some(done) = compacted(&grown, &options)? else { break };
        let (body, records) = (messages(&done.body).clone(), done.report["records"].clone());
        if let Some((old, old_records)) = before.filter(|(_, old_records)| *old_records == records) {
            prop_assert!(body.starts_with(&old), "{old_records}: {} then {}", json!(old), json!(body));
        }
        before = Some((body, records));
    }
    Ok(())
}

/// Pages stay as they were drawn when more is appended, but for the last; they are pages of the shape that was planned, and never cost as much
/// as what they stand for.
pub fn pages_stay((format, steps, window): &Given) -> Holds {
    let mut options = options(format, window & !1);
    options["rungs"] = json!(["snapshot", "window"]);
    let whole = request(format, steps);
    let (whole, _) = palimpsest::repair(&whole, &options).unwrap();
    let mut before: Option<(Value, Vec<String>)> = None;
    for grown in sendable_beginnings(&whole, &options) {
        let Some(done) = compacted(&grown, &options)? else { break };
        let records = done.report["records"].as_array().unwrap();
        let drawn: Vec<&Value> = records.iter().filter(|record| record["rung"] == "snapshot").collect();
        for record in &drawn {
            prop_assert!(record["after"].as_u64() < record["before"].as_u64(), "{record}");
            prop_assert_eq!(&record["shape"]["columns"], &json!(33));
        }
        let ([record], true) = (drawn.as_slice(), records.len() == 1) else {
            before = None;
            continue;
        };
        let shed = done.body.to_string().contains("left out");
        let pages = pages_of(&done.body);
        prop_assert!(!pages.is_empty(), "{}", done.report);
        if let Some((from, old)) = &before {
            // What was left out at the beginning leaves no page to compare.
            if *from == record["from"] && pages.len() >= old.len() && !shed {
                prop_assert_eq!(&pages[..old.len() - 1], &old[..old.len() - 1]);
            }
        }
        before = (!shed).then(|| (record["from"].clone(), pages));
    }
    Ok(())
}

fn pages_of(body: &Value) -> Vec<String> {
    let blocks = messages(body).iter().flat_map(|message| message["content"].as_array().into_iter().flatten());
    let data =
        |block: &Value| block["image_url"]["url"].as_str().or(block["source"]["data"].as_str()).map(str::to_owned);
    blocks.filter_map(data).filter(|data| palimpsest::meter::is_page_base64(data.as_bytes())).collect()
}

/// A broken history comes out mended, or is refused with the rule named; repairing twice changes nothing more.
pub fn mended((format, steps, window): &Given, damage: &[Damage]) -> Holds {
    let request = broken(request(format, steps), damage);
    let options = stricter(options(format, *window), *window);
    match palimpsest::repair(&request, &options) {
        Ok((body, repairs)) => {
            prop_assert_eq!(violations(&body, &options), Vec::<Value>::new(), "{}", repairs);
            let (again, more) = palimpsest::repair(&body, &options).unwrap();
            prop_assert_eq!(again, body);
            prop_assert_eq!(more, json!([]));
        }
        Err(Error::InvalidHistory(violations)) => {
            // Only a history in which nothing is said at all is beyond mending.
            prop_assert!(violations.iter().all(|violation| violation.rule == "no-messages"), "{violations:?}");
        }
        Err(error) => return Err(TestCaseError::fail(error.to_string())),
    }
    compacted_or_refused(&request, &options)?;
    Ok(())
}

/// What a person or the system said is never lost by a repair.
pub fn repairs_keep_words((format, steps, window): &Given, damage: &[Damage]) -> Holds {
    let request = broken(request(format, steps), damage);
    let Ok((body, _)) = palimpsest::repair(&request, &options(format, *window)) else { return Ok(()) };
    let text = body.to_string();
    for message in messages(&request).iter().filter(|message| message["role"] == "user" || message["role"] == "system")
    {
        let blocks = message["content"].as_array().cloned().unwrap_or_default();
        let mut words: Vec<&Value> =
            blocks.iter().map(|block| &block["text"]).filter(|text| text.is_string()).collect();
        words.extend(message["content"].is_string().then_some(&message["content"]));
        for words in words.into_iter().filter(|words| *words != "") {
            prop_assert!(text.contains(&words.to_string()), "{words} is gone");
        }
    }
    Ok(())
}

/// Trimming leaves the newest messages, whole and valid.
pub fn trimmed((format, steps, window): &Given, most: u32) -> Holds {
    let request = request(format, steps);
    let mut options = stricter(options(format, (*window).max(100_000)), *window);
    options["limit"] = json!({ "messages": most });
    let done = palimpsest::trim(&request, &options).unwrap();
    prop_assert_eq!(violations(&done.body, &options), Vec::<Value>::new());
    let (mended, _) = palimpsest::repair(&request, &options).unwrap();
    let newest = |request: &Value| messages(request).iter().rfind(|message| !is_systems(message)).cloned();
    prop_assert_eq!(newest(&done.body), newest(&mended));

    // By tokens it holds the limit, or says that the newest unit alone is beyond it.
    options["limit"] = json!({ "tokens": window });
    match palimpsest::trim(&request, &options) {
        Ok(done) => {
            prop_assert_eq!(violations(&done.body, &options), Vec::<Value>::new());
            let tokens = palimpsest::measure(&done.body, &options).unwrap()["tokens"].as_u64().unwrap();
            prop_assert!(tokens <= u64::from(*window), "{tokens} of {window}");
        }
        Err(error) => {
            prop_assert_eq!(error.code(), "cannot-fit");
            options["limit"] = json!({ "messages": 1 });
            let least = palimpsest::trim(&request, &options).unwrap();
            let tokens = least.report["after"]["tokens"].as_u64().unwrap();
            prop_assert!(tokens + 40 > u64::from(*window), "{tokens} would have fitted {window}");
        }
    }
    Ok(())
}

fn compacted_or_refused(request: &Value, options: &Value) -> Result<(), TestCaseError> {
    match palimpsest::compact(request, options) {
        Ok(done) => {
            prop_assert_eq!(violations(&done.body, options), Vec::<Value>::new());
            Ok(())
        }
        Err(Error::CannotFit(_) | Error::InvalidHistory(_)) => Ok(()),
        Err(error) => Err(TestCaseError::fail(error.to_string())),
    }
}
