//! The one table of how providers bill, shrink and limit pictures. Figures gathered in November 2026; each row names its
//! source. Where sources disagree the smaller size and the larger bill stand here.

use super::{
    ImageRule, ModelFacts, Resize,
    families::{Family, Identity},
    identity,
};

/// What a provider refuses besides too many tokens. `None` is no known limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImageLimits {
    /// Most pictures a request.
    pub images: Option<u32>,
    /// Most bytes of a request's body.
    pub request_bytes: Option<u32>,
    /// Most bytes of base64 a picture.
    pub base64: Option<u32>,
    /// Longest side of a picture in pixels.
    pub edge: Option<u32>,
    /// Most pixels of a picture.
    pub pixels: Option<u32>,
    /// Most squares of 32 px a picture.
    pub patches: Option<u32>,
    /// A shorter side where many pictures come together.
    pub crowd: Option<Crowd>,
}

/// A limit that holds for all pictures of a request once it has more than so many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crowd {
    /// With more pictures than this (Anthropic counts documents too) …
    pub above: u32,
    /// … no side may be longer than this, in pixels, or the whole request fails.
    pub edge: u32,
}

/// For models nobody has described: squares of 28 px, which most use, and the smallest size that a large provider
/// leaves alone (Anthropic's standard tier).
pub(super) const DEFAULT_RULE: ImageRule = patches(28, Some(1568), Some(1568));

const fn patches(patch: u32, max_edge: Option<u32>, max_tokens: Option<u32>) -> ImageRule {
    ImageRule::Patches {
        patch,
        max_edge,
        max_tokens,
        multiplier: None,
        row_breaks: false,
        extra: None,
        resize: Resize::Search,
    }
}

/// Mistral: a token ends each row.
const fn rows(patch: u32, max_edge: u32) -> ImageRule {
    ImageRule::Patches {
        patch,
        max_edge: Some(max_edge),
        max_tokens: None,
        multiplier: None,
        row_breaks: true,
        extra: None,
        resize: Resize::Search,
    }
}

/// OpenAI's squares of 32 px.
const fn squares(max_edge: Option<u32>, budget: Option<u32>, multiplier: f64) -> ImageRule {
    ImageRule::Patches {
        patch: 32,
        max_edge,
        max_tokens: budget,
        multiplier: Some(multiplier),
        row_breaks: false,
        extra: None,
        resize: Resize::Grid,
    }
}

/// OpenAI's tiles of 512 px.
const fn tiles(base: u32, per_tile: u32) -> ImageRule {
    ImageRule::Tiles {
        tile: 512,
        base,
        per_tile,
        fit_edge: Some(2048),
        fit_short: Some(768),
        max_tiles: None,
        min_tile: None,
        whole: None,
    }
}

/// Tiles laid on a grid of at most so many.
const fn canvas(tile: u32, base: u32, per_tile: u32, max_tiles: u32) -> ImageRule {
    ImageRule::Tiles {
        tile,
        base,
        per_tile,
        fit_edge: None,
        fit_short: None,
        max_tiles: Some(max_tiles),
        min_tile: None,
        whole: None,
    }
}

const fn flat(tokens: u32, max_pixels: u64) -> ImageRule {
    ImageRule::Flat { tokens, max_edge: None, max_pixels: Some(max_pixels) }
}

const fn area(pixels_per_token: u32, base: u32, min: u32, max: u32, most: Option<u64>) -> ImageRule {
    ImageRule::Area { pixels_per_token, base, min, max, max_pixels: most }
}

