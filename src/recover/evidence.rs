//! What an error says, wherever it says it: the fields in which SDKs, servers and gateways put words, codes and statuses.

use super::words::plain;
use crate::message::{Shape, Value};
use alloc::vec::Vec;

/// The fields that are read, with spaces between; whatever else an error carries (the request it answers, headers, stacks) is not, since
/// it may hold the words of a conversation. JavaScript reads these same fields from its objects.
///
/// First those that name what happened, in which statuses stand, too; then those of words, and those in which more lies (bodies, causes,
/// events of streams); then the figures of llama.cpp.
pub const FIELDS: &str = "status statusCode status_code httpStatusCode originalStatusCode code name type error_type reason statusText \
    stop_reason stopReason finish_reason finishReason \
    message Message msg detail details errorMessage error_message originalMessage title raw \
    lastError error errors innererror body responseBody data response cause metadata $metadata delta choices \
    validationException throttlingException modelStreamErrorException \
    n_ctx n_prompt_tokens";
/// How many of them name what happened.
pub const NAMES: usize = 15;

/// How deep errors lie within errors; JavaScript gives no more either.
const DEPTH: usize = 12;
/// Texts of one error that are looked at.
const TEXTS: usize = 64;

/// A text of an error.
pub struct Said<'a> {
    /// As it came.
    pub text: &'a str,
    /// As it is compared.
    pub plain: Vec<u8>,
    /// A name or a code.
    pub name: bool,
}

/// All that an error says.
#[derive(Default)]
pub struct Evidence<'a> {
    /// HTTP statuses, of the error itself and of what lies within.
    pub statuses: Vec<u16>,
    /// Its texts, outermost first.
    pub said: Vec<Said<'a>>,
    /// `n_ctx` and `n_prompt_tokens` of llama.cpp.
    pub window: Option<u64>,
    /// See [`Self::window`].
    pub prompt: Option<u64>,
}

impl<'a> Evidence<'a> {
    /// Looks through an error.
    pub fn of(error: Value<'a>) -> Evidence<'a> {
        let mut evidence = Evidence::default();
        evidence.look(error, "", false, 0);
        if evidence.statuses.is_empty() {
            let told = evidence.said.iter().filter(|said| !said.name).find_map(|said| told_status(&said.plain));
            evidence.statuses.extend(told);
        }
        evidence
    }
    fn look(&mut self, value: Value<'a>, field: &str, name: bool, depth: usize) {
        match value.shape() {
            Shape::String => {
                if let Some(text) = value.str().filter(|text| !text.trim().is_empty()) {
                    self.say(text, name);
                }
            }
            Shape::Number => self.number(value.f64().unwrap_or_default(), field, name),
            Shape::Array if depth < DEPTH => value.items().for_each(|item| self.look(item, field, name, depth + 1)),
            Shape::Object if depth < DEPTH => self.fields(value, depth),
            _ => {}
        }
    }
    fn fields(&mut self, object: Value<'a>, depth: usize) {
        let last = object.get("lastError").and_then(Value::some);
        for (number, field) in FIELDS.split(' ').enumerate() {
            // Of several attempts only the last one matters: the first may have met a rate limit.
            if last.is_some() && matches!(field, "errors" | "message" | "cause") {
                continue;
            }
            if let Some(value) = object.get(field) {
                if field.ends_with("Exception") {
                    self.say(field, true);
                }
                self.look(value, field, number < NAMES, depth + 1);
            }
        }
    }
    fn say(&mut self, text: &'a str, name: bool) {
        if self.said.len() < TEXTS {
            self.said.push(Said { text, plain: plain(text), name });
        }
    }
    fn number(&mut self, number: f64, field: &str, name: bool) {
        match field {
            "n_ctx" => self.window = self.window.or(Some(number as u64)),
            "n_prompt_tokens" => self.prompt = self.prompt.or(Some(number as u64)),
            _ if name && (400.0..600.0).contains(&number) => self.statuses.push(number as u16),
            _ => {}
        }
    }
}

/// The status with which a text begins: "413 status code (no body)", "Error: 400 Your input …", "Error code: 429 - …".
fn told_status(plain: &[u8]) -> Option<u16> {
    let mut rest = plain;
    for opening in ["api error:", "error code:", "error:", "http", " "] {
        while let Some(after) = rest.strip_prefix(opening.as_bytes()) {
            rest = after;
        }
    }
    let (digits, after) = rest.split_at_checked(3)?;
    let ends = !after.first().is_some_and(u8::is_ascii_alphanumeric);
    let status: u16 = core::str::from_utf8(digits).ok()?.parse().ok()?;
    (ends && (400..600).contains(&status)).then_some(status)
}
