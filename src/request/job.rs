//! A job: one call of the package, as a machine that asks the host and is called again.

use super::answer::{self, Said};
use super::ask::Texts;
use super::compact::{Finished, Ready, Walked, accepted};
use super::error::Error;
use super::input::{Input, Op};
use super::measure::measure;
use super::mend::mend;
use super::pages::{self, Paging};
use super::priced::Priced;
use super::restore::restore;
use super::trim;
use crate::format::Format;
use crate::history::check;
use crate::ladder::{Blank, Policy};
use crate::message::Value;
use crate::message::edit::Edits;
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// One call of the package.
pub struct Job {
    op: Op,
    input: Input,
    stage: Stage,
    /// Fonts of the caller's.
    fonts: Vec<Vec<u8>>,
    /// The last page that was drawn for its own sake.
    page: Vec<u8>,
}

/// What the next answer is for.
enum Stage {
    /// Messages come in.
    Reading,
    /// Exact counts were asked for.
    Counting(Texts, Priced),
    /// The caller's placeholders were asked for.
    Placing(Vec<String>, Ready, Priced),
    /// The host was asked about a summary, or given a moment between two pages.
    Walking(Box<Walked>, Priced),
    /// The same where pages are all that is wanted.
    Paging(Box<Paging>),
    /// The provider's own count was asked for.
    Weighing(Box<Finished>, Policy),
    /// The end was told.
    Over,
}

impl Job {
    /// Starts a job with the envelope and the options, both as tapes.
    ///
    /// # Errors
    /// As [`Input::new`].
    pub fn new(op: Op, envelope: Vec<u8>, options: Vec<u8>) -> Result<Job, Error> {
        let input = Input::new(envelope, options)?;
        Ok(Job { op, input, stage: Stage::Reading, fonts: Vec::new(), page: Vec::new() })
    }
    /// Takes the next message as a tape.
    ///
    /// # Errors
    /// As [`Input::push`].
    pub fn push(&mut self, message: Vec<u8>) -> Result<(), Error> {
        self.input.push(message)
    }
    /// Takes a font for pages, TrueType or OpenType.
    pub fn font(&mut self, font: Vec<u8>) {
        self.fonts.push(font);
    }
    /// The PNG of the page that the last answer spoke of.
    pub fn page(&mut self) -> Vec<u8> {
        core::mem::take(&mut self.page)
    }
    /// Goes on until the end, or until the host is needed: `answer` is what it said to the last question, as a tape.
    ///
    /// # Errors
    /// Every error of the package. The job is over then.
    pub fn next(&mut self, answer: Option<Vec<u8>>) -> Result<String, Error> {
        let said = Said::read(answer);
        match core::mem::replace(&mut self.stage, Stage::Over) {
            Stage::Reading => self.begin(),
            Stage::Counting(texts, mut priced) => {
                let Priced { meter, beside, .. } = &mut priced;
                texts.take(&said.list(Value::f64), &mut self.input, beside, meter)?;
                self.priced(priced)
            }
            Stage::Placing(names, ready, priced) => {
                let words = said.list(|words| words.str().map(str::to_owned));
                let given = names.into_iter().zip(words).filter_map(|(name, words)| Some((name, words?)));
                let given = given.collect();
                self.walk(ready, priced, given)
            }
            Stage::Walking(mut walked, priced) => {
                walked.told(&said.told(), &priced.meter);
                self.step(walked, priced)
            }
            Stage::Paging(paging) => self.paged(paging),
            Stage::Weighing(mut finished, policy) => {
                if let Some(counted) = said.value().and_then(Value::f64) {
                    finished.weigh(counted as u64, &policy);
                }
                Ok(answer::done(finished.result(&policy)?))
            }
            Stage::Over => Err(Error::Internal("the job is over".to_owned())),
        }
    }

