//! Elided words, by their reference, from the history as it was.

use super::error::Error;
use super::input::Input;
use super::mend::mend;
use crate::ladder::{References, stands};
use crate::message::{Kind, Message, Part, Store, write_json};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

/// The words behind a reference; `None` when the history holds no result of that name.
///
/// # Errors
/// [`Error::InvalidHistory`] for a history that no repair may mend; [`Error::Option`] when no `ref` was given.
pub fn restore(input: &mut Input) -> Result<Option<String>, Error> {
    let wanted = input.options().text("ref")?.unwrap_or_default().to_owned();
    if wanted.is_empty() {
        return Err(Error::Option("The reference must be a string that is not empty.".to_owned()));
    }
    let messages = core::mem::take(&mut input.messages);
    let (history, _) = mend(messages, input)?;
    let references = References::read(&history, &input.store);
    let is_wanted = |part: &Part| references.of(part).is_some_and(|known| known.name() == wanted);
    let found = history.iter().find_map(|message| Some((message, message.parts.iter().position(is_wanted)?)));
    Ok(found.map(|(message, part)| words(message, part, &input.store)))
}

/// What a result said: its text, its blocks of text with a line between, or its JSON.
fn words(message: &Message, part: usize, store: &Store) -> String {
    let mut words: Vec<String> = Vec::new();
    for part in stands(message, part) {
        let body = store.bytes(part.from, part.body);
        if part.json {
            let mut json = Vec::new();
            write_json(body, &mut json);
            words.push(String::from_utf8_lossy(&json).into_owned());
        } else if !body.is_empty() && part.kind != Kind::Image {
            words.push(store.str(part.from, part.body).to_owned());
        }
    }
    words.join("\n")
}
