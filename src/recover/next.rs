//! What to change after an overflow, and when there is nothing left to change. Decided from what was sent and what the provider said of it;
//! who sends is somewhere else.

use super::overflow::{Kind, Overflow};
use crate::message::Value;
use alloc::string::String;
use serde::Serialize;

/// Factors beyond are none that a calibration holds.
const FACTORS: (f64, f64) = (0.5, 3.0);
/// An answer shorter than this is hardly one, in tokens; in a small window a sixteenth of it is.
const SHORTEST: u64 = 1024;
/// No window is smaller or larger, in tokens: such a figure counts something else.
const WINDOWS: core::ops::RangeInclusive<u64> = 256..=1 << 30;

/// A request that was refused.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sent {
    /// Its tokens by the estimator alone.
    pub estimated: u64,
    /// The factor of the calibration it was decided by; 1 without one.
    pub factor: f64,
    /// Bytes of its JSON.
    pub bytes: u64,
    /// Pictures in it.
    pub images: u64,
    /// Tokens it asks for as an answer, if it says so.
    pub output: Option<u64>,
    /// Fewer tokens than this it cannot ask for: what it thinks with, for one.
    pub least: u64,
    /// Tokens that the caller keeps free for the answer, whatever the request asks for.
    pub reserve: Option<u64>,
    /// The window it was made for, in tokens.
    pub window: u64,
}

impl Sent {
    /// Reads one that came across; what it does not say is 0, or 1 for the factor.
    pub fn read(said: Value<'_>) -> Sent {
        let whole =
            |key| said.get(key).and_then(Value::f64).filter(|number| *number >= 0.0).map(|number| number as u64);
        Sent {
            estimated: whole("estimated").unwrap_or_default(),
            factor: said.get("factor").and_then(Value::f64).filter(|factor| *factor > 0.0).unwrap_or(1.0),
            bytes: whole("bytes").unwrap_or_default(),
            images: whole("images").unwrap_or_default(),
            output: whole("output").filter(|output| *output > 0),
            least: whole("least").unwrap_or_default(),
            reserve: whole("reserve"),
            window: whole("window").unwrap_or_default(),
        }
    }
    /// Tokens as they were told: the estimate, corrected.
    fn told(&self) -> u64 {
        ((self.estimated as f64 * self.factor) as u64).max(1)
    }
}

/// Limits of the next request, below those of the provider.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Limits {
    /// Tokens, by the new factor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Bytes of its JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Pictures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub images: Option<u64>,
}

/// One way to make the request smaller; a later one is taken where those before do not make it fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Pass {
    /// The rungs that may run; `None`: all that the caller wants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rungs: Option<&'static [&'static str]>,
    /// Newest pictures that stay; `None`: as many as the caller wants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep_images: Option<u32>,
    /// Whatever is still due: a limit that was met where nothing old was left is not met again by itself.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub force: bool,
}

