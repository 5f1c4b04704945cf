//! Chat models that llm-zoo lacks or gets wrong.
//!
//! Source, unless a line says otherwise: LiteLLM 1.110.2, `model_prices_and_context_window_backup.json` (MIT, Berri AI),
//! which cites the makers' own model cards and price lists; read in November 2026. Where it gives a largest input only,
//! that stands here as the window. Remove a row once llm-zoo has it.

use super::row::{R, Row, V};

#[rustfmt::skip]
pub(super) static MODELS: &[Row] = &[
    // platform.claude.com, models/haiku-5-5/overview. Above 100,000 tokens of prompt the price is five times as high.
    Row("claude-haiku-5-5", 1_000_000, 128_000, V, [100_000, 500_000, 10_000, 125_000]),
    Row("claude-sonnet-5-5", 1_000_000, 128_000, V, [2_000_000, 10_000_000, 100_000, 2_500_000]),
    // Windows here are largest input and largest output together, as for GPT-6.
    Row("gpt-6.1-sol", 1_050_000, 128_000, V, [2_000_000, 10_000_000, 100_000, 2_500_000]),
    Row("gpt-6.1-terra", 1_050_000, 128_000, V, [1_000_000, 5_000_000, 50_000, 1_250_000]),
    Row("gpt-5-chat-latest", 128_000, 16_384, V | R, [1_250_000, 10_000_000, 125_000, 0]),
    Row("gpt-5.1-chat-latest", 128_000, 16_384, V | R, [1_250_000, 10_000_000, 125_000, 0]),
    Row("gpt-5.2-chat-latest", 128_000, 16_384, V | R, [1_750_000, 14_000_000, 175_000, 0]),
    Row("gpt-5.3-chat-latest", 128_000, 16_384, V | R, [1_750_000, 14_000_000, 175_000, 0]),
    Row("gpt-5-codex", 400_000, 128_000, V | R, [1_250_000, 10_000_000, 125_000, 0]),
    Row("gpt-5.1-codex", 400_000, 128_000, V | R, [1_250_000, 10_000_000, 125_000, 0]),
    Row("gpt-5.1-codex-max", 400_000, 128_000, V | R, [1_250_000, 10_000_000, 125_000, 0]),
    Row("gpt-5.1-codex-mini", 400_000, 128_000, V | R, [250_000, 2_000_000, 25_000, 0]),
    Row("gpt-4-1106-preview", 128_000, 4_096, R, [10_000_000, 30_000_000, 0, 0]),
    Row("gpt-4-0125-preview", 128_000, 4_096, R, [10_000_000, 30_000_000, 0, 0]),
    Row("gpt-4", 8_192, 4_096, R, [30_000_000, 60_000_000, 0, 0]),
    Row("gpt-3.5-turbo", 16_385, 4_096, R, [500_000, 1_500_000, 0, 0]),
    Row("computer-use-preview", 8_192, 1_024, V, [3_000_000, 12_000_000, 0, 0]),
    Row("gemini-4-argon", 1_048_576, 1_048_576, V, [2_000_000, 10_000_000, 100_000, 0]),
    Row("gemini-4-hydrogen", 1_048_576, 1_048_576, V, [1_500_000, 7_500_000, 75_000, 0]),
    Row("gemini-2.5-flash-lite", 1_048_576, 65_536, V, [100_000, 400_000, 10_000, 0]),
    // ai.google.dev, gemini-api/docs/tokens.
    Row("gemini-2.0-flash", 1_048_576, 8_192, V | R, [100_000, 400_000, 25_000, 0]),
    Row("gemma-4-31b-it", 262_144, 32_768, V, [0, 0, 0, 0]),
    Row("gemma-3-27b-it", 131_072, 8_192, V, [0, 0, 0, 0]),
    Row("grok-4.20", 1_000_000, 128_000, V, [1_250_000, 2_500_000, 200_000, 0]),
    Row("grok-code-fast-1", 256_000, 128_000, V | R, [1_000_000, 2_000_000, 200_000, 0]),
    Row("kimi-k3.1-pro", 1_048_576, 1_048_576, V, [2_000_000, 10_000_000, 200_000, 0]),
    Row("glm-4.6", 200_000, 128_000, 0, [600_000, 2_200_000, 110_000, 0]),
    Row("mistral-large-4", 1_048_576, 1_048_576, V, [700_000, 2_100_000, 70_000, 0]),
    Row("mistral-large-latest", 262_144, 262_144, V, [500_000, 1_500_000, 50_000, 0]),
    Row("mistral-medium-latest", 262_144, 262_144, V, [1_500_000, 7_500_000, 150_000, 0]),
    Row("mistral-small-latest", 262_144, 262_144, V, [150_000, 600_000, 15_000, 0]),
    Row("magistral-medium-latest", 262_144, 262_144, V, [1_500_000, 7_500_000, 150_000, 0]),
    Row("magistral-small-latest", 262_144, 262_144, V, [150_000, 600_000, 15_000, 0]),
    Row("ministral-8b-latest", 262_144, 262_144, V, [150_000, 150_000, 15_000, 0]),
    Row("ministral-3b-latest", 131_072, 131_072, V, [100_000, 100_000, 10_000, 0]),
    Row("devstral-medium-latest", 256_000, 256_000, 0, [400_000, 2_000_000, 40_000, 0]),
    Row("devstral-small-latest", 256_000, 256_000, 0, [100_000, 300_000, 10_000, 0]),
    Row("codestral-latest", 128_000, 128_000, 0, [300_000, 900_000, 30_000, 0]),
    Row("open-mistral-nemo", 128_000, 128_000, 0, [300_000, 300_000, 30_000, 0]),
    Row("pixtral-large-latest", 128_000, 128_000, V, [2_000_000, 6_000_000, 200_000, 0]),
    // github.com/lobehub/lobe-chat, packages/model-bank/src/aiModels/mistral.ts; huggingface.co/mistralai for the other two.
    Row("pixtral-12b-2409", 131_072, 131_072, V | R, [150_000, 150_000, 0, 0]),
    Row("open-mixtral-8x7b", 32_768, 32_768, R, [700_000, 700_000, 0, 0]),
    Row("open-mistral-7b", 32_768, 32_768, R, [250_000, 250_000, 0, 0]),
    Row("qwen3.8-max", 991_808, 131_072, V, [2_000_000, 6_000_000, 250_000, 0]),
    Row("qwen3.8-flash", 991_808, 131_072, V, [150_000, 470_000, 16_000, 0]),
    // Tiers by length of prompt: no one price is right.
    Row("qwen3.7-plus", 991_808, 65_536, V, [0, 0, 0, 0]),
    Row("qwen3.7-max", 991_808, 65_536, 0, [2_500_000, 7_500_000, 500_000, 0]),
    Row("qwen3.5-plus", 991_808, 65_536, V, [0, 0, 0, 0]),
    Row("qwen3-coder-plus", 997_952, 65_536, 0, [0, 0, 0, 0]),
    Row("qwen-flash", 997_952, 32_768, 0, [0, 0, 0, 0]),
    Row("qwen-max", 30_720, 8_192, 0, [1_600_000, 6_400_000, 0, 0]),
    Row("qwen3-vl-plus", 260_096, 32_768, V, [0, 0, 0, 0]),
    Row("qwen3-vl-235b-a22b-instruct", 131_072, 32_768, V, [400_000, 1_600_000, 0, 0]),
    // Open weights: each host has its own price. Llama 4 is served with 128k to 10M; the least stands here.
    Row("llama-4-maverick", 128_000, 4_096, V, [0, 0, 0, 0]),
    Row("llama-4-scout", 128_000, 4_096, V, [0, 0, 0, 0]),
    Row("llama-3.3-70b-instruct", 128_000, 4_096, 0, [0, 0, 0, 0]),
    Row("llama-3.2-90b-vision-instruct", 128_000, 4_096, V, [0, 0, 0, 0]),
    Row("llama-3.1-70b-instruct", 128_000, 4_096, 0, [0, 0, 0, 0]),
];
