//! TrueType outlines: the tables `loca` and `glyf`.

use super::path::{Path, Point, Stroke};
use super::read::{i8_at, i16_at, slice, u8_at, u16_at, u32_at};
use alloc::vec::Vec;

/// How deep glyphs may be made of glyphs, and of how many in all. Real ones stay below 3 and 20.
const DEEPEST: u32 = 8;
const MOST_PARTS: u32 = 256;

/// Both tables.
#[derive(Clone, Copy)]
pub(super) struct Glyphs<'a> {
    /// Where each glyph stands in `glyf`.
    pub loca: &'a [u8],
    /// Offsets are of 32 bits, not 16 in steps of two.
    pub long: bool,
    /// The outlines.
    pub glyf: &'a [u8],
}

impl<'a> Glyphs<'a> {
    /// The outline of a glyph; `None` when it is damaged.
    pub fn path(&self, glyph: u16) -> Option<Path> {
        let mut path = Path::default();
        self.add(glyph, &Turn::NONE, DEEPEST, &mut { MOST_PARTS }, &mut path)?;
        Some(path)
    }

    fn data(&self, glyph: u16) -> Option<&'a [u8]> {
        let at = usize::from(glyph);
        let (from, to) = if self.long {
            (u32_at(self.loca, 4 * at)?, u32_at(self.loca, 4 * at + 4)?)
        } else {
            (2 * usize::from(u16_at(self.loca, 2 * at)?), 2 * usize::from(u16_at(self.loca, 2 * at + 2)?))
        };
        self.glyf.get(from..to)
    }

    fn add(&self, glyph: u16, turn: &Turn, depth: u32, parts: &mut u32, path: &mut Path) -> Option<()> {
        *parts = parts.checked_sub(1)?;
        let data = self.data(glyph)?;
        if data.is_empty() {
            return Some(()); // a space
        }
        match i16_at(data, 0)? {
            0 => Some(()),
            contours @ 1.. => simple(data, contours as usize, turn, path),
            _ => self.composite(data, turn, depth.checked_sub(1)?, parts, path),
        }
    }

    fn composite(&self, data: &[u8], turn: &Turn, depth: u32, parts: &mut u32, path: &mut Path) -> Option<()> {
        let mut at = 10;
        loop {
            let flags = u16_at(data, at)?;
            let glyph = u16_at(data, at + 2)?;
            at += 4;
            let mut part = Turn::NONE;
            let words = flags & 1 != 0;
            // Otherwise two points of the outlines are to meet, which no font of today asks for.
            if flags & 2 != 0 {
                part.x = f32::from(if words { i16_at(data, at)? } else { i8_at(data, at)?.into() });
                part.y = f32::from(if words { i16_at(data, at + 2)? } else { i8_at(data, at + 1)?.into() });
            }
            at += if words { 4 } else { 2 };
            let mut scale = || {
                at += 2;
                Some(f32::from(i16_at(data, at - 2)?) / 16384.0)
            };
            if flags & 0x8 != 0 {
                part.xx = scale()?;
                part.yy = part.xx;
            } else if flags & 0x40 != 0 {
                (part.xx, part.yy) = (scale()?, scale()?);
            } else if flags & 0x80 != 0 {
                (part.xx, part.xy, part.yx, part.yy) = (scale()?, scale()?, scale()?, scale()?);
            }
            self.add(glyph, &part.then(turn), depth, parts, path)?;
            if flags & 0x20 == 0 {
                return Some(());
            }
        }
    }
}

/// How a part of a composite glyph is scaled, turned and moved.
struct Turn {
    xx: f32,
    xy: f32,
    yx: f32,
    yy: f32,
    x: f32,
    y: f32,
}

impl Turn {
    const NONE: Turn = Turn { xx: 1.0, xy: 0.0, yx: 0.0, yy: 1.0, x: 0.0, y: 0.0 };

