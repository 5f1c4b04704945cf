//! What the rungs work on: the messages that are live, and what they cost.

use super::lay::Run;
use super::own::is_opaque;
use super::results::Results;
use super::{
    Blank, Block, Came, Easel, Fixed, Half, Kept, Originals, Outcomes, Policy, References, Source, Summaries, Words,
};
use crate::format::Rules;
use crate::history::alternate;
use crate::message::{Kind, Message, Role, Store, json_len};
use crate::meter::Meter;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// How much stands in a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fill {
    /// Tokens of the reader, estimated.
    pub tokens: u64,
    /// Bytes as JSON.
    pub bytes: u64,
    /// Pictures.
    pub images: u64,
    /// Pictures that the provider refuses for themselves.
    pub refused: u64,
    /// Pictures that it refuses among many.
    pub large: u64,
}

impl Fill {
    /// An envelope whose list is empty. The first message brings no comma with it.
    pub fn of_envelope(tokens: u64, bytes: u32) -> Fill {
        Fill { tokens, bytes: u64::from(bytes).saturating_sub(1), ..Fill::default() }
    }
    /// With one more message.
    pub fn add(&mut self, message: &Message) {
        self.tokens += message.tokens();
        self.bytes += u64::from(message.bytes) + 1;
        for picture in message.pictures() {
            self.images += 1;
            self.refused += u64::from(picture.refused);
            self.large += u64::from(picture.large);
        }
    }
    /// Without a message that was added before.
    pub fn take(&mut self, message: &Message) {
        let mut gone = Fill::default();
        gone.add(message);
        self.tokens -= gone.tokens;
        self.bytes -= gone.bytes.min(self.bytes);
        self.images -= gone.images;
        self.refused -= gone.refused;
        self.large -= gone.large;
    }
}

/// What a pass has to come down to; what is `None` was not exceeded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Goal {
    /// Tokens in the replay's prices.
    pub tokens: Option<u64>,
    /// Bytes of the request.
    pub bytes: Option<u64>,
    /// Pictures of the request.
    pub images: Option<u64>,
    /// No picture that the provider refuses for itself.
    pub sizes: bool,
    /// With more pictures than this, none that the provider refuses among many.
    pub crowd: Option<u64>,
}

impl Goal {
    /// True when nothing of the goal is exceeded; `rounding` is what the replay's prices add to the tokens.
    pub fn is_met_by(&self, fill: Fill, rounding: u64) -> bool {
        self.tokens.is_none_or(|most| fill.tokens + rounding <= most)
            && self.bytes.is_none_or(|most| fill.bytes <= most)
            && self.images.is_none_or(|most| fill.images <= most)
            && !(self.sizes && fill.refused > 0)
            && self.crowd.is_none_or(|above| fill.images <= above || fill.large == 0)
    }
}

/// What stands after a prefix of the history: all that a walk carries on from one unit to the next.
#[derive(Clone, Debug, Default)]
pub struct Stand {
    /// The messages, in order.
    pub live: Vec<Message>,
    /// What they cost, with the envelope.
    pub fill: Fill,
    /// Their results.
    pub results: Results,
    /// What was laid over the history and still stands, by the number of the text that stands there.
    pub layers: BTreeMap<u32, Layer>,
    /// How many were laid, those that went with a later one included.
    pub laid: usize,
    /// What each rung came to.
    pub outcomes: Outcomes,
    /// The price from which the next event is due, in the replay's tokens.
    pub floor: u64,
}

impl Stand {
    /// Notes what was laid where the text of this number stands.
    pub fn lay(&mut self, text: u32, layer: Layer) {
        self.layers.insert(text, layer);
        self.laid += 1;
    }
    /// Forgets layers whose text is gone: of a long history every event covers all that the one before did.
    fn forget(&mut self) {
        let texts = self.live.iter().flat_map(|message| &message.parts).flat_map(|part| [part.from, part.instead]);
        let mut standing: Vec<u32> = texts.filter(|text| self.layers.contains_key(text)).collect();
        standing.sort_unstable();
        for (text, layer) in core::mem::take(&mut self.layers) {
            if standing.binary_search(&text).is_ok() {
                self.layers.insert(text, layer);
            }
        }
    }
}

