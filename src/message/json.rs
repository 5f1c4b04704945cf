//! JSON text and serde values as tapes, for Rust callers.

use super::{Doc, Tape, TapeError};
use alloc::string::ToString;
use serde_json::Value;

/// A serde value as a [`Doc`]; `list` names the top-level array that is left out (see [`Tape::list`]).
///
/// # Errors
/// [`TapeError::TooDeep`] beyond 512 levels.
pub fn doc(value: &Value, list: Option<&str>) -> Result<Doc, TapeError> {
    let mut tape = Tape::new();
    write(value, list, 0, &mut tape)?;
    Doc::read(tape.finish())
}

fn write(value: &Value, list: Option<&str>, depth: usize, tape: &mut Tape) -> Result<(), TapeError> {
    if depth > super::MAX_DEPTH {
        return Err(TapeError::TooDeep);
    }
    match value {
        Value::Null => tape.null(),
        Value::Bool(value) => tape.bool(*value),
        Value::Number(number) => tape.number(&number.to_string()),
        Value::String(text) => {
            tape.text(text);
        }
        Value::Array(items) => {
            tape.array();
            for item in items {
                write(item, None, depth + 1, tape)?;
            }
            tape.end();
        }
        Value::Object(entries) => {
            tape.object();
            for (key, value) in entries {
                tape.text(key);
                match value {
                    Value::Array(items) if list == Some(key) => tape.list(items.len()),
                    _ => write(value, None, depth + 1, tape)?,
                }
            }
            tape.end();
        }
    }
    Ok(())
}
