//! What pages left out: where somebody writes summaries one stands before them, in the place of the words that say how much was left out.

use super::given::{Given, is_plain, written};
use super::work::OUTPUT;
use super::{message, written_of};
use crate::ladder::block::is_opaque;
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

fn one(at: usize, scene: &mut Scene<'_>, goal: &Goal) -> Option<Outcome> {
    let Some((layer, gone)) = left_out(&scene.stand.live[at], scene) else { return Some(Outcome::NothingToDo) };
    let Some(block) = &layer.block else { return Some(Outcome::NothingToDo) };
    let Some(first) = block.sources.get(gone).and_then(|source| scene.originals.place(source.origin)) else {
        return Some(Outcome::NothingToDo);
    };
    let covered: Vec<&Message> = scene.covered(layer.range).iter().collect();
    let begins = scene.originals.place(layer.range.0).unwrap_or_default();
    let told = &covered[..(first - begins).min(covered.len())];
    let told: Vec<&Message> =
        told.iter().copied().filter(|m| m.role != Role::System && !is_opaque(m, scene.store)).collect();
    let before =
        at.checked_sub(1).and_then(|before| written(&scene.stand.live[before], scene).map(|kept| (before, kept)));
    let sources: Vec<Source> =
        told.iter().map(|message| Source { origin: message.origin, half: Half::Whole }).collect();
    let Some(last) = sources.last().map(|source| source.origin) else { return Some(Outcome::NothingToDo) };
    let mut plain = is_plain(told.iter().copied());
    let (mut from, mut messages) =
        (layer.range.0, told.iter().filter(|m| scene.store.is_input(m.origin)).count() as u64);
    let cost: u64 = told.iter().map(|message| message.tokens()).sum();
    let mut stands = 0;
    if let Some((before, kept)) = &before {
        let message = &scene.stand.live[*before];
        (from, stands) = (kept.range.0, message.tokens());
        plain &= message.role == Role::System;
        let earlier =
            scene.covered(kept.range).iter().filter(|m| m.role != Role::System && scene.store.is_input(m.origin));
        messages += earlier.count() as u64;
    }
    // It takes the room that the pages left.
    let most = goal.tokens.unwrap_or(scene.policy.stop).saturating_sub(scene.price()) + stands;
    if most < u64::from(OUTPUT.0) / 2 || cost <= super::LEAST {
        return Some(Outcome::NothingToDo);
    }
    let given = Given { previous: before.as_ref().map(|(_, kept)| kept.words.clone()), sources, plain };
    let summary = match written_of(&given, most, scene)? {
        Ok(summary) => summary,
        Err(unwritten) => return Some(Outcome::Unwritten(unwritten)),
    };
    let whole = Layer { range: (from, last), before: cost + stands, ..Layer::of("summary") };
    let words = message(&summary, plain, whole, (messages, None), scene);
    let Some(pages) = drawn_alone(scene, at, &layer, gone) else { return Some(Outcome::NothingToDo) };
    let mut live = scene.stand.live.clone();
    let start = before.map_or(at, |(before, _)| before);
    live.splice(start..=at, [words, pages]);
    let tokens = |live: &[Message]| live.iter().map(Message::tokens).sum::<u64>();
    let grown = (scene.price() + tokens(&live)).saturating_sub(tokens(&scene.stand.live));
    if goal.tokens.is_some_and(|most| grown > most) {
        scene.summaries.why = "it has no room beside the pages".into();
        return Some(Outcome::Unwritten(Unwritten::Rejected));
    }
    scene.rebuild(live);
    Some(Outcome::Ran)
}
