//! Where a pass acts and stops, and what it leaves standing.

use crate::ladder::Policy;
use crate::message::json::doc;
use crate::message::{Reading, WrongOption};
use crate::model::{ModelFacts, PartialFacts, complete};
use alloc::vec::Vec;
use alloc::{format, vec};
use serde_json::{Value, json};

fn facts(window: u32, max_output: u32) -> ModelFacts {
    let partial = PartialFacts { window: Some(window), max_output: Some(max_output), ..PartialFacts::default() };
    complete(partial).unwrap()
}

fn policy(options: &Value, window: u32, max_output: u32, own: Option<u32>) -> Result<Policy, WrongOption> {
    let doc = doc(options, None).unwrap();
    Policy::read(Reading(Some(doc.root())), &facts(window, max_output), own)
}

#[test]
fn it_acts_at_the_threshold_or_where_the_reserve_begins() {
    let figures = |options: Value, max_output, own| {
        let policy = policy(&options, 100_000, max_output, own).unwrap();
        (policy.reserve, policy.act, policy.stop)
    };
    assert_eq!(figures(json!({}), 8_000, None), (8_000, 80_000, 50_000));
    // The model's own limit is capped at a quarter of the window, the request's and the caller's are not.
    assert_eq!(figures(json!({}), 64_000, None), (25_000, 75_000, 46_875));
    assert_eq!(figures(json!({}), 64_000, Some(60_000)), (60_000, 40_000, 25_000));
    assert_eq!(figures(json!({ "reserveOutput": 0 }), 64_000, Some(60_000)), (0, 80_000, 50_000));
    assert_eq!(figures(json!({ "threshold": 0.4 }), 8_000, None), (8_000, 40_000, 25_000));
    assert_eq!(figures(json!({ "limits": { "tokens": 10_000 } }), 8_000, None), (8_000, 10_000, 6_250));
    // The provider reported twice what was estimated: it acts at half the estimate.
    assert_eq!(figures(json!({ "calibration": { "factor": 2 } }), 8_000, None), (8_000, 40_000, 25_000));
    // In steps of a sixteenth: what was decided before seldom changes with a new report.
    for factor in [0.95, 0.97, 1.0] {
        assert_eq!(figures(json!({ "calibration": { "factor": factor } }), 8_000, None).1, 80_000);
    }
    // What was learnt of another model, or stored by a later version, is not for this one.
    for other in [json!({ "factor": 2, "model": "gpt-4o" }), json!({ "factor": 2, "version": 2 })] {
        assert_eq!(figures(json!({ "calibration": other }), 8_000, None).1, 80_000);
    }
}

#[test]
fn tokens_are_told_as_they_will_be_charged() {
    let policy = policy(&json!({ "calibration": { "factor": 1.02 } }), 100_000, 8_000, None).unwrap();
    assert_eq!((policy.calibrated(0), policy.calibrated(1_000), policy.calibrated(200_000)), (0, 1_020, 204_001));
    for told in [0, 1, 999, 1_000, 123_456_789] {
        let most = policy.estimate(told);
        assert!(policy.calibrated(most) <= told && policy.calibrated(most + 2) > told, "{told}: {most}");
    }
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let wrong = [
        json!({ "threshold": 0 }),
        json!({ "threshold": 1.1 }),
        json!({ "threshold": "high" }),
        json!({ "target": 0.8 }),
        json!({ "target": 0.5, "threshold": 0.5 }),
        json!({ "reserveOutput": 100_000 }),
        json!({ "reserveOutput": -1 }),
        json!({ "keepExchanges": 0 }),
        json!({ "keepExchanges": 1.5 }),
        json!({ "rungs": ["elide", "burn"] }),
        json!({ "rungs": "elide" }),
        json!({ "strategy": "recall" }),
        json!({ "onUnfit": "shrug" }),
        json!({ "elide": { "exclude": [1] } }),
        json!({ "elide": 5 }),
        json!({ "force": "yes" }),
        json!({ "limits": { "tokens": 0 } }),
        json!({ "calibration": { "factor": 0 } }),
    ];
    for options in wrong {
        let refused = policy(&options, 100_000, 8_000, None).err();
        // It names the option, and what it must be or what to do.
        assert!(refused.is_some_and(|wrong| wrong.0.len() > 20 && wrong.0.ends_with('.')), "{options}");
    }
}

/// A chat of `exchanges` exchanges, each of a question and a long answer.
fn chat(exchanges: usize) -> Value {
    let mut messages = vec![json!({ "role": "system", "content": "You help." })];
    for number in 0..exchanges {
        messages.push(json!({ "role": "user", "content": format!("question {number}") }));
        messages.push(json!({ "role": "assistant", "content": format!("answer {number} ").repeat(60) }));
    }
    messages.push(json!({ "role": "user", "content": "the last question" }));
    json!({ "model": "gpt-4o", "messages": messages })
}

/// The task, then `steps` reads of files whose results are long.
fn agent(steps: usize) -> Value {
    let mut messages = vec![json!({ "role": "user", "content": "the task" })];
    for number in 0..steps {
        let call = json!({ "id": format!("c{number}"), "type": "function",
            "function": { "name": "read", "arguments": format!("{{\"file\":{}}}", number % 7) } });
        messages.push(json!({ "role": "assistant", "content": null, "tool_calls": [call] }));
        let words = format!("line {number} of the file ").repeat(40);
        messages.push(json!({ "role": "tool", "tool_call_id": format!("c{number}"), "content": words }));
    }
    json!({ "model": "gpt-4o", "messages": messages })
}

fn compacted(request: &Value, window: u32, more: Value) -> (Vec<Value>, Value) {
    let mut options = json!({ "model": { "id": "reader", "window": window, "maxOutput": window / 10 } });
    options.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let done = crate::compact(request, &options).unwrap();
    (done.body["messages"].as_array().unwrap().clone(), done.report)
}

