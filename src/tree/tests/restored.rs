//! Rows and heads that are broken, and two writers.

use super::*;

fn restore(rows: Vec<Row>, head: Head) -> Restored {
    Tree::restore(rows, head, Origin::Store)
}
fn tip(id: &str) -> Head {
    Head { tip: Some(id.to_owned()), ..Head::default() }
}

#[test]
fn what_hangs_on_nothing_follows_the_row_before_it() {
    let rows = vec![
        row("a", None, person("hello")),
        row("b", Some("a"), says("hi")),
        row("d", Some("never written"), person("still there?")),
    ];
    let Restored { mut tree, faults } = restore(rows, tip("d"));
    let fault = Fault::Dangling { id: "d".to_owned(), parent: "never written".to_owned(), to: Some("b".to_owned()) };
    assert_eq!(faults, [fault]);
    assert!(faults[0].is_reattached() && faults[0].is_damage());
    assert_eq!(path(&mut tree), ["a", "b", "d"]);
    assert_eq!(tree.children(None).unwrap().len(), 1);
}

#[test]
fn circles_are_opened_at_their_first_row() {
    let rows = vec![
        row("lead", Some("x"), says("")),
        row("z", Some("y"), says("")),
        row("x", Some("z"), says("")),
        row("y", Some("x"), says("")),
        row("self", Some("self"), says("")),
    ];
    let Restored { mut tree, faults } = restore(rows, tip("lead"));
    let circle = |id: &str, to: Option<&str>| Fault::Circle { id: id.to_owned(), to: to.map(str::to_owned) };
    assert_eq!(faults, [circle("z", None), circle("self", Some("lead"))]);
    assert_eq!(path(&mut tree), ["z", "x", "lead"]);
    assert_eq!(tree.len(), 5);
}

#[test]
fn children_may_come_before_their_parents() {
    let rows = vec![row("c", Some("b"), says("")), row("b", Some("a"), says("")), row("a", None, person(""))];
    let Restored { mut tree, faults } = restore(rows, tip("c"));
    assert_eq!((path(&mut tree), faults), (vec!["a".to_owned(), "b".to_owned(), "c".to_owned()], vec![]));
}

#[test]
fn messages_that_share_an_id_all_stay() {
    let long = "é".repeat(400);
    let rows = vec![
        row("a", None, person("")),
        row("a", Some("a"), says("second")),
        row("", Some("a"), says("nameless")),
        row("a~1", Some(""), says("follows the nameless one")),
        row(&long, Some("a"), says("too long")),
        row("b", Some(&long), says("follows it")),
    ];
    let Restored { tree, faults } = restore(rows, tip("b"));
    let all: Vec<u32> = tree.numbers().collect();
    assert_eq!(ids(&tree, &all), ["a", "a~1~1", "~2", "a~1", "~4", "b"]);
    assert_eq!((tree.parent(4), tree.parent(6)), (Some("~2"), Some("~4")));
    assert_eq!(faults.len(), 3);
    assert!(faults.contains(&Fault::DuplicateId { id: "a".to_owned(), now: "a~1~1".to_owned() }));
}

#[test]
fn a_head_loses_only_what_points_nowhere() {
    let rows = vec![row("a", None, person("")), row("b", Some("a"), says("")), row("c", Some("a"), says(""))];
    let label = |label: &str, at: &str| Checkpoint { label: label.to_owned(), at: at.to_owned() };
    let head = Head {
        tip: Some("x".to_owned()),
        records: vec![
            record("good", "a", "a"),
            record("gone", "a", "x"),
            record("twice", "a", "c"),
            record("across", "b", "c"),
            record("backwards", "b", "a"),
            record("twice", "a", "b"),
        ],
        checkpoints: vec![label("one", "a"), label("lost", "x"), label("one", "b"), label("", "a")],
    };
    let Restored { tree, faults } = restore(rows, head);
    assert_eq!(tree.tip(), Some("c"), "the newest message");
    let head = tree.head();
    assert_eq!(head.records, [record("good", "a", "a"), record("backwards", "a", "b"), record("twice", "a", "b")]);
    assert_eq!(head.checkpoints, [label("one", "b")]);
    let lost = |record: &str| Fault::LostRecord { record: record.to_owned() };
    let expected = [
        Fault::MissingTip { tip: "x".to_owned() },
        lost("gone"),
        Fault::DuplicateRecord { record: "twice".to_owned() },
        lost("across"),
        Fault::DuplicateLabel { label: "one".to_owned() },
        Fault::LostLabel { label: "lost".to_owned(), at: "x".to_owned() },
        Fault::LostLabel { label: "".to_owned(), at: "a".to_owned() },
    ];
    assert_eq!(faults, expected);
    let error = Restored { tree, faults }.error().unwrap();
    assert_eq!(error.code(), "corrupt-store");
    assert!(error.to_string().contains("The tip `x` is not there"), "{error}");
    assert!(error.to_string().contains("And 6 more"), "{error}");
    assert!(!reopened(&Tree::new()).is_changed());
}

#[test]
fn absurd_numbers_are_cut() {
    let chain = |row_number: usize| {
        row(&row_number.to_string(), row_number.checked_sub(1).map(|n| n.to_string()).as_deref(), says(""))
    };
    let rows: Vec<Row> = (0..MOST_NODES + 5).map(chain).collect();
    let Restored { mut tree, faults } = restore(rows, tip("7"));
    assert_eq!(faults, [Fault::TooMany { of: MOST_NODES + 5 }]);
    assert_eq!((tree.len(), tree.path().len()), (MOST_NODES, 8));
    assert_eq!(tree.append(Under::Tip, new("more", says(""))).unwrap_err().code(), "option");
}

