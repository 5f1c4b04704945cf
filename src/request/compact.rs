//! `compact`: mend, walk, check, write.

use super::answer::Outcome;
use super::error::{Error, Unfit};
use super::input::Input;
use super::measure::{Beside, fill};
use super::mend::{mend, price_mended};
use super::unfit::too_large;
use crate::format::Format;
use crate::history::{Repair, check};
use crate::ladder::{
    Blank, Count, Draw, Easel, Elided, Fill, Policy, References, Report, Scene, Stand, candidates_ever, entries,
    grouped, records, replay,
};
use crate::message::edit::Edits;
use crate::message::{Message, Role};
use crate::meter::Meter;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A mended history, priced and ready to walk.
#[derive(Debug)]
pub struct Ready {
    /// What it costs as it came.
    pub before: Count,
    /// What was mended.
    pub repairs: Vec<Repair>,
    /// The mended messages.
    pub history: Vec<Message>,
    /// What they cost, with the envelope.
    pub stands: Fill,
    /// What rounding up the fixed part adds to the replay's prices, in tokens.
    pub rounding: u64,
    /// No event is due anywhere in them.
    pub quiet: bool,
    /// Their results.
    pub references: References,
}

/// A history that was walked: what stands, and the pages that are still to be drawn.
#[derive(Debug)]
pub struct Walked {
    before: Count,
    repairs: Vec<Repair>,
    history: Vec<Message>,
    /// Tokens of the mended history.
    start: u64,
    quiet: bool,
    stand: Stand,
    easel: Result<Easel, Blank>,
    draw: Draw,
}

/// What came out of the walk.
#[derive(Debug)]
pub struct Finished {
    /// The edits and the report.
    pub outcome: Outcome,
    /// What is too large, when it does not fit.
    pub unfit: Option<String>,
}

impl Ready {
    /// Mends and prices.
    ///
    /// # Errors
    /// [`Error::InvalidHistory`] when a rule is broken that no repair may mend.
    pub fn new(input: &mut Input, meter: &mut Meter, beside: Beside, policy: &Policy) -> Result<Ready, Error> {
        let before = count(fill(input, beside), input.messages.len());
        let messages = core::mem::take(&mut input.messages);
        let (mut history, repairs) = mend(messages, input)?;
        price_mended(&mut history, input, meter);
        let mut stands = Fill::of_envelope(beside.tokens(), input.envelope_bytes());
        history.iter().for_each(|message| stands.add(message));
        let leading = history.iter().take_while(|message| message.role == Role::System);
        let fixed = beside.tokens() + leading.map(Message::tokens).sum::<u64>();
        let step = (policy.window / 64).max(1);
        let rounding = fixed.div_ceil(step) * step - fixed;
        // No beginning of a history costs more than the whole: when nothing is due at its end, nothing was on the way.
        let quiet = policy.is_quiet(stands, rounding);
        let references = if quiet { References::default() } else { References::read(&history, &input.store) };
        Ok(Ready { before, repairs, history, stands, rounding, quiet, references })
    }
    /// The results that the caller's placeholder is asked about.
    pub fn placeholders_wanted(&self, input: &Input, policy: &Policy) -> Vec<Elided> {
        candidates_ever(&self.history, &input.store, &self.references, policy)
    }
    /// Walks the history.
    ///
    /// # Errors
    /// [`Error::Internal`] when the result breaks a rule of its format, which is a fault of this package.
    pub fn walk(
        self,
        input: &mut Input,
        meter: &mut Meter,
        beside: Beside,
        policy: &Policy,
        placeholders: &BTreeMap<String, String>,
        mut easel: Result<Easel, Blank>,
    ) -> Result<Walked, Error> {
        let start = self.stands.tokens;
        let mut stand = Stand::default();
        if self.quiet {
            (stand.live, stand.fill) = (self.history.clone(), self.stands);
        } else {
            stand.fill = Fill::of_envelope(beside.tokens(), input.envelope_bytes());
            if let Ok(easel) = &mut easel {
                easel.watch(&self.history, &input.store);
            }
            let rules = input.rules();
            let mut scene = Scene {
                stand,
                history: &self.history,
                rounding: self.rounding,
                store: &mut input.store,
                meter,
                rules,
                policy,
                references: &self.references,
                placeholders,
                easel: &mut easel,
            };
            walk(&mut scene)?;
            stand = scene.stand;
        }
        let draw = Draw::of(&stand);
        let Ready { before, repairs, history, quiet, .. } = self;
        Ok(Walked { before, repairs, history, start, quiet, stand, easel, draw })
    }
}

