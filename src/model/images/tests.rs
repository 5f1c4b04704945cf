//! Every vector of the facts that the rules were made from, and the edges.

use super::*;
use crate::model::find;

fn cost(model: &str, width: u32, height: u32) -> (u32, u32, u32) {
    let cost = find(model).unwrap().images.cost(width, height);
    (cost.tokens, cost.width, cost.height)
}

fn tokens(model: &str, width: u32, height: u32) -> u32 {
    cost(model, width, height).0
}

const HIGH: &str = "claude-opus-4-8";
const STANDARD: &str = "claude-sonnet-4-5";

#[test]
fn anthropic_as_its_page_on_vision_has_it() {
    assert_eq!(cost(HIGH, 1092, 1092), (1521, 1092, 1092));
    assert_eq!(cost(STANDARD, 1092, 1092), (1521, 1092, 1092));
    assert_eq!(cost(HIGH, 1920, 1080), (2691, 1920, 1080));
    assert_eq!(cost(STANDARD, 1920, 1080), (1560, 1456, 819));
    assert_eq!(cost(HIGH, 2000, 1500), (3888, 2000, 1500));
    assert_eq!(tokens(STANDARD, 2000, 1500), 1564);
    assert_eq!(cost(HIGH, 3840, 2160), (4784, 2576, 1449));
    assert_eq!(tokens(STANDARD, 3840, 2160), 1560);
    assert_eq!(cost(STANDARD, 1075, 1520), (33 * 47, 924, 1307));
    assert_eq!(cost(STANDARD, 1568, 1568), (1521, 1092, 1092));
    assert_eq!(cost(STANDARD, 1568, 784), (1568, 1568, 784));
    assert_eq!(cost(STANDARD, 784, 1568), (1568, 784, 1568));
    assert_eq!(cost(HIGH, 1932, 1932), (4761, 1932, 1932));
}

#[test]
fn anthropic_as_measured() {
    // huggingface.co/datasets/JOHNISKING/image-token-cost, without the 77 and 65 tokens of its prompt.
    for (side, count) in [(256, 100), (512, 361), (768, 784), (1024, 1369)] {
        assert_eq!(tokens("claude-opus-5-5", side, side), count);
        assert_eq!(tokens("claude-haiku-4-5", side, side), count);
    }
    assert_eq!(tokens("claude-opus-5-5", 1280, 720), 1273 - 77);
}

#[test]
fn openai_squares() {
    // The same data set, GPT-6 and GPT-5.5 at `auto`.
    let measured = [
        (256, 256, 77, 77),
        (512, 512, 308, 308),
        (768, 768, 692, 692),
        (1024, 1024, 1229, 1229),
        (1280, 720, 1104, 1104),
        (1920, 1080, 2448, 2448),
        (1080, 1920, 2448, 2448),
        (2560, 1440, 4320, 4320),
        (3840, 2160, 9792, 9792),
        (4032, 3024, 14_364, 11_868),
    ];
    for (width, height, six, five) in measured {
        assert_eq!(cost("gpt-6-astra", width, height), (six, width, height));
        assert_eq!(tokens("gpt-5.5", width, height), five);
    }
    assert_eq!(cost("gpt-5.5", 4032, 3024), (11_868, 3669, 2752));
    // OpenAI's own example, 33 by 44 squares of 1800×2400.
    assert_eq!(cost("gpt-4.1-mini", 1800, 2400), (2353, 1056, 1408));
    assert_eq!(tokens("gpt-4.1-mini", 1024, 1024), 1659);
    assert_eq!(tokens("gpt-5-nano", 1024, 1024), 2520);
    assert_eq!(tokens("o4-mini", 1024, 1024), 1762);
    // GPT-5.4 reads `auto` as `high`: 2048 px first.
    assert_eq!(cost("gpt-5.4", 2560, 1440), (2765, 2048, 1152));
}

