//! Tells a request that was too large from every other failure, in any provider's words.

use super::evidence::{Evidence, Said};
use super::figures::Figures;
use super::words::{NEVER, ROWS, Row, holds};
use crate::message::Value;
use alloc::borrow::ToOwned;
use alloc::string::String;
use serde::Serialize;

/// Letters of a provider's words that are handed on.
const WORDS: usize = 1000;

/// What was too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The input: give up some of it.
    Tokens,
    /// The request as bytes: give up pictures; a summary would not help.
    Bytes,
    /// The number of pictures, or one of them.
    Images,
    /// The answer that was asked for, beside an input that fits: ask for a shorter one.
    Output,
}

/// An overflow as a provider told it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Overflow {
    /// What was too large.
    pub kind: Kind,
    /// The most that may be sent: tokens of the window, bytes, or pictures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// What was sent, in the same unit. Of [`Kind::Output`] the input alone: the limit less this is left for the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actual: Option<u64>,
    /// Who speaks so, when it is one only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<&'static str>,
    /// The provider's words.
    pub message: String,
}

/// Reads an error: an SDK's, a body, an event of a stream, a text. `None` when it is no overflow.
///
/// Rate limits and throttling are none, also when they speak of tokens. A status 413 is [`Kind::Bytes`] when no words say otherwise.
pub fn overflow(error: Value<'_>) -> Option<Overflow> {
    let evidence = Evidence::of(error);
    // 402: the account cannot pay for so much; 429: too much for now.
    let passing = evidence.statuses.iter().any(|status| matches!(status, 402 | 429));
    let never = |said: &Said<'_>| NEVER.iter().any(|words| holds(&said.plain, words));
    if passing || evidence.said.iter().any(never) {
        return None;
    }
    let fits = |row: &&Row| evidence.said.iter().any(|said| holds(&said.plain, row.words));
    match ROWS.iter().find(fits) {
        Some(row) => Some(told(&evidence, row)),
        None => evidence.statuses.contains(&413).then(|| Overflow {
            kind: Kind::Bytes,
            limit: None,
            actual: None,
            provider: None,
            message: words(&evidence, None)
                .unwrap_or("The provider refused the request as too large (413).")
                .to_owned(),
        }),
    }
}

fn told(evidence: &Evidence<'_>, row: &Row) -> Overflow {
    let mut figures = Figures { limit: evidence.window, input: evidence.prompt, ..Figures::default() };
    for said in &evidence.said {
        figures.read(row.kind, &said.plain);
    }
    let sent = figures.sent();
    let kind = match (row.kind, sent, figures.limit) {
        (Kind::Tokens, Some(input), Some(limit)) if figures.output.is_some() && input < limit => Kind::Output,
        (Kind::Output, Some(input), Some(limit)) if input >= limit => Kind::Tokens,
        (kind, ..) => kind,
    };
    Overflow {
        kind,
        limit: figures.limit,
        actual: sent.or(figures.total),
        provider: Some(row.provider).filter(|provider| !provider.is_empty()),
        message: words(evidence, Some(row)).unwrap_or(row.words).to_owned(),
    }
}

/// The provider's own words: those that the row fits, best without what an SDK or a proxy has put around them.
fn words<'a>(evidence: &Evidence<'a>, row: Option<&Row>) -> Option<&'a str> {
    let rank = |said: &Said<'a>| {
        let fits = row.is_some_and(|row| holds(&said.plain, row.words));
        // Words that fit, other words, a code that fits, whatever there is.
        let rank = match (said.name, fits) {
            (false, true) => 0,
            (false, false) if said.text.contains(' ') => 1,
            (true, true) => 2,
            _ => 3,
        };
        (rank, said.text.len())
    };
    let mut found = evidence.said.iter().min_by_key(|said| rank(said))?.text;
    for said in evidence.said.iter().filter(|said| rank(said).0 == 1) {
        if found.as_bytes().windows(said.text.len()).any(|part| part == said.text.as_bytes()) {
            found = said.text;
        }
    }
    let cut = found.char_indices().nth(WORDS).map_or(found.len(), |(at, _)| at);
    Some(&found[..cut])
}
