//! Very long conversations: nothing recurses, and nothing is quadratic. A quadratic step over these would take minutes.

use super::*;

const MANY: usize = 100_000;

/// The number of a row → its id, and its parent's.
type Shape = fn(usize) -> (usize, Option<usize>);

fn chain() -> Tree {
    let mut tree = Tree::new();
    for number in 0..MANY {
        let brief = match number % 4 {
            0 => person("ask"),
            1 => calls(&["a"]),
            2 => result("a"),
            _ => says("answer"),
        };
        tree.append(Under::Tip, new(&number.to_string(), brief)).unwrap();
    }
    tree
}

#[test]
fn a_chain_is_walked_without_recursion() {
    let mut tree = chain();
    assert_eq!(tree.path().len(), MANY);
    assert_eq!(tree.begin_commit().unwrap().nodes.len(), MANY);
    tree.end_commit(true);
    assert_eq!(tree.outline().len(), 3);
    assert_eq!(tree.timeline().len(), MANY);
    let mut tree = reopened(&tree);
    tree.branch(Some("50001")).unwrap();
    assert_eq!(tree.open_calls().len(), 1);
    assert_eq!(tree.select("0").unwrap(), MANY as u32);
    let mut id = 0;
    let copy = tree.duplicate(None, &mut || {
        id += 1;
        id.to_string()
    });
    assert_eq!(copy.unwrap().0.len(), MANY);
}

#[test]
fn hostile_shapes_cost_no_more_than_their_size() {
    // Every message makes a call that nothing answers, then as many results answer nothing or the oldest.
    let mut rows: Vec<Row> = Vec::new();
    let mut add = |brief: Brief| {
        let parent = rows.len().checked_sub(1).map(|last| last.to_string());
        rows.push(row(&rows.len().to_string(), parent.as_deref(), brief));
    };
    (0..MANY / 4).for_each(|number| add(calls(&[&format!("c{number}")])));
    (0..MANY / 4).for_each(|number| add(result(&format!("c{number}"))));
    (0..MANY / 4).for_each(|_| add(result("none")));
    let many: Vec<String> = (0..MANY / 4).map(|number| format!("d{number}")).collect();
    add(calls(&many.iter().map(String::as_str).collect::<Vec<&str>>()));
    (0..MANY / 4).for_each(|_| add(result("")));
    let tip = Some((rows.len() - 1).to_string());
    let Restored { mut tree, faults } = Tree::restore(rows.clone(), Head { tip, ..Head::default() }, Origin::Import);
    assert_eq!((faults.len(), tree.turn()), (0, Turn::Waiting));
    assert_eq!(tree.begin_commit().unwrap().nodes.len(), rows.len());

    // All of one id; all in one circle; all roots; each a child of the first.
    let shapes: [Shape; 4] = [
        |_| (0, Some(0)),
        |number| (number, Some((number + 1) % MANY)),
        |number| (number, None),
        |number| (number, (number > 0).then_some(0)),
    ];
    for shape in shapes {
        let rows = (0..MANY).map(|number| {
            let (id, parent) = shape(number);
            row(&id.to_string(), parent.map(|parent| parent.to_string()).as_deref(), calls(&["a"]))
        });
        let mut tree = Tree::restore(rows.collect(), Head::default(), Origin::Import).tree;
        assert_eq!(tree.len(), MANY);
        assert_eq!(tree.begin_commit().unwrap().nodes.len(), MANY);
        assert!(!tree.outline_text(&|_| String::new()).is_empty());
        tree.select("0").unwrap();
    }
}

#[test]
fn records_without_number_are_laid_in_order() {
    let mut tree = chain();
    let rows = rows(&tree);
    let mut head = tree.head();
    for number in 0..MANY - 10 {
        head.records.push(record(&number.to_string(), &(number / 2).to_string(), &(number + 1).to_string()));
        head.checkpoints.push(Checkpoint { label: number.to_string(), at: number.to_string() });
    }
    tree = Tree::restore(rows, head, Origin::Store).tree;
    // The newest, then the newest of those that end before it begins, at half as far, and so on.
    assert_eq!(tree.laid().len(), 15);
    assert_eq!(tree.checkpoints().len(), MANY - 10);
}
