//! Refusals and usage for JavaScript.

use super::answer;
use crate::meter;
use crate::recover;
use crate::request::done;
use alloc::string::String;
use alloc::vec::Vec;
use wasm_bindgen::prelude::wasm_bindgen;

/// The overflow that an error tells of; the tape holds its [`overflow_fields`].
#[wasm_bindgen]
pub fn overflow(refusal: Vec<u8>) -> String {
    answer(refusal, |refusal| Ok(done(recover::overflow(refusal))))
}

/// The fields of an error in which words, codes and statuses stand, with spaces between.
#[wasm_bindgen]
pub fn overflow_fields() -> String {
    recover::FIELDS.into()
}

/// What to change after an overflow; the tape holds `overflow`, `sent` and `tried`.
#[wasm_bindgen]
pub fn recover(refused: Vec<u8>) -> String {
    answer(refused, |refused| Ok(done(recover::next_of(refused))))
}

/// What is learnt from usage; the tape holds `previous`, `report` and `usage`.
#[wasm_bindgen]
pub fn calibrate(asked: Vec<u8>) -> String {
    answer(asked, |asked| Ok(done(meter::calibrate(asked)?)))
}