#[test]
fn openai_tiles() {
    assert_eq!(cost("gpt-4o", 1, 1), (255, 1, 1));
    assert_eq!(cost("gpt-4o", 1024, 1024), (765, 768, 768));
    assert_eq!(cost("gpt-4o", 2048, 4096), (1105, 768, 1536));
    // community.openai.com, t/1281361: billed for GPT-4.1, without 8 tokens of the message.
    assert_eq!(tokens("gpt-4.1", 2049, 513), 1453 - 8);
    assert_eq!(tokens("gpt-4.1", 2050, 513), 773 - 8);
    assert_eq!(tokens("gpt-5", 512, 512), 210);
    assert_eq!(tokens("o3", 512, 512), 225);
    assert_eq!(tokens("gpt-4o-mini", 512, 512), 8500);
    assert_eq!(tokens("computer-use-preview", 512, 512), 194);
}

#[test]
fn gemini() {
    assert_eq!(cost("gemini-3.8-flash", 1568, 728), (1120, 1568, 728));
    let (count, width, height) = cost("gemini-3.8-flash", 4000, 4000);
    assert_eq!((count, width, height), (1120, 1606, 1606));
    assert_eq!(cost("gemini-2.5-pro", 384, 384), (258, 384, 384));
    // ai.google.dev, gemini-api/docs/tokens: 960×540 is cut into six.
    assert_eq!(cost("gemini-2.5-pro", 960, 540), (6 * 258, 960, 540));
    assert_eq!(cost("gemini-2.5-flash", 3072, 3072), (16 * 258, 3072, 3072));
    assert_eq!(tokens("gemini-2.5-flash", 385, 10), 2 * 258);
    // Every picture becomes 896×896; none longer arrives as it is.
    assert_eq!(cost("gemma-3-27b-it", 896, 896), (256, 896, 896));
    assert_eq!(cost("gemma-3-27b-it", 1792, 448), (256, 896, 224));
}

#[test]
fn areas() {
    assert!((990..=1024).contains(&tokens("deepseek-flash", 1280, 1280)));
    assert_eq!(cost("deepseek-flash", 4000, 4000), (1000, 1302, 1302));
    assert_eq!(tokens("deepseek-flash", 8, 8), 188);
    assert_eq!(tokens("qwen3-vl-plus", 1024, 1024), 1026);
    assert_eq!(tokens("qwen2.5-vl-72b-instruct", 1120, 1120), 1602);
    assert_eq!(tokens("qwen3-vl-plus", 1, 1), 4);
    assert!((16_000..=16_384).contains(&tokens("qwen3-vl-plus", 9000, 9000)));
    assert_eq!(tokens("glm-4.6v", 1120, 1120), 1600);
    assert_eq!(tokens("glm-4.6v", 28, 28), 16);
    assert_eq!(cost("glm-4.6v", 4000, 4000), (12_282, 3103, 3103));
    assert_eq!(tokens("grok-4.5", 1000, 1000), 1000);
    assert_eq!(tokens("grok-4.5", 10, 10), 256);
    assert!((1790..=1792).contains(&tokens("grok-4.5", 3000, 3000)));
    assert_eq!(tokens("grok-2-vision", 448, 448), 512);
}

#[test]
fn squares_with_limits_of_their_own() {
    assert_eq!(cost("kimi-k2.5", 1792, 1792), (4096, 1792, 1792));
    assert_eq!(cost("kimi-k2.5", 4000, 4000), (4096, 1792, 1792));
    // Measured in vLLM for Kimi-K3.
    assert_eq!(cost("kimi-k3", 2800, 2800), (10_000, 2800, 2800));
    // mistral-common: ⌈w/28⌉ + 1 a row.
    assert_eq!(cost("mistral-small-latest", 280, 560), (11 * 20, 280, 560));
    assert_eq!(cost("mistral-small-latest", 3080, 1540), (56 * 28, 1540, 770));
    assert_eq!(cost("pixtral-12b-2409", 2048, 1024), (65 * 32, 1024, 512));
}

#[test]
fn llama_lays_tiles_on_a_canvas() {
    let llama = "llama-3.2-90b-vision-instruct";
    assert_eq!(tokens(llama, 1, 1), 1601);
    assert_eq!(tokens(llama, 560, 560), 1601);
    assert_eq!(tokens(llama, 800, 500), 2 * 1601);
    assert_eq!(tokens(llama, 500, 800), 2 * 1601);
    assert_eq!(cost(llama, 1120, 1120), (4 * 1601, 1120, 1120));
    assert_eq!(cost(llama, 2240, 2240), (4 * 1601, 1120, 1120));
    assert_eq!(cost(llama, 2240, 560), (4 * 1601, 2240, 560));
    assert_eq!(tokens("llama-4-maverick", 336, 336), 288);
    assert_eq!(tokens("llama-4-maverick", 1344, 1344), 17 * 144);
}

