//! What can be asked of a conversation beside requests. Messages go by their numbers, nodes by their ids.

use super::super::answer::json;
use super::super::error::Error;
use super::Conversation;
use super::told::Told;
use crate::message::edit::Place;
use crate::message::{Kind, Message, Part, Reading, Store, Value};
use crate::tree::{Changes, Checkpoint, Entry, Head, Load, New, Node, Resume, Retry, TreeError, Under, preview_of};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl Conversation {
    /// Answers a question by its name.
    ///
    /// # Errors
    /// What the tree refuses; [`Error::Internal`] for a question nobody knows.
    pub fn call(&mut self, op: &str, asked: Value<'_>) -> Result<String, Error> {
        let mut told = Told::new();
        self.tell(op, Reading(Some(asked)), &mut told)?;
        Ok(told.finish())
    }
    fn tell(&mut self, op: &str, asked: Reading<'_>, told: &mut Told) -> Result<(), Error> {
        let id = |key: &str| asked.text(key).map(Option::unwrap_or_default);
        match op {
            "append" => {
                let new = self.new_node(asked)?;
                let under = match asked.text("parent")? {
                    Some(parent) => Under::Node(parent),
                    None if asked.flag("root")? => Under::Nothing,
                    None => Under::Tip,
                };
                self.tree.append(under, new)?;
            }
            "edit" => {
                let new = self.new_node(asked)?;
                self.tree.edit(id("of")?, new)?;
            }
            "update" => {
                let number = message(asked)?;
                let brief = self.brief(number).ok_or_else(unknown)?;
                self.tree.update(id("id")?, number, brief)?;
                self.held = None;
            }
            "branch" => self.tree.branch(asked.text("at")?)?,
            "select" => {
                self.tree.select(id("at")?)?;
            }
            "tip" => told.maybe(self.tree.tip()),
            "path" => told.numbers(&self.path()),
            "children" => self.ids(&self.tree.children(asked.text("at")?)?, told),
            "siblings" => {
                let (nodes, index) = self.tree.siblings(id("at")?)?;
                told.open('{');
                self.ids(&nodes, told.key("ids"));
                told.key("index").number(index as u64);
                told.close('}');
            }
            "openCalls" => self.open_calls(told),
            "checkpoint" => self.tree.checkpoint(id("label")?)?,
            "checkpoints" => points(&self.tree.checkpoints(), told),
            "rewind" => {
                self.tree.rewind(id("label")?)?;
                told.maybe(self.tree.tip());
            }
            "lay" => {
                let records = asked.get("records").ok_or_else(unknown)?;
                let (laid, off) = self.lay(records)?;
                told.open('{');
                told.key("laid").texts(&mut laid.iter().map(String::as_str));
                told.key("off").texts(&mut off.iter().map(String::as_str));
                told.close('}');
            }
            "uncompact" => self.tree.uncompact(id("record")?)?,
            "laid" => told.texts(&mut self.tree.laid().into_iter()),
            "beginCommit" => {
                let Changes { nodes, head: now } = self.tree.begin_commit()?;
                told.open('{');
                told.key("nodes").numbers(&self.numbers(&nodes));
                tell_head(&now, told.key("head"));
                told.close('}');
            }
            "endCommit" => self.tree.end_commit(asked.flag("written")?),
            "changed" => told.flag(self.tree.is_changed()),
            "takeBack" => {
                let taken = self.tree.take_back();
                self.held = None;
                told.open('{');
                told.key("messages").numbers(&taken.messages);
                told.key("labels").texts(&mut taken.labels.iter().map(String::as_str));
                told.key("records").texts(&mut taken.records.iter().map(String::as_str));
                told.close('}');
            }
            "retry" => self.retry(told),
            "timeline" => self.timeline(told),
            "outline" => {
                let (messages, store) = (&self.messages, &self.input.store);
                told.text(&self.tree.outline_text(&|node| words(node, messages, store)));
            }
            "tree" => self.rows(told),
            "restore" => self.restore(asked, told)?,
            "unite" => self.unite(asked, told)?,
            "duplicate" => self.duplicate(asked, told)?,
            "resume" => self.resume(asked, told)?,
            _ => return Err(Error::Internal(alloc::format!("there is no question `{op}`"))),
        }
        Ok(())
    }
    fn new_node(&self, asked: Reading<'_>) -> Result<New, Error> {
        let message = message(asked)?;
        let brief = self.brief(message).ok_or_else(unknown)?;
        let id = asked.text("id")?.unwrap_or_default().to_string();
        Ok(New { id, at: asked.number("at")?.unwrap_or_default() as u64, message, brief })
    }
    fn ids(&self, nodes: &[u32], told: &mut Told) {
        told.texts(&mut nodes.iter().filter_map(|&node| Some(self.tree.node(node)?.id())));
    }
    fn numbers(&self, nodes: &[u32]) -> Vec<u32> {
        nodes.iter().filter_map(|&node| Some(self.tree.node(node)?.message())).collect()
    }
    fn open_calls(&mut self, told: &mut Told) {
        told.open('[');
        for call in self.tree.open_calls() {
            let Some(node) = self.tree.node(call.node) else { continue };
            let Some(message) = self.messages.get(node.message() as usize) else { continue };
            let store = &self.input.store;
            let mine = |part: &&Part| {
                part.kind == Kind::Call
                    && store.str(part.id_from, part.id) == &*call.id
                    && store.str(part.from, part.name) == &*call.name
            };
            let Some(part) = message.parts.iter().find(mine) else { continue };
            told.open('{');
            told.key("id").text(&call.id);
            told.key("name").text(&call.name);
            told.key("at").text(node.id());
            let path = self.input.path_of(part);
            told.key("input").raw(&json(&Place(i64::from(node.message()), &path)));
            told.close('}');
        }
        told.close(']');
    }
    fn retry(&mut self, told: &mut Told) {
        let retry = self.tree.retry();
        told.open('{');
        told.key("status").text(match retry {
            Retry::Ready { .. } => "ready",
            Retry::NothingToRetry => "nothing-to-retry",
            Retry::NothingLoaded => "nothing-loaded",
        });
        if let Retry::Ready { at, person } = retry {
            let id = |node: u32| self.tree.node(node).map(Node::id);
            told.key("at").maybe(id(at));
            told.key("person").maybe(person.and_then(id));
        }
        told.close('}');
    }
    fn timeline(&mut self, told: &mut Told) {
        told.open('[');
        for entry in self.tree.timeline() {
            match entry {
                Entry::Message { node, in_context } => {
                    let Some(node) = self.tree.node(node) else { continue };
                    told.open('[');
                    told.number(node.message().into());
                    told.flag(in_context);
                    told.close(']');
                }
                Entry::Compaction { record } => told.text(&record),
            }
        }
        told.close(']');
    }
    fn rows(&self, told: &mut Told) {
        let mut labels = self.tree.checkpoints();
        // By node, and there in the order they were set.
        labels.sort_by(|one, other| one.at.cmp(&other.at));
        told.open('[');
        for number in self.tree.numbers() {
            let Some(node) = self.tree.node(number) else { continue };
            told.open('{');
            told.key("id").text(node.id());
            told.key("parent").maybe(self.tree.parent(number));
            told.key("role").text(node.role().name());
            told.key("preview").text(&words(node, &self.messages, &self.input.store));
            told.key("children").number(node.children().into());
            told.key("onPath").flag(self.tree.is_on_path(number));
            let first = labels.partition_point(|point| point.at.as_str() < node.id());
            let mine = labels[first..].iter().take_while(|point| point.at == node.id());
            told.key("checkpoints").texts(&mut mine.map(|point| point.label.as_str()));
            told.key("at").number(node.at());
            told.close('}');
        }
        told.close(']');
    }
    /// How many of the newest messages of a path that is read backwards are loaded.
    fn resume(&mut self, asked: Reading<'_>, told: &mut Told) -> Result<(), Error> {
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
        self.priced = super::Prices::default();
        told.open('{');
        told.key("wants").flag(resume.wants());
        told.key("keep").number(resume.keep() as u64);
        told.close('}');
        Ok(())
    }
}

/// A reader that nobody named: what prices a path for a limit of tokens.
fn unread() -> Result<crate::model::ModelFacts, Error> {
    let partial = crate::model::PartialFacts { window: Some(128_000), ..Default::default() };
    crate::model::complete(partial).ok_or_else(unknown)
}

/// The head as it crosses.
pub(super) fn tell_head(head: &Head, told: &mut Told) {
    told.open('{');
    told.key("tip").maybe(head.tip.as_deref());
    told.key("records").texts(&mut head.records.iter().map(|record| record.id.as_str()));
    points(&head.checkpoints, told.key("checkpoints"));
    told.close('}');
}

fn points(points: &[Checkpoint], told: &mut Told) {
    told.open('[');
    for point in points {
        told.open('{');
        told.key("label").text(&point.label);
        told.key("at").text(&point.at);
        told.close('}');
    }
    told.close(']');
}

/// The first words of a node's message.
fn words(node: &Node, messages: &[Message], store: &Store) -> String {
    messages.get(node.message() as usize).map_or_else(String::new, |message| preview_of(message, store))
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
