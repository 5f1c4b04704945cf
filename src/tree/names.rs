//! The two kinds of map the tree uses. Every type of map is code of its own, so there are no more.

use alloc::collections::BTreeMap;
use alloc::collections::btree_map::Range;
use alloc::sync::Arc;

/// Names → numbers.
pub(super) type Names = BTreeMap<Arc<str>, u32>;

/// Pairs of numbers, in order → pairs of numbers.
pub(super) type Numbers = BTreeMap<(u64, u32), (u32, u32)>;

/// The entries whose first number is `first` and whose second one lies between two others, both included; `from` is at most `to`.
pub(super) fn between(numbers: &Numbers, first: u64, from: u32, to: u32) -> Range<'_, (u64, u32), (u32, u32)> {
    numbers.range((first, from)..=(first, to))
}

/// Where each name comes last.
pub(super) fn latest<'a>(names: impl Iterator<Item = &'a str>) -> Names {
    let mut latest = Names::new();
    for (number, name) in names.enumerate() {
        latest.insert(Arc::from(name), number as u32);
    }
    latest
}

/// The number by which the id of a call goes (FNV-1a).
pub(super) fn key(id: &str) -> u64 {
    id.bytes().fold(NAMELESS, |key, byte| (key ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// That of a call without an id.
pub(super) const NAMELESS: u64 = 0xcbf2_9ce4_8422_2325;
