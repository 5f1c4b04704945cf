//! Rung `snapshot`: the middle as pages of tiny glyphs, drawn from what was said and not from what earlier passes left of it. The whole middle
//! at once, oldest first, so that a later pass changes the last page only.

use super::block::{Block, Draft, bytes};
use super::lay::{Place, Run, gather, lay, notice};
use super::middle::{Fate, Middle};
use super::own::is_opaque;
use super::{Came, Fixed, Goal, Layer, Outcome, Rung, Scene, Source, fixed, marker};
use crate::history::units;
use crate::message::Message;
use crate::page::flow::Count;
use alloc::vec;
use alloc::vec::Vec;

/// The rung.
#[derive(Debug)]
pub struct Snapshot;

/// Most letters that no face draws, in hundredths: the public contract's 0.05.
const MISSING: u64 = 5;
/// Most that the fact sheet may take of what pages save, in hundredths.
pub const SHEET: u64 = 8;
/// What is left of a limit of pages once it was passed, in quarters.
const QUARTERS: u64 = 3;

impl Rung for Snapshot {
    fn name(&self) -> &'static str {
        "snapshot"
    }

    fn noun(&self) -> (&'static str, &'static str) {
        ("range of messages", "ranges of messages")
    }

    fn verb(&self) -> &'static str {
        "drawn as pages"
    }

    fn is_whole(&self) -> bool {
        true
    }

    fn run(&self, scene: &mut Scene<'_>, goal: &Goal) -> Outcome {
        if let Err(blank) = scene.easel {
            return Outcome::Blank(*blank);
        }
        let mut fates = fates(scene, goal);
        for run in runs(scene, &fates).iter().filter(|run| !run.fresh) {
            leave(run, &mut fates);
        }
        let runs = runs(scene, &fates);
        if runs.is_empty() {
            return Outcome::NothingToDo;
        }
        let drafts = match drafts(scene, &runs, goal) {
            Ok(drafts) => drafts,
            Err(outcome) => return outcome,
        };
        let text: u64 = runs.iter().map(|run| run.stands).sum();
        let pages: u64 = drafts.iter().map(|draft| draft.tokens).sum();
        let refused = Outcome::Dearer { text, pages };
        let mut worth = Vec::new();
        for (run, draft) in runs.iter().zip(drafts) {
            if draft.tokens < run.stands {
                worth.push(draft);
            } else {
                leave(run, &mut fates);
            }
        }
        if worth.is_empty() {
            return refused;
        }
        let mut worth = worth.into_iter();
        let mut cover = |run: &Run, scene: &mut Scene<'_>| match worth.next() {
            Some(draft) if !draft.rows.is_empty() => Some(draft.lay(run, scene)),
            _ => notice(run, scene),
        };
        match lay(scene, &fates, &mut cover) {
            Outcome::WouldNotShrink => refused,
            outcome => outcome,
        }
    }

    fn lay_again(&self, scene: &mut Scene<'_>, fixed: &Fixed) {
        // Where the reader of today cannot see, the words stand, and the walk goes on with them.
        if scene.easel.is_ok() {
            let fates = fixed::fates(scene, fixed);
            lay(scene, &fates, &mut |run, scene| draft_again(scene, run, fixed));
        }
    }
}

/// What becomes of each live message: the middle goes, but for units in which something of an earlier call stands that nothing can draw again.
fn fates(scene: &Scene<'_>, goal: &Goal) -> Vec<Fate> {
    let live = &scene.stand.live;
    let units = units(live, scene.rules);
    let middle = Middle::find(scene, &units, goal);
    let mut fates = vec![Fate::Stays; live.len()];
    for &(m, fate) in middle.ranges.iter().flatten() {
        fates[m] = fate;
    }
    for unit in &units {
        let messages = unit.messages.clone();
        if live[messages.clone()].iter().any(|message| is_opaque(message, scene.store)) {
            fates[messages].fill(Fate::Stays);
        }
    }
    fates
}

fn runs(scene: &Scene<'_>, fates: &[Fate]) -> Vec<Run> {
    let gone = |place| if let Place::Gone(run) = place { Some(run) } else { None };
    gather(scene, fates).into_iter().filter_map(gone).collect()
}