    fn begin(&mut self) -> Result<String, Error> {
        if self.op == Op::Pages {
            let paging = Paging::new(&mut self.input, &self.fonts)?;
            return self.paged(Box::new(paging));
        }
        let format = self.input.settle()?;
        match self.op {
            Op::Check => Ok(answer::done(check(&self.input.messages, &self.input.store, self.input.rules()))),
            Op::Repair => self.mend(format),
            Op::Transcript => Ok(answer::done(pages::transcript(&self.input))),
            Op::Restore => Ok(answer::done(restore(&mut self.input)?)),
            _ => {
                let priced = self.price(format)?;
                if self.input.has("countTokens") {
                    let texts = Texts::of(&self.input, &self.input.messages, 0, format);
                    let question = answer::ask_count(&texts.places);
                    self.stage = Stage::Counting(texts, priced);
                    return Ok(question);
                }
                self.priced(priced)
            }
        }
    }
    fn mend(&mut self, format: &'static dyn Format) -> Result<String, Error> {
        let messages = core::mem::take(&mut self.input.messages);
        let (messages, repairs) = mend(messages, &mut self.input)?;
        let store = &self.input.store;
        let edits = Edits { messages: messages.iter().map(|message| format.write(message, store)).collect() };
        let edits = (!edits.is_identity(store.inputs())).then_some(edits);
        Ok(answer::done(answer::Mended { edits, repairs }))
    }
    fn price(&mut self, format: &'static dyn Format) -> Result<Priced, Error> {
        let mut priced = Priced::read(&self.input, format)?;
        for message in &mut self.input.messages {
            priced.meter.message(message, &self.input.store);
        }
        Ok(priced)
    }
    fn priced(&mut self, mut priced: Priced) -> Result<String, Error> {
        let Priced { format, beside, .. } = priced;
        match self.op {
            Op::Measure => {
                let mut measured = measure(&self.input, beside, &priced.policy);
                measured.model.clone_from(&priced.meter.facts().id);
                Ok(answer::done(measured))
            }
            Op::Trim => {
                let limit = trim::limit(self.input.options())?;
                let cut = trim::cut(&mut self.input, format, &mut priced.meter, beside, &priced.policy, limit)?;
                Ok(answer::done(cut.result(&priced.policy)?))
            }
            _ => self.compact(priced),
        }
    }
    fn compact(&mut self, mut priced: Priced) -> Result<String, Error> {
        if priced.policy.accepts {
            let finished = accepted(&self.input, priced.format, &priced.meter, priced.beside, &priced.policy);
            return self.weighed(finished, priced.policy);
        }
        let ready = Ready::new(&mut self.input, &mut priced.meter, priced.beside, &priced.policy)?;
        if self.input.has("placeholder") && !ready.quiet {
            let wanted = ready.placeholders_wanted(&self.input, &priced.policy);
            if !wanted.is_empty() {
                let question = answer::ask_placeholder(&wanted);
                let names = wanted.into_iter().map(|elided| elided.reference).collect();
                self.stage = Stage::Placing(names, ready, priced);
                return Ok(question);
            }
        }
        self.walk(ready, priced, BTreeMap::new())
    }
    fn walk(&mut self, ready: Ready, priced: Priced, words: BTreeMap<String, String>) -> Result<String, Error> {
        let easel = if ready.quiet { Err(Blank::Unwanted) } else { priced.easel(&self.fonts)? };
        let summaries = Priced::summaries(&self.input)?;
        let walked = ready.walk(&self.input, priced.beside, words, easel, summaries);
        self.step(Box::new(walked), priced)
    }
    fn step(&mut self, mut walked: Box<Walked>, mut priced: Priced) -> Result<String, Error> {
        if let Some(waits) = walked.step(&mut self.input, &mut priced.meter, &priced.policy)? {
            let question = answer::ask_walk(waits, &walked, &self.input, priced.format);
            self.stage = Stage::Walking(walked, priced);
            return Ok(question);
        }
        let Priced { format, beside, meter, policy, .. } = priced;
        let finished = walked.finish(&self.input, format, &meter, beside, &policy);
        self.weighed(finished, policy)
    }
    fn paged(&mut self, mut paging: Box<Paging>) -> Result<String, Error> {
        let Some(page) = paging.next() else { return Ok(answer::done(paging.finish())) };
        self.page = page.png;
        let question = answer::ask_page(&page.told);
        self.stage = Stage::Paging(paging);
        Ok(question)
    }
    fn weighed(&mut self, finished: Finished, policy: Policy) -> Result<String, Error> {
        if self.input.has("countRequest") {
            let question = answer::ask_request(&finished.outcome.edits);
            self.stage = Stage::Weighing(Box::new(finished), policy);
            return Ok(question);
        }
        Ok(answer::done(finished.result(&policy)?))
    }
}
