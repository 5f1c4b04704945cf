//! Calibration: what a model's provider reports, compared with the estimate, corrects later estimates for that model.

use crate::message::WrongOption;
use crate::message::{Shape, Value};
use crate::model::same;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use serde::Serialize;

/// The layout of a stored calibration. One of a later layout is set aside: it is learnt again within a few calls.
const VERSION: u32 = 1;
/// No estimate is further off; what is beyond comes from usage of something else, such as pages a server's own tools have read.
const BOUNDS: (f64, f64) = (0.5, 3.0);
/// The first samples count alike, then each weighs a quarter: what was learnt three calls ago still counts for two fifths.
const ALIKE: u32 = 4;

/// What a model's requests really cost, compared with the estimate. Plain data.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Calibration {
    /// Layout of this data.
    pub version: u32,
    /// Reported ÷ estimated, 0.5 to 3.
    pub factor: f64,
    /// How many reports it was learnt from.
    pub samples: u32,
    /// The model it holds for; empty: any.
    pub model: String,
}

impl Calibration {
    /// Nothing learnt yet.
    pub fn new(model: &str) -> Calibration {
        Calibration { version: VERSION, factor: 1.0, samples: 0, model: model.to_owned() }
    }
    /// Reads one that was stored. `None`: none was given, or one of a later layout.
    ///
    /// # Errors
    /// [`WrongOption`] for something that is no calibration.
    pub fn read(stored: Option<Value<'_>>) -> Result<Option<Calibration>, WrongOption> {
        let Some(stored) = stored.and_then(Value::some) else { return Ok(None) };
        let wrong = |what: &str| WrongOption(format!("The option `calibration{what}."));
        if stored.shape() != Shape::Object {
            return Err(wrong("` must be what `calibrate` returned"));
        }
        if stored.get("version").and_then(Value::f64).is_some_and(|version| version > f64::from(VERSION)) {
            return Ok(None);
        }
        let number = |key: &str| stored.get(key).and_then(Value::some).map(Value::f64);
        let factor = number("factor").unwrap_or(Some(1.0)).filter(|factor| *factor > 0.0 && *factor < 100.0);
        let factor = factor.ok_or_else(|| wrong(".factor` must be a number above 0 and below 100"))?;
        // Written by hand, it stands for a sample.
        let samples = number("samples").unwrap_or(Some(1.0)).filter(|samples| *samples >= 0.0);
        let samples = samples.ok_or_else(|| wrong(".samples` must be a whole number from 0 on"))? as u32;
        let model = stored.text("model").unwrap_or_default().to_owned();
        Ok(Some(Calibration { version: VERSION, factor: factor.clamp(BOUNDS.0, BOUNDS.1), samples, model }))
    }
    /// True when it was learnt of this model, however its route was named.
    pub fn is_of(&self, model: &str) -> bool {
        self.model.is_empty() || same(&self.model, model)
    }
    /// Learns from one more request.
    #[must_use]
    pub fn learn(mut self, estimated: f64, reported: f64) -> Calibration {
        let sample = (reported / estimated).clamp(BOUNDS.0, BOUNDS.1);
        self.samples = self.samples.saturating_add(1);
        self.factor += (sample - self.factor) / f64::from(self.samples.min(ALIKE));
        self
    }
}

/// Learns from what a provider reported of a request. `asked` holds `previous` (a calibration, if there is one), `report` (what `compact` or
/// `measure` said of the request that was sent) and `usage` (see [`input_tokens`]).
///
/// Usage that tells nothing leaves the previous calibration as it was; one of another model is set aside.
///
/// # Errors
/// [`WrongOption`] for a previous calibration or a report that is none.
pub fn calibrate(asked: Value<'_>) -> Result<Calibration, WrongOption> {
    let report = asked.get("report").and_then(Value::some);
    let model = report.and_then(|report| report.text("model"));
    let estimated = report.and_then(estimated).filter(|tokens| *tokens > 0.0);
    let (Some(model), Some(estimated)) = (model, estimated) else {
        let words = "`calibrate` needs the report of `compact` or `measure` on the request that was sent, with its model and tokens.";
        return Err(WrongOption(words.to_owned()));
    };
    let previous = Calibration::read(asked.get("previous"))?.filter(|previous| previous.is_of(model));
    let mut calibration = previous.unwrap_or_else(|| Calibration::new(model));
    calibration.model = model.to_owned();
    Ok(match asked.get("usage").and_then(input_tokens) {
        Some(reported) => calibration.learn(estimated, reported),
        None => calibration,
    })
}

