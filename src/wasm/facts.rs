//! Facts of models for JavaScript.

use crate::message::{Doc, Shape};
use crate::model::{self, ModelFacts};
use crate::request::Error;
use crate::request::{done, error, facts_of};
use alloc::string::String;
use alloc::vec::Vec;
use wasm_bindgen::prelude::wasm_bindgen;

/// The facts of a model given as a tape.
#[wasm_bindgen]
pub fn model_facts(model: Vec<u8>) -> String {
    match read(model) {
        Ok(facts) => done(facts),
        Err(fault) => error(&fault),
    }
}

/// All models known by id.
#[wasm_bindgen]
pub fn models() -> String {
    serde_json::to_string(&model::all()).unwrap_or_default()
}

/// The price of one picture, and the size it is read at.
#[wasm_bindgen]
pub fn image_cost(model: Vec<u8>, width: f64, height: f64) -> String {
    match read(model) {
        Ok(facts) => done(facts.images.cost(width as u32, height as u32)),
        Err(fault) => error(&fault),
    }
}

fn read(model: Vec<u8>) -> Result<ModelFacts, Error> {
    let doc = Doc::read(model).map_err(|fault| Error::Internal(alloc::format!("{fault}")))?;
    let root = doc.root();
    facts_of((root.shape() != Shape::Null).then_some(root), None)
}

/// One step of a reading test; the tape holds the `model`, the `step` and its `answer`.
#[wasm_bindgen]
pub fn probe(asked: Vec<u8>) -> String {
    super::answer(asked, |asked| Ok(done(crate::request::probe(asked)?)))
}
