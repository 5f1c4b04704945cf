//! Between the tree and what is stored of it: rows and heads as they cross.

use super::super::error::Error;
use super::Conversation;
use super::ops::{tell_head, unknown};
use super::told::Told;
use crate::ladder::rung_named;
use crate::message::{Reading, Value};
use crate::tree::{Checkpoint, Fault, Head, New, Origin, Record, Row, Tree};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl Conversation {
    /// Builds the tree from what a store or a file holds. `rows`: id, parent, time and message of each; `origin`: "store", "part" or "import".
    pub(super) fn restore(&mut self, asked: Reading<'_>, told: &mut Told) -> Result<(), Error> {
        let rows = self.read_rows(asked)?;
        let head = self.read_head(asked)?;
        let mut kept: Vec<&str> = asked.texts("elsewhere")?.unwrap_or_default();
        kept.sort_unstable();
        let elsewhere = |id: &str| kept.binary_search(&id).is_ok();
        let origin = match asked.text("origin")? {
            Some("part") => Origin::Part(&elsewhere),
            Some("import") => Origin::Import,
            _ => Origin::Store,
        };
        let restored = Tree::restore(rows, head, origin);
        let damaged = restored.error().map(|error| error.to_string());
        self.tree = restored.tree;
        self.held = None;
        let reattached = restored.faults.iter().filter(|fault| fault.is_reattached()).count();
        told.open('{');
        faults(&restored.faults, told.key("faults"));
        told.key("reattached").number(reattached as u64);
        told.key("damaged").maybe(damaged.as_deref());
        // Where nothing was wrong, every message bears the id and follows what the row says.
        if restored.faults.is_empty() {
            let nodes = self.tree.numbers().filter_map(|node| Some(self.tree.node(node)?.message()));
            told.key("nodes").numbers(&nodes.collect::<Vec<u32>>());
        } else {
            named(&self.tree, &mut self.tree.numbers(), told.key("nodes"));
        }
        tell_head(&self.tree.head(), told.key("head"));
        told.close('}');
        Ok(())
    }
    /// Takes in what a store holds now. `ids` are fresh ones, for messages of our own that have to give theirs up.
    pub(super) fn unite(&mut self, asked: Reading<'_>, told: &mut Told) -> Result<(), Error> {
        let rows = self.read_rows(asked)?;
        let head = self.read_head(asked)?;
        let mut theirs: Vec<String> = head.records.iter().map(|record| record.id.clone()).collect();
        theirs.sort_unstable();
        let mut fresh = asked.texts("ids")?.unwrap_or_default().into_iter();
        let (messages, store) = (&self.messages, &self.input.store);
        let tape = |number: u32| Some(store.input(messages.get(number as usize)?.origin));
        let mut clash = |mine: u32, theirs: u32| {
            if tape(mine) == tape(theirs) { None } else { fresh.next().map(ToString::to_string) }
        };
        let united = self.tree.unite(rows, head, &mut clash);
        // What we laid over messages of ours follows them to their new ids.
        for (node, former) in &united.renamed {
            let Some(id) = self.tree.node(*node).map(|node| node.id().to_string()) else { continue };
            let is_theirs = |id: &str| theirs.binary_search_by(|their| their.as_str().cmp(id)).is_ok();
            let mine = self.records.iter_mut().filter(|(record, _)| !is_theirs(record));
            let ends = mine.flat_map(|(_, laid)| [&mut laid.from, &mut laid.to, &mut laid.drawn_from]);
            for end in ends.filter(|end| *end == former) {
                end.clone_from(&id);
            }
        }
        told.open('{');
        named(&self.tree, &mut united.added.iter().copied(), told.key("added"));
        told.key("renamed").open('[');
        for (node, former) in &united.renamed {
            let Some(node) = self.tree.node(*node) else { continue };
            told.open('[');
            told.number(node.message().into());
            told.text(node.id());
            told.text(former);
            told.close(']');
        }
        told.close(']');
        faults(&united.faults, told.key("faults"));
        tell_head(&self.tree.head(), told.key("head"));
        told.close('}');
        Ok(())
    }
    /// The path to `at` with the ids given, as rows and a head of a conversation of its own.
    pub(super) fn duplicate(&mut self, asked: Reading<'_>, told: &mut Told) -> Result<(), Error> {
        let mut ids = asked.texts("ids")?.unwrap_or_default().into_iter();
        let mut next = || ids.next().unwrap_or_default().to_string();
        let (copy, nodes) = self.tree.duplicate(asked.text("at")?, &mut next)?;
        told.open('{');
        told.key("former").texts(&mut nodes.iter().filter_map(|&node| Some(self.tree.node(node)?.id())));
        named(&copy, &mut copy.numbers(), told.key("rows"));
        tell_head(&copy.head(), told.key("head"));
        told.close('}');
        Ok(())
    }
    fn read_rows(&self, asked: Reading<'_>) -> Result<Vec<Row>, Error> {
        let rows = asked.get("rows").ok_or_else(unknown)?;
        let read = |row: Value<'_>| {
            let mut fields = row.items();
            let mut text = || fields.next().map(|field| field.str().map(ToString::to_string));
            let (id, parent) = (text()??, text()?);
            let (at, message) = (fields.next()?.f64()? as u64, fields.next()?.f64()? as u32);
            let brief = self.brief(message)?;
            Some(Row { parent, new: New { id, at, message, brief } })
        };
        rows.items().map(|row| read(row).ok_or_else(unknown)).collect()
    }
    fn read_head(&mut self, asked: Reading<'_>) -> Result<Head, Error> {
        let head = asked.within("head")?;
        let mut read = Head { tip: head.text("tip")?.map(ToString::to_string), ..Head::default() };
        if let Some(records) = head.get("records") {
            self.remember(records)?;
            for record in records.items() {
                let record = Reading(Some(record));
                let text = |key: &str| record.text(key).map(|text| text.unwrap_or_default().to_string());
                // A rung of a later version stands for its range.
                let whole = rung_named(&text("rung")?).is_none_or(|rung| rung.is_whole());
                read.records.push(Record { id: text("id")?, from: text("from")?, to: text("to")?, whole });
            }
        }
        for point in head.get("checkpoints").into_iter().flat_map(Value::items) {
            let point = Reading(Some(point));
            let text = |key: &str| point.text(key).map(|text| text.unwrap_or_default().to_string());
            read.checkpoints.push(Checkpoint { label: text("label")?, at: text("at")? });
        }
        Ok(read)
    }
}

/// Number, id and parent of nodes: a store that was mended names some of them anew.
fn named(tree: &Tree, nodes: &mut dyn Iterator<Item = u32>, told: &mut Told) {
    told.open('[');
    for number in nodes {
        let Some(node) = tree.node(number) else { continue };
        told.open('[');
        told.number(node.message().into());
        told.text(node.id());
        told.maybe(tree.parent(number));
        told.close(']');
    }
    told.close(']');
}

fn faults(faults: &[Fault], told: &mut Told) {
    told.open('[');
    faults.iter().for_each(|fault| told.text(&fault.to_string()));
    told.close(']');
}
