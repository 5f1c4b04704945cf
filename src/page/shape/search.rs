//! The search over page sizes.
//!
//! **The cap.** Readers were measured on pages of 1568×784 px; others sent up to 1568×1568 and, to Gemini, 2.58 megapixels. Nobody reported
//! on larger ones, and under no rule here do they hold more letters a token. So no planned side is above 2048 px and no page above
//! 1120 squares of 48 px, 2.58 megapixels.
//!
//! **Near ties.** Under most rules hundreds of sizes hold as many letters a token, within a quarter of a per cent. Among these the one nearest
//! to 1568×784 is taken: it is what was measured, and a smaller page is less to draw and to cache again when text is appended to the last
//! one. Only where a request may hold fewer than 100 pictures (Mistral 8, Groq 5, OpenRouter 90) the largest is taken, so that more text fits.

use crate::model::{ImageLimits, ImageRule};
use alloc::{vec, vec::Vec};

const MOST_EDGE: u32 = 2048;
const MOST_PIXELS: u64 = 1120 * 48 * 48;
/// The page that readers were measured on.
const MEASURED: (u32, u32) = (1568, 784);
/// What counts as a tie: 399 of 400.
const NEAR: (u64, u64) = (399, 400);
/// With fewer pictures a request than this, large pages matter more.
const FEW: u32 = 100;
/// Sizes are tried in steps of at least so many pixels.
const STEP: u32 = 16;

/// The sizes worth trying under a rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    /// Longest side.
    edge: u32,
    /// Sides to try are multiples of it.
    step: u32,
    /// Sides are rounded up to multiples of it, since what lies between is paid for anyway, or would be stretched.
    pub(super) align: u32,
    /// Sides are never below. OpenAI's tiles: whether a shorter side is enlarged is unclear, so it is exactly 768.
    floor: u32,
}

impl Grid {
    fn of(rule: &ImageRule, limits: &ImageLimits) -> Grid {
        let least = |limits: &[Option<u32>]| limits.iter().flatten().fold(MOST_EDGE, |least, edge| least.min(*edge));
        // Within the edge for a crowd, any number of pages passes.
        let edge = least(&[limits.edge, limits.crowd.map(|crowd| crowd.edge)]);
        let on = |side: u32, edge: u32| {
            let side = side.max(1);
            // What no side holds is no grid.
            let (step, align) = if side > edge { (STEP, 1) } else { (STEP.div_ceil(side) * side, side) };
            Grid { edge, step, align, floor: 0 }
        };
        match *rule {
            // Squares are paid for whole. Mistral's and Qwen's processors stretch a side to whole squares, so a page fills them.
            ImageRule::Patches { patch, max_edge, .. } => on(patch, edge.min(max_edge.unwrap_or(edge))),
            ImageRule::Area { pixels_per_token, .. } => on(side_of(u64::from(pixels_per_token)), edge),
            ImageRule::Flat { tokens, max_edge, max_pixels } => {
                let pixels = max_pixels.filter(|most| tokens > 0 && most % u64::from(tokens) == 0);
                let side = side_of(pixels.map_or(0, |most| most / u64::from(tokens)));
                on(side, edge.min(max_edge.unwrap_or(edge)))
            }
            ImageRule::Tiles { tile, fit_edge, fit_short, .. } => {
                let edge = edge.min(fit_edge.unwrap_or(edge));
                match fit_short.filter(|short| *short <= edge) {
                    Some(floor) => Grid { align: 1, floor, ..on(tile, edge) },
                    // A tile that is not full may be enlarged to one.
                    None => on(tile, edge),
                }
            }
        }
    }

    /// Widths and heights to try. With a fixed shorter side pages stand upright: the last can then be as low as that side.
    pub(super) fn sides(&self) -> (Side, Side) {
        let multiples = (1..=self.edge / self.step).map(|count| count * self.step);
        let mut sizes: Vec<u32> = multiples.filter(|side| *side >= self.floor).collect();
        if self.align == 1 {
            sizes.push(self.edge);
        }
        let heights = Side { sizes, fixed: false, cells: u32::MAX };
        match self.floor {
            0 => (heights.clone(), heights),
            floor => (Side { sizes: vec![floor], ..heights.clone() }, heights),
        }
    }

    /// A side that holds so many pixels of cells, no more than `side`.
    pub(super) fn fitted(&self, side: u32, used: u32) -> u32 {
        round_up(used, self.align).max(self.floor).min(side)
    }
}

/// The sizes of one side.
#[derive(Clone, Debug)]
pub(super) struct Side {
    pub(super) sizes: Vec<u32>,
    /// The caller's: used as it is.
    pub(super) fixed: bool,
    /// At most so many cells.
    pub(super) cells: u32,
}

/// A page.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) columns: u32,
    pub(super) rows: u32,
    tokens: u32,
}

impl Found {
    /// Letters times the other's tokens: what is larger holds more letters a token.
    fn weighed(&self, other: &Found) -> u128 {
        u128::from(self.columns) * u128::from(self.rows) * u128::from(other.tokens.max(1))
    }
}

pub(super) struct Search<'a> {
    rule: &'a ImageRule,
    limits: &'a ImageLimits,
    pub(super) cell: (u32, u32),
    pub(super) grid: Grid,
}