fn known_rules() -> alloc::vec::Vec<ImageRule> {
    let mut rules = alloc::vec::Vec::new();
    for facts in crate::model::all() {
        if !rules.contains(&facts.images) {
            rules.push(facts.images);
        }
    }
    rules
}

fn every_rule() -> impl Iterator<Item = ImageRule> {
    let mut rules = known_rules();
    // As a caller might write them.
    for limit in [None, Some(0), Some(1), Some(u32::MAX)] {
        for resize in [Resize::Search, Resize::Grid] {
            for patch in [0, 1, u32::MAX] {
                rules.push(ImageRule::Patches {
                    patch,
                    max_edge: limit,
                    max_tokens: limit,
                    multiplier: Some(f64::INFINITY),
                    row_breaks: true,
                    extra: Some(u32::MAX),
                    resize,
                });
            }
        }
        for tile in [0, 1, u32::MAX] {
            rules.push(ImageRule::Tiles {
                tile,
                base: u32::MAX,
                per_tile: u32::MAX,
                fit_edge: limit,
                fit_short: limit,
                max_tiles: limit,
                min_tile: limit,
                whole: limit,
            });
        }
        let most = limit.map(u64::from);
        rules.push(ImageRule::Flat { tokens: 1, max_edge: limit, max_pixels: most });
        let any = limit.unwrap_or(7);
        rules.push(ImageRule::Area { pixels_per_token: any, base: any, min: u32::MAX, max: any, max_pixels: most });
    }
    rules.into_iter()
}

const SIDES: [u32; 14] = [0, 1, 2, 27, 28, 29, 383, 1000, 1568, 4032, 65_535, 1 << 20, u32::MAX - 1, u32::MAX];

#[test]
fn no_size_overflows_and_none_is_enlarged() {
    for rule in every_rule() {
        for width in SIDES {
            for height in SIDES {
                let cost = rule.cost(width, height);
                assert!(cost.width >= 1 && cost.width <= width.max(1));
                assert!(cost.height >= 1 && cost.height <= height.max(1));
            }
        }
    }
}

#[test]
fn what_is_seen_is_shrunk_no_further() {
    for rule in known_rules() {
        for width in SIDES.into_iter().chain(700..720) {
            for height in SIDES.into_iter().chain(2100..2110) {
                let once = rule.cost(width, height);
                let twice = rule.cost(once.width, once.height);
                let ratio = (width.max(1) / height.max(1)).max(height.max(1) / width.max(1));
                if ratio < 50 {
                    assert_eq!((once.width, once.height), (twice.width, twice.height), "{rule:?} {width}×{height}");
                }
            }
        }
    }
}

#[test]
fn written_as_the_contract_names_it() {
    let json = |model: &str| serde_json::to_value(find(model).unwrap().images).unwrap();
    assert_eq!(
        json(STANDARD),
        serde_json::json!({ "kind": "patches", "patch": 28, "maxEdge": 1568, "maxTokens": 1568 })
    );
    assert_eq!(
        json("gpt-6-sol"),
        serde_json::json!({ "kind": "patches", "patch": 32, "multiplier": 1.2, "resize": "grid" })
    );
    assert_eq!(
        json("gpt-4o"),
        serde_json::json!({ "kind": "tiles", "tile": 512, "base": 85, "perTile": 170, "fitEdge": 2048, "fitShort": 768 })
    );
    assert_eq!(json("gemini-3.8-flash"), serde_json::json!({ "kind": "flat", "tokens": 1120, "maxPixels": 2_580_480 }));
    assert_eq!(
        json("deepseek-flash"),
        serde_json::json!({ "kind": "area", "pixelsPerToken": 1700, "base": 187, "min": 187, "max": 1000, "maxPixels": 1_695_204 })
    );
    assert_eq!(
        json("pixtral-large-latest"),
        serde_json::json!({ "kind": "patches", "patch": 16, "maxEdge": 1024, "rowBreaks": true })
    );
}
