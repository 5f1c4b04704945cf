//! A text → its pages, one at a time.

use super::PageShape;
use super::face::{Cell, Faces};
use super::flow::{Flow, Place};
use super::{png, raster};
use alloc::vec::Vec;

/// A page as a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// A PNG file.
    pub png: Vec<u8>,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// Code points of the text that stand on it.
    pub chars: u32,
    /// Rows in use.
    pub rows: u32,
}

/// Draws page after page of a text, which it does not hold: the same text and faces must be given each time. Needs memory for one page.
#[derive(Debug)]
pub struct Drawing {
    shape: PageShape,
    place: Place,
    cells: Vec<Cell>,
    pixels: Vec<u8>,
    encoder: png::Encoder,
}

impl Drawing {
    /// Before the first page of this shape, whose width holds its columns. `rows` are the most of a page.
    pub fn new(shape: &PageShape) -> Drawing {
        Drawing::behind(shape, 0)
    }

    /// The same for a text behind another, which takes so many cells of the first page. That page can be passed over, not drawn.
    pub fn behind(shape: &PageShape, taken: u32) -> Drawing {
        let (place, encoder) = (Place::behind(taken), png::Encoder::new());
        Drawing { shape: shape.clone(), place, cells: Vec::new(), pixels: Vec::new(), encoder }
    }

    /// Passes over so many pages without drawing them. Returns the code points that stand on them.
    pub fn skip(&mut self, text: &str, faces: &mut Faces, pages: u64) -> u64 {
        let mut flow = Flow::resume(text, self.shape.columns, self.place);
        let mut chars = 0;
        for _ in 0..pages {
            let Some(filled) = flow.page(faces, self.shape.rows, &mut self.cells) else { break };
            chars += u64::from(filled.chars);
        }
        self.place = flow.place();
        chars
    }

    /// The next page; `None` behind the last. `height` says how many pixels high a page is that has so many rows in use.
    pub fn next(&mut self, text: &str, faces: &mut Faces, height: &dyn Fn(u32) -> u32) -> Option<Page> {
        let mut flow = Flow::resume(text, self.shape.columns, self.place);
        let filled = flow.page(faces, self.shape.rows, &mut self.cells)?;
        self.place = flow.place();
        let (width, height, depth) = (self.shape.width, height(filled.rows), faces.depth());
        raster::draw(&self.cells, faces, &self.shape, height, depth, &mut self.pixels);
        let png = self.encoder.encode(&self.pixels, width, height, depth);
        Some(Page { png, width, height, chars: filled.chars, rows: filled.rows })
    }
}

#[cfg(test)]
mod tests;