#[test]
fn a_chat_keeps_the_task_and_the_newest_exchanges() {
    let request = chat(40);
    let (messages, report) = compacted(&request, 4_000, json!({}));
    let inputs = request["messages"].as_array().unwrap();
    assert_eq!(messages[..2], inputs[..2]);
    assert_eq!(messages.last(), inputs.last());
    let notice = messages[2]["content"].as_str().unwrap();
    assert!(notice.starts_with("[palimpsest: ") && notice.contains("earlier messages were left out"), "{notice}");
    // Nothing is lost count of: what is left and what the notice speaks of are all there was.
    let noticed: usize = notice["[palimpsest: ".len()..].split(' ').next().unwrap().parse().unwrap();
    assert_eq!(messages.len() - 1 + noticed, inputs.len());
    assert_eq!(report["records"][0]["rung"], "window");
    assert_eq!(report["records"][0]["from"], 2);
}

#[test]
fn each_pass_of_a_long_chat_keeps_the_newest_exchanges() {
    for exchanges in [30, 60, 90, 120, 150] {
        let (messages, report) = compacted(&chat(exchanges), 4_000, json!({ "rungs": ["window"] }));
        let after = report["after"]["tokens"].as_u64().unwrap();
        // The tail of a pass takes up to half of where it stops, and all that came since stands beside it.
        let exchanges = messages.iter().filter(|message| message["role"] == "user").count();
        assert!(exchanges >= 5, "{exchanges} exchanges of {after} tokens are left");
    }
}

#[test]
fn the_largest_of_what_came_again_goes_first() {
    let (messages, report) = compacted(&agent(12), 2_600, json!({ "rungs": ["elide"] }));
    let elided: Vec<usize> =
        (0..12).filter(|n| messages[2 + 2 * n]["content"].as_str().unwrap().starts_with("[palimpsest: ")).collect();
    // Files 0 to 4 were read again later; the five newest results are not touched.
    assert!(!elided.is_empty() && elided.iter().all(|&n| n < 7), "{elided:?}");
    assert!(elided.contains(&0), "{elided:?}");
    assert_eq!(report["records"][0]["items"].as_array().unwrap().len(), elided.len());
    let line = messages[2]["content"].as_str().unwrap();
    assert!(line.contains("read") && line.contains("tokens") && line.contains("reference"), "{line}");
}

#[test]
fn excluded_small_and_failed_results_stay() {
    let (untouched, report) = compacted(
        &agent(12),
        2_600,
        json!({ "rungs": ["elide"], "elide": { "exclude": ["read"] }, "onUnfit": "return" }),
    );
    assert_eq!(untouched, *agent(12)["messages"].as_array().unwrap());
    assert_eq!(report["rungs"][0]["code"], "nothing-to-do");
    let (untouched, _) = compacted(
        &agent(12),
        2_600,
        json!({ "rungs": ["elide"], "elide": { "minTokens": 5_000 }, "onUnfit": "return" }),
    );
    assert_eq!(untouched, *agent(12)["messages"].as_array().unwrap());
}

#[test]
fn one_long_exchange_gives_up_its_oldest_units() {
    let request = agent(80);
    let (messages, _) = compacted(&request, 4_000, json!({ "rungs": ["window"] }));
    let inputs = request["messages"].as_array().unwrap();
    assert_eq!(messages[0], inputs[0]);
    assert_eq!(messages[messages.len() - 2..], inputs[inputs.len() - 2..]);
    assert!(messages[1]["content"].as_str().unwrap().starts_with("[palimpsest: "));
}

#[test]
fn accept_changes_nothing_and_says_that_it_does_not_fit() {
    let (messages, report) = compacted(&chat(40), 4_000, json!({ "strategy": "accept", "onUnfit": "return" }));
    assert_eq!(messages, *chat(40)["messages"].as_array().unwrap());
    assert_eq!(report["fits"], false);
}

#[test]
fn force_acts_below_the_threshold() {
    let (messages, report) = compacted(&chat(40), 100_000, json!({ "force": true }));
    assert!(messages.len() < 82);
    let (before, after) = (report["before"]["tokens"].as_f64().unwrap(), report["after"]["tokens"].as_f64().unwrap());
    assert!(after <= before * 0.625, "{before} → {after}");
}

/// Two pictures that somebody just sent stand; later they are old, and go, though no more were added since.
#[test]
fn what_could_not_go_while_it_was_new_goes_later() {
    let picture = json!({ "type": "image_url", "image_url": { "url": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAEAAAAAwCAIAAAAuKetIAAAAAElFTkSuQmCC" } });
    let mut messages = vec![
        json!({ "role": "user", "content": "Compare what I send." }),
        json!({ "role": "assistant", "content": "Send them." }),
        json!({ "role": "user", "content": [picture, picture] }),
    ];
    for turn in ["They differ.", "In what?", "In their size.", "And now?"] {
        let role = if messages.len() % 2 == 0 { "user" } else { "assistant" };
        messages.push(json!({ "role": role, "content": turn }));
    }
    let model = json!({ "id": "reader", "window": 100_000, "vision": true });
    let options = json!({ "model": model, "rungs": ["window"], "keepExchanges": 1, "limits": { "images": 1 }, "onUnfit": "return" });
    let fits = |end: usize| {
        let done = crate::compact(&json!({ "messages": messages[..end] }), &options).unwrap();
        (done.report["fits"].as_bool(), done.report["after"]["images"].as_u64())
    };
    assert_eq!(fits(3), (Some(false), Some(2)));
    assert_eq!(fits(messages.len()), (Some(true), Some(0)));
}
