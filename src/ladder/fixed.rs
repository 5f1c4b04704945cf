//! What was decided earlier and kept as a record: laid again over its range as it was laid then, not decided anew.

use super::middle::Fate;
use super::own::is_opaque;
use super::{Layer, Rung, Scene, Words};
use crate::message::Role;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// A record over a part of the history.
#[derive(Clone, Debug)]
pub struct Fixed {
    /// The rung that laid it.
    pub rung: &'static dyn Rung,
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

/// Lays a record over what is live.
pub(super) fn apply(scene: &mut Scene<'_>, fixed: &Fixed) {
    scene.read_originals();
    fixed.rung.lay_again(scene, fixed);
}

/// Which messages go: those of the range, but for the system's and for pages of another call.
pub(super) fn fates(scene: &Scene<'_>, fixed: &Fixed) -> Vec<Fate> {
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

/// What names a single thing in a record, and the words that take its place.
pub(super) type Named = (String, String);

/// Gives up single things again: those among the record's that `name` names, each with the words that take its place. It is asked about every
/// part that still stands, by message and place.
pub(super) fn single(scene: &mut Scene<'_>, fixed: &Fixed, name: &dyn Fn(&Scene<'_>, usize, usize) -> Option<Named>) {
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
            let from = part.from;
            let named = name(scene, m, p).filter(|(name, _)| fixed.items.contains(name));
            if let Some((name, words)) = named {
                let layer = Layer { range: (from, from), reference: Some(name), ..Layer::of(fixed.rung.name()) };
                scene.replace(m, p, &words, layer);
            }
        }
    }
    scene.stand.results.settle(&scene.stand.live);
}
