//! Two writers, as the plain model unites them.

use super::model::{Kept, Model};
use palimpsest::tree::{Checkpoint, Head, Record, Row};

impl Model {
    /// Takes in what is stored; `others` are the ids that messages of our own get whose id is taken, by their number. Answers the ids they had.
    pub fn unite(&mut self, rows: &[Row], head: &Head, others: &[(u32, String)]) -> Vec<String> {
        let mut fresh = Vec::new();
        let mut renamed = Vec::new();
        for row in rows {
            let Some(mine) = self.find(&row.new.id) else {
                if !self.rest.contains(&row.new.id) {
                    fresh.push(row.clone());
                }
                continue;
            };
            let node = &mut self.nodes[mine];
            if node.kept == Kept::Yes {
                continue;
            }
            if node.message == row.new.message && node.parent == row.parent {
                node.kept = Kept::Yes;
                continue;
            }
            let given = others.iter().find(|(number, _)| *number == node.message);
            // One of ours that arrived, but behind another that had to give up its id.
            let other = given.map_or_else(|| format!("{}~2", row.new.id), |(_, id)| id.clone());
            renamed.push(row.new.id.clone());
            self.rename(&row.new.id, &other);
            fresh.push(row.clone());
        }
        self.add_rows(&fresh, Kept::Yes);
        self.unite_head(head.clone());
        renamed
    }
    fn rename(&mut self, old: &str, new: &str) {
        let ids = self.nodes.iter_mut().flat_map(|node| [Some(&mut node.id), node.parent.as_mut()]).flatten();
        let ends = self.records.iter_mut().flat_map(|record| [&mut record.from, &mut record.to]);
        let labelled = self.labels.iter_mut().map(|set| &mut set.at);
        for id in ids.chain(ends).chain(labelled).chain(&mut self.tip) {
            if id == old {
                *id = new.to_owned();
            }
        }
    }
    fn unite_head(&mut self, mut head: Head) {
        let saved = |id: &String| self.find(id).is_some_and(|node| self.nodes[node].kept == Kept::Yes);
        let records: Vec<Record> = self
            .records
            .iter()
            .filter(|record| self.touched.contains(&record.id) || !saved(&record.from) || !saved(&record.to))
            .cloned()
            .collect();
        let labels: Vec<Checkpoint> =
            self.labels.iter().filter(|set| self.touched.contains(&set.label) || !saved(&set.at)).cloned().collect();
        let ours = |id: &String| self.taken_off.contains(id) || records.iter().any(|record| record.id == *id);
        head.records.retain(|record| !ours(&record.id));
        head.checkpoints.retain(|set| !labels.iter().any(|mine| mine.label == set.label));
        // What was changed here, lost with its message and now comes from the store is as the store has it.
        let is_mine = |name: &String| {
            records.iter().any(|record| record.id == *name) || labels.iter().any(|set| set.label == *name)
        };
        self.touched.retain(is_mine);
        self.add_head(&head);
        self.records.extend(records);
        self.labels.extend(labels);
    }
}
