//! What was decided earlier and kept as a record: laid again over its range as it was laid then, not decided anew.

use super::block::is_opaque;
use super::images::picture_name;
use super::lay::{Run, lay, lay_again, notice};
use super::middle::Fate;
use super::snapshot::draft_again;
use super::summary::lay_kept;
use super::{Layer, Scene, Words, marker};
use crate::message::Role;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// A record over a part of the history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// The rung that laid it.
    pub rung: Rungs,
    /// Its messages in the history.
    pub range: Range<usize>,
    /// Of the last message only the results belong to it: what its person said stays.
    pub last_results_only: bool,
    /// References of what was given up, where single things were.
    pub items: Vec<String>,
    /// Pages at the beginning that are not drawn.
    pub shed: u64,
    /// What a summary says.
    pub summary: Option<Words>,
    /// Messages at the beginning that stand on no page, and the place of the first that does.
    pub left_out: (u64, usize),
}

/// The rungs of which records are laid again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The names are the rungs' own.
pub enum Rungs {
    Elide,
    Images,
    Snapshot,
    Summary,
    Window,
}

impl Rungs {
    /// By the name of the public contract.
    pub fn by_name(name: &str) -> Option<Rungs> {
        Some(match name {
            "elide" => Rungs::Elide,
            "images" => Rungs::Images,
            "snapshot" => Rungs::Snapshot,
            "summary" => Rungs::Summary,
            "window" => Rungs::Window,
            _ => return None,
        })
    }
    /// It stands for all messages of its range, not for single things in it.
    pub fn is_whole(self) -> bool {
        matches!(self, Rungs::Snapshot | Rungs::Summary | Rungs::Window)
    }
}

/// Lays a record over what is live.
pub(super) fn apply(scene: &mut Scene<'_>, fixed: &Fixed) {
    scene.read_originals();
    match fixed.rung {
        Rungs::Elide | Rungs::Images => single(scene, fixed),
        Rungs::Window => {
            let fates = fates(scene, fixed);
            lay_again(scene, &fates, &mut |run, scene| notice(run, scene));
        }
        Rungs::Summary => {
            let fates = fates(scene, fixed);
            lay_kept(scene, &fates, fixed);
        }
        Rungs::Snapshot if scene.easel.is_ok() => {
            let fates = fates(scene, fixed);
            lay(scene, &fates, &mut |run: &Run, scene| draft_again(scene, run, fixed));
        }
        // The reader of today cannot see: the words stand, and the walk goes on with them.
        Rungs::Snapshot => {}
    }
}

/// Which messages go: those of the range, but for the system's and for pages of another call.
fn fates(scene: &Scene<'_>, fixed: &Fixed) -> Vec<Fate> {
    let covered: BTreeSet<u32> = scene.history[fixed.range.clone()].iter().map(|message| message.origin).collect();
    let last = scene.history[fixed.range.clone()].last().map(|message| message.origin);
    let inside = |number: u32| covered.contains(&number);
    let mut fates = vec![Fate::Stays; scene.stand.live.len()];
    for (fate, message) in fates.iter_mut().zip(&scene.stand.live) {
        let layer = message.parts.first().and_then(|part| scene.stand.layers.get(&part.from));
        let within = match layer.filter(|_| !scene.store.is_input(message.origin)) {
            Some(layer) => inside(layer.range.0) && inside(layer.range.1),
            None => inside(message.origin),
        };
        if !within || message.role == Role::System || is_opaque(message, scene.store) {
            continue;
        }
        *fate = match fixed.last_results_only && Some(message.origin) == last {
            true if message.has_results() => Fate::Words,
            true => Fate::Stays,
            false => Fate::Goes,
        };
    }
    fates
}

/// Gives up single things again: results by their reference, pictures by the name of their bytes.
fn single(scene: &mut Scene<'_>, fixed: &Fixed) {
    let covered: BTreeSet<u32> = scene.history[fixed.range.clone()].iter().map(|message| message.origin).collect();
    for m in 0..scene.stand.live.len() {
        if !covered.contains(&scene.stand.live[m].origin) {
            continue;
        }
        for p in (0..scene.stand.live[m].parts.len()).rev() {
            let part = &scene.stand.live[m].parts[p];
            if part.is_replaced() || part.own {
                continue;
            }
            let (name, words) = if fixed.rung == Rungs::Images {
                let Some((name, words)) = picture_name(part, scene.store) else { continue };
                (name, words)
            } else {
                let Some(elided) = super::elide::described(scene, m, p) else { continue };
                let words = match scene.placeholders.get(&elided.reference) {
                    Some(words) => words.clone(),
                    None => marker::elided(&elided.tool, elided.tokens, &elided.reference),
                };
                (elided.reference, words)
            };
            if !fixed.items.contains(&name) {
                continue;
            }
            let from = scene.stand.live[m].parts[p].from;
            let rung = if fixed.rung == Rungs::Images { "images" } else { "elide" };
            let layer = Layer { range: (from, from), reference: Some(name), ..Layer::of(rung) };
            scene.replace(m, p, &words, layer);
        }
    }
    scene.stand.results.settle(&scene.stand.live);
}
