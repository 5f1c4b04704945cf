//! What prices stand on: the reader, the caller's wishes, and what stands beside the messages.

use super::error::Error;
use super::input::Input;
use super::measure::Beside;
use super::model::facts_of;
use crate::format::Format;
use crate::ladder::{Blank, Easel, Policy, Summaries, Wish};
use crate::meter::Meter;

/// What prices stand on.
pub struct Priced {
    pub format: &'static dyn Format,
    pub meter: Meter,
    pub policy: Policy,
    pub beside: Beside,
    pub wish: Wish,
}

impl Priced {
    /// Reads the options; prices what stands beside the messages.
    ///
    /// # Errors
    /// [`Error::Option`] and [`Error::UnknownModel`].
    pub fn read(input: &Input, format: &'static dyn Format) -> Result<Priced, Error> {
        let envelope = input.envelope();
        let options = input.options();
        let facts = facts_of(options.get("model"), envelope.model)?;
        let policy = Policy::read(options, &facts, envelope.max_output)?;
        let wish = Wish::read(options.within("pages")?, &facts)?;
        let mut meter = Meter::new(facts);
        let beside = Beside::price(input, format, &mut meter);
        Ok(Priced { format, meter, policy, beside, wish })
    }
    /// The summaries of a walk: who writes them, and what is remembered.
    ///
    /// # Errors
    /// [`Error::Option`] and [`Error::UnknownModel`].
    pub fn summaries(input: &Input) -> Result<Summaries, Error> {
        let options = input.options();
        let mut summaries = Summaries::default();
        summaries.writes = input.has("summarize");
        summaries.remembers = input.has("memo");
        summaries.focus = options.text("focus")?.unwrap_or_default().into();
        if let Some(model) = options.get("summaryModel") {
            let facts = facts_of(Some(model), None)?;
            let most = u64::from(facts.window) * 4 / 5;
            summaries.writer = Some((Meter::new(facts), most));
        }
        Ok(summaries)
    }
    /// What pages are drawn with, where they may be due.
    ///
    /// # Errors
    /// [`Error::Option`] for a shape that cannot be drawn and a font that is none.
    pub fn easel(&self, fonts: &[alloc::vec::Vec<u8>]) -> Result<Result<Easel, Blank>, Error> {
        let facts = self.meter.facts();
        if !self.policy.wants("snapshot") {
            return Ok(Err(Blank::Unwanted));
        }
        match self.wish.blank(facts) {
            Some(blank) => Ok(Err(blank)),
            None => Ok(Ok(Easel::new(facts, &self.wish, self.format.has_detail(), fonts)?)),
        }
    }
}
