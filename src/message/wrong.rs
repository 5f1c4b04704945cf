//! An option that makes no sense: the one error that lower floors know.

use alloc::string::String;

/// What is wrong with an option, and what it must be. The floors above tell it as an error with a code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WrongOption(pub String);