    fn of(&self, (x, y): Point) -> Point {
        (x * self.xx + y * self.yx + self.x, x * self.xy + y * self.yy + self.y)
    }

    /// This first, the outer one after.
    fn then(&self, outer: &Turn) -> Turn {
        let (x, y) = outer.of((self.x, self.y));
        Turn {
            xx: self.xx * outer.xx + self.xy * outer.yx,
            xy: self.xx * outer.xy + self.xy * outer.yy,
            yx: self.yx * outer.xx + self.yy * outer.yx,
            yy: self.yx * outer.xy + self.yy * outer.yy,
            x,
            y,
        }
    }
}

/// Bits of a point's flag.
const ON_CURVE: u8 = 1;
const REPEAT: u8 = 8;

fn simple(data: &[u8], contours: usize, turn: &Turn, path: &mut Path) -> Option<()> {
    let ends = slice(data, 10, 2 * contours)?;
    let count = usize::from(u16_at(ends, 2 * contours - 2)?) + 1;
    let instructions = 10 + 2 * contours;
    let mut at = instructions + 2 + usize::from(u16_at(data, instructions)?);

    let mut flags: Vec<u8> = Vec::new();
    while flags.len() < count {
        let flag = u8_at(data, at)?;
        at += 1;
        let mut times = 1;
        if flag & REPEAT != 0 {
            times += usize::from(u8_at(data, at)?);
            at += 1;
        }
        flags.resize((flags.len() + times).min(count), flag);
    }
    let xs = coordinates(data, &mut at, &flags, 2, 0x10)?;
    let ys = coordinates(data, &mut at, &flags, 4, 0x20)?;
    let points: Vec<(Point, bool)> = (flags.iter().zip(xs).zip(ys))
        .map(|((flag, x), y)| (turn.of((f32::from(x), f32::from(y))), flag & ON_CURVE != 0))
        .collect();

    let mut from = 0;
    for i in 0..contours {
        let to = usize::from(u16_at(ends, 2 * i)?) + 1;
        contour(points.get(from..to)?, path)?;
        from = to;
    }
    Some(())
}

/// Deltas, of a byte (`short`), of two, or none; `same` says which sign a byte has, and that there is none.
fn coordinates(data: &[u8], at: &mut usize, flags: &[u8], short: u8, same: u8) -> Option<Vec<i16>> {
    let mut value = 0i16;
    let mut all = Vec::with_capacity(flags.len());
    for flag in flags {
        let delta = match (flag & short != 0, flag & same != 0) {
            (true, positive) => {
                let delta = i16::from(u8_at(data, *at)?);
                *at += 1;
                if positive { delta } else { -delta }
            }
            (false, true) => 0,
            (false, false) => {
                *at += 2;
                i16_at(data, *at - 2)?
            }
        };
        value = value.wrapping_add(delta);
        all.push(value);
    }
    Some(all)
}

/// Between two control points in a row lies a point of the curve, in the middle.
fn contour(points: &[(Point, bool)], path: &mut Path) -> Option<()> {
    let (Some(&(first, first_on)), Some(&(last, last_on))) = (points.first(), points.last()) else { return Some(()) };
    let start = match (first_on, last_on) {
        (true, _) => first,
        (false, true) => last,
        (false, false) => middle(first, last),
    };
    path.push(Stroke::Move(start))?;
    let mut control = None;
    for &(point, on) in points.get(usize::from(first_on)..)? {
        match (control, on) {
            (None, true) => path.push(Stroke::Line(point))?,
            (Some(bend), true) => path.push(Stroke::Quad(bend, point))?,
            (None, false) => {}
            (Some(bend), false) => path.push(Stroke::Quad(bend, middle(bend, point)))?,
        }
        control = (!on).then_some(point);
    }
    match control {
        Some(bend) => path.push(Stroke::Quad(bend, start)),
        None => Some(()),
    }
}

fn middle(a: Point, b: Point) -> Point {
    ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0)
}
