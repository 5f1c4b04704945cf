//! A client and the store: commits that succeed, fail or are lost, and everything that is read from there.

use super::client::{Client, Holds};
use super::model::{Kept, Model};
use super::ops::Fate;
use super::server::Server;
use palimpsest::tree::{Head, Load, Origin, Restored, Resume, Row, Tree, TreeError};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// A commit that is under way.
#[derive(Debug)]
pub struct Writing {
    rows: Vec<Row>,
    head: Head,
    touched: BTreeSet<String>,
    taken_off: BTreeSet<String>,
}

impl Client {
    /// Begins a commit; true when one is under way now.
    pub fn begin(&mut self) -> Result<bool, TestCaseError> {
        let begun = self.tree.begin_commit();
        if self.writing.is_some() {
            prop_assert_eq!(begun.unwrap_err().code(), "option");
            return Ok(true);
        }
        let open = self.model.open_calls(&self.model.path());
        let told = |id: &String| if id.is_empty() { "tool".to_owned() } else { id.clone() };
        let awaited: Vec<String> = open.iter().filter(|call| !call.past).map(|call| told(&call.id)).collect();
        if !awaited.is_empty() {
            prop_assert_eq!(begun.unwrap_err(), TreeError::OpenTurn(awaited));
            return Ok(false);
        }
        let (nodes, head) = self.model.changes();
        let begun = begun?;
        let ids = |numbers: &[u32]| numbers.iter().map(|&n| self.tree.node(n).unwrap().id().to_owned()).collect();
        let told: Vec<String> = ids(&begun.nodes);
        prop_assert_eq!(told, nodes.iter().map(|&node| self.id(node)).collect::<Vec<_>>());
        prop_assert_eq!(&begun.head, &head);
        for &node in &nodes {
            self.model.nodes[node].kept = Kept::Writing;
        }
        let (touched, taken_off) = (std::mem::take(&mut self.model.touched), std::mem::take(&mut self.model.taken_off));
        let rows = nodes.into_iter().map(|node| self.model.row(node)).collect();
        self.writing = Some(Writing { rows, head, touched, taken_off });
        Ok(true)
    }
    /// Ends a commit; true when it was written and the client knows.
    pub fn end(&mut self, fate: Fate, server: &mut Server) -> Result<bool, TestCaseError> {
        let Some(writing) = self.writing.take() else {
            self.tree.end_commit(true);
            return Ok(false);
        };
        let conflict = server.revision != self.revision;
        let written = fate == Fate::Written && !conflict;
        if fate != Fate::Refused && !conflict {
            server.write(writing.rows, writing.head)?;
        }
        self.tree.end_commit(written);
        let kept = if written { Kept::Yes } else { Kept::No };
        self.model.nodes.iter_mut().filter(|node| node.kept == Kept::Writing).for_each(|node| node.kept = kept);
        if written {
            self.revision = server.revision;
        } else {
            self.model.touched.extend(writing.touched);
            self.model.taken_off.extend(writing.taken_off);
        }
        if conflict {
            self.unite(server)?;
        }
        Ok(written)
    }
    pub fn commit(&mut self, server: &mut Server) -> Holds {
        if !self.begin()? || self.end(Fate::Written, server)? {
            return Ok(());
        }
        // The second time everything is known that was in the way.
        if self.begin()? {
            prop_assert!(self.end(Fate::Written, server)?);
        }
        Ok(())
    }

    pub fn reopen(&mut self, server: &Server) -> Holds {
        let Restored { tree, faults } = Tree::restore(server.rows.clone(), server.head.clone(), Origin::Store);
        prop_assert_eq!(faults, vec![]);
        prop_assert!(!tree.is_changed());
        self.model = Model::load(&server.rows, &server.head, None);
        (self.tree, self.revision, self.writing) = (tree, server.revision, None);
        Ok(())
    }
    pub fn reopen_part(&mut self, messages: Option<u8>, tokens: Option<u8>, server: &Server) -> Holds {
        let load = Load { messages: messages.map(u32::from), tokens: tokens.map(u64::from) };
        let all = Model::load(&server.rows, &server.head, None);
        let path = all.path();
        let mut resume = Resume::new(load);
        for &node in path.iter().rev() {
            if !resume.wants() {
                break;
            }
            resume.read(&all.nodes[node].brief, 10);
        }
        let kept = resume.keep();
        super::compare::resumed(&all, &path, kept, load)?;
        let rows: Vec<Row> = path[path.len() - kept..].iter().map(|&node| all.row(node)).collect();
        let here: BTreeSet<&str> = rows.iter().map(|row| row.new.id.as_str()).collect();
        let rest = |id: &str| all.find(id).is_some() && !here.contains(id);
        let above = rows.first().map_or(server.head.tip.clone(), |first| first.parent.clone());
        let Restored { tree, faults } = Tree::restore(rows.clone(), server.head.clone(), Origin::Part(&rest));
        prop_assert!(faults.iter().all(|fault| !fault.is_damage()), "{faults:?}");
        self.model = Model::load(&rows, &server.head, Some(above));
        (self.tree, self.revision, self.writing) = (tree, server.revision, None);
        prop_assert_eq!(faults.len(), self.model.unloaded.checkpoints.len());
        Ok(())
    }
    /// What was written to a file is all there again, and is the beginning of another conversation.
    pub fn import(&mut self, server: &mut Server) -> Holds {
        let rows: Vec<Row> = (0..self.model.nodes.len()).map(|node| self.model.row(node)).collect();
        let head = self.model.head();
        let Restored { tree, faults } = Tree::restore(rows.clone(), head.clone(), Origin::Import);
        prop_assert_eq!(faults, vec![]);
        self.model = Model::load(&rows, &head, None);
        self.model.nodes.iter_mut().for_each(|node| node.kept = Kept::No);
        if let Some(tip) = head.tip.as_deref().and_then(|tip| self.model.find(tip)) {
            self.model.nodes[tip].settled |= !self.model.is_boundary(tip);
        }
        *server = Server { imported: true, ..Server::default() };
        (self.tree, self.revision, self.writing) = (tree, 0, None);
        self.commit(server)?;
        prop_assert_eq!(server.rows.len(), rows.len());
        prop_assert_eq!(&server.head, &head);
        Ok(())
    }

    pub fn unite(&mut self, server: &Server) -> Holds {
        let (name, mut made) = (self.name, self.made);
        let mut others: Vec<(u32, String)> = Vec::new();
        let united = self.tree.unite(server.rows.clone(), server.head.clone(), &mut |mine, theirs| {
            (mine != theirs).then(|| {
                made += 1;
                others.push((mine, format!("{name} other {made}")));
                others[others.len() - 1].1.clone()
            })
        });
        self.made = made;
        self.revision = server.revision;
        prop_assert_eq!(united.faults, vec![]);
        let before = self.model.nodes.len();
        let renamed = self.model.unite(&server.rows, &server.head, &others);
        let ids = |numbers: &[u32]| numbers.iter().map(|&n| self.tree.node(n).unwrap().id().to_owned()).collect();
        let (added, told): (Vec<String>, _) = (ids(&united.added), self.model.nodes[before..].iter());
        prop_assert_eq!(added, told.map(|node| node.id.clone()).collect::<Vec<_>>());
        prop_assert_eq!(united.renamed.into_iter().map(|(_, id)| id).collect::<Vec<_>>(), renamed);
        Ok(())
    }
}
