//! The arithmetic of picture billing: tokens of a picture, and the size the provider shrinks it to.
//!
//! Whole numbers throughout, but for one multiplier: two builds must arrive at the same figures.

use serde::Serialize;

/// How a provider bills and shrinks a picture. Sizes in pixels, tokens of the reader's input.
///
/// The JavaScript contract names the four kinds and their fields; `resize`, `minTile` and `whole` are additions, left
/// out where they do not apply.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ImageRule {
    /// Squares, each a token: ⌈w/patch⌉·⌈h/patch⌉.
    Patches {
        /// Side of a square.
        patch: u32,
        /// Longest side, counted in whole squares.
        #[serde(skip_serializing_if = "Option::is_none")]
        max_edge: Option<u32>,
        /// Most squares; before `multiplier`, row breaks and `extra`.
        #[serde(skip_serializing_if = "Option::is_none")]
        max_tokens: Option<u32>,
        /// Tokens a square, rounded up over the whole picture; absent is 1.
        #[serde(skip_serializing_if = "Option::is_none")]
        multiplier: Option<f64>,
        /// One token more a row.
        #[serde(skip_serializing_if = "core::ops::Not::not")]
        row_breaks: bool,
        /// Tokens more a picture.
        #[serde(skip_serializing_if = "Option::is_none")]
        extra: Option<u32>,
        /// How it is shrunk when it is too large.
        #[serde(skip_serializing_if = "Resize::is_search")]
        resize: Resize,
    },
    /// Tiles, each `per_tile` tokens, upon `base`.
    Tiles {
        /// Side of a tile.
        tile: u32,
        /// Tokens of any picture.
        base: u32,
        /// Tokens of each tile.
        per_tile: u32,
        /// Longest side; a larger picture is shrunk to it first.
        #[serde(skip_serializing_if = "Option::is_none")]
        fit_edge: Option<u32>,
        /// Shorter side; a larger one is shrunk to it next. A smaller one is not enlarged.
        #[serde(skip_serializing_if = "Option::is_none")]
        fit_short: Option<u32>,
        /// Most tiles; the picture is laid on the grid of at most so many (64 are tried) that shrinks it least.
        #[serde(skip_serializing_if = "Option::is_none")]
        max_tiles: Option<u32>,
        /// With it the side of a tile is two thirds of the shorter side, from `min_tile` to `tile`.
        #[serde(skip_serializing_if = "Option::is_none")]
        min_tile: Option<u32>,
        /// A picture with both sides up to this is one tile.
        #[serde(skip_serializing_if = "Option::is_none")]
        whole: Option<u32>,
    },
    /// The same for every picture.
    Flat {
        /// Tokens of any picture.
        tokens: u32,
        /// Longest side.
        #[serde(skip_serializing_if = "Option::is_none")]
        max_edge: Option<u32>,
        /// Most pixels.
        #[serde(skip_serializing_if = "Option::is_none")]
        max_pixels: Option<u64>,
    },
    /// By area: `base` and a token for each `pixels_per_token` begun, from `min` to `max`.
    Area {
        /// Pixels that one token pays for.
        pixels_per_token: u32,
        /// Tokens of any picture.
        base: u32,
        /// Fewest tokens.
        min: u32,
        /// Most tokens.
        max: u32,
        /// Most pixels. Absent: as many as `max` tokens pay for.
        #[serde(skip_serializing_if = "Option::is_none")]
        max_pixels: Option<u64>,
    },
}

/// How a picture of too many squares is shrunk. The sides keep their ratio either way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Resize {
    /// To the largest size within the limits: Anthropic.
    #[default]
    Search,
    /// So that one side is a whole number of squares: OpenAI.
    Grid,
}

impl Resize {
    fn is_search(&self) -> bool {
        matches!(self, Self::Search)
    }
}

/// What a picture costs, and what is left of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ImageCost {
    /// Input tokens it is billed.
    pub tokens: u32,
    /// Width in pixels that the model sees; the picture's own where it is not shrunk.
    pub width: u32,
    /// Height, likewise.
    pub height: u32,
}

/// Width and height. Each is below 2³², so that their product fits.
type Size = (u64, u64);

