//! `Conversation` for JavaScript.

use crate::request::{self, Error, error};
use alloc::string::String;
use alloc::vec::Vec;
use wasm_bindgen::prelude::wasm_bindgen;

/// A conversation that stays.
#[wasm_bindgen]
pub struct Conversation {
    conversation: Result<request::Conversation, Error>,
    /// What went wrong when a request began, to be told by `next`.
    fault: Option<Error>,
    /// Bytes of messages that were added, and how many had room when memory last grew.
    taken: usize,
    room: usize,
}

/// Bytes beside its tape that a message takes: its parts, its node, its links.
const BESIDE: usize = 512;
/// Bytes by which memory grows at least.
const STEP: usize = 1 << 20;

#[wasm_bindgen]
impl Conversation {
    /// By the name of its format.
    #[wasm_bindgen(constructor)]
    pub fn new(format: &str) -> Conversation {
        Conversation { conversation: request::Conversation::new(format), fault: None, taken: 0, room: 0 }
    }
    /// Takes a message as a tape. Messages are numbered from 0 as they come; what it tells is an error, and that message has no number.
    pub fn add(&mut self, message: Vec<u8>) -> Option<String> {
        self.taken += message.len() + BESIDE;
        if self.taken > self.room {
            // An engine looks for garbage whenever memory grows, and the allocator lets it grow by one page: long histories are given theirs in
            // steps that grow as they do.
            let step = (self.taken / 2).max(STEP);
            self.room = self.taken + step;
            core::hint::black_box(Vec::<u8>::with_capacity(step));
        }
        match &mut self.conversation {
            Ok(conversation) => conversation.add(message).err().map(|fault| error(&fault)),
            Err(fault) => Some(error(fault)),
        }
    }
    /// Answers a question; the tape holds what belongs to it.
    pub fn call(&mut self, op: &str, asked: Vec<u8>) -> String {
        self.with(|conversation| {
            let doc = crate::message::Doc::read(asked).map_err(|fault| Error::Internal(alloc::format!("{fault}")))?;
            conversation.call(op, doc.root())
        })
    }
    /// A font for pages.
    pub fn font(&mut self, font: Vec<u8>) {
        if let Ok(conversation) = &mut self.conversation {
            conversation.font(font);
        }
    }
    /// Begins a request: what is sent around the messages, and the options, as tapes.
    pub fn begin(&mut self, envelope: Vec<u8>, options: Vec<u8>) {
        if let Ok(conversation) = &mut self.conversation {
            self.fault = conversation.begin(envelope, options).err();
        }
    }
    /// Puts a request that asked for words aside: others may begin.
    #[wasm_bindgen(js_name = putAside)]
    pub fn put_aside(&mut self) {
        if let Ok(conversation) = &mut self.conversation {
            conversation.put_aside();
        }
    }
    /// Takes it up again.
    #[wasm_bindgen(js_name = takeUp)]
    pub fn take_up(&mut self) {
        if let Ok(conversation) = &mut self.conversation {
            self.fault = conversation.take_up().err();
        }
    }
    /// Gives it up.
    #[wasm_bindgen(js_name = giveUp)]
    pub fn give_up(&mut self) {
        if let Ok(conversation) = &mut self.conversation {
            conversation.give_up();
        }
    }
    /// Goes on with it, as `Job.next`.
    pub fn next(&mut self, answer: Option<Vec<u8>>) -> String {
        if let Some(fault) = self.fault.take() {
            return error(&fault);
        }
        self.with(|conversation| conversation.next(answer))
    }

    fn with(&mut self, ask: impl FnOnce(&mut request::Conversation) -> Result<String, Error>) -> String {
        match &mut self.conversation {
            Ok(conversation) => ask(conversation).unwrap_or_else(|fault| error(&fault)),
            Err(fault) => error(fault),
        }
    }
}
