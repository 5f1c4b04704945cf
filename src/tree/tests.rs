//! Single facts about the tree; `tests/tree.rs` compares it with a plain model over random sequences of operations.

mod long;
mod restored;
mod resumed;
mod shown;
mod turns;

use super::*;
use crate::message::Role;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

// The words are for whoever reads the test: a tree knows none.
fn brief(role: Role, _words: &str) -> Brief {
    Brief { role, person: role == Role::User, calls: vec![], results: vec![] }
}
fn calls(ids: &[&str]) -> Brief {
    let call = |id: &&str| Call { id: (*id).to_owned(), name: "run".to_owned() };
    Brief { calls: ids.iter().map(call).collect(), ..brief(Role::Assistant, "") }
}
fn result(id: &str) -> Brief {
    Brief { results: vec![id.to_owned()], ..brief(Role::Tool, "done") }
}
fn person(words: &str) -> Brief {
    brief(Role::User, words)
}
fn says(words: &str) -> Brief {
    brief(Role::Assistant, words)
}
fn new(id: &str, brief: Brief) -> New {
    New { id: id.to_owned(), at: 0, message: 0, brief }
}
fn row(id: &str, parent: Option<&str>, brief: Brief) -> Row {
    Row { parent: parent.map(str::to_owned), new: new(id, brief) }
}
fn record(id: &str, from: &str, to: &str) -> Record {
    Record { id: id.to_owned(), from: from.to_owned(), to: to.to_owned(), whole: true }
}

/// A tree under construction: messages get the ids "0", "1", … in the order they are made.
#[derive(Default)]
struct Grown {
    tree: Tree,
    made: usize,
}

impl Grown {
    fn append(&mut self, brief: Brief) -> &mut Grown {
        self.tree.append(Under::Tip, new(&self.made.to_string(), brief)).unwrap();
        self.made += 1;
        self
    }
    fn edit(&mut self, at: &str, brief: Brief) -> &mut Grown {
        self.tree.edit(at, new(&self.made.to_string(), brief)).unwrap();
        self.made += 1;
        self
    }
    fn branch(&mut self, at: &str) -> &mut Grown {
        self.tree.branch(Some(at)).unwrap();
        self
    }
    fn commit(&mut self) -> Changes {
        let changes = self.tree.begin_commit().unwrap();
        self.tree.end_commit(true);
        changes
    }
    fn rows(&self) -> Vec<Row> {
        rows(&self.tree)
    }
}

/// A tree as a store would keep all of it.
fn rows(tree: &Tree) -> Vec<Row> {
    // Nodes keep only keys of the calls they answer.
    let called = tree.numbers().flat_map(|number| tree.node(number).unwrap().called());
    let ids: alloc::collections::BTreeMap<u64, String> =
        called.map(|call| (names::key(&call.id), call.id.to_string())).collect();
    let answered = |key: &u64| ids.get(key).cloned().unwrap_or_default();
    let row = |number: u32| {
        let node = tree.node(number).unwrap();
        let brief = Brief {
            role: node.role(),
            person: node.is_person(),
            calls: node
                .called()
                .iter()
                .map(|call| Call { id: call.id.to_string(), name: call.name.to_string() })
                .collect(),
            results: node.answers().iter().map(answered).collect(),
        };
        Row {
            parent: tree.parent(number).map(str::to_owned),
            new: New { id: node.id().to_owned(), at: 0, message: node.message(), brief },
        }
    };
    tree.numbers().map(row).collect()
}
fn reopened(tree: &Tree) -> Tree {
    let restored = Tree::restore(rows(tree), tree.head(), Origin::Store);
    assert_eq!(restored.faults, []);
    restored.tree
}
fn ids(tree: &Tree, numbers: &[u32]) -> Vec<String> {
    numbers.iter().map(|&number| tree.node(number).unwrap().id().to_owned()).collect()
}
fn path(tree: &mut Tree) -> Vec<String> {
    let path = tree.path().to_vec();
    ids(tree, &path)
}
fn in_context(tree: &mut Tree) -> Vec<u32> {
    let seen = |entry: Entry| match entry {
        Entry::Message { node, in_context } => in_context.then_some(node),
        Entry::Compaction { .. } => None,
    };
    tree.timeline().into_iter().filter_map(seen).collect()
}

/// Case 40.
#[test]
fn editing_the_first_message_makes_a_second_root() {
    let mut grown = Grown::default();
    grown.append(person("first")).append(says("answer")).edit("0", person("first, better")).append(says("answer two"));
    assert_eq!(grown.tree.children(None).unwrap().len(), 2);
    assert_eq!(grown.tree.len(), 4);
    assert_eq!(path(&mut grown.tree), ["2", "3"]);
    assert_eq!(grown.tree.siblings("2").unwrap(), (vec![1, 3], 1));
}

