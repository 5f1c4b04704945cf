use super::*;

fn sizes(id: &str) -> ((u32, u32), (u32, u32), bool) {
    let reader = reader(id);
    let size = |pitch: Pitch| (pitch.width, pitch.height);
    (size(reader.pitch(Density::Safe)), size(reader.pitch(Density::Dense)), reader.measured)
}

#[test]
fn the_table_row_by_row() {
    for (id, safe, dense) in [
        ("claude-fable-5", (6, 12), (5, 10)),
        ("claude-mythos-5-1", (6, 12), (5, 10)),
        ("claude-opus-5", (8, 16), (6, 12)),
        ("claude-opus-5-5", (8, 16), (6, 12)),
        ("claude-sonnet-5", (8, 16), (6, 12)),
        ("claude-opus-4-8", (11, 16), (8, 16)),
        ("claude-opus-4-7", (11, 16), (8, 16)),
        ("claude-sonnet-4-6", (11, 16), (8, 16)),
        ("claude-3-5-sonnet-20241022", (11, 16), (8, 16)),
        ("claude-haiku-4-5", (11, 16), (8, 16)),
        ("gemini-3.5-flash", (8, 22), (8, 16)),
        ("gemini-4-argon", (8, 22), (8, 16)),
        ("gpt-5.4", (8, 22), (8, 16)),
        ("gpt-6-astra", (8, 22), (8, 16)),
        ("kimi-k3", (8, 22), (8, 16)),
        ("kimi-k3.1-pro", (8, 22), (8, 16)),
        ("glm-4.6v", (8, 16), (8, 16)),
        ("glm-5v-turbo", (8, 16), (8, 16)),
    ] {
        assert_eq!(sizes(id), (safe, dense, true), "{id}");
    }
}

#[test]
fn nobody_measured_these() {
    for id in [
        "gemini-3.1-pro-preview",
        "gemini-2.5-pro",
        "gpt-5.3-codex",
        "gpt-4o",
        "o3",
        "kimi-k2.6",
        "grok-4.7",
        "deepseek-flash",
        "qwen3-vl-plus",
        "mistral-large-4",
        "llama-4-maverick",
        "muse-spark-1.3",
        "MiniMax-M3",
        "a model nobody knows",
        "",
    ] {
        assert_eq!(sizes(id), ((11, 16), (11, 16), false), "{id}");
    }
}

#[test]
fn the_model_that_reads_decides_whatever_gateway_carries_it() {
    for (id, same) in [
        ("openrouter/anthropic/claude-opus-4.8", "claude-opus-4-8"),
        ("bedrock/us.anthropic.claude-opus-5-v1:0", "claude-opus-5"),
        ("anthropic/claude-5-sonnet", "claude-sonnet-5"),
        ("vertex_ai/gemini-3.5-flash", "gemini-3.5-flash"),
        ("openai.gpt-5.6-luna", "gpt-5.6-luna"),
        ("moonshotai/kimi-k3:free", "kimi-k3"),
        // The route says GPT, the name does not.
        ("gpt-gateway/deepseek-flash", "deepseek-flash"),
    ] {
        assert_eq!(reader(id), reader(same), "{id}");
    }
}

#[test]
fn thinking_is_shown_by_those_who_show_it() {
    for (id, shown) in [
        ("claude-opus-5", false),
        ("gpt-6-astra", false),
        ("o4-mini", false),
        ("gemini-3.8-flash", false),
        ("grok-4.7", false),
        ("unheard of", false),
        ("deepseek/deepseek-v4.1-flash", true),
        ("qwen3-vl-plus", true),
        ("kimi-k3", true),
        ("glm-5v-turbo", true),
    ] {
        assert_eq!(reader(id).thinking, shown, "{id}");
    }
}

#[test]
fn the_ladder_ends() {
    let mut pitch = LADDER[0];
    let mut seen = alloc::vec![(pitch.width, pitch.height)];
    while let Some(next) = finer(pitch) {
        assert!(next.width * next.height < pitch.width * pitch.height);
        seen.push((next.width, next.height));
        pitch = next;
    }
    assert_eq!(seen, [(11, 16), (8, 16), (6, 12), (6, 10), (5, 10), (5, 9), (5, 8)]);
    // 8×22 holds what 11×16 holds.
    assert_eq!(finer(P8X22), Some(P8X16));
    assert_eq!(finer(Pitch { font: "10x20", width: u32::MAX, height: u32::MAX }), Some(LADDER[0]));
}
