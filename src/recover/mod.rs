//! Recovery: what a provider's refusal means, and what to do about it.

mod evidence;
mod figures;
mod next;
mod overflow;
#[cfg(test)]
mod tests;
mod words;

pub use evidence::FIELDS;
pub use next::{Change, Limits, Next, Pass, Sent, next, next_of};
pub use overflow::{Kind, Overflow, overflow};
