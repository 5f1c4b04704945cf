//! Pages drawn natively, as JSON: what `npm run bench -- pages` prints.
//!
//!     cargo run --release -- compare TEXT...   beside the peer `oxicode-snapcompact`
//!     cargo run --release -- growth TEXT       texts of rising size, time and memory

mod compare;
mod growth;
mod memory;

use palimpsest::page::PageShape;
use std::env::args;
use std::fs::read_to_string;

/// Both sides of a page, in pixels: the peer's.
const SIDE: u32 = 1568;

/// A page of this face on these cells, as many as the peer lays on it.
fn shape(font: &str, cell_width: u32, cell_height: u32) -> PageShape {
    let (columns, rows) = (SIDE / cell_width, SIDE / cell_height);
    PageShape { font: font.into(), cell_width, cell_height, width: SIDE, height: rows * cell_height, columns, rows }
}

fn main() {
    let words: Vec<String> = args().skip(1).collect();
    let text = |path: &String| read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let found = match words.split_first() {
        Some((word, paths)) if word == "compare" => paths.iter().map(|path| compare::compare(&text(path))).collect(),
        Some((word, [path])) if word == "growth" => growth::growth(&text(path)),
        _ => panic!("compare TEXT... or growth TEXT"),
    };
    println!("{found}");
}
