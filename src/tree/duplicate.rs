//! A copy of a path as a conversation of its own: new ids, the same words, with the records and labels that lie on it.

use super::label::Label;
use super::node::{Node, State};
use super::open::Open;
use super::path::Path;
use super::record::Laid;
use super::{Tree, TreeError};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

impl Tree {
    /// Copies the path to `at`, or to the tip, as far as it is loaded. `id` makes up ids for the copies. Answers the copy, of which nothing is
    /// committed yet, and the numbers of the messages that were copied, in order; the copies keep the numbers of their words.
    ///
    /// # Errors
    /// [`TreeError::UnknownNode`]; [`TreeError::OpenTurn`] for a path on which a call has no result yet; [`TreeError::Option`] for an id that
    /// comes twice or makes no sense.
    pub fn duplicate(&self, at: Option<&str>, id: &mut dyn FnMut() -> String) -> Result<(Tree, Vec<u32>), TreeError> {
        let at = at.map_or(Ok(self.tip), |at| self.known(at))?;
        let mut open = Open::default();
        open.go_to(&self.arena, at);
        if !open.is_boundary() {
            return Err(TreeError::OpenTurn(open.awaited(&self.arena)));
        }
        let mut path = Path::default();
        let path = path.to(&self.arena, at);
        let mut copy = Tree::new();
        for &number in path {
            let node = self.arena.at(number);
            let id = id();
            copy.check_id(&id)?;
            let parent = copy.tip;
            let bare = Node::bare(Arc::from(id), State::Pending);
            copy.tip = copy.arena.add(
                parent,
                Node {
                    at: node.at,
                    message: node.message,
                    role: node.role,
                    person: node.person,
                    traffic: node.traffic.clone(),
                    settled: node.settled,
                    ..bare
                },
            );
            copy.pending.push(copy.tip);
        }
        copy.edition = 1;
        // Copies are numbered from one along the path.
        let over = path.first().map_or(0, |&first| self.arena.at(first).depth - 1);
        let copied = |node: u32| self.arena.at(node).depth - over;
        for laid in self.records.iter().filter(|laid| self.arena.leads_to(laid.to, at)) {
            let (from, to) = (copied(laid.from), copied(laid.to));
            copy.records.push(Laid { id: laid.id.clone(), from, to, whole: laid.whole, edition: 1 });
        }
        for set in self.labels.iter().filter(|set| self.arena.leads_to(set.at, at)) {
            copy.labels.push(Label { label: set.label.clone(), at: copied(set.at), edition: 1 });
        }
        Ok((copy, path.to_vec()))
    }
}
