//! Bindings for JavaScript. They translate and do nothing else; `docs/boundary.md` describes what crosses.

mod facts;
mod job;
mod recover;
mod session;
