//! Options as a caller wrote them, and the one error that lower floors know.

use super::{Shape, Value};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// What is wrong with an option, and what it must be. The floors above tell it as an error with a code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WrongOption(pub String);

/// Options as they came: an object, or nothing at all. An option that is left out, or `null`, was not given; one of another shape than is
/// asked for is a [`WrongOption`] that says what it must be.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'a>(pub Option<Value<'a>>);

impl<'a> Reading<'a> {
    /// An option that was given.
    pub fn get(self, key: &str) -> Option<Value<'a>> {
        self.0?.get(key)?.some()
    }
    /// The options under a key.
    pub fn within(self, key: &str) -> Result<Reading<'a>, WrongOption> {
        match self.get(key) {
            Some(value) if value.shape() != Shape::Object => Err(wrong(key, "an object")),
            value => Ok(Reading(value)),
        }
    }
    /// A number.
    pub fn number(self, key: &str) -> Result<Option<f64>, WrongOption> {
        let Some(value) = self.get(key) else { return Ok(None) };
        value.f64().map(Some).ok_or_else(|| wrong(key, "a number"))
    }
    /// A whole number from `least` on.
    pub fn whole(self, key: &str, least: u32) -> Result<Option<u32>, WrongOption> {
        let Some(number) = self.number(key)? else { return Ok(None) };
        let whole = number as u32;
        if f64::from(whole) != number || whole < least {
            return Err(wrong(key, &format!("a whole number from {least} on")));
        }
        Ok(Some(whole))
    }
    /// `true` or `false`; false when it was not given.
    pub fn flag(self, key: &str) -> Result<bool, WrongOption> {
        let Some(value) = self.get(key) else { return Ok(false) };
        value.bool().ok_or_else(|| wrong(key, "true or false"))
    }
    /// A text.
    pub fn text(self, key: &str) -> Result<Option<&'a str>, WrongOption> {
        let Some(value) = self.get(key) else { return Ok(None) };
        value.str().map(Some).ok_or_else(|| wrong(key, "a string"))
    }
    /// A list of texts.
    pub fn texts(self, key: &str) -> Result<Option<Vec<&'a str>>, WrongOption> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let texts: Option<Vec<&str>> =
            (value.shape() == Shape::Array).then(|| value.items().map(Value::str).collect()).flatten();
        texts.map(Some).ok_or_else(|| wrong(key, "a list of strings"))
    }
}

/// The error for an option: `wanted` says what it must be.
pub fn wrong(key: &str, wanted: &str) -> WrongOption {
    WrongOption(format!("The option `{key}` must be {wanted}."))
}
