//! What was done, in figures and words.

use super::reference::digest;
use super::{Blank, Layer, Outcome, Policy, RUNGS, Rung, Stand, Unwritten, Words, grouped, rung_named};
use crate::history::Repair;
use crate::message::{Message, Store};
use crate::page::PageShape;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::Serialize;

/// How much stands in a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Count {
    /// Tokens of the reader.
    pub tokens: u64,
    /// Bytes as JSON.
    pub bytes: u64,
    /// Messages.
    pub messages: usize,
    /// Pictures.
    pub images: u64,
}

/// What was done to a request.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The wire format the request was read as.
    pub format: &'static str,
    /// The reader.
    pub model: String,
    /// Its window, in tokens.
    pub window: u64,
    /// Where it acts, in tokens.
    pub threshold_tokens: u64,
    /// Where it stops, in tokens.
    pub target_tokens: u64,
    /// The request as it came.
    pub before: Count,
    /// The request as it goes.
    pub after: Count,
    /// Tokens of the request as it goes before any calibration: what `calibrate` compares with usage.
    pub estimated: u64,
    /// True when it fits the window less the reserve, and the limits.
    pub fits: bool,
    /// One entry for each rung that the caller wanted.
    pub rungs: Vec<RungEntry>,
    /// What was mended.
    pub repairs: Vec<Repair>,
    /// What was laid over which range.
    pub records: Vec<Record>,
}

impl Report {
    /// With tokens as they are told. It was made with those of the estimate.
    #[must_use]
    pub fn calibrated(mut self, policy: &Policy) -> Report {
        let told = |tokens: &mut u64| *tokens = policy.calibrated(*tokens);
        [&mut self.threshold_tokens, &mut self.target_tokens].into_iter().for_each(told);
        [&mut self.before.tokens, &mut self.after.tokens].into_iter().for_each(told);
        self.rungs.iter_mut().flat_map(|rung| [&mut rung.before, &mut rung.after]).for_each(told);
        self.records.iter_mut().flat_map(|record| [&mut record.before, &mut record.after]).for_each(told);
        self
    }
}

/// What a rung did, or why it did nothing.
#[derive(Clone, Debug, Serialize)]
pub struct RungEntry {
    /// The rung.
    pub rung: &'static str,
    /// True when it changed something.
    pub ran: bool,
    /// Why, as a code.
    pub code: &'static str,
    /// Why, in words.
    pub reason: String,
    /// Tokens of the request before it.
    pub before: u64,
    /// Tokens of the request after it.
    pub after: u64,
    /// Things of it that stand in the result.
    pub items: usize,
    /// Milliseconds; the host fills them in.
    pub ms: u32,
}

/// What was laid over a range of the history.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    /// Names the record; the same for the same history.
    pub id: String,
    /// The rung that laid it.
    pub rung: &'static str,
    /// First input message.
    pub from: u32,
    /// Last input message.
    pub to: u32,
    /// References of elided results.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<String>,
    /// How the pages are laid out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shape: Option<PageShape>,
    /// What the summary says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<Words>,
    /// Pages at the beginning that are not drawn.
    #[serde(skip_serializing_if = "is_none")]
    pub shed: u64,
    /// Messages at the beginning that an earlier pass had left out: they stand on no page.
    #[serde(skip_serializing_if = "is_none")]
    pub left_out: u64,
    /// The first message that stands on a page, when some before it do not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drawn_from: Option<u32>,
    /// Of the last message only the results belong to it: what its person said stays in words.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub last_results_only: bool,
    /// Tokens of what stood there.
    pub before: u64,
    /// Tokens of what stands there.
    pub after: u64,
    /// The reader it was laid for.
    pub model: String,
}

fn is_none(number: &u64) -> bool {
    *number == 0
}

impl Record {
    /// The record of a range that was dropped with nothing in its place.
    pub fn of_window(from: u32, to: u32, before: u64, model: &str) -> Record {
        let mut record = Record {
            id: String::new(),
            rung: "window",
            from,
            to,
            summary: None,
            items: Vec::new(),
            shape: None,
            shed: 0,
            left_out: 0,
            drawn_from: None,
            last_results_only: false,
            before,
            after: 0,
            model: model.to_string(),
        };
        record.id = record.digest();
        record
    }
    fn digest(&self) -> String {
        let (from, to) = (self.from.to_le_bytes(), self.to.to_le_bytes());
        digest(&[self.rung.as_bytes(), &from, &to, self.items.concat().as_bytes()])
    }
}