/// What a rung did to one thing that still stands in the result.
#[derive(Clone, Debug, Default)]
pub struct Layer {
    /// The rung.
    pub rung: &'static str,
    /// First and last input message it covers.
    pub range: (u32, u32),
    /// Tokens of what stood there, before any pass.
    pub before: u64,
    /// Tokens of what stands there now.
    pub after: u64,
    /// The reference of an elided result.
    pub reference: Option<String>,
    /// What is drawn as pages.
    pub block: Option<Block>,
    /// What a summary says.
    pub summary: Option<Box<Words>>,
    /// Summaries that went with what a notice stands for: the next one is written from them.
    pub kept: Vec<Kept>,
    /// Of the last message it covers only the results: what its person said stays in words.
    pub last_results_only: bool,
}

impl Layer {
    /// Of a rung, all else open.
    pub fn of(rung: &'static str) -> Layer {
        Layer { rung, ..Layer::default() }
    }
    /// Of a rung, over a run.
    pub(super) fn over(run: &Run, rung: &'static str) -> Layer {
        let last_results_only = run.last_results_only;
        Layer { range: run.range(), before: run.tokens, last_results_only, ..Layer::of(rung) }
    }
}

/// What stands, with all that rungs need to judge it.
pub struct Scene<'a> {
    /// What stands.
    pub stand: Stand,
    /// The history it is a prefix of, as it came.
    pub history: &'a [Message],
    /// What rounding up the fixed part adds to the replay's prices, in tokens.
    pub rounding: u64,
    /// The texts.
    pub store: &'a mut Store,
    /// The prices.
    pub meter: &'a mut Meter,
    /// The format's rules.
    pub rules: &'a Rules,
    /// What the caller wants.
    pub policy: &'a Policy,
    /// Their results by reference.
    pub references: &'a References,
    /// Placeholders of the caller's own, by reference.
    pub placeholders: &'a BTreeMap<String, String>,
    /// What was decided earlier, by the end of each range.
    pub fixed: &'a [Fixed],
    /// What pages are drawn with, or why there are none.
    pub easel: &'a mut Result<Easel, Blank>,
    /// The summaries that are known.
    pub summaries: &'a mut Summaries,
    /// What is known of the history, once something is made from it.
    pub originals: &'a mut Originals,
}

