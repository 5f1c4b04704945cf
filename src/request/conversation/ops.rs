//! What can be asked of a conversation beside requests. Messages go by their numbers, nodes by their ids.

use super::super::answer::done;
use super::super::error::Error;
use super::Conversation;
use crate::ladder::Reading;
use crate::message::edit::Place;
use crate::message::{Kind, Role, Value};
use crate::tree::{Changes, Entry, Load, New, Resume, Retry, TreeError, Under};
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::Serialize;
use serde_json::{Value as Json, json};

impl Conversation {
    /// Answers a question by its name.
    ///
    /// # Errors
    /// What the tree refuses; [`Error::Internal`] for a question nobody knows.
    pub fn call(&mut self, op: &str, asked: Value<'_>) -> Result<String, Error> {
        let asked = Reading(Some(asked));
        let id = |key: &str| asked.text(key).map(|id| id.unwrap_or_default().to_string());
        let told = match op {
            "append" => {
                let new = self.new_node(asked)?;
                let parent = asked.text("parent")?.map(ToString::to_string);
                let under = match &parent {
                    Some(parent) => Under::Node(parent),
                    None if asked.flag("root")? => Under::Nothing,
                    None => Under::Tip,
                };
                self.tree.append(under, new)?;
                Json::Null
            }
            "edit" => {
                let new = self.new_node(asked)?;
                self.tree.edit(&id("of")?, new)?;
                Json::Null
            }
            "update" => {
                let number = message(asked)?;
                let brief = self.brief(number).ok_or_else(unknown)?;
                self.tree.update(&id("id")?, number, brief)?;
                self.held = None;
                Json::Null
            }
            "branch" => {
                self.tree.branch(asked.text("at")?)?;
                Json::Null
            }
            "select" => {
                self.tree.select(&id("at")?)?;
                Json::Null
            }
            "tip" => json!(self.tree.tip()),
            "path" => json!(self.path()),
            "children" => json!(self.ids(&self.tree.children(asked.text("at")?)?)),
            "siblings" => {
                let (nodes, index) = self.tree.siblings(&id("at")?)?;
                json!({ "ids": self.ids(&nodes), "index": index })
            }
            "openCalls" => json!(self.open_calls()),
            "checkpoint" => {
                self.tree.checkpoint(&id("label")?)?;
                Json::Null
            }
            "checkpoints" => self.checkpoints(),
            "rewind" => {
                self.tree.rewind(&id("label")?)?;
                json!(self.tree.tip())
            }
            "lay" => {
                let records = asked.get("records").ok_or_else(unknown)?;
                let (laid, off) = self.lay(records)?;
                json!({ "laid": laid, "off": off })
            }
            "uncompact" => {
                self.tree.uncompact(&id("record")?)?;
                Json::Null
            }
            "laid" => json!(self.tree.laid()),
            "beginCommit" => {
                let Changes { nodes, head } = self.tree.begin_commit()?;
                json!({ "nodes": self.numbers(&nodes), "head": Told::of(&head) })
            }
            "endCommit" => {
                self.tree.end_commit(asked.flag("written")?);
                Json::Null
            }
            "changed" => json!(self.tree.is_changed()),
            "takeBack" => {
                let taken = self.tree.take_back();
                self.held = None;
                json!({ "messages": taken.messages, "labels": taken.labels, "records": taken.records })
            }
            "retry" => self.retry(),
            "timeline" => self.timeline(),
            "outline" => json!(self.tree.outline_text()),
            "tree" => self.rows(),
            "restore" => self.restore(asked)?,
            "unite" => self.unite(asked)?,
            "duplicate" => self.duplicate(asked)?,
            "sync" => self.sync(asked)?,
            "resume" => self.resume(asked)?,
            _ => return Err(Error::Internal(alloc::format!("there is no question `{op}`"))),
        };
        Ok(done(told))
    }
    fn new_node(&self, asked: Reading<'_>) -> Result<New, Error> {
        let message = message(asked)?;
        let brief = self.brief(message).ok_or_else(unknown)?;
        let id = asked.text("id")?.unwrap_or_default().to_string();
        Ok(New { id, at: asked.number("at")?.unwrap_or_default() as u64, message, brief })
    }
    fn ids(&self, nodes: &[u32]) -> Vec<&str> {
        nodes.iter().filter_map(|&node| Some(self.tree.node(node)?.id())).collect()
    }
    fn numbers(&self, nodes: &[u32]) -> Vec<u32> {
        nodes.iter().filter_map(|&node| Some(self.tree.node(node)?.message())).collect()
    }
    fn open_calls(&mut self) -> Vec<Json> {
        let open = self.tree.open_calls();
        let told = |call: &crate::tree::OpenCall| {
            let node = self.tree.node(call.node)?;
            let message = self.messages.get(node.message() as usize)?;
            let store = &self.input.store;
            let mine = |part: &&crate::message::Part| {
                part.kind == Kind::Call
                    && store.str(part.id_from, part.id) == &*call.id
                    && store.str(part.from, part.name) == &*call.name
            };
            let part = message.parts.iter().find(mine)?;
            let path = self.input.path_of(part);
            let place = Place(i64::from(node.message()), &path);
            Some(json!({ "id": &*call.id, "name": &*call.name, "at": node.id(), "input": place }))
        };
        open.iter().filter_map(told).collect()
    }
    fn checkpoints(&self) -> Json {
        self.tree.checkpoints().into_iter().map(|point| json!({ "label": point.label, "at": point.at })).collect()
    }
    fn retry(&mut self) -> Json {
        let retry = self.tree.retry();
        let id = |node: u32| self.tree.node(node).map(|node| node.id().to_string());
        match retry {
            Retry::Ready { at, person } => json!({ "status": "ready", "at": id(at), "person": person.and_then(id) }),
            Retry::NothingToRetry => json!({ "status": "nothing-to-retry" }),
            Retry::NothingLoaded => json!({ "status": "nothing-loaded" }),
        }
    }
    fn timeline(&mut self) -> Json {
        let entries = self.tree.timeline();
        let told = |entry: Entry| match entry {
            Entry::Message { node, in_context } => {
                let number = self.tree.node(node).map(crate::tree::Node::message);
                json!([number, in_context])
            }
            Entry::Compaction { record } => json!(record),
        };
        entries.into_iter().map(told).collect()
    }
    fn rows(&self) -> Json {
        let mut labels: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for point in self.tree.checkpoints() {
            labels.entry(point.at).or_default().push(point.label);
        }
        let told = |number: u32| {
            let node = self.tree.node(number)?;
            Some(json!({
                "id": node.id(),
                "parent": self.tree.parent(number),
                "role": role(node.role()),
                "preview": node.preview(),
                "children": node.children(),
                "onPath": self.tree.is_on_path(number),
                "checkpoints": labels.get(node.id()).cloned().unwrap_or_default(),
                "at": node.at(),
            }))
        };
        self.tree.numbers().filter_map(told).collect()
    }
    fn sync(&mut self, asked: Reading<'_>) -> Result<Json, Error> {
        let numbers = numbers(asked, "messages")?;
        let (messages, store) = (&self.messages, &self.input.store);
        let tape = |number: u32| Some(store.input(messages.get(number as usize)?.origin));
        let known = self.tree.sync(numbers.len(), &mut |place, number| {
            numbers.get(place).is_some_and(|&new| new == number || tape(new) == tape(number))
        })?;
        Ok(json!(known))
    }
    /// How many of the newest messages of a path that is read backwards are loaded.
    fn resume(&mut self, asked: Reading<'_>) -> Result<Json, Error> {
        let load = Load { messages: asked.whole("most", 0)?, tokens: asked.number("tokens")?.map(|most| most as u64) };
        let mut resume = Resume::new(load);
        let mut meter =
            crate::meter::Meter::new(super::super::model::facts_of(asked.get("model"), None).or_else(|_| unread())?);
        for number in numbers(asked, "messages")? {
            if !resume.wants() {
                break;
            }
            let Some(brief) = self.brief(number) else { continue };
            let Some(message) = self.messages.get_mut(number as usize) else { continue };
            meter.message(message, &self.input.store);
            resume.read(&brief, message.tokens());
        }
        self.priced = (None, 0);
        Ok(json!({ "wants": resume.wants(), "keep": resume.keep() }))
    }
}