impl<'a> Search<'a> {
    /// `cell`: width and height.
    pub(super) fn new(rule: &'a ImageRule, limits: &'a ImageLimits, cell: (u32, u32)) -> Search<'a> {
        Search { rule, limits, cell: (cell.0.max(1), cell.1.max(1)), grid: Grid::of(rule, limits) }
    }

    /// The densest page, or the one to be preferred among those that are nearly as dense.
    pub(super) fn best(&self, widths: &Side, heights: &Side) -> Option<Found> {
        let mut densest: Option<Found> = None;
        self.each(widths, heights, &mut |page| {
            if densest.is_none_or(|old| page.weighed(&old) > old.weighed(&page)) {
                densest = Some(page);
            }
        });
        let densest = densest?;
        let (mut best, mut mark) = (densest, self.mark(&densest));
        self.each(widths, heights, &mut |page| {
            let near = page.weighed(&densest) * u128::from(NEAR.1) >= densest.weighed(&page) * u128::from(NEAR.0);
            if near && self.mark(&page) < mark {
                (best, mark) = (page, self.mark(&page));
            }
        });
        Some(best)
    }

    /// What a near tie is decided by; the smaller is preferred.
    fn mark(&self, page: &Found) -> (u64, u32) {
        let few = self.limits.images.is_some_and(|most| most < FEW);
        let area = u64::from(page.width) * u64::from(page.height);
        let apart = page.width.abs_diff(MEASURED.0) + page.height.abs_diff(MEASURED.1);
        (if few { u64::MAX - area } else { 0 }, apart)
    }

    /// Every page of these sides that passes.
    fn each(&self, widths: &Side, heights: &Side, visit: &mut dyn FnMut(Found)) {
        let capped = !(widths.fixed && heights.fixed);
        for &wide in &widths.sizes {
            let Some((width, columns)) = self.side(widths, wide, self.cell.0) else { continue };
            for &high in &heights.sizes {
                let Some((height, rows)) = self.side(heights, high, self.cell.1) else { continue };
                if capped && u64::from(width) * u64::from(height) > MOST_PIXELS {
                    break;
                }
                match self.passes(width, height) {
                    Some(tokens) => visit(Found { width, height, columns, rows, tokens }),
                    // Higher pages are shrunk too; only on canvases of tiles a higher one may fit better.
                    None if matches!(self.rule, ImageRule::Tiles { .. }) => continue,
                    None => break,
                }
            }
        }
    }

    /// The size of a side as it will be drawn, and its cells; `None` when not one fits.
    fn side(&self, side: &Side, size: u32, cell: u32) -> Option<(u32, u32)> {
        let cells = (size / cell).min(side.cells);
        let drawn = if side.fixed { size } else { self.grid.fitted(size, cells * cell) };
        (cells > 0).then_some((drawn, cells))
    }

    /// The price of a page that reaches the reader as it was drawn.
    pub(super) fn passes(&self, width: u32, height: u32) -> Option<u32> {
        let beyond = |limit: Option<u32>, is: u64| limit.is_some_and(|most| is > u64::from(most));
        let edge = u64::from(width.max(height));
        let pixels = u64::from(width) * u64::from(height);
        let squares = u64::from(width.div_ceil(32)) * u64::from(height.div_ceil(32));
        // Four bits a pixel, which is what smoothed letters take, if nothing of it could be compressed; base64 makes four bytes of three.
        let base64 = pixels / 2 * 4 / 3 + 4096;
        let cost = self.rule.cost(width, height);
        let refused = beyond(self.limits.edge, edge)
            || beyond(self.limits.crowd.map(|crowd| crowd.edge), edge)
            || beyond(self.limits.pixels, pixels)
            || beyond(self.limits.patches, squares)
            || beyond(self.limits.base64, base64);
        (!refused && (cost.width, cost.height) == (width, height)).then_some(cost.tokens)
    }

    /// The lowest height at which a page of this width is worth drawing.
    ///
    /// Where the price is flat, a lower page saves nothing, and a provider that enlarges pictures to its one size would stretch it. Under
    /// tiles the price may rise again as a page gets lower (Gemini 2 cuts smaller tiles from it): there the last page stays high enough.
    pub(super) fn least_height(&self, page: &Found) -> u32 {
        let align = self.grid.align;
        match self.rule {
            ImageRule::Flat { .. } => page.height,
            ImageRule::Tiles { .. } => {
                let (mut least, mut tokens) = (page.height, page.tokens);
                while let Some(lower) = least.checked_sub(1).map(|most| most / align * align) {
                    match self.passes(page.width, lower) {
                        Some(price) if price <= tokens && lower >= self.grid.floor.max(1) => {
                            (least, tokens) = (lower, price);
                        }
                        _ => break,
                    }
                }
                least
            }
            _ => align,
        }
    }
}

/// The next multiple of `step`; the value itself where there is none in range.
pub(super) fn round_up(value: u32, step: u32) -> u32 {
    value.checked_next_multiple_of(step.max(1)).unwrap_or(value)
}

/// The side of a square of so many pixels; 0 when it is no whole number. A token that pays for an exact square comes from a model that cuts
/// pictures into squares: Qwen and GLM round each side to whole ones (transformers, `smart_resize` of qwen2_vl and glm4v), and Gemini 3
/// was measured to count whole ones.
fn side_of(pixels: u64) -> u32 {
    let side = pixels.isqrt();
    if side * side == pixels { u32::try_from(side).unwrap_or(0) } else { 0 }
}