impl Walked {
    /// Draws one more page; answers how many are drawn and how many there are, `None` when none is left.
    pub fn draw(&mut self, input: &mut Input) -> Option<(u32, u32)> {
        let easel = self.easel.as_mut().ok()?;
        self.draw.next(&mut self.stand, easel, &self.history, &mut input.store)
    }
    /// Writes what stands, and tells what was done.
    pub fn finish(
        self,
        input: &Input,
        format: &dyn Format,
        meter: &Meter,
        beside: Beside,
        policy: &Policy,
    ) -> Finished {
        let Walked { stand, repairs, before, easel, .. } = &self;
        let model = meter.facts().id.clone();
        let fits = policy.fits(stand.fill);
        let shape = easel.as_ref().ok().map(|easel| &easel.plan.shape);
        let report = Report {
            format: format.name(),
            window: policy.window,
            threshold_tokens: policy.act,
            target_tokens: policy.stop,
            before: *before,
            after: count(stand.fill, stand.live.len()),
            estimated: stand.fill.tokens,
            fits,
            rungs: entries(stand, policy, self.start),
            repairs: repairs.clone(),
            records: records(stand, shape, &model),
            model,
        }
        .calibrated(policy);
        let unfit = (!fits).then(|| too_large(&stand.live, stand.fill, beside, policy));
        let written = || stand.live.iter().map(|message| format.write(message, &input.store)).collect();
        let untouched = self.quiet && report.repairs.is_empty();
        let inputs = input.store.inputs();
        let edits = (!untouched).then(|| Edits { messages: written() }).filter(|edits| !edits.is_identity(inputs));
        Finished { outcome: Outcome { edits, report }, unfit }
    }
}

/// The strategy "accept": says whether the request fits, and changes nothing.
pub fn accepted(input: &Input, format: &dyn Format, meter: &Meter, beside: Beside, policy: &Policy) -> Finished {
    let stands = fill(input, beside);
    let figures = count(stands, input.messages.len());
    let fits = policy.fits(stands);
    let report = Report {
        format: format.name(),
        model: meter.facts().id.clone(),
        window: policy.window,
        threshold_tokens: policy.act,
        target_tokens: policy.stop,
        before: figures,
        after: figures,
        estimated: stands.tokens,
        fits,
        rungs: Vec::new(),
        repairs: Vec::new(),
        records: Vec::new(),
    }
    .calibrated(policy);
    let unfit = (!fits).then(|| too_large(&input.messages, stands, beside, policy));
    Finished { outcome: Outcome { edits: None, report }, unfit }
}

impl Finished {
    /// Takes the provider's own count of the request; it decides only whether the request fits.
    pub fn weigh(&mut self, tokens: u64, policy: &Policy) {
        let report = &mut self.outcome.report;
        report.after.tokens = tokens;
        report.fits = tokens <= policy.most;
        if report.fits {
            self.unfit = None;
        } else if self.unfit.is_none() {
            self.unfit = Some(format!(
                "The provider counts {} tokens, and a window of {} leaves {} beside {} for the answer.",
                grouped(tokens),
                grouped(policy.window),
                grouped(policy.most),
                grouped(policy.reserve)
            ));
        }
    }
    /// The answer, or the error that the caller is given when it does not fit.
    ///
    /// # Errors
    /// [`Error::CannotFit`] unless it fits or the caller wants it all the same.
    pub fn result(self, policy: &Policy) -> Result<Outcome, Error> {
        match self.unfit {
            Some(message) if !policy.return_unfit => {
                let Outcome { edits, report } = self.outcome;
                Err(Error::CannotFit(Box::new(Unfit { message, report, edits })))
            }
            _ => Ok(self.outcome),
        }
    }
}

/// Walks a history and checks what comes of it.
fn walk(scene: &mut Scene<'_>) -> Result<(), Error> {
    replay(scene);
    if scene.rules.alternate {
        scene.alternate();
    }
    let broken = check(&scene.stand.live, scene.store, scene.rules);
    match broken.first() {
        None => Ok(()),
        Some(violation) => {
            let words = format!("the result breaks the rule {} at message {}", violation.rule, violation.index);
            Err(Error::Internal(words))
        }
    }
}

/// The figures of a fill.
pub fn count(fill: Fill, messages: usize) -> Count {
    Count { tokens: fill.tokens, bytes: fill.bytes, messages, images: fill.images }
}
