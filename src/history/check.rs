//! Every rule of a format that a history breaks.

use super::pair::id;
use crate::format::Rules;
use crate::message::{Kind, Message, Part, Role, Store};
use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use serde::Serialize;

/// A rule that a history breaks.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Violation {
    /// The rule's id; ids stay.
    pub rule: &'static str,
    /// The message that breaks it.
    pub index: usize,
    /// What is wrong.
    pub message: String,
    /// How the provider refuses it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider_message: Option<&'static str>,
}

/// All violations, in the order of the messages.
pub fn check(messages: &[Message], store: &Store, rules: &Rules) -> Vec<Violation> {
    let mut checker = Checker { messages, store, rules, found: Vec::new() };
    if messages.is_empty() {
        checker.add("no-messages", 0, "there is no message".to_owned());
    }
    for index in 0..messages.len() {
        checker.contents(index);
    }
    if rules.turns {
        checker.turns();
    } else {
        checker.batches();
    }
    checker.hosted();
    checker.first();
    if rules.alternate {
        checker.alternation();
    }
    if rules.system_as_user {
        checker.unsent();
    } else if !rules.system_anywhere {
        checker.system();
    }
    checker.found.sort_by_key(|violation| violation.index);
    checker.found
}

struct Checker<'a> {
    messages: &'a [Message],
    store: &'a Store,
    rules: &'a Rules,
    found: Vec<Violation>,
}

impl<'a> Checker<'a> {
    fn add(&mut self, rule: &'static str, index: usize, message: String) {
        let words = self.rules.words.iter().find(|(id, _)| *id == rule);
        self.found.push(Violation { rule, index, message, provider_message: words.map(|(_, words)| *words) });
    }

    fn contents(&mut self, index: usize) {
        let message = &self.messages[index];
        let last = index + 1 == self.messages.len();
        if super::empty::is_empty(message, last, self.rules) {
            self.add("empty-content", index, "the message has no content".to_owned());
            return;
        }
        for part in &message.parts {
            if super::empty::is_blank(part, self.store, self.rules) {
                self.add("empty-content", index, "a text block is blank".to_owned());
            }
            let misplaced = part.kind == Kind::Image && message.role != Role::User;
            if self.rules.images_from_user && misplaced {
                self.add("image-role", index, "a picture stands outside a user message".to_owned());
            }
        }
    }

    /// Each result is a message of its own, right after the message that called.
    fn batches(&mut self) {
        let mut calls: BTreeMap<&[u8], bool> = BTreeMap::new();
        let mut caller = 0;
        for (index, message) in self.messages.iter().enumerate() {
            if message.role == Role::Tool {
                for part in message.parts.iter().filter(|part| part.is_result()) {
                    self.answer(part, index, &mut calls);
                }
                continue;
            }
            self.unanswered(&calls, caller);
            calls = BTreeMap::new();
            self.called(message, index, &mut calls);
            caller = index;
        }
        self.unanswered(&calls, caller);
    }

    /// Consecutive messages of one role are one turn; results stand first in the user's turn that follows the calls.
    fn turns(&mut self) {
        let mut calls: BTreeMap<&[u8], bool> = BTreeMap::new();
        let mut caller = 0;
        let mut speaker = Role::Other;
        let mut words_stood = false;
        for (index, message) in self.messages.iter().enumerate() {
            let role = message.sent_role();
            if role != speaker {
                if role == Role::Assistant {
                    self.unanswered(&calls, caller);
                    calls = BTreeMap::new();
                }
                words_stood = false;
                speaker = role;
            }
            if role == Role::Assistant {
                self.called(message, index, &mut calls);
                caller = index;
            }
            for part in message.parts.iter().filter(|part| !part.inside) {
                if !part.is_result() {
                    words_stood |= role == Role::User;
                    continue;
                }
                if role != Role::User {
                    self.add("orphan-result", index, "a result stands outside a user's message".to_owned());
                    continue;
                }
                if words_stood {
                    self.add("result-order", index, "a result stands behind words of the same turn".to_owned());
                }
                self.answer(part, index, &mut calls);
            }
            let ends = self.messages.get(index + 1).map(Message::sent_role) != Some(Role::User);
            if role == Role::User && ends {
                self.unanswered(&calls, caller);
                calls = BTreeMap::new();
            }
        }
        self.unanswered(&calls, caller);
    }

    fn answer(&mut self, part: &Part, index: usize, calls: &mut BTreeMap<&[u8], bool>) {
        let id = id(part, self.store);
        let name = || String::from_utf8_lossy(id);
        match calls.get_mut(id) {
            _ if id.is_empty() => self.add("missing-id", index, "a result names no call".to_owned()),
            None => {
                self.add(
                    "orphan-result",
                    index,
                    format!("the result for `{}` answers no call right before it", name()),
                );
            }
            Some(answered) if *answered => {
                self.add("duplicate-result", index, format!("the call `{}` is answered twice", name()));
            }
            Some(answered) => *answered = true,
        }
    }

    fn called(&mut self, message: &Message, index: usize, calls: &mut BTreeMap<&'a [u8], bool>) {
        for part in message.parts.iter().filter(|part| part.is_call()) {
            let id = id(part, self.store);
            if id.is_empty() {
                self.add("missing-id", index, "a call has no id".to_owned());
            } else if calls.insert(id, false).is_some() {
                let name = String::from_utf8_lossy(id).into_owned();
                self.add("duplicate-call", index, format!("two calls of one turn are named `{name}`"));
            }
        }
    }

    fn unanswered(&mut self, calls: &BTreeMap<&[u8], bool>, caller: usize) {
        for (id, _) in calls.iter().filter(|(_, answered)| !**answered) {
            let name = String::from_utf8_lossy(id).into_owned();
            self.add("unanswered-call", caller, format!("the call `{name}` has no result right after it"));
        }
    }

    /// Results of the provider's own tools stand behind their calls, in the same message or a later one.
    fn hosted(&mut self) {
        let mut called: BTreeSet<&[u8]> = BTreeSet::new();
        for (index, message) in self.messages.iter().enumerate() {
            for part in message.parts.iter().filter(|part| part.hosted) {
                let id = id(part, self.store);
                if part.kind == Kind::Call {
                    called.insert(id);
                } else if !id.is_empty() && !called.contains(id) {
                    let name = String::from_utf8_lossy(id).into_owned();
                    self.add(
                        "orphan-result",
                        index,
                        format!("the provider's own result for `{name}` has no call before it"),
                    );
                }
            }
        }
    }

    fn first(&mut self) {
        if let Some(index) = super::first::unled(self.messages, self.rules) {
            self.add("first-role", index, "no user speaks before this message".to_owned());
        }
    }

    fn alternation(&mut self) {
        for index in 0..self.messages.len() {
            if let Some(rule) = super::alternate::misplaced(self.messages, index) {
                self.add(
                    rule,
                    index,
                    "this host wants one system message at the beginning, then user and assistant in turns".to_owned(),
                );
            }
        }
    }

    fn unsent(&mut self) {
        for index in 0..self.messages.len() {
            if super::as_user::is_unsent(&self.messages[index]) {
                self.add("system-role", index, "this model takes no system message inside the history".to_owned());
            }
        }
    }

    fn system(&mut self) {
        for index in 0..self.messages.len() {
            if !super::order::system_may_stand(self.messages, index) {
                self.add("system-position", index, "a system message stands where none may".to_owned());
            }
        }
    }
}
