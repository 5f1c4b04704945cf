//! `pages`: draws a text, or the transcript of a request, whatever that costs.

use super::error::{Error, Unrenderable};
use super::input::Input;
use super::model::facts_of;
use crate::ladder::{Easel, SHEET, Wish};
use crate::meter::Meter;
use crate::model::{ModelFacts, PartialFacts, complete};
use crate::page::PageShape;
use crate::page::draw::{Drawing, Page};
use crate::page::facts::Facts;
use crate::page::flow::{Count, count};
use crate::page::transcript::{Names, Speech, clean, speak};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use serde::Serialize;

/// Pages of one text.
#[derive(Debug)]
pub struct Paging {
    easel: Easel,
    text: String,
    drawing: Drawing,
    drawn: u32,
    total: u32,
    set: PageSet,
}

/// What is told of all pages, as the public contract names it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PageSet {
    shape: PageShape,
    facts: Vec<String>,
    tokens: u64,
    text_tokens: u32,
    unrenderable: f64,
}

/// What is told of one page. Sizes in pixels.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PageTold {
    width: u32,
    height: u32,
    /// Code points of the transcript on it.
    chars: u32,
    tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<&'static str>,
    done: u32,
    total: u32,
}

/// A page and what is told of it.
pub struct Drawn {
    pub png: Vec<u8>,
    pub told: PageTold,
}

impl Paging {
    /// Reads what is to be drawn: `text` of the options, else the messages.
    ///
    /// # Errors
    /// [`Error::Unrenderable`] where more than a twentieth of the letters cannot be drawn; [`Error::Option`] for options that make no sense.
    pub fn new(input: &mut Input, fonts: &[Vec<u8>]) -> Result<Paging, Error> {
        let options = input.options();
        let words = options.text("text")?.map(str::to_owned);
        let format = if words.is_none() { Some(input.settle()?) } else { None };
        let options = input.options();
        let facts = reader(input)?;
        let wish = Wish::read(options.within("pages")?, &facts)?;
        let meter = Meter::new(facts);
        let has_detail = format.is_none_or(|format| format.has_detail());
        let mut easel = Easel::new(meter.facts(), &wish, has_detail, fonts)?;
        let mut text = String::new();
        match &words {
            Some(words) => clean(words, &mut text),
            None => text = spoken(input, easel.speech),
        }
        let shape = easel.plan.shape.clone();
        let counted = count(&text, &mut easel.faces, shape.columns, 0);
        if counted.missing * 20 > counted.letters {
            let Count { missing, letters, lost: examples, .. } = counted;
            return Err(Error::Unrenderable(Unrenderable { missing, letters, examples }));
        }
        let rows = counted.cells.div_ceil(u64::from(shape.columns));
        let pages = easel.plan.pages(rows);
        let total = pages.min(u64::from(wish.max_pages.unwrap_or(u32::MAX)));
        // The oldest pages are left out, and what stands on them counts for nothing.
        let mut drawing = Drawing::new(&shape);
        let left_out = drawing.skip(&text, &mut easel.faces, pages - total);
        let drawn = text.char_indices().nth(left_out as usize).map_or("", |(at, _)| &text[at..]);
        let rows = rows - (pages - total) * u64::from(shape.rows);
        let (tokens, text_tokens) = (easel.plan.tokens(rows), meter.text(drawn));
        let mut found = Facts::new();
        found.read(drawn);
        let budget = u64::from(text_tokens).saturating_sub(tokens) * SHEET / 100;
        let price = |fact: &str| meter.text(fact) + 1;
        let facts: Vec<String> = found.sheet(budget as u32, &price).into_iter().map(str::to_owned).collect();
        let beside: u64 = facts.iter().map(|fact| u64::from(price(fact))).sum();
        let share = counted.missing as f64 / counted.letters.max(1) as f64;
        let total = total as u32;
        let set = PageSet { shape, facts, tokens: tokens + beside, text_tokens, unrenderable: share };
        Ok(Paging { easel, text, drawing, drawn: 0, total, set })
    }
    /// Draws the next page.
    pub fn next(&mut self) -> Option<Drawn> {
        let plan = &self.easel.plan;
        let Page { png, width, height, chars, rows } =
            self.drawing.next(&self.text, &mut self.easel.faces, &|rows| plan.page(rows).height)?;
        self.drawn += 1;
        let (done, total) = (self.drawn, self.total);
        let told = PageTold { width, height, chars, tokens: plan.page(rows).tokens, detail: plan.detail, done, total };
        Some(Drawn { png, told })
    }
    /// What is told of all of them.
    pub fn finish(self) -> PageSet {
        self.set
    }
}

/// The text that is drawn of a request, without thinking.
pub fn transcript(input: &Input) -> String {
    spoken(input, Speech { thinking: false })
}

fn spoken(input: &Input, speech: Speech) -> String {
    let mut text = String::new();
    let names = Names::read(&input.messages, &input.store);
    input.messages.iter().for_each(|message| speak(message, &input.store, &names, speech, &mut text));
    text
}

/// The reader; one that nobody knows is taken for one that sees.
fn reader(input: &Input) -> Result<ModelFacts, Error> {
    let options = input.options();
    match facts_of(options.get("model"), input.envelope().model) {
        Err(Error::UnknownModel(_)) => {
            let id = options.text("model").ok().flatten().or(input.envelope().model).map(str::to_owned);
            let partial = PartialFacts { id, window: Some(128_000), ..PartialFacts::default() };
            complete(partial).ok_or_else(|| Error::Internal("no facts of a model".to_owned()))
        }
        facts => facts,
    }
}