fn leave(run: &Run, fates: &mut [Fate]) {
    run.indexes.iter().for_each(|&m| fates[m] = Fate::Stays);
}

/// A run drawn again as it was drawn before: with the same pages left out, whatever it costs.
fn draft_again(scene: &mut Scene<'_>, run: &Run, fixed: &Fixed) -> Option<Message> {
    let mut run = run.clone();
    let history = scene.history;
    let (left_out, first) = fixed.left_out;
    let first = scene.history.get(first).map(|message| message.origin).filter(|_| left_out > 0);
    if let Some(mut at) = run.sources.iter().position(|source| Some(source.origin) == first) {
        // What a repair put in before it has no number that a record could name: words belong to what follows, results to what was left out.
        let put_in = |source: &Source| {
            let message = history.iter().find(|message| message.origin == source.origin);
            !scene.store.is_input(source.origin) && message.is_some_and(|message| !message.has_results())
        };
        while at.checked_sub(1).and_then(|before| run.sources.get(before)).is_some_and(put_in) {
            at -= 1;
        }
        let came = scene.came();
        let cost = |source: Source| Some(source.tokens(came.message(source.origin)?));
        run.original = run.original.saturating_sub(run.sources.drain(..at).filter_map(cost).sum());
        run.left_out = left_out;
    }
    let run = &run;
    let easel = scene.easel.as_mut().ok()?;
    let came = Came { originals: scene.originals, history, store: scene.store };
    let count = easel.measure(&run.sources, came);
    let shape = &easel.plan.shape;
    let rows = count.cells.div_ceil(u64::from(shape.columns));
    let shed = fixed.shed.max(run.shed).min(rows.div_ceil(u64::from(shape.rows)));
    let draft = draft(scene, run, rows, shed);
    if draft.rows.is_empty() { notice(run, scene) } else { Some(draft.lay(run, scene)) }
}

/// Pages of what is left of a block when what they left out goes elsewhere.
pub(super) fn drawn_alone(scene: &mut Scene<'_>, at: usize, layer: &Layer, gone: usize) -> Option<Message> {
    let block = layer.block.as_ref()?;
    let (told, sources) = block.sources.split_at_checked(gone)?;
    let came = scene.came();
    let cost = |source: &Source| Some(source.tokens(came.message(source.origin)?));
    let original = block.original.saturating_sub(told.iter().filter_map(cost).sum());
    let messages = sources.iter().filter(|source| scene.store.is_input(source.origin)).count() as u64;
    let range = (sources.first()?.origin, layer.range.1);
    let marker = scene.stand.live[at].parts.iter().rev().find_map(|part| part.marker);
    let run = Run::of(range, sources, (messages, original), marker, layer.last_results_only);
    let came = Came { originals: scene.originals, history: scene.history, store: scene.store };
    let easel = scene.easel.as_mut().ok()?;
    let count = easel.measure(&run.sources, came);
    let rows = count.cells.div_ceil(u64::from(easel.plan.shape.columns));
    Some(draft(scene, &run, rows, 0).lay(&run, scene))
}

/// What each run would come to.
fn drafts(scene: &mut Scene<'_>, runs: &[Run], goal: &Goal) -> Result<Vec<Draft>, Outcome> {
    let Ok(easel) = scene.easel.as_mut() else { return Ok(Vec::new()) };
    let came = Came { originals: scene.originals, history: scene.history, store: scene.store };
    let counts: Vec<Count> = runs.iter().map(|run| easel.measure(&run.sources, came)).collect();
    let letters: u64 = counts.iter().map(|count| count.letters).sum();
    let missing: u64 = counts.iter().map(|count| count.missing).sum();
    if missing * 100 > letters * MISSING {
        return Err(Outcome::Unrenderable { missing, letters });
    }
    let shape = &easel.plan.shape;
    let rows: Vec<u64> = counts.iter().map(|count| count.cells.div_ceil(u64::from(shape.columns))).collect();
    let pages: Vec<u64> = rows.iter().map(|rows| rows.div_ceil(u64::from(shape.rows))).collect();
    let mut shed: Vec<u64> = runs.iter().map(|run| run.shed).collect();
    let wanted: u64 = pages.iter().zip(&shed).map(|(pages, shed)| pages.saturating_sub(*shed)).sum();
    let most = most_pages(scene, runs, goal);
    if most == 0 {
        return Err(Outcome::PageLimit);
    }
    if wanted > most {
        let mut over = wanted - (most * QUARTERS / 4).max(1);
        for (shed, pages) in shed.iter_mut().zip(&pages) {
            let more = over.min(pages.saturating_sub(*shed));
            *shed += more;
            over -= more;
        }
    }
    let plan = |(index, run)| draft(scene, run, rows[index], shed[index]);
    Ok(runs.iter().enumerate().map(plan).collect())
}

