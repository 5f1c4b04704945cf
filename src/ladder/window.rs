//! Rung `window`: drops whole ranges of the middle, oldest first, so that something can always be sent.

use super::fixed::fates;
use super::lay::{lay, lay_again, notice};
use super::middle::{Fate, Middle, fates_of_unit};
use super::results::tokens_of_results;
use super::{Fill, Fixed, Goal, Outcome, Rung, Scene};
use crate::history::units;
use crate::message::Message;
use alloc::vec;
use alloc::vec::Vec;

/// The rung.
#[derive(Debug)]
pub struct Window;

/// A notice costs about as much, in tokens.
const NOTICE: u64 = 24;

impl Rung for Window {
    fn name(&self) -> &'static str {
        "window"
    }

    fn noun(&self) -> (&'static str, &'static str) {
        ("range of messages", "ranges of messages")
    }

    fn is_whole(&self) -> bool {
        true
    }

    fn run(&self, scene: &mut Scene<'_>, goal: &Goal) -> Outcome {
        let outcome = pass(scene, goal);
        // What notices cost where many short ranges go is known when they stand: until it fits, the next pass has more to join.
        while outcome == Outcome::Ran && !scene.fits() && pass(scene, goal) == Outcome::Ran {}
        outcome
    }

    fn lay_again(&self, scene: &mut Scene<'_>, fixed: &Fixed) {
        let fates = fates(scene, fixed);
        lay_again(scene, &fates, &mut |run, scene| notice(run, scene));
    }
}

fn pass(scene: &mut Scene<'_>, goal: &Goal) -> Outcome {
    let units = units(&scene.stand.live, scene.rules);
    let middle = Middle::find(scene, &units, goal);
    let mut plan = Plan { fates: vec![Fate::Stays; scene.stand.live.len()], gain: Fill::default(), goes: false };
    for range in &middle.ranges {
        if plan.meets(scene, goal) {
            break;
        }
        // A range in which only notices of earlier passes stand has nothing left to give, and a short one would cost as much as its notice.
        let gain: u64 = range.iter().map(|&(m, fate)| gained(&scene.stand.live[m], fate)).sum();
        let told = range.iter().all(|&(m, _)| scene.stand.live[m].parts.iter().all(|part| part.own));
        if told || gain <= NOTICE {
            continue;
        }
        plan.give_up(&scene.stand.live, range);
        plan.gain.tokens = plan.gain.tokens.saturating_sub(NOTICE);
    }
    // When the middle was not enough, only what must stay stays: the system's messages, the task, the newest unit, and of what people
    // wrote at least the last.
    let newest = units.iter().rposition(|unit| !unit.system).unwrap_or_default();
    let last_person = units.iter().rposition(|unit| unit.person);
    for people_stay in [true, false] {
        if plan.fits(scene) {
            break;
        }
        for (index, unit) in units.iter().enumerate().take(newest).skip(middle.head) {
            if plan.reaches(scene, scene.policy.act) {
                break;
            }
            let stays = people_stay || Some(index) == last_person;
            plan.give_up(&scene.stand.live, &fates_of_unit(unit, scene, stays));
        }
    }
    if !plan.goes {
        return Outcome::NothingToDo;
    }
    lay(scene, &plan.fates, &mut |run, scene| notice(run, scene))
}

/// What goes, and what that gains.
struct Plan {
    fates: Vec<Fate>,
    gain: Fill,
    goes: bool,
}

impl Plan {
    fn give_up(&mut self, live: &[Message], range: &[(usize, Fate)]) {
        for &(m, fate) in range {
            if fate == Fate::Stays || self.fates[m] == Fate::Goes {
                continue;
            }
            let message = &live[m];
            // A notice, or a word between, comes back as one.
            if message.tokens() > 2 * NOTICE || !matches!(message.parts.as_slice(), [part] if part.own) {
                self.gain.tokens += gained(message, fate).saturating_sub(gained(message, self.fates[m]));
            }
            self.gain.bytes += u64::from(message.bytes);
            for picture in message.pictures() {
                self.gain.images += 1;
                self.gain.refused += u64::from(picture.refused);
                self.gain.large += u64::from(picture.large);
            }
            self.fates[m] = fate;
            self.goes = true;
        }
    }
    fn left(&self, scene: &Scene<'_>) -> Fill {
        Fill {
            tokens: scene.stand.fill.tokens.saturating_sub(self.gain.tokens),
            bytes: scene.stand.fill.bytes.saturating_sub(self.gain.bytes),
            images: scene.stand.fill.images.saturating_sub(self.gain.images),
            refused: scene.stand.fill.refused.saturating_sub(self.gain.refused),
            large: scene.stand.fill.large.saturating_sub(self.gain.large),
        }
    }
    fn meets(&self, scene: &Scene<'_>, goal: &Goal) -> bool {
        goal.is_met_by(self.left(scene), scene.rounding)
    }
    fn fits(&self, scene: &Scene<'_>) -> bool {
        scene.policy.fits_by_steps(self.left(scene))
    }
    fn reaches(&self, scene: &Scene<'_>, tokens: u64) -> bool {
        self.fits(scene) && self.left(scene).tokens + scene.rounding <= tokens
    }
}

fn gained(message: &Message, fate: Fate) -> u64 {
    match fate {
        Fate::Stays => 0,
        Fate::Goes => message.tokens(),
        Fate::Words => tokens_of_results(message),
    }
}
