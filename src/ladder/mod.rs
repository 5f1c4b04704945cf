//! The ladder: when to act, how far to go, and the rungs that go there, cheapest first. A new rung is one file and one line in [`RUNGS`].
//!
//! | file | is about |
//! | --- | --- |
//! | `policy` | when to act, how far to go, what to keep |
//! | `replay` | the walk through the history, and where an event is due |
//! | `scene` | what the rungs work on: what is live, what it costs, what was laid over it |
//! | `elide`, `images`, `snapshot`, `summary`, `window` | the rungs |
//! | `middle`, `lay` | what may be given up; taking it out and putting something in its place |
//! | `marker`, `own` | the words that stand there, and how they are known again |
//! | `results`, `reference`, `originals` | results that may be elided; names for them; the history as it came |
//! | `easel`, `block`, `draw` | what pages are drawn with, what stands on them, drawing them |
//! | `fixed` | records of earlier walks, laid again |
//! | `report`, `figure` | what was done, in figures and words |

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
mod originals;
mod own;
mod policy;
mod reference;
mod replay;
mod report;
mod results;
mod scene;
mod snapshot;
mod summary;
mod window;

pub use block::{Block, Half, Source};
pub use draw::Draw;
pub use easel::{Blank, Easel, Wish};
pub use elide::candidates_ever;
pub use figure::grouped;
pub use fixed::Fixed;
pub use lay::notice_message;
pub use originals::{Came, Originals};
pub use own::is_summary;
pub use policy::Policy;
pub use reference::{Elided, Reference, References};
pub use replay::{Outcomes, Walk, replay};
pub use report::{Count, Record, Report, RungEntry, entries, records};
pub use results::{Results, stands};
pub use scene::{Fill, Goal, Layer, Scene, Stand};
pub use snapshot::SHEET;
pub use summary::{Kept, Question, Summaries, Told, Unwritten, Wanted, Words};

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
    /// True when it has something to do: by itself, while the goal is not met.
    fn is_due(&self, scene: &Scene<'_>, goal: &Goal) -> bool {
        !scene.meets(goal)
    }
    /// What it lays stands for all messages of its range, not for single things in it.
    fn is_whole(&self) -> bool;
    /// Shrinks what is live until the goal is met or nothing is left to give up. Undoes or skips whatever does not shrink.
    fn run(&self, scene: &mut Scene<'_>, goal: &Goal) -> Outcome;
    /// Lays again what it laid earlier and what was kept as a record, as it was laid then.
    fn lay_again(&self, scene: &mut Scene<'_>, fixed: &Fixed);
}

impl core::fmt::Debug for dyn Rung {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.write_str(self.name())
    }
}

impl PartialEq for dyn Rung {
    fn eq(&self, other: &dyn Rung) -> bool {
        self.name() == other.name()
    }
}

/// All rungs, cheapest first.
pub static RUNGS: [&dyn Rung; 5] =
    [&elide::Elide, &images::Images, &snapshot::Snapshot, &summary::Summary, &window::Window];

/// The rung of this name; `None` for one of a later version.
pub fn rung_named(name: &str) -> Option<&'static dyn Rung> {
    RUNGS.into_iter().find(|rung| rung.name() == name)
}

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
    /// There is no summary.
    Unwritten(Unwritten),
    /// The host has to say something first; the rung is run again then.
    Asks,
}

#[cfg(all(test, feature = "std"))]
mod tests;
