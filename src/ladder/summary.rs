//! Rung `summary`: a range as a story that a model writes. What it says is made from what was said, and from the summary before it; never from
//! a summary alone.

mod ask;
mod known;
mod refs;
mod text;

pub use known::{Question, Summaries, Told, Unwritten, Wanted};

use known::{Look, Work};
pub use text::Summary as Words;

/// A summary that went with the range around it, and what it covers.
#[derive(Clone, Debug)]
pub struct Kept {
    /// What it says.
    pub words: Words,
    /// First and last message, by their origins.
    pub range: (u32, u32),
}

use super::block::is_opaque;
use super::lay::{Place, Run, gather, lay, lay_again, own_words};
use super::middle::{Fate, Middle};
use super::reference::digest;
use super::{Fixed, Goal, Half, Layer, Outcome, Rung, Scene, Source, marker};
use crate::history::units;
use crate::message::{Kind, Message, Role};
use crate::meter::Meter;
use crate::page::transcript::Speech;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// The rung.
#[derive(Debug)]
pub struct Summary;

/// A range that costs less is not worth a call, in tokens.
const LEAST: u64 = 200;
/// Most tokens that are asked for, and least.
const OUTPUT: (u32, u32) = (512, 4096);

impl Rung for Summary {
    fn name(&self) -> &'static str {
        "summary"
    }

    fn noun(&self) -> (&'static str, &'static str) {
        ("range of messages", "ranges of messages")
    }

    fn verb(&self) -> &'static str {
        "summarised"
    }

    fn run(&self, scene: &mut Scene<'_>, goal: &Goal) -> Outcome {
        if !scene.summaries.writes {
            return Outcome::Unwritten(Unwritten::Nobody);
        }
        let mut outcome = Outcome::NothingToDo;
        let mut index = 0;
        while outcome != Outcome::Ran || !scene.meets(goal) {
            let units = units(&scene.stand.live, scene.rules);
            let middle = Middle::find(scene, &units, goal);
            let Some(range) = middle.ranges.get(index) else { break };
            index += 1;
            let mut fates = vec![Fate::Stays; scene.stand.live.len()];
            range.iter().for_each(|&(m, fate)| fates[m] = fate);
            match one(scene, &fates) {
                None => return Outcome::Asks,
                Some(Outcome::Ran) => outcome = Outcome::Ran,
                Some(unwritten @ Outcome::Unwritten(_)) => {
                    return if outcome == Outcome::Ran { outcome } else { unwritten };
                }
                Some(other) if outcome == Outcome::NothingToDo => outcome = other,
                Some(_) => {}
            }
        }
        outcome
    }
}

/// Summarises one range; `None` when the host has to say something first.
fn one(scene: &mut Scene<'_>, fates: &[Fate]) -> Option<Outcome> {
    let gone = |place| if let Place::Gone(run) = place { Some(run) } else { None };
    let Some(run) = gather(scene, fates).into_iter().find_map(gone) else { return Some(Outcome::NothingToDo) };
    let given = Given::of(&run, fates, scene);
    if given.sources.is_empty() {
        return Some(Outcome::NothingToDo);
    }
    if run.stands <= LEAST {
        return Some(Outcome::WouldNotShrink);
    }
    let texts = given.texts(scene);
    let previous = given.previous.as_ref();
    let key = key(scene, previous, &texts);
    let mut known = scene.summaries.look(&key);
    if known == Look::Wanted {
        let work = work(scene, &given, &key, &texts, run.stands);
        known = scene.summaries.begin(key, work);
    }
    let summary = match known {
        Look::Written(summary) => summary,
        Look::Not(unwritten) => return Some(Outcome::Unwritten(unwritten)),
        Look::Wanted | Look::Waits => return None,
    };
    let plain = given.plain;
    Some(match lay(scene, fates, &mut |run, scene| Some(message(&summary, plain, run, scene))) {
        Outcome::WouldNotShrink => {
            scene.summaries.why = "it is no shorter than what it would stand for".into();
            Outcome::Unwritten(Unwritten::Rejected)
        }
        outcome => outcome,
    })
}

/// What a summary is made from.
struct Given {
    /// The summary that is updated.
    previous: Option<Words>,
    /// What nobody summarised yet.
    sources: Vec<Source>,
    /// Nothing in it but what people and the assistant wrote.
    plain: bool,
}

