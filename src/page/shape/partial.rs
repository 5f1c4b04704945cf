//! A shape as a caller writes it, whole or in part.

use super::{
    Looked, Plan,
    search::{Search, Side},
};
use crate::message::WrongOption;
use crate::model::ModelFacts;
use crate::page::{PageShape, Pitch};
use alloc::{format, string::String, vec};

/// Largest side of a cell, and of a page, in pixels: no reader needs larger letters, and no provider here takes more (DeepSeek: 8192).
const MOST_CELL: u32 = 64;
const MOST_EDGE: u32 = 8192;
/// Most pixels of a page: it is drawn in memory, at up to four bits each.
const MOST_PIXELS: u64 = 1 << 24;

/// Faces built in, each on the pitch that readers were measured at.
const BUILT_IN: [Pitch; 5] = [
    Pitch { font: "8x13", width: 8, height: 16 },
    Pitch { font: "6x12", width: 6, height: 12 },
    Pitch { font: "6x10", width: 6, height: 10 },
    Pitch { font: "5x8", width: 5, height: 10 },
    Pitch { font: "5x7", width: 5, height: 9 },
];

/// Some fields of a [`super::PageShape`]; the rest is planned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)] // The fields are those of `PageShape`.
pub struct PartialShape {
    pub font: Option<String>,
    pub cell_width: Option<u32>,
    pub cell_height: Option<u32>,
    pub width: Option<u32>,
    pub height: Option<u32>,
    pub columns: Option<u32>,
    pub rows: Option<u32>,
}

impl From<&PageShape> for PartialShape {
    fn from(shape: &PageShape) -> PartialShape {
        PartialShape {
            font: Some(shape.font.clone()),
            cell_width: Some(shape.cell_width),
            cell_height: Some(shape.cell_height),
            width: Some(shape.width),
            height: Some(shape.height),
            columns: Some(shape.columns),
            rows: Some(shape.rows),
        }
    }
}

impl Plan {
    /// The best page with what the caller wants of it. A font without cells gets the pitch it was measured at; cells without a font get the
    /// reader's face if they hold it, else the largest built-in one that they hold. Sides the caller gives may go beyond what the planner
    /// dares, not beyond what the provider passes on as it is.
    ///
    /// # Errors
    /// [`WrongOption`] for zero, for cells above 64 px and sides above 8192 px or 16 megapixels, for columns and rows that do not fit the
    /// sides, and for a page that the provider would shrink or refuse. Whether the font exists is a matter of [`super::super::face::Faces`].
    pub fn with(
        facts: &ModelFacts,
        pitch: Pitch,
        partial: &PartialShape,
        has_detail: bool,
    ) -> Result<Plan, WrongOption> {
        let (font, cell) = face(pitch, partial)?;
        let reading = Looked::at(facts, has_detail);
        let search = Search::new(&reading.rule, &facts.limits, cell);
        let (mut widths, mut heights) = search.grid.sides();
        let across = Wish { size: ("width", partial.width), cells: ("columns", partial.columns), cell: cell.0 };
        let down = Wish { size: ("height", partial.height), cells: ("rows", partial.rows), cell: cell.1 };
        let fitted = |used: u32| search.grid.fitted(u32::MAX, used);
        let given = (across.narrow(&mut widths, fitted)?, down.narrow(&mut heights, fitted)?);
        if let (Some(width), Some(height)) = given
            && u64::from(width) * u64::from(height) > MOST_PIXELS
        {
            return Err(WrongOption(format!("The option `shape` must give a page of at most {MOST_PIXELS} pixels.")));
        }
        match search.best(&widths, &heights) {
            Some(found) => Ok(reading.plan(font, &search, found)),
            None => Err(WrongOption(
                "The option `shape` must give a page that the model's provider neither shrinks nor refuses.".into(),
            )),
        }
    }
}

/// What is asked of one side.
struct Wish {
    size: (&'static str, Option<u32>),
    cells: (&'static str, Option<u32>),
    cell: u32,
}

impl Wish {
    /// Leaves the one size that was asked for, and returns it.
    fn narrow(&self, side: &mut Side, fitted: impl Fn(u32) -> u32) -> Result<Option<u32>, WrongOption> {
        let size = within(self.size.0, self.size.1, MOST_EDGE)?;
        let cells = within(self.cells.0, self.cells.1, MOST_EDGE)?;
        // Neither factor is above 2¹³.
        let used = cells.map(|cells| cells * self.cell);
        let size = match (size, used) {
            (None, None) => return Ok(None),
            (Some(size), used) if used.unwrap_or(self.cell) > size => {
                return Err(WrongOption(format!(
                    "The option `shape.{}` must hold its {} of {} px.",
                    self.size.0, self.cells.0, self.cell
                )));
            }
            (Some(size), _) => size,
            (None, Some(used)) => within(self.cells.0, Some(fitted(used)), MOST_EDGE)?.unwrap_or(used),
        };
        *side = Side { sizes: vec![size], fixed: true, cells: cells.unwrap_or(u32::MAX) };
        Ok(Some(size))
    }
}

/// The face and its cell.
fn face(pitch: Pitch, partial: &PartialShape) -> Result<(&str, (u32, u32)), WrongOption> {
    let width = within("cellWidth", partial.cell_width, MOST_CELL)?;
    let height = within("cellHeight", partial.cell_height, MOST_CELL)?;
    let own = |like: Pitch| (width.unwrap_or(like.width), height.unwrap_or(like.height));
    if let Some(font) = &partial.font {
        let built_in = BUILT_IN.into_iter().find(|like| like.font == font);
        // The pitch that was asked for, where it is of this face.
        let like = Some(pitch).filter(|pitch| pitch.font == font).or(built_in);
        return match (like, width, height) {
            (Some(like), ..) => Ok((font, own(like))),
            (None, Some(width), Some(height)) => Ok((font, (width, height))),
            (None, ..) => Err(WrongOption(
                "The option `shape` must have `cellWidth` and `cellHeight` for a font that is not built in.".into(),
            )),
        };
    }
    let cell = own(pitch);
    let holds = |font: &&str| ink(font).is_some_and(|ink| ink.0 <= cell.0 && ink.1 <= cell.1);
    let fonts = core::iter::once(pitch.font).chain(BUILT_IN.into_iter().map(|like| like.font));
    match fonts.into_iter().find(holds) {
        Some(font) => Ok((font, cell)),
        None => Err(WrongOption("The option `shape` must have cells of at least 5 by 7 px.".into())),
    }
}

/// Width and height of a built-in face's letters, as its name tells them.
fn ink(font: &str) -> Option<(u32, u32)> {
    let (width, height) = font.split_once('x')?;
    Some((width.parse().ok()?, height.parse().ok()?))
}

fn within(key: &str, value: Option<u32>, most: u32) -> Result<Option<u32>, WrongOption> {
    match value {
        Some(value) if value == 0 || value > most => {
            Err(WrongOption(format!("The option `shape.{key}` must be from 1 to {most}.")))
        }
        value => Ok(value),
    }
}
