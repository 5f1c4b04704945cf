//! Rung `elide`: old, uneventful tool results, each replaced by a line that names it and how to get it back.

use super::fixed::single;
use super::images;
use super::results::{Known, Results, stands};
use super::{Elided, Fixed, Goal, Layer, Outcome, Policy, Reference, References, Rung, Scene, marker};
use crate::message::{Message, Part, Store};
use alloc::string::String;
use alloc::vec::Vec;

/// The rung.
#[derive(Debug)]
pub struct Elide;

/// A placeholder costs about as much, in tokens.
const LINE: u32 = 40;
/// What a pass must save at least, as a fraction of the window, unless less is all that is needed.
const LEAST: u64 = 64;

impl Rung for Elide {
    fn name(&self) -> &'static str {
        "elide"
    }

    fn noun(&self) -> (&'static str, &'static str) {
        ("tool result", "tool results")
    }

    fn is_whole(&self) -> bool {
        false
    }

    fn run(&self, scene: &mut Scene<'_>, goal: &Goal) -> Outcome {
        // No words for pictures: what is too much of them goes by the next rung, and bytes, too, as long as pictures are enough.
        let goal = &Goal {
            tokens: goal.tokens,
            bytes: goal.bytes.filter(|most| scene.stand.fill.bytes > most + images::bytes_to_gain(scene)),
            ..Goal::default()
        };
        if *goal == Goal::default() {
            return Outcome::NothingToDo;
        }
        let open = open_from(&scene.stand.live);
        let old = scene.stand.results.old(scene.policy.keep_results as usize);
        let mut candidates: Vec<(u8, Known)> = old.filter(|(_, known)| known.message < open).collect();
        if candidates.is_empty() {
            return Outcome::NothingToDo;
        }
        // A pass that saves next to nothing only breaks the provider's cache: then it is for a dearer rung.
        let most: u64 = candidates.iter().map(|(_, known)| u64::from(known.tokens.saturating_sub(LINE))).sum();
        let enough = goal.tokens.is_none_or(|stop| scene.price().saturating_sub(most) <= stop);
        if most < scene.policy.window / LEAST && !enough {
            return Outcome::WouldNotShrink;
        }
        // Stable: within one rank the older come first.
        candidates.sort_by_key(|(rank, known)| (*rank, core::cmp::Reverse(known.tokens)));
        let mut ran = false;
        for (_, known) in candidates {
            if scene.meets(goal) {
                break;
            }
            let message = &scene.stand.live[known.message];
            let Some(p) = known.find(message) else { continue };
            let elided = describe(message, p, &known.reference, scene.store);
            let words = placeholder(&elided, scene);
            let range = (known.place.0, known.place.0);
            let layer = Layer { range, reference: Some(elided.reference), ..Layer::of(self.name()) };
            ran |= scene.replace(known.message, p, &words, layer);
        }
        scene.stand.results.settle(&scene.stand.live);
        if ran { Outcome::Ran } else { Outcome::WouldNotShrink }
    }

    fn lay_again(&self, scene: &mut Scene<'_>, fixed: &Fixed) {
        single(scene, fixed, &|scene, m, p| {
            let message = &scene.stand.live[m];
            let reference = scene.references.of(&message.parts[p]).filter(|_| message.parts[p].is_result())?;
            let elided = describe(message, p, reference, scene.store);
            let words = placeholder(&elided, scene);
            Some((elided.reference, words))
        });
    }
}

/// Every result that may be elided one day, whatever its age: what the caller's placeholder is asked about.
pub fn candidates_ever(messages: &[Message], store: &Store, references: &References, policy: &Policy) -> Vec<Elided> {
    let mut all = Vec::new();
    for message in messages {
        for (p, part) in message.parts.iter().enumerate().filter(|(_, part)| part.is_result()) {
            if let Some(reference) = references.of(part).filter(|known| eligible(message, p, known, store, policy)) {
                all.push(describe(message, p, reference, store));
            }
        }
    }
    all
}

/// True for a result that may be elided for its own sake: large enough, no error, not excluded, not elided already.
pub(super) fn eligible(message: &Message, p: usize, reference: &Reference, store: &Store, policy: &Policy) -> bool {
    let part = &message.parts[p];
    let tool = || store.str(reference.tool.0, reference.tool.1);
    !(part.error || part.own || part.is_replaced())
        && Results::tokens(message, p) >= policy.min_tokens
        && !policy.exclude.iter().any(|name| name == tool())
}

/// The first message of the unit that still runs; one past the end when none does.
fn open_from(live: &[Message]) -> usize {
    let Some(caller) = live.iter().rposition(Message::has_calls) else {
        return live.len();
    };
    let interrupted = |part: &Part| part.is_result() && part.own && part.error;
    let open = live[caller..].iter().any(|message| message.parts.iter().any(interrupted));
    if open { caller } else { live.len() }
}

/// The line that stands for a result: the caller's own where there is one.
fn placeholder(elided: &Elided, scene: &Scene<'_>) -> String {
    match scene.placeholders.get(&elided.reference) {
        Some(words) => words.clone(),
        None => marker::elided(&elided.tool, elided.tokens, &elided.reference),
    }
}

fn describe(message: &Message, p: usize, reference: &Reference, store: &Store) -> Elided {
    let chars = stands(message, p).map(|part| store.str(part.from, part.body).chars().count() as u64).sum();
    let tool = store.str(reference.tool.0, reference.tool.1);
    // Providers allow 64 characters of a tool's name; a longer one is no name.
    let tool: String = if tool.is_empty() { "a tool".into() } else { tool.chars().take(64).collect() };
    Elided { reference: reference.name(), tool, tokens: Results::tokens(message, p), chars }
}
