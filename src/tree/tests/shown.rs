//! Timeline, outline, previews.

use super::*;

#[test]
fn markers_stand_where_their_ranges_begin() {
    let mut grown = Grown::default();
    grown.append(person("0")).append(says("1")).append(brief(Role::System, "2")).append(says("3")).append(person("4"));
    grown.tree.record(record("whole", "1", "3")).unwrap();
    grown.tree.record(Record { whole: false, ..record("single", "0", "3") }).unwrap();
    let message = |node: u32, in_context: bool| Entry::Message { node, in_context };
    let marker = |record: &str| Entry::Compaction { record: record.to_owned() };
    let expected = [
        marker("single"),
        message(1, true),
        marker("whole"),
        message(2, false),
        message(3, true),
        message(4, false),
        message(5, true),
    ];
    assert_eq!(grown.tree.timeline(), expected);
}

#[test]
fn the_outline_folds_what_does_not_branch() {
    let mut grown = Grown::default();
    let words = |node: &Node| {
        preview(match node.id() {
            "0" => "Fix the\n failing test",
            "7" => "a plan",
            "8" => "the first way",
            "9" => "done",
            "10" => "another way",
            "11" => "better",
            "12" => "Something else",
            _ => "",
        })
    };
    assert_eq!(grown.tree.outline_text(&words), "  no messages yet\n");
    grown.append(person("Fix the\n failing test"));
    grown.tree.checkpoint("start").unwrap();
    (0..6).for_each(|_| {
        grown.append(says("step"));
    });
    grown.append(says("a plan")).append(person("the first way")).append(says("done")).branch("7");
    grown.append(person("another way")).append(says("better"));
    let text = "\
* user: Fix the failing test [start]
* … 6 messages
* assistant: a plan (2 branches)
    └ user: the first way
      assistant: done
* user: another way
* assistant: better ← tip
";
    assert_eq!(grown.tree.outline_text(&words), text);
    grown.edit("0", person("Something else"));
    let text = grown.tree.outline_text(&words);
    assert!(
        text.starts_with("* 2 beginnings\n    └ user: Fix the failing test [start]\n      … 6 messages\n"),
        "{text}"
    );
    assert!(text.ends_with("\n* user: Something else ← tip\n"), "{text}");
}

#[test]
fn a_comb_of_branches_does_not_wander_off_the_page() {
    let mut grown = Grown::default();
    for step in 0..100 {
        grown.append(says("tooth")).append(says("on"));
        grown.branch(&(2 * step).to_string()).append(says("other"));
        // Alternately on the main line and off it.
        grown.branch(&(3 * step + 1).to_string());
        grown.made = 3 * step + 3;
    }
    grown.tree.branch(None).unwrap();
    let text = grown.tree.outline_text(&|_| "tooth".to_owned());
    let widest = text.lines().map(str::len).max();
    assert!(widest < Some(80), "{text}");
}

#[test]
fn a_brief_tells_who_speaks_and_what_is_called() {
    use crate::message::{Store, json::doc};
    use serde_json::json;
    let told = |format: &str, message: serde_json::Value| {
        let doc = doc(&message, None).unwrap();
        let message = crate::format::by_name(format).unwrap().read(doc.root(), 0).unwrap();
        let mut store = Store::new();
        store.add_input(doc.into_tape());
        (Brief::of(&message, &store), preview_of(&message, &store))
    };
    let block = json!({ "type": "tool_use", "id": "a", "name": "run", "input": {} });
    let asked = told("anthropic", json!({ "role": "assistant", "content": [block] }));
    let call = Call { id: "a".to_owned(), name: "run".to_owned() };
    assert_eq!(asked, (Brief { calls: vec![call.clone()], ..says("") }, "calls run".to_owned()));
    let function = json!({ "id": "a", "type": "function", "function": { "name": "run", "arguments": "{}" } });
    let asked = told("openai-chat", json!({ "role": "assistant", "content": null, "tool_calls": [function] }));
    assert_eq!(asked, (Brief { calls: vec![call], ..says("") }, "calls run".to_owned()));

    let block = json!({ "type": "tool_result", "tool_use_id": "a", "content": "it\nran" });
    let answer = told("anthropic", json!({ "role": "user", "content": [block] }));
    let results = vec!["a".to_owned()];
    assert_eq!(answer, (Brief { results: results.clone(), person: false, ..person("") }, "it ran".to_owned()));
    let words = json!([block, { "type": "text", "text": "go on" }]);
    let answer = told("anthropic", json!({ "role": "user", "content": words }));
    assert_eq!(answer, (Brief { results: results.clone(), ..person("") }, "go on".to_owned()));
    let answer = told("openai-chat", json!({ "role": "tool", "tool_call_id": "a", "content": "it ran" }));
    assert_eq!(answer, (Brief { results, ..brief(Role::Tool, "") }, "it ran".to_owned()));
    let picture = json!([{ "type": "image_url", "image_url": { "url": "data:image/png;base64,AAAA" } }]);
    assert_eq!(
        told("openai-chat", json!({ "role": "user", "content": picture })),
        (person(""), "[picture]".to_owned())
    );
}

#[test]
fn previews_are_one_line_of_eighty_letters() {
    assert_eq!(preview("  one\r\n\ttwo\u{0}three  "), "one two three");
    assert_eq!(preview("a\u{202e}b"), "a b");
    assert_eq!(preview(&"ä".repeat(80)), "ä".repeat(80));
    assert_eq!(preview(&"ä".repeat(81)), "ä".repeat(79) + "…");
    assert_eq!(preview(&format!("{} b", "a".repeat(79))), "a".repeat(79) + "…");
    assert_eq!(preview(""), "");
    assert_eq!(preview(&preview(&"word ".repeat(40))), preview(&"word ".repeat(40)));
}
