//! Records: what a walk laid is kept over the path, and laid again by the walks to come.

use super::super::error::Error;
use super::Conversation;
use crate::ladder::{Fixed, Rung, Words, rung_named};
use crate::message::{Message, Reading, Value, WrongOption};
use crate::tree::Record;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// What a record did, beside where it lies.
#[derive(Clone, Debug)]
pub(super) struct Laid {
    pub rung: &'static dyn Rung,
    pub from: String,
    pub to: String,
    pub last_results_only: bool,
    pub items: Vec<String>,
    pub shed: u64,
    pub left_out: u64,
    pub drawn_from: String,
    pub summary: Option<Words>,
}

impl Laid {
    /// Reads a record of the public contract; nothing for a rung of a later version.
    fn read(record: Value<'_>) -> Result<Option<(String, Laid)>, WrongOption> {
        let record = Reading(Some(record));
        let text = |key: &str| Ok::<_, WrongOption>(record.text(key)?.unwrap_or_default().to_string());
        let Some(rung) = rung_named(&text("rung")?) else { return Ok(None) };
        let items = record.texts("items")?.unwrap_or_default().into_iter().map(String::from).collect();
        Ok(Some((
            text("id")?,
            Laid {
                rung,
                from: text("from")?,
                to: text("to")?,
                last_results_only: record.flag("lastResultsOnly")?,
                items,
                shed: u64::from(record.whole("shed", 0)?.unwrap_or_default()),
                left_out: u64::from(record.whole("leftOut", 0)?.unwrap_or_default()),
                drawn_from: text("drawnFrom")?,
                summary: summary(record.within("summary")?)?,
            },
        )))
    }
}

/// What a summary says, as it was written; nothing when it is none.
fn summary(record: Reading<'_>) -> Result<Option<Words>, WrongOption> {
    let Some(words) = record.text("markdown")?.and_then(Words::read) else { return Ok(None) };
    let generation = record.whole("generation", 1)?.unwrap_or(1);
    Ok(Some(Words { generation, ..words }))
}

impl Conversation {
    /// Remembers what records did that a store or an import holds; where they lie the tree knows.
    ///
    /// # Errors
    /// [`Error::Option`] for what is no record.
    pub fn remember(&mut self, records: Value<'_>) -> Result<(), Error> {
        for record in records.items() {
            if let Some((id, laid)) = Laid::read(record)? {
                self.records.insert(id, laid);
            }
        }
        Ok(())
    }
    /// Lays the records of a report, with the ids of nodes as their ends. Answers the ids of those that are new, and of those that they take
    /// the place of: earlier ones of the same rung for single things of which they hold all.
    ///
    /// # Errors
    /// [`Error::Option`] for what is no record, and for ends between which no path leads.
    pub fn lay(&mut self, records: Value<'_>) -> Result<(Vec<String>, Vec<String>), Error> {
        let mut new = Vec::new();
        let mut off = Vec::new();
        // Others may have been laid or taken off since it was walked, and it knows nothing of that.
        let laid = self.tree.laid();
        self.held.take_if(|held| held.asked.fixed != laid);
        for record in records.items() {
            let Some((id, laid)) = Laid::read(record)? else { continue };
            if self.tree.laid().contains(&id.as_str()) {
                continue;
            }
            let whole = laid.rung.is_whole();
            self.tree.record(Record { id: id.clone(), from: laid.from.clone(), to: laid.to.clone(), whole })?;
            if !whole {
                let held =
                    |known: &Laid| known.rung == laid.rung && known.items.iter().all(|item| laid.items.contains(item));
                let applying: Vec<String> = self.tree.laid().into_iter().map(String::from).collect();
                for known in applying.into_iter().filter(|known| *known != id) {
                    if self.records.get(&known).is_some_and(held) {
                        self.tree.uncompact(&known)?;
                        off.push(known);
                    }
                }
            }
            self.records.insert(id.clone(), laid);
            new.push(id);
        }
        // What they did is what stands already: the newest walk goes on to hold.
        if let Some(held) = &mut self.held {
            held.asked.fixed = self.tree.laid().into_iter().map(String::from).collect();
        }
        Ok((new, off))
    }
    /// The records that hold on the path, as parts of the history, by the end of each.
    pub(super) fn fixed(&mut self, history: &[Message]) -> Vec<Fixed> {
        let path = self.path();
        let on_path: BTreeMap<u32, usize> = path.iter().enumerate().map(|(i, &number)| (number, i)).collect();
        let places: BTreeMap<u32, usize> = history.iter().enumerate().map(|(i, message)| (message.origin, i)).collect();
        let ids: Vec<String> = self.tree.laid().into_iter().map(String::from).collect();
        let end = |id: &str| on_path.get(&self.tree.node(self.tree.find(id)?)?.message()).copied();
        let place = |end: usize| places.get(path.get(end)?).copied();
        let whole = |id: &String| self.records.get(id).filter(|laid| laid.rung.is_whole());
        let begins = |id: &String| place(end(&whole(id)?.from)?);
        let begun: BTreeSet<usize> = ids.iter().filter_map(begins).collect();
        let fixed = |id: &String| {
            let laid = self.records.get(id)?;
            let (from, to) = (end(&laid.from)?, end(&laid.to)?);
            // A repair may have moved results up to their calls. Ends of a whole range are told in that order; single things are within where
            // all of its messages stand now.
            let (first, mut last) = match laid.rung.is_whole() {
                true => (place(from)?, place(to)?),
                false => {
                    let stand = path.get(from..=to)?.iter().filter_map(|number| places.get(number).copied());
                    (stand.clone().min()?, stand.max()?)
                }
            };
            let Laid { rung, mut last_results_only, items, shed, summary, .. } = laid.clone();
            // Results go with their calls: the answer to one that was interrupted has no number of its own, and one that came later was moved up.
            // Not those with which another record begins: pages may begin with the result of a call that a summary holds.
            let goes_on = |at: usize, next: &Message| rung.is_whole() && next.has_results() && !begun.contains(&at);
            while let Some(next) = history.get(last + 1).filter(|next| goes_on(last + 1, next)) {
                last += 1;
                last_results_only = next.is_person();
            }
            let drawn_from = end(&laid.drawn_from).and_then(place).unwrap_or(first);
            let left_out = (laid.left_out, drawn_from);
            Some(Fixed { rung, range: first..last + 1, last_results_only, items, shed, summary, left_out })
        };
        let mut all: Vec<Fixed> = ids.iter().filter_map(fixed).filter(|fixed| !fixed.range.is_empty()).collect();
        all.sort_by_key(|fixed| fixed.range.end);
        all
    }
}