impl Scene<'_> {
    /// Appends messages of the history.
    pub fn append(&mut self, messages: &[Message]) {
        for message in messages {
            self.stand.fill.add(message);
            self.stand.results.note(self.stand.live.len(), message, self.store, self.references, self.policy);
            self.stand.live.push(message.clone());
        }
    }
    /// Puts another list in the place of what is live.
    pub fn rebuild(&mut self, live: Vec<Message>) {
        self.stand.live.iter().for_each(|message| self.stand.fill.take(message));
        self.stand.live.clear();
        self.stand.results = Results::default();
        self.append(&live);
        self.stand.forget();
    }
    /// The history as it came.
    pub fn came(&self) -> Came<'_> {
        Came { originals: self.originals, history: self.history, store: self.store }
    }
    /// Reads the history as it came, where something may be made from it.
    pub(super) fn read_originals(&mut self) {
        if self.easel.is_ok() || self.summaries.writes {
            self.originals.watch(self.history, self.store);
        }
    }
    /// A live message as it came.
    pub fn original(&self, message: &Message) -> Option<&Message> {
        self.came().message(message.origin)
    }
    /// All that a layer covers, as pages draw it, with what each message cost as it came. Nothing where something of an earlier call is among it.
    pub(super) fn sources(&self, layer: &Layer) -> Option<Vec<(Source, u64)>> {
        let covered = self.covered(layer.range);
        let whole = !covered.is_empty() && !covered.iter().any(|message| is_opaque(message, self.store));
        whole.then(|| self.told(layer).map(|(source, message)| (source, source.tokens(message))).collect())
    }
    /// What a layer covers, message by message, but for what the system said.
    pub(super) fn told(&self, layer: &Layer) -> impl Iterator<Item = (Source, &Message)> {
        let covered = self.covered(layer.range);
        let (last, results_only) = (covered.len().saturating_sub(1), layer.last_results_only);
        let said = covered.iter().enumerate().filter(|(_, message)| message.role != Role::System);
        said.map(move |(index, message)| {
            let half = if results_only && index == last { Half::Results } else { Half::Whole };
            (Source { origin: message.origin, half }, message)
        })
    }
    /// The messages of the history from one to another, by their origins.
    pub(super) fn covered(&self, (from, to): (u32, u32)) -> &[Message] {
        let ends = self.originals.place(from).zip(self.originals.place(to));
        ends.and_then(|(from, to)| self.history.get(from..=to)).unwrap_or_default()
    }
    /// Tokens in the replay's prices: the fixed part rounded up.
    pub fn price(&self) -> u64 {
        self.stand.fill.tokens + self.rounding
    }
    /// True when nothing of the goal is exceeded.
    pub fn meets(&self, goal: &Goal) -> bool {
        goal.is_met_by(self.stand.fill, self.rounding)
    }
    /// True when it can be sent: within the window less the reserve, and within the limits.
    pub fn fits(&self) -> bool {
        self.policy.fits_by_steps(self.stand.fill)
    }
    /// Puts words of this package's own in the place of a part, unless they cost as much. True when it did.
    pub fn replace(&mut self, m: usize, p: usize, words: &str, layer: Layer) -> bool {
        let message = &self.stand.live[m];
        let inner = message.parts[p + 1..].iter().take_while(|part| part.inside && !message.parts[p].inside).count();
        let stood = &message.parts[p..=p + inner];
        let before: u64 = stood.iter().map(|part| u64::from(part.tokens)).sum();
        let mut part = stood[0].clone();
        part.instead = self.store.add_own([words]).0;
        part.tokens = self.meter.part(&part, self.store);
        let after = u64::from(part.tokens);
        if after >= before {
            return false;
        }
        // A picture's block becomes a block of text; a result keeps its own around the words.
        let frame = if part.kind == Kind::Image { 24 } else { 0 };
        let gone = part.bytes;
        part.bytes = json_len(words.as_bytes()) as u32 + frame;
        self.stand.fill.take(message);
        self.stand.lay(part.instead, Layer { before, after, ..layer });
        let message = &mut self.stand.live[m];
        message.bytes = message.bytes.saturating_sub(gone) + part.bytes;
        message.parts[p] = part;
        message.parts.drain(p + 1..p + 1 + inner);
        self.stand.fill.add(message);
        true
    }
    /// Joins what meets, for a host where roles take turns; what becomes of a notice is decided here and not before, so that the walk does
    /// not depend on it.
    pub fn alternate(&mut self) {
        let mut live = alternate(self.stand.live.clone(), self.store, &mut Vec::new());
        for message in live.iter_mut().filter(|message| !message.whole) {
            self.meter.weigh(message, self.store);
        }
        self.rebuild(live);
    }
}

#[cfg(test)]
mod tests {
    use super::super::lay::own_words;
    use super::*;
    use alloc::vec;

    #[test]
    fn a_layer_goes_with_its_text() {
        let mut store = Store::default();
        let message = own_words(Role::User, "what stands here", &mut store);
        let text = message.parts[0].from;
        let mut stand = Stand { live: vec![message], ..Stand::default() };
        stand.lay(text, Layer::of("window"));
        stand.lay(text + 1, Layer::of("window"));
        stand.forget();
        assert_eq!((stand.layers.keys().copied().collect(), stand.laid), (vec![text], 2));
    }
}