impl ImageRule {
    /// The price of a picture of this size, and the size the provider shrinks it to. A side of 0 counts as 1.
    pub fn cost(&self, width: u32, height: u32) -> ImageCost {
        let size = (u64::from(width.max(1)), u64::from(height.max(1)));
        let (tokens, (width, height)) = match *self {
            Self::Patches { patch, max_edge, max_tokens, multiplier, row_breaks, extra, resize } => {
                let squares = Squares {
                    side: u64::from(patch.max(1)),
                    max_edge: max_edge.map_or(u64::MAX, u64::from),
                    max: max_tokens.map_or(u64::MAX, u64::from),
                };
                let seen = squares.shrink(size, resize);
                let mut tokens = squares.count(seen);
                if row_breaks {
                    tokens = tokens.saturating_add(seen.1.div_ceil(squares.side));
                }
                if let Some(multiplier) = multiplier {
                    tokens = ceil(tokens as f64 * multiplier);
                }
                (tokens.saturating_add(u64::from(extra.unwrap_or(0))), seen)
            }
            Self::Tiles { tile, base, per_tile, fit_edge, fit_short, max_tiles, min_tile, whole } => {
                let mut tile = u64::from(tile.max(1));
                let mut seen = fit(size, size.0.max(size.1), fit_edge);
                seen = fit(seen, seen.0.min(seen.1), fit_short);
                if let Some(least) = min_tile {
                    let least = u64::from(least.max(1)).min(tile);
                    tile = (seen.0.min(seen.1) * 2 / 3).clamp(least, tile);
                }
                let is_whole = whole.is_some_and(|whole| seen.0.max(seen.1) <= u64::from(whole));
                let tiles = if is_whole {
                    1
                } else if let Some(most) = max_tiles {
                    let (across, down) = grid(seen, tile, u64::from(most.clamp(1, 64)));
                    let canvas = (across * tile, down * tile);
                    if seen.0 > canvas.0 {
                        seen = scale(seen, canvas.0, seen.0);
                    }
                    if seen.1 > canvas.1 {
                        seen = scale(seen, canvas.1, seen.1);
                    }
                    across * down
                } else {
                    seen.0.div_ceil(tile).saturating_mul(seen.1.div_ceil(tile))
                };
                let tokens = tiles.saturating_mul(u64::from(per_tile));
                (tokens.saturating_add(u64::from(base)), seen)
            }
            Self::Flat { tokens, max_edge, max_pixels } => {
                let seen = fit(size, size.0.max(size.1), max_edge);
                (u64::from(tokens), fit_pixels(seen, max_pixels.unwrap_or(u64::MAX)))
            }
            Self::Area { pixels_per_token, base, min, max, max_pixels } => {
                let pixels = u64::from(pixels_per_token.max(1));
                let paid = u64::from(max.saturating_sub(base)) * pixels;
                let seen = fit_pixels(size, max_pixels.unwrap_or(paid));
                let paid = (seen.0 * seen.1).div_ceil(pixels);
                let tokens = paid.saturating_add(u64::from(base));
                (tokens.max(u64::from(min)).min(u64::from(max)), seen)
            }
        };
        ImageCost { tokens: narrow(tokens), width: narrow(width), height: narrow(height) }
    }
}

/// Limits of a rule that counts squares; absent ones are `u64::MAX`.
struct Squares {
    side: u64,
    max_edge: u64,
    max: u64,
}

impl Squares {
    fn count(&self, (width, height): Size) -> u64 {
        width.div_ceil(self.side).saturating_mul(height.div_ceil(self.side))
    }

    /// The edge tested is the padded one: whole squares.
    fn holds(&self, size: Size) -> bool {
        let edge = size.0.max(size.1).div_ceil(self.side) * self.side;
        edge <= self.max_edge && self.count(size) <= self.max
    }

    fn shrink(&self, size: Size, resize: Resize) -> Size {
        match resize {
            Resize::Search => self.search(size),
            Resize::Grid => {
                let edge = u32::try_from(self.max_edge).ok();
                let size = fit(size, size.0.max(size.1), edge);
                if self.count(size) <= self.max {
                    return size;
                }
                // A strip so narrow that no whole square is left of it: the formula says nothing.
                self.grid(size).unwrap_or_else(|| self.search(size))
            }
        }
    }

