//! A rule of picture billing as a caller writes it.

use super::error::Error;
use crate::message::Reading;
use crate::model::{ImageRule, Resize};
use alloc::format;

/// Reads the `images` of a caller's model facts; `None` when there are none.
pub(super) fn picture_rule(rule: Reading<'_>) -> Result<Option<ImageRule>, Error> {
    if rule.0.is_none() {
        return Ok(None);
    }
    let need = |key: &str, least: u32| {
        rule.whole(key, least)?
            .ok_or_else(|| Error::Option(format!("The option `model.images` of this kind must have `{key}`.")))
    };
    let pixels = || Ok::<_, Error>(rule.number("maxPixels")?.map(|pixels| pixels as u64));
    Ok(Some(match rule.text("kind")? {
        Some("patches") => ImageRule::Patches {
            patch: need("patch", 1)?,
            max_edge: rule.whole("maxEdge", 1)?,
            max_tokens: rule.whole("maxTokens", 1)?,
            multiplier: rule.number("multiplier")?,
            row_breaks: rule.flag("rowBreaks")?,
            extra: rule.whole("extra", 0)?,
            resize: if rule.text("resize")? == Some("grid") { Resize::Grid } else { Resize::Search },
        },
        Some("tiles") => ImageRule::Tiles {
            tile: need("tile", 1)?,
            base: need("base", 0)?,
            per_tile: need("perTile", 0)?,
            fit_edge: rule.whole("fitEdge", 1)?,
            fit_short: rule.whole("fitShort", 1)?,
            max_tiles: rule.whole("maxTiles", 1)?,
            min_tile: rule.whole("minTile", 1)?,
            whole: rule.whole("whole", 1)?,
        },
        Some("flat") => {
            ImageRule::Flat { tokens: need("tokens", 0)?, max_edge: rule.whole("maxEdge", 1)?, max_pixels: pixels()? }
        }
        Some("area") => ImageRule::Area {
            pixels_per_token: need("pixelsPerToken", 1)?,
            base: need("base", 0)?,
            min: need("min", 0)?,
            max: need("max", 1)?,
            max_pixels: pixels()?,
        },
        _ => return Err(Error::Option("The option `model.images.kind` must be patches, tiles, flat or area.".into())),
    }))
}
