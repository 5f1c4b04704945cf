use super::*;
use crate::model::{Resize, find};
use crate::page::reader::{LADDER, finer};
use alloc::vec::Vec;

const PITCHES: [Pitch; 8] = LADDER;

fn pitch(width: u32, height: u32) -> Pitch {
    PITCHES.into_iter().find(|pitch| (pitch.width, pitch.height) == (width, height)).unwrap()
}

fn plan(model: &str, width: u32, height: u32) -> Plan {
    Plan::new(&find(model).unwrap(), pitch(width, height), true).unwrap()
}

/// Letters a hundred tokens of a full page.
fn density(plan: &Plan) -> u32 {
    let shape = &plan.shape;
    shape.columns * shape.rows * 100 / plan.page(shape.rows).tokens
}

fn size(plan: &Plan) -> (u32, u32) {
    (plan.shape.width, plan.shape.height)
}

#[test]
fn claude_standard_tier() {
    let model = "claude-sonnet-4-5";
    assert_eq!(density(&plan(model, 6, 12)), 1087);
    assert_eq!(density(&plan(model, 8, 16)), 612);
    assert_eq!(density(&plan(model, 11, 16)), 445);
    // The page that readers were measured on, letter for letter.
    let measured = plan(model, 8, 16);
    assert_eq!(size(&measured), (1568, 784));
    assert_eq!((measured.shape.columns, measured.shape.rows), (196, 49));
    assert_eq!(measured.page(49), PageCost { height: 784, tokens: 1568 });
    // One row, in one row of squares; two rows need two.
    assert_eq!(measured.page(1), PageCost { height: 28, tokens: 56 });
    assert_eq!(measured.page(2), PageCost { height: 56, tokens: 112 });
    assert_eq!(measured.page(0), measured.page(1));
    assert_eq!(measured.page(u32::MAX), measured.page(49));
}

#[test]
fn claude_high_tier_stays_near_what_was_measured_and_below_what_a_crowd_may_have() {
    for (width, height) in [(6, 12), (8, 16), (11, 16), (5, 8)] {
        let plan = plan("claude-opus-5", width, height);
        assert!(plan.shape.width.max(plan.shape.height) <= 2000);
        let area = plan.shape.width * plan.shape.height;
        assert!((1_100_000..1_400_000).contains(&area), "{:?}", plan.shape);
    }
}

#[test]
fn openai_tiles_stand_upright_with_a_shorter_side_of_768() {
    let plan = plan("gpt-4o", 6, 12);
    assert_eq!(size(&plan), (768, 2040));
    assert_eq!(plan.detail, Some("high"));
    assert_eq!(density(&plan), 1505);
    // Never below the shorter side; 1025 px begin a third row of tiles.
    assert_eq!(plan.page(1), PageCost { height: 768, tokens: 85 + 4 * 170 });
    assert_eq!(plan.page(64).height, 768);
    assert_eq!(plan.page(65), PageCost { height: 780, tokens: 85 + 4 * 170 });
    assert_eq!(plan.page(86), PageCost { height: 1032, tokens: 85 + 6 * 170 });
}

#[test]
fn a_flat_price_is_for_the_largest_page_and_for_no_lower_one() {
    let plan = plan("gemini-3.8-flash", 8, 16);
    let (width, height) = size(&plan);
    // Whole squares of 48 px, all 1120 of them.
    assert_eq!((width % 48, height % 48, width * height), (0, 0, 1120 * 48 * 48));
    assert_eq!(plan.page(1), PageCost { height, tokens: 1120 });
    assert_eq!(density(&plan), 1800);
    let gemma = self::plan("gemma-3-27b-it", 8, 16);
    assert_eq!(size(&gemma), (896, 896));
}

#[test]
fn gemini_2_is_never_cut_into_smaller_tiles() {
    let plan = plan("gemini-2.5-pro", 8, 16);
    assert_eq!(size(&plan), (1536, 1536));
    // 1536×768 would be six tiles of 512 px.
    assert_eq!(plan.page(1), PageCost { height: 1536, tokens: 4 * 258 });
}

#[test]
fn sides_are_whole_squares_where_a_model_sees_squares() {
    for (model, side) in [("qwen3-vl-plus", 32), ("glm-4.6v", 28), ("mistral-small-latest", 28), ("kimi-k3", 28)] {
        for pitch in PITCHES {
            let plan = Plan::new(&find(model).unwrap(), pitch, false).unwrap();
            assert_eq!((plan.shape.width % side, plan.shape.height % side), (0, 0), "{model} {:?}", plan.shape);
            assert_eq!(plan.page(1).height % side, 0, "{model}");
        }
    }
}

