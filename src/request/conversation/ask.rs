//! The way of a request through its stages.

use super::super::answer::{self, Said};
use super::super::ask::Texts;
use super::super::compact::{Ready, accepted};
use super::super::error::Error;
use super::super::priced::Priced;
use super::{Asked, Conversation, End, Held, Prices, Stage};
use crate::ladder::Elided;
use crate::message::Message;
use crate::tree::Node;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl Conversation {
    pub(super) fn price(&mut self, asked: Asked) -> Result<String, Error> {
        let format = self.input.settle()?;
        let mut priced = Priced::read(&self.input, format)?;
        let counts = self.input.has("countTokens");
        let reader = (Some(priced.meter.facts()), counts);
        if (self.priced.facts.as_ref(), self.priced.counted) != reader {
            self.priced = Prices { facts: reader.0.cloned(), counted: counts, messages: 0 };
        }
        let from = self.priced.messages;
        for message in &mut self.messages[from..] {
            priced.meter.message(message, &self.input.store);
        }
        let end = self.end();
        if counts {
            // Priced once they are counted: a request that is called off before has them counted by the next one.
            let texts = Texts::of(&self.input, &self.messages, from, format);
            let question = answer::ask_count(&texts.places);
            self.stage = Stage::Counting(texts, priced, asked, end, self.messages.len());
            return Ok(question);
        }
        self.priced.messages = self.messages.len();
        self.walk(priced, asked, end)
    }
    /// Goes on from the newest walk where that is on the way, else walks the whole path.
    pub(super) fn walk(&mut self, priced: Priced, asked: Asked, end: End) -> Result<String, Error> {
        let held = self.held.take().filter(|held| held.asked == asked);
        if let Some(mut held) = held.filter(|held| self.leads_on(held, end)) {
            let added = self.beyond(held.count, end);
            if !self.input.has("placeholder") && held.walked.extend(&added, &self.input) {
                (held.count, held.end) = (held.count + added.len(), end);
                return self.step(held, priced);
            }
        }
        self.walk_all(end, priced, asked)
    }
    fn walk_all(&mut self, end: End, mut priced: Priced, asked: Asked) -> Result<String, Error> {
        self.input.messages = self.beyond(0, end);
        if priced.policy.accepts {
            let finished = accepted(&self.input, priced.format, &priced.meter, priced.beside, &priced.policy);
            self.input.messages.clear();
            return self.weighed(Box::new(finished), priced.policy);
        }
        let Priced { meter, beside, policy, .. } = &mut priced;
        let ready = Ready::new(&mut self.input, meter, *beside, policy);
        self.input.messages.clear();
        let ready = ready?;
        let fixed = self.fixed(&ready.history);
        let ready = ready.kept(&self.input.store, fixed);
        if self.input.has("placeholder") {
            let wanted: Vec<Elided> = ready.placeholders_wanted(&self.input, &priced.policy);
            if !wanted.is_empty() {
                let question = answer::ask_placeholder(&wanted);
                let names = wanted.into_iter().map(|elided| elided.reference).collect();
                self.stage = Stage::Placing(names, Box::new(ready), priced, asked, end);
                return Ok(question);
            }
        }
        self.walked(ready, priced, asked, end, BTreeMap::new())
    }
    pub(super) fn placed(
        &mut self,
        (names, ready, priced, asked, end): (Vec<String>, Ready, Priced, Asked, End),
        said: &Said,
    ) -> Result<String, Error> {
        let words = said.list(|words| words.str().map(str::to_string));
        let given = names.into_iter().zip(words).filter_map(|(name, words)| Some((name, words?))).collect();
        self.walked(ready, priced, asked, end, given)
    }
    fn walked(
        &mut self,
        ready: Ready,
        priced: Priced,
        asked: Asked,
        end: End,
        words: BTreeMap<String, String>,
    ) -> Result<String, Error> {
        let easel = priced.easel(&self.fonts)?;
        let summaries = Priced::summaries(&self.input)?;
        let walked = ready.walk(&self.input, priced.beside, words, easel, summaries);
        let count = self.tree.path_to(end.node).len();
        self.step(Held { asked, count, end, walked: Box::new(walked) }, priced)
    }
    pub(super) fn step(&mut self, mut held: Held, mut priced: Priced) -> Result<String, Error> {
        if let Some(waits) = held.walked.step(&mut self.input, &mut priced.meter, &priced.policy)? {
            let question = answer::ask_walk(waits, &held.walked, &self.input, priced.format);
            self.stage = Stage::Walking(held, priced);
            return Ok(question);
        }
        let Priced { format, beside, meter, policy, .. } = priced;
        let finished = held.walked.finish(&self.input, format, &meter, beside, &policy);
        self.held = Some(held);
        self.weighed(Box::new(finished), policy)
    }
    fn weighed(
        &mut self,
        finished: Box<super::super::compact::Finished>,
        policy: crate::ladder::Policy,
    ) -> Result<String, Error> {
        if self.input.has("countRequest") {
            let question = answer::ask_request(&finished.outcome.edits);
            self.stage = Stage::Weighing(finished, policy);
            return Ok(question);
        }
        Ok(answer::done(finished.result(&policy)?))
    }
    /// Where the path ends now.
    fn end(&mut self) -> End {
        let node = self.tree.path().last().copied().unwrap_or_default();
        let message = self.tree.node(node).map_or(0, Node::message);
        End { node, message }
    }
    /// The number of a node's message, as it was on the path to an end.
    fn number(&self, node: u32, end: End) -> Option<u32> {
        if node == end.node { Some(end.message) } else { self.tree.node(node).map(Node::message) }
    }
    /// True when the path to an end goes on from where a walk ended, and no message of that walk is another now.
    fn leads_on(&mut self, held: &Held, end: End) -> bool {
        let Some(last) = held.count.checked_sub(1) else { return true };
        let node = self.tree.path_to(end.node).get(last).copied();
        node == Some(held.end.node) && self.number(held.end.node, end) == Some(held.end.message)
    }
    /// The messages of the path to an end, but for the first ones.
    fn beyond(&mut self, first: usize, end: End) -> Vec<Message> {
        let nodes = self.tree.path_to(end.node).get(first..).unwrap_or_default().to_vec();
        let message = |node: u32| self.messages.get(self.number(node, end)? as usize).cloned();
        nodes.into_iter().filter_map(message).collect()
    }
    /// The messages of the path to the tip, by their numbers.
    pub(super) fn path(&mut self) -> Vec<u32> {
        let path = self.tree.path().to_vec();
        path.into_iter().filter_map(|node| Some(self.tree.node(node)?.message())).collect()
    }
}
