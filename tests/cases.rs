//! Small inputs with the right answer, each after a fault that users of some other project met. `tests/cases/README.md` explains the keys.
#![cfg(feature = "std")]

#[path = "support/case.rs"]
mod case;

use serde_json::Value;
use std::fs;

#[test]
fn every_case_holds() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases");
    let mut ran = 0;
    for entry in fs::read_dir(folder).expect("tests/cases is there") {
        let path = entry.expect("a readable folder").path();
        if path.extension().is_none_or(|kind| kind != "json") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let case: Value = serde_json::from_str(&text).unwrap();
        // Steps on a conversation of the package: `tests/js/conversation/cases.test.ts`.
        if case["op"] == "tree" {
            continue;
        }
        let faults = case::faults(&case);
        assert!(faults.is_empty(), "{}: {faults:#?}", case["id"]);
        assert!(case::ALL.contains(&text.as_str()), "{} is missing in the list of support/case.rs", case["id"]);
        ran += 1;
    }
    assert_eq!(ran, case::ALL.len());
}