    /// The largest long edge that holds, found by halving: with both sides rounded, neither limit ever falls as it grows.
    fn search(&self, size: Size) -> Size {
        if self.holds(size) {
            return size;
        }
        let long = size.0.max(size.1);
        let (mut low, mut high) = (1, long);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.holds(scale(size, middle, long)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        scale(size, low, long)
    }

    /// First both sides by √(side²·max/(w·h)), then both by what makes the one that loses more a whole number of squares.
    ///
    /// w·s/side = √(w·max/h), so that number is an integer root and nothing is left to floats.
    fn grid(&self, (width, height): Size) -> Option<Size> {
        let across = (width.checked_mul(self.max)? / height).isqrt();
        let down = (height.checked_mul(self.max)? / width).isqrt();
        if across == 0 || down == 0 {
            return None;
        }
        Some(if across * height <= down * width {
            scale((width, height), across * self.side, width)
        } else {
            scale((width, height), down * self.side, height)
        })
    }
}

/// Across and down of the grid of tiles that shrinks a picture least, or else enlarges it least; fewer tiles win a draw.
/// As the processors of Llama and of others like it choose (transformers, models/mllama).
fn grid((width, height): Size, tile: u64, most: u64) -> Size {
    // Scale as a fraction: the smaller of across·tile/width and down·tile/height.
    let factor = |across: u64, down: u64| {
        let (x, y) = ((across * tile, width), (down * tile, height));
        let x_first = u128::from(x.0) * u128::from(y.1) <= u128::from(y.0) * u128::from(x.1);
        if x_first { x } else { y }
    };
    let less = |a: Size, b: Size| u128::from(a.0) * u128::from(b.1) < u128::from(b.0) * u128::from(a.1);
    let mut best = ((1, 1), factor(1, 1));
    for across in 1..=most {
        for down in 1..=most / across {
            let new = factor(across, down);
            let (fits, old_fits) = (new.0 >= new.1, best.1.0 >= best.1.1);
            let closer = if fits { less(new, best.1) } else { less(best.1, new) };
            let draw = !less(new, best.1) && !less(best.1, new);
            let fewer = across * down < best.0.0 * best.0.1;
            let better = if fits == old_fits { closer || (draw && fewer) } else { fits };
            if better {
                best = ((across, down), new);
            }
        }
    }
    best.0
}

/// Shrinks until `side`, one of the size's own, is at most `limit`.
fn fit(size: Size, side: u64, limit: Option<u32>) -> Size {
    match limit {
        Some(limit) if side > u64::from(limit) => scale(size, u64::from(limit), side),
        _ => size,
    }
}

/// Shrinks both sides alike until the area is at most `most`.
fn fit_pixels((width, height): Size, most: u64) -> Size {
    if width * height <= most {
        return (width, height);
    }
    let root = |a: u64, b: u64| {
        let square = u128::from(a) * u128::from(most) / u128::from(b);
        // Below a², since the area was above `most`.
        (square.isqrt() as u64).max(1)
    };
    (root(width, height), root(height, width))
}

/// Both sides by to/from; halves to even, as Python's `round` does in the code that Anthropic publishes. For OpenAI's
/// tiles the nearest pixel is what was measured (community.openai.com, t/1281361: 2049×513 is billed two rows, 2050×513 one).
fn scale((width, height): Size, to: u64, from: u64) -> Size {
    let side = |side: u64| {
        let product = u128::from(side) * u128::from(to);
        let from = u128::from(from);
        let (whole, rest) = ((product / from) as u64, product % from);
        let up = rest * 2 > from || (rest * 2 == from && whole % 2 == 1);
        (whole + u64::from(up)).max(1)
    };
    (side(width), side(height))
}

/// The next whole number; a float that misses one by less than a millionth is that number (2040 · 1.2).
fn ceil(value: f64) -> u64 {
    let whole = value as u64;
    if value - whole as f64 > 1e-6 { whole.saturating_add(1) } else { whole }
}

fn narrow(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
