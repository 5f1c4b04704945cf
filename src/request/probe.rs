//! The reading test of `probeReader`: from coarse to dense, until a reader misses a key.

use super::error::Error;
use super::model::facts_of;
use crate::message::{Reading, Value};
use crate::page::PageShape;
use crate::page::probe::{KEYS, Test};
use crate::page::reader::LADDER;
use crate::page::shape::Plan;
use alloc::borrow::ToOwned;
use alloc::string::String;
use serde::Serialize;

/// One step: what to draw and to ask, or with an answer how well it was read.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Step {
    /// A page and a question.
    Ask {
        /// What is drawn: one page.
        text: String,
        /// What is asked.
        question: String,
        /// How it is drawn.
        shape: PageShape,
    },
    /// How much of it was read.
    Marked {
        /// Share of the keys that came back without a fault, from 0 to 1.
        exact: f64,
    },
}

/// `asked`: the `model`, the number of the `step`, and its `answer` when there is one. `None` when no denser pitch is left.
///
/// # Errors
/// As [`facts_of`].
pub fn probe(asked: Value<'_>) -> Result<Option<Step>, Error> {
    let asked = Reading(Some(asked));
    let facts = facts_of(asked.get("model"), None)?;
    let step = asked.whole("step", 0)?.unwrap_or_default();
    let Some(&pitch) = LADDER.get(step as usize) else { return Ok(None) };
    let Some(plan) = Plan::new(&facts, pitch, false) else { return Ok(None) };
    let shape = plan.shape;
    // A row less than a page: line breaks and names that are a little longer never make a second one.
    let letters = (shape.columns * (shape.rows.max(2) - 1)) as usize;
    let test = Test::new(pitch, letters);
    Ok(Some(match asked.text("answer")? {
        Some(answer) => Step::Marked { exact: test.right(answer) as f64 / KEYS as f64 },
        None => Step::Ask { question: test.question(), text: test.text.to_owned(), shape },
    }))
}
