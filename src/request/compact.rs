//! `compact`: mend, walk, check, write.

use super::answer::Outcome;
use super::error::{Error, Unfit};
use super::input::Input;
use super::measure::{Beside, fill};
use super::mend::{mend, price_mended};
use super::unfit::too_large;
use crate::format::{Format, Rules};
use crate::history::{Repair, check};
use crate::ladder::{
    Blank, Count, Draw, Easel, Elided, Fill, Fixed, Originals, Policy, Question, References, Report, Scene, Stand,
    Summaries, Told, Walk, candidates_ever, entries, grouped, records, replay,
};
use crate::message::edit::Edits;
use crate::message::{Message, Role, Store};
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
    /// What was decided about them earlier.
    pub fixed: Vec<Fixed>,
}

/// A history that was walked: what stands, and the pages that are still to be drawn.
#[derive(Debug)]
pub struct Walked {
    before: Count,
    repairs: Vec<Repair>,
    history: Vec<Message>,
    /// What the mended history costs, with the envelope.
    whole: Fill,
    rounding: u64,
    references: References,
    stand: Stand,
    easel: Result<Easel, Blank>,
    originals: Originals,
    draw: Draw,
    fixed: Vec<Fixed>,
    /// Placeholders of the caller's own, by reference.
    placeholders: BTreeMap<String, String>,
    summaries: Summaries,
    way: Way,
}

/// How far a history is walked.
#[derive(Debug)]
enum Way {
    /// The walk is under way; so many layers were laid before it began.
    Walking(Walk, usize),
    /// It is over, and may go on from here when the history grows.
    Over(bool),
}

/// What keeps a walk from its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waits {
    /// The host has to answer [`Walked::question`].
    Answer,
    /// So many pages are drawn, of so many.
    Page(u32, u32),
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
        Ok(Ready { before, repairs, history, stands, rounding, quiet, references, fixed: Vec::new() })
    }
    /// Takes what was decided earlier, by the end of each range, and has the whole walked whatever its price: so that the walk can go on when
    /// the history grows.
    #[must_use]
    pub fn kept(self, store: &Store, fixed: Vec<Fixed>) -> Ready {
        let references = References::read(&self.history, store);
        Ready { quiet: false, references, fixed, ..self }
    }
    /// The results that the caller's placeholder is asked about.
    pub fn placeholders_wanted(&self, input: &Input, policy: &Policy) -> Vec<Elided> {
        candidates_ever(&self.history, &input.store, &self.references, policy)
    }
    /// Begins the walk.
    pub fn walk(
        self,
        input: &Input,
        beside: Beside,
        placeholders: BTreeMap<String, String>,
        easel: Result<Easel, Blank>,
        summaries: Summaries,
    ) -> Walked {
        let Ready { before, repairs, history, stands, rounding, quiet, references, fixed } = self;
        let stand = Stand { fill: Fill::of_envelope(beside.tokens(), input.envelope_bytes()), ..Stand::default() };
        let mut walked = Walked {
            before,
            repairs,
            history,
            whole: stands,
            rounding,
            references,
            stand,
            easel,
            originals: Originals::default(),
            draw: Draw::default(),
            fixed,
            placeholders,
            summaries,
            way: Way::Walking(Walk::from(0), 0),
        };
        if quiet {
            (walked.stand.live, walked.stand.fill) = (walked.history.clone(), stands);
            walked.way = Way::Over(false);
        }
        walked
    }
}

