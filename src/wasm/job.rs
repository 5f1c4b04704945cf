//! `Job` for JavaScript.

use crate::request::Error;
use crate::request::{self, Op, error};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use wasm_bindgen::prelude::wasm_bindgen;

/// One call of the package. A fault is kept until `next`, which tells it.
#[wasm_bindgen]
pub struct Job {
    job: Result<request::Job, Error>,
}

#[wasm_bindgen]
impl Job {
    /// `op` by its name; envelope and options as tapes.
    #[wasm_bindgen(constructor)]
    pub fn new(op: &str, envelope: Vec<u8>, options: Vec<u8>) -> Job {
        let op = Op::by_name(op).ok_or_else(|| Error::Internal(format!("there is no job `{op}`")));
        Job { job: op.and_then(|op| request::Job::new(op, envelope, options)) }
    }
    /// The next message as a tape.
    pub fn push(&mut self, message: Vec<u8>) {
        if let Ok(job) = &mut self.job
            && let Err(fault) = job.push(message)
        {
            self.job = Err(fault);
        }
    }
    /// A font for pages, TrueType or OpenType.
    pub fn font(&mut self, font: Vec<u8>) {
        if let Ok(job) = &mut self.job {
            job.font(font);
        }
    }
    /// The PNG of the page that the last answer handed over.
    pub fn page(&mut self) -> Vec<u8> {
        self.job.as_mut().map_or_else(|_| Vec::new(), request::Job::page)
    }
    /// Goes on. What was asked is answered with a tape, and what is asked comes as JSON.
    pub fn next(&mut self, answer: Option<Vec<u8>>) -> String {
        match &mut self.job {
            Ok(job) => job.next(answer).unwrap_or_else(|fault| error(&fault)),
            Err(fault) => error(fault),
        }
    }
}
