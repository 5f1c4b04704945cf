//! Where a history may be cut, what is broken in it, and how that is mended.

mod alternate;
mod as_user;
mod check;
mod empty;
mod exchange;
mod first;
mod order;
mod pair;
mod pictures;
mod rename;
mod repair;
mod results;
mod trim;
mod unit;

pub use alternate::alternate;
pub use check::{Violation, check};
pub use exchange::{exchanges, head_end};
pub use order::place_system;
pub use pair::{Pairs, pair};
pub use repair::{Repair, RepairKind, own_message, repair};
pub use trim::{Limit, trim};
pub use unit::{Unit, units};
