//! Which nodes stand after whole turns. Goes over every branch below some nodes, forwards and back again, without recursion: a chain may be a
//! million deep.

use super::arena::Arena;
use super::node::NOTHING;
use super::open::{Open, Step};
use alloc::vec;
use alloc::vec::Vec;

/// Goes over `start` and all that follows it, parents before children.
fn walk(arena: &mut Arena, open: &mut Open, start: u32, visit: &mut dyn FnMut(&mut Arena, u32, &Open, &Step)) {
    open.go_to(arena, arena.at(start).parent);
    let mut steps = Vec::new();
    let mut at = start;
    loop {
        let step = open.enter(arena, at);
        visit(arena, at, open, &step);
        steps.push(step);
        let child = arena.at(at).first_child;
        if child != NOTHING {
            at = child;
            continue;
        }
        while let Some(step) = steps.pop() {
            open.leave(arena, step);
            let node = arena.at(at);
            let (parent, next, whole) = (node.parent, node.next, node.whole);
            if steps.is_empty() {
                return;
            }
            arena.at_mut(parent).whole |= whole;
            if next != NOTHING {
                at = next;
                break;
            }
            at = parent;
        }
    }
}

/// Says of `starts` and all that follows them where boundaries stand. No start may follow another.
pub(super) fn weigh(arena: &mut Arena, starts: &[u32]) {
    let mut open = Open::default();
    for &start in starts {
        walk(arena, &mut open, start, &mut |arena, number, open, _| note(arena, number, open));
    }
}

fn note(arena: &mut Arena, number: u32, open: &Open) {
    let node = arena.at_mut(number);
    node.boundary = open.is_boundary();
    node.clean = open.is_clean();
    node.whole = node.boundary;
}

/// The same for nodes that come from a store or an import, which settles them: where nothing below answers what is open, nobody waits for it
/// any more. `nodes` are all of them in the order of their numbers, `starts` those that follow none of them.
pub(super) fn weigh_kept(arena: &mut Arena, starts: &[u32], nodes: &[u32]) {
    let mut answers = Vec::new();
    let mut open = Open::default();
    for &start in starts {
        walk(arena, &mut open, start, &mut |arena, number, open, step| {
            note(arena, number, open);
            let highest = step.answered.iter().map(|&(_, (caller, _))| arena.at(caller).depth).min();
            answers.extend(highest.map(|depth| (number, depth)));
        });
    }
    let base = nodes.first().copied().unwrap_or_default();
    // For each node the depth of the highest caller that something at or below it answers.
    let mut reach: Vec<u32> = nodes.last().map_or_else(Vec::new, |last| vec![u32::MAX; (last - base) as usize + 1]);
    for (number, depth) in answers {
        reach[(number - base) as usize] = depth;
    }
    let mut is_past = false;
    for &number in nodes.iter().rev() {
        let node = arena.at(number);
        let below = arena.children(number).map(|child| reach[(child - base) as usize]).min().unwrap_or(u32::MAX);
        let settled = below > node.depth;
        is_past |= settled && !node.clean;
        reach[(number - base) as usize] = below.min(reach[(number - base) as usize]);
        arena.at_mut(number).settled = settled;
    }
    if is_past {
        weigh(arena, starts);
    }
}
