//! Between the tree and what is stored of it: rows and heads as they cross.

use super::super::error::Error;
use super::Conversation;
use super::ops::{Told, unknown};
use crate::ladder::{Reading, Rungs};
use crate::message::Value;
use crate::tree::{Checkpoint, Fault, Head, New, Origin, Record, Row, Tree};
use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::{Value as Json, json};

impl Conversation {
    /// Builds the tree from what a store or a file holds. `rows`: id, parent, time and message of each; `origin`: "store", "part" or "import".
    pub(super) fn restore(&mut self, asked: Reading<'_>) -> Result<Json, Error> {
        let rows = self.read_rows(asked)?;
        let head = self.read_head(asked)?;
        let kept: BTreeSet<&str> = asked.texts("elsewhere")?.unwrap_or_default().into_iter().collect();
        let elsewhere = |id: &str| kept.contains(id);
        let origin = match asked.text("origin")? {
            Some("part") => Origin::Part(&elsewhere),
            Some("import") => Origin::Import,
            _ => Origin::Store,
        };
        let restored = Tree::restore(rows, head, origin);
        let damaged = restored.error().map(|error| error.to_string());
        self.tree = restored.tree;
        self.held = None;
        let names: Vec<Json> = self.named(self.tree.numbers());
        let reattached = restored.faults.iter().filter(|fault| fault.is_reattached()).count();
        let (faults, head) = (faults(&restored.faults), self.tree.head());
        let head = Told::of(&head);
        Ok(json!({ "faults": faults, "reattached": reattached, "damaged": damaged, "nodes": names, "head": head }))
    }
    /// Takes in what a store holds now. `ids` are fresh ones, for messages of our own that have to give theirs up.
    pub(super) fn unite(&mut self, asked: Reading<'_>) -> Result<Json, Error> {
        let rows = self.read_rows(asked)?;
        let head = self.read_head(asked)?;
        let theirs: BTreeSet<String> = head.records.iter().map(|record| record.id.clone()).collect();
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
            let mine = self.records.iter_mut().filter(|(record, _)| !theirs.contains(*record));
            let ends = mine.flat_map(|(_, laid)| [&mut laid.from, &mut laid.to, &mut laid.drawn_from]);
            for end in ends.filter(|end| *end == former) {
                end.clone_from(&id);
            }
        }
        let renamed = united.renamed.iter().filter_map(|(node, former)| {
            let node = self.tree.node(*node)?;
            Some(json!([node.message(), node.id(), former]))
        });
        let added = self.named(united.added.iter().copied());
        Ok(json!({
            "added": added,
            "renamed": renamed.collect::<Vec<Json>>(),
            "faults": faults(&united.faults),
            "head": Told::of(&self.tree.head()),
        }))
    }
    /// The path to `at` with the ids given, as rows and a head of a conversation of its own.
    pub(super) fn duplicate(&mut self, asked: Reading<'_>) -> Result<Json, Error> {
        let mut ids = asked.texts("ids")?.unwrap_or_default().into_iter();
        let mut next = || ids.next().unwrap_or_default().to_string();
        let (copy, nodes) = self.tree.duplicate(asked.text("at")?, &mut next)?;
        let former: Vec<&str> = nodes.iter().filter_map(|&node| Some(self.tree.node(node)?.id())).collect();
        let row = |number: u32| {
            let node = copy.node(number)?;
            Some(json!([node.message(), node.id(), copy.parent(number)]))
        };
        let rows: Vec<Json> = copy.numbers().filter_map(row).collect();
        let head = copy.head();
        let ends: Vec<Json> = head.records.iter().map(|record| json!([record.id, record.from, record.to])).collect();
        Ok(json!({ "former": former, "rows": rows, "head": Told::of(&head), "records": ends }))
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
                let whole = Rungs::by_name(&text("rung")?).is_none_or(Rungs::is_whole);
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
    /// Number, id and parent of nodes: a store that was mended names some of them anew.
    fn named(&self, nodes: impl Iterator<Item = u32>) -> Vec<Json> {
        let told = |number: u32| {
            let node = self.tree.node(number)?;
            Some(json!([node.message(), node.id(), self.tree.parent(number)]))
        };
        nodes.filter_map(told).collect()
    }
}

fn faults(faults: &[Fault]) -> Vec<String> {
    faults.iter().map(ToString::to_string).collect()
}
