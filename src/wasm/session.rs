//! Session files for JavaScript.

use super::answer;
use crate::request::done;
use crate::session;
use alloc::string::String;
use alloc::vec::Vec;
use wasm_bindgen::prelude::wasm_bindgen;

/// The main chain of a Claude Code file; the tape holds its records.
#[wasm_bindgen]
pub fn main_chain(lines: Vec<u8>) -> String {
    answer(lines, |lines| Ok(done(session::main_chain(lines))))
}
