//! Head and tail of what is too long.

use super::{CLOSE, OPEN, clean::grouped};
use alloc::string::String;

/// How much stays, in letters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    head: usize,
    tail: usize,
}

impl Limit {
    /// Of a result. What a tool answers is told by how it begins and how it ends: 40 lines, and the last 20, where errors stand.
    pub const RESULT: Limit = Limit { head: 1_600, tail: 800 };
    /// Of the arguments of a call.
    pub const ARGUMENTS: Limit = Limit { head: 800, tail: 400 };
}

/// Fewer letters than this are not worth a note in their place.
const SLACK: usize = 100;
/// Marks over one letter that a cut goes back for, so as not to part them from it.
const MARKS: usize = 8;

/// Leaves head and tail of what stands in `out` from `from` on, with the count of letters between, when it is longer than both and [`SLACK`].
/// Cuts at line ends where one stands in the last quarter of the head or the first of the tail, and never within a marker.
pub(super) fn cut(out: &mut String, from: usize, limit: Limit) {
    let text = &out[from..];
    // No letter is longer than four bytes, none shorter than one.
    let most = limit.head + limit.tail + SLACK;
    if text.len() <= most || text.chars().count() <= most {
        return;
    }
    let head = text.char_indices().nth(limit.head).map_or(text.len(), |(at, _)| at);
    let tail = text.char_indices().nth_back(limit.tail - 1).map_or(0, |(at, _)| at);
    let head = head_end(&text[..head], &text[head..]);
    let tail = tail + tail_start(&text[tail..]);
    let left_out = text[head..tail].chars().count();
    let mut note = String::from("… [");
    grouped(left_out as u64, &mut note);
    note.push_str(" letters left out] …");
    if text[..tail].ends_with('\n') {
        note.push('\n');
    }
    out.replace_range(from + head..from + tail, &note);
}

fn head_end(head: &str, after: &str) -> usize {
    let mut end = match head.rfind('\n') {
        Some(line) if line >= head.len() - head.len() / 4 => line + 1,
        _ => before_marks(head, after),
    };
    // A marker of a picture within the result.
    if let Some(open) = head[..end].rfind(OPEN).filter(|&open| !head[open..end].contains(CLOSE)) {
        end = open;
    }
    end
}

/// The end of `head`, before the letter whose combining marks begin `after`.
fn before_marks(head: &str, after: &str) -> usize {
    let mark =
        |letter: char| matches!(letter, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{20d0}'..='\u{20ff}');
    if !after.starts_with(mark) {
        return head.len();
    }
    let letter = head.char_indices().rev().take(MARKS).find(|&(_, letter)| !mark(letter));
    letter.map_or(head.len(), |(at, _)| at)
}

fn tail_start(tail: &str) -> usize {
    let mut start = 0;
    if let Some(close) = tail.find(CLOSE).filter(|&close| !tail[..close].contains(OPEN)) {
        start = close + CLOSE.len_utf8();
    }
    match tail[start..].find('\n') {
        Some(line) if start + line < tail.len() / 4 => start + line + 1,
        _ => start,
    }
}
