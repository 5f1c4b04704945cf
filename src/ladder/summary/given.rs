//! What a summary is made from: the one before it, and what nobody summarised yet.

use super::{Kept, Words};
use crate::ladder::lay::Run;
use crate::ladder::middle::Fate;
use crate::ladder::own::is_opaque;
use crate::ladder::{Half, Layer, Scene, Source, marker};
use crate::message::{Kind, Message, Role};
use crate::page::transcript::Speech;
use alloc::string::String;
use alloc::vec::Vec;

/// What a summary is made from.
pub struct Given {
    /// The summary that is updated.
    pub previous: Option<Words>,
    /// What nobody summarised yet.
    pub sources: Vec<Source>,
    /// Nothing in it but what people and the assistant wrote.
    pub plain: bool,
}

impl Given {
    pub fn of(run: &Run, fates: &[Fate], scene: &Scene<'_>) -> Given {
        let mut given = Given { previous: None, sources: Vec::new(), plain: true };
        for &index in &run.indexes {
            let message = &scene.stand.live[index];
            let layer = message.parts.first().and_then(|part| scene.stand.layers.get(&part.from));
            if let Some(summary) = written(message, scene) {
                given.plain &= message.role == Role::System;
                given.update(summary.words);
            } else if let Some(layer) = layer {
                given.take(layer, scene);
            } else if !message.parts.iter().all(|part| part.own) || scene.came().message(message.origin).is_some() {
                let original = scene.original(message);
                let split = original.is_some_and(|first| first.has_results() && !message.has_results());
                let half = if fates.get(index) == Some(&Fate::Words) {
                    Half::Results
                } else if split {
                    Half::Words
                } else {
                    Half::Whole
                };
                given.sources.push(Source { origin: message.origin, half });
            }
        }
        given.plain &= is_plain(given.sources.iter().filter_map(|source| scene.came().message(source.origin)));
        given
    }
    /// What a notice or pages stand for: the summaries among it, and what none of them covers.
    fn take(&mut self, layer: &Layer, scene: &Scene<'_>) {
        let place = |origin: u32| scene.originals.place(origin).unwrap_or_default();
        let of = |range: (u32, u32)| place(range.0)..=place(range.1);
        let told: Vec<_> = layer.kept.iter().map(|kept| of(kept.range)).collect();
        for kept in &layer.kept {
            self.plain = false;
            self.update(kept.words.clone());
        }
        for (source, message) in scene.told(layer) {
            let known = told.iter().any(|range| range.contains(&place(message.origin)));
            if !known && !is_opaque(message, scene.store) {
                self.sources.push(source);
            }
        }
    }
    /// Of several summaries that go together each says what it says.
    pub fn update(&mut self, summary: Words) {
        let Some(previous) = &mut self.previous else {
            self.previous = Some(summary);
            return;
        };
        previous.decisions.extend(summary.decisions);
        previous.questions.extend(summary.questions);
        previous.actions.extend(summary.actions);
        previous.context.extend(summary.context);
        previous.references.extend(summary.references);
        previous.chain = None;
        previous.generation = previous.generation.max(summary.generation);
        previous.write();
    }
    /// What the sources say, in pieces that belong together: results stand beside their calls.
    pub fn texts(&self, scene: &Scene<'_>) -> Vec<String> {
        let came = scene.came();
        let mut texts: Vec<String> = Vec::new();
        for source in &self.sources {
            let results = came.message(source.origin).is_some_and(Message::has_results);
            if texts.is_empty() || !results {
                texts.push(String::new());
            }
            if let Some(text) = texts.last_mut() {
                came.speak(*source, Speech { thinking: false }, text);
            }
        }
        texts
    }
}

/// Nothing but what people and the assistant wrote.
pub fn is_plain<'a>(mut messages: impl Iterator<Item = &'a Message>) -> bool {
    messages.all(|message| {
        let said = |kind: Kind| matches!(kind, Kind::Text | Kind::Reasoning);
        message.parts.iter().all(|part| said(part.kind)) && message.role != Role::Tool
    })
}

/// The summary that a message bears: of this walk, or of an earlier call.
pub fn written(message: &Message, scene: &Scene<'_>) -> Option<Kept> {
    let part = message.parts.first().filter(|part| part.own && part.kind == Kind::Text)?;
    let (messages, generation, words) = marker::summed(scene.store.str(part.from, part.body))?;
    if let Some(layer) = scene.stand.layers.get(&part.from) {
        let words = layer.summary.as_deref().cloned()?;
        return Some(Kept { words, range: layer.range, messages });
    }
    let words = Words { generation, ..Words::read(words)? };
    Some(Kept { words, range: (message.origin, message.origin), messages })
}
