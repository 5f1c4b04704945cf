//! Rung `images`: old pictures, each replaced by a line that says so. It acts on tokens, and on what a provider refuses whatever the tokens:
//! too many pictures, too many bytes, a picture too large for itself or too large among many.

use super::fixed::{Named, single};
use super::reference::digest;
use super::{Fixed, Goal, Layer, Outcome, Rung, Scene, marker};
use crate::history::{head_end, units};
use crate::message::{Kind, Part, Store};
use crate::meter::size_of_base64;
use alloc::vec::Vec;

/// The rung.
#[derive(Debug)]
pub struct Images;

impl Rung for Images {
    fn name(&self) -> &'static str {
        "images"
    }

    fn noun(&self) -> (&'static str, &'static str) {
        ("picture", "pictures")
    }

    fn is_whole(&self) -> bool {
        false
    }

    fn run(&self, scene: &mut Scene<'_>, goal: &Goal) -> Outcome {
        let old = old(scene);
        let all = pictures(scene, |_| true);
        let sizes = Goal { sizes: goal.sizes, ..Goal::default() };
        let crowd = Goal { crowd: goal.crowd, ..Goal::default() };
        // All large ones at once, lest the next picture breaks the provider's cache again.
        let none_large = Goal { crowd: goal.crowd.map(|_| 0), ..Goal::default() };
        let mut tally = Tally::default();
        // What would be refused goes wherever it stands: a request with it cannot be sent.
        tally.give_up(scene, &pictures(scene, |part| part.refused), &sizes);
        let large = |places: &[Place], scene: &Scene<'_>| -> Vec<Place> {
            places.iter().copied().filter(|&(m, p)| scene.stand.live[m].parts[p].large).collect()
        };
        tally.give_up(scene, &large(&old, scene), &none_large);
        tally.give_up(scene, &old, &crowd);
        tally.give_up(scene, &large(&all, scene), &crowd);
        tally.give_up(scene, &old, goal);
        match tally {
            Tally { ran: true, .. } => Outcome::Ran,
            Tally { tried: true, .. } => Outcome::WouldNotShrink,
            _ => Outcome::NothingToDo,
        }
    }

    fn lay_again(&self, scene: &mut Scene<'_>, fixed: &Fixed) {
        single(scene, fixed, &|scene, m, p| picture_name(&scene.stand.live[m].parts[p], scene.store));
    }
}

type Place = (usize, usize);

#[derive(Default)]
struct Tally {
    tried: bool,
    ran: bool,
}

impl Tally {
    /// Gives up pictures, oldest first, until the goal is met.
    fn give_up(&mut self, scene: &mut Scene<'_>, places: &[Place], goal: &Goal) {
        for &(m, p) in places {
            if scene.meets(goal) {
                return;
            }
            let part = &scene.stand.live[m].parts[p];
            if part.is_replaced() {
                continue;
            }
            let Some((name, words)) = picture_name(part, scene.store) else { continue };
            let range = (part.from, part.from);
            let layer = Layer { range, reference: Some(name), ..Layer::of(Images.name()) };
            self.tried = true;
            self.ran |= scene.replace(m, p, &words, layer);
        }
    }
}

/// What names a picture by its bytes, and the words that take its place.
fn picture_name(part: &Part, store: &Store) -> Option<Named> {
    let body = store.bytes(part.from, part.body);
    (part.kind == Kind::Image).then(|| (digest(&[body]), marker::picture(size_of_base64(body))))
}

fn pictures(scene: &Scene<'_>, wanted: impl Fn(&Part) -> bool) -> Vec<Place> {
    let mut places = Vec::new();
    for (m, message) in scene.stand.live.iter().enumerate() {
        for (p, part) in message.parts.iter().enumerate() {
            if part.kind == Kind::Image && !part.own && !part.is_replaced() && wanted(part) {
                places.push((m, p));
            }
        }
    }
    places
}

/// Bytes of the pictures that may be given up for room, when the caller wants this rung.
pub(super) fn bytes_to_gain(scene: &Scene<'_>) -> u64 {
    let places = if scene.policy.wants(Images.name()) { old(scene) } else { Vec::new() };
    places.iter().map(|&(m, p)| scene.stand.live[m].parts[p].body.len() as u64).sum()
}

/// The pictures that may be given up for room: not the task's, not the newest unit's, not the newest few.
fn old(scene: &Scene<'_>) -> Vec<Place> {
    let units = units(&scene.stand.live, scene.rules);
    let head = head_end(&units, &scene.stand.live, scene.policy.keep_head);
    let first = units.get(head).map_or(scene.stand.live.len(), |unit| unit.messages.start);
    let last = units.last().map_or(0, |unit| unit.messages.start);
    let mut places = pictures(scene, |_| true);
    places.truncate(places.len().saturating_sub(scene.policy.keep_images as usize));
    places.retain(|&(m, _)| m >= first && m < last);
    places
}
