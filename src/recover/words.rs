//! The words in which providers refuse what is too large: one table, matched loosely, never whole.
//!
//! A text is compared in its [`plain`] form. `*` in the table stands for up to [`GAP`] bytes of anything; the parts come in this order.

use super::overflow::Kind::{self, Bytes, Images, Output, Tokens};
use alloc::vec::Vec;

/// Most bytes that `*` stands for: a refusal is a sentence or two.
const GAP: usize = 160;
/// Bytes of a text that are looked at. Refusals say what is wrong first; what follows may be the caller's own words, echoed.
const MOST: usize = 4096;

/// How one provider, or several, refuse.
pub struct Row {
    /// What was too large.
    pub kind: Kind,
    /// Who speaks so, when it is one only; else empty.
    pub provider: &'static str,
    /// What is said, in its plain form.
    pub words: &'static str,
}

const fn row(kind: Kind, provider: &'static str, words: &'static str) -> Row {
    Row { kind, provider, words }
}

/// Words of refusals that come and go, or that are about the account: never an overflow, whatever else they say.
/// AWS throttles with "Too many tokens, please wait"; OpenAI and Groq (even with status 413) speak of "tokens per min (TPM)"; Google says
/// RESOURCE_EXHAUSTED; Anthropic's 429 "Extra usage is required for long context requests"; OpenRouter's 402 "can only afford N";
/// Cohere says "too many tokens: max tokens must be less than" of a wish for too long an answer.
pub const NEVER: &[&str] = &[
    "rate limit",
    "ratelimit",
    "too many requests",
    "throttl",
    "tokens per min",
    "tokens per hour",
    "tokens per day",
    "per minute",
    "quota",
    "resource exhausted",
    "resourceexhausted",
    "please wait",
    "for long context",
    "can only afford",
    "openrouter.ai/settings",
    "max tokens must be less than",
];

