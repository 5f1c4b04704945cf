//! Lines and curves → how much of each pixel they cover.
//!
//! For each pixel a sum is kept of how far the coverage changes there, from left to right; running totals along a row are the coverage itself
//! (the accumulation buffer known from font-rs). Exact for lines, and the same on every machine: only additions, products and comparisons.

use super::path::{Path, Point, Stroke};
use alloc::vec;
use alloc::vec::Vec;

/// Pieces that a curve is drawn as, at most.
const MOST_PIECES: u32 = 32;

/// Pixels to be covered, y downward.
pub(super) struct Ink {
    width: usize,
    height: usize,
    /// One more a row than there are pixels: changes at the right edge.
    change: Vec<f32>,
    at: Point,
    start: Point,
}

impl Ink {
    /// Nothing covered yet.
    pub fn new(width: usize, height: usize) -> Ink {
        Ink { width, height, change: vec![0.0; (width + 1) * height], at: (0.0, 0.0), start: (0.0, 0.0) }
    }

    /// Draws an outline, each point put where `place` says.
    pub fn draw(&mut self, path: &Path, place: impl Fn(Point) -> Point) {
        for stroke in &path.strokes {
            match *stroke {
                Stroke::Move(to) => {
                    self.line(self.start);
                    self.at = place(to);
                    self.start = self.at;
                }
                Stroke::Line(to) => self.line(place(to)),
                Stroke::Quad(a, to) => self.quad(place(a), place(to)),
                Stroke::Cubic(a, b, to) => self.cubic(place(a), place(b), place(to)),
            }
        }
        self.line(self.start);
    }

    fn quad(&mut self, a: Point, to: Point) {
        let from = self.at;
        let bend = |from: f32, a: f32, to: f32| (from - 2.0 * a + to).abs();
        self.curve(bend(from.0, a.0, to.0) + bend(from.1, a.1, to.1), |t| {
            let (u, v) = ((1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t));
            (u * from.0 + v * a.0 + t * t * to.0, u * from.1 + v * a.1 + t * t * to.1)
        });
        self.line(to);
    }

    fn cubic(&mut self, a: Point, b: Point, to: Point) {
        let from = self.at;
        let bend = |p: f32, q: f32, r: f32| (p - 2.0 * q + r).abs();
        let first = bend(from.0, a.0, b.0) + bend(from.1, a.1, b.1);
        let second = bend(a.0, b.0, to.0) + bend(a.1, b.1, to.1);
        self.curve(3.0 * first.max(second), |t| {
            let s = 1.0 - t;
            let (u, v, w, z) = (s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t);
            (u * from.0 + v * a.0 + w * b.0 + z * to.0, u * from.1 + v * a.1 + w * b.1 + z * to.1)
        });
        self.line(to);
    }

    /// All pieces but the last. `n` pieces miss a curve whose second difference is `bend` by at most bend/4n² pixels; a thirtieth is not seen.
    fn curve(&mut self, bend: f32, at: impl Fn(f32) -> Point) {
        let mut pieces = 1;
        while pieces < MOST_PIECES && bend * 8.0 > (pieces * pieces) as f32 {
            pieces += 1;
        }
        for i in 1..pieces {
            self.line(at(i as f32 / pieces as f32));
        }
    }

    fn line(&mut self, to: Point) {
        let from = self.at;
        self.at = to;
        let (down, top, bottom) = if from.1 < to.1 { (1.0, from, to) } else { (-1.0, to, from) };
        let (y0, y1) = (top.1.max(0.0), bottom.1.min(self.height as f32));
        if y0 >= y1 {
            return;
        }
        let slope = (bottom.0 - top.0) / (bottom.1 - top.1);
        let x_at = |y: f32| top.0 + (y - top.1) * slope;
        let (mut y, mut x) = (y0, x_at(y0));
        // Not negative, so that the conversion rounds down.
        for row in y0 as usize..self.height {
            let next = y1.min((row + 1) as f32);
            if next <= y {
                break;
            }
            let x_next = x_at(next);
            self.piece(row, x, x_next, down * (next - y));
            (y, x) = (next, x_next);
        }
    }

    /// A piece within one row. `rise`: how much of the row's height it crosses.
    fn piece(&mut self, row: usize, x0: f32, x1: f32, rise: f32) {
        let edge = self.width as f32;
        let (left, right) = (x0.min(x1), x0.max(x1));
        let Some(row) = self.change.get_mut(row * (self.width + 1)..(row + 1) * (self.width + 1)) else { return };
        let mut add = |column: usize, part: f32, middle: f32| {
            // The pixel is covered from `middle` on, those after it in full.
            let rest = part * (middle - column as f32);
            if let Some(pixel) = row.get_mut(column) {
                *pixel += part - rest;
            }
            if let Some(pixel) = row.get_mut(column + 1) {
                *pixel += rest;
            }
        };
        if left >= edge {
            return;
        }
        if right <= 0.0 {
            return add(0, rise, 0.0);
        }
        let column = left.max(0.0) as usize;
        if right <= (column + 1) as f32 && left >= 0.0 {
            return add(column, rise, (left + right) / 2.0);
        }
        let density = rise / (right - left);
        if left < 0.0 {
            add(0, density * -left, 0.0);
        }
        let mut x = left.max(0.0);
        for column in column..self.width {
            let next = right.min((column + 1) as f32);
            if next <= x {
                break;
            }
            add(column, density * (next - x), (x + next) / 2.0);
            x = next;
        }
    }

    /// The pixels at `depth` bits, 1 or 4, rows begun in a new byte, ink set.
    pub fn pack(&self, depth: u8) -> Vec<u8> {
        let (most, per_byte) = if depth == 1 { (1.0, 8) } else { (15.0, 2) };
        let stride = self.width.div_ceil(per_byte);
        let mut packed = vec![0; stride * self.height];
        for (row, out) in self.change.chunks_exact(self.width + 1).zip(packed.chunks_exact_mut(stride)) {
            let mut total = 0.0f32;
            for (x, change) in row.iter().take(self.width).enumerate() {
                total += change;
                // Half a pixel or more is ink at one bit.
                let level = (total.abs().min(1.0) * most + 0.5) as u8;
                if let Some(byte) = out.get_mut(x / per_byte) {
                    *byte |= level << (8 / per_byte * (per_byte - 1 - x % per_byte));
                }
            }
        }
        packed
    }
}