impl Walked {
    /// Goes on to the end, or to where the host is needed: for an answer, or for a moment between two pages.
    ///
    /// # Errors
    /// [`Error::Internal`] when the result breaks a rule of its format, which is a fault of this package.
    pub fn step(&mut self, input: &mut Input, meter: &mut Meter, policy: &Policy) -> Result<Option<Waits>, Error> {
        if self.summaries.question.is_some() || !self.walk(input, meter, policy)? {
            return Ok(Some(Waits::Answer));
        }
        let Ok(easel) = self.easel.as_mut() else { return Ok(None) };
        let drawn = self.draw.next(&mut self.stand, easel, &self.originals, &self.history, &mut input.store);
        Ok(drawn.map(|(done, total)| Waits::Page(done, total)))
    }
    /// What the host is asked.
    pub fn question(&self) -> Option<&Question> {
        self.summaries.question.as_ref()
    }
    /// Takes what the host said to the question; without one it was a moment between two pages.
    pub fn told(&mut self, told: &Told<'_>, meter: &Meter) {
        self.summaries.answer(told, meter);
    }
    /// Takes messages that came behind the history, priced, over which the walk goes on. Answers false, and changes nothing, where the whole
    /// has to be walked anew.
    pub fn extend(&mut self, new: &[Message], input: &Input) -> bool {
        let rules = input.rules();
        let from = self.history.len();
        let last = last_turn(&self.history);
        let touched = self.history[last..].iter().chain(new);
        if !matches!(self.way, Way::Over(true))
            || !self.repairs.is_empty()
            || rules.alternate
            || last == 0
            || touched.clone().any(|message| message.role == Role::System)
        {
            return false;
        }
        // What breaks a rule is mended by the sight of the whole. The beginning is not in sight here.
        let touched: Vec<Message> = touched.cloned().collect();
        if !check(&touched, &input.store, &Rules { first_user: false, ..rules.clone() }).is_empty() {
            return false;
        }
        for message in new {
            self.whole.add(message);
            self.before.messages += 1;
        }
        self.before = count(self.whole, self.before.messages);
        self.history.extend_from_slice(new);
        self.references.add(&self.history[last..], &input.store);
        self.way = Way::Walking(Walk::from(from), self.stand.laid);
        true
    }
    /// Walks on; false when the host has to answer first.
    fn walk(&mut self, input: &mut Input, meter: &mut Meter, policy: &Policy) -> Result<bool, Error> {
        let Way::Walking(walk, laid) = &mut self.way else { return Ok(true) };
        let (from, laid) = (walk.began(), *laid);
        let mut scene = Scene {
            stand: core::mem::take(&mut self.stand),
            history: &self.history,
            rounding: self.rounding,
            rules: input.rules(),
            store: &mut input.store,
            meter,
            policy,
            references: &self.references,
            placeholders: &self.placeholders,
            fixed: &self.fixed,
            easel: &mut self.easel,
            originals: &mut self.originals,
            summaries: &mut self.summaries,
        };
        if !replay(&mut scene, walk) {
            self.stand = scene.stand;
            return Ok(false);
        }
        let goes_on = walk.goes_on();
        if scene.rules.alternate {
            scene.alternate();
        }
        // What was walked before is known to be right, unless something was laid over it.
        let known = from > 0 && scene.stand.laid == laid;
        let tail = self.history.len() - last_turn(&self.history[..from]);
        let first = if known { scene.stand.live.len().saturating_sub(tail) } else { 0 };
        // Where the system may speak depends on what stands before it.
        let system = scene.stand.live[first..].iter().any(|message| message.role == Role::System);
        let first = if system { 0 } else { first };
        let rules = Rules { first_user: scene.rules.first_user && first == 0, ..scene.rules.clone() };
        let mut broken = check(&scene.stand.live[first..], scene.store, &rules);
        if first > 0 && !broken.is_empty() {
            // The part may begin within a turn: the whole decides.
            broken = check(&scene.stand.live, scene.store, scene.rules);
        }
        self.stand = scene.stand;
        self.way = Way::Over(goes_on);
        self.draw = Draw::of(&self.stand);
        match broken.first() {
            None => Ok(true),
            Some(violation) => {
                let words = format!("the result breaks the rule {} at message {}", violation.rule, violation.index);
                Err(Error::Internal(words))
            }
        }
    }
    /// Writes what stands, and tells what was done.
    pub fn finish(
        &self,
        input: &Input,
        format: &dyn Format,
        meter: &Meter,
        beside: Beside,
        policy: &Policy,
    ) -> Finished {
        let Walked { stand, repairs, before, easel, .. } = self;
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
            rungs: entries(stand, policy, &self.summaries.why, self.whole.tokens),
            repairs: repairs.clone(),
            records: records(stand, &input.store, shape, &model),
            model,
        }
        .calibrated(policy);
        let unfit = (!fits).then(|| too_large(&stand.live, stand.fill, beside, policy));
        let written = || stand.live.iter().map(|message| format.write(message, &input.store)).collect();
        let untouched = stand.laid == 0 && repairs.is_empty();
        let inputs = input.store.inputs();
        let edits = (!untouched).then(|| Edits { messages: written() }).filter(|edits| !edits.is_identity(inputs));
        Finished { outcome: Outcome { edits, report }, unfit }
    }
}

/// Where the newest turn of a history begins: the caller of the newest results, or a message whose neighbour before is another's.
fn last_turn(history: &[Message]) -> usize {
    let mut last = history.len().saturating_sub(1);
    while last > 0 && (history[last].has_results() || history[last].role == history[last - 1].role) {
        last -= 1;
    }
    last
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

/// The figures of a fill.
pub fn count(fill: Fill, messages: usize) -> Count {
    Count { tokens: fill.tokens, bytes: fill.bytes, messages, images: fill.images }
}
