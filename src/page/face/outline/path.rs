//! A glyph as lines and curves, in units of the font, y upward.

use alloc::vec::Vec;

/// x and y.
pub(super) type Point = (f32, f32);

/// From the point before to the last one named; control points before it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stroke {
    /// A new contour; the one before is closed.
    Move(Point),
    /// A line.
    Line(Point),
    /// A quadratic curve.
    Quad(Point, Point),
    /// A cubic curve.
    Cubic(Point, Point, Point),
}

/// Strokes of a glyph at most. The richest ideographs have some hundred; a damaged font may ask for millions.
const MOST: usize = 1 << 13;

/// What a glyph is drawn with.
#[derive(Debug, Default)]
pub(super) struct Path {
    /// In order.
    pub strokes: Vec<Stroke>,
}

impl Path {
    /// Appends; `None` when there are too many.
    pub fn push(&mut self, stroke: Stroke) -> Option<()> {
        if self.strokes.len() == MOST {
            return None;
        }
        self.strokes.push(stroke);
        Some(())
    }

    /// Calls `f` with every point, control points too.
    pub fn points(&self, mut f: impl FnMut(Point)) {
        for stroke in &self.strokes {
            match *stroke {
                Stroke::Move(a) | Stroke::Line(a) => f(a),
                Stroke::Quad(a, b) => [a, b].into_iter().for_each(&mut f),
                Stroke::Cubic(a, b, c) => [a, b, c].into_iter().for_each(&mut f),
            }
        }
    }

    /// The least and the greatest x; `None` for a glyph without ink.
    pub fn extent(&self) -> Option<(f32, f32)> {
        let mut extent = (f32::MAX, f32::MIN);
        self.points(|(x, _)| extent = (extent.0.min(x), extent.1.max(x)));
        (extent.0 <= extent.1).then_some(extent)
    }
}
