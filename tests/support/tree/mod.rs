//! The tree beside a plain model of it.

pub mod client;
pub mod compare;
pub mod damage;
pub mod model;
pub mod ops;
pub mod server;
pub mod unite;
pub mod writing;
