//! The figures in a refusal: how much there was, and how much there may be.

use super::overflow::Kind;

/// What a number in a refusal counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    /// The most that may be sent.
    Limit,
    /// What was sent: of tokens the input alone.
    Input,
    /// Tokens asked for as an answer.
    Output,
    /// Input and output together.
    Total,
}

use What::{Input, Limit, Output, Total};

/// Where a number that counts tokens stands, as `#` in the plain form of a text, beside the refusals of `words` it is from.
const TOKENS: &[(What, &str)] = &[
    (Limit, "> #"),                          // Anthropic: "N tokens > N maximum"; vLLM: "N > N - N"
    (Limit, "context length is #"),          // OpenAI and all who copy it
    (Limit, "context length of #"),          // LiteLLM, Workers AI
    (Limit, "context length of only #"),     // LM Studio
    (Limit, "context length: #"),            // Fireworks
    (Limit, "context length (#"),            // Together, SGLang
    (Limit, "(context length #"),            // vLLM
    (Limit, "# maximum context length"),     // Mistral
    (Limit, "prompt length is #"),           // xAI
    (Limit, "tokens allowed (#"),            // Google
    (Limit, "limit of #"),                   // Copilot, Azure, Cohere
    (Limit, "token limit: #"),               // Moonshot
    (Limit, "limit is #"),                   // Cerebras
    (Limit, "window limit (#"),              // Workers AI; not "exceeds limit (2013)", which is a code of MiniMax
    (Limit, "context size (#"),              // llama.cpp
    (Limit, "context size is #"),            // DS4
    (Limit, "must be <= #"),                 // Text Generation Inference
    (Limit, "have less than # tokens"),      // the same
    (Limit, "should be [1, #"),              // DashScope
    (Limit, "for this model is # tokens"),   // Cohere
    (Limit, "n ctx (#"),                     // LM Studio
    (Limit, "n ctx: #"),                     // llama.cpp, in JSON
    (Limit, "n ctx:#"),                      // the same, without spaces
    (Limit, "input length of #"),            // Poolside
    (Limit, "input length is #"),            // Replicate
    (Limit, "maximum input length #"),       // DeepInfra
    (Limit, "allowed length (#"),            // SGLang
    (Limit, "max seq len #"),                // Atlas
    (Limit, "cannot exceed #"),              // Cohere
    (Input, "too long: #"),                  // Anthropic, Fireworks
    (Input, "limit: # + "),                  // Anthropic: "N + N > N"
    (Input, "token count (#"),               // Google
    (Input, "token count of #"),             // Copilot
    (Input, "resulted in #"),                // OpenAI, Azure
    (Input, "request contains #"),           // xAI
    (Input, "contains at least #"),          // vLLM
    (Input, "has # input tokens"),           // vLLM
    (Input, "prompt contains # tokens"),     // Mistral
    (Input, "prompt has # tokens"),          // DS4
    (Input, "# in the messages"),            // OpenAI, DeepSeek
    (Input, "# in your prompt"),             // OpenAI, of old
    (Input, "# tokens from the input"),      // Workers AI
    (Input, "current length is #"),          // Cerebras
    (Input, "requested: #"),                 // Moonshot
    (Input, "request (# tokens"),            // llama.cpp
    (Input, "n prompt tokens:#"),            // llama.cpp, in JSON
    (Input, "the input (# tokens"),          // Together, SGLang
    (Input, "input length (#"),              // SGLang, LiteLLM
    (Input, "input length # exceeds"),       // Poolside, DeepInfra
    (Input, "total length #)"),              // vLLM
    (Input, "keep the first # tokens"),      // LM Studio
    (Input, "n keep (#"),                    // LM Studio
    (Input, "given: #"),                     // Text Generation Inference
    (Input, "supplied # tokens"),            // Replicate
    (Output, "# in the completion"),         // OpenAI, DeepSeek
    (Output, "# for the completion"),        // OpenAI, of old
    (Output, "# tokens for the completion"), // Workers AI
    (Output, "# in the output"),             // OpenRouter
    (Output, "requested # output tokens"),   // vLLM
    (Output, "+ # >"),                       // Anthropic
    (Output, "tokens is too large: #"),      // vLLM
    (Output, "plus # max tokens"),           // vLLM
    (Output, "tokens and # max new tokens"), // Text Generation Inference
    (Total, "you requested # tokens"),       // OpenAI, DeepSeek
    (Total, "requested about # tokens"),     // OpenRouter
    (Total, "requested a total of #"),       // Workers AI
    (Total, "total of at least #"),          // vLLM
    (Total, "maximum output tokens (#"),     // Workers AI
    (Total, "received #"),                   // Cohere
];

