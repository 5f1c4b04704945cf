//! Rows in any order, with any parents → parents before children. What names a parent that is not there, or follows itself in a circle, follows
//! the row that was placed before it: in files and stores that is most often the message it was written after.

use super::grow::MOST_ID;
use super::{Fault, Row};
use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// Letters of an id that stay when it must become another: four bytes each and some digits are within what an id may have.
const MOST_STEM: usize = 64;

/// What a row follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    /// Nothing.
    Root,
    /// A node of the tree.
    Known(u32),
    /// A message that stayed in the store.
    Rest,
    /// Another row.
    Row(usize),
    /// It stays in the store with what it follows.
    Left,
}

/// What is known beside the rows.
pub(super) struct Around<'a> {
    /// Nodes of the tree.
    pub known: &'a dyn Fn(&str) -> Option<u32>,
    /// Messages that stay in the store.
    pub rest: &'a dyn Fn(&str) -> bool,
    /// Rows that follow nothing known stay in the store too.
    pub part: bool,
}

/// The rows in order, and ids that had to change.
#[derive(Debug, Default)]
pub(super) struct Ordered {
    /// Rows with what they follow, parents before children.
    pub placed: Vec<(usize, Spot)>,
    /// New ids by row.
    pub renamed: BTreeMap<usize, String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    No,
    OnTheWay,
    Placed,
    Left,
}

/// Orders rows and mends them.
pub(super) fn order(rows: &[Row], around: &Around<'_>, faults: &mut Vec<Fault>) -> Ordered {
    let mut ordered = Ordered::default();
    let by_id = name(rows, around, &mut ordered.renamed, faults);
    let follows = |row: usize| -> Option<Spot> {
        let Some(parent) = rows[row].parent.as_deref() else {
            return Some(if around.part { Spot::Left } else { Spot::Root });
        };
        let row = by_id.get(parent).map(|&row| Spot::Row(row));
        let known = || (around.known)(parent).map(Spot::Known);
        row.or_else(known).or_else(|| (around.rest)(parent).then_some(Spot::Rest))
    };
    let mut seen = vec![Seen::No; rows.len()];
    let mut last: Option<usize> = None;
    for row in 0..rows.len() {
        let (way, circle) = way_up(row, &mut seen, &follows);
        for row in way.into_iter().rev() {
            let under = match follows(row).filter(|_| circle != Some(row)) {
                Some(Spot::Row(parent)) if seen[parent] == Seen::Left => Spot::Left,
                Some(spot) => spot,
                None if around.part => Spot::Left,
                None => {
                    let id = |row: usize| ordered.renamed.get(&row).unwrap_or(&rows[row].new.id).clone();
                    let to = last.map(id);
                    let parent = rows[row].parent.clone().unwrap_or_default();
                    let closes = circle == Some(row);
                    let id = id(row);
                    faults.push(if closes { Fault::Circle { id, to } } else { Fault::Dangling { id, parent, to } });
                    last.map_or(Spot::Root, Spot::Row)
                }
            };
            if under == Spot::Left {
                seen[row] = Seen::Left;
                continue;
            }
            seen[row] = Seen::Placed;
            last = Some(row);
            ordered.placed.push((row, under));
        }
    }
    ordered
}

/// The rows from one up to the first below what was seen before, each followed by its parent; and the first row of a circle, which then stands
/// last.
fn way_up(row: usize, seen: &mut [Seen], follows: &dyn Fn(usize) -> Option<Spot>) -> (Vec<usize>, Option<usize>) {
    let mut way = Vec::new();
    let mut at = row;
    while seen[at] == Seen::No {
        seen[at] = Seen::OnTheWay;
        way.push(at);
        match follows(at) {
            Some(Spot::Row(parent)) => at = parent,
            _ => return (way, None),
        }
    }
    let Some(start) = way.iter().position(|&row| row == at) else {
        return (way, None);
    };
    let circle = &mut way[start..];
    let first = circle.iter().enumerate().min_by_key(|&(_, row)| *row).map_or(0, |(place, _)| place);
    circle.rotate_left(first + 1);
    let opened = way.last().copied();
    (way, opened)
}

/// Rows by id; those that share one or have none that will do get another.
fn name<'a>(
    rows: &'a [Row],
    around: &Around<'_>,
    renamed: &mut BTreeMap<usize, String>,
    faults: &mut Vec<Fault>,
) -> BTreeMap<&'a str, usize> {
    let mut by_id: BTreeMap<&str, usize> = BTreeMap::new();
    let mut others = Vec::new();
    for (row, Row { new, .. }) in rows.iter().enumerate() {
        let bad = new.id.is_empty() || new.id.len() > MOST_ID;
        // What follows an id that will not do still finds it.
        if *by_id.entry(&new.id).or_insert(row) != row || bad {
            others.push((row, bad));
        }
    }
    for (row, bad) in others {
        let id = &rows[row].new.id;
        let stem: String = id.chars().take(if bad { 0 } else { MOST_STEM }).collect();
        // Rows differ in their number, so no two of these can be equal.
        let mut now = format!("{stem}~{row}");
        while by_id.contains_key(now.as_str()) || (around.known)(&now).is_some() || (around.rest)(&now) {
            now = format!("{now}~{row}");
        }
        faults.push(if bad {
            Fault::BadId { row, now: now.clone() }
        } else {
            Fault::DuplicateId { id: id.to_owned(), now: now.clone() }
        });
        renamed.insert(row, now);
    }
    by_id
}
