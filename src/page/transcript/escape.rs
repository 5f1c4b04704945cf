//! Escape sequences of terminals (ECMA-48, and what xterm adds).
//!
//! They go without a trace: colours and moves of the cursor say nothing on a page, and titles, links and clipboard are not what the terminal
//! showed. Only a long string leaves a note of its size. A sequence that is not whole is no sequence: its escape is shown and the rest is text,
//! so that nothing can be hidden behind one.

use super::clean::{Cleaner, grouped};

/// Longest string within a sequence that goes without a note, in bytes: links and titles are shorter, pictures and clipboards are not.
const STRING: usize = 256;

impl Cleaner<'_> {
    /// An escape stands at `at`; answers where the text goes on.
    pub fn escape(&mut self, at: usize, end: usize) -> usize {
        let rest = self.text.as_bytes().get(at + 1..end).unwrap_or_default();
        match sequence(rest) {
            Some(len) => {
                if len > STRING {
                    self.out.push_str("[escape ");
                    grouped(len as u64, self.out);
                    self.out.push_str(" bytes]");
                }
                at + 1 + len
            }
            None => {
                self.show('\u{1b}');
                at + 1
            }
        }
    }
}

/// Bytes of the sequence behind an escape. Looks no further than the next control letter, so all looks together are linear.
fn sequence(rest: &[u8]) -> Option<usize> {
    let (&first, body) = rest.split_first()?;
    match first {
        b'[' => {
            let parameters = body.iter().take_while(|byte| matches!(byte, 0x30..=0x3f)).count();
            Some(1 + parameters + ended(&body[parameters..], 0x40)?)
        }
        // A command, a device's string, a message, a program's command.
        b']' | b'P' | b'X' | b'^' | b'_' => {
            let len = body.iter().position(|byte| *byte < b' ')?;
            match body.get(len..)? {
                [0x07, ..] if first == b']' => Some(1 + len + 1),
                [0x1b, b'\\', ..] => Some(1 + len + 2),
                _ => None,
            }
        }
        b' '..=b'/' => ended(rest, 0x30),
        b'0'..=b'~' => Some(1),
        _ => None,
    }
}

/// Bytes of intermediates and the final that ends them, which is `least` or above.
fn ended(rest: &[u8], least: u8) -> Option<usize> {
    let between = rest.iter().take_while(|byte| matches!(byte, b' '..=b'/')).count();
    let last = *rest.get(between)?;
    (least..=b'~').contains(&last).then_some(between + 1)
}
