//! The walk through a history. After each unit that could be sent its price is compared with where to act; when it is due, one event is
//! appended, decided from that prefix alone and frozen from then on. So a caller who sends the whole history each time and one who lays
//! records as it grows get the same result, and a history that only grew keeps its prefix.

use super::fixed::apply;
use super::{Goal, Outcome, RUNGS, Rung, Scene, Stand};
use crate::history::{Unit, units};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// What the rungs did in a walk, by their place in [`RUNGS`]. `None`: it was never asked.
pub type Outcomes = [Option<Outcome>; RUNGS.len()];

/// Most of a limit of bytes or pictures that stands after a pass, in quarters: the limit is not met again at the next message.
const QUARTERS: u64 = 3;

/// Where a walk is.
#[derive(Debug, Default)]
pub struct Walk {
    /// The message it began at, where a unit begins.
    from: usize,
    /// The unit that comes next, or in which an event is under way.
    unit: usize,
    /// The event under way: what it has to come down to, and the rung that comes next.
    event: Option<(Goal, usize)>,
    /// How the newest event began, when a summary was wanted in it that nobody remembers: it is run again when none comes after it.
    wanting: Option<Box<(Stand, Walk)>>,
    /// It may go on from its end when the history grows: what was decided there would have been decided there in a longer history, too.
    goes_on: bool,
}

impl Walk {
    /// One that begins at a message, where a unit begins.
    pub fn from(from: usize) -> Walk {
        Walk { from, goes_on: true, ..Walk::default() }
    }
    /// The message it began at.
    pub fn began(&self) -> usize {
        self.from
    }
    /// True when it may go on from its end.
    pub fn goes_on(&self) -> bool {
        self.goes_on
    }
}

/// Walks a mended history and leaves what can be sent in `scene`. Answers false when the host has to answer the question of the summaries
/// first: called again, it goes on from there.
pub fn replay(scene: &mut Scene<'_>, walk: &mut Walk) -> bool {
    let units = units(&scene.history[walk.from..], scene.rules);
    while let Some(unit) = units.get(walk.unit) {
        let last = walk.unit + 1 == units.len();
        if walk.event.is_none()
            && let Some(goal) = step(scene, walk.from, unit, last)
        {
            walk.event = Some((goal, 0));
            walk.goes_on &= unit.sendable && !(last && scene.policy.force);
            scene.summaries.missed = false;
            walk.wanting = scene.summaries.writes.then(|| {
                let again =
                    Walk { from: walk.from, unit: walk.unit, event: walk.event, goes_on: walk.goes_on, wanting: None };
                Box::new((scene.stand.clone(), again))
            });
        }
        if walk.event.is_some() {
            if !event(scene, &mut walk.event) {
                return false;
            }
            scene.stand.floor = floor(scene);
            scene.summaries.may_ask = false;
            if !scene.summaries.missed {
                walk.wanting = None;
            }
        }
        walk.unit += 1;
        if walk.unit == units.len()
            && let Some(wanting) = walk.wanting.take()
        {
            (scene.stand, *walk) = *wanting;
            scene.summaries.may_ask = true;
        }
    }
    true
}

/// Appends a unit, and lays what was decided about it earlier; answers what an event has to come down to, when one is due.
fn step(scene: &mut Scene<'_>, from: usize, unit: &Unit, last: bool) -> Option<Goal> {
    let (start, end) = (from + unit.messages.start, from + unit.messages.end);
    let (history, fixed) = (scene.history, scene.fixed);
    scene.append(&history[start..end]);
    // A record is laid when something stands behind it, by which its end is judged.
    let first = fixed.partition_point(|fixed| fixed.range.end < start.max(from + 1));
    for fixed in fixed[first..].iter().take_while(|fixed| fixed.range.end < end) {
        apply(scene, fixed);
    }
    // Up to the last one everything is decided.
    if fixed.last().is_some_and(|fixed| fixed.range.end >= end) || (!unit.sendable && !last) {
        return None;
    }
    let goal = if last && scene.policy.force { forced(scene) } else { due(scene, scene.stand.floor) };
    (goal != Goal::default()).then_some(goal)
}

/// The price below which no event is due for tokens, after a pass that left more than it should: it is not repeated before the request has
/// grown, unless it cannot be sent as it is.
fn floor(scene: &Scene<'_>) -> u64 {
    let price = scene.price();
    if price >= scene.policy.act { price + (scene.policy.window / 32).max(1) } else { 0 }
}

/// Beyond a limit nothing can be sent: what could not go in one pass may go in the next, when more stands behind it.
fn due(scene: &Scene<'_>, floor: u64) -> Goal {
    let policy = scene.policy;
    let price = scene.price();
    let fill = &scene.stand.fill;
    let over = |most: Option<u64>, now: u64| most.filter(|&most| now > most).map(|most| most * QUARTERS / 4);
    let full = price >= policy.act && (price >= floor || !scene.fits());
    Goal {
        tokens: full.then_some(policy.stop),
        bytes: over(policy.most_bytes, fill.bytes),
        images: over(policy.most_images, fill.images),
        sizes: fill.refused > 0,
        crowd: policy.crowd.filter(|&above| fill.images > above && fill.large > 0),
    }
}

/// A forced pass goes as far down as one from the threshold would, from wherever it starts.
fn forced(scene: &Scene<'_>) -> Goal {
    let policy = scene.policy;
    let start = scene.price().min(policy.act);
    Goal { tokens: Some((start as f64 * policy.descent) as u64), ..due(scene, 0) }
}

/// Runs the rungs that are left of an event; false when one waits for the host.
fn event(scene: &mut Scene<'_>, under_way: &mut Option<(Goal, usize)>) -> bool {
    scene.read_originals();
    let wanted: Vec<&'static dyn Rung> = scene.policy.rungs.clone();
    while let Some((goal, at)) = *under_way {
        let Some(rung) = wanted.get(at) else { break };
        if !rung.is_due(scene, &goal) {
            *under_way = Some((goal, at + 1));
            continue;
        }
        let outcome = rung.run(scene, &goal);
        if outcome == Outcome::Asks {
            return false;
        }
        *under_way = Some((goal, at + 1));
        let slot = RUNGS.iter().position(|known| known.name() == rung.name()).unwrap_or_default();
        // Once it ran in any event, it ran.
        let known = &mut scene.stand.outcomes[slot];
        if *known != Some(Outcome::Ran) {
            *known = Some(outcome);
        }
    }
    *under_way = None;
    true
}