#[test]
fn few_pictures_are_large_ones() {
    let area = |id: &str| {
        let plan = plan(id, 11, 16);
        plan.shape.width * plan.shape.height
    };
    assert!(area("openrouter/anthropic/claude-opus-4.8") > 2_300_000);
    assert!(area("mistral-large-4") > 2_200_000);
    assert!(area("claude-opus-4-8") < 1_400_000);
}

#[test]
fn detail_only_where_the_format_has_it_and_the_rule_is_the_providers() {
    let mut facts = find("openrouter/openai/gpt-5.5").unwrap();
    let pitch = pitch(8, 16);
    assert_eq!(Plan::new(&facts, pitch, true).unwrap().detail, Some("high"));
    assert_eq!(Plan::new(&facts, pitch, false).unwrap().detail, None);
    facts.images = find("claude-opus-5").unwrap().images;
    assert_eq!(Plan::new(&facts, pitch, true).unwrap().detail, None);
    assert_eq!(plan("claude-opus-5", 8, 16).detail, None);
}

#[test]
fn tokens_and_pages_of_a_text() {
    let plan = plan("claude-sonnet-4-5", 8, 16);
    assert_eq!((plan.tokens(0), plan.pages(0)), (0, 0));
    assert_eq!((plan.tokens(1), plan.pages(1)), (56, 1));
    assert_eq!((plan.tokens(49), plan.pages(49)), (1568, 1));
    assert_eq!((plan.tokens(50), plan.pages(50)), (1568 + 56, 2));
    assert_eq!(plan.pages(u64::MAX), u64::MAX.div_ceil(49));
    assert!(plan.tokens(u64::MAX) > u64::MAX / 2);
}

/// Rules as a caller might write them, from harmless to hostile.
fn odd_rules() -> Vec<ImageRule> {
    let mut rules = Vec::new();
    for limit in [None, Some(0), Some(1), Some(100), Some(900), Some(u32::MAX)] {
        for side in [0, 1, 7, 14, 100, 3000, u32::MAX] {
            for resize in [Resize::Search, Resize::Grid] {
                rules.push(ImageRule::Patches {
                    patch: side,
                    max_edge: limit,
                    max_tokens: limit,
                    multiplier: Some(f64::from(side)),
                    row_breaks: true,
                    extra: Some(u32::MAX),
                    resize,
                });
            }
            for (short, most, least) in [(limit, None, None), (None, limit, None), (None, None, limit)] {
                rules.push(ImageRule::Tiles {
                    tile: side,
                    base: 0,
                    per_tile: side,
                    fit_edge: limit,
                    fit_short: short,
                    max_tiles: most,
                    min_tile: least,
                    whole: limit,
                });
            }
            let most = limit.map(u64::from);
            rules.push(ImageRule::Flat { tokens: side, max_edge: limit, max_pixels: most });
            let max = limit.unwrap_or(1000);
            rules.push(ImageRule::Area { pixels_per_token: side, base: 7, min: 3, max, max_pixels: most });
        }
    }
    rules
}

#[test]
fn any_rule_gives_a_page_that_holds_or_none() {
    let mut facts = find("claude-opus-5").unwrap();
    let (mut some, mut none) = (0, 0);
    for rule in odd_rules() {
        facts.images = rule;
        let Some(plan) = Plan::new(&facts, pitch(6, 12), false) else {
            none += 1;
            continue;
        };
        some += 1;
        let shape = &plan.shape;
        assert!(shape.columns * 6 <= shape.width && shape.rows * 12 <= shape.height, "{rule:?}");
        assert!(shape.columns > 0 && shape.rows > 0);
        let full = plan.page(shape.rows);
        let mut before = plan.page(1);
        for rows in 1..=shape.rows {
            let page = plan.page(rows);
            assert!(page.height >= rows * 12 && page.height <= shape.height, "{rule:?} {rows}");
            assert!(page.height >= before.height && page.tokens >= before.tokens, "{rule:?} {rows}");
            assert!(page.tokens <= full.tokens);
            let cost = rule.cost(shape.width, page.height);
            assert_eq!((cost.width, cost.height), (shape.width, page.height), "{rule:?} {rows}");
            before = page;
        }
    }
    // Both must occur, or the loop says nothing.
    assert!(some > 100 && none > 20, "{some} {none}");
}

#[test]
fn cells_no_page_can_hold() {
    let facts = find("claude-opus-5").unwrap();
    let huge = Pitch { font: "8x13", width: 5000, height: u32::MAX };
    assert_eq!(Plan::new(&facts, huge, true), None);
    let nothing = Pitch { font: "8x13", width: 0, height: 0 };
    assert!(Plan::new(&facts, nothing, true).is_some());
}

