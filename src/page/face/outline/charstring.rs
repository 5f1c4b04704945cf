//! Programs that draw PostScript outlines: Adobe's Technical Note 5177, without its arithmetic, which no font uses, and without hints.

use super::cff::{count, entry, number, short};
use super::path::{Path, Stroke};
use super::read::u8_at;
use alloc::vec::Vec;
use core::ops::Range;

/// Operators and numbers of a glyph at most: subroutines that call others twice, ten deep, would run for minutes.
const MOST_STEPS: u32 = 1 << 16;
/// Subroutines within subroutines, and numbers waiting for an operator: limits of the Note's appendix B.
const DEEPEST: u32 = 10;
const MOST_NUMBERS: usize = 48;

/// A charstring at work.
pub(super) struct Run<'a> {
    data: &'a [u8],
    global: usize,
    local: Option<usize>,
    path: Path,
    numbers: Vec<f32>,
    stems: usize,
    x: f32,
    y: f32,
    steps: u32,
}

impl<'a> Run<'a> {
    /// `data` is the table; `global` and `local` are where the lists of its subroutines stand.
    pub fn new(data: &'a [u8], global: usize, local: Option<usize>) -> Run<'a> {
        let (path, numbers) = (Path::default(), Vec::with_capacity(MOST_NUMBERS));
        Run { data, global, local, path, numbers, stems: 0, x: 0.0, y: 0.0, steps: MOST_STEPS }
    }

    /// The outline that the program at `code` draws; `None` when it is damaged.
    pub fn path(mut self, code: Range<usize>) -> Option<Path> {
        self.run(code, DEEPEST)?;
        Some(self.path)
    }

    /// `Some(true)` when the glyph has ended, not only the subroutine.
    fn run(&mut self, code: Range<usize>, depth: u32) -> Option<bool> {
        let data = self.data.get(code)?;
        let mut at = 0;
        while let Some(byte) = u8_at(data, at) {
            at += 1;
            self.steps = self.steps.checked_sub(1)?;
            let number = match byte {
                28 => number(data, &mut at, 2)? as f32,
                255 => number(data, &mut at, 4)? as f32 / 65536.0,
                32.. => short(byte, data, &mut at)? as f32,
                11 => return Some(false),
                14 => return Some(true),
                10 | 29 => {
                    let index = if byte == 10 { self.local? } else { self.global };
                    let bias = match count(self.data, index)? {
                        0..1240 => 107,
                        1240..33900 => 1131,
                        _ => 32768,
                    };
                    let called = usize::try_from(self.numbers.pop()? as i32 + bias).ok()?;
                    if self.run(entry(self.data, index, called)?, depth.checked_sub(1)?)? {
                        return Some(true);
                    }
                    continue;
                }
                1 | 3 | 18 | 23 | 19 | 20 => {
                    // Hints; an odd number in front is the width.
                    self.stems += self.numbers.len() / 2;
                    self.numbers.clear();
                    if byte == 19 || byte == 20 {
                        at += self.stems.div_ceil(8);
                    }
                    continue;
                }
                12 => {
                    at += 1;
                    self.flex(u8_at(data, at - 1)?)?;
                    self.numbers.clear();
                    continue;
                }
                _ => {
                    self.draw(byte)?;
                    self.numbers.clear();
                    continue;
                }
            };
            if self.numbers.len() == MOST_NUMBERS {
                return None;
            }
            self.numbers.push(number);
        }
        Some(false)
    }

    fn draw(&mut self, operator: u8) -> Option<()> {
        let numbers = core::mem::take(&mut self.numbers);
        let all = numbers.as_slice();
        match operator {
            // Moves: the last numbers count, one more in front is the width.
            21 | 22 | 4 => {
                let &last = all.last()?;
                let (dx, dy) = match operator {
                    21 => (*all.get(all.len().checked_sub(2)?)?, last),
                    22 => (last, 0.0),
                    _ => (0.0, last),
                };
                (self.x, self.y) = (self.x + dx, self.y + dy);
                self.path.push(Stroke::Move((self.x, self.y)))?;
            }
            5 => self.lines(all)?,
            // Lines across and up by turns.
            6 | 7 => {
                for (i, &by) in all.iter().enumerate() {
                    if (operator == 6) == (i % 2 == 0) { self.line(by, 0.0)? } else { self.line(0.0, by)? }
                }
            }
            8 => self.curves(all)?,
            // Curves, then a line; lines, then a curve.
            24 => {
                let (curves, line) = all.split_at_checked(all.len().checked_sub(2)?)?;
                self.curves(curves)?;
                self.lines(line)?;
            }
            25 => {
                let (lines, curve) = all.split_at_checked(all.len().checked_sub(6)?)?;
                self.lines(lines)?;
                self.curves(curve)?;
            }
            // Curves that begin and end upright, or level.
            26 | 27 => {
                let (mut odd, rest) = all.split_at_checked(all.len() % 4)?;
                for four in rest.as_chunks::<4>().0 {
                    let &[a, bx, by, c] = four;
                    let aside = odd.first().copied().unwrap_or(0.0);
                    odd = &[];
                    if operator == 26 {
                        self.curve([aside, a, bx, by, 0.0, c])?;
                    } else {
                        self.curve([a, aside, bx, by, c, 0.0])?;
                    }
                }
            }
            // Curves that begin level and end upright, and the other way, by turns.
            30 | 31 => {
                let fours = all.len() / 4;
                for (i, four) in all.as_chunks::<4>().0.iter().enumerate() {
                    let &[a, bx, by, c] = four;
                    let odd = if i + 1 == fours && all.len() % 4 == 1 { *all.last()? } else { 0.0 };
                    if (operator == 31) == (i % 2 == 0) {
                        self.curve([a, 0.0, bx, by, odd, c])?;
                    } else {
                        self.curve([0.0, a, bx, by, c, odd])?;
                    }
                }
            }
            _ => return None,
        }
        self.numbers = numbers;
        Some(())
    }

    /// Two curves that are nearly a line.
    fn flex(&mut self, operator: u8) -> Option<()> {
        let all = core::mem::take(&mut self.numbers);
        let n = |i: usize| all.get(i).copied();
        match operator {
            35 => self.curves(all.get(..12)?)?,
            34 => {
                self.curve([n(0)?, 0.0, n(1)?, n(2)?, n(3)?, 0.0])?;
                self.curve([n(4)?, 0.0, n(5)?, -n(2)?, n(6)?, 0.0])?;
            }
            36 => {
                let back = -(n(1)? + n(3)? + n(7)?);
                self.curve([n(0)?, n(1)?, n(2)?, n(3)?, n(4)?, 0.0])?;
                self.curve([n(5)?, 0.0, n(6)?, n(7)?, n(8)?, back])?;
            }
            37 => {
                let (dx, dy) = (n(0)? + n(2)? + n(4)? + n(6)? + n(8)?, n(1)? + n(3)? + n(5)? + n(7)? + n(9)?);
                self.curve([n(0)?, n(1)?, n(2)?, n(3)?, n(4)?, n(5)?])?;
                // The last number goes along the longer way; the other way it comes back.
                let (x, y) = if dx.abs() > dy.abs() { (n(10)?, -dy) } else { (-dx, n(10)?) };
                self.curve([n(6)?, n(7)?, n(8)?, n(9)?, x, y])?;
            }
            _ => return None,
        }
        self.numbers = all;
        Some(())
    }

    fn line(&mut self, dx: f32, dy: f32) -> Option<()> {
        (self.x, self.y) = (self.x + dx, self.y + dy);
        self.path.push(Stroke::Line((self.x, self.y)))
    }

    fn lines(&mut self, numbers: &[f32]) -> Option<()> {
        numbers.as_chunks::<2>().0.iter().try_for_each(|&[dx, dy]| self.line(dx, dy))
    }

    fn curve(&mut self, [ax, ay, bx, by, cx, cy]: [f32; 6]) -> Option<()> {
        let a = (self.x + ax, self.y + ay);
        let b = (a.0 + bx, a.1 + by);
        (self.x, self.y) = (b.0 + cx, b.1 + cy);
        self.path.push(Stroke::Cubic(a, b, (self.x, self.y)))
    }

    fn curves(&mut self, numbers: &[f32]) -> Option<()> {
        numbers.as_chunks::<6>().0.iter().try_for_each(|&numbers| self.curve(numbers))
    }
}
