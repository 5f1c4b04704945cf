//! Session files for JavaScript.

use crate::error::Error;
use crate::message::Doc;
use crate::request::{done, error};
use crate::session;
use alloc::string::String;
use alloc::vec::Vec;
use wasm_bindgen::prelude::wasm_bindgen;

/// The main chain of a Claude Code file; the tape holds its records.
#[wasm_bindgen]
pub fn main_chain(lines: Vec<u8>) -> String {
    match Doc::read(lines) {
        Ok(doc) => done(session::main_chain(doc.root())),
        Err(fault) => error(&Error::Internal(alloc::format!("{fault}"))),
    }
}
