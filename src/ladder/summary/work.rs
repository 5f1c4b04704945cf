//! What a writer is given to do: under which name, from how many parts, for how long an answer.

use super::given::Given;
use super::known::Work;
use super::{Words, ask, refs};
use crate::ladder::Scene;
use crate::ladder::reference::digest;
use crate::meter::Meter;
use alloc::string::String;
use alloc::vec;

/// A range that costs less is not worth a call, in tokens.
pub const LEAST: u64 = 200;
/// Least tokens that are asked for, and most.
pub const OUTPUT: (u32, u32) = (512, 4096);

/// Names what is summarised: by whom, from what, with what in mind; and the event it was wanted in. So what a later event had written is not
/// found by an earlier one, which would leave that later event nothing to do, and all that followed would be another.
pub fn key(scene: &Scene<'_>, previous: Option<&Words>, texts: &[String]) -> String {
    let before = previous.map_or("", |previous| previous.markdown.as_str());
    let writer = writer(scene).0.facts().id.as_bytes();
    let last = scene.stand.live.last().and_then(|message| scene.originals.place(message.origin));
    let event = last.unwrap_or_default().to_le_bytes();
    let mut of = vec![writer, scene.summaries.focus.as_bytes(), &event, before.as_bytes()];
    of.extend(texts.iter().map(String::as_bytes));
    String::from("palimpsest:summary:") + &name(&of)
}

/// A name for these words. Two of 50 bits, over different words: that two histories share both happens to nobody.
pub fn name(of: &[&[u8]]) -> String {
    let first = digest(of);
    let mut more = of.to_vec();
    more.push(first.as_bytes());
    let second = digest(&more);
    first + &second
}

/// Who writes, and the most tokens that are sent there.
pub fn writer<'a>(scene: &'a Scene<'_>) -> (&'a Meter, u64) {
    let other = scene.summaries.writer.as_ref().map(|(meter, at)| (meter, *at));
    other.unwrap_or((&*scene.meter, scene.policy.act))
}

/// What is to be written: `previous` with `texts`. Nothing when no part of it fits the writer.
pub fn work(
    scene: &Scene<'_>,
    given: &Given,
    previous: Option<Words>,
    key: &str,
    texts: &[String],
    stands: u64,
) -> Option<Work> {
    let (writer, at) = writer(scene);
    let messages = given.sources.iter().filter_map(|source| scene.came().message(source.origin));
    let instructions = refs::instructions(messages, scene.store);
    let most = u32::try_from(stands).unwrap_or(u32::MAX);
    let share = u32::try_from(at / 5).unwrap_or(u32::MAX).max(1);
    let output = (most / 4).clamp(OUTPUT.0, OUTPUT.1).min(writer.facts().max_output.max(1)).min(share).min(most);
    let price = |text: &str| scene.meter.text(text) + 1;
    let references = refs::wanted(previous.as_ref(), instructions, &texts.concat(), (output / 2).min(most / 8), &price);
    let before = previous.as_ref().map_or(0, |previous| writer.text(&previous.markdown));
    let listed: u32 = references.iter().map(|reference| writer.text(reference) + 2).sum();
    let beside = writer.text(&ask::instructions()) + writer.text(&scene.summaries.focus) + listed + output + AROUND;
    let room = |before: u32| {
        let room = at.checked_sub(u64::from(beside) + u64::from(before)).filter(|room| *room >= LEAST)?;
        u32::try_from(room).ok()
    };
    let mut parts = ask::parts(texts, room(before)?, writer);
    if parts.len() > 1 {
        // What one part comes to stands beside the next.
        parts = ask::parts(texts, room(before.max(most_between(output)))?, writer);
    }
    Some(Work { key: key.into(), parts, previous, references, output, most: most.saturating_sub(AROUND), chain: None })
}

/// Most tokens that what one part comes to may take, which is asked for as `output`.
pub fn most_between(output: u32) -> u32 {
    output + output / 4
}

/// What the words between the pieces of a question take, in tokens.
const AROUND: u32 = 60;
