//! A client: the tree and its model side by side. Every operation goes to both, and what they answer must agree.

use super::model::{Kept, Message, Model};
use super::ops::Op;
use super::server::Server;
use super::writing::Writing;
use palimpsest::tree::{Brief, Checkpoint, Head, New, Record, Tree, TreeError, Under};
use proptest::prelude::*;
use proptest::sample::Index;

pub type Holds = Result<(), TestCaseError>;

#[derive(Debug)]
pub struct Client {
    pub name: &'static str,
    pub tree: Tree,
    pub model: Model,
    pub revision: u32,
    pub made: u32,
    pub writing: Option<Writing>,
}

impl Client {
    pub fn new(name: &'static str) -> Client {
        let (tree, model) = (Tree::new(), Model::default());
        Client { name, tree, model, revision: 0, made: 0, writing: None }
    }
    fn number(&mut self) -> u32 {
        self.made += 1;
        self.made * 2 + u32::from(self.name == "b")
    }
    fn pick(&self, index: &Index) -> Option<usize> {
        (!self.model.nodes.is_empty()).then(|| index.index(self.model.nodes.len()))
    }
    pub fn id(&self, node: usize) -> String {
        self.model.nodes[node].id.clone()
    }

    pub fn run(&mut self, op: &Op, server: &mut Server) -> Holds {
        match op {
            Op::Append(at, brief) => {
                let parent = at.as_ref().and_then(|at| self.pick(at)).map(|at| Some(self.id(at)));
                self.append(parent, brief, None)
            }
            Op::AppendRoot(brief) => self.append(Some(None), brief, None),
            // What was not loaded is not known: an id from there is for the store to refuse.
            Op::AppendNamed(..) if self.tree.is_part() => Ok(()),
            Op::AppendNamed(id, brief) => self.append(None, brief, Some(format!("shared {id}"))),
            Op::Edit(at, brief) => {
                let Some(at) = self.pick(at) else { return Ok(()) };
                let (number, id) = (self.number(), self.id(at));
                let made = New { id: format!("{}{number}", self.name), at: 0, message: number, brief: brief.clone() };
                self.tree.edit(&id, made.clone())?;
                self.grew(self.model.nodes[at].parent.clone(), made)
            }
            Op::Branch(at) => {
                let at = at.as_ref().and_then(|at| self.pick(at)).map(|at| self.id(at));
                self.tree.branch(at.as_deref())?;
                self.model.tip = at;
                Ok(())
            }
            Op::Select(at) => {
                let Some(at) = self.pick(at) else { return Ok(()) };
                let at = self.id(at);
                self.tree.select(&at)?;
                self.model.tip = self.model.newest_below(&at).map(|leaf| self.id(leaf));
                Ok(())
            }
            Op::Update(at, brief) => self.update(at, brief),
            Op::Checkpoint(label) => self.checkpoint(&format!("label {label}")),
            Op::Rewind(label) => self.rewind(&format!("label {label}")),
            Op::Record { from, to, on_path, whole, again } => self.record([from, to], *on_path, *whole, *again),
            Op::Uncompact(index) => self.uncompact(index),
            Op::Duplicate(at) => self.duplicate(at.as_ref()),
            Op::TakeBack => self.take_back(),
            Op::Begin => self.begin().map(drop),
            Op::End(fate) => self.end(*fate, server).map(drop),
            Op::Commit => self.commit(server),
            Op::Reopen | Op::Import => self.reopen(server),
            Op::ReopenPart(messages, tokens) => self.reopen_part(*messages, *tokens, server),
            Op::Hear if self.writing.is_some() => Ok(()),
            Op::Hear => self.unite(server),
        }
    }

