//! Rows in any order, with any parents → parents before children. What names a parent that is not there, or follows itself in a circle, follows
//! the row that was placed before it: in files and stores that is most often the message it was written after.

use super::arena::Arena;
use super::grow::is_id;
use super::names::Names;
use super::{Fault, Row};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
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
#[derive(Clone, Copy)]
pub(super) struct Around<'a> {
    /// Messages that stay in the store.
    pub rest: &'a dyn Fn(&str) -> bool,
    /// Rows that follow nothing known stay there too.
    pub part: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    No,
    OnTheWay,
    Placed,
    Left,
}

/// Orders rows, each with what it follows, parents before children; and mends them. Before them came `first` others, the last of which is the
/// node `before`.
pub(super) fn order(
    rows: &mut [Row],
    arena: &Arena,
    around: Around<'_>,
    (first, before): (usize, Option<u32>),
    faults: &mut Vec<Fault>,
) -> Vec<(usize, Spot)> {
    let mut placed = Vec::with_capacity(if around.part { 0 } else { rows.len() });
    let is_taken = |id: &str| arena.find(id).is_some() || (around.rest)(id);
    let by_id = name(rows, first, &is_taken, faults);
    let rows = &*rows;
    let follows = |row: usize| -> Option<Spot> {
        let Some(parent) = rows[row].parent.as_deref() else {
            return Some(if around.part { Spot::Left } else { Spot::Root });
        };
        let row = by_id.get(parent).map(|&row| Spot::Row(row as usize));
        let known = || arena.find(parent).map(Spot::Known);
        row.or_else(known).or_else(|| (around.rest)(parent).then_some(Spot::Rest))
    };
    let mut seen = vec![Seen::No; rows.len()];
    let mut last = before.map(Spot::Known);
    for row in 0..rows.len() {
        let (way, circle) = way_up(row, &mut seen, &follows);
        for row in way.into_iter().rev() {
            let under = match follows(row).filter(|_| circle != Some(row)) {
                Some(Spot::Row(parent)) if seen[parent] == Seen::Left => Spot::Left,
                Some(spot) => spot,
                None if around.part => Spot::Left,
                None => {
                    let id = |row: usize| rows[row].new.id.clone();
                    let to = last.map(|last| match last {
                        Spot::Row(row) => id(row),
                        _ => before.map_or_else(String::new, |before| arena.at(before).id().to_owned()),
                    });
                    let parent = rows[row].parent.clone().unwrap_or_default();
                    let closes = circle == Some(row);
                    let id = id(row);
                    faults.push(if closes { Fault::Circle { id, to } } else { Fault::Dangling { id, parent, to } });
                    last.unwrap_or(Spot::Root)
                }
            };
            if under == Spot::Left {
                seen[row] = Seen::Left;
                continue;
            }
            seen[row] = Seen::Placed;
            last = Some(Spot::Row(row));
            placed.push((row, under));
        }
    }
    placed
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
fn name(rows: &mut [Row], first: usize, is_taken: &dyn Fn(&str) -> bool, faults: &mut Vec<Fault>) -> Names {
    let mut by_id = Names::new();
    let mut others = Vec::new();
    for (row, Row { new, .. }) in rows.iter().enumerate() {
        // What follows an id that will not do still finds it; what follows one that is taken finds whoever has it.
        let mut taken = is_taken(&new.id);
        if !taken && let Some(before) = by_id.insert(Arc::from(&*new.id), row as u32) {
            by_id.insert(Arc::from(&*new.id), before);
            taken = true;
        }
        if taken || !is_id(&new.id) {
            others.push(row);
        }
    }
    for row in others {
        let id = &mut rows[row].new.id;
        let bad = !is_id(id);
        let stem: String = id.chars().take(if bad { 0 } else { MOST_STEM }).collect();
        // Rows differ in their number, so no two of these can be equal.
        let number = first + row;
        let mut now = format!("{stem}~{number}");
        while by_id.contains_key(now.as_str()) || is_taken(&now) {
            now = format!("{now}~{number}");
        }
        let id = core::mem::replace(id, now.clone());
        faults.push(if bad { Fault::BadId { row: number, now } } else { Fault::DuplicateId { id, now } });
    }
    by_id
}
