//! Answers as JSON, written from front to back: a tree of values first would cost more memory than the conversation, and much code.

use alloc::string::String;
use core::fmt::Write;

/// An answer in the making.
pub(super) struct Told(String);

impl Told {
    /// Nothing told yet, which reads as `null`.
    pub fn new() -> Told {
        Told("{\"done\":".into())
    }
    /// The whole answer.
    pub fn finish(mut self) -> String {
        if self.0.ends_with(':') {
            self.0.push_str("null");
        }
        self.0.push('}');
        self.0
    }
    /// Begins an object or a list, by its bracket.
    pub fn open(&mut self, bracket: char) {
        self.comma();
        self.0.push(bracket);
    }
    /// Ends it.
    pub fn close(&mut self, bracket: char) {
        self.0.push(bracket);
    }
    /// The name of what is told next.
    pub fn key(&mut self, key: &str) -> &mut Told {
        self.text(key);
        self.0.push(':');
        self
    }
    pub fn text(&mut self, text: &str) {
        self.comma();
        self.0.push('"');
        let mut rest = text;
        while let Some(at) = rest.bytes().position(|byte| byte < 0x20 || byte == b'"' || byte == b'\\') {
            let (before, after) = rest.split_at(at);
            self.0.push_str(before);
            let mut letters = after.chars();
            let letter = letters.next().unwrap_or_default();
            if letter < ' ' {
                let hex = |digit: u32| char::from_digit(digit, 16).unwrap_or_default();
                self.0.push_str("\\u00");
                self.0.push(hex(u32::from(letter) >> 4));
                self.0.push(hex(u32::from(letter) & 15));
            } else {
                self.0.push('\\');
                self.0.push(letter);
            }
            rest = letters.as_str();
        }
        self.0.push_str(rest);
        self.0.push('"');
    }
    /// A text, or `null`.
    pub fn maybe(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.text(text),
            None => self.raw("null"),
        }
    }
    pub fn texts(&mut self, texts: &mut dyn Iterator<Item = &str>) {
        self.open('[');
        texts.for_each(|text| self.text(text));
        self.close(']');
    }
    pub fn number(&mut self, number: u64) {
        self.comma();
        // A string takes all that is written to it.
        let _ = write!(self.0, "{number}");
    }
    pub fn numbers(&mut self, numbers: &[u32]) {
        self.open('[');
        numbers.iter().for_each(|&number| self.number(number.into()));
        self.close(']');
    }
    pub fn flag(&mut self, flag: bool) {
        self.raw(if flag { "true" } else { "false" });
    }
    /// A value that is JSON already.
    pub fn raw(&mut self, json: &str) {
        self.comma();
        self.0.push_str(json);
    }
    /// Whatever stands behind a value is set off from it.
    fn comma(&mut self) {
        if !matches!(self.0.as_bytes().last(), Some(b'{' | b'[' | b':')) {
            self.0.push(',');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn read(told: Told) -> Value {
        serde_json::from_str::<Value>(&told.finish()).unwrap()["done"].take()
    }

    #[test]
    fn what_is_told_is_json() {
        assert_eq!(read(Told::new()), Value::Null);
        let mut told = Told::new();
        told.open('{');
        told.key("a\"b").open('[');
        told.text("");
        told.text("{[:,");
        told.numbers(&[1, u32::MAX]);
        told.numbers(&[]);
        told.maybe(None);
        told.flag(true);
        told.close(']');
        told.key("c").raw("{\"d\":[]}");
        told.close('}');
        let expected = json!({ "a\"b": ["", "{[:,", [1, u32::MAX], [], null, true], "c": { "d": [] } });
        assert_eq!(read(told), expected);
    }
    #[test]
    fn every_letter_comes_through() {
        let text: String = (0..0x3000).filter_map(char::from_u32).chain(['😀', '"', '\\', '\n']).collect();
        let mut told = Told::new();
        told.text(&text);
        assert_eq!(read(told), json!(text));
    }
}