    fn append(&mut self, parent: Option<Option<String>>, brief: &Brief, id: Option<String>) -> Holds {
        let number = self.number();
        let id = id.unwrap_or_else(|| format!("{}{number}", self.name));
        let made = New { id, at: 0, message: number, brief: brief.clone() };
        let under = match &parent {
            None => Under::Tip,
            Some(None) => Under::Nothing,
            Some(Some(id)) => Under::Node(id),
        };
        let done = self.tree.append(under, made.clone());
        if self.model.find(&made.id).is_some() || self.model.rest.contains(&made.id) {
            prop_assert_eq!(done.unwrap_err().code(), "option");
            return Ok(());
        }
        done?;
        self.grew(parent.unwrap_or_else(|| self.model.tip.clone()), made)
    }
    fn grew(&mut self, parent: Option<String>, made: New) -> Holds {
        let New { id, message, brief, .. } = made;
        self.model.tip = Some(id.clone());
        self.model.nodes.push(Message { id, parent, message, brief, kept: Kept::No, settled: false });
        Ok(())
    }
    fn update(&mut self, at: &Index, brief: &Brief) -> Holds {
        let Some(at) = self.pick(at) else { return Ok(()) };
        let (number, id) = (self.number(), self.id(at));
        let done = self.tree.update(&id, number, brief.clone());
        if self.model.nodes[at].kept != Kept::No || !self.model.children(Some(&id)).is_empty() {
            prop_assert_eq!(done.unwrap_err().code(), "option");
            return Ok(());
        }
        done?;
        let node = &mut self.model.nodes[at];
        (node.message, node.brief, node.settled) = (number, brief.clone(), false);
        Ok(())
    }
    fn checkpoint(&mut self, label: &str) -> Holds {
        let done = self.tree.checkpoint(label);
        let Some(at) = self.model.tip.clone().filter(|tip| self.model.find(tip).is_some()) else {
            prop_assert_eq!(done.unwrap_err().code(), "option");
            return Ok(());
        };
        done?;
        self.model.labels.retain(|set| set.label != label);
        self.model.unloaded.checkpoints.retain(|set| set.label != label);
        self.model.labels.push(Checkpoint { label: label.to_owned(), at });
        self.model.touched.insert(label.to_owned());
        Ok(())
    }
    fn rewind(&mut self, label: &str) -> Holds {
        let done = self.tree.rewind(label);
        match self.model.labels.iter().find(|set| set.label == label) {
            Some(set) => {
                done?;
                self.model.tip = Some(set.at.clone());
            }
            None => {
                let stored = self.model.unloaded.checkpoints.iter().any(|set| set.label == label);
                prop_assert_eq!(done, Err(TreeError::UnknownCheckpoint { label: label.to_owned(), stored }));
            }
        }
        Ok(())
    }
    fn record(&mut self, ends: [&Index; 2], on_path: bool, whole: bool, again: bool) -> Holds {
        let path = self.model.path();
        let all: Vec<usize> = if on_path { path } else { (0..self.model.nodes.len()).collect() };
        if all.is_empty() {
            return Ok(());
        }
        let mut ends = ends.map(|end| end.index(all.len()));
        ends.sort_unstable();
        let [from, to] = ends.map(|end| all[end]);
        let number = self.number();
        // Both clients may lay one of the same id.
        let id = if again { "record shared".to_owned() } else { format!("record {number}") };
        let record = Record { id: id.clone(), from: self.id(from), to: self.id(to), whole };
        let done = self.tree.record(record.clone());
        if !self.model.path_to(Some(to)).contains(&from) {
            prop_assert_eq!(done.unwrap_err().code(), "option");
            return Ok(());
        }
        done?;
        self.model.records.retain(|record| record.id != id);
        self.model.unloaded.records.retain(|record| record.id != id);
        self.model.records.push(record);
        self.model.touched.insert(id);
        Ok(())
    }
    fn uncompact(&mut self, index: &Index) -> Holds {
        let records = self.model.head().records;
        if records.is_empty() {
            prop_assert_eq!(self.tree.uncompact("record").unwrap_err().code(), "option");
            return Ok(());
        }
        let id = index.get(&records).id.clone();
        self.tree.uncompact(&id)?;
        self.model.records.retain(|record| record.id != id);
        self.model.unloaded.records.retain(|record| record.id != id);
        self.model.taken_off.insert(id);
        Ok(())
    }
    fn duplicate(&mut self, at: Option<&Index>) -> Holds {
        let at = at.and_then(|at| self.pick(at)).map(|at| self.id(at));
        let end = at.as_deref().or(self.model.tip.as_deref()).and_then(|id| self.model.find(id));
        let path = self.model.path_to(end);
        let awaited: Vec<_> = self.model.open_calls(&path).into_iter().filter(|call| !call.past).collect();
        let mut made = 0;
        let done = self.tree.duplicate(at.as_deref(), &mut || {
            made += 1;
            format!("copy {made}")
        });
        if !awaited.is_empty() {
            prop_assert_eq!(done.unwrap_err().code(), "open-turn");
            return Ok(());
        }
        let (copy, from) = done?;
        let ids: Vec<String> = path.iter().map(|&node| self.id(node)).collect();
        let told = |number: &u32| self.tree.node(*number).unwrap().id().to_owned();
        prop_assert_eq!(from.iter().map(told).collect::<Vec<_>>(), ids.clone());
        let copied = |id: &String| Some(format!("copy {}", ids.iter().position(|other| other == id)? + 1));
        let mut head = Head { tip: ids.last().and_then(copied), ..Head::default() };
        for record in &self.model.records {
            if let (Some(from), Some(to)) = (copied(&record.from), copied(&record.to)) {
                head.records.push(Record { from, to, ..record.clone() });
            }
        }
        for set in &self.model.labels {
            head.checkpoints.extend(copied(&set.at).map(|at| Checkpoint { at, ..set.clone() }));
        }
        prop_assert_eq!(copy.head(), head);
        Ok(())
    }
    fn take_back(&mut self) -> Holds {
        let path = self.model.path();
        let end = path.iter().rposition(|&node| self.model.is_boundary(node)).map_or(0, |last| last + 1);
        let back = self.tree.take_back();
        if end == path.len() {
            prop_assert_eq!(back, Default::default());
            return Ok(());
        }
        self.model.tip = self.model.nodes[path[end]].parent.clone();
        let goes = |&&node: &&usize| self.model.nodes[node].kept == Kept::No && !self.model.is_whole(node);
        let first = path[end..].iter().find(goes).copied();
        let gone: Vec<usize> = (0..self.model.nodes.len())
            .filter(|&node| first.is_some_and(|first| self.model.path_to(Some(node)).contains(&first)))
            .collect();
        let ids: Vec<String> = gone.iter().map(|&node| self.id(node)).collect();
        let (mut told, mut expected) = (back.ids.clone(), ids.clone());
        told.sort();
        expected.sort();
        prop_assert_eq!(told, expected);
        for node in gone.into_iter().rev() {
            self.model.nodes.remove(node);
        }
        let is_gone = |id: &String| ids.contains(id);
        let labels = self.model.labels.iter().filter(|set| is_gone(&set.at)).map(|set| set.label.clone());
        let labels: Vec<String> = labels.collect();
        prop_assert_eq!(back.labels, labels);
        let torn = |record: &Record| is_gone(&record.from) || is_gone(&record.to);
        let records: Vec<String> =
            self.model.records.iter().filter(|record| torn(record)).map(|record| record.id.clone()).collect();
        prop_assert_eq!(back.records, records);
        self.model.labels.retain(|set| !is_gone(&set.at));
        self.model.records.retain(|record| !torn(record));
        Ok(())
    }
}
