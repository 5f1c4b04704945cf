//! The walk through a history. After each unit that could be sent its price is compared with where to act; when it is due, one event is
//! appended, decided from that prefix alone and frozen from then on. So a caller who sends the whole history each time and one who lays
//! records as it grows get the same result, and a history that only grew keeps its prefix.

use super::fixed::apply;
use super::{Goal, Outcome, RUNGS, Rung, Scene};
use crate::history::units;
use alloc::vec::Vec;

/// What the rungs did in a walk, by their place in [`RUNGS`]. `None`: it was never asked.
pub type Outcomes = [Option<Outcome>; RUNGS.len()];

/// Most of a limit of bytes or pictures that stands after a pass, in quarters: the limit is not met again at the next message.
const QUARTERS: u64 = 3;

/// Walks a mended history from the message `from` on, where a unit begins, and leaves what can be sent in `scene`. Answers whether the walk
/// may go on from there when the history grows: what was decided at its end would have been decided there in a longer history, too.
pub fn replay(scene: &mut Scene<'_>, from: usize) -> bool {
    let history = &scene.history[from..];
    let units = units(history, scene.rules);
    let mut goes_on = true;
    let mut fixed = scene.fixed.iter().filter(|fixed| fixed.range.end > from).peekable();
    for (index, unit) in units.iter().enumerate() {
        scene.append(&history[unit.messages.clone()]);
        while let Some(fixed) = fixed.next_if(|fixed| fixed.range.end < from + unit.messages.end) {
            apply(scene, fixed);
        }
        // Up to the last record everything is decided. It is laid when something stands behind it, by which its end is judged.
        if fixed.peek().is_some() {
            continue;
        }
        let last = index + 1 == units.len();
        if !unit.sendable && !last {
            continue;
        }
        let goal = if last && scene.policy.force { forced(scene) } else { due(scene, &scene.stand.floor) };
        if goal == Goal::default() {
            continue;
        }
        event(scene, &goal);
        scene.stand.floor = Floor::after(scene);
        goes_on &= unit.sendable && !(last && scene.policy.force);
    }
    goes_on
}

/// Where the next event is due at the earliest: a pass that left more than it should is not repeated before the request has grown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Floor {
    tokens: u64,
    bytes: u64,
    images: u64,
    refused: u64,
    large: u64,
}

impl Floor {
    fn after(scene: &Scene<'_>) -> Floor {
        let grown = scene.price() + (scene.policy.window / 32).max(1);
        Floor {
            tokens: if scene.price() >= scene.policy.act { grown } else { 0 },
            bytes: scene.stand.fill.bytes + 1,
            images: scene.stand.fill.images + 1,
            refused: scene.stand.fill.refused,
            large: scene.stand.fill.large,
        }
    }
}

fn due(scene: &Scene<'_>, floor: &Floor) -> Goal {
    let policy = scene.policy;
    let price = scene.price();
    let over = |most: Option<u64>, now: u64, floor: u64| {
        let most = most.filter(|&most| now > most && now >= floor)?;
        Some(most * QUARTERS / 4)
    };
    let full = price >= policy.act && (price >= floor.tokens || !scene.fits());
    Goal {
        tokens: full.then_some(policy.stop),
        bytes: over(policy.most_bytes, scene.stand.fill.bytes, floor.bytes),
        images: over(policy.most_images, scene.stand.fill.images, floor.images),
        sizes: scene.stand.fill.refused > floor.refused,
        crowd: policy.crowd.filter(|&above| {
            let grown = scene.stand.fill.large > floor.large || scene.stand.fill.images >= floor.images;
            scene.stand.fill.images > above && scene.stand.fill.large > 0 && grown
        }),
    }
}

/// A forced pass goes as far down as one from the threshold would, from wherever it starts.
fn forced(scene: &Scene<'_>) -> Goal {
    let policy = scene.policy;
    let start = scene.price().min(policy.act);
    Goal { tokens: Some((start as f64 * policy.descent) as u64), ..due(scene, &Floor::default()) }
}

fn event(scene: &mut Scene<'_>, goal: &Goal) {
    if let Ok(easel) = scene.easel {
        easel.watch(scene.history, scene.store);
    }
    let wanted: Vec<&'static dyn Rung> = scene.policy.rungs.clone();
    for rung in wanted {
        if scene.meets(goal) {
            return;
        }
        let outcome = rung.run(scene, goal);
        let slot = RUNGS.iter().position(|known| known.name() == rung.name()).unwrap_or_default();
        // Once it ran in any event, it ran.
        let known = &mut scene.stand.outcomes[slot];
        if *known != Some(Outcome::Ran) {
            *known = Some(outcome);
        }
    }
}
