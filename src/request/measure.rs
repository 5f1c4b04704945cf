//! What fills the window.

use super::input::Input;
use super::largest::{Largest, Thing, Top};
use crate::format::Format;
use crate::ladder::{Count, Fill, Policy, is_summary};
use crate::message::{Kind, Message, Part, Role};
use crate::meter::{FIXED, Meter};
use alloc::string::String;
use alloc::vec::Vec;
use serde::Serialize;

/// Tokens by what they are spent on; sums to the tokens of the request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Parts {
    /// Instructions.
    pub system: u64,
    /// Definitions of tools.
    pub tools: u64,
    /// Words of people and the model.
    pub text: u64,
    /// Thinking.
    pub reasoning: u64,
    /// Calls.
    pub calls: u64,
    /// Results.
    pub results: u64,
    /// Pictures.
    pub images: u64,
    /// Pages.
    pub pages: u64,
    /// Summaries.
    pub summary: u64,
    /// What the provider adds around messages.
    pub overhead: u64,
}

/// The figures behind a gauge.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Measure {
    /// Tokens, bytes, messages and pictures.
    #[serde(flatten)]
    pub count: Count,
    /// The wire format the request was read as.
    pub format: &'static str,
    /// The reader.
    pub model: String,
    /// Its window, in tokens.
    pub window: u64,
    /// Kept free for the answer, in tokens.
    pub reserve: u64,
    /// Tokens that can still be added.
    pub free: u64,
    /// Tokens ÷ window.
    pub fill: f64,
    /// Where a pass acts, in tokens.
    pub threshold_tokens: u64,
    /// Tokens before any calibration: what `calibrate` compares with usage.
    pub estimated: u64,
    /// By what they are spent on.
    pub parts: Parts,
    /// The five largest parts, largest first.
    pub largest: Vec<Largest>,
}

/// Tokens of what stands beside the messages.
#[derive(Clone, Copy, Debug, Default)]
pub struct Beside {
    /// Of the instructions.
    pub system: u32,
    /// Of the definitions of tools.
    pub tools: u32,
}

impl Beside {
    /// Prices what stands beside the messages, with what the provider adds to definitions of tools.
    pub fn price(input: &Input, format: &dyn Format, meter: &mut Meter) -> Beside {
        let envelope = input.envelope();
        let mut tools = envelope.tools.map_or(0, |tools| meter.value(tools));
        if tools > 0 {
            tools += format.tools_prompt();
        }
        Beside { system: envelope.system.map_or(0, |system| meter.value(system)), tools }
    }
    /// With what a provider adds once a request.
    pub fn tokens(self) -> u64 {
        u64::from(self.system) + u64::from(self.tools) + u64::from(FIXED)
    }
}

/// What a request costs before anything was done to it.
pub fn fill(input: &Input, beside: Beside) -> Fill {
    let mut fill = Fill::of_envelope(beside.tokens(), input.envelope_bytes());
    for message in &input.messages {
        fill.add(message);
    }
    fill
}

/// The figures of a request, corrected by what earlier calls cost.
pub fn measure(input: &Input, beside: Beside, policy: &Policy) -> Measure {
    let scale = |tokens: u64| policy.calibrated(tokens);
    let mut parts = Parts { overhead: u64::from(FIXED), ..Parts::default() };
    parts.system = u64::from(beside.system);
    parts.tools = u64::from(beside.tools);
    let mut largest = Top::default();
    for (tokens, what) in [(beside.system, "system"), (beside.tools, "tools")] {
        largest.consider(Thing { index: -1, part: 0, tokens: u64::from(tokens), what });
    }
    for (index, message) in input.messages.iter().enumerate() {
        parts.overhead += u64::from(message.overhead);
        let told = is_summary(message, &input.store);
        for (number, part) in message.parts.iter().enumerate() {
            let tokens = u64::from(part.tokens);
            let (sum, what) = if told { (&mut parts.summary, "summary") } else { spent(&mut parts, message, part) };
            *sum += tokens;
            largest.consider(Thing { index: index as i64, part: number, tokens, what });
        }
    }
    let fill = fill(input, beside);
    let tokens = scale(fill.tokens);
    parts.scale(tokens, scale);
    let most = policy.window - policy.reserve;
    Measure {
        count: Count { tokens, bytes: fill.bytes, messages: input.messages.len(), images: fill.images },
        format: input.settled_name(),
        model: String::new(),
        window: policy.window,
        reserve: policy.reserve,
        free: most.saturating_sub(tokens),
        fill: tokens as f64 / policy.window as f64,
        threshold_tokens: scale(policy.act),
        estimated: fill.tokens,
        parts,
        largest: largest.told(input, scale),
    }
}

impl Parts {
    /// Tells each part calibrated. They still sum to the whole: what rounding leaves goes to the largest.
    fn scale(&mut self, whole: u64, scale: impl Fn(u64) -> u64) {
        let mut parts = self.all();
        parts.iter_mut().for_each(|part| **part = scale(**part));
        let sum: u64 = parts.iter().map(|part| **part).sum();
        if let Some(largest) = parts.iter_mut().max_by_key(|part| ***part) {
            **largest = (**largest + whole).saturating_sub(sum);
        }
    }
    fn all(&mut self) -> [&mut u64; 10] {
        [
            &mut self.system,
            &mut self.tools,
            &mut self.text,
            &mut self.reasoning,
            &mut self.calls,
            &mut self.results,
            &mut self.images,
            &mut self.pages,
            &mut self.summary,
            &mut self.overhead,
        ]
    }
}

fn spent<'a>(parts: &'a mut Parts, message: &Message, part: &Part) -> (&'a mut u64, &'static str) {
    match part.kind {
        Kind::Image if part.own => (&mut parts.pages, "page"),
        Kind::Image => (&mut parts.images, "picture"),
        Kind::Reasoning => (&mut parts.reasoning, "thinking"),
        Kind::Call => (&mut parts.calls, "call"),
        _ if part.inside || part.kind == Kind::Result => (&mut parts.results, "result"),
        _ if message.role == Role::System => (&mut parts.system, "system"),
        Kind::Media => (&mut parts.text, "file"),
        _ => (&mut parts.text, "text"),
    }
}
