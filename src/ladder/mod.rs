//! The ladder: when to act, how far to go, and the rungs that go there, cheapest first. A new rung is one file and one line in [`RUNGS`].

mod block;
mod draw;
mod easel;
mod elide;
mod figure;
mod fixed;
mod images;
mod lay;
pub mod marker;
mod middle;
mod policy;
mod reference;
mod replay;
mod report;
mod results;
mod scene;
mod snapshot;
mod window;

pub use block::{Block, Half, Source};
pub use draw::Draw;
pub use easel::{Blank, Easel, Wish};
pub use elide::candidates_ever;
pub use figure::grouped;
pub use fixed::{Fixed, Rungs};
pub use lay::notice_message;
pub use policy::{Policy, Reading};
pub use reference::{Elided, Reference, References};
pub use replay::{Floor, Outcomes, replay};
pub use report::{Count, Record, Report, RungEntry, entries, records};
pub use results::{Results, stands};
pub use scene::{Fill, Goal, Layer, Scene, Stand};
pub use snapshot::SHEET;

/// One way to shrink a request.
pub trait Rung: Sync + Send + core::panic::RefUnwindSafe {
    /// As the public contract names it.
    fn name(&self) -> &'static str;
    /// What it gives up, one and many.
    fn noun(&self) -> (&'static str, &'static str);
    /// What it does to them.
    fn verb(&self) -> &'static str {
        "given up"
    }
    /// Shrinks what is live until the goal is met or nothing is left to give up. Undoes or skips whatever does not shrink.
    fn run(&self, scene: &mut Scene<'_>, goal: &Goal) -> Outcome;
}

/// All rungs, cheapest first.
pub static RUNGS: [&dyn Rung; 4] = [&elide::Elide, &images::Images, &snapshot::Snapshot, &window::Window];

/// A rung of the contract that this version does not have: the report lists it as skipped.
#[derive(Debug)]
pub struct Later {
    /// As the public contract names it.
    pub name: &'static str,
    /// Why it is skipped, as a code.
    pub code: &'static str,
    /// Why, in words.
    pub reason: &'static str,
    /// It would stand before this rung.
    pub before: &'static str,
}

/// The rungs that are not built yet.
pub static LATER: [Later; 1] = [Later {
    name: "summary",
    code: "no-summarizer",
    reason: "summaries are not part of this version",
    before: "window",
}];

/// What a rung came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It changed something.
    Ran,
    /// Nothing that it may give up was there.
    NothingToDo,
    /// What was there would not have become smaller.
    WouldNotShrink,
    /// There are no pages.
    Blank(Blank),
    /// Pages would cost as much as the text, in tokens, or more.
    Dearer {
        /// The text as it stands.
        text: u64,
        /// Pages, lead-in and fact sheet.
        pages: u64,
    },
    /// Too many letters that no face draws.
    Unrenderable {
        /// Letters that nothing draws.
        missing: u64,
        /// Of so many.
        letters: u64,
    },
    /// Not one page has room.
    PageLimit,
}

#[cfg(all(test, feature = "std"))]
mod tests;