/// Every refusal that is known. The first row that fits any text of an error holds, so what is narrower stands first.
/// Sources: `wire-rules` is the project's own table of overflows; `pi` is packages/ai/src/utils/overflow.ts of earendil-works/pi and
/// `opencode` the provider errors of anomalyco/opencode, both gathered by provoking them; else the issue or page where users showed it.
pub const ROWS: &[Row] = &[
    // Pictures: how many, how large.
    row(Images, "anthropic", "too many images and documents"), // anthropics/claude-code#23392: "…: 104 + 1 > 100"; Bedrock, too
    row(Images, "anthropic", "too much media"), // anthropics/claude-code#24541: "0 document pages + 107 images > 100"
    row(Images, "groq", "too many images provided"), // "This model supports up to 5 images"
    row(Images, "", "too many images"),         // boto/boto3#4632, microsoft/vscode#303825, QuantumNous/new-api#1233
    row(Images, "vllm", "image(s) may be provided in one"), // vllm-project/vllm#13397: "At most 1 image(s) may be provided…"
    row(Images, "", "image count * exceeds limit"),         // AgnesAI-Labs/AgnesCode#50
    row(Images, "anthropic", "image dimensions exceed"), // anthropics/claude-code#4778 (8000 px), #49537 (2000 px when many)
    row(Images, "", "max allowed size for many-image"), // aws-solutions…/accelerated-intelligent-document-processing-on-aws#998
    row(Images, "anthropic", "image exceeds * maximum"), // "image exceeds 5 MB maximum: 5316852 bytes > 5242880 bytes"
    row(Images, "bedrock", "image exceeds max pixels"), // aws-samples/video-semantic-search-with-aws-ai-ml-services#4
    row(Images, "google", "exceeds max allowed file size * for image/"), // googleapis/js-genai#1391
    row(Images, "openai", "image file too large"),      // openai-node, ResponseError.code
    row(Images, "", "image too large"),                 // openai-node, ResponseError.code; OpenRouter, error types
    // The answer that was asked for does not fit beside the input. Others say so with figures alone, see `figures`.
    row(Output, "anthropic", "input length and max tokens exceed context limit"), // wire-rules
    row(Output, "vllm", "completion tokens is too large: * maximum context length is"), // BadRequestError of vLLM's chat endpoint
    // Tokens, in the words of one.
    row(Tokens, "anthropic", "prompt is too long: * tokens >"), // wire-rules; on Bedrock after "The model returned the following errors:"
    row(Tokens, "fireworks", "prompt is too long: * model maximum context length"), // fw-ai/cookbook#134
    row(Tokens, "openai", "your input exceeds the context window"), // wire-rules: Responses
    row(Tokens, "openai", "].content: string too long"), // gptscript-ai/clio#41, Shopify/roast#52: counts letters, and tools' own are not meant
    row(Tokens, "openai", "].text: string too long"),    // the same of a part
    row(Tokens, "openai", "].output: string too long"),  // the same of a Responses item
    row(Tokens, "azure", "exceed the configured limit of"), // BerriAI/litellm#15968
    row(Tokens, "google", "input token count *exceeds the maximum number of tokens"), // wire-rules; arkavo-org/arkavo-edge#371 without a count
    row(Tokens, "bedrock", "input is too long for requested model"),                  // wire-rules
    row(Tokens, "bedrock", "number of input tokens exceeds maximum length"), // opencode: Amazon Nova, within a stream
    row(Tokens, "xai", "maximum prompt length is * but the request contains"), // wire-rules
    row(Tokens, "cerebras", "reduce the length of the messages or completion. current length is"), // cline/cline#5140
    row(Tokens, "mistral", "too large for model with * maximum context length"), // wire-rules
    row(Tokens, "openrouter", "this endpoints maximum context length is"),   // wire-rules
    row(Tokens, "", "exceeds the maximum allowed input length"), // earendil-works/pi#4943: Poolside by OpenRouter
    row(Tokens, "sglang", "exceeds the maximum allowed length"), // sgl-project/sglang#4048
    row(Tokens, "", "is longer than the models context length"), // wire-rules: Together; sgl-project/sglang#8096
    row(Tokens, "", "inputs tokens + max new tokens must be <="), // Text Generation Inference: bytedance/UI-TARS-desktop#626
    row(Tokens, "", "inputs must have less than * tokens"),       // the same: stanford-crfm/helm#1820
    row(Tokens, "deepinfra", "exceeds maximum input length"),     // opencode
    row(Tokens, "cloudflare", "exceeded this model context window limit"), // opencode: Workers AI, code 5021, status 413
    row(Tokens, "llama.cpp", "exceeds the available context size"),        // wire-rules
    row(Tokens, "llama.cpp", "exceed context size error"), // its error type, beside n_ctx and n_prompt_tokens
    row(Tokens, "lm-studio", "greater than the context length"), // wire-rules
    row(Tokens, "lm-studio", "tokens when context the overflows"), // lmstudio-ai/lmstudio-bug-tracker#237
    row(Tokens, "lm-studio", "cannot truncate prompt with n keep"), // anomalyco/opencode#11141
    row(Tokens, "ollama", "prompt too long; exceeded"),    // wire-rules; dyad-sh/dyad#3498
    row(Tokens, "github-copilot", "prompt token count of * exceeds the limit of"), // wire-rules
    row(Tokens, "github-copilot", "model max prompt tokens exceeded"), // its code: microsoft/vscode#289219
    row(Tokens, "moonshot", "exceeded model token limit"), // wire-rules
    row(Tokens, "minimax", "context window exceeds limit"), // wire-rules
    row(Tokens, "zai", "prompt exceeds max length"),       // zeroclaw-labs/zeroclaw#4124: code 1261
    row(Tokens, "zai", "prompt 超长"),                     // opencode: the same code
    row(Tokens, "dashscope", "range of input length should be"), // QwenLM/qwen-code#98
    row(Tokens, "cohere", "too many tokens: size limit exceeded by"), // pydantic/pydantic-ai#4221
    row(Tokens, "cohere", "too many tokens: * total number of tokens"), // docs.cohere.com/reference/errors
    row(Tokens, "cohere", "too many tokens: total number of tokens"), // cohere-ai/sandbox-topically#4
    row(Tokens, "perplexity", "length of all messages is too long"), // BerriAI/litellm#21647
    row(Tokens, "volcengine", "total tokens of image and text exceed"), // bytedance/deer-flow#549
    row(Tokens, "vllm", "is too long to fit into the model"), // vllm-project/vllm#12165
    row(Tokens, "vllm", "max tokens must be at least 1, got -"), // vllm-project/vllm#4667: what the prompt leaves is below nothing
    // Tokens, in words that many use.
    row(Tokens, "", "context length exceeded"), // wire-rules: OpenAI's code, which Azure, Groq and Cerebras share
    row(Tokens, "", "maximum context length"),  // wire-rules: OpenAI, DeepSeek, vLLM; LiteLLM, mlx-serve
    row(Tokens, "", "model context window exceeded"), // wire-rules: a stop reason of Anthropic's and Z.ai's
    row(Tokens, "", "exceeds the context window"), // wire-rules
    row(Tokens, "", "exceeds the models maximum context"), // BerriAI/litellm, exception_mapping_utils
    row(Tokens, "", "exceeds the context length"), // opencode: Ollama's "input length exceeds the context length"
    row(Tokens, "", "contextwindowexceeded"),   // LiteLLM, as a class
    row(Tokens, "", "configured context size is"), // opencode: "Prompt has N tokens, but the configured context size is M tokens"
    row(Tokens, "", "context size has been exceeded"), // LM Studio and others on llama.cpp
    row(Tokens, "", "tokens in request more than max tokens allowed"), // opencode
    row(Tokens, "", "your input is too long. max input length is"), // run-llama/llama_index#7974: Replicate
    row(Tokens, "", "reduce the length of the messages"), // wire-rules: Groq
    row(Tokens, "", "prompt is too long"),         // anthropics/anthropic-sdk-python#1028: Vertex, with status 413
    row(Tokens, "", "prompt too long"),            // 0xBakeer/inference-atlas#186
    // Bytes.
    row(Bytes, "anthropic", "exceeds the maximum allowed number of bytes"), // docs.claude.com/en/api/errors
    row(Bytes, "google", "request payload size exceeds the limit"), // google-gemini/deprecated-generative-ai-android#26
    row(Bytes, "", "maximum request body size"),                    // google-gemini/gemini-cli#13776
    row(Bytes, "", "request too large"),                            // wire-rules: Anthropic's error type
    row(Bytes, "", "request exceeds the maximum size"),             // earendil-works/pi#401
    row(Bytes, "", "request entity too large"),                     // the reason phrase of 413, of old
    row(Bytes, "", "payload too large"),                            // and later: openai/codex#7682
    row(Bytes, "", "content too large"),                            // and since RFC 9110
    row(Bytes, "", "request body too large"),                       // gpt4free/g4f.dev#24
    row(Bytes, "", "string value length * exceeds the maximum allowed"), // QwenLM/qwen-code#747
    row(Bytes, "", "sent message larger than max"),                 // gRPC: "(50000056 vs. 20971520)"
];

