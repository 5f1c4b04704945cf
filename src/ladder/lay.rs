//! Takes messages out of what is live and puts something of this package's own where each run of them began. Runs that touch become one.

use super::middle::Fate;
use super::own::{is_notice, told_by};
use super::results::{is_of_result, tokens_of_results};
use super::summary::{Kept, written};
use super::{Half, Layer, Outcome, Scene, Source, marker};
use crate::history::own_message;
use crate::message::{At, Kind, Message, Part, Role, Store};
use alloc::vec;
use alloc::vec::Vec;

/// Gives up what `fates` says, or leaves everything as it is when that would not shrink the request. `cover` makes what stands where a run was.
pub(super) fn lay(
    scene: &mut Scene<'_>,
    fates: &[Fate],
    cover: &mut dyn FnMut(&Run, &mut Scene<'_>) -> Option<Message>,
) -> Outcome {
    let laid = laid(scene, fates, cover);
    let tokens = |messages: &[Message]| messages.iter().map(Message::tokens).sum::<u64>();
    let (before, after) = (tokens(&scene.stand.live), tokens(&laid));
    if after >= before {
        return Outcome::WouldNotShrink;
    }
    scene.rebuild(laid);
    Outcome::Ran
}

/// The same for one part of what was decided together: it may cost more than it saves, the whole did not.
pub(super) fn lay_again(
    scene: &mut Scene<'_>,
    fates: &[Fate],
    cover: &mut dyn FnMut(&Run, &mut Scene<'_>) -> Option<Message>,
) {
    if fates.iter().any(|fate| *fate != Fate::Stays) {
        let laid = laid(scene, fates, cover);
        scene.rebuild(laid);
    }
}

fn laid(
    scene: &mut Scene<'_>,
    fates: &[Fate],
    cover: &mut dyn FnMut(&Run, &mut Scene<'_>) -> Option<Message>,
) -> Vec<Message> {
    let mut laid: Vec<Message> = Vec::with_capacity(scene.stand.live.len());
    for place in gather(scene, fates) {
        match place {
            Place::Kept(message) => laid.push(message),
            Place::Gone(run) => laid.extend(cover(&run, scene)),
            Place::Bridge => {
                // The system may speak only before the assistant does, so the assistant says a word.
                let mut message = own_words(Role::Assistant, marker::BRIDGE, scene.store);
                scene.meter.message(&mut message, scene.store);
                laid.push(message);
            }
        }
    }
    laid
}

/// What stands at one place once everything is laid.
pub(super) enum Place {
    /// A message that stays.
    Kept(Message),
    /// Messages that go.
    Gone(Run),
    /// A word of the assistant.
    Bridge,
}

/// The live messages, with each run of those that go as one.
pub(super) fn gather(scene: &Scene<'_>, fates: &[Fate]) -> Vec<Place> {
    let live = &scene.stand.live;
    let mut places: Vec<Place> = Vec::with_capacity(live.len());
    let mut run = Run::default();
    for (index, (message, &fate)) in live.iter().zip(fates).enumerate() {
        match fate {
            Fate::Goes => {
                run.begin(&mut places, scene);
                run.take(index, message, scene);
            }
            Fate::Words => {
                run.take_results(index, message, scene);
                run.end(&mut places, Some(message), scene);
                places.push(Place::Kept(words_of(message)));
            }
            // Messages of the system neither go nor end a run.
            Fate::Stays if message.role == Role::System && run.goes() => run.system.push(message.clone()),
            // Neither does the notice of an earlier pass: both ranges become one.
            Fate::Stays if run.goes() && is_notice(message, scene.store) => run.take(index, message, scene),
            Fate::Stays => {
                run.end(&mut places, Some(message), scene);
                if is_notice(message, scene.store) {
                    run.take(index, message, scene);
                    run.only_notice = Some(message.clone());
                } else {
                    places.push(Place::Kept(message.clone()));
                }
            }
        }
    }
    run.end(&mut places, None, scene);
    places
}

/// A message that says how many stood here.
pub fn notice_message(messages: u64, store: &mut Store) -> Message {
    own_words(Role::User, &marker::notice(messages), store)
}

/// The notice that stands where a run was; none where only results beside a person's words went. Whatever rung left it out: its record says that
/// nothing of the range is there.
pub(super) fn notice(run: &Run, scene: &mut Scene<'_>) -> Option<Message> {
    if run.messages == 0 {
        return None;
    }
    let mut message = notice_message(run.messages, scene.store);
    message.parts[0].marker = run.marker;
    let from = message.parts[0].from;
    scene.meter.message(&mut message, scene.store);
    let layer = Layer { after: message.tokens(), kept: run.kept.clone(), ..Layer::over(run, "window") };
    scene.stand.lay(from, layer);
    Some(message)
}

pub(super) fn own_words(role: Role, words: &str, store: &mut Store) -> Message {
    let part = own_text(words, store);
    own_message(role, vec![part], store)
}

/// Words of this package's own, as a part.
pub(super) fn own_text(words: &str, store: &mut Store) -> Part {
    let (from, [body]) = store.add_own([words]);
    Part { body, own: true, ..Part::new(Kind::Text, from, At::STRING) }
}

/// Messages that go, one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Run {
    /// The live ones among them.
    pub indexes: Vec<usize>,
    /// How many it stands for, those of earlier passes included.
    pub messages: u64,
    /// What they cost before any pass, in tokens.
    pub tokens: u64,
    /// What they cost as they stand.
    pub stands: u64,
    /// What they cost as they came.
    pub original: u64,
    /// Bytes of them.
    pub bytes: u64,
    /// Pictures of them.
    pub images: u64,
    /// What of the history it covers: what pages are drawn from.
    pub sources: Vec<Source>,
    /// Messages among them that an earlier pass left out: nothing is left to draw of them.
    pub left_out: u64,
    /// Pages that an earlier pass left out.
    pub shed: u64,
    /// It holds more than what an earlier pass laid.
    pub fresh: bool,
    /// The last cache marker that goes: what stands there bears it, so that the provider caches up to the same place.
    pub marker: Option<(u32, At)>,
    /// Of the last message only the results are in it.
    pub last_results_only: bool,
    /// The summaries among them.
    pub kept: Vec<Kept>,
    range: Option<(u32, u32)>,
    system: Vec<Message>,
    /// The notice of an earlier pass, while nothing else joined it.
    only_notice: Option<Message>,
}

impl Run {
    /// One that is made from sources alone; `told`: messages of it, and what they cost as they came.
    pub fn of(
        range: (u32, u32),
        sources: &[Source],
        (messages, original): (u64, u64),
        marker: Option<(u32, At)>,
        last_results_only: bool,
    ) -> Run {
        let (range, sources) = (Some(range), sources.to_vec());
        Run { range, sources, messages, original, tokens: original, marker, last_results_only, ..Run::default() }
    }
    /// First and last input message of it.
    pub fn range(&self) -> (u32, u32) {
        self.range.unwrap_or_default()
    }
    fn goes(&self) -> bool {
        !self.indexes.is_empty()
    }
    fn take(&mut self, index: usize, message: &Message, scene: &Scene<'_>) {
        self.only_notice = None;
        self.indexes.push(index);
        self.stands += message.tokens();
        self.bytes += u64::from(message.bytes);
        self.images += message.images() as u64;
        let layer = message.parts.first().and_then(|part| scene.stand.layers.get(&part.from));
        self.kept.extend(layer.into_iter().flat_map(|layer| layer.kept.iter().cloned()));
        self.kept.extend(written(message, scene));
        let told = told_by(message, scene.store);
        self.marker = message.parts.iter().rev().find_map(|part| part.marker).or(self.marker);
        self.tokens += layer.map_or(message.tokens(), |layer| layer.before);
        let own = scene.store.is_input(message.origin).then_some((message.origin, message.origin));
        self.cover(layer.map(|layer| layer.range).or(own));
        let block = layer.and_then(|layer| layer.block.as_ref());
        // Only at the beginning is anything left out: what an earlier pass left out further on is drawn again.
        let hole = !self.sources.is_empty() && block.map_or(told.is_some(), |block| block.left_out > 0);
        if let Some(again) = layer.filter(|_| hole).and_then(|layer| scene.sources(layer)) {
            self.messages += block.map_or(told, |block| Some(block.messages)).unwrap_or_default();
            self.original += again.iter().map(|(_, tokens)| tokens).sum::<u64>();
            self.sources.extend(again.into_iter().map(|(source, _)| source));
            return;
        }
        if let Some(block) = block {
            self.messages += block.messages;
            self.original += block.original;
            self.left_out += block.left_out;
            // Pages are counted from the beginning of the run: what was left out later in it has to be drawn again.
            if self.sources.is_empty() {
                self.shed = block.shed;
            }
            self.sources.extend_from_slice(&block.sources);
            return;
        }
        let original = scene.original(message);
        let own = message.parts.iter().all(|part| part.own);
        // A word that an earlier pass put in is no part of the history.
        if original.is_none() && own && told.is_none() && scene.originals.are_read() {
            return;
        }
        // What an earlier pass left out costs nothing here: drawn again from a record it does not stand there.
        let stands = if told.is_some() { 0 } else { message.tokens() };
        self.original += original.map_or(stands, Message::tokens);
        self.messages += told.unwrap_or(u64::from(!own));
        match told {
            Some(told) => self.left_out += told,
            None => {
                self.fresh |= !own;
                let split = original.is_some_and(|first| first.has_results() && !message.has_results());
                let half = if split { Half::Words } else { Half::Whole };
                self.sources.push(Source { origin: message.origin, half });
            }
        }
    }
    fn take_results(&mut self, index: usize, message: &Message, scene: &Scene<'_>) {
        self.only_notice = None;
        self.fresh = true;
        self.last_results_only = true;
        self.indexes.push(index);
        let tokens = tokens_of_results(message);
        self.tokens += tokens;
        self.stands += tokens;
        self.original += scene.original(message).map_or(tokens, tokens_of_results);
        let parts = message.parts.iter().filter(|part| is_of_result(part));
        self.bytes += parts.filter(|part| !part.inside).map(|part| u64::from(part.bytes)).sum::<u64>();
        self.cover(Some((message.origin, message.origin)));
        self.sources.push(Source { origin: message.origin, half: Half::Results });
    }
    /// The ends are the first and the last message in the order of the history, in which a repair may have moved results: so they say what lay
    /// between them.
    fn cover(&mut self, range: Option<(u32, u32)>) {
        let Some((from, to)) = range else { return };
        let (first, _) = self.range.unwrap_or((from, to));
        self.range = Some((first, to));
    }
    /// Where the system may not speak before a user does, what it said last before the run moves behind what stands there.
    fn begin(&mut self, places: &mut Vec<Place>, scene: &Scene<'_>) {
        let system = |place: &mut Place| matches!(place, Place::Kept(last) if last.role == Role::System);
        while scene.rules.places_system() && !self.goes() && places.len() > 1 {
            match places.pop_if(system) {
                Some(Place::Kept(system)) => self.system.insert(0, system),
                _ => return,
            }
        }
    }
    fn end(&mut self, places: &mut Vec<Place>, next: Option<&Message>, scene: &Scene<'_>) {
        let mut run = core::mem::take(self);
        let system = core::mem::take(&mut run.system);
        let bridge =
            !system.is_empty() && scene.rules.places_system() && next.is_some_and(|next| next.role == Role::User);
        if let Some(notice) = run.only_notice {
            places.push(Place::Kept(notice));
        } else if run.goes() {
            places.push(Place::Gone(run));
        }
        places.extend(system.into_iter().map(Place::Kept));
        if bridge {
            places.push(Place::Bridge);
        }
    }
}

/// A message with only what its person said.
fn words_of(message: &Message) -> Message {
    let mut message = message.clone();
    let gone: u32 = message.parts.iter().filter(|part| part.kind == Kind::Result).map(|part| part.bytes).sum();
    message.parts.retain(|part| !is_of_result(part));
    message.bytes = message.bytes.saturating_sub(gone);
    message.whole = false;
    message
}