impl Given {
    fn of(run: &Run, fates: &[Fate], scene: &Scene<'_>) -> Given {
        let mut given = Given { previous: None, sources: Vec::new(), plain: true };
        for &index in &run.indexes {
            let message = &scene.stand.live[index];
            let layer = message.parts.first().and_then(|part| scene.stand.layers.get(&part.from));
            if let Some(summary) = written(message, scene) {
                given.plain &= message.role == Role::System;
                given.update(summary.words);
            } else if let Some(layer) = layer {
                given.take(layer, scene);
            } else if !message.parts.iter().all(|part| part.own) || scene.came().message(message.origin).is_some() {
                let original = scene.original(message);
                let split = original.is_some_and(|first| first.has_results() && !message.has_results());
                let half = if fates.get(index) == Some(&Fate::Words) {
                    Half::Results
                } else if split {
                    Half::Words
                } else {
                    Half::Whole
                };
                given.sources.push(Source { origin: message.origin, half });
            }
        }
        given.plain &= is_plain(given.sources.iter().filter_map(|source| scene.came().message(source.origin)));
        given
    }
    /// What a notice or pages stand for: the summaries among it, and what none of them covers.
    fn take(&mut self, layer: &Layer, scene: &Scene<'_>) {
        let place = |origin: u32| scene.originals.place(origin).unwrap_or_default();
        let of = |range: (u32, u32)| place(range.0)..=place(range.1);
        let told: Vec<_> = layer.kept.iter().map(|kept| of(kept.range)).collect();
        for kept in &layer.kept {
            self.plain = false;
            self.update(kept.words.clone());
        }
        let covered = scene.covered(layer.range);
        for (index, message) in covered.iter().enumerate() {
            let at = place(message.origin);
            let known = told.iter().any(|range| range.contains(&at));
            if known || message.role == Role::System || is_opaque(message, scene.store) {
                continue;
            }
            let of_results = layer.last_results_only && index + 1 == covered.len();
            let half = if of_results { Half::Results } else { Half::Whole };
            self.sources.push(Source { origin: message.origin, half });
        }
    }
    /// Of several summaries that go together each says what it says.
    fn update(&mut self, summary: Words) {
        let Some(previous) = &mut self.previous else {
            self.previous = Some(summary);
            return;
        };
        previous.decisions.extend(summary.decisions);
        previous.questions.extend(summary.questions);
        previous.actions.extend(summary.actions);
        previous.context.extend(summary.context);
        previous.references.extend(summary.references);
        previous.generation = previous.generation.max(summary.generation);
        previous.write();
    }
    /// What the sources say, in pieces that belong together: results stand beside their calls.
    fn texts(&self, scene: &Scene<'_>) -> Vec<String> {
        let came = scene.came();
        let mut texts: Vec<String> = Vec::new();
        for source in &self.sources {
            let results = came.message(source.origin).is_some_and(Message::has_results);
            if texts.is_empty() || !results {
                texts.push(String::new());
            }
            if let Some(text) = texts.last_mut() {
                came.speak(*source, Speech { thinking: false }, text);
            }
        }
        texts
    }
}

fn is_plain<'a>(mut messages: impl Iterator<Item = &'a Message>) -> bool {
    messages.all(|message| {
        let said = |kind: Kind| matches!(kind, Kind::Text | Kind::Reasoning);
        message.parts.iter().all(|part| said(part.kind)) && message.role != Role::Tool
    })
}

/// The summary that a message bears: of this walk, or of an earlier call.
pub(super) fn written(message: &Message, scene: &Scene<'_>) -> Option<Kept> {
    let part = message.parts.first().filter(|part| part.own && part.kind == Kind::Text)?;
    if let Some(layer) = scene.stand.layers.get(&part.from) {
        let words = layer.summary.as_deref().cloned()?;
        return Some(Kept { words, range: layer.range });
    }
    let (_, generation, words) = marker::summed(scene.store.str(part.from, part.body))?;
    let words = Words { generation, ..Words::read(words)? };
    Some(Kept { words, range: (message.origin, message.origin) })
}