/// How the model bills and shrinks a picture that asks for no particular detail.
pub(super) fn rule(model: &Identity) -> ImageRule {
    let version = model.version;
    match model.family {
        Family::Claude => claude(model),
        Family::Gpt => gpt(model),
        // OpenAI, guides/images-vision: o4-mini counts squares, o1 and o3 tiles.
        Family::Reasoner if version >= 400 => squares(None, Some(1536), 1.72),
        Family::Reasoner => tiles(75, 150),
        // ai.google.dev, gemini-api/docs/media-resolution: 1120 a picture at the default resolution. Nothing is said of
        // size; 1078 tokens measured for 1568×728 fit a budget of 1120 squares of 48 px.
        Family::Gemini if version == 0 || version >= 300 => flat(1120, 1120 * 48 * 48),
        // ai.google.dev, gemini-api/docs/tokens: 258 up to 384 px, else 258 a tile.
        Family::Gemini => ImageRule::Tiles {
            tile: 768,
            base: 0,
            per_tile: 258,
            fit_edge: None,
            fit_short: None,
            max_tiles: None,
            min_tile: Some(256),
            whole: Some(384),
        },
        // ai.google.dev, gemma/docs/capabilities/vision: 4 has budgets up to 1120; 3 takes 896×896 for 256 tokens.
        Family::Gemma if version >= 400 => flat(1120, 896 * 896),
        Family::Gemma => ImageRule::Flat { tokens: 256, max_edge: Some(896), max_pixels: Some(896 * 896) },
        // docs.x.ai, image understanding: 256 to 1792. Grok 4.5 measured at about 1000 a megapixel; before it tiles of
        // 448 px at 256 tokens and one more, here as area.
        Family::Grok if version >= 450 => area(1000, 0, 256, 1792, None),
        Family::Grok => area(448 * 448 / 256, 256, 256, 1792, None),
        // transformers, models/llama4: tiles of 336 px at 144 tokens, at most 16, and one of the whole.
        Family::Llama if version >= 400 => canvas(336, 144, 144, 16),
        // transformers, models/mllama; docs.together.ai, vision-overview: 1601 a tile.
        Family::Llama => canvas(560, 0, 1601, 4),
        // help.aliyun.com, model-studio/vision: 32 px a token from 3, 28 before, and two marks. 16,384 with the flag for
        // high resolution; the limit without it is not documented well enough to stand here.
        Family::Qwen if version >= 300 => area(32 * 32, 2, 4, 16_384, None),
        Family::Qwen => area(28 * 28, 2, 4, 16_384, None),
        // api-docs.deepseek.com, vision: at most 1024; a line through measured sizes. Larger pictures become about 1302².
        Family::DeepSeek => area(1700, 187, 187, 1000, Some(1302 * 1302)),
        // mistral-common, image encoders: Pixtral 16 px up to 1024, Small 3.1 and later 28 px up to 1540.
        Family::Mistral if model.has("vision") => rows(16, 1024),
        Family::Mistral => rows(28, 1540),
        // docs.z.ai, GLM-4.6V; transformers, models/glm4v: 28 px a token between two areas.
        Family::Glm => area(28 * 28, 0, 16, 12_288, Some(9_633_792)),
        // preprocessor_config.json of Kimi-K2.5 and Kimi-K3: 16,384 or 65,536 squares of 14 px, four of them a token,
        // at most 512 along a side. The real resize may go one row of squares beyond the budget.
        Family::Kimi if version >= 300 => patches(28, Some(7168), Some(16_384)),
        Family::Kimi => patches(28, Some(7168), Some(4096)),
        Family::MiniMax | Family::Muse => DEFAULT_RULE,
    }
}

/// Anthropic, build-with-claude/vision, July 2026.
fn claude(model: &Identity) -> ImageRule {
    let high = (model.has("opus") && model.version >= 470)
        || (model.has("sonnet") && model.version >= 500)
        || model.has("fable")
        || model.has("mythos");
    if high { patches(28, Some(2576), Some(4784)) } else { patches(28, Some(1568), Some(1568)) }
}

/// OpenAI, guides/images-vision, detail `auto`. Budgets of the small models are 1536 in older mirrors of that page and
/// 6144 in newer ones: the smaller stands. 1.2 is confirmed by huggingface.co/datasets/JOHNISKING/image-token-cost.
fn gpt(model: &Identity) -> ImageRule {
    let (version, mini, nano) = (model.version, model.has("mini"), model.has("nano"));
    if model.has("computer") {
        return tiles(65, 129);
    }
    match version {
        560.. => squares(None, None, 1.2),
        410..560 if mini && version != 450 => squares(None, Some(1536), 1.62),
        410..560 if nano && version != 450 => squares(None, Some(1536), 2.46),
        550..560 => squares(Some(6000), Some(10_000), 1.2),
        540..550 => squares(Some(2048), Some(2500), 1.2),
        520..540 => squares(None, Some(1536), 1.2),
        500..520 => tiles(70, 140),
        400..410 if mini => tiles(2833, 5667),
        _ => tiles(85, 170),
    }
}

/// The rule of a model for pictures sent with a detail of their own; see [`ModelFacts::images_at`].
pub(super) fn at_detail(facts: &ModelFacts, detail: &str) -> ImageRule {
    let detail = detail.strip_prefix("MEDIA_RESOLUTION_").unwrap_or(detail);
    let is = |word: &str| detail.eq_ignore_ascii_case(word);
    if detail.is_empty() || is("auto") {
        return facts.images;
    }
    let Some(model) = identity(&facts.id) else {
        return facts.images;
    };
    match (model.family, &facts.images) {
        // `low` is the base alone, of a copy of 512 px.
        (Family::Gpt | Family::Reasoner, ImageRule::Tiles { base, .. }) if is("low") => {
            ImageRule::Flat { tokens: *base, max_edge: Some(512), max_pixels: None }
        }
        // GPT-6 at `high` was measured without a limit of the edge.
        (Family::Gpt, ImageRule::Patches { .. }) if is("high") => match model.version {
            560.. => squares(None, Some(2500), 1.2),
            550..560 => squares(Some(2048), Some(2500), 1.2),
            _ => facts.images,
        },
        (Family::Gpt, ImageRule::Patches { .. }) if is("original") => match model.version {
            540..550 if !model.has("mini") && !model.has("nano") => squares(Some(6000), Some(10_000), 1.2),
            _ => facts.images,
        },
        // A smaller budget of squares of 48 px, read as the default's is.
        (Family::Gemini, ImageRule::Flat { .. }) if is("low") => flat(280, 280 * 48 * 48),
        (Family::Gemini, ImageRule::Flat { .. }) if is("medium") => flat(560, 560 * 48 * 48),
        (Family::Gemini, ImageRule::Flat { .. }) if is("ultra_high") => flat(2240, 2240 * 48 * 48),
        // Gemini 2.x looks at one square of 768 px at most.
        (Family::Gemini, ImageRule::Tiles { .. }) if is("low") => flat(64, 768 * 768),
        (Family::Gemini, ImageRule::Tiles { .. }) if is("medium") => flat(256, 768 * 768),
        _ => facts.images,
    }
}

