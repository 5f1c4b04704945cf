//! Rung `summary`: a range as a story that a model writes. What it says is made from what was said, and from the summary before it; never from
//! a summary alone.

mod ask;
mod chain;
mod given;
mod known;
mod refs;
mod shed;
mod text;
mod work;

pub use given::written;
pub use known::{Question, Summaries, Told, Unwritten, Wanted};
pub use text::Summary as Words;

use super::fixed::fates;
use super::lay::{Place, gather, lay, lay_again, own_words};
use super::middle::{Fate, Middle};
use super::{Fixed, Goal, Layer, Outcome, Rung, Scene, marker};
use crate::history::units;
use crate::message::{At, Message, Role};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use chain::Chain;
use given::{Given, is_plain};
use known::{Look, Work};
use work::{LEAST, key};

/// A summary that went with the range around it, and what it covers.
#[derive(Clone, Debug)]
pub struct Kept {
    /// What it says.
    pub words: Words,
    /// First and last message, by their origins.
    pub range: (u32, u32),
    /// How many it stands for.
    pub messages: u64,
}

/// The rung.
#[derive(Debug)]
pub struct Summary;

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

    fn is_whole(&self) -> bool {
        true
    }

    fn is_due(&self, scene: &Scene<'_>, goal: &Goal) -> bool {
        !scene.meets(goal) || (scene.summaries.writes && shed::is_left(scene))
    }

    fn run(&self, scene: &mut Scene<'_>, goal: &Goal) -> Outcome {
        if !scene.summaries.writes {
            return Outcome::Unwritten(Unwritten::Nobody);
        }
        let mut outcome = match shed::run(scene, goal) {
            Some(outcome) => outcome,
            None => return Outcome::Asks,
        };
        let mut index = 0;
        while !scene.meets(goal) {
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

    fn lay_again(&self, scene: &mut Scene<'_>, fixed: &Fixed) {
        let Some(summary) = fixed.summary.clone() else { return };
        let plain = is_plain(scene.history[fixed.range.clone()].iter().filter(|message| message.role != Role::System));
        let fates = fates(scene, fixed);
        lay_again(scene, &fates, &mut |run, scene| {
            Some(message(&summary, plain, Layer::over(run, "summary"), (run.messages, run.marker), scene))
        });
    }
}

/// The summary of what is given, in less than `most` tokens; `None` when the host has to say something first.
fn written_of(given: &Given, most: u64, scene: &mut Scene<'_>) -> Option<Result<Box<Words>, Unwritten>> {
    let texts = given.texts(scene);
    let key = key(scene, given.previous.as_ref(), &texts);
    let begun = match &given.previous {
        None => Some(Chain::begin(scene, &texts)),
        Some(previous) => previous.chain.as_deref().cloned(),
    };
    let mut known = scene.summaries.look(&key);
    if known == Look::Wanted {
        known = wanted(given, &texts, key, begun.as_ref(), most, scene)?;
    }
    match known {
        Look::Written(summary) => {
            let chain = begun.map(|begun| begun.over(&texts).into());
            Some(Ok(Box::new(Words { chain, ..*summary })))
        }
        Look::Not(unwritten) => Some(Err(unwritten)),
        Look::Wanted | Look::Waits => None,
    }
}

/// Has a summary written, or finds one that holds the beginning, which is updated, or all of it.
fn wanted(
    given: &Given,
    texts: &[String],
    key: String,
    begun: Option<&Chain>,
    most: u64,
    scene: &mut Scene<'_>,
) -> Option<Look> {
    let mut work = None;
    if let Some(begun) = begun.filter(|_| given.previous.is_none())
        && let (held, Some(words)) = scene.summaries.beginning(begun, texts)?
    {
        // What stands for little more than itself is better written anew.
        if held == texts.len() && u64::from(scene.meter.text(&words.markdown)) < most / 2 {
            return Some(scene.summaries.take_over(key, words));
        }
        if held < texts.len() {
            work = work::work(scene, given, Some(words), &key, &texts[held..], most);
        }
    }
    // So is what leaves a writer of a small window so little room beside it that there are more parts, or no room.
    if work.as_ref().is_none_or(|work: &Work| work.parts.len() > 1) {
        let anew = work::work(scene, given, given.previous.clone(), &key, texts, most);
        let parts = |work: &Option<Work>| work.as_ref().map_or(usize::MAX, |work| work.parts.len());
        if parts(&anew) < parts(&work) {
            work = anew;
        }
    }
    if let Some(work) = &mut work {
        work.chain = begun.map(|begun| begun.clone().over(texts));
    }
    Some(scene.summaries.begin(key, work))
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
    let summary = match written_of(&given, run.stands, scene)? {
        Ok(summary) => summary,
        Err(unwritten) => return Some(Outcome::Unwritten(unwritten)),
    };
    let plain = given.plain;
    Some(
        match lay(scene, fates, &mut |run, scene| {
            Some(message(&summary, plain, Layer::over(run, "summary"), (run.messages, run.marker), scene))
        }) {
            Outcome::WouldNotShrink => {
                scene.summaries.why = "it is no shorter than what it would stand for".into();
                Outcome::Unwritten(Unwritten::Rejected)
            }
            outcome => outcome,
        },
    )
}

/// The message that bears a summary. It speaks as the system where that is allowed and nobody else's words are behind it.
fn message(
    summary: &Words,
    plain: bool,
    layer: Layer,
    (messages, marked): (u64, Option<(u32, At)>),
    scene: &mut Scene<'_>,
) -> Message {
    let system = plain && scene.rules.system_anywhere && !scene.rules.alternate;
    let role = if system { Role::System } else { Role::User };
    let words = marker::summary(messages, summary.generation) + "\n" + &summary.markdown;
    let mut message = own_words(role, &words, scene.store);
    message.parts[0].marker = marked;
    let from = message.parts[0].from;
    scene.meter.message(&mut message, scene.store);
    let summary = Some(Box::new(summary.clone()));
    scene.stand.lay(from, Layer { after: message.tokens(), summary, ..layer });
    message
}
