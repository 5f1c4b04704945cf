//! Which model reads: by its id, or by facts of the caller's own.

use super::error::Error;
use super::picture_rule::picture_rule;
use crate::message::{Reading, Shape, Value};
use crate::model::{ModelFacts, PartialFacts, Price, Tokenizer, complete, find};
use alloc::borrow::ToOwned;
use alloc::format;

/// The facts of a model given as an id, as facts of the caller's own, or as an object with a `modelId`. `named` is the model the request
/// itself names.
///
/// # Errors
/// [`Error::UnknownModel`] when nothing tells the window; [`Error::Option`] for facts that make no sense.
pub fn facts_of(model: Option<Value<'_>>, named: Option<&str>) -> Result<ModelFacts, Error> {
    let Some(model) = model else {
        let id = named.ok_or_else(|| {
            Error::UnknownModel("The request names no model: give `model`, an id or facts of your own.".to_owned())
        })?;
        return by_id(id);
    };
    match model.shape() {
        Shape::String => by_id(model.str().unwrap_or_default()),
        Shape::Object => own(Reading(Some(model)), named),
        _ => Err(Error::Option("The option `model` must be an id, or an object with an `id`.".to_owned())),
    }
}

fn by_id(id: &str) -> Result<ModelFacts, Error> {
    find(id).ok_or_else(|| unknown(id))
}

fn unknown(id: &str) -> Error {
    Error::UnknownModel(format!(
        "The model `{id}` is not known here: give its facts, such as `model: {{ id: \"{id}\", window: 128000 }}`."
    ))
}

fn own(facts: Reading<'_>, named: Option<&str>) -> Result<ModelFacts, Error> {
    let id = facts.text("id")?.or(facts.text("modelId")?).or(named);
    let id = id.ok_or_else(|| Error::Option("The option `model` must have an `id`.".to_owned()))?;
    let tokenizer = match facts.text("tokenizer")? {
        None => None,
        Some(name) => {
            let known = Tokenizer::from_name(name);
            Some(known.ok_or_else(|| Error::Option(format!("There is no tokenizer `{name}`.")))?)
        }
    };
    let vision = facts.get("vision").map(|_| facts.flag("vision")).transpose()?;
    let partial = PartialFacts {
        id: Some(id.to_owned()),
        window: facts.whole("window", 1)?,
        max_output: facts.whole("maxOutput", 0)?,
        vision,
        tokenizer,
        images: picture_rule(facts.within("images")?)?,
        price: price(facts.within("price")?)?,
        strict: facts.get("strict").map(|_| facts.flag("strict")).transpose()?,
    };
    complete(partial).ok_or_else(|| unknown(id))
}

fn price(price: Reading<'_>) -> Result<Option<Price>, Error> {
    let (Some(input), Some(output)) = (price.number("input")?, price.number("output")?) else {
        return Ok(None);
    };
    let (cache_read, cache_write) = (price.number("cacheRead")?, price.number("cacheWrite")?);
    Ok(Some(Price { input, output, cache_read, cache_write }))
}