/// The least of what the caller, the provider and the goal leave room for.
fn most_pages(scene: &Scene<'_>, runs: &[Run], goal: &Goal) -> u64 {
    let Ok(easel) = &scene.easel else { return 0 };
    let shape = &easel.plan.shape;
    let going = |cost: fn(&Run) -> u64| runs.iter().map(cost).sum::<u64>();
    let words = u64::from(scene.meter.text(&marker::lead_in(0))) + WORDS;
    let stop = goal.tokens.unwrap_or(scene.policy.stop) + going(|run| run.stands);
    let tokens = stop.saturating_sub(scene.price() + words * runs.len() as u64);
    let by_tokens = tokens / u64::from(easel.plan.page(shape.rows).tokens).max(1);
    let fill = &scene.stand.fill;
    let images = |most: u64| (most + going(|run| run.images)).saturating_sub(fill.images);
    let bytes =
        |most: u64| (most + going(|run| run.bytes)).saturating_sub(fill.bytes) / bytes(shape.columns, shape.rows);
    let limits = [
        easel.max_pages.map(u64::from),
        goal.images.or(scene.policy.most_images).map(images),
        goal.bytes.or(scene.policy.most_bytes).map(bytes),
    ];
    limits.into_iter().flatten().fold(by_tokens, u64::min)
}

/// What the message and its sheet take beside lead-in and pages, about, in tokens.
const WORDS: u64 = 40;

fn draft(scene: &mut Scene<'_>, run: &Run, rows: u64, shed: u64) -> Draft {
    let Ok(easel) = scene.easel.as_mut() else { return Draft::default() };
    let shape = &easel.plan.shape;
    let (columns, full) = (u64::from(shape.columns), u64::from(shape.rows));
    let Run { messages, left_out, original, .. } = *run;
    let mut block = Block { sources: run.sources.clone(), messages, left_out, shed, original };
    let mut drawn = &run.sources[..];
    let mut untold = run.left_out;
    if shed > 0 {
        let came = Came { originals: scene.originals, history: scene.history, store: scene.store };
        let ends = easel.ends(&run.sources, came);
        let gone = ends.partition_point(|&end| end <= shed * full * columns);
        untold += gone as u64;
        drawn = &run.sources[gone..];
    }
    block.messages = block.messages.max(untold);
    let left = rows.saturating_sub(shed * full);
    let page = |n: u64| (left - n * full).min(full) as u32;
    let rows: Vec<u32> = (0..left.div_ceil(full)).map(page).collect();
    let pages: u64 = rows.iter().map(|&rows| u64::from(easel.plan.page(rows).tokens)).sum();
    let facts = easel.facts(drawn);
    // What they cost as they came, so that the sheet does not depend on what was elided of them meanwhile. Where results were cut on the pages,
    // the saving is large and little of it is due to the pages.
    let budget = (original.saturating_sub(pages) * SHEET / 100).min(pages / 4);
    let price = |fact: &str| scene.meter.text(fact) + 1;
    let facts = facts.sheet(budget as u32, &price);
    let (lead_in, sheet) = (marker::lead_in(untold), marker::sheet(block.messages, &facts));
    let words = scene.meter.text(&lead_in) + scene.meter.text(&sheet) + crate::meter::MESSAGE;
    Draft { block, rows, tokens: pages + u64::from(words), lead_in, sheet }
}
