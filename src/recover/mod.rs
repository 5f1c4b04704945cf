//! Recovery: what a provider's refusal means. What to do about it is decided elsewhere.

mod evidence;
mod figures;
mod overflow;
#[cfg(test)]
mod tests;
mod words;

pub use evidence::FIELDS;
pub use overflow::{Kind, Overflow, overflow};
