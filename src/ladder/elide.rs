//! Rung `elide`: old, uneventful tool results, each replaced by a line that names it and how to get it back.

use super::{Elided, Goal, Layer, Outcome, Policy, Reference, References, Rung, Scene, marker};
use crate::message::{Message, Part, Store};
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

/// The rung.
#[derive(Debug)]
pub struct Elide;

/// A placeholder costs about as much, in tokens.
const LINE: u32 = 40;
/// What a pass must save at least, as a fraction of the window, unless less is all that is needed.
const LEAST: u64 = 64;

/// A result that may be elided.
struct Candidate {
    message: usize,
    result: Part,
    /// 0: the same call came again later. 1: the same words came again later. 2: neither.
    tier: u8,
    tokens: u32,
    reference: Reference,
}

impl Rung for Elide {
    fn name(&self) -> &'static str {
        "elide"
    }

    fn noun(&self) -> (&'static str, &'static str) {
        ("tool result", "tool results")
    }

    fn run(&self, scene: &mut Scene<'_>, goal: &Goal) -> Outcome {
        let mut candidates = candidates(scene);
        if candidates.is_empty() {
            return Outcome::NothingToDo;
        }
        // A pass that saves next to nothing only breaks the provider's cache: then it is for a dearer rung.
        let most: u64 = candidates.iter().map(|c| u64::from(c.tokens.saturating_sub(LINE))).sum();
        let enough = goal.tokens.is_none_or(|stop| scene.price().saturating_sub(most) <= stop);
        if most < scene.policy.window / LEAST && !enough {
            return Outcome::WouldNotShrink;
        }
        // Stable: within one rank the older come first.
        candidates.sort_by_key(|c| (c.tier, core::cmp::Reverse(c.tokens)));
        let mut ran = false;
        for Candidate { message, result, reference, .. } in candidates {
            if scene.meets(goal) {
                break;
            }
            // What was elided before in this message moved the parts behind it.
            let same = |part: &Part| part.is_result() && (part.from, part.at) == (result.from, result.at);
            let Some(p) = scene.live[message].parts.iter().position(same) else { continue };
            let elided = describe(&scene.live[message], p, &reference, scene.store);
            let words = match scene.placeholders.get(&elided.reference) {
                Some(words) => words.clone(),
                None => marker::elided(&elided.tool, elided.tokens, &elided.reference),
            };
            let range = (result.from, result.from);
            let layer = Layer { rung: self.name(), range, before: 0, after: 0, reference: Some(elided.reference) };
            ran |= scene.replace(message, p, &words, layer);
        }
        if ran { Outcome::Ran } else { Outcome::WouldNotShrink }
    }
}

/// Every result that may be elided one day, whatever its age: what the caller's placeholder is asked about.
pub fn candidates_ever(messages: &[Message], store: &Store, references: &References, policy: &Policy) -> Vec<Elided> {
    let mut all = Vec::new();
    for message in messages {
        for p in 0..message.parts.len() {
            if let Some(reference) = reference(message, p, store, references, policy) {
                all.push(describe(message, p, &reference, store));
            }
        }
    }
    all
}

fn candidates(scene: &Scene<'_>) -> Vec<Candidate> {
    let places: Vec<(usize, usize)> = scene
        .live
        .iter()
        .enumerate()
        .flat_map(|(m, message)| (0..message.parts.len()).map(move |p| (m, p)))
        .filter(|&(m, p)| scene.live[m].parts[p].is_result())
        .collect();
    let old = places.len().saturating_sub(scene.policy.keep_results as usize);
    let open = open_from(&scene.live);
    let mut calls = BTreeSet::new();
    let mut words = BTreeSet::new();
    let mut candidates = Vec::new();
    for (index, &(m, p)) in places.iter().enumerate().rev() {
        let message = &scene.live[m];
        let result = &message.parts[p];
        let Some(known) = scene.references.of(result) else { continue };
        let again = !calls.insert(known.call);
        let repeated = !result.is_replaced() && !words.insert(known.result);
        if index >= old || m >= open {
            continue;
        }
        if let Some(reference) = reference(message, p, scene.store, scene.references, scene.policy) {
            let tier = if again { 0 } else { 2 - u8::from(repeated) };
            let tokens = tokens(message, p);
            candidates.push(Candidate { message: m, result: result.clone(), tier, tokens, reference });
        }
    }
    candidates.reverse();
    candidates
}

/// The reference of a result that may be elided for its own sake: large enough, no error, not excluded, not elided already.
fn reference(
    message: &Message,
    p: usize,
    store: &Store,
    references: &References,
    policy: &Policy,
) -> Option<Reference> {
    let part = &message.parts[p];
    let stays = !part.is_result() || part.error || part.own || part.is_replaced();
    if stays || tokens(message, p) < policy.min_tokens {
        return None;
    }
    let reference = *references.of(part)?;
    let tool = store.str(reference.tool.0, reference.tool.1);
    (!policy.exclude.iter().any(|name| name == tool)).then_some(reference)
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

/// A result and what stands in it.
fn stands(message: &Message, p: usize) -> impl Iterator<Item = &Part> {
    let within = message.parts[p + 1..].iter().take_while(|part| part.inside);
    core::iter::once(&message.parts[p]).chain(within)
}

fn tokens(message: &Message, p: usize) -> u32 {
    stands(message, p).map(|part| part.tokens).fold(0, u32::saturating_add)
}

fn describe(message: &Message, p: usize, reference: &Reference, store: &Store) -> Elided {
    let chars = stands(message, p).map(|part| store.str(part.from, part.body).chars().count() as u64).sum();
    let tool = store.str(reference.tool.0, reference.tool.1);
    // Providers allow 64 characters of a tool's name; a longer one is no name.
    let tool: String = if tool.is_empty() { "a tool".into() } else { tool.chars().take(64).collect() };
    Elided { reference: reference.name(), tool, tokens: tokens(message, p), chars }
}