/// Case 41.
#[test]
fn a_record_on_another_branch_hides_nothing() {
    let mut grown = Grown::default();
    grown.append(person("task")).append(says("plan")).append(person("b1")).append(says("b1 answer"));
    grown.tree.record(record("summary", "1", "3")).unwrap();
    assert_eq!(grown.tree.laid(), [""; 0], "the path does not go on beyond it");
    grown.branch("1").append(person("b2")).append(says("b2 answer"));
    assert_eq!(grown.tree.laid(), [""; 0]);
    assert_eq!(in_context(&mut grown.tree), [1, 2, 5, 6]);

    grown.branch("3").append(person("on")).append(says("and on"));
    assert_eq!(grown.tree.laid(), ["summary"]);
    assert_eq!(in_context(&mut grown.tree), [1, 7, 8]);
    grown.branch("6").append(person("a branch behind it inherits it"));
    assert_eq!(grown.tree.laid(), ["summary"]);
    grown.tree.uncompact("summary").unwrap();
    assert_eq!(in_context(&mut grown.tree).len(), 6);
    assert_eq!(grown.tree.uncompact("summary").unwrap_err().code(), "option");
}

/// Case 42.
#[test]
fn a_commit_while_a_call_is_open_writes_nothing() {
    let mut grown = Grown::default();
    grown.append(person("run")).append(calls(&["c1"]));
    let error = grown.tree.begin_commit().unwrap_err();
    assert_eq!(error, TreeError::OpenTurn(vec!["c1".to_owned()]));
    assert!(grown.tree.numbers().all(|number| !grown.tree.node(number).unwrap().is_stored()));
    grown.append(result("c1"));
    assert_eq!(grown.commit().nodes, [1, 2, 3]);
}

/// Case 43.
#[test]
fn a_label_whose_message_was_not_loaded_is_unknown() {
    let mut grown = Grown::default();
    grown.append(person("a")).append(says("b"));
    grown.tree.checkpoint("here").unwrap();
    let head = grown.commit().head;
    let Restored { mut tree, faults } = Tree::restore(vec![], head.clone(), Origin::Part(&|_| true));
    assert_eq!(faults, [Fault::NotLoaded { label: "here".to_owned(), at: "1".to_owned() }]);
    assert!(!faults[0].is_damage());
    assert!(tree.path().is_empty());
    assert_eq!(tree.tip(), Some("1"));
    tree.append(Under::Tip, new("c", person("c"))).unwrap();
    let error = tree.rewind("here").unwrap_err();
    assert_eq!(error.code(), "unknown-checkpoint");
    assert!(error.to_string().contains("was not loaded"), "{error}");
    assert!(tree.checkpoints().is_empty());
    // Nothing is lost by it: the label and the history before stay in the store.
    let changes = tree.begin_commit().unwrap();
    assert_eq!(changes.head.checkpoints, head.checkpoints);
    assert_eq!(tree.parent(changes.nodes[0]), Some("1"));
}

#[test]
fn calls_that_are_refused_change_nothing() {
    let mut grown = Grown::default();
    grown.append(person("a")).append(says("b"));
    let tree = &mut grown.tree;
    let before = (path(tree), tree.head(), tree.len());
    let unknown = TreeError::UnknownNode("x".to_owned());
    assert_eq!(tree.append(Under::Node("x"), new("n", says(""))).unwrap_err(), unknown);
    assert_eq!(tree.edit("x", new("n", says(""))).unwrap_err(), unknown);
    assert_eq!(tree.branch(Some("x")).unwrap_err(), unknown);
    assert_eq!(tree.select("x").unwrap_err(), unknown);
    assert_eq!(tree.siblings("x").unwrap_err(), unknown);
    assert_eq!(tree.update("x", 0, says("")).unwrap_err(), unknown);
    assert_eq!(tree.record(record("r", "0", "x")).unwrap_err(), unknown);
    for id in ["", "0", &"x".repeat(513)] {
        assert_eq!(tree.append(Under::Tip, new(id, says(""))).unwrap_err().code(), "option");
    }
    assert_eq!(tree.checkpoint("").unwrap_err().code(), "option");
    assert_eq!(tree.checkpoint(&"x".repeat(257)).unwrap_err().code(), "option");
    assert_eq!(tree.rewind("x").unwrap_err().code(), "unknown-checkpoint");
    assert_eq!(tree.update("0", 0, says("")).unwrap_err().code(), "option");
    assert_eq!((path(tree), tree.head(), tree.len()), before);
    assert_eq!(Tree::new().checkpoint("x").unwrap_err().code(), "option");
}

#[test]
fn a_draft_can_be_replaced_until_it_is_committed_or_followed() {
    let mut grown = Grown::default();
    grown.append(person("a")).append(says("b"));
    grown.tree.update("1", 7, calls(&["c1"])).unwrap();
    assert_eq!(grown.tree.node(2).unwrap().message(), 7);
    assert_eq!(grown.tree.turn(), Turn::Open);
    grown.tree.update("1", 8, says("b, all of it")).unwrap();
    assert_eq!(grown.tree.turn(), Turn::Done);
    let changes = grown.tree.begin_commit().unwrap();
    assert_eq!(changes.nodes, [1, 2]);
    assert_eq!(grown.tree.update("1", 9, says("")).unwrap_err().code(), "option");
    grown.tree.end_commit(false);
    grown.tree.update("1", 9, says("b")).unwrap();
    grown.commit();
    assert_eq!(grown.tree.update("1", 9, says("")).unwrap_err().code(), "option");
}