/// The estimate of what was sent, without any calibration.
fn estimated(report: Value<'_>) -> Option<f64> {
    let after = || number(report.get("after")?, "tokens");
    number(report, "estimated").or_else(after).or_else(|| number(report, "tokens"))
}

/// Tokens of input that a usage object reports, those read from a cache or written to it included; `None` when it tells nothing of use.
///
/// | who | field | cached tokens |
/// | --- | --- | --- |
/// | a number | | included |
/// | OpenAI Chat and all who copy it | `prompt_tokens` | included |
/// | OpenAI Responses | `input_tokens`, with `input_tokens_details` | included |
/// | Anthropic | `input_tokens` | beside it: `cache_read_input_tokens`, `cache_creation_input_tokens` |
/// | Gemini | `promptTokenCount` | included |
/// | AI SDK | `inputTokens`, of old `promptTokens` | included; beside it where they are more, as of Anthropic in version 5 |
/// | Bedrock Converse | `inputTokens` | beside it: `cacheReadInputTokens`, `cacheWriteInputTokens` |
/// | Cohere | `tokens.input_tokens` | included |
/// | Ollama | `prompt_eval_count` | included |
///
/// A response of Anthropic's with server-side `iterations` counts at its top the last one only, which has read what the server's tools found
/// (`BetaUsage.iterations` of the SDK). The request that was sent is what the first `message` entry read, unless the server had compacted
/// it before.
pub fn input_tokens(usage: Value<'_>) -> Option<f64> {
    let tokens = match usage.shape() {
        Shape::Number => usage.f64(),
        Shape::Object => of_object(usage),
        _ => None,
    };
    tokens.filter(|tokens| *tokens > 0.0 && tokens.is_finite())
}

fn of_object(usage: Value<'_>) -> Option<f64> {
    for entry in usage.get("iterations").into_iter().flat_map(Value::items) {
        match entry.text("type") {
            Some("compaction") => return None,
            None | Some("message" | "fallback_message") => return anthropic(entry),
            _ => {}
        }
    }
    if let Some(tokens) = number(usage, "prompt_tokens").or_else(|| number(usage, "promptTokenCount")) {
        return Some(tokens);
    }
    if let Some(tokens) = anthropic(usage) {
        // What servers' tools have read cannot be told from the request without `iterations`.
        let tools: f64 = usage.get("server_tool_use").into_iter().flat_map(Value::items).filter_map(Value::f64).sum();
        return (tools == 0.0).then_some(tokens);
    }
    if let Some(tokens) = number(usage, "inputTokens") {
        let cached = number(usage, "cachedInputTokens").filter(|cached| *cached > tokens).unwrap_or_default();
        return Some(tokens + cached + sum(usage, ["cacheReadInputTokens", "cacheWriteInputTokens"]));
    }
    let within = |key: &str, inner: &str| number(usage.get(key)?, inner);
    within("inputTokens", "total")
        .or_else(|| number(usage, "promptTokens"))
        .or_else(|| within("tokens", "input_tokens"))
        .or_else(|| number(usage, "prompt_eval_count"))
        .or_else(|| number(usage, "prompt_token_count"))
}

/// `input_tokens`, with the cached ones beside it unless details say that they are within: so does OpenAI's Responses API.
fn anthropic(usage: Value<'_>) -> Option<f64> {
    let tokens = number(usage, "input_tokens")?;
    let inclusive = usage.get("input_tokens_details").and_then(Value::some).is_some();
    let cached = sum(usage, ["cache_read_input_tokens", "cache_creation_input_tokens"]);
    Some(if inclusive { tokens } else { tokens + cached })
}

fn sum(usage: Value<'_>, keys: [&str; 2]) -> f64 {
    keys.iter().filter_map(|key| number(usage, key)).sum()
}

#[inline(never)] // A dozen copies would be a kilobyte.
fn number(value: Value<'_>, key: &str) -> Option<f64> {
    value.get(key)?.f64()
}

#[cfg(test)]
mod tests;
