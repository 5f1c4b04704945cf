//! Rows and heads as nobody should store them.

use palimpsest::tree::{Checkpoint, Head, New, Origin, Record, Restored, Row, Tree};
use proptest::prelude::*;
use std::collections::BTreeSet;

type Holds = Result<(), TestCaseError>;

/// Few ids, so that they repeat and miss; an empty one and one that is too long among them.
fn id() -> impl Strategy<Value = String> {
    prop_oneof![
        30 => (0u8..24).prop_map(|id| format!("m{id}")),
        1 => Just(String::new()),
        1 => Just("x".repeat(600)),
        1 => (0u8..24, 0u8..24).prop_map(|(id, row)| format!("m{id}~{row}")),
    ]
}

/// Rows of any ids and parents, and a head that names any.
pub fn stored() -> impl Strategy<Value = (Vec<Row>, Head)> {
    let briefs = super::ops::brief();
    let row = (id(), prop::option::weighted(0.9, id()), briefs)
        .prop_map(|(id, parent, brief)| Row { parent, new: New { id, at: 0, message: 0, brief } });
    let records = (id(), id(), id(), any::<bool>()).prop_map(|(id, from, to, whole)| Record { id, from, to, whole });
    let labels = (id(), id()).prop_map(|(label, at)| Checkpoint { label, at });
    let head = (prop::option::of(id()), prop::collection::vec(records, 0..8), prop::collection::vec(labels, 0..8))
        .prop_map(|(tip, records, checkpoints)| Head { tip, records, checkpoints });
    // Half of the time every message follows the one before it, but for what is drawn.
    let rows = prop::collection::vec((row, any::<bool>()), 0..24).prop_map(|rows| {
        let mut done: Vec<Row> = Vec::new();
        for (number, (mut row, plain)) in rows.into_iter().enumerate() {
            row.new.message = number as u32;
            if plain {
                row.new.id = format!("m{number}");
                row.parent = done.last().map(|before| before.new.id.clone());
            }
            done.push(row);
        }
        done
    });
    (rows, head)
}

/// Every message is saved, those that were named rightly stand where they say, and what comes out is whole.
pub fn saved(rows: &[Row], head: &Head) -> Holds {
    let Restored { mut tree, faults } = Tree::restore(rows.to_vec(), head.clone(), Origin::Store);
    let mut messages: Vec<u32> = tree.numbers().map(|number| tree.node(number).unwrap().message()).collect();
    messages.sort_unstable();
    prop_assert_eq!(messages, (0..rows.len() as u32).collect::<Vec<_>>());
    let moved = faults.iter().filter(|fault| fault.is_reattached()).count();
    let mut elsewhere = 0;
    for number in tree.numbers() {
        let row = &rows[tree.node(number).unwrap().message() as usize];
        // Who bears an id that several want, or that will not do, goes by another.
        let named = |row: &Row| tree.numbers().find(|&n| rows[tree.node(n).unwrap().message() as usize] == *row);
        let first = rows.iter().find(|other| Some(&other.new.id) == row.parent.as_ref());
        let parent = first.and_then(named).map(|parent| tree.node(parent).unwrap().id().to_owned());
        elsewhere +=
            usize::from(tree.parent(number).map(str::to_owned) != parent || first.is_none() && row.parent.is_some());
    }
    prop_assert!(elsewhere <= moved, "{elsewhere} messages stand elsewhere: {faults:?}");
    let seen: BTreeSet<&str> = tree.numbers().map(|number| tree.node(number).unwrap().id()).collect();
    prop_assert_eq!(seen.len(), rows.len());
    prop_assert!(tree.path().len() <= rows.len());
    tree.outline_text(&|_| String::new());

    // What was mended needs no mending, and can be committed as it stands.
    let again = |tree: &Tree| -> Vec<Row> {
        let row = |number: u32| Row {
            parent: tree.parent(number).map(str::to_owned),
            new: New {
                id: tree.node(number).unwrap().id().to_owned(),
                ..rows[tree.node(number).unwrap().message() as usize].new.clone()
            },
        };
        tree.numbers().map(row).collect()
    };
    let mended = (again(&tree), tree.head());
    let Restored { mut tree, faults } = Tree::restore(mended.0.clone(), mended.1.clone(), Origin::Import);
    prop_assert_eq!(faults, vec![]);
    let changes = tree.begin_commit()?;
    prop_assert_eq!(changes.nodes.len(), rows.len());
    prop_assert_eq!((again(&tree), changes.head), mended);
    Ok(())
}
