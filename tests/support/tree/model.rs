//! The plain model: lists that are searched from end to end, and rules written as they are said. Slow and obvious.

use palimpsest::message::Role;
use palimpsest::tree::{Brief, Checkpoint, Head, Record, Row};
use std::collections::BTreeSet;

/// Where a message stands between memory and store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    No,
    Writing,
    Yes,
}

#[derive(Clone, Debug)]
pub struct Message {
    pub id: String,
    pub parent: Option<String>,
    pub message: u32,
    pub brief: Brief,
    pub kept: Kept,
    /// It came from a store or a file, and nothing below it there answered what was open at it.
    pub settled: bool,
}

/// An open call: who makes it, its name for a person, and whether nobody waits for it any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub at: usize,
    pub id: String,
    pub past: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Model {
    /// In the order they were appended.
    pub nodes: Vec<Message>,
    pub tip: Option<String>,
    pub records: Vec<Record>,
    pub labels: Vec<Checkpoint>,
    /// Only a part is loaded.
    pub part: bool,
    /// Ids of messages that stay in the store and that something here follows.
    pub rest: BTreeSet<String>,
    /// Records and labels on messages that stay in the store.
    pub unloaded: Head,
    /// Records and labels changed since the last commit, and records taken off.
    pub touched: BTreeSet<String>,
    pub taken_off: BTreeSet<String>,
}

impl Model {
    pub fn find(&self, id: &str) -> Option<usize> {
        self.nodes.iter().position(|node| node.id == id)
    }
    /// A root counts as following nothing; so does what follows a message that stays in the store.
    pub fn parent(&self, node: usize) -> Option<usize> {
        self.find(self.nodes[node].parent.as_deref()?)
    }
    pub fn path_to(&self, tip: Option<usize>) -> Vec<usize> {
        let mut path: Vec<usize> = std::iter::successors(tip, |&node| self.parent(node)).collect();
        path.reverse();
        path
    }
    pub fn path(&self) -> Vec<usize> {
        self.path_to(self.tip.as_deref().and_then(|tip| self.find(tip)))
    }
    pub fn children(&self, id: Option<&str>) -> Vec<usize> {
        (0..self.nodes.len()).filter(|&node| self.nodes[node].parent.as_deref() == id).collect()
    }
    fn is_below(&self, node: usize, id: &str) -> bool {
        let path = self.path_to(Some(node));
        path.iter().any(|&node| self.nodes[node].id == id) || self.nodes[path[0]].parent.as_deref() == Some(id)
    }
    pub fn newest_below(&self, id: &str) -> Option<usize> {
        (0..self.nodes.len()).rev().find(|&node| self.is_below(node, id))
    }

    /// Goes along a path: which call each message answers, and what is open at the end.
    /// Which message answers which.
    pub fn pairs(&self, path: &[usize]) -> (Vec<(usize, usize)>, Vec<Call>) {
        self.trace(path)
    }
    fn trace(&self, path: &[usize]) -> (Vec<(usize, usize)>, Vec<Call>) {
        // Each call with the turn it was made in, and the number of times somebody had spoken.
        let mut open: Vec<(Call, usize, usize)> = Vec::new();
        let mut answers = Vec::new();
        let (mut turn, mut spoken, mut role) = (0, 0, None);
        for &at in path {
            let brief = &self.nodes[at].brief;
            let goes_on = role == Some(brief.role);
            role = Some(brief.role);
            if !goes_on && (brief.role == Role::Assistant || !brief.calls.is_empty()) {
                turn += 1;
            }
            let speaks = usize::from(brief.person || brief.role == Role::Assistant && !goes_on);
            let call = |call: &palimpsest::tree::Call| Call { at, id: call.id.clone(), past: false };
            open.extend(brief.calls.iter().map(|made| (call(made), turn, spoken + speaks)));
            for id in &brief.results {
                let live = |call: &Call, when: usize| !call.past || when >= spoken;
                let newest = open
                    .iter()
                    .position(|(call, of, when)| live(call, *when) && *of == turn && (call.id == *id || id.is_empty()));
                let older =
                    || open.iter().rposition(|(call, _, when)| live(call, *when) && call.id == *id && !id.is_empty());
                if let Some(found) = newest.or_else(older) {
                    answers.push((at, open.remove(found).0.at));
                }
            }
            spoken += speaks;
            if self.nodes[at].settled {
                open.iter_mut().for_each(|(call, ..)| call.past = true);
            }
        }
        open.retain(|(call, _, when)| !call.past || *when == spoken);
        (answers, open.into_iter().map(|(call, ..)| call).collect())
    }
    pub fn open_calls(&self, path: &[usize]) -> Vec<Call> {
        self.trace(path).1
    }
    pub fn is_boundary(&self, node: usize) -> bool {
        self.open_calls(&self.path_to(Some(node))).iter().all(|call| call.past)
    }
    /// A boundary stands at it or below.
    pub fn is_whole(&self, node: usize) -> bool {
        let id = &self.nodes[node].id;
        (0..self.nodes.len()).any(|other| self.is_below(other, id) && self.is_boundary(other))
    }
    /// Settles messages that came from a store or a file.
    pub fn settle(&mut self, came: &[usize]) {
        let mut unsettled = BTreeSet::new();
        for &node in came {
            let path = self.path_to(Some(node));
            for (_, caller) in self.trace(&path).0.into_iter().filter(|&(at, _)| at == node) {
                unsettled.extend(path.iter().copied().filter(|&above| above >= caller && above != node));
            }
        }
        for &node in came {
            self.nodes[node].settled = !unsettled.contains(&node);
        }
    }

