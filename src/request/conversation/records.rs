//! What records did, by their ids. There are few, so they stand in a list in the order of their ids.

use super::lay::Laid;
use alloc::string::String;
use alloc::vec::Vec;

/// The records that were laid, or that a store holds.
#[derive(Default)]
pub(super) struct Records(Vec<(String, Laid)>);

impl Records {
    fn find(&self, id: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(known, _)| known.as_str().cmp(id))
    }
    pub fn get(&self, id: &str) -> Option<&Laid> {
        Some(&self.0.get(self.find(id).ok()?)?.1)
    }
    /// Adds one, or puts it in the place of that of the same id.
    pub fn insert(&mut self, id: String, laid: Laid) {
        match self.find(&id) {
            Ok(at) => self.0[at].1 = laid,
            Err(at) => self.0.insert(at, (id, laid)),
        }
    }
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&str, &mut Laid)> {
        self.0.iter_mut().map(|(id, laid)| (id.as_str(), laid))
    }
}
