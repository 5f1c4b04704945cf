//! All nodes by number and by id, and the links between them. Parents have smaller numbers than their children, and of two nodes the one that
//! was appended later has the larger.

use super::names::{Names, Numbers, between};
use super::node::{NOTHING, Node, State};
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

/// Nodes of one conversation at most: ten times the longest this package is built for.
pub const MOST_NODES: usize = 1 << 20;

/// The nodes.
#[derive(Debug)]
pub(super) struct Arena {
    nodes: Vec<Node>,
    /// Also ids that a node bore before it went or was renamed: nothing is ever taken out.
    ids: Names,
    /// Nodes with a message that nothing follows, behind a zero.
    leaves: Numbers,
    living: usize,
}

impl Arena {
    pub fn new() -> Arena {
        let nothing = Node::bare(Arc::from(""), State::Rest);
        Arena { nodes: vec![nothing], ids: Names::new(), leaves: Numbers::new(), living: 0 }
    }
    /// Nodes with a message.
    pub fn len(&self) -> usize {
        self.living
    }
    pub fn is_full(&self) -> bool {
        self.nodes.len() > MOST_NODES
    }
    /// The node of a number that this arena gave.
    pub fn at(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }
    pub fn at_mut(&mut self, node: u32) -> &mut Node {
        &mut self.nodes[node as usize]
    }
    /// True for a number that this arena gave.
    pub fn holds(&self, node: u32) -> bool {
        (node as usize) < self.nodes.len()
    }
    /// A node with a message, of any number.
    pub fn get(&self, node: u32) -> Option<&Node> {
        self.nodes.get(node as usize).filter(|node| !matches!(node.state, State::Rest | State::Gone))
    }
    /// The node of an id, also of one that is in the store only.
    pub fn find(&self, id: &str) -> Option<u32> {
        self.ids.get(id).copied().filter(|&node| self.bears(node, id))
    }
    fn bears(&self, node: u32, id: &str) -> bool {
        self.at(node).state != State::Gone && self.at(node).id() == id
    }
    /// Numbers of all nodes with a message, in the order they were appended.
    pub fn numbers(&self) -> impl DoubleEndedIterator<Item = u32> + '_ {
        (1..self.nodes.len() as u32).filter(|&node| self.get(node).is_some())
    }

    /// Gives an id to the node that is pushed next; false when it is taken.
    pub fn claim(&mut self, id: &Arc<str>) -> bool {
        let next = self.nodes.len() as u32;
        let taken = self.ids.insert(Arc::clone(id), next).filter(|&node| self.bears(node, id));
        if let Some(node) = taken {
            self.ids.insert(Arc::clone(id), node);
        }
        taken.is_none()
    }
    /// Adds a node behind its siblings. The id must be free and the arena not full.
    pub fn add(&mut self, parent: u32, node: Node) -> u32 {
        self.claim(&node.id);
        self.push(parent, node)
    }
    /// The same for a node whose id was claimed.
    pub fn push(&mut self, parent: u32, mut node: Node) -> u32 {
        let number = self.nodes.len() as u32;
        let above = self.at(parent);
        node.parent = parent;
        node.depth = above.depth + 1;
        // Distances that double: two steps of one length make one of twice the length (Myers, "An applicative random-access stack", 1983).
        let over = self.at(above.jump);
        let doubles = above.depth - over.depth == over.depth - self.at(over.jump).depth;
        node.jump = if doubles { over.jump } else { parent };
        let shown = node.state != State::Rest;
        self.nodes.push(node);
        if shown {
            self.living += 1;
            self.link(parent, number);
        }
        number
    }
    fn link(&mut self, parent: u32, child: u32) {
        self.leaves.remove(&(0, parent));
        self.leaves.insert((0, child), (0, 0));
        let above = self.at_mut(parent);
        let before = above.last_child;
        above.last_child = child;
        above.children += 1;
        if before == NOTHING {
            above.first_child = child;
        } else {
            self.at_mut(before).next = child;
        }
        self.at_mut(child).before = before;
    }

    /// Takes out a node that nothing follows.
    pub fn take(&mut self, number: u32) {
        let node = self.at_mut(number);
        node.state = State::Gone;
        node.traffic = None;
        let (parent, before, next) = (node.parent, node.before, node.next);
        self.leaves.remove(&(0, number));
        self.living -= 1;
        if before != NOTHING {
            self.at_mut(before).next = next;
        }
        if next != NOTHING {
            self.at_mut(next).before = before;
        }
        let above = self.at_mut(parent);
        above.children -= 1;
        if above.first_child == number {
            above.first_child = next;
        }
        if above.last_child == number {
            above.last_child = before;
        }
        let bare = above.children == 0;
        if bare && self.get(parent).is_some() {
            self.leaves.insert((0, parent), (0, 0));
        }
    }
    /// Gives a node another id, which must be free.
    pub fn rename(&mut self, number: u32, id: &str) {
        let new: Arc<str> = Arc::from(id);
        self.at_mut(number).id = Arc::clone(&new);
        self.ids.insert(new, number);
    }

    /// What follows a node directly, in the order it was appended; behind [`NOTHING`] the roots.
    pub fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let some = |node: u32| (node != NOTHING).then_some(node);
        core::iter::successors(some(self.at(node).first_child), move |&child| some(self.at(child).next))
    }
    /// The ancestor at a depth that is at most the node's own, which is the node itself then.
    fn ancestor(&self, mut node: u32, depth: u32) -> u32 {
        while self.at(node).depth > depth {
            let jump = self.at(node).jump;
            node = if self.at(jump).depth >= depth { jump } else { self.at(node).parent };
        }
        node
    }
    /// True when `above` stands on the path to `below`, or is it.
    pub fn leads_to(&self, above: u32, below: u32) -> bool {
        self.ancestor(below, self.at(above).depth) == above
    }
    /// The node below (or at) `node` that was appended last. Nothing can follow it, or that would have been appended later. Leaves are tried
    /// from the newest one, and only those that are newer than the node.
    pub fn newest_below(&self, node: u32) -> u32 {
        let mut newer = between(&self.leaves, 0, node, u32::MAX).rev().map(|(&(_, leaf), _)| leaf);
        newer.find(|&leaf| self.leads_to(node, leaf)).unwrap_or(node)
    }
    /// The node that was appended last.
    pub fn newest(&self) -> u32 {
        self.leaves.last_key_value().map_or(NOTHING, |(&(_, leaf), _)| leaf)
    }
}
