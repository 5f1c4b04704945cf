//! The tree must agree with its model in everything it can be asked.

use super::model::{Kept, Model};
use palimpsest::message::Role;
use palimpsest::tree::{Entry, Load, Retry, Shown, Tree, Turn};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

type Holds = Result<(), TestCaseError>;

pub fn agree(tree: &mut Tree, model: &Model) -> Holds {
    nodes(tree, model)?;
    path_and_turn(tree, model)?;
    head(tree, model)?;
    timeline(tree, model)?;
    outline(tree, model)
}

fn told(tree: &Tree, numbers: &[u32]) -> Vec<String> {
    numbers.iter().map(|&number| tree.node(number).unwrap().id().to_owned()).collect()
}
fn ids(model: &Model, nodes: &[usize]) -> Vec<String> {
    nodes.iter().map(|&node| model.nodes[node].id.clone()).collect()
}

fn nodes(tree: &Tree, model: &Model) -> Holds {
    let all: Vec<u32> = tree.numbers().collect();
    prop_assert_eq!(told(tree, &all), ids(model, &(0..model.nodes.len()).collect::<Vec<_>>()));
    prop_assert_eq!(tree.len(), model.nodes.len());
    prop_assert_eq!(told(tree, &tree.children(None)?), ids(model, &model.children(None)));
    for (number, node) in all.into_iter().zip(&model.nodes) {
        let there = tree.node(number).unwrap();
        prop_assert_eq!(tree.find(&node.id), Some(number));
        prop_assert_eq!(tree.parent(number), node.parent.as_deref());
        prop_assert_eq!(there.message(), node.message);
        prop_assert_eq!(there.is_stored(), node.kept == Kept::Yes);
        let children = model.children(Some(&node.id));
        prop_assert_eq!(there.children() as usize, children.len());
        prop_assert_eq!(told(tree, &tree.children(Some(&node.id))?), ids(model, &children));
        let (siblings, index) = tree.siblings(&node.id)?;
        prop_assert_eq!(told(tree, &siblings), ids(model, &model.children(node.parent.as_deref())));
        prop_assert_eq!(siblings[index], number);
    }
    Ok(())
}

fn path_and_turn(tree: &mut Tree, model: &Model) -> Holds {
    let path = model.path();
    let numbers = tree.path().to_vec();
    prop_assert_eq!(told(tree, &numbers), ids(model, &path));
    prop_assert_eq!(tree.tip(), model.tip.as_deref());
    for number in tree.numbers() {
        prop_assert_eq!(tree.is_on_path(number), numbers.contains(&number));
    }
    let open: Vec<(String, String, bool)> = tree
        .open_calls()
        .into_iter()
        .map(|call| (tree.node(call.node).unwrap().id().to_owned(), call.id.to_string(), call.past))
        .collect();
    let calls = model.open_calls(&path).into_iter();
    prop_assert_eq!(
        &open,
        &calls.map(|call| (model.nodes[call.at].id.clone(), call.id, call.past)).collect::<Vec<_>>()
    );

    let role = |&node: &usize| model.nodes[node].brief.role;
    let turn = match path.iter().map(role).rfind(|role| *role != Role::System) {
        _ if !open.is_empty() => Turn::Open,
        None => Turn::Empty,
        Some(Role::Assistant) => Turn::Done,
        Some(_) => Turn::Waiting,
    };
    prop_assert_eq!(tree.turn(), turn);
    let asks = |node: &usize| matches!(role(node), Role::User | Role::Tool) && model.is_boundary(*node);
    let at = match turn {
        Turn::Waiting => path.len().checked_sub(1),
        Turn::Open => path.iter().rposition(asks),
        _ => None,
    };
    let person = |at: usize| path[..=at].iter().rfind(|&&node| model.nodes[node].brief.person);
    let number = |node: usize| tree.find(&model.nodes[node].id).unwrap();
    let retry = match at {
        Some(at) => Retry::Ready { at: number(path[at]), person: person(at).map(|&node| number(node)) },
        None if model.nodes.is_empty() && !model.part => Retry::NothingLoaded,
        None => Retry::NothingToRetry,
    };
    prop_assert_eq!(tree.retry(), retry);
    Ok(())
}