#[test]
fn both_answers_of_two_writers_live_on() {
    let mut one = Grown::default();
    one.append(person("0")).append(says("1"));
    one.tree.checkpoint("both move it").unwrap();
    one.tree.checkpoint("one moves it").unwrap();
    one.tree.record(record("taken off by one", "0", "1")).unwrap();
    one.tree.record(record("taken off by two", "0", "1")).unwrap();
    one.commit();
    let mut two = reopened(&one.tree);

    one.append(person("one asks")).append(says("one is answered"));
    one.tree.checkpoint("both move it").unwrap();
    one.tree.checkpoint("one moves it").unwrap();
    one.tree.uncompact("taken off by one").unwrap();
    one.tree.record(record("of one", "0", "0")).unwrap();
    one.commit();

    two.append(Under::Tip, new("x", person("two asks"))).unwrap();
    two.append(Under::Tip, new("2", says("by chance the same id"))).unwrap();
    two.checkpoint("both move it").unwrap();
    two.uncompact("taken off by two").unwrap();
    two.record(record("of two", "0", "0")).unwrap();
    two.begin_commit().unwrap();
    two.end_commit(false);
    let united = two.unite(one.rows(), one.tree.head(), &mut |_, _| Some("y".to_owned()));
    assert_eq!(ids(&two, &united.added), ["2", "3"]);
    assert_eq!(united.renamed, [(4, "2".to_owned())]);
    assert_eq!(united.faults, []);
    assert_eq!(path(&mut two), ["0", "1", "x", "y"], "everybody keeps their own tip");
    assert_eq!(two.siblings("x").unwrap(), (vec![3, 5], 0));
    let changes = two.begin_commit().unwrap();
    assert_eq!(ids(&two, &changes.nodes), ["x", "y"]);
    let records: Vec<&str> = changes.head.records.iter().map(|record| &*record.id).collect();
    assert_eq!(records, ["of one", "of two"]);
    let at = |label: &str| changes.head.checkpoints.iter().find(|set| set.label == label).unwrap().at.clone();
    assert_eq!((at("one moves it"), at("both move it")), ("3".to_owned(), "y".to_owned()));
}

#[test]
fn a_commit_that_arrived_unheard_is_not_repeated() {
    let mut one = Grown::default();
    one.append(person("0")).append(says("1"));
    let changes = one.tree.begin_commit().unwrap();
    let stored = (one.rows(), changes.head);
    one.tree.end_commit(false);
    one.append(person("2"));
    let united = one.tree.unite(stored.0, stored.1, &mut |mine, theirs| {
        assert_eq!(mine, theirs);
        None
    });
    assert_eq!(united, United::default());
    assert_eq!(one.commit().nodes, [3]);
}

#[test]
fn a_record_that_another_lays_again_comes_back() {
    let mut one = Grown::default();
    one.append(person("0")).append(says("1"));
    one.tree.record(record("r", "0", "1")).unwrap();
    one.commit();
    one.tree.uncompact("r").unwrap();
    one.commit();
    let mut two = reopened(&one.tree);
    two.record(record("r", "0", "1")).unwrap();
    one.tree.unite(rows(&two), two.head(), &mut |_, _| None);
    assert_eq!(one.tree.head().records, [record("r", "0", "1")]);
}

#[test]
fn what_both_wrote_under_one_id_is_one_message() {
    let mut one = Grown::default();
    let mut two = Grown::default();
    one.append(person("0")).append(calls(&["a"])).append(result("a"));
    two.append(person("0")).append(calls(&["a"])).append(result("a")).append(says("3"));
    one.commit();
    let united = two.tree.unite(one.rows(), one.tree.head(), &mut |_, _| None);
    assert_eq!(united, United::default());
    two.branch("1");
    assert_eq!(two.tree.open_calls().len(), 1);
    assert_eq!(two.branch("3").commit().nodes, [4]);
}

#[test]
fn a_part_takes_in_only_what_follows_it() {
    let mut one = Grown::default();
    one.append(person("0")).append(says("1")).append(person("2")).append(says("3")).branch("0").append(says("4"));
    one.branch("3");
    one.tree.checkpoint("late").unwrap();
    one.branch("1");
    one.tree.checkpoint("early").unwrap();
    one.tree.record(record("early", "0", "1")).unwrap();
    one.tree.record(record("late", "2", "3")).unwrap();
    one.branch("3").commit();
    let kept = vec![row("2", Some("1"), person("2")), row("3", Some("2"), says("3"))];
    let Restored { tree: mut two, faults } = Tree::restore(kept, one.tree.head(), Origin::Part(&|id| id < "2"));
    assert_eq!(faults.len(), 1);
    assert!(two.is_part());
    assert_eq!((path(&mut two), two.parent(2)), (vec!["2".to_owned(), "3".to_owned()], Some("1")));
    assert_eq!(two.branch(Some("0")).unwrap_err().code(), "unknown-node");
    assert_eq!(two.head().checkpoints.len(), 2, "what was not loaded is written back");

    one.append(person("5")).append(says("6")).edit("2", person("7")).commit();
    let united = two.unite(one.rows(), one.tree.head(), &mut |_, _| None);
    assert_eq!(ids(&two, &united.added), ["5", "6", "7"]);
    assert_eq!((two.siblings("2").unwrap().0.len(), united.faults), (2, vec![]));
    let head = two.head();
    assert_eq!((head.records.len(), head.checkpoints.len()), (2, 2));
}
