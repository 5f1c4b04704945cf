//! Palimpsest keeps long conversations with language models alive: it decides what leaves the context window, what stays, and what can be
//! got back.
//!
//! # The model
//!
//! A *request* is what would be posted to a provider: an *envelope* (model, instructions, tools) around a list of *messages*. A message is a
//! role and *parts*: words, thinking, calls of tools, their results, pictures. A step of the assistant with all its results is a *unit*, which
//! may not be torn apart; a person's message and all up to the next is an *exchange*.
//!
//! The *ladder* shrinks a request from the cheapest rung to the dearest, each only as far as needed. It acts when the *fill* reaches a
//! threshold of the *window* and goes down to a target. The task and the newest exchanges stay word for word; what lies between, the middle, is
//! what is given up. What is decided is a function of the history alone, so a history that grows keeps its prefix and provider caches hit.
//!
//! Nothing here does I/O or reads a clock. Where the host is needed, a [`request::Job`] returns what it asks and is called again.
//!
//! # An example
//!
//! ```
//! use serde_json::json;
//!
//! let body = json!({
//!     "model": "gpt-4o",
//!     "messages": [{ "role": "user", "content": "hello" }],
//! });
//! let compacted = palimpsest::compact(&body, &json!({}))?;
//! assert_eq!(compacted.body, body); // far below the threshold: nothing changes
//! assert_eq!(compacted.report["fits"], true);
//! # Ok::<(), palimpsest::Error>(())
//! ```
//!
//! # The modules, lowest floor first; nothing imports upward
//!
//! | module | is about |
//! | --- | --- |
//! | [`message`] | what a message is, whichever provider wrote it; values as they cross; edits |
//! | [`format`] | one file a wire format: read, write, the rules it enforces |
//! | [`model`] | facts of models: window, vision, tokenizer, price, picture billing; route names |
//! | [`meter`] | tokens of texts, pictures, tools |
//! | [`history`] | units, exchanges, pairing, check, repair, trim: where a history may be cut |
//! | [`tree`] | a conversation as a tree: nodes, tip, branches, turns, checkpoints, records over a path |
//! | [`page`] | text → pages: transcript, faces, shape, raster, PNG, fact sheet |
//! | [`ladder`] | policy, the walk, one file a rung, the report |
//! | [`recover`] | an overflow, in any provider's words; what to do next |
//! | [`request`] | one call of the package, from the request as it came to edits and a report |
//! | [`session`] | session files: which lines make up the conversation |
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod format;
pub mod history;
pub mod ladder;
pub mod message;
pub mod meter;
pub mod model;
pub mod page;
pub mod recover;
pub mod request;
pub mod session;
pub mod tree;
#[cfg(feature = "wasm")]
mod wasm;

#[cfg(feature = "std")]
pub use request::{
    Compacted, Writer, calibrate, check, compact, compact_with, measure, overflow, pages, repair, restore_elided,
    transcript, trim,
};
pub use request::{Error, Unfit};