/// What the model's provider refuses, and the host that the id names.
pub(super) fn limits(model: Option<&Identity>, window: u32, id: &str) -> ImageLimits {
    let none = ImageLimits::default();
    let own = match model.map(|model| (model.family, model.version)) {
        // Anthropic, build-with-claude/vision. Projects saw failures beyond about 70 pictures or 11 MB long before.
        Some((Family::Claude, _)) => ImageLimits {
            images: Some(if window <= 200_000 { 100 } else { 600 }),
            request_bytes: Some(32_000_000),
            base64: Some(if on_a_cloud(id) { 5_000_000 } else { 10_000_000 }),
            edge: Some(8000),
            crowd: Some(Crowd { above: 20, edge: 2000 }),
            ..none
        },
        // OpenAI, guides/images-vision; earlier 500 and 50 MB.
        Some((Family::Gpt, 560..)) => ImageLimits {
            images: Some(1500),
            request_bytes: Some(512_000_000),
            edge: Some(65_535),
            patches: Some(30_000),
            ..none
        },
        Some((Family::Gpt | Family::Reasoner, _)) => {
            ImageLimits { images: Some(1500), request_bytes: Some(512_000_000), ..none }
        }
        // cloud.google.com, vertex-ai, image understanding: 900 to 3000 by model, 7 MB inline.
        Some((Family::Gemini, _)) => ImageLimits { images: Some(900), base64: Some(7_000_000), ..none },
        // api-docs.deepseek.com, vision.
        Some((Family::DeepSeek, _)) => ImageLimits {
            images: Some(600),
            request_bytes: Some(48 << 20),
            edge: Some(8192),
            crowd: Some(Crowd { above: 14, edge: 4096 }),
            ..none
        },
        // docs.mistral.ai, capabilities/vision.
        Some((Family::Mistral, _)) => ImageLimits { images: Some(8), ..none },
        // docs.x.ai, image understanding; jpg and png only.
        Some((Family::Grok, _)) => ImageLimits { base64: Some(20 << 20), ..none },
        _ => none,
    };
    limits_of_host(id, own)
}

/// The smaller of a limit and what the host in a route allows.
pub(super) fn limits_of_host(id: &str, mut limits: ImageLimits) -> ImageLimits {
    fn at_most(limit: &mut Option<u32>, most: u32) {
        *limit = Some(limit.map_or(most, |limit| limit.min(most)));
    }
    // console.groq.com, docs/vision.
    if names(id, "groq") {
        at_most(&mut limits.images, 5);
        at_most(&mut limits.base64, 4_000_000);
        at_most(&mut limits.pixels, 33_000_000);
    }
    // developers.cloudflare.com, workers-ai.
    if names(id, "cf") || names(id, "workers-ai") {
        at_most(&mut limits.images, 32);
    }
    // In mid 2026 more than 8 were dropped in silence; later 90 passed.
    if names(id, "openrouter") {
        at_most(&mut limits.images, 90);
    }
    limits
}

/// Whether a segment of a route is this word.
fn names(id: &str, host: &str) -> bool {
    id.split(['/', ':']).any(|part| part.trim_start_matches('@').eq_ignore_ascii_case(host))
}

/// Whether a Claude is reached by Bedrock, which writes `anthropic.claude-…` with a region before it, or by Vertex,
/// which writes `claude-…@20250929`.
fn on_a_cloud(id: &str) -> bool {
    const HOSTS: &[&str] = &["bedrock", "amazon-bedrock", "vertex_ai", "vertex", "google-vertex"];
    let last = id.rsplit('/').next().unwrap_or_default();
    last.split_once('@').is_some_and(|(name, _)| !name.is_empty())
        || last.split('.').rev().skip(1).any(|word| word == "anthropic")
        || HOSTS.iter().any(|host| names(id, host))
}
