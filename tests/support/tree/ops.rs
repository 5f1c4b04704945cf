//! Random operations on a conversation.

use palimpsest::message::Role;
use palimpsest::tree::{Brief, Call};
use proptest::prelude::*;
use proptest::sample::Index;

/// One thing that a client does, or that happens to it.
#[derive(Clone, Debug)]
pub enum Op {
    /// Most often after the tip.
    Append(Option<Index>, Brief),
    AppendRoot(Brief),
    /// Under an id that the other client uses too.
    AppendNamed(u8, Brief),
    Edit(Index, Brief),
    Branch(Option<Index>),
    Select(Index),
    Update(Index, Brief),
    Checkpoint(u8),
    Rewind(u8),
    /// From one message of the path to another, or between any two; one time in a while under an id that was used.
    Record {
        from: Index,
        to: Index,
        on_path: bool,
        whole: bool,
        again: bool,
    },
    Uncompact(Index),
    Duplicate(Option<Index>),
    TakeBack,
    Begin,
    End(Fate),
    Commit,
    /// Reads everything again, or the newest part of the path, or takes everything through a file.
    Reopen,
    ReopenPart(Option<u8>, Option<u8>),
    Import,
    /// Hears of what the other wrote.
    Hear,
}

/// What becomes of a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    Written,
    /// Not written: no room.
    Refused,
    /// Written, but the answer was lost.
    Unheard,
}

pub fn brief() -> impl Strategy<Value = Brief> {
    let id = prop::sample::select(vec!["a", "b", "c", ""]).prop_map(str::to_owned);
    let call = id.clone().prop_map(|id| Call { id, name: "tool".to_owned() });
    let plain = |role: Role| Brief { role, person: role == Role::User, calls: Vec::new(), results: Vec::new() };
    let results = prop::collection::vec(id, 1..3);
    prop_oneof![
        4 => Just(plain(Role::User)),
        4 => Just(plain(Role::Assistant)),
        1 => Just(plain(Role::System)),
        4 => prop::collection::vec(call.clone(), 1..3).prop_map(move |calls| Brief { calls, ..plain(Role::Assistant) }),
        6 => results.clone().prop_map(move |results| Brief { results, ..plain(Role::Tool) }),
        1 => results.clone().prop_map(move |results| Brief { results, ..plain(Role::User) }),
        1 => (prop::collection::vec(call, 1..3), results)
            .prop_map(move |(calls, results)| Brief { calls, results, ..plain(Role::Assistant) }),
    ]
}

fn op() -> impl Strategy<Value = Op> {
    let index = any::<Index>;
    let fate = prop_oneof![4 => Just(Fate::Written), 1 => Just(Fate::Refused), 1 => Just(Fate::Unheard)];
    prop_oneof![
        24 => brief().prop_map(|brief| Op::Append(None, brief)),
        3 => (index(), brief()).prop_map(|(at, brief)| Op::Append(Some(at), brief)),
        1 => brief().prop_map(Op::AppendRoot),
        1 => (0u8..3, brief()).prop_map(|(id, brief)| Op::AppendNamed(id, brief)),
        2 => (index(), brief()).prop_map(|(at, brief)| Op::Edit(at, brief)),
        4 => prop::option::weighted(0.9, index()).prop_map(Op::Branch),
        3 => index().prop_map(Op::Select),
        2 => (index(), brief()).prop_map(|(at, brief)| Op::Update(at, brief)),
        3 => (0u8..4).prop_map(Op::Checkpoint),
        2 => (0u8..5).prop_map(Op::Rewind),
        4 => (index(), index(), prop::bool::weighted(0.9), prop::bool::weighted(0.7), prop::bool::weighted(0.1))
            .prop_map(|(from, to, on_path, whole, again)| Op::Record { from, to, on_path, whole, again }),
        1 => index().prop_map(Op::Uncompact),
        1 => prop::option::of(index()).prop_map(Op::Duplicate),
        2 => Just(Op::TakeBack),
        2 => Just(Op::Begin),
        3 => fate.prop_map(Op::End),
        5 => Just(Op::Commit),
        1 => Just(Op::Reopen),
        1 => (prop::option::of(0u8..8), prop::option::of(0u8..80)).prop_map(|(messages, tokens)| Op::ReopenPart(messages, tokens)),
        1 => Just(Op::Hear),
        1 => prop::bool::weighted(0.15).prop_map(|import| if import { Op::Import } else { Op::Reopen }),
    ]
}

/// What two clients of one conversation do, in turns of random length.
pub fn ops(most: usize) -> impl Strategy<Value = Vec<(bool, Op)>> {
    prop::collection::vec((prop::bool::weighted(0.3), op()), 1..most)
}
