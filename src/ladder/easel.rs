//! What pages are drawn with: the reader's shape, the faces, and what each message of the history comes to in cells.

use super::{Came, Source};
use crate::message::{Reading, WrongOption, wrong};
use crate::model::{self, ModelFacts};
use crate::page::face::Faces;
use crate::page::facts::{Facts, Rank, find};
use crate::page::flow::{Count, count};
use crate::page::reader::{Density, reader};
use crate::page::shape::{PartialShape, Plan};
use crate::page::transcript::Speech;
use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::collections::btree_map::Entry;
use alloc::string::String;
use alloc::vec::Vec;

/// Why there are no pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blank {
    /// Nobody wants any.
    Unwanted,
    /// The model cannot see.
    Blind,
    /// Nobody measured what it can read, and the caller does not say.
    Unmeasured,
}

/// All that pages need.
#[derive(Debug)]
pub struct Easel {
    /// The page.
    pub plan: Plan,
    /// The glyphs.
    pub faces: Faces,
    /// What is spoken.
    pub speech: Speech,
    /// Most pages that the caller wants.
    pub max_pages: Option<u32>,
    pieces: BTreeMap<Source, Piece>,
}

/// A message, or the results in it, as pages draw it.
#[derive(Debug)]
struct Piece {
    count: Count,
    facts: Vec<(String, Rank)>,
}

/// How a caller wants pages.
#[derive(Debug)]
pub struct Wish {
    /// What of the shape is given.
    pub shape: PartialShape,
    /// Safe or dense.
    pub density: Density,
    /// Most pages.
    pub max_pages: Option<u32>,
    /// The shape was measured or chosen by the caller.
    pub settled: bool,
}

impl Wish {
    /// Reads `PageOptions` of the public contract, for a reader.
    ///
    /// # Errors
    /// [`WrongOption`] for options that make no sense.
    pub fn read(options: Reading<'_>, facts: &ModelFacts) -> Result<Wish, WrongOption> {
        let profile = options.within("profile")?;
        // What another model was measured to read says nothing of this one.
        let known = profile.text("model")?.is_some_and(|model| model::same(model, &facts.id));
        // Nor does a pitch at which it failed.
        let known = known && profile.number("exact")?.is_none_or(|exact| exact >= 1.0);
        let measured = if known { Some(profile.within("shape")?) } else { None };
        let own = options.within("shape")?;
        let given = if own.0.is_some() { Some(own) } else { measured };
        Ok(Wish {
            shape: given.map_or(Ok(PartialShape::default()), shape)?,
            density: match options.text("density")? {
                None | Some("safe") => Density::Safe,
                Some("dense") => Density::Dense,
                Some(_) => return Err(wrong("density", "\"safe\" or \"dense\"")),
            },
            max_pages: options.whole("maxPages", 1)?,
            settled: given.is_some(),
        })
    }
}

fn shape(given: Reading<'_>) -> Result<PartialShape, WrongOption> {
    Ok(PartialShape {
        font: given.text("font")?.map(str::to_owned),
        cell_width: given.whole("cellWidth", 1)?,
        cell_height: given.whole("cellHeight", 1)?,
        width: given.whole("width", 1)?,
        height: given.whole("height", 1)?,
        columns: given.whole("columns", 1)?,
        rows: given.whole("rows", 1)?,
    })
}

impl Wish {
    /// Why a reader gets no pages, if it gets none.
    pub fn blank(&self, facts: &ModelFacts) -> Option<Blank> {
        if !facts.vision {
            return Some(Blank::Blind);
        }
        (!self.settled && !reader(&facts.id).measured).then_some(Blank::Unmeasured)
    }
}

impl Easel {
    /// Sets up for a reader, whether or not it can read.
    ///
    /// # Errors
    /// [`WrongOption`] for a shape that cannot be drawn and for a font that is none.
    pub fn new(facts: &ModelFacts, wish: &Wish, has_detail: bool, fonts: &[Vec<u8>]) -> Result<Easel, WrongOption> {
        let reader = reader(&facts.id);
        let plan = Plan::with(facts, reader.pitch(wish.density), &wish.shape, has_detail)?;
        let faces = Faces::new(&plan.shape.font, plan.shape.cell_width, plan.shape.cell_height, fonts)?;
        Ok(Easel {
            plan,
            faces,
            speech: Speech { thinking: reader.thinking },
            max_pages: wish.max_pages,
            pieces: BTreeMap::new(),
        })
    }
    /// Cells and letters of these sources, drawn as one text.
    pub fn measure(&mut self, sources: &[Source], came: Came<'_>) -> Count {
        let mut whole = Count::default();
        for source in sources {
            match self.known(source) {
                Some(count) => whole.add(count),
                None => whole.add(&self.count(*source, whole.cells, came)),
            }
        }
        whole
    }
    /// Where the cells of each source end, when they are drawn as one text.
    pub fn ends(&mut self, sources: &[Source], came: Came<'_>) -> Vec<u64> {
        let mut at = 0;
        let end = |source: &Source| {
            at += match self.known(source) {
                Some(count) => count.cells,
                None => self.count(*source, at, came).cells,
            };
            at
        };
        sources.iter().map(end).collect()
    }
    /// The same of sources that were measured; of others nothing is known.
    pub fn ends_known(&self, sources: &[Source]) -> Vec<u64> {
        let mut at = 0;
        let end = |source: &Source| {
            at += self.pieces.get(source).map_or(0, |piece| piece.count.cells);
            at
        };
        sources.iter().map(end).collect()
    }
    /// The exact strings that stand in these sources.
    pub fn facts(&self, sources: &[Source]) -> Facts {
        let mut facts = Facts::new();
        for (fact, rank) in sources.iter().filter_map(|source| self.pieces.get(source)).flat_map(|piece| &piece.facts) {
            facts.add(fact, *rank);
        }
        facts
    }
    /// The text that is drawn.
    pub fn text(&self, sources: &[Source], came: Came<'_>) -> String {
        let mut text = String::new();
        for source in sources {
            came.speak(*source, self.speech, &mut text);
        }
        text
    }

    /// What a source comes to wherever it begins, when that is known. Where wide letters stand it depends on that.
    fn known(&self, source: &Source) -> Option<&Count> {
        self.pieces.get(source).map(|piece| &piece.count).filter(|count| !count.wide)
    }

    fn count(&mut self, source: Source, at: u64, came: Came<'_>) -> Count {
        let mut text = String::new();
        came.speak(source, self.speech, &mut text);
        let count = count(&text, &mut self.faces, self.plan.shape.columns, at);
        if let Entry::Vacant(piece) = self.pieces.entry(source) {
            let mut facts = Vec::new();
            find(&text, &mut |fact, rank| facts.push((fact.to_owned(), rank)));
            piece.insert(Piece { count: count.clone(), facts });
        }
        count
    }
}
