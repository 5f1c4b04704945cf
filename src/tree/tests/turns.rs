//! Open calls, unfinished turns, commits that hold back, and what is sent again.

use super::*;

fn open(tree: &mut Tree) -> Vec<(String, u32, bool)> {
    tree.open_calls().into_iter().map(|call| (call.id.to_string(), call.node, call.past)).collect()
}

#[test]
fn a_result_answers_the_newest_turn_first() {
    let mut grown = Grown::default();
    grown.append(person("go")).append(calls(&["a", "b"])).append(person("meanwhile")).append(calls(&["a"]));
    let all = [("a".to_owned(), 2, false), ("b".to_owned(), 2, false), ("a".to_owned(), 4, false)];
    assert_eq!(open(&mut grown.tree), all);
    grown.append(result("a"));
    assert_eq!(open(&mut grown.tree), all[..2]);
    grown.append(result("a")).append(result("nothing")).append(result("a"));
    assert_eq!(open(&mut grown.tree), all[1..2]);
    grown.branch("3");
    assert_eq!(open(&mut grown.tree), all);
    grown.append(result(""));
    assert_eq!(open(&mut grown.tree), all[..2], "without an id it answers the first of the newest turn");
}

#[test]
fn calls_without_ids_are_told_by_their_tool() {
    let mut grown = Grown::default();
    grown.append(person("go")).append(calls(&["", ""])).append(result(""));
    assert_eq!(grown.tree.begin_commit().unwrap_err(), TreeError::OpenTurn(vec!["run".to_owned()]));
    grown.append(result(""));
    assert_eq!(grown.commit().nodes.len(), 4);
}

#[test]
fn a_message_that_holds_calls_and_results_answers_itself() {
    let mut grown = Grown::default();
    grown.append(person("go")).append(Brief { results: vec!["a".to_owned()], ..calls(&["a", "b"]) });
    assert_eq!(open(&mut grown.tree), [("b".to_owned(), 2, false)]);
}

#[test]
fn an_unfinished_turn_on_another_branch_is_held_back() {
    let mut grown = Grown::default();
    grown.append(person("go")).append(says("plan")).append(calls(&["a"]));
    grown.tree.checkpoint("torn").unwrap();
    grown.tree.record(record("r", "1", "2")).unwrap();
    grown.branch("1").append(person("another way"));
    let changes = grown.commit();
    assert_eq!(changes.nodes, [1, 2, 4]);
    assert_eq!((changes.head.checkpoints, changes.head.records), (vec![], vec![]));
    assert!(grown.tree.is_changed(), "what was held back waits");
    grown.branch("2").append(result("a"));
    let changes = grown.commit();
    assert_eq!(changes.nodes, [3, 5]);
    assert_eq!((changes.head.checkpoints.len(), changes.head.records.len()), (1, 1));
    assert!(!grown.tree.is_changed());
    assert!(grown.commit().nodes.is_empty());
}

#[test]
fn a_commit_that_fails_leaves_everything_for_the_next() {
    let mut grown = Grown::default();
    grown.append(person("go"));
    grown.tree.begin_commit().unwrap();
    assert_eq!(grown.tree.begin_commit().unwrap_err().code(), "option");
    grown.append(says("while it is written"));
    grown.tree.end_commit(false);
    assert_eq!(grown.commit().nodes, [1, 2]);
    grown.append(person("one")).tree.begin_commit().unwrap();
    grown.append(says("while it is written"));
    grown.tree.end_commit(true);
    assert!(grown.tree.is_changed());
    assert_eq!(grown.commit().nodes, [4]);
}

#[test]
fn a_branch_into_a_committed_turn_cannot_be_committed_before_it_is_whole() {
    let mut grown = Grown::default();
    grown.append(person("go")).append(calls(&["a"])).append(result("a")).append(says("done"));
    grown.commit();
    grown.branch("1");
    assert_eq!(grown.tree.begin_commit().unwrap_err().code(), "open-turn");
    let mut again = reopened(&grown.tree);
    assert_eq!(again.begin_commit().unwrap_err().code(), "open-turn");
    assert_eq!(grown.tree.take_back(), TakenBack::default());
    assert_eq!(path(&mut grown.tree), ["0"]);
    assert_eq!(grown.tree.len(), 4, "what is committed stays");
}

