use super::*;
use alloc::string::ToString;

fn same(id: &str, known: &str) {
    let (found, wanted) = (find(id), find(known).unwrap());
    let found = found.unwrap_or_else(|| panic!("{id} is unknown"));
    assert_eq!(found.id, id);
    assert_eq!(found.window, wanted.window, "{id}");
    assert_eq!(found.max_output, wanted.max_output, "{id}");
    assert_eq!(found.price, wanted.price, "{id}");
    assert_eq!(found.vision, wanted.vision, "{id}");
    assert_eq!(found.tokenizer, wanted.tokenizer, "{id}");
    assert_eq!(found.images, wanted.images, "{id}");
}

#[test]
fn routes_lead_to_the_model() {
    for (id, known) in [
        ("openrouter/anthropic/claude-opus-4.8", "claude-opus-4-8"),
        ("anthropic/claude-opus-4.8:beta", "claude-opus-4-8"),
        ("bedrock/us.anthropic.claude-opus-4-8-v1:0", "claude-opus-4-8"),
        ("anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5"),
        ("eu.anthropic.claude-opus-4-6-v1", "claude-opus-4-6"),
        (
            "arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-sonnet-4-20250514-v1:0",
            "claude-sonnet-4",
        ),
        ("vertex_ai/gemini-3.5-flash", "gemini-3.5-flash"),
        ("claude-sonnet-4-5@20250929", "claude-sonnet-4-5"),
        ("vertex_ai/claude-haiku-4-5@20251001", "claude-haiku-4-5"),
        ("models/gemini-2.5-pro", "gemini-2.5-pro"),
        ("publishers/google/models/gemini-2.5-pro", "gemini-2.5-pro"),
        ("gemini-3.1-pro", "gemini-3.1-pro-preview"),
        ("gemini-2.5-flash-preview-05-20", "gemini-2.5-flash"),
        ("gemini-2.5-flash-preview-09-2025", "gemini-2.5-flash"),
        ("gemini-2.0-flash-001", "gemini-2.0-flash"),
        ("azure/gpt-4o", "gpt-4o"),
        ("gpt4o", "gpt-4o"),
        ("gpt-4o-2024-08-06", "gpt-4o"),
        ("openai:gpt-5.2-2025-12-11", "gpt-5.2"),
        ("azure/gpt-35-turbo", "gpt-3.5-turbo"),
        ("ft:gpt-4o-mini-2024-07-18:acme::abc123", "gpt-4o-mini"),
        ("openai.gpt-5.6-luna", "gpt-5.6-luna"),
        ("openai/gpt-oss-120b:free", "gpt-oss-120b"),
        ("openai.gpt-oss-120b-1:0", "gpt-oss-120b"),
        ("o4-mini-high", "o4-mini"),
        ("claude-3-5-sonnet-20241022", "claude-3-5-sonnet"),
        ("claude-3-5-sonnet-latest", "claude-3-5-sonnet"),
        ("anthropic/claude-4.5-sonnet", "claude-sonnet-4-5"),
        ("claude-3.7-sonnet:thinking", "claude-3-7-sonnet"),
        ("Claude-Opus-4-8", "claude-opus-4-8"),
        ("claude-opus-4-6[1m]", "claude-opus-4-6"),
        ("deepseek/deepseek-v4.1-flash", "deepseek-flash"),
        ("deepseek/deepseek-chat-v3-0324", "deepseek-chat"),
        ("x-ai/grok-4-0709", "grok-4"),
        ("grok-3", "grok-3-beta"),
        ("qwen/qwen-max", "qwen-max"),
        ("dashscope/qwen3-max-2026-01-23", "qwen3-max"),
        ("qwen-turbo", "qwen-turbo-latest"),
        ("mistral/mistral-large-2512", "mistral-large-latest"),
        ("mistralai/mistral-medium", "mistral-medium-latest"),
        ("minimax/minimax-m2.5", "MiniMax-M2.5"),
        ("z-ai/glm-4.5-air:free", "glm-4.5-air"),
        ("meta-llama/Llama-3.3-70B-Instruct", "llama-3.3-70b-instruct"),
        ("gpt-5-chat", "gpt-5-chat-latest"),
    ] {
        same(id, known);
    }
}

