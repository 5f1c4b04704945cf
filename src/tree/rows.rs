//! Rows that come in. As long as they stand in order and name each other rightly, they are taken as they come; from the first that does not,
//! they are ordered and mended.

use super::grow::is_id;
use super::node::{NOTHING, Node, State};
use super::order::{Around, Spot, order};
use super::weigh::weigh_kept;
use super::{Fault, Row, Tree};
use alloc::sync::Arc;
use alloc::vec::Vec;

impl Tree {
    /// Adds rows; answers the numbers of their nodes, which are weighed.
    pub(super) fn grow_rows(
        &mut self,
        rows: Vec<Row>,
        state: State,
        around: Around<'_>,
        faults: &mut Vec<Fault>,
    ) -> Vec<u32> {
        let mut grown: Vec<u32> = Vec::with_capacity(if around.part { 0 } else { rows.len() });
        let mut rows = rows.into_iter();
        while let Some(row) = rows.as_slice().first() {
            let Some(parent) = self.spot(row, grown.last(), around) else { break };
            let id: Arc<str> = Arc::from(&*row.new.id);
            if !self.arena.claim(&id) {
                break;
            }
            if let Some(Row { new, .. }) = rows.next() {
                grown.push(self.arena.push(parent, Node::named(id, new, state)));
            }
        }
        self.grow_disordered(rows.collect(), state, around, &mut grown, faults);
        let is_old = |node: u32| grown.first().is_none_or(|&first| node < first) || self.arena.get(node).is_none();
        let starts: Vec<u32> = grown.iter().copied().filter(|&node| is_old(self.arena.at(node).parent)).collect();
        weigh_kept(&mut self.arena, &starts, &grown);
        self.open.reset();
        grown
    }
    /// What a row follows, when nothing is wrong with it so far.
    fn spot(&mut self, row: &Row, before: Option<&u32>, around: Around<'_>) -> Option<u32> {
        match row.parent.as_deref() {
            _ if !is_id(&row.new.id) => None,
            None => (!around.part).then_some(NOTHING),
            // Most messages follow the one before them.
            Some(parent) => before
                .copied()
                .filter(|&before| self.arena.at(before).id() == parent)
                .or_else(|| self.arena.find(parent))
                .or_else(|| (around.rest)(parent).then(|| self.stub(parent))),
        }
    }
    fn grow_disordered(
        &mut self,
        mut rows: Vec<Row>,
        state: State,
        around: Around<'_>,
        grown: &mut Vec<u32>,
        faults: &mut Vec<Fault>,
    ) {
        let before = (grown.len(), grown.last().copied());
        let ordered = order(&mut rows, &self.arena, around, before, faults);
        let mut numbers: Vec<u32> = rows.iter().map(|_| NOTHING).collect();
        let mut rows: Vec<Option<Row>> = rows.into_iter().map(Some).collect();
        for (index, spot) in ordered {
            let Some(Row { parent, new }) = rows[index].take() else { continue };
            let under = match spot {
                Spot::Known(node) => node,
                Spot::Row(row) => numbers[row],
                Spot::Rest => self.stub(&parent.unwrap_or_default()),
                Spot::Root | Spot::Left => NOTHING,
            };
            numbers[index] = self.arena.add(under, Node::new(new, state));
            grown.push(numbers[index]);
        }
    }
    /// A node for a message that stays in the store.
    pub(super) fn stub(&mut self, id: &str) -> u32 {
        match self.arena.find(id) {
            Some(node) => node,
            None => self.arena.add(NOTHING, Node::bare(Arc::from(id), State::Rest)),
        }
    }
}