#[test]
fn an_unfinished_turn_goes_with_what_stands_on_it() {
    let mut grown = Grown::default();
    grown.append(person("0")).append(calls(&["a", "b"])).append(result("a"));
    grown.tree.checkpoint("torn").unwrap();
    grown.tree.record(record("r", "0", "2")).unwrap();
    let back = grown.tree.take_back();
    assert_eq!(back.ids, ["2", "1"]);
    assert_eq!((back.labels, back.records), (vec!["torn".to_owned()], vec!["r".to_owned()]));
    assert_eq!(path(&mut grown.tree), ["0"]);
    assert!(grown.tree.children(Some("0")).unwrap().is_empty());
    assert_eq!(grown.tree.rewind("torn").unwrap_err().code(), "unknown-checkpoint");
    assert_eq!(grown.commit().nodes, [1]);
    grown.append(says("again"));
    assert_eq!(grown.tree.take_back(), TakenBack::default());
    assert_eq!(path(&mut grown.tree), ["0", "3"]);
}

#[test]
fn what_a_whole_turn_on_another_branch_follows_is_not_taken_back() {
    let mut grown = Grown::default();
    grown.append(person("0")).append(calls(&["a"])).append(result("a")).branch("1").append(person("stop"));
    let back = grown.tree.take_back();
    assert_eq!(back.ids, ["3"]);
    assert_eq!(path(&mut grown.tree), ["0"]);
    assert_eq!(grown.commit().nodes, [1, 2, 3]);
}

#[test]
fn retry_tells_what_failed_from_what_was_answered_and_from_nothing() {
    let mut grown = Grown::default();
    assert_eq!((grown.tree.turn(), grown.tree.retry()), (Turn::Empty, Retry::NothingLoaded));
    grown.append(brief(Role::System, "be kind"));
    assert_eq!((grown.tree.turn(), grown.tree.retry()), (Turn::Empty, Retry::NothingToRetry));
    grown.append(person("go"));
    assert_eq!((grown.tree.turn(), grown.tree.retry()), (Turn::Waiting, Retry::Ready { at: 2, person: Some(2) }));
    grown.append(calls(&["a"])).append(result("a"));
    assert_eq!((grown.tree.turn(), grown.tree.retry()), (Turn::Waiting, Retry::Ready { at: 4, person: Some(2) }));
    grown.append(calls(&["b", "c"])).append(result("b"));
    assert_eq!((grown.tree.turn(), grown.tree.retry()), (Turn::Open, Retry::Ready { at: 4, person: Some(2) }));
    grown.append(result("c")).append(says("done"));
    assert_eq!((grown.tree.turn(), grown.tree.retry()), (Turn::Done, Retry::NothingToRetry));
    grown.commit();
    grown.branch("2");
    assert_eq!((grown.tree.turn(), grown.tree.retry()), (Turn::Open, Retry::Ready { at: 2, person: Some(2) }));
    let whole = Tree::restore(vec![], grown.tree.head(), Origin::Part(&|_| true));
    assert_eq!(whole.tree.is_part().then(|| { whole }.tree.retry()), Some(Retry::NothingToRetry));
}

/// Sessions of other tools end in the middle of turns, and go on after turns that were interrupted.
#[test]
fn what_an_import_left_open_holds_nobody_up() {
    let rows = vec![
        row("0", None, person("go")),
        row("1", Some("0"), calls(&["a"])),
        row("2", Some("1"), person("stop")),
        row("3", Some("1"), result("a")),
        row("4", Some("2"), calls(&["b"])),
    ];
    let head = Head { tip: Some("4".to_owned()), ..Head::default() };
    let mut tree = Tree::restore(rows.clone(), head.clone(), Origin::Import).tree;
    assert_eq!(open(&mut tree), [("b".to_owned(), 5, true)], "nobody spoke after it");
    assert_eq!((tree.turn(), tree.retry()), (Turn::Open, Retry::Ready { at: 3, person: Some(3) }));
    assert_eq!(tree.begin_commit().unwrap().nodes, [1, 2, 3, 4, 5]);
    tree.end_commit(true);
    assert_eq!(tree.take_back(), TakenBack::default());
    let mut tree = reopened(&tree);
    tree.append(Under::Tip, new("5", person("go on"))).unwrap();
    assert_eq!(open(&mut tree), []);
    assert_eq!(tree.begin_commit().unwrap().nodes, [6]);
    tree.end_commit(true);
    tree.branch(Some("4")).unwrap();
    tree.append(Under::Tip, new("6", result("b"))).unwrap();
    assert_eq!((tree.turn(), open(&mut tree)), (Turn::Waiting, vec![]));

    // A file that was written in the middle of a turn can be committed whole.
    let head = Head { tip: Some("1".to_owned()), ..Head::default() };
    let mut tree = Tree::restore(rows, head, Origin::Import).tree;
    assert_eq!(tree.begin_commit().unwrap().nodes.len(), 5);
}
