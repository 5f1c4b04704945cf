//! What becomes of the system's words where the history may not hold them as they came: word for word, in their place or order.
#![cfg(feature = "std")]

use palimpsest::format::SYSTEM_SAYS;
use serde_json::{Value, json};

/// What the system says in the middle, with a marker of the cache and a field nobody knows.
fn told(role: &str) -> Value {
    json!({ "role": role, "kept": [1, null], "content": [
        { "type": "text", "text": "the house is on fire", "cache_control": { "type": "ephemeral" } }] })
}

fn anthropic(model: &str) -> Value {
    json!({ "model": model, "messages": [
        { "role": "user", "content": "hello" }, told("system"), { "role": "assistant", "content": "hi" },
        { "role": "system", "content": "be brief" }, { "role": "user", "content": "go on" }] })
}

fn mended(request: &Value, model: Value) -> (Value, Value) {
    let options =
        json!({ "format": if request["model"] == "gpt-4o" { "openai-chat" } else { "anthropic" }, "model": model });
    let (body, repairs) = palimpsest::repair(request, &options).unwrap();
    assert_eq!(palimpsest::check(&body, &options).unwrap(), Vec::<Value>::new());
    (body, repairs)
}

#[test]
fn an_older_model_of_anthropic_hears_it_from_a_user_whose_message_says_so() {
    let (body, repairs) = mended(&anthropic("claude-haiku-4-5"), json!("claude-haiku-4-5"));
    let lead = json!({ "type": "text", "text": SYSTEM_SAYS });
    let mut first = told("user");
    first["content"].as_array_mut().unwrap().insert(0, lead.clone());
    let second = json!({ "role": "user", "content": [lead, { "type": "text", "text": "be brief" }] });
    assert_eq!(body["messages"][1], first);
    assert_eq!(body["messages"][3], second);
    let kinds: Vec<_> = repairs.as_array().unwrap().iter().map(|repair| (&repair["kind"], &repair["index"])).collect();
    assert_eq!(kinds, [(&json!("system-role"), &json!(1)), (&json!("system-role"), &json!(3))]);

    // Whoever reads it next, it is the system's and may stand there.
    for model in ["claude-haiku-4-5", "claude-opus-4-8"] {
        assert_eq!(mended(&body, json!(model)), (body.clone(), json!([])), "{model}");
        let system = palimpsest::measure(&body, &json!({ "format": "anthropic", "model": model })).unwrap();
        assert!(system["parts"]["system"].as_u64() > Some(20), "{system}");
    }
}

#[test]
fn a_newer_one_hears_it_from_the_system() {
    let request = anthropic("claude-opus-4-8");
    let (body, repairs) = mended(&request, json!("claude-opus-4-8"));
    // Only the second stood where none may: it waits for the end of the user's turn.
    let order = [0, 1, 2, 4, 3].map(|index| request["messages"][index].clone());
    assert_eq!(body["messages"], json!(order));
    assert_eq!(repairs.as_array().unwrap().len(), 1);
    assert_eq!(repairs[0]["kind"], "system-position");
}

#[test]
fn whoever_does_not_say_which_model_reads_is_on_the_safe_side() {
    let request = json!({ "messages": anthropic("")["messages"] });
    let found = palimpsest::check(&request, &json!({ "format": "anthropic" })).unwrap();
    let rules: Vec<&Value> = found.iter().map(|violation| &violation["rule"]).collect();
    assert_eq!(rules, ["system-role", "system-role"]);
    assert!(found[0]["providerMessage"].as_str().unwrap().contains("Unexpected role"));
}

#[test]
fn a_host_that_takes_one_message_hears_all_in_the_first() {
    let request = json!({ "model": "gpt-4o", "messages": [
        { "role": "system", "name": "house", "content": "be brief" }, told("developer"), { "role": "user", "content": "hello" },
        { "role": "system", "content": "be quick" }, { "role": "user", "content": "are you there" }] });
    let (body, repairs) = mended(&request, json!({ "id": "gpt-4o", "strict": true }));
    let text = |words: &str| json!({ "type": "text", "text": words });
    assert_eq!(
        body["messages"],
        json!([
            { "role": "system", "name": "house", "content": [text("be brief"), told("")["content"][0], text("be quick")] },
            { "role": "user", "content": [text("hello"), text("are you there")] }
        ])
    );
    assert_eq!(repairs.as_array().unwrap().len(), 3);
    assert_eq!(mended(&body, json!({ "id": "gpt-4o", "strict": true })), (body.clone(), json!([])));
}

/// The window drops what is old, and never what the system said.
#[test]
fn it_outlives_every_rung() {
    let mut request = anthropic("claude-haiku-4-5");
    let messages = request["messages"].as_array_mut().unwrap();
    for at in 0..40 {
        messages.push(json!({ "role": "assistant", "content": "word ".repeat(200) }));
        messages.push(json!({ "role": "user", "content": format!("question {at}") }));
    }
    let options = json!({ "format": "anthropic", "model": { "id": "claude-haiku-4-5", "window": 4000, "maxOutput": 400 }, "rungs": ["window"] });
    let done = palimpsest::compact(&request, &options).unwrap();
    let (mended, _) = mended(&request, json!("claude-haiku-4-5"));
    let left = done.body["messages"].as_array().unwrap();
    assert!(left.len() < 30, "{}", left.len());
    for index in [1, 3] {
        assert!(left.contains(&mended["messages"][index]), "{index}");
    }
    assert_eq!(palimpsest::compact(&done.body, &options).unwrap().body, done.body);
}