/// What to change. What is `None` stays as it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Change {
    /// Tokens to ask for as an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<u64>,
    /// Tokens to keep free for it, instead of the caller's wish.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reserve: Option<u64>,
    /// The model's true window, in tokens as calibrated by `factor`. It holds for later requests, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<u64>,
    /// The factor of the calibration, 0.5 to 3. It holds for later requests, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub factor: Option<f64>,
    /// Limits. Those of bytes and pictures hold for later requests, too.
    pub limits: Limits,
    /// Ways to make it smaller. None: the history goes again as it was sent.
    pub passes: &'static [Pass],
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Next {
    /// Change this, and send again.
    Change(Change),
    /// Nothing is left to change; why, in words.
    GiveUp(&'static str),
}

const ALL: &[Pass] = &[Pass { rungs: None, keep_images: None, force: false }];
const PICTURES: Pass = Pass { rungs: Some(&["images"]), keep_images: None, force: false };
const EVERY_PICTURE: Pass = Pass { rungs: Some(&["images"]), keep_images: Some(0), force: true };
/// No summary: it would not help; no pages: they are pictures.
const WORDS: Pass = Pass { rungs: Some(&["elide", "images", "window"]), keep_images: Some(0), force: false };
const PICTURES_FIRST: &[Pass] = &[PICTURES, EVERY_PICTURE, WORDS];

/// Decides what to change after the provider refused `sent`; `tried` counts the recoveries of this request before.
///
/// An answer that was too long is asked for shorter. Bytes and pictures cost pictures, and words only where no picture is left. Tokens: the
/// true window is learnt and the estimate corrected, and what is sent next is smaller than what was refused.
///
/// ```
/// use palimpsest::recover::{Next, Sent, next, overflow};
/// use palimpsest::message::json::doc;
///
/// let words = serde_json::json!("prompt is too long: 213462 tokens > 200000 maximum");
/// let refused = overflow(doc(&words, None)?.root()).ok_or("it is an overflow")?;
/// let sent = Sent { estimated: 190_000, factor: 1.0, window: 200_000, ..Sent::default() };
/// let Next::Change(change) = next(&refused, &sent, 0) else { return Err("it can be mended".into()) };
/// assert_eq!(change.window, Some(200_000));
/// assert!(change.factor > Some(1.12)); // it counted 213,462 where the estimate was 190,000
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub fn next(overflow: &Overflow, sent: &Sent, tried: u32) -> Next {
    match overflow.kind {
        Kind::Output => output(overflow, sent, tried),
        Kind::Tokens => tokens(overflow, sent, tried),
        Kind::Bytes => bytes(overflow, sent),
        Kind::Images => images(overflow, sent),
    }
}

/// The same for JavaScript: `asked` holds `overflow`, `sent` and `tried`.
pub fn next_of(asked: Value<'_>) -> Next {
    let overflow = asked.get("overflow");
    let whole = |key| overflow?.get(key)?.f64().filter(|number| *number >= 0.0).map(|number| number as u64);
    let kind = match overflow.and_then(|overflow| overflow.text("kind")) {
        Some("bytes") => Kind::Bytes,
        Some("images") => Kind::Images,
        Some("output") => Kind::Output,
        _ => Kind::Tokens,
    };
    let overflow =
        Overflow { kind, limit: whole("limit"), actual: whole("actual"), provider: None, message: String::new() };
    let sent = asked.get("sent").map(Sent::read).unwrap_or_default();
    let tried = asked.get("tried").and_then(Value::f64).unwrap_or_default() as u32;
    next(&overflow, &sent, tried)
}

fn output(overflow: &Overflow, sent: &Sent, tried: u32) -> Next {
    let limit = named_window(overflow);
    let window = limit.unwrap_or(sent.window);
    let half = sent.output.unwrap_or(window) / 2;
    let named = limit.zip(overflow.actual).map(|(limit, actual)| limit.saturating_sub(actual));
    let wish = match named {
        // Servers round, and some count a token more in the next request.
        Some(room) => room.saturating_sub((room / 64).max(16)),
        None => half,
    };
    let shortest = SHORTEST.min(window / 16);
    let shortest = if named.is_some() { shortest.min(half) } else { shortest };
    let floor = shortest.max(sent.least).max(1);
    let shorter = sent.output.is_none_or(|asked| wish < asked);
    if wish < floor || !shorter || (named.is_none() && tried > 0) {
        // The answer cannot be shorter, or that did not help: so the rest must be.
        return tokens(overflow, sent, tried);
    }
    let learnt = Learnt::of(overflow, sent);
    Next::Change(Change {
        output: Some(wish),
        window: limit.map(|limit| learnt.scaled(limit)),
        factor: learnt.factor,
        ..Change::default()
    })
}

fn tokens(overflow: &Overflow, sent: &Sent, tried: u32) -> Next {
    let learnt = Learnt::of(overflow, sent);
    let refused = ((sent.estimated as f64 * learnt.factor.unwrap_or(sent.factor)) as u64).max(1);
    let window = match named_window(overflow) {
        Some(limit) => learnt.scaled(limit),
        // Nobody says how much would have been right.
        None if tried == 0 => refused.min(sent.window.max(1)) / 4 * 3,
        None => refused / 2,
    };
    if !WINDOWS.contains(&window) || sent.least >= window {
        return Next::GiveUp("what must stay leaves no room for an answer in the window that the provider has");
    }
    // An answer as long as the window leaves no room for anything else.
    let fair = |wish: Option<u64>| wish.filter(|wish| *wish > window / 2).map(|_| (window / 4).max(sent.least));
    // A second refusal says that the first correction was not enough; without a count nobody knows by how much.
    let less = match (tried, overflow.actual) {
        (0, _) => refused / 16 * 15,
        (_, Some(_)) => refused / 4 * 3,
        (_, None) => refused / 2,
    };
    Next::Change(Change {
        output: fair(sent.output),
        reserve: fair(sent.reserve),
        window: Some(window),
        factor: learnt.factor,
        limits: Limits { tokens: Some(less.max(1)), ..Limits::default() },
        passes: ALL,
    })
}

fn bytes(overflow: &Overflow, sent: &Sent) -> Next {
    // A limit above what was sent counts in another way.
    let most = overflow.limit.filter(|limit| *limit < sent.bytes).unwrap_or(sent.bytes / 2);
    let passes = if sent.images > 0 { PICTURES_FIRST } else { &PICTURES_FIRST[2..] };
    Next::Change(Change {
        limits: Limits { bytes: Some(most.max(1)), ..Limits::default() },
        passes,
        ..Change::default()
    })
}

fn images(overflow: &Overflow, sent: &Sent) -> Next {
    if sent.images == 0 {
        return Next::GiveUp("the provider refuses a picture, and none is left");
    }
    let most = overflow.limit.filter(|limit| *limit < sent.images).unwrap_or(sent.images / 2);
    let limits = Limits { images: Some(most), ..Limits::default() };
    Next::Change(Change { limits, passes: PICTURES_FIRST, ..Change::default() })
}

fn named_window(overflow: &Overflow) -> Option<u64> {
    overflow.limit.filter(|limit| WINDOWS.contains(limit))
}

/// What the figures say about the estimate.
struct Learnt {
    /// The factor of the calibration from now on.
    factor: Option<f64>,
    /// How much more a token of the provider is than one so calibrated: 1 but for an estimate further off than any calibration may say.
    beyond: f64,
}

impl Learnt {
    fn of(overflow: &Overflow, sent: &Sent) -> Learnt {
        let estimated = sent.estimated as f64;
        // Without a count it was at least the limit, if what was asked for as an answer does not explain it.
        let least = || {
            let limit = named_window(overflow).filter(|_| overflow.kind == Kind::Tokens)?;
            let limit = limit.saturating_sub(sent.output.unwrap_or_default());
            (sent.told() < limit).then_some(limit + limit / 16)
        };
        let truly = overflow.actual.filter(|actual| WINDOWS.contains(actual)).or_else(least);
        let Some(factor) = truly.filter(|_| estimated > 0.0).map(|truly| truly as f64 / estimated) else {
            return Learnt { factor: None, beyond: 1.0 };
        };
        let within = factor.clamp(FACTORS.0, FACTORS.1);
        Learnt { factor: Some(within), beyond: (factor / within).max(1.0) }
    }
    fn scaled(&self, tokens: u64) -> u64 {
        (tokens as f64 / self.beyond) as u64
    }
}