    /// Records that apply on the path, by where they begin: the pair of places, and which record.
    pub fn laid(&self) -> Vec<(usize, usize, usize)> {
        let path = self.path();
        let place = |id: &str| path.iter().position(|&node| self.nodes[node].id == id);
        let range = |record: &Record| Some((place(&record.from)?, place(&record.to)?));
        let ranges = self.records.iter().map(range).enumerate();
        let holding: Vec<(usize, usize, usize)> = ranges
            .filter_map(|(index, range)| range.map(|(from, to)| (from, to, index)))
            .filter(|&(_, to, _)| to + 1 < path.len())
            .collect();
        let covers = |a: &(usize, usize, usize), b: &(usize, usize, usize)| a.0 <= b.0 && a.1 >= b.1;
        let mut laid: Vec<(usize, usize, usize)> = Vec::new();
        for one in holding.iter().filter(|one| self.records[one.2].whole).rev() {
            let overlaps = |other: &&(usize, usize, usize)| other.0 <= one.1 && other.1 >= one.0;
            if laid.iter().filter(overlaps).all(|other| covers(one, other) && !covers(other, one)) {
                laid.retain(|other| !covers(one, other));
                laid.push(*one);
            }
        }
        let single = |one: &&(usize, usize, usize)| !self.records[one.2].whole;
        let free: Vec<_> =
            holding.iter().filter(single).filter(|one| !laid.iter().any(|other| covers(other, one))).collect();
        laid.extend(free);
        laid.sort_by_key(|&(from, _, record)| (from, record));
        laid
    }

    pub fn head(&self) -> Head {
        let mut head = Head { tip: self.tip.clone(), ..self.unloaded.clone() };
        head.records.extend(self.records.clone());
        head.checkpoints.extend(self.labels.clone());
        head
    }
    /// What a commit would write: rows, and the head as far as it stands on what is stored then.
    pub fn changes(&self) -> (Vec<usize>, Head) {
        let goes = |&node: &usize| self.nodes[node].kept == Kept::No && self.is_whole(node);
        let nodes: Vec<usize> = (0..self.nodes.len()).filter(goes).collect();
        let safe = |id: &String| {
            let node = self.find(id);
            node.is_none_or(|node| self.nodes[node].kept == Kept::Yes || nodes.contains(&node))
        };
        let mut head = self.head();
        head.records.retain(|record| safe(&record.from) && safe(&record.to));
        head.checkpoints.retain(|label| safe(&label.at));
        (nodes, head)
    }
    pub fn row(&self, node: usize) -> Row {
        let Message { id, parent, message, brief, .. } = &self.nodes[node];
        let new = palimpsest::tree::New { id: id.clone(), at: 0, message: *message, brief: brief.clone() };
        Row { parent: parent.clone(), new }
    }

    /// Takes rows in behind what is there; those that follow nothing known are left when only a part is loaded.
    pub fn add_rows(&mut self, rows: &[Row], kept: Kept) {
        let first = self.nodes.len();
        for Row { parent, new } in rows {
            let follows = parent.as_ref().map(|parent| self.find(parent).is_some() || self.rest.contains(parent));
            if self.part && follows != Some(true) {
                continue;
            }
            let (id, brief) = (new.id.clone(), new.brief.clone());
            self.nodes.push(Message { id, parent: parent.clone(), message: new.message, brief, kept, settled: false });
        }
        let came: Vec<usize> = (first..self.nodes.len()).collect();
        self.settle(&came);
    }
    /// Takes records and labels as they are stored.
    pub fn add_head(&mut self, head: &Head) {
        let there = |id: &str| self.find(id).is_some();
        let (records, unloaded) = head.records.iter().cloned().partition(|r| there(&r.from) && there(&r.to));
        let (labels, held) = head.checkpoints.iter().cloned().partition(|label| there(&label.at));
        (self.records, self.unloaded.records) = (records, unloaded);
        (self.labels, self.unloaded.checkpoints) = (labels, held);
    }
    /// The messages of `rows` with a head: all of a store, or the newest part of a path with what it follows.
    pub fn load(rows: &[Row], head: &Head, above: Option<Option<String>>) -> Model {
        let mut model = Model::default();
        model.add_rows(rows, Kept::Yes);
        model.part = above.is_some();
        model.rest = above.flatten().into_iter().collect();
        model.add_head(head);
        model.tip = head.tip.clone();
        model
    }
}
