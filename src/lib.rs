//! Palimpsest.
#![no_std]
#![forbid(unsafe_code)]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "wasm")]
mod wasm {
    use alloc::string::String;
    use wasm_bindgen::prelude::*;
    /// Version of the crate.
    #[wasm_bindgen]
    pub fn version() -> String {
        env!("CARGO_PKG_VERSION").into()
    }
}
