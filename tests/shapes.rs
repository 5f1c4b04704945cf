//! The planner against brute force: for every model and pitch, whether any page size at all holds more letters a token, and whether each page
//! of any text arrives as it was drawn, at the price that was planned.
#![cfg(all(feature = "std", not(target_arch = "wasm32")))]

use palimpsest::model::{self, ImageLimits, ImageRule, ModelFacts};
use palimpsest::page::Pitch;
use palimpsest::page::reader::{LADDER, reader};
use palimpsest::page::shape::Plan;
use proptest::prelude::*;

/// Sides are tried up to this, far beyond what the planner dares.
const EDGE: u32 = 4096;
/// The same where every pixel is tried.
const EDGE_BY_PIXEL: u32 = 2576;
/// Of what brute force finds.
const SHARE: f64 = 0.97;

/// Whether a picture reaches the reader as it is, in a request with any number of them; its price.
fn passes(rule: &ImageRule, limits: &ImageLimits, width: u32, height: u32) -> Option<u32> {
    let edges = [limits.edge, limits.crowd.map(|crowd| crowd.edge)];
    let pixels = u64::from(width) * u64::from(height);
    let refused = edges.into_iter().flatten().any(|edge| width.max(height) > edge)
        || limits.pixels.is_some_and(|most| pixels > u64::from(most))
        || limits.patches.is_some_and(|most| width.div_ceil(32) * height.div_ceil(32) > most)
        // One bit a pixel, in base64.
        || limits.base64.is_some_and(|most| pixels / 6 > u64::from(most));
    if refused {
        return None;
    }
    let cost = rule.cost(width, height);
    (cost.width == width && cost.height == height).then_some(cost.tokens)
}

/// The most letters a token at each pitch of the ladder.
type Best = [f64; LADDER.len()];

fn brute_force(rule: &ImageRule, limits: &ImageLimits) -> Best {
    let mut best = [0.0; LADDER.len()];
    match *rule {
        // What is shorter than this may be enlarged; so that side is exactly this long.
        ImageRule::Tiles { fit_short: Some(short), .. } => {
            for long in short..=EDGE {
                by_pixel(rule, limits, &mut best, short, long);
                by_pixel(rule, limits, &mut best, long, short);
            }
        }
        // The price may fall as a picture grows.
        ImageRule::Tiles { .. } => {
            for width in 1..=EDGE_BY_PIXEL {
                for height in 1..=EDGE_BY_PIXEL {
                    by_pixel(rule, limits, &mut best, width, height);
                }
            }
        }
        // It never does: no strip beside the cells is worth its price.
        _ => {
            for (best, pitch) in best.iter_mut().zip(LADDER) {
                for columns in 1..=EDGE / pitch.width {
                    for rows in 1..=EDGE / pitch.height {
                        let Some(tokens) = passes(rule, limits, columns * pitch.width, rows * pitch.height) else {
                            break;
                        };
                        *best = best.max(f64::from(columns * rows) / f64::from(tokens));
                    }
                }
            }
        }
    }
    best
}

fn by_pixel(rule: &ImageRule, limits: &ImageLimits, best: &mut Best, width: u32, height: u32) {
    if let Some(tokens) = passes(rule, limits, width, height) {
        for (best, pitch) in best.iter_mut().zip(LADDER) {
            let letters = (width / pitch.width) * (height / pitch.height);
            *best = best.max(f64::from(letters) / f64::from(tokens));
        }
    }
}

/// The rules under which pictures may be sent to a model: without a detail, and where the format has one, with those that look closely.
fn rules(facts: &ModelFacts, has_detail: bool) -> Vec<ImageRule> {
    let details: &[&str] =
        if has_detail && facts.close_detail().is_some() { &["auto", "high", "original"] } else { &["auto"] };
    details.iter().map(|detail| facts.images_at(detail)).collect()
}