/// True when a plain text holds these words.
pub fn holds(text: &[u8], words: &str) -> bool {
    follows(text, words.as_bytes())
}

fn follows(text: &[u8], words: &[u8]) -> bool {
    let star = words.iter().position(|&byte| byte == b'*');
    let (piece, rest) = match star {
        Some(star) => (&words[..star], Some(&words[star + 1..])),
        None => (words, None),
    };
    let mut places = text.windows(piece.len()).enumerate().filter(|(_, window)| *window == piece);
    match rest {
        None => places.next().is_some(),
        Some(rest) => places.any(|(at, _)| {
            let after = &text[at + piece.len()..];
            follows(&after[..after.len().min(GAP + rest.len())], rest)
        }),
    }
}

/// A text as it is compared: small letters, `_` as a space, one space for many, no quotes or backslashes (so that JSON within a text, codes
/// and words are alike), and numbers without what groups their digits.
pub fn plain(text: &str) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::new();
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        if out.len() >= MOST {
            break;
        }
        let quote = matches!(char, '`' | '\'' | '"' | '\\' | '‘' | '’' | '“' | '”');
        let groups = quote || matches!(char, ',' | '.' | '_' | '\u{a0}' | '\u{2009}' | '\u{202f}');
        if groups && out.last().is_some_and(u8::is_ascii_digit) && three_digits(chars.as_str()) {
            continue;
        }
        if quote {
            continue;
        }
        if char.is_whitespace() || char == '_' {
            if out.last() != Some(&b' ') {
                out.push(b' ');
            }
            continue;
        }
        let mut bytes = [0; 4];
        out.extend_from_slice(char.to_ascii_lowercase().encode_utf8(&mut bytes).as_bytes());
    }
    out
}

/// Exactly three digits follow.
fn three_digits(rest: &str) -> bool {
    rest.bytes().take(4).take_while(u8::is_ascii_digit).count() == 3
}