#[test]
fn what_is_written_in_the_corpus_is_found() {
    for id in [
        "claude-sonnet-4-5",
        "claude-opus-4-6",
        "claude-haiku-4-5-20251001",
        "claude-sonnet-4-20250514",
        "gpt-5-codex",
        "gpt-4o-mini-2024-07-18",
        "claude-3-sonnet-20240229",
        "openai/gpt-4o-mini",
        "gpt-4-turbo",
        "gpt-5-6-pro",
        "deepseek-reasoner",
        "deepseek-v4-flash",
        "sonnet",
        "haiku",
        "gpt-5.1-codex",
        "gpt-4",
        "o4-mini-2025-04-16",
    ] {
        assert!(find(id).is_some(), "{id}");
    }
}

fn summary(id: &str) -> (u32, u32, bool, Tokenizer) {
    let facts = find(id).unwrap_or_else(|| panic!("{id} is unknown"));
    (facts.window, facts.max_output, facts.vision, facts.tokenizer)
}

#[test]
fn strangers_of_a_known_family() {
    use Tokenizer::*;
    for (id, wanted) in [
        ("claude-opus-9", (1_000_000, 128_000, true, Claude)),
        ("claude-haiku-5", (200_000, 64_000, true, Claude)),
        ("claude-9", (1_000_000, 128_000, true, Claude)),
        ("claude-latest", (200_000, 4_096, true, Claude)),
        ("claude-2.1", (100_000, 4_096, false, Claude)),
        ("sonnet", (1_000_000, 128_000, true, Claude)),
        ("gpt-5.9-foo", (1_050_000, 128_000, true, O200k)),
        ("gpt-7-mini", (400_000, 128_000, true, O200k)),
        ("gpt-4-32k", (8_192, 4_096, false, Cl100k)),
        ("gemini-4-pro", (1_048_576, 65_536, true, Gemini)),
        ("gemini-flash-latest", (1_048_576, 65_536, true, Gemini)),
        ("gemini-1.5-pro", (1_048_576, 8_192, true, Gemini)),
        ("@cf/meta/llama-3.1-8b-instruct", (128_000, 4_096, false, Llama)),
        ("@cf/meta/llama-3.2-11b-vision-instruct", (128_000, 4_096, true, Llama)),
        ("ollama/llama3:8b", (8_192, 2_048, false, Llama)),
        ("deepseek-r1-distill-llama-70b", (128_000, 4_096, false, Llama)),
        ("moonshot-v1-8k", (8_192, 8_192, false, Other)),
        ("kimi-k4", (1_048_576, 1_048_576, true, Other)),
        ("qwen2.5-coder-32b-instruct", (32_768, 8_192, false, Qwen)),
        ("mistral-7b-instruct", (32_768, 32_768, false, Mistral)),
        ("glm-4.1v-9b", (66_000, 8_192, true, Other)),
        ("deepseek.v3-v1:0", (163_840, 65_536, false, DeepSeek)),
    ] {
        assert_eq!(summary(id), wanted, "{id}");
        assert_eq!(find(id).unwrap().price, None, "{id}");
    }
    assert_eq!(find("claude-opus-9").unwrap().images, find("claude-opus-5-5").unwrap().images);
    assert_eq!(find("gpt-5.9-foo").unwrap().images, find("gpt-6-sol").unwrap().images);
}

#[test]
fn the_unknown_is_unknown() {
    for id in [
        "",
        "/",
        ":",
        "@",
        "[",
        "my-model",
        "gpt",
        "openrouter/auto",
        "groq/compound",
        "text-embedding-3-large",
        "o",
        "text-davinci-002-render-sha",
        "-",
        "claude-embed",
        "日本語",
        "a.b.c",
        "..",
        "amazon.nova-pro-v1:0",
    ] {
        let found = find(id);
        if id == "gpt" {
            assert_eq!(found.map(|facts| facts.window), Some(1_050_000));
        } else {
            assert_eq!(found, None, "{id}");
        }
    }
}