fn wanted(model: &str, partial: PartialShape) -> Result<Plan, alloc::string::String> {
    Plan::with(&find(model).unwrap(), pitch(8, 16), &partial, true).map_err(|wrong| wrong.0)
}

#[test]
fn a_shape_in_part_is_completed() {
    let model = "claude-sonnet-4-5";
    let nothing = wanted(model, PartialShape::default()).unwrap();
    assert_eq!(nothing, plan(model, 8, 16));
    let font = |font: &str| wanted(model, PartialShape { font: Some(font.into()), ..PartialShape::default() });
    let cells = |plan: Plan| (plan.shape.cell_width, plan.shape.cell_height);
    assert_eq!(font("6x12").unwrap(), plan(model, 6, 12));
    assert_eq!(cells(font("5x8").unwrap()), (5, 10));
    assert!(font("JetBrains Mono 14").unwrap_err().contains("cellWidth"));
    let cells_only = |width, height| {
        let cells = PartialShape { cell_width: Some(width), cell_height: Some(height), ..PartialShape::default() };
        wanted(model, cells).map(|plan| plan.shape.font)
    };
    for ((width, height), font) in
        [((9, 16), "8x13"), ((7, 12), "6x12"), ((6, 10), "6x10"), ((5, 8), "5x8"), ((5, 7), "5x7")]
    {
        assert_eq!(cells_only(width, height).as_deref(), Ok(font));
    }
    assert!(cells_only(4, 20).unwrap_err().contains("5 by 7"));
    let width = wanted(model, PartialShape { width: Some(1000), ..PartialShape::default() }).unwrap();
    assert_eq!((width.shape.width, width.shape.columns), (1000, 125));
    let counted = PartialShape { columns: Some(100), rows: Some(30), ..PartialShape::default() };
    let counted = wanted(model, counted).unwrap();
    assert_eq!((counted.shape.columns, counted.shape.rows, size(&counted)), (100, 30, (812, 504)));
    assert_eq!(counted.page(30).height, 504);
}

#[test]
fn a_plans_own_shape_gives_the_plan_back() {
    for facts in crate::model::all() {
        for pitch in PITCHES {
            let plan = Plan::new(&facts, pitch, true).unwrap();
            let whole = PartialShape::from(&plan.shape);
            assert_eq!(Plan::with(&facts, LADDER[0], &whole, true), Ok(plan), "{}", facts.id);
        }
    }
}

#[test]
fn shapes_that_make_no_sense() {
    let model = "claude-sonnet-4-5";
    let none = PartialShape::default;
    for (partial, word) in [
        (PartialShape { cell_width: Some(0), ..none() }, "cellWidth"),
        (PartialShape { cell_height: Some(65), ..none() }, "cellHeight"),
        (PartialShape { width: Some(0), ..none() }, "width"),
        (PartialShape { height: Some(u32::MAX), ..none() }, "height"),
        (PartialShape { columns: Some(0), ..none() }, "columns"),
        (PartialShape { rows: Some(u32::MAX), ..none() }, "rows"),
        (PartialShape { columns: Some(8192), ..none() }, "columns"),
        (PartialShape { width: Some(7), ..none() }, "width"),
        (PartialShape { width: Some(799), columns: Some(100), ..none() }, "width"),
        (PartialShape { height: Some(100), rows: Some(7), ..none() }, "height"),
        (PartialShape { width: Some(8192), height: Some(8192), ..none() }, "pixels"),
        // Would arrive as 1092×1092.
        (PartialShape { width: Some(1568), height: Some(1568), ..none() }, "shrinks"),
    ] {
        let error = wanted(model, partial.clone()).unwrap_err();
        assert!(error.contains(word), "{partial:?}: {error}");
    }
    // The other tier takes that page, but not in a crowd what lies above 2000 px.
    assert!(wanted("claude-opus-5", PartialShape { width: Some(1568), height: Some(1568), ..none() }).is_ok());
    assert!(wanted("claude-opus-5", PartialShape { width: Some(2016), ..none() }).is_err());
}

#[test]
fn finer_pitches_hold_more() {
    for model in ["claude-sonnet-4-5", "gpt-4o", "gpt-6-astra", "gemini-3.8-flash", "deepseek-flash"] {
        let facts = find(model).unwrap();
        let mut at = LADDER[0];
        while let Some(next) = finer(at) {
            let letters = |pitch| density(&Plan::new(&facts, pitch, true).unwrap());
            assert!(letters(next) > letters(at), "{model} {next:?}");
            at = next;
        }
    }
}
