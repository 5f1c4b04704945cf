//! The largest things in a request: what a person would look at first.

use super::input::Input;
use crate::message::{Kind, Part};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::Serialize;

/// One of the largest things in a request.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Largest {
    /// Its message; −1 for what stands beside them.
    pub index: i64,
    /// Its part.
    pub part: usize,
    /// Its tokens.
    pub tokens: u64,
    /// What it is.
    pub what: String,
}

/// How many are told.
const MOST: usize = 5;

/// A thing on its way to be told; nothing is allocated for the many that are not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thing {
    pub index: i64,
    pub part: usize,
    pub tokens: u64,
    pub what: &'static str,
}

/// The largest so far, largest first; of equals the earlier.
#[derive(Debug, Default)]
pub(super) struct Top(Vec<Thing>);

impl Top {
    pub fn consider(&mut self, thing: Thing) {
        let full = self.0.len() == MOST;
        if thing.tokens == 0 || (full && self.0[MOST - 1].tokens >= thing.tokens) {
            return;
        }
        if full {
            self.0.pop();
        }
        let at = self.0.partition_point(|known| known.tokens >= thing.tokens);
        self.0.insert(at, thing);
    }
    /// In words, with the tools named that calls and results are of.
    pub fn told(self, input: &Input, scale: impl Fn(u64) -> u64) -> Vec<Largest> {
        let told = |Thing { index, part, tokens, what }: Thing| {
            let tool = usize::try_from(index).ok().and_then(|message| tool_of(message, part, input));
            let what = tool.map_or(what.to_string(), |tool| format!("{what} of {tool}"));
            Largest { index, part, tokens: scale(tokens), what }
        };
        self.0.into_iter().map(told).collect()
    }
}

/// The tool that a call or result is of: the newest call of its id.
fn tool_of(message: usize, part: usize, input: &Input) -> Option<&str> {
    let part = &input.messages[message].parts[part];
    if !matches!(part.kind, Kind::Call | Kind::Result) {
        return None;
    }
    let id = |part: &Part| input.store.bytes(part.id_from, part.id);
    let mut before = input.messages[..=message].iter().rev().flat_map(|message| &message.parts);
    let call = before.find(|call| call.kind == Kind::Call && id(call) == id(part))?;
    Some(input.store.str(call.from, call.name)).filter(|name| !name.is_empty())
}