fn head(tree: &Tree, model: &Model) -> Holds {
    prop_assert_eq!(tree.head(), model.head());
    prop_assert_eq!(tree.checkpoints(), model.labels.clone());
    for set in tree.checkpoints() {
        prop_assert!(tree.find(&set.at).is_some(), "{} points to nothing", set.label);
    }
    let laid: Vec<&str> = model.laid().iter().map(|&(_, _, record)| model.records[record].id.as_str()).collect();
    prop_assert_eq!(tree.laid(), laid);
    Ok(())
}

fn timeline(tree: &mut Tree, model: &Model) -> Holds {
    let laid = model.laid();
    let mut expected = Vec::new();
    for (place, &node) in model.path().iter().enumerate() {
        let here = laid.iter().filter(|(from, ..)| *from == place);
        expected.extend(here.map(|&(_, _, record)| Entry::Compaction { record: model.records[record].id.clone() }));
        let hides =
            |&(from, to, record): &(usize, usize, usize)| from <= place && place <= to && model.records[record].whole;
        let in_context = !laid.iter().any(hides) || model.nodes[node].brief.role == Role::System;
        expected.push(Entry::Message { node: tree.find(&model.nodes[node].id).unwrap(), in_context });
    }
    prop_assert_eq!(tree.timeline(), expected);
    Ok(())
}

fn outline(tree: &mut Tree, model: &Model) -> Holds {
    let mut shown = BTreeSet::new();
    let mut folded = 0;
    for line in tree.outline() {
        match line.shown {
            Shown::Node(number) => prop_assert!(shown.insert(number), "{number} is shown twice"),
            Shown::Folded(count) => folded += count as usize,
            Shown::Roots(count) => prop_assert!(count > 1),
        }
    }
    prop_assert_eq!(shown.len() + folded, model.nodes.len());
    let labelled: BTreeSet<&str> = model.labels.iter().map(|set| set.at.as_str()).collect();
    for node in &model.nodes {
        let notable = model.children(Some(&node.id)).len() != 1
            || labelled.contains(node.id.as_str())
            || model.tip.as_ref() == Some(&node.id);
        prop_assert!(!notable || shown.contains(&tree.find(&node.id).unwrap()), "{} is not shown", node.id);
    }
    let text = tree.outline_text(&|_| String::new());
    prop_assert_eq!(text.matches("← tip").count(), usize::from(!model.path().is_empty()));
    prop_assert!(labelled.is_empty() || text.contains('['));
    Ok(())
}

/// The newest `kept` messages of a path: within what is wanted unless they are one unit, and no result is parted from its call.
pub fn resumed(all: &Model, path: &[usize], kept: usize, load: Load) -> Holds {
    if load.messages == Some(0) || load.tokens == Some(0) {
        prop_assert_eq!(kept, 0);
        return Ok(());
    }
    let fits = |kept: usize| {
        load.messages.is_none_or(|most| kept <= most as usize)
            && load.tokens.is_none_or(|most| kept as u64 * 10 <= most)
    };
    prop_assert!(kept == path.len() || !fits(path.len()), "all {} messages are wanted", path.len());
    let start = path.len() - kept;
    let mut callers: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (place, &node) in path.iter().enumerate() {
        let (answers, _) = all.pairs(&path[..=place]);
        callers.insert(node, answers.into_iter().filter(|&(at, _)| at == node).map(|(_, caller)| caller).collect());
    }
    let parted = |start: usize| {
        path[start..].iter().flat_map(|node| &callers[node]).any(|caller| path[..start].contains(caller))
    };
    prop_assert!(!parted(start), "a result is parted from its call at {start} of {}", path.len());
    if !fits(kept) {
        let node = |place: usize| &all.nodes[path[place]].brief;
        let goes_on = |place: usize| node(place).role == Role::Assistant && node(place - 1).role == Role::Assistant;
        for later in start + 1..path.len() {
            let bad = parted(later) || goes_on(later) || !node(later).results.is_empty();
            prop_assert!(bad, "it could begin at {later} of {}", path.len());
        }
    }
    Ok(())
}
