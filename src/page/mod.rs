//! Text → pages: dense pictures of tiny glyphs that a vision model reads for a fraction of the tokens of the text.
//!
//! | file | turns |
//! | --- | --- |
//! | `transcript` | messages into one compact text with a marker for each speaker, call and result |
//! | `facts` | that text into the exact strings that travel as text beside the pages |
//! | `reader` | a model's id into the pitch it was measured to read |
//! | `shape` | a pitch and a model's billing into the page with the most letters a token |
//! | `face` | a letter into cells: the built-in bitmap faces, outline fonts of the caller, folding |
//! | `flow` | the text into rows of cells, page by page |
//! | `raster` | rows of cells into pixels |
//! | `png` | pixels into a file |
//! | `probe` | a pitch into a reading test |
//!
//! A page is a grid of cells of one size. Text flows through it without regard to words; a line break is a glyph of its own, so that no row is
//! wasted. Page `n` holds what comes after page `n - 1` and nothing else, so text that is appended changes the last page only.

pub mod draw;
pub mod face;
pub mod facts;
pub mod flow;
pub mod png;
pub mod probe;
pub mod raster;
pub mod reader;
pub mod shape;
pub mod transcript;

use alloc::string::String;
use serde::Serialize;

/// How a page is laid out. Pixels, but for columns and rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PageShape {
    /// "8x13", "6x12", "6x10", "5x8", "5x7" are built in; an outline font goes by its own name and pixel size, "JetBrains Mono 14".
    pub font: String,
    /// From one letter to the next.
    pub cell_width: u32,
    /// From one row to the next.
    pub cell_height: u32,
    /// Of a full page.
    pub width: u32,
    /// Of a full page; the last page is only as high as its text.
    pub height: u32,
    /// Letters in a row.
    pub columns: u32,
    /// Rows of a full page.
    pub rows: u32,
}

/// A face and the size of its cells, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pitch {
    /// A built-in face.
    pub font: &'static str,
    /// From one letter to the next.
    pub width: u32,
    /// From one row to the next.
    pub height: u32,
}
