//! The same text at the same pitch, drawn by both.

use crate::{SIDE, shape};
use oxicode_snapcompact::renderer::{SnapcompactRenderOptions, render_snapcompact_png};
use palimpsest::page::PageShape;
use palimpsest::page::draw::{Drawing, Page};
use palimpsest::page::face::Faces;
use serde_json::{Value, json};
use std::time::Instant;

/// Faces that both have, and the peer's cells for them.
const PITCHES: [(&str, u32, u32); 5] =
    [("8x13", 11, 16), ("8x13", 8, 16), ("8x13", 8, 22), ("6x12", 6, 12), ("5x8", 5, 8)];
const PAGES: usize = 8;
/// How often each draws each page, in turn; the shortest time counts.
const ROUNDS: usize = 6;

/// `text` is ASCII without two blanks or two line breaks in a row, so that both need a cell for each letter. It is taken again from its
/// beginning where it is too short.
pub fn compare(text: &str) -> Value {
    PITCHES.iter().map(|(font, width, height)| pitch(text, font, *width, *height)).collect()
}

fn pitch(text: &str, font: &str, cell_width: u32, cell_height: u32) -> Value {
    let shape = shape(font, cell_width, cell_height);
    let letters = (shape.columns * shape.rows) as usize;
    let text: String = text.chars().cycle().take(PAGES * letters).collect();
    // What the peer calls a line break.
    let broken: Vec<char> = text.chars().map(|letter| if letter == '\n' { '\u{2588}' } else { letter }).collect();
    let pages: Vec<String> = broken.chunks(letters).map(|page| page.iter().collect()).collect();
    let (mut ours, mut theirs) = (draw(&text, &shape), draw_theirs(&pages, font, cell_width, cell_height));
    for _ in 1..ROUNDS {
        shorter(&mut ours, draw(&text, &shape));
        shorter(&mut theirs, draw_theirs(&pages, font, cell_width, cell_height));
    }
    json!({
        "font": font,
        "pitch": [cell_width, cell_height],
        "page": [shape.width, shape.height],
        "letters": letters,
        "ours": figures(&ours),
        "peer": figures(&theirs),
        "alike": alike(&ours[0].1, &theirs[0].1),
    })
}

/// Seconds and file of each page.
type Drawn = Vec<(f64, Vec<u8>)>;

fn draw(text: &str, shape: &PageShape) -> Drawn {
    let mut faces = Faces::new(&shape.font, shape.cell_width, shape.cell_height, &[]).expect("a built-in face");
    let mut drawing = Drawing::new(shape);
    let mut drawn = Vec::new();
    loop {
        let start = Instant::now();
        let Some(Page { png, .. }) = drawing.next(text, &mut faces, &|rows| rows * shape.cell_height) else { break };
        drawn.push((start.elapsed().as_secs_f64(), png));
    }
    drawn
}

fn draw_theirs(pages: &[String], font: &str, cell_width: u32, cell_height: u32) -> Drawn {
    let draw = |page: &String| {
        let (page, options) = (
            page.clone(),
            SnapcompactRenderOptions {
                size: SIDE,
                font: Some(font.into()),
                cell_width: Some(cell_width),
                cell_height: Some(cell_height),
                // Black on white, and letters in the size they have: what it draws for Claude, and its fastest.
                variant: Some("bw".into()),
                stretch: Some(false),
                ..Default::default()
            },
        );
        let start = Instant::now();
        let png = render_snapcompact_png(page, options).expect("the peer draws");
        (start.elapsed().as_secs_f64(), png)
    };
    pages.iter().map(draw).collect()
}

/// Of each page the shorter time.
fn shorter(best: &mut Drawn, other: Drawn) {
    assert!(best.len() == PAGES && other.len() == PAGES);
    for ((best, _), (seconds, _)) in best.iter_mut().zip(other) {
        *best = best.min(seconds);
    }
}

fn figures(drawn: &Drawn) -> Value {
    let seconds: f64 = drawn.iter().map(|(seconds, _)| seconds).sum();
    let bytes: usize = drawn.iter().map(|(_, png)| png.len()).sum();
    json!({ "pagesASecond": PAGES as f64 / seconds, "bytes": bytes as f64 / PAGES as f64 })
}

/// Share of pixels that are the same on two pages. Some glyphs are not the peer's: our zero is slashed, `l`, `1` and `I` are told apart, and a
/// line break is an arrow, not a block.
fn alike(one: &[u8], other: &[u8]) -> f64 {
    let (one, other) = (pixels(one), pixels(other));
    assert_eq!(one.len(), other.len(), "pages of one size");
    let same = one.iter().zip(&other).filter(|(one, other)| one == other).count();
    same as f64 / one.len() as f64
}

/// Grey, a byte a pixel.
fn pixels(file: &[u8]) -> Vec<u8> {
    let mut decoder = png::Decoder::new(file);
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().expect("a PNG file");
    let mut pixels = vec![0; reader.output_buffer_size()];
    let frame = reader.next_frame(&mut pixels).expect("its pixels");
    pixels.truncate(frame.buffer_size());
    let samples = frame.color_type.samples();
    pixels.chunks(samples).map(|pixel| pixel[0]).collect()
}