/// The same for bytes.
const BYTES: &[(What, &str)] = &[
    (Limit, "limit: # bytes"),         // Google
    (Limit, "body size # exceeded"),   // google-gemini/gemini-cli#13776
    (Limit, "maximum allowed (#"),     // DashScope
    (Limit, "vs. #)"),                 // gRPC
    (Input, "actual body size #"),     // google-gemini/gemini-cli#13776
    (Input, "value length (#"),        // DashScope
    (Input, "larger than max (# vs."), // gRPC
];

/// The same for numbers of pictures.
const IMAGES: &[(What, &str)] = &[
    (Limit, "> #"),                    // Anthropic
    (Limit, "at most # image"),        // vLLM
    (Limit, "up to # image"),          // Groq
    (Limit, "maximum of # image"),     // Copilot
    (Limit, "allowed is #"),           // new-api
    (Limit, "exceeds limit #"),        // AgnesAI-Labs/AgnesCode#50
    (Input, "documents: # +"),         // Anthropic
    (Input, "+ # images"),             // Anthropic
    (Input, "# images were provided"), // Copilot
    (Input, "image count #"),          // AgnesAI-Labs/AgnesCode#50
];

/// What a refusal says in figures. Whatever it does not say is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// The most that may be sent.
    pub limit: Option<u64>,
    /// What was sent; of tokens the input alone.
    pub input: Option<u64>,
    /// Tokens asked for as an answer.
    pub output: Option<u64>,
    /// Input and answer together.
    pub total: Option<u64>,
}

impl Figures {
    /// Reads a plain text. What an earlier text said stands.
    pub fn read(&mut self, kind: Kind, text: &[u8]) {
        let rules = match kind {
            Kind::Tokens | Kind::Output => TOKENS,
            Kind::Bytes => BYTES,
            // Of the size of one picture, in pixels or bytes, nothing can be counted.
            Kind::Images if super::words::holds(text, " bytes") || super::words::holds(text, " pixels") => return,
            Kind::Images => IMAGES,
        };
        let mut at = 0;
        while let Some(start) = text[at..].iter().position(u8::is_ascii_digit).map(|skip| at + skip) {
            let digits = text[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            at = start + digits;
            let (before, after) = (&text[..start], &text[at..]);
            let fits = |rule: &&(What, &str)| {
                let place = rule.1.split_once('#');
                place.is_some_and(|(left, right)| {
                    before.ends_with(left.as_bytes()) && after.starts_with(right.as_bytes())
                })
            };
            if let Some(&(what, _)) = rules.iter().find(fits) {
                let number = core::str::from_utf8(&text[start..at]).ok().and_then(|digits| digits.parse().ok());
                let place = self.place(what);
                *place = place.or(number);
            }
        }
    }
    fn place(&mut self, what: What) -> &mut Option<u64> {
        match what {
            Limit => &mut self.limit,
            Input => &mut self.input,
            Output => &mut self.output,
            Total => &mut self.total,
        }
    }
    /// Tokens of the input, or whatever was counted. Of messages and functions beside an answer only the sum is told whole.
    pub fn sent(&self) -> Option<u64> {
        match (self.total, self.output) {
            (Some(total), Some(output)) if total > output => Some(total - output),
            _ => self.input,
        }
    }
}