#[test]
fn tokenizers_and_prices() {
    assert_eq!(find("gpt-4").unwrap().tokenizer, Tokenizer::Cl100k);
    assert_eq!(find("gpt-3.5-turbo").unwrap().tokenizer, Tokenizer::Cl100k);
    for id in ["gpt-4o", "gpt-4.1", "gpt-4.5-preview", "chatgpt-4o-latest", "o3", "gpt-oss-20b", "gpt-6-sol"] {
        assert_eq!(find(id).unwrap().tokenizer, Tokenizer::O200k, "{id}");
    }
    let price = find("claude-opus-5-5").unwrap().price.unwrap();
    assert_eq!(price, Price { input: 4.0, output: 20.0, cache_read: Some(0.2), cache_write: Some(5.0) });
    assert_eq!(find("deepseek-v4-pro").unwrap().price.unwrap().cache_read, Some(0.003625));
    assert_eq!(find("kimi-for-coding").unwrap().price, None);
    for name in ["o200k", "cl100k", "claude", "gemini", "llama", "qwen", "deepseek", "mistral", "other"] {
        let tokenizer = Tokenizer::from_name(name).unwrap();
        assert_eq!(serde_json::to_value(tokenizer).unwrap(), name);
    }
    assert_eq!(Tokenizer::from_name("p50k"), None);
}

#[test]
fn limits_follow_provider_and_host() {
    let limits = |id: &str| find(id).unwrap().limits;
    assert_eq!(limits("claude-opus-4-8").images, Some(600));
    assert_eq!(limits("claude-sonnet-4-5").images, Some(100));
    assert_eq!(limits("claude-opus-4-8").crowd, Some(Crowd { above: 20, edge: 2000 }));
    assert_eq!(limits("claude-opus-4-8").base64, Some(10_000_000));
    for id in ["us.anthropic.claude-opus-4-8-v1:0", "vertex_ai/claude-opus-4-8", "claude-opus-4-8@20260528"] {
        assert_eq!(limits(id).base64, Some(5_000_000), "{id}");
    }
    assert_eq!(limits("gpt-5.6").patches, Some(30_000));
    assert_eq!(limits("groq/meta-llama/llama-4-scout-17b-16e-instruct").images, Some(5));
    assert_eq!(limits("@cf/meta/llama-3.2-11b-vision-instruct").images, Some(32));
    assert_eq!(limits("openrouter/google/gemini-3.8-flash").images, Some(90));
    assert_eq!(limits("openrouter/mistralai/pixtral-large").images, Some(8));
    let own = complete(PartialFacts { id: Some("groq/mine".into()), window: Some(9_000), ..Default::default() });
    assert_eq!(own.unwrap().limits.images, Some(5));
}

#[test]
fn details_of_a_picture() {
    let cost = |id: &str, detail: &str| find(id).unwrap().images_at(detail).cost(2560, 1440).tokens;
    assert_eq!(cost("gpt-4o", "low"), 85);
    assert_eq!(cost("gpt-4o", "auto"), 1105);
    // huggingface.co/datasets/JOHNISKING/image-token-cost.
    assert_eq!(cost("gpt-6-astra", "high"), 2931);
    assert_eq!(cost("gpt-6-astra", "original"), 4320);
    assert_eq!(cost("gpt-5.4", "original"), 4320);
    assert_eq!(cost("gpt-5.5", "high"), cost("gpt-5.4", "auto"));
    assert_eq!(cost("gemini-3.8-flash", "MEDIA_RESOLUTION_LOW"), 280);
    assert_eq!(cost("gemini-3.8-flash", "ultra_high"), 2240);
    assert_eq!(cost("gemini-2.5-pro", "medium"), 256);
    assert_eq!(cost("claude-opus-5-5", "low"), find("claude-opus-5-5").unwrap().images.cost(2560, 1440).tokens);
}

#[test]
fn partial_facts_are_completed() {
    assert_eq!(complete(PartialFacts::default()), None);
    assert_eq!(complete(PartialFacts { id: Some("mine".into()), ..Default::default() }), None);
    let own = complete(PartialFacts { id: Some("mine".into()), window: Some(8_000), ..Default::default() }).unwrap();
    assert_eq!((own.window, own.max_output, own.vision, own.tokenizer), (8_000, 2_000, false, Tokenizer::Other));
    assert_eq!(own.price, None);
    let known = complete(PartialFacts {
        id: Some("anthropic/claude-opus-5.5".into()),
        window: Some(100_000),
        vision: Some(false),
        ..Default::default()
    })
    .unwrap();
    assert_eq!((known.window, known.max_output, known.vision), (100_000, 100_000, false));
    assert_eq!(known.tokenizer, Tokenizer::Claude);
    assert!(known.price.is_some());
    assert_eq!(complete(PartialFacts { id: Some("gpt-4o".into()), ..Default::default() }), find("gpt-4o"));
}