#[test]
fn nearly_as_dense_as_brute_force_finds() {
    let mut found: Vec<(ImageRule, ImageLimits, Best)> = Vec::new();
    let (mut worst, mut compared) = ((1.0, String::new()), 0);
    for facts in model::all() {
        for has_detail in [false, true] {
            let mut most: Best = [0.0; LADDER.len()];
            for rule in rules(&facts, has_detail) {
                let known = found.iter().position(|(seen, limits, _)| (seen, limits) == (&rule, &facts.limits));
                let at = known.unwrap_or_else(|| {
                    found.push((rule, facts.limits, brute_force(&rule, &facts.limits)));
                    found.len() - 1
                });
                for (most, best) in most.iter_mut().zip(found[at].2) {
                    *most = most.max(best);
                }
            }
            for (pitch, most) in LADDER.into_iter().zip(most) {
                let plan = Plan::new(&facts, pitch, has_detail).expect("a page passes");
                let letters = f64::from(plan.shape.columns * plan.shape.rows);
                let share = letters / f64::from(plan.page(plan.shape.rows).tokens) / most;
                if share < worst.0 {
                    worst = (share, format!("{} at {pitch:?}: {:?}", facts.id, plan.shape));
                }
                compared += 1;
            }
        }
    }
    println!("worst of {compared}, {} rules: {:.4}, {}", found.len(), worst.0, worst.1);
    assert!(worst.0 >= SHARE, "{:.4} of the best: {}", worst.0, worst.1);
    assert!(compared > 1000 && found.len() > 20);
}

/// The ladder holds every pitch that the table of readers names.
#[test]
fn the_ladder_is_all_pitches() {
    for facts in model::all() {
        let reader = reader(&facts.id);
        assert!(LADDER.contains(&reader.safe) && LADDER.contains(&reader.dense), "{}", facts.id);
    }
}

/// What must hold of a page with so many rows.
fn arrives(facts: &ModelFacts, plan: &Plan, rows: u32) -> Result<(u32, u32), String> {
    let rule = plan.detail.map_or(facts.images, |detail| facts.images_at(detail));
    let page = plan.page(rows);
    let (width, height) = (plan.shape.width, page.height);
    let at = || format!("{} {:?} rows {rows}: {page:?}", facts.id, plan.shape);
    if height < rows * plan.shape.cell_height || height > plan.shape.height {
        return Err(at());
    }
    match passes(&rule, &facts.limits, width, height) {
        Some(tokens) if tokens == page.tokens => Ok((height, tokens)),
        other => Err(format!("{} costs {other:?}", at())),
    }
}

#[test]
fn every_last_page_arrives_as_drawn_and_costs_no_more_than_a_fuller_one() {
    for facts in model::all() {
        for pitch in LADDER {
            let plan = Plan::new(&facts, pitch, true).expect("a page passes");
            let mut before = (0, 0);
            for rows in 1..=plan.shape.rows {
                let page = arrives(&facts, &plan, rows).unwrap();
                assert!(page.0 >= before.0 && page.1 >= before.1, "{} {pitch:?} {rows}", facts.id);
                before = page;
            }
            assert_eq!(before.0, plan.shape.height);
        }
    }
}

fn models() -> impl Strategy<Value = ModelFacts> {
    prop::sample::select(model::all())
}

/// Pitches of the ladder and any that a caller may ask for.
fn pitches() -> impl Strategy<Value = Pitch> {
    let any = (4u32..=64, 6u32..=64).prop_map(|(width, height)| Pitch { font: "6x12", width, height });
    prop_oneof![3 => prop::sample::select(&LADDER[..]), 1 => any]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn pages_of_any_text_arrive_as_drawn(facts in models(), pitch in pitches(), rows in 1u64..3000, has_detail: bool) {
        let plan = Plan::new(&facts, pitch, has_detail).expect("a page passes");
        let full = u64::from(plan.shape.rows);
        let (mut left, mut pages, mut tokens) = (rows, 0, 0);
        while left > 0 {
            let here = left.min(full);
            let (_, price) = arrives(&facts, &plan, u32::try_from(here).unwrap()).map_err(TestCaseError::fail)?;
            tokens += u64::from(price);
            pages += 1;
            left -= here;
        }
        prop_assert_eq!(plan.tokens(rows), tokens);
        prop_assert_eq!(plan.pages(rows), pages);
        // More text never costs less.
        prop_assert!(plan.tokens(rows + 1) >= tokens);
    }
}
