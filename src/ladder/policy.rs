//! When to act, how far to go and what to keep. Validated here, before anything is touched.

use super::{Fill, RUNGS, Rung, grouped};
use crate::message::{Reading, WrongOption, wrong};
use crate::meter::Calibration;
use crate::model::ModelFacts;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// No correction, in the unit of [`Policy::calibrated`].
const ONE: u64 = 1 << 16;

/// What is kept and when to act. Where nothing else is said, figures are tokens of the estimate.
pub struct Policy {
    /// The model's window.
    pub window: u64,
    /// Kept free for the answer.
    pub reserve: u64,
    /// Where it acts.
    pub act: u64,
    /// Where it stops.
    pub stop: u64,
    /// `target` ÷ `threshold`: how far down a pass goes, whatever it started from.
    pub descent: f64,
    /// Most tokens of a request that fits.
    pub most: u64,
    /// Messages kept at the start; `None`: up to and with the first person's message.
    pub keep_head: Option<u32>,
    /// Exchanges kept at the end.
    pub keep_exchanges: u32,
    /// The rungs, cheapest first.
    pub rungs: Vec<&'static dyn Rung>,
    /// Newest results never elided.
    pub keep_results: u32,
    /// Smaller results are left, in tokens.
    pub min_tokens: u32,
    /// Tools whose results are left.
    pub exclude: Vec<String>,
    /// Newest pictures never dropped.
    pub keep_images: u32,
    /// Most bytes of the request.
    pub most_bytes: Option<u64>,
    /// Most pictures of the request.
    pub most_images: Option<u64>,
    /// Change nothing, whatever the fill: strategy "accept".
    pub accepts: bool,
    /// With more pictures than this, each has to be smaller: a shorter edge holds for it.
    pub crowd: Option<u64>,
    /// Act now, whatever the fill.
    pub force: bool,
    /// Return what does not fit, instead of an error.
    pub return_unfit: bool,
    /// What earlier calls of the model cost, compared with the estimate: as figures are told, in 65,536ths.
    calibration: u64,
    /// The same in sixteenths, as it is decided by: a new report seldom makes a new step, and what the walk decided before stands.
    step: u64,
}

/// Tokens kept free for the answer: the caller's wish, else the request's own limit of output, else the model's, at most a quarter of the
/// window. The cap holds for the model's limit only.
fn reserve(options: Reading<'_>, facts: &ModelFacts, max_output: Option<u32>) -> Result<u32, WrongOption> {
    let wish = options.whole("reserveOutput", 0)?;
    Ok(wish.or(max_output).unwrap_or(facts.max_output.min(facts.window / 4)))
}