#[test]
fn every_row_is_found_by_its_own_id() {
    for row in rows() {
        let facts = find(row.0).unwrap();
        assert_eq!((facts.window, facts.max_output), (row.1, row.2.min(row.1)), "{}", row.0);
        assert!(families::identify(&names::normal(row.0)).is_some(), "{} has no family", row.0);
        assert!(facts.max_output > 0 && facts.window > 0);
    }
    let all = all();
    assert!(all.len() > 100);
    for id in ["gpt-6-sol", "claude-opus-5-5", "claude-sonnet-5-5", "gemini-3.8-flash"] {
        assert!(all.iter().any(|facts| facts.id == id), "{id}");
    }
    for (index, facts) in all.iter().enumerate() {
        assert!(all[..index].iter().all(|other| other.id != facts.id), "{} twice", facts.id);
    }
}

#[test]
fn written_as_the_contract_names_it() {
    let facts = serde_json::to_value(find("openai/gpt-4o").unwrap()).unwrap();
    assert_eq!(
        facts,
        serde_json::json!({
            "id": "openai/gpt-4o", "window": 128_000, "maxOutput": 16_384, "vision": true, "tokenizer": "o200k",
            "images": { "kind": "tiles", "tile": 512, "base": 85, "perTile": 170, "fitEdge": 2048, "fitShort": 768 },
            "price": { "input": 2.5, "output": 10.0, "cacheRead": 1.25 },
        })
    );
    let free = serde_json::to_string(&find("kimi-for-coding").unwrap()).unwrap();
    assert!(!free.contains("price"), "{}", free.to_string());
}

#[test]
fn noise_never_panics() {
    let words = [
        "claude",
        "-",
        "4",
        ".",
        "opus",
        "/",
        ":",
        "@",
        "gpt",
        "o",
        "2025",
        "08",
        "é",
        "漢",
        "[",
        "v1",
        "k",
        "_",
        " ",
        "99999999999",
        "distill",
        "latest",
    ];
    let mut state = 7_u64;
    for _ in 0..500 {
        let mut id = String::new();
        for _ in 0..state % 9 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            id.push_str(words[(state >> 33) as usize % words.len()]);
        }
        state = state.wrapping_add(1);
        if let Some(facts) = find(&id) {
            assert!(facts.id == id && facts.window > 0 && facts.max_output > 0 && facts.max_output <= facts.window);
        }
    }
}

#[test]
fn openai_alone_is_told_how_closely_to_look() {
    for (id, detail) in [
        ("gpt-4o", Some("high")),
        ("openrouter/openai/gpt-5.5", Some("high")),
        ("o3", Some("high")),
        ("gpt-6-astra", Some("high")),
        ("claude-opus-5", None),
        ("gemini-3.8-flash", None),
        ("gpt-gateway/kimi-k3", None),
    ] {
        assert_eq!(find(id).unwrap().close_detail(), detail, "{id}");
    }
    // A rule of the caller's own is not replaced by the provider's.
    let own = PartialFacts { images: find("claude-opus-5").map(|facts| facts.images), ..PartialFacts::default() };
    let facts = complete(PartialFacts { id: Some("gpt-4o".into()), ..own }).unwrap();
    assert_eq!(facts.close_detail(), None);
}

#[test]
fn newer_models_of_anthropic_take_the_system_inside() {
    for (id, takes) in [
        ("claude-opus-4-8", true),
        ("openrouter/anthropic/claude-opus-4.8:beta", true),
        ("us.anthropic.claude-opus-4-8-v1:0", true),
        ("claude-sonnet-5", true),
        ("claude-fable-5-1", true),
        ("claude-haiku-5-5-20261001", true),
        ("claude-opus-4-7", false),
        ("claude-opus-4-20250514", false),
        ("claude-sonnet-4-6", false),
        ("claude-3-5-sonnet-20241022", false),
        ("deepseek/deepseek-v4-pro", false),
        ("my-own", false),
    ] {
        let own = PartialFacts { id: Some(id.into()), window: Some(1000), ..PartialFacts::default() };
        assert_eq!(complete(own).unwrap().takes_system(), takes, "{id}");
    }
}
