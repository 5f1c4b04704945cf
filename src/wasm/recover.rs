//! Refusals and usage for JavaScript.

use crate::error::Error;
use crate::message::Doc;
use crate::meter;
use crate::recover;
use crate::request::{done, error};
use alloc::string::String;
use alloc::vec::Vec;
use wasm_bindgen::prelude::wasm_bindgen;

/// The overflow that an error tells of; the tape holds its [`overflow_fields`].
#[wasm_bindgen]
pub fn overflow(refusal: Vec<u8>) -> String {
    match Doc::read(refusal) {
        Ok(doc) => done(recover::overflow(doc.root())),
        Err(fault) => error(&broken(fault)),
    }
}

/// The fields of an error in which words, codes and statuses stand.
#[wasm_bindgen]
pub fn overflow_fields() -> String {
    serde_json::to_string(recover::FIELDS).unwrap_or_default()
}

/// What is learnt from usage; the tape holds `previous`, `report` and `usage`.
#[wasm_bindgen]
pub fn calibrate(asked: Vec<u8>) -> String {
    let learnt = Doc::read(asked).map_err(broken).and_then(|doc| meter::calibrate(doc.root()));
    match learnt {
        Ok(calibration) => done(calibration),
        Err(fault) => error(&fault),
    }
}

fn broken(fault: crate::message::TapeError) -> Error {
    Error::Internal(alloc::format!("{fault}"))
}