/// A reader that nobody named: what prices a path for a limit of tokens.
fn unread() -> Result<crate::model::ModelFacts, Error> {
    let partial = crate::model::PartialFacts { window: Some(128_000), ..Default::default() };
    crate::model::complete(partial).ok_or_else(unknown)
}

/// The head as it crosses.
#[derive(Serialize)]
pub(super) struct Told<'a> {
    tip: Option<&'a str>,
    records: Vec<&'a str>,
    checkpoints: Vec<Json>,
}

impl<'a> Told<'a> {
    pub(super) fn of(head: &'a crate::tree::Head) -> Told<'a> {
        let point = |point: &crate::tree::Checkpoint| json!({ "label": point.label, "at": point.at });
        Told {
            tip: head.tip.as_deref(),
            records: head.records.iter().map(|record| record.id.as_str()).collect(),
            checkpoints: head.checkpoints.iter().map(point).collect(),
        }
    }
}

fn role(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
        Role::Other => "other",
    }
}

fn message(asked: Reading<'_>) -> Result<u32, Error> {
    asked.whole("message", 0)?.ok_or_else(unknown)
}

/// A list of numbers.
pub(super) fn numbers(asked: Reading<'_>, key: &str) -> Result<Vec<u32>, Error> {
    let list = asked.get(key).ok_or_else(unknown)?;
    Ok(list.items().filter_map(Value::f64).map(|number| number as u32).collect())
}

pub(super) fn unknown() -> Error {
    TreeError::Option("This is no message of the conversation.".into()).into()
}
