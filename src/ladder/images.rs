//! Rung `images`: old pictures, each replaced by a line that says so. The pictures of the task and of the newest unit stay.

use super::{Goal, Layer, Outcome, Rung, Scene, marker};
use crate::history::{head_end, units};
use crate::message::Kind;
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

    fn run(&self, scene: &mut Scene<'_>, goal: &Goal) -> Outcome {
        let units = units(&scene.live, scene.rules);
        let head = head_end(&units, &scene.live, scene.policy.keep_head);
        let first = units.get(head).map_or(scene.live.len(), |unit| unit.messages.start);
        let last = units.last().map_or(0, |unit| unit.messages.start);
        let mut pictures: Vec<(usize, usize)> = Vec::new();
        for (m, message) in scene.live.iter().enumerate() {
            let stands = |p: &usize| message.parts[*p].kind == Kind::Image && !message.parts[*p].is_replaced();
            pictures.extend((0..message.parts.len()).filter(stands).map(|p| (m, p)));
        }
        let old = pictures.len().saturating_sub(scene.policy.keep_images as usize);
        let may_go: Vec<(usize, usize)> =
            pictures[..old].iter().copied().filter(|&(m, _)| m >= first && m < last).collect();
        if may_go.is_empty() {
            return Outcome::NothingToDo;
        }
        let mut ran = false;
        for (m, p) in may_go {
            if scene.meets(goal) {
                break;
            }
            let part = &scene.live[m].parts[p];
            let words = marker::picture(size_of_base64(scene.store.bytes(part.from, part.body)));
            let range = (part.from, part.from);
            let layer = Layer { rung: self.name(), range, before: 0, after: 0, reference: None };
            ran |= scene.replace(m, p, &words, layer);
        }
        if ran { Outcome::Ran } else { Outcome::WouldNotShrink }
    }
}
