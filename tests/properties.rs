//! The promises over many random conversations; `PROPTEST_CASES` says how many, 256 unless told.
#![cfg(all(feature = "std", not(target_arch = "wasm32")))]

#[path = "support/generate.rs"]
mod generate;
#[path = "support/least.rs"]
mod least;
#[path = "support/property.rs"]
mod property;

use property::{damage, given, varied};
use proptest::prelude::*;

proptest! {
    #[test]
    fn sendable_and_never_larger(given in given()) {
        property::sendable_and_never_larger(&given)?;
    }

    #[test]
    fn idempotent(given in given()) {
        property::idempotent(&given)?;
    }

    #[test]
    fn elided_comes_back(given in given()) {
        property::elided_comes_back(&given)?;
    }

    #[test]
    fn any_options(given in given(), varied in varied()) {
        property::any_options(&given, &varied)?;
    }

    #[test]
    fn stable_prefix(given in given()) {
        property::stable_prefix(&given)?;
    }

    #[test]
    fn pages_stay(given in given()) {
        property::pages_stay(&given)?;
    }

    #[test]
    fn mended(given in given(), damage in damage()) {
        property::mended(&given, &damage)?;
    }

    #[test]
    fn repairs_keep_words(given in given(), damage in damage()) {
        property::repairs_keep_words(&given, &damage)?;
    }

    #[test]
    fn trimmed(given in given(), most in 1u32..30) {
        property::trimmed(&given, most)?;
    }
}
