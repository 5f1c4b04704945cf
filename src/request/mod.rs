//! One call of the package, from the request as it came to edits and a report.
//!
//! The flow: the envelope and the messages come in, the format is told and reads them, the meter prices them, broken histories are mended, the
//! ladder shrinks what is too large, the format's rules are checked over the whole list, and the format writes back what changed. Where the
//! host is needed, the job returns what it asks and is called again with the answer: it does no I/O and knows no clock.
//!
//! | file | is about |
//! | --- | --- |
//! | `job` | one call, as a machine that asks the host and goes on |
//! | `conversation` | a conversation that stays, and its requests |
//! | `input`, `model`, `picture_rule` | what comes in: the request, the reader, its pictures |
//! | `priced`, `ask`, `mend` | prices, exact counts of the caller's, repairs |
//! | `compact`, `trim`, `measure`, `restore`, `pages`, `probe` | what can be asked for |
//! | `largest`, `unfit` | what is largest, and what is too large |
//! | `answer`, `error` | what goes out |
//! | `native` | all of it for Rust, without a host |

mod answer;
mod ask;
mod compact;
mod conversation;
mod error;
mod input;
mod job;
mod largest;
mod measure;
mod mend;
mod model;
#[cfg(feature = "std")]
mod native;
mod pages;
mod picture_rule;
mod priced;
mod probe;
mod restore;
mod trim;
mod unfit;

pub use conversation::Conversation;
pub use error::{Error, Unfit, Unrenderable};
pub use input::{Input, Op};
pub use job::Job;
pub use largest::Largest;
pub use measure::{Measure, Parts};
pub use model::facts_of;
#[cfg(feature = "std")]
pub use native::{
    Compacted, Writer, calibrate, check, compact, compact_with, measure, overflow, pages, repair, restore_elided,
    transcript, trim,
};
pub use probe::probe;

#[cfg(feature = "wasm")]
pub(crate) use answer::{done, error};
