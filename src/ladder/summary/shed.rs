//! What pages left out: where somebody writes summaries one stands before them, in the place of the words that say how much was left out.

use super::given::{Given, is_plain, written};
use super::work::{LEAST, OUTPUT};
use super::{message, written_of};
use crate::ladder::own::is_opaque;
use crate::ladder::snapshot::drawn_alone;
use crate::ladder::{Goal, Half, Layer, Outcome, Scene, Source, Unwritten};
use crate::message::{Message, Role};
use alloc::vec::Vec;

/// True when pages stand before which something was left out that no summary holds.
pub fn is_left(scene: &Scene<'_>) -> bool {
    scene.stand.live.iter().any(|message| left_out(message, scene).is_some())
}

/// Summarises what the first such pages left out, and all that follow; `None` when the host has to say something first.
pub fn run(scene: &mut Scene<'_>, goal: &Goal) -> Option<Outcome> {
    let mut outcome = Outcome::NothingToDo;
    let mut at = 0;
    while at < scene.stand.live.len() {
        if left_out(&scene.stand.live[at], scene).is_some() {
            match one(at, scene, goal)? {
                Outcome::Ran => outcome = Outcome::Ran,
                unwritten if outcome != Outcome::Ran => outcome = unwritten,
                _ => {}
            }
        }
        at += 1;
    }
    Some(outcome)
}

/// The messages that pages of this walk left out, and where in their sources drawing begins.
fn left_out(message: &Message, scene: &Scene<'_>) -> Option<(Layer, usize)> {
    let layer = scene.stand.layers.get(&message.parts.first()?.from)?;
    let block = layer.block.as_ref().filter(|block| block.shed > 0 || block.left_out > 0)?;
    let easel = scene.easel.as_ref().ok()?;
    let shape = &easel.plan.shape;
    let cells = block.shed * u64::from(shape.rows) * u64::from(shape.columns);
    let gone = easel.ends_known(&block.sources).iter().take_while(|end| **end <= cells).count();
    let first = scene.originals.place(block.sources.get(gone)?.origin)?;
    (scene.originals.place(layer.range.0)? < first).then(|| (layer.clone(), gone))
}

/// What some pages left out.
struct Shed {
    /// What lies over the pages, and how many of their sources stand on none.
    layer: Layer,
    gone: usize,
    /// What the summary is made from, and what it covers.
    given: Given,
    range: (u32, u32),
    messages: u64,
    /// The live message at which what it takes the place of begins, and what that costs beside the pages.
    start: usize,
    stands: u64,
    /// What all that was left out cost as it came.
    cost: u64,
}

impl Shed {
    fn of(at: usize, scene: &Scene<'_>) -> Option<Shed> {
        let (layer, gone) = left_out(&scene.stand.live[at], scene)?;
        let first = layer.block.as_ref()?.sources.get(gone)?.origin;
        let said = |message: &&Message| message.role != Role::System && !is_opaque(message, scene.store);
        let told: Vec<&Message> =
            scene.covered(layer.range).iter().take_while(|message| message.origin != first).filter(said).collect();
        let mut shed = Shed {
            range: (layer.range.0, told.last()?.origin),
            messages: told.iter().filter(|message| scene.store.is_input(message.origin)).count() as u64,
            cost: told.iter().map(|message| message.tokens()).sum(),
            given: Given {
                previous: None,
                sources: told.iter().map(|m| Source { origin: m.origin, half: Half::Whole }).collect(),
                plain: is_plain(told.iter().copied()),
            },
            start: at,
            stands: 0,
            layer,
            gone,
        };
        // A summary that stands right before them is updated.
        let before = at.checked_sub(1).and_then(|before| scene.stand.live.get(before));
        if let Some((message, kept)) = before.and_then(|message| Some((message, written(message, scene)?))) {
            shed.start = at - 1;
            shed.stands = message.tokens();
            shed.range.0 = kept.range.0;
            shed.messages += kept.messages;
            shed.given.plain &= message.role == Role::System;
            shed.given.previous = Some(kept.words);
        }
        Some(shed)
    }
}

fn one(at: usize, scene: &mut Scene<'_>, goal: &Goal) -> Option<Outcome> {
    let Some(shed) = Shed::of(at, scene) else { return Some(Outcome::NothingToDo) };
    // It takes the room that the pages left.
    let room = goal.tokens.unwrap_or(scene.policy.stop).saturating_sub(scene.price()) + shed.stands;
    if room < u64::from(OUTPUT.0) / 2 || shed.cost <= LEAST {
        return Some(Outcome::NothingToDo);
    }
    let summary = match written_of(&shed.given, room, scene)? {
        Ok(summary) => summary,
        Err(unwritten) => return Some(Outcome::Unwritten(unwritten)),
    };
    let layer = Layer { range: shed.range, before: shed.cost + shed.stands, ..Layer::of("summary") };
    let words = message(&summary, shed.given.plain, layer, (shed.messages, None), scene);
    let Some(pages) = drawn_alone(scene, at, &shed.layer, shed.gone) else { return Some(Outcome::NothingToDo) };
    let went = scene.stand.live[shed.start..=at].iter().map(Message::tokens).sum::<u64>();
    if words.tokens() + pages.tokens() > went.saturating_sub(shed.stands) + room {
        scene.summaries.why = "it has no room beside the pages".into();
        return Some(Outcome::Unwritten(Unwritten::Rejected));
    }
    let mut live = scene.stand.live.clone();
    live.splice(shed.start..=at, [words, pages]);
    scene.rebuild(live);
    Some(Outcome::Ran)
}
