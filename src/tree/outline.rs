//! The tree as text: where it branches, what is labelled, where the tip is. Long runs without any of that are folded to a count.

use super::names::{Numbers, between};
use super::node::NOTHING;
use super::{Node, Tree};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// Messages of a run that are folded at least; fewer are shown.
const FOLD: u32 = 3;

/// Steps to the right at most: deeper branches are told by a number, so that the text grows with the tree and no faster.
const MOST_STEPS: u32 = 12;

/// A line of the outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// How many branches away from the main line it stands. The main line is the path to the tip; beyond it and beside it, whatever goes on.
    pub depth: u32,
    /// It is the first of its branch.
    pub first: bool,
    /// It stands on the path to the tip.
    pub on_path: bool,
    /// What it shows.
    pub shown: Shown,
}

/// What a line of the outline shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// A message, by its number.
    Node(u32),
    /// So many messages, one after the other.
    Folded(u32),
    /// So many roots.
    Roots(u32),
}

impl Tree {
    /// The outline as data. Every branch point, leaf and label is in it, and the tip.
    pub fn outline(&mut self) -> Vec<Line> {
        let labels = self.labels_by_node();
        let is_labelled = |node: u32| between(&labels, u64::from(node), 0, u32::MAX).next().is_some();
        let path: Vec<u32> = self.path().to_vec();
        let on_path = |node: u32| path.binary_search(&node).is_ok();
        let notable = |node: u32| node == self.tip || is_labelled(node);
        let mut lines = Vec::new();
        // Beginnings of runs still to be drawn, the next one last.
        let mut runs: Vec<(u32, u32, bool)> = Vec::new();
        let roots: Vec<u32> = self.beginnings();
        if roots.len() > 1 {
            let shown = Shown::Roots(roots.len() as u32);
            lines.push(Line { depth: 0, first: false, on_path: !path.is_empty(), shown });
        }
        push_runs(&mut runs, &roots, 0, &on_path);
        while let Some((start, depth, first)) = runs.pop() {
            let mut run = vec![start];
            let mut last = start;
            while self.arena.at(last).children == 1 {
                last = self.arena.at(last).first_child;
                run.push(last);
            }
            let mut line = |node: u32, first: bool, shown: Shown| {
                lines.push(Line { depth, first, on_path: on_path(node), shown });
            };
            line(start, first, Shown::Node(start));
            let inner = run.get(1..run.len().saturating_sub(1)).unwrap_or_default();
            for stretch in inner.chunk_by(|&one, &two| !notable(one) && !notable(two) && on_path(one) == on_path(two)) {
                if stretch.len() as u32 >= FOLD {
                    line(stretch[0], false, Shown::Folded(stretch.len() as u32));
                } else {
                    stretch.iter().for_each(|&node| line(node, false, Shown::Node(node)));
                }
            }
            if last != start {
                line(last, false, Shown::Node(last));
            }
            let children: Vec<u32> = self.arena.children(last).collect();
            push_runs(&mut runs, &children, depth, &on_path);
        }
        lines
    }
    /// The outline as text. `words` gives the first words of a message.
    pub fn outline_text(&mut self, words: &dyn Fn(&Node) -> String) -> String {
        let labels = self.labels_by_node();
        let mut text = String::new();
        for line in self.outline() {
            text.push_str(if line.on_path { "* " } else { "  " });
            (0..line.depth.min(MOST_STEPS)).for_each(|_| text.push_str("  "));
            if line.depth > MOST_STEPS {
                text.push_str(&format!("({}) ", line.depth));
            }
            if line.first {
                text.push_str("└ ");
            } else if line.depth > 0 {
                text.push_str("  ");
            }
            match line.shown {
                Shown::Folded(count) => text.push_str(&format!("… {count} messages")),
                Shown::Roots(count) => text.push_str(&format!("{count} beginnings")),
                Shown::Node(node) => self.node_line(node, words, &labels, &mut text),
            }
            text.push('\n');
        }
        if self.is_part() {
            text.insert_str(0, "  … earlier messages are in the store\n");
        }
        if text.is_empty() {
            text.push_str("  no messages yet\n");
        }
        text
    }
    fn node_line(&self, number: u32, words: &dyn Fn(&Node) -> String, labels: &Numbers, line: &mut String) {
        let node = self.arena.at(number);
        line.push_str(node.role.name());
        let words = words(node);
        if !words.is_empty() {
            line.push_str(": ");
            line.push_str(&words);
        }
        for &(label, _) in between(labels, u64::from(number), 0, u32::MAX).map(|(_, label)| label) {
            line.push_str(&format!(" [{}]", super::preview(&self.labels[label as usize].label)));
        }
        if node.children > 1 {
            line.push_str(&format!(" ({} branches)", node.children));
        }
        if number == self.tip {
            line.push_str(" ← tip");
        }
    }
    /// Roots, and what follows messages that stayed in the store.
    fn beginnings(&self) -> Vec<u32> {
        let begins = |&node: &u32| self.arena.get(self.arena.at(node).parent).is_none();
        self.arena.numbers().filter(begins).collect()
    }
    /// Labels by the number of their node, in the order they were set.
    fn labels_by_node(&self) -> Numbers {
        let mut labels = Numbers::new();
        for (index, set) in self.labels.iter().enumerate() {
            labels.insert((u64::from(set.at), index as u32), (index as u32, 0));
        }
        labels
    }
}

/// Of several runs the one on the path, else the newest, goes on the line it stands on, behind the others.
fn push_runs(runs: &mut Vec<(u32, u32, bool)>, starts: &[u32], depth: u32, on_path: &dyn Fn(u32) -> bool) {
    let Some(&newest) = starts.last() else { return };
    let main = starts.iter().copied().find(|&start| on_path(start)).unwrap_or(newest);
    debug_assert_ne!(main, NOTHING);
    runs.push((main, depth, false));
    runs.extend(starts.iter().rev().filter(|&&start| start != main).map(|&start| (start, depth + 1, true)));
}
