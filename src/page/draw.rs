//! A text → pages, one a call. The text is given anew each time, so that the host can be asked between two pages.

use super::PageShape;
use super::face::{Cell, Faces};
use super::flow::{Filled, Flow};
use super::png::Encoder;
use super::raster;
use alloc::vec::Vec;

/// How far a text is drawn. Beside the text it holds one page: its cells and its pixels.
#[derive(Debug)]
pub struct Drawing {
    shape: PageShape,
    flow: Flow,
    cells: Vec<Cell>,
    pixels: Vec<u8>,
    encoder: Encoder,
}

/// A page that was drawn. Sizes in pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The file.
    pub png: Vec<u8>,
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
    /// Code points of the text that begin on it.
    pub chars: u32,
    /// Rows in use.
    pub rows: u32,
}

impl Drawing {
    /// At the beginning of a text.
    pub fn new(shape: &PageShape) -> Drawing {
        Drawing {
            shape: shape.clone(),
            flow: Flow::new(shape.columns),
            cells: Vec::new(),
            pixels: Vec::new(),
            encoder: Encoder::new(),
        }
    }
    /// Passes over pages without drawing them.
    pub fn skip(&mut self, text: &str, faces: &mut Faces, pages: u64) {
        for _ in 0..pages {
            if self.fill(text, faces).is_none() {
                return;
            }
        }
    }
    /// Draws the next page; `height` gives the pixels of a page with so many rows in use. `None` at the end of the text.
    pub fn next(&mut self, text: &str, faces: &mut Faces, height: &dyn Fn(u32) -> u32) -> Option<Page> {
        let Filled { rows, chars } = self.fill(text, faces)?;
        let (width, height, depth) = (self.shape.width, height(rows), faces.depth());
        raster::draw(&self.cells, faces, &self.shape, height, depth, &mut self.pixels);
        Some(Page { png: self.encoder.encode(&self.pixels, width, height, depth), width, height, chars, rows })
    }

    fn fill(&mut self, text: &str, faces: &mut Faces) -> Option<Filled> {
        self.flow.page(text, faces, self.shape.rows, &mut self.cells)
    }
}
