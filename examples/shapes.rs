//! The page planned for every model with vision, at its reader's safe and dense pitch, as JSON: what `npm run bench -- shapes` prints.
//!
//!     cargo run --release --example shapes

use palimpsest::model::{self, ImageRule, ModelFacts, Tokenizer};
use palimpsest::page::Pitch;
use palimpsest::page::reader::{Density, reader};
use palimpsest::page::shape::Plan;
use serde_json::{Value, json};

/// Both sides of a page as snapcompact draws it, in pixels.
const PEER: u32 = 1568;

fn main() {
    // Models whose pages and text cost the same share a line.
    let mut groups: Vec<(Tokenizer, Value, Vec<String>)> = Vec::new();
    for facts in model::all().into_iter().filter(|facts| facts.vision) {
        let pages = pages(&facts);
        match groups.iter_mut().find(|(tokenizer, known, _)| *tokenizer == facts.tokenizer && *known == pages) {
            Some((_, _, models)) => models.push(facts.id),
            None => groups.push((facts.tokenizer, pages, vec![facts.id])),
        }
    }
    let lines = groups.into_iter().map(|(_, mut pages, models)| {
        pages["models"] = json!(models);
        pages
    });
    println!("{}", Value::from_iter(lines));
}

fn pages(facts: &ModelFacts) -> Value {
    let reader = reader(&facts.id);
    let at = |density| page(facts, reader.pitch(density));
    json!({ "measured": reader.measured, "safe": at(Density::Safe), "dense": at(Density::Dense) })
}

fn page(facts: &ModelFacts, pitch: Pitch) -> Value {
    let plan = Plan::new(facts, pitch, true).expect("every listed model lets some page through");
    let shape = &plan.shape;
    let rule = plan.detail.map_or(facts.images, |detail| facts.images_at(detail));
    json!({
        "shape": shape,
        "detail": plan.detail,
        "letters": shape.columns * shape.rows,
        "tokens": plan.page(shape.rows).tokens,
        "peer": peer(&rule, pitch),
    })
}

/// A peer's page at the same pitch: what it is billed, and at what pitch it arrives once the provider has shrunk it.
fn peer(rule: &ImageRule, pitch: Pitch) -> Value {
    let cost = rule.cost(PEER, PEER);
    let arrives = |cell: u32, side: u32| f64::from(cell) * f64::from(side) / f64::from(PEER);
    json!({
        "letters": (PEER / pitch.width) * (PEER / pitch.height),
        "tokens": cost.tokens,
        "width": cost.width,
        "height": cost.height,
        "cellWidth": arrives(pitch.width, cost.width),
        "cellHeight": arrives(pitch.height, cost.height),
    })
}
