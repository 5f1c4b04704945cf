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
        walk(arena, &mut open, start, &mut |arena, number, open, _| {
            let node = arena.at_mut(number);
            node.boundary = open.is_boundary();
            node.clean = open.is_clean();
            node.whole = node.boundary;
        });
    }
}

/// The same for nodes that come from a store or an import, which settles them: where nothing below answers what is open, nobody waits for it
/// any more. `starts` in the order of their numbers, which are the newest of the arena.
pub(super) fn weigh_kept(arena: &mut Arena, starts: &[u32]) {
    let mut nodes = Vec::new();
    let mut answers = Vec::new();
    let mut open = Open::default();
    for &start in starts {
        walk(arena, &mut open, start, &mut |arena, number, _, step| {
            let highest = step.answered.iter().map(|&(_, (caller, _))| arena.at(caller).depth).min();
            nodes.push(number);
            answers.extend(highest.map(|depth| (number, depth)));
        });
    }
    nodes.sort_unstable();
    let base = nodes.first().copied().unwrap_or_default();
    // For each node the depth of the highest caller that something at or below it answers.
    let mut reach: Vec<u32> = nodes.last().map_or_else(Vec::new, |last| vec![u32::MAX; (last - base) as usize + 1]);
    for (number, depth) in answers {
        reach[(number - base) as usize] = depth;
    }
    for &number in nodes.iter().rev() {
        let node = arena.at(number);
        let below = arena.children(number).map(|child| reach[(child - base) as usize]).min().unwrap_or(u32::MAX);
        let settled = below > node.depth;
        reach[(number - base) as usize] = below.min(reach[(number - base) as usize]);
        arena.at_mut(number).settled = settled;
    }
    weigh(arena, starts);
}