#[test]
fn select_goes_to_the_leaf_that_was_appended_last() {
    let mut grown = Grown::default();
    grown.append(person("0")).append(says("1")).branch("0").append(says("2")).branch("1").append(person("3"));
    grown.branch("0").append(says("4"));
    let mut at = |id: &str| grown.tree.select(id).map(|number| grown.tree.node(number).unwrap().id().to_owned());
    assert_eq!(at("1").unwrap(), "3");
    assert_eq!(at("2").unwrap(), "2");
    assert_eq!(at("0").unwrap(), "4");
}

#[test]
fn a_label_used_again_moves() {
    let mut grown = Grown::default();
    grown.append(person("0"));
    grown.tree.checkpoint("one").unwrap();
    grown.tree.checkpoint("two").unwrap();
    grown.append(says("1"));
    grown.tree.checkpoint("one").unwrap();
    let labels: Vec<(String, String)> =
        grown.tree.checkpoints().into_iter().map(|checkpoint| (checkpoint.label, checkpoint.at)).collect();
    assert_eq!(labels, [("two".to_owned(), "0".to_owned()), ("one".to_owned(), "1".to_owned())]);
    assert_eq!(grown.tree.rewind("two").unwrap(), 1);
    assert_eq!(reopened(&grown.tree).checkpoints(), grown.tree.checkpoints());
}

#[test]
fn a_record_between_branches_is_refused_and_one_told_backwards_lies_forwards() {
    let mut tree = Tree::new();
    for (under, id) in [(Under::Tip, "a"), (Under::Tip, "b"), (Under::Node("a"), "c")] {
        tree.append(under, new(id, says(""))).unwrap();
    }
    assert_eq!(tree.record(record("r", "b", "c")).unwrap_err().code(), "option");
    tree.record(record("r", "b", "a")).unwrap();
    assert_eq!(tree.head().records, [record("r", "a", "b")]);
}

#[test]
fn of_records_that_overlap_the_covering_or_the_later_one_applies() {
    let mut grown = Grown::default();
    (0..30).for_each(|_| {
        grown.append(says(""));
    });
    let mut lay = |id: &str, from: &str, to: &str, whole: bool| {
        grown.tree.record(Record { whole, ..record(id, from, to) }).unwrap();
        grown.tree.laid().into_iter().map(str::to_owned).collect::<Vec<String>>()
    };
    assert_eq!(lay("a", "2", "6", true), ["a"]);
    assert_eq!(lay("b", "8", "9", true), ["a", "b"]);
    assert_eq!(lay("covers both", "1", "10", true), ["covers both"]);
    assert_eq!(lay("within", "3", "4", true), ["covers both"]);
    assert_eq!(lay("the same again", "1", "10", true), ["the same again"]);
    assert_eq!(lay("single things", "5", "20", false), ["the same again", "single things"]);
    assert_eq!(lay("covered", "5", "6", false), ["the same again", "single things"]);
    assert_eq!(lay("laps over", "10", "12", true), ["a", "single things", "b", "laps over"]);
    assert_eq!(lay("up to the tip", "13", "29", true), ["a", "single things", "b", "laps over"]);
}

#[test]
fn a_copy_has_new_ids_and_what_lies_on_its_path() {
    let mut grown = Grown::default();
    grown.append(person("0")).append(says("1")).append(person("2")).append(says("3"));
    grown.tree.record(record("r", "1", "2")).unwrap();
    grown.tree.record(record("beyond", "1", "3")).unwrap();
    grown.branch("2");
    grown.tree.checkpoint("on it").unwrap();
    grown.branch("3");
    grown.tree.checkpoint("beyond it").unwrap();
    let mut next = 0;
    let mut id = || {
        next += 1;
        format!("new {next}")
    };
    let (mut copy, from) = grown.tree.duplicate(Some("2"), &mut id).unwrap();
    assert_eq!(from, [1, 2, 3]);
    assert_eq!(path(&mut copy), ["new 1", "new 2", "new 3"]);
    assert_eq!(copy.head().records, [record("r", "new 2", "new 3")]);
    assert_eq!(copy.head().checkpoints, [Checkpoint { label: "on it".to_owned(), at: "new 3".to_owned() }]);
    copy.append(Under::Tip, new("on", says("on"))).unwrap();
    assert_eq!(copy.laid(), ["r"]);
    assert_eq!(copy.begin_commit().unwrap().nodes.len(), 4);

    let twice = grown.tree.duplicate(None, &mut || "same".to_owned()).unwrap_err();
    assert_eq!(twice.code(), "option");
    grown.append(calls(&["c"]));
    assert_eq!(grown.tree.duplicate(None, &mut id).unwrap_err().code(), "open-turn");
    assert!(Tree::new().duplicate(None, &mut id).unwrap().0.is_empty());
}
