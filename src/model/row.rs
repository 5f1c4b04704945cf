//! One line of the tables in `generated.rs` and `extra.rs`.

use super::Price;

/// The model takes pictures.
pub(super) const V: u8 = 1;
/// The provider no longer serves it. Still found by its id (old sessions name it), but left out of [`super::all`].
pub(super) const R: u8 = 2;

/// Id, window and most output in tokens, flags, and the prices of input, output, cache read and cache write.
///
/// Prices are millionths of a US dollar a million tokens: whole numbers are half as large as floats and divide back
/// to the very float a provider's price list names. 0 as input price: not known, or free; 0 as cache price: not sold apart.
pub(super) struct Row(pub(super) &'static str, pub(super) u32, pub(super) u32, pub(super) u8, pub(super) [u32; 4]);

impl Row {
    pub(super) fn vision(&self) -> bool {
        self.3 & V != 0
    }

    pub(super) fn retired(&self) -> bool {
        self.3 & R != 0
    }

    pub(super) fn price(&self) -> Option<Price> {
        let dollars = |millionths: u32| f64::from(millionths) / 1e6;
        let [input, output, cache_read, cache_write] = self.4;
        (input != 0 || output != 0).then(|| Price {
            input: dollars(input),
            output: dollars(output),
            cache_read: (cache_read != 0).then(|| dollars(cache_read)),
            cache_write: (cache_write != 0).then(|| dollars(cache_write)),
        })
    }
}