impl Policy {
    /// Reads the options; `max_output` is the request's own limit of output.
    ///
    /// # Errors
    /// [`WrongOption`] for options that make no sense.
    pub fn read(options: Reading<'_>, facts: &ModelFacts, max_output: Option<u32>) -> Result<Policy, WrongOption> {
        let window = u64::from(facts.window);
        let reserve = u64::from(reserve(options, facts, max_output)?);
        if reserve >= window {
            return Err(WrongOption(format!(
                "{} tokens reserved for the answer leave nothing of a window of {}: \
                 lower the request's limit of output, or set `reserveOutput`.",
                grouped(reserve),
                grouped(window)
            )));
        }
        let threshold = options.number("threshold")?.unwrap_or(0.8);
        // Beside a threshold that leaves no room for the default, the same descent as from 0.8 to 0.5.
        let target = options.number("target")?.unwrap_or(if threshold > 0.5 { 0.5 } else { threshold * 0.625 });
        if !(threshold > 0.0 && threshold <= 1.0) {
            return Err(wrong("threshold", "above 0 and at most 1"));
        }
        if !(target > 0.0 && target < threshold) {
            return Err(wrong("target", "above 0 and below `threshold`"));
        }
        let limits = options.within("limits")?;
        let elide = options.within("elide")?;
        let calibration = Calibration::read(options.get("calibration"))?.filter(|learnt| learnt.is_of(&facts.id));
        let factor = calibration.map_or(1.0, |learnt| learnt.factor);
        // Up to the next sixteenth: what fits by the step fits by the factor too.
        let sixteenths = (factor * 16.0) as u64;
        let step = sixteenths + u64::from(factor * 16.0 > sixteenths as f64);
        let most = limits.whole("tokens", 1)?.map_or(window - reserve, |most| u64::from(most).min(window - reserve));
        let act = most.min((threshold * window as f64) as u64) * 16 / step;
        let descent = target / threshold;
        let hosts = &facts.limits;
        Ok(Policy {
            window,
            reserve,
            act,
            stop: (act as f64 * descent) as u64,
            descent,
            most,
            keep_head: options.whole("keepHead", 0)?,
            keep_exchanges: options.whole("keepExchanges", 1)?.unwrap_or(5),
            rungs: rungs(options)?,
            keep_results: elide.whole("keepResults", 0)?.unwrap_or(5),
            min_tokens: elide.whole("minTokens", 0)?.unwrap_or(100),
            exclude: elide.texts("exclude")?.unwrap_or_default().into_iter().map(str::to_owned).collect(),
            keep_images: options.within("images")?.whole("keep", 0)?.unwrap_or(3),
            most_bytes: limits.whole("bytes", 1)?.or(hosts.request_bytes).map(u64::from),
            most_images: limits.whole("images", 0)?.or(hosts.images).map(u64::from),
            crowd: hosts.crowd.map(|crowd| u64::from(crowd.above)),
            accepts: options.text("strategy")? == Some("accept"),
            force: options.flag("force")?,
            return_unfit: match options.text("onUnfit")? {
                None | Some("throw") => false,
                Some("return") => true,
                Some(_) => return Err(wrong("onUnfit", "\"throw\" or \"return\"")),
            },
            calibration: (factor * ONE as f64 + 0.5) as u64,
            step,
        })
    }
}

impl Policy {
    /// True when the caller wants this rung.
    pub fn wants(&self, rung: &str) -> bool {
        self.rungs.iter().any(|wanted| wanted.name() == rung)
    }
    /// Tokens of the estimate as they are told: corrected by what earlier calls cost.
    pub fn calibrated(&self, tokens: u64) -> u64 {
        (tokens * self.calibration + ONE / 2) / ONE
    }
    /// Tokens of the estimate that are told as at most so many.
    pub fn estimate(&self, told: u64) -> u64 {
        told * ONE / self.calibration
    }
    /// True when no event is due at this fill; `rounding` is what the replay's prices add to the tokens.
    pub fn is_quiet(&self, fill: Fill, rounding: u64) -> bool {
        !self.force && fill.tokens + rounding < self.act && self.is_within_limits(fill)
    }
    /// True when so much can be sent: within the window less the reserve, and within the limits.
    pub fn fits(&self, fill: Fill) -> bool {
        self.calibrated(fill.tokens) <= self.most && self.is_within_limits(fill)
    }
    /// The same as the walk judges it.
    pub fn fits_by_steps(&self, fill: Fill) -> bool {
        fill.tokens * self.step <= self.most * 16 && self.is_within_limits(fill)
    }
    fn is_within_limits(&self, fill: Fill) -> bool {
        self.most_bytes.is_none_or(|most| fill.bytes <= most)
            && self.most_images.is_none_or(|most| fill.images <= most)
            && fill.refused == 0
            && self.crowd.is_none_or(|above| fill.images <= above || fill.large == 0)
    }
}

/// The rungs the caller wants.
fn rungs(options: Reading<'_>) -> Result<Vec<&'static dyn Rung>, WrongOption> {
    match options.text("strategy")? {
        None | Some("ladder") => {}
        Some("accept") => return Ok(Vec::new()),
        Some(_) => return Err(wrong("strategy", "\"ladder\" or \"accept\" in this version")),
    }
    let known = || RUNGS.iter().map(|rung| rung.name());
    let wanted = options.texts("rungs")?;
    if let Some(name) = wanted.iter().flatten().find(|name| !known().any(|known| known == **name)) {
        let known: Vec<&str> = known().collect();
        return Err(WrongOption(format!("There is no rung `{name}`; known are {}.", known.join(", "))));
    }
    let is_wanted = |name: &str| wanted.as_ref().is_none_or(|wanted| wanted.contains(&name));
    Ok(RUNGS.into_iter().filter(|rung| is_wanted(rung.name())).collect())
}
