//! Texts of rising size: what a megabyte costs, and the memory beside the text.

use crate::{memory, shape};
use palimpsest::page::draw::Drawing;
use palimpsest::page::face::Faces;
use palimpsest::page::flow::count;
use serde_json::{Value, json};
use std::time::Instant;

/// Bytes of text.
const SIZES: [usize; 5] = [10_000, 100_000, 1_000_000, 10_000_000, 50_000_000];
/// Bytes drawn of a size in all, at least; the shortest of so many rounds counts.
const AT_LEAST: usize = 2_000_000;

/// `text` is taken again from its beginning until it is long enough.
pub fn growth(text: &str) -> Value {
    let shape = shape("6x12", 6, 12);
    let mut faces = Faces::new("6x12", 6, 12, &[]).expect("a built-in face");
    let mut found = Vec::new();
    for size in SIZES {
        let mut long = String::with_capacity(size + 4);
        long.extend(text.chars().cycle().scan(0, |bytes, letter| {
            *bytes += letter.len_utf8();
            (*bytes <= size).then_some(letter)
        }));
        let (mut seconds, mut counting, mut pages, mut peak) = (f64::MAX, f64::MAX, 0, 0);
        for _ in 0..(AT_LEAST / size).max(1) {
            let start = Instant::now();
            let counted = count(&long, &mut faces, shape.columns, 0);
            counting = counting.min(start.elapsed().as_secs_f64());
            memory::restart();
            let start = Instant::now();
            let mut drawing = Drawing::new(&shape);
            pages = 0;
            while drawing.next(&long, &mut faces, &|rows| rows * 12).is_some() {
                pages += 1;
            }
            seconds = seconds.min(start.elapsed().as_secs_f64());
            peak = memory::peak();
            assert_eq!(pages, counted.cells.div_ceil(u64::from(shape.columns * shape.rows)));
        }
        let megabytes = long.len() as f64 / 1e6;
        found.push(json!({
            "bytes": long.len(),
            "pages": pages,
            "msAMegabyte": seconds * 1e3 / megabytes,
            "msAPage": seconds * 1e3 / pages as f64,
            "countMsAMegabyte": counting * 1e3 / megabytes,
            "memory": peak,
        }));
    }
    found.into()
}