/// The entries of all wanted rungs, from `start` tokens down to what now stands.
pub fn entries(stand: &Stand, policy: &Policy, why: &str, start: u64) -> Vec<RungEntry> {
    let outcomes = &stand.outcomes;
    let standing = standing(stand);
    let mut left = start;
    let mut entries = Vec::new();
    let stands = |rung: &str| standing.iter().any(|layer| layer.rung == rung);
    let ran = |(slot, rung): &(usize, &&dyn Rung)| outcomes[*slot] == Some(Outcome::Ran) && stands(rung.name());
    let last_ran = RUNGS.iter().enumerate().rfind(ran).map(|(slot, _)| slot);
    for (slot, rung) in RUNGS.iter().enumerate() {
        if !policy.rungs.iter().any(|wanted| wanted.name() == rung.name()) {
            continue;
        }
        let mine = standing.iter().filter(|layer| layer.rung == rung.name());
        let saved: u64 = mine.clone().map(|layer| layer.before.saturating_sub(layer.after)).sum();
        let items = mine.count();
        if outcomes[slot] != Some(Outcome::Ran) || items == 0 {
            let (code, reason) = why_not(outcomes[slot], why, rung.noun().1);
            entries.push(RungEntry::skipped(rung.name(), code, reason, left));
            continue;
        }
        // Ranges take elided results with them, so the last rung that ran accounts for whatever no standing layer does.
        let after = if last_ran == Some(slot) { stand.fill.tokens } else { left - saved.min(left) };
        let (one, many) = rung.noun();
        let noun = if items == 1 { one } else { many };
        let reason = format!("{} {noun} {}", grouped(items as u64), rung.verb());
        let (rung, before) = (rung.name(), left);
        entries.push(RungEntry { rung, ran: true, code: "ran", reason, before, after, items, ms: 0 });
        left = after;
    }
    entries
}

fn why_not(outcome: Option<Outcome>, why: &str, many: &str) -> (&'static str, String) {
    match outcome {
        None => ("not-needed", "the request was small enough before it".to_string()),
        Some(Outcome::NothingToDo) => ("nothing-to-do", format!("no {many} may be given up")),
        Some(Outcome::WouldNotShrink) => ("would-not-shrink", "giving up what may go would save nothing".to_string()),
        Some(Outcome::Blank(Blank::Blind)) => ("no-vision", "the model cannot see pages".to_string()),
        Some(Outcome::Blank(_)) => {
            let words = "nobody measured what this model can read; `pages.profile` or `pages.shape` says it";
            ("unmeasured-reader", words.to_string())
        }
        Some(Outcome::Dearer { text, pages }) => {
            let (text, pages) = (grouped(text), grouped(pages));
            ("would-not-shrink", format!("the text costs {text} tokens, pages of it would cost {pages}"))
        }
        Some(Outcome::Unrenderable { missing, letters }) => {
            let (missing, letters) = (grouped(missing), grouped(letters));
            (
                "unrenderable",
                format!("no face draws {missing} of {letters} letters; `pages.fonts` may bring one that does"),
            )
        }
        Some(Outcome::Unwritten(unwritten)) => match unwritten {
            Unwritten::Nobody => ("no-summarizer", "nobody writes summaries: give `summarize`".to_string()),
            Unwritten::Forgotten => {
                ("nothing-to-do", "nobody remembers the summary of an earlier range: `memo` keeps them".to_string())
            }
            Unwritten::Rejected => ("summary-rejected", why.to_string()),
            Unwritten::Failed => ("summary-failed", why.to_string()),
            Unwritten::Aborted => ("aborted", why.to_string()),
        },
        Some(Outcome::Asks) => ("nothing-to-do", "the summary was not waited for".to_string()),
        Some(Outcome::PageLimit) => ("page-limit", "not one page has room beside what stays".to_string()),
        // In an earlier event of the walk.
        Some(Outcome::Ran) => ("nothing-to-do", format!("the {many} it gave up went later with a range of messages")),
    }
}

impl RungEntry {
    fn skipped(rung: &'static str, code: &'static str, reason: String, left: u64) -> RungEntry {
        RungEntry { rung, ran: false, code, reason, before: left, after: left, items: 0, ms: 0 }
    }
}

/// The records of everything that still stands: one for each rung that replaces parts, one for each range that was dropped.
pub fn records(stand: &Stand, store: &Store, shape: Option<&PageShape>, model: &str) -> Vec<Record> {
    let mut records: Vec<Record> = Vec::new();
    for layer in standing(stand) {
        let single = rung_named(layer.rung).is_some_and(|rung| !rung.is_whole());
        let open = records.iter_mut().find(|record| single && record.rung == layer.rung);
        match open {
            Some(record) => {
                record.from = record.from.min(layer.range.0);
                record.to = record.to.max(layer.range.1);
                record.before += layer.before;
                record.after += layer.after;
                record.items.extend(layer.reference.clone());
            }
            None => records.push(Record {
                id: String::new(),
                rung: layer.rung,
                from: layer.range.0,
                to: layer.range.1,
                items: layer.reference.iter().cloned().collect(),
                shape: shape.filter(|_| layer.block.is_some()).cloned(),
                summary: layer.summary.as_deref().cloned(),
                shed: layer.block.as_ref().map_or(0, |block| block.shed),
                left_out: layer.block.as_ref().map_or(0, |block| block.left_out),
                drawn_from: layer
                    .block
                    .as_ref()
                    .filter(|block| block.left_out > 0)
                    .and_then(|block| block.first(store)),
                last_results_only: layer.last_results_only,
                before: layer.before,
                after: layer.after,
                model: model.to_string(),
            }),
        }
    }
    for record in &mut records {
        record.id = record.digest();
    }
    records
}

fn standing(stand: &Stand) -> Vec<&Layer> {
    if stand.layers.is_empty() {
        return Vec::new();
    }
    let parts = stand.live.iter().flat_map(|message: &Message| &message.parts);
    parts.filter_map(|part| stand.layers.get(if part.is_replaced() { &part.instead } else { &part.from })).collect()
}
