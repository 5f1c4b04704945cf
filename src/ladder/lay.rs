//! Takes messages out of what is live and puts a notice where each run of them began. Runs that touch become one.

use super::middle::Fate;
use super::window::is_of_result;
use super::{Layer, Outcome, Scene, marker};
use crate::history::own_message;
use crate::message::{At, Kind, Message, Part, Role, Store};
use alloc::vec;
use alloc::vec::Vec;

/// Gives up what `fates` says, or leaves everything as it is when that would not shrink the request.
pub(super) fn lay(scene: &mut Scene<'_>, fates: &[Fate]) -> Outcome {
    let live = core::mem::take(&mut scene.live);
    let mut laid: Vec<Message> = Vec::with_capacity(live.len());
    let mut run = Run::default();
    for (message, &fate) in live.iter().zip(fates) {
        match fate {
            Fate::Goes => {
                run.begin(&mut laid, scene);
                run.take(message, scene);
            }
            Fate::Words => {
                run.end(&mut laid, Some(message), scene);
                laid.push(words_of(message));
            }
            // Messages of the system neither go nor end a run.
            Fate::Stays if message.role == Role::System && run.messages > 0 => run.system.push(message.clone()),
            // Neither does the notice of an earlier pass: both ranges become one.
            Fate::Stays if run.messages > 0 && is_notice(message, scene) => run.take(message, scene),
            Fate::Stays => {
                run.end(&mut laid, Some(message), scene);
                if is_notice(message, scene) {
                    run.take(message, scene);
                    run.only_notice = Some(message.clone());
                } else {
                    laid.push(message.clone());
                }
            }
        }
    }
    run.end(&mut laid, None, scene);
    let tokens = |messages: &[Message]| messages.iter().map(Message::tokens).sum::<u64>();
    if tokens(&laid) >= tokens(&live) {
        scene.live = live;
        return Outcome::WouldNotShrink;
    }
    scene.live = live;
    scene.rebuild(laid);
    Outcome::Ran
}

/// A message that says how many stood here.
pub fn notice_message(messages: u64, store: &mut Store) -> Message {
    own_words(Role::User, &marker::notice(messages), store)
}

fn own_words(role: Role, words: &str, store: &mut Store) -> Message {
    let (from, [body]) = store.add_own([words]);
    let part = Part { body, own: true, ..Part::new(Kind::Text, from, At::STRING) };
    own_message(role, vec![part], store)
}

/// Messages that go, one after the other.
#[derive(Default)]
struct Run {
    messages: u64,
    tokens: u64,
    range: Option<(u32, u32)>,
    system: Vec<Message>,
    /// The last cache marker that goes: the notice bears it, so that the provider caches up to the same place.
    marker: Option<(u32, At)>,
    /// The notice of an earlier pass, while nothing else joined it.
    only_notice: Option<Message>,
}

impl Run {
    fn take(&mut self, message: &Message, scene: &Scene<'_>) {
        self.only_notice = None;
        let layer = message.parts.first().and_then(|part| scene.layers.get(&part.from));
        let own = message.parts.iter().all(|part| part.own && part.kind == Kind::Text);
        self.marker = message.parts.iter().rev().find_map(|part| part.marker).or(self.marker);
        self.messages += notice_of(message, scene).unwrap_or(u64::from(!own));
        self.tokens += layer.map_or(message.tokens(), |layer| layer.before);
        let own = scene.store.is_input(message.origin).then_some((message.origin, message.origin));
        if let Some((from, to)) = layer.map(|layer| layer.range).or(own) {
            let (first, last) = self.range.unwrap_or((from, to));
            self.range = Some((first.min(from), last.max(to)));
        }
    }
    /// Where the system may not speak before a user does, what it said last before the run moves behind the notice.
    fn begin(&mut self, laid: &mut Vec<Message>, scene: &Scene<'_>) {
        while !scene.rules.system_anywhere && self.messages == 0 && laid.len() > 1 {
            match laid.pop_if(|last| last.role == Role::System) {
                Some(system) => self.system.insert(0, system),
                None => return,
            }
        }
    }
    fn end(&mut self, laid: &mut Vec<Message>, next: Option<&Message>, scene: &mut Scene<'_>) {
        let run = core::mem::take(self);
        if let Some(notice) = run.only_notice {
            laid.push(notice);
        } else if run.messages > 0 {
            laid.push(run.notice(scene));
        }
        let bridge =
            !run.system.is_empty() && !scene.rules.system_anywhere && next.is_some_and(|next| next.role == Role::User);
        laid.extend(run.system);
        if bridge {
            // The system may speak only before the assistant does, so the assistant says a word.
            let mut message = own_words(Role::Assistant, marker::BRIDGE, scene.store);
            scene.meter.message(&mut message, scene.store);
            laid.push(message);
        }
    }
    fn notice(&self, scene: &mut Scene<'_>) -> Message {
        let mut message = notice_message(self.messages, scene.store);
        message.parts[0].marker = self.marker;
        let from = message.parts[0].from;
        scene.meter.message(&mut message, scene.store);
        let after = message.tokens();
        let range = self.range.unwrap_or_default();
        scene.layers.insert(from, Layer { rung: "window", range, before: self.tokens, after, reference: None });
        message
    }
}

/// How many messages a notice of this package speaks of; `None` for any other message.
fn notice_of(message: &Message, scene: &Scene<'_>) -> Option<u64> {
    let [part] = message.parts.as_slice() else { return None };
    (part.own && part.kind == Kind::Text).then(|| marker::noticed(scene.store.str(part.from, part.body)))?
}

fn is_notice(message: &Message, scene: &Scene<'_>) -> bool {
    notice_of(message, scene).is_some()
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
