//! Fonts drawn in pixels: outlines of nothing but corners on a coarse grid. At a multiple of their own size they are sharp, between they are not.

use super::path::{Path, Stroke};

/// Letters that tell.
pub(super) const SAMPLE: &str = "aegkmsHMRS0258@&一国語あ한글";
/// The finest grid that is one: fonts drawn in pixels have up to 32 an em.
const FINEST: u32 = 32;
/// Letters that must have been there to judge by.
const LEAST: u32 = 4;

/// Pixels an em, when the corners of all sample letters stand on one grid and nothing is curved.
pub(super) fn find(em: u32, sample: impl Iterator<Item = Path>) -> Option<u32> {
    let (mut unit, mut seen) = (em, 0);
    for path in sample {
        seen += 1;
        if path.strokes.iter().any(|stroke| !matches!(stroke, Stroke::Move(_) | Stroke::Line(_))) {
            return None;
        }
        // Corners of pixels are whole numbers. For others the divisor comes out too small, which is an answer, too.
        path.points(|(x, y)| unit = divisor(divisor(unit, (x as i32).unsigned_abs()), (y as i32).unsigned_abs()));
    }
    // The unit divides the em, for it began as that.
    let pixels = em / unit;
    (seen >= LEAST && pixels <= FINEST).then_some(pixels)
}

/// Greatest common divisor; of a number and 0 the number.
fn divisor(mut a: u32, mut b: u32) -> u32 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
