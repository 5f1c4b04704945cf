//! The shape planner: the page with the most letters a billed token that the provider passes on as it was drawn.
//!
//! Pages have no margins. Their sides lie on the grid the provider bills by (squares, tiles), so a strip that holds no letter but is paid for
//! anyway may stand at the right and at the bottom. Planned sides stay within what readers were seen to read, whatever a provider allows:
//! `search.rs` says why. The last page is only as high as its text, unless that would cost as much or arrive otherwise than drawn.

mod partial;
mod search;

use super::{PageShape, Pitch};
use crate::model::{ImageRule, ModelFacts};
use search::{Found, Search};

pub use partial::PartialShape;

/// How text becomes pages for one model, and what they cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Of a full page.
    pub shape: PageShape,
    /// What each page must be sent with, in formats that know a `detail`.
    pub detail: Option<&'static str>,
    rule: ImageRule,
    /// Heights are multiples of it.
    align: u32,
    /// No page is lower.
    least: u32,
}

/// Height and price of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageCost {
    /// Pixels.
    pub height: u32,
    /// Input tokens.
    pub tokens: u32,
}

impl Plan {
    /// The best page for a model at a pitch. `has_detail`: the format can say how closely a picture is looked at.
    ///
    /// Takes under a millisecond. `None` when no page of a single cell passes untouched, which no listed model's rule comes near.
    pub fn new(facts: &ModelFacts, pitch: Pitch, has_detail: bool) -> Option<Plan> {
        let reading = Looked::at(facts, has_detail);
        let search = Search::new(&reading.rule, &facts.limits, (pitch.width, pitch.height));
        let (widths, heights) = search.grid.sides();
        let found = search.best(&widths, &heights)?;
        Some(reading.plan(pitch.font, &search, found))
    }

    /// Height and price of a page with so many rows in use, from 1 to all of a full page. Neither ever falls as rows are added.
    pub fn page(&self, rows: u32) -> PageCost {
        let full = self.shape.height;
        let height = if rows >= self.shape.rows {
            full
        } else {
            let used = rows.max(1).saturating_mul(self.shape.cell_height);
            search::round_up(used, self.align).max(self.least).min(full)
        };
        PageCost { height, tokens: self.rule.cost(self.shape.width, height).tokens }
    }

    /// Tokens of so many rows of text: full pages, and the last.
    pub fn tokens(&self, rows: u64) -> u64 {
        let full = u64::from(self.shape.rows.max(1));
        let price = |rows: u32| u64::from(self.page(rows).tokens);
        let rest = u32::try_from(rows % full).unwrap_or(u32::MAX);
        let last = if rest == 0 { 0 } else { price(rest) };
        price(self.shape.rows).saturating_mul(rows / full).saturating_add(last)
    }

    /// Pages of so many rows of text.
    pub fn pages(&self, rows: u64) -> u64 {
        rows.div_ceil(u64::from(self.shape.rows.max(1)))
    }
}

/// The rule under which pages will be billed, and the detail that makes it so.
struct Looked {
    rule: ImageRule,
    detail: Option<&'static str>,
}

impl Looked {
    fn at(facts: &ModelFacts, has_detail: bool) -> Looked {
        let detail = facts.close_detail().filter(|_| has_detail);
        Looked { rule: detail.map_or(facts.images, |detail| facts.images_at(detail)), detail }
    }

    fn plan(&self, font: &str, search: &Search<'_>, found: Found) -> Plan {
        let Found { width, height, columns, rows, .. } = found;
        let (cell_width, cell_height) = search.cell;
        Plan {
            shape: PageShape { font: font.into(), cell_width, cell_height, width, height, columns, rows },
            detail: self.detail,
            align: search.grid.align,
            least: search.least_height(&found),
            rule: self.rule,
        }
    }
}

#[cfg(test)]
mod tests;