/// Names what is summarised: by whom, from what, with what in mind; and the event it was wanted in. So what a later event had written is not
/// found by an earlier one, which would leave that later event nothing to do, and all that followed would be another.
fn key(scene: &Scene<'_>, previous: Option<&Words>, texts: &[String]) -> String {
    let before = previous.map_or("", |previous| previous.markdown.as_str());
    let writer = writer(scene).0.facts().id.as_bytes();
    let last = scene.stand.live.last().and_then(|message| scene.originals.place(message.origin));
    let event = last.unwrap_or_default().to_le_bytes();
    let mut of = vec![writer, scene.summaries.focus.as_bytes(), &event, before.as_bytes()];
    of.extend(texts.iter().map(String::as_bytes));
    // Two names of 50 bits, over different words: that two histories share both happens to nobody.
    let first = digest(&of);
    of.push(first.as_bytes());
    alloc::format!("palimpsest:summary:{first}{}", digest(&of))
}

/// Who writes, and the most tokens that are sent there.
fn writer<'a>(scene: &'a Scene<'_>) -> (&'a Meter, u64) {
    let other = scene.summaries.writer.as_ref().map(|(meter, at)| (meter, *at));
    other.unwrap_or((&*scene.meter, scene.policy.act))
}

/// What is to be written; nothing when no part of it fits the writer.
fn work(scene: &Scene<'_>, given: &Given, key: &str, texts: &[String], stands: u64) -> Option<Work> {
    let (writer, at) = writer(scene);
    let previous = given.previous.as_ref();
    let messages = given.sources.iter().filter_map(|source| scene.came().message(source.origin));
    let instructions = refs::instructions(messages, scene.store);
    let most = u32::try_from(stands).unwrap_or(u32::MAX);
    let share = u32::try_from(at / 5).unwrap_or(u32::MAX).max(1);
    let output = (most / 4).clamp(OUTPUT.0, OUTPUT.1).min(writer.facts().max_output.max(1)).min(share);
    let price = |text: &str| scene.meter.text(text) + 1;
    let references = refs::wanted(previous, instructions, &texts.concat(), (output / 2).min(most / 8), &price);
    let before = previous.map_or(0, |previous| writer.text(&previous.markdown));
    let listed: u32 = references.iter().map(|reference| writer.text(reference) + 2).sum();
    let beside = writer.text(&ask::instructions()) + listed + output + AROUND;
    let room = |before: u32| {
        let room = at.checked_sub(u64::from(beside) + u64::from(before)).filter(|room| *room >= LEAST)?;
        u32::try_from(room).ok()
    };
    let mut parts = ask::parts(texts, room(before)?, writer);
    if parts.len() > 1 {
        // What one part comes to stands beside the next.
        parts = ask::parts(texts, room(before.max(most_between(output)))?, writer);
    }
    Some(Work {
        key: key.into(),
        parts,
        previous: previous.cloned(),
        references,
        output,
        most: most.saturating_sub(AROUND),
    })
}

/// Most tokens that what one part comes to may take, which is asked for as `output`.
fn most_between(output: u32) -> u32 {
    output + output / 4
}

/// What the words between the pieces of a question take, in tokens.
const AROUND: u32 = 60;

/// The message that bears a summary. It speaks as the system where that is allowed and nobody else's words are behind it.
fn message(summary: &Words, plain: bool, run: &Run, scene: &mut Scene<'_>) -> Message {
    let system = plain && scene.rules.system_anywhere && !scene.rules.alternate;
    let role = if system { Role::System } else { Role::User };
    let words = marker::summary(run.messages, summary.generation) + "\n" + &summary.markdown;
    let mut message = own_words(role, &words, scene.store);
    message.parts[0].marker = run.marker;
    let from = message.parts[0].from;
    scene.meter.message(&mut message, scene.store);
    let summary = Some(Box::new(summary.clone()));
    let layer = Layer { after: message.tokens(), summary, ..Layer::over(run, "summary") };
    scene.stand.layers.insert(from, layer);
    message
}

/// A summary that was laid earlier, laid again.
pub(super) fn lay_kept(scene: &mut Scene<'_>, fates: &[Fate], fixed: &Fixed) {
    let Some(summary) = fixed.summary.clone() else { return };
    let plain = is_plain(scene.history[fixed.range.clone()].iter().filter(|message| message.role != Role::System));
    lay_again(scene, fates, &mut |run, scene| Some(message(&summary, plain, run, scene)));
}
