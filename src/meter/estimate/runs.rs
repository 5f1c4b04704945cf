//! Runs of ASCII digits, marks and blanks.

use super::bytes::{before, count, differing, eight, index, low_bytes, newlines, no_blanks, no_digits, no_marks};
use super::digest::{Kind, holds_piece};
use super::{BLANKS, DIGIT_GROUPS, DIGITS, MARKS, Scan};
use crate::meter::classes::{BLANK, NEWLINE, PUNCT};

impl Scan<'_> {
    /// Digits, in groups of up to three.
    #[inline(always)]
    pub(super) fn digits(&mut self, start: usize) -> usize {
        let mut end = start;
        loop {
            let stop = no_digits(eight(self.text, end));
            end += index(stop) as usize;
            if stop != 0 {
                break;
            }
        }
        let count = (end - start) as u64;
        self.sums[DIGIT_GROUPS] += count.div_ceil(3) * 256;
        self.sums[DIGITS] += count * 256;
        end
    }

    /// Marks from `first` on, with the space at `start` when that is before `first`, and the newlines that follow.
    #[inline(always)]
    pub(super) fn marks(&mut self, start: usize, first: usize) -> usize {
        let text = self.text;
        if !matches!(self.class(first + 1), PUNCT | NEWLINE) {
            // A mark of its own is always known.
            self.sums[MARKS] += u64::from(self.weights.marks[1]);
            return first + 1;
        }
        let word = eight(text, first);
        let mut end = first;
        let mut chunk = word;
        let mut last = !chunk & 0xff;
        let mut turns = 0;
        loop {
            let stop = no_marks(chunk);
            turns += count(differing(chunk ^ (chunk << 8 | last)) & before(stop));
            end += index(stop) as usize;
            if stop != 0 {
                break;
            }
            last = chunk >> 56;
            chunk = eight(text, end);
        }
        let length = end - first;
        // The loop ends before a newline or not at all; slashes after newlines are marks of the same piece.
        if self.class(end) == NEWLINE && end < text.len() {
            let mut before = text[end - 1];
            while let Some(&byte @ (b'\n' | b'\r' | b'/')) = text.get(end) {
                turns += u32::from(byte != before);
                before = byte;
                end += 1;
            }
        }
        let whole = end - start;
        let piece = if start == first { word } else { word << 8 | u64::from(b' ') };
        let known = whole <= 8 && holds_piece(low_bytes(piece, whole as u32), Kind::Marks);
        let weights = self.weights;
        let mut cost = u64::from(weights.marks[(turns.min(8) as usize - 1) * 2 + usize::from(known)]);
        if turns > 8 {
            cost += u64::from(turns - 8) * u64::from(weights.marks_turn);
        }
        if length > 16 + turns as usize {
            cost += ((length - turns as usize) / 16) as u64 * u64::from(weights.marks_run);
        }
        self.sums[MARKS] += cost;
        end
    }

    /// Blanks and newlines: up to the last newline as one piece; else all but the last blank, which leads what follows.
    #[inline(always)]
    pub(super) fn blanks(&mut self, start: usize) -> usize {
        let text = self.text;
        if !matches!(self.class(start + 1), BLANK | NEWLINE) {
            self.sums[BLANKS] += 256;
            return start + 1;
        }
        let mut end = start;
        let mut line = start;
        let mut turns = 0;
        let mut last = 0;
        loop {
            let chunk = eight(text, end);
            let stop = no_blanks(chunk);
            let inside = before(stop);
            let newlines = newlines(chunk) & inside;
            if newlines != 0 {
                line = end + 8 - newlines.leading_zeros() as usize / 8;
            }
            turns += count(differing(chunk ^ (chunk << 8 | last)) & inside);
            end += index(stop) as usize;
            if stop != 0 {
                break;
            }
            last = chunk >> 56;
        }
        let mixed = u64::from(turns.saturating_sub(3)) * u64::from(self.weights.blank_turn);
        self.sums[BLANKS] += mixed;
        // One token for up to 128 blanks of a kind; a mix of kinds is cut now and then.
        let mut piece = |from: usize, to: usize| self.sums[BLANKS] += 256 + ((to - from - 1) / 128) as u64 * 256;
        if line > start {
            piece(start, line);
        }
        if end == text.len() && line < end {
            piece(line, end);
            return end;
        }
        if end - line < 2 {
            return line;
        }
        piece(line, end - 1);
        end - 1
    }
}
