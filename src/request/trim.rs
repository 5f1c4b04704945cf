//! `trim`: the system prompt and the newest messages.

use super::answer::Outcome;
use super::compact::{Finished, count};
use super::error::Error;
use super::input::Input;
use super::measure::{Beside, fill};
use super::mend::{mend, price_mended};
use crate::format::{Format, Rules};
use crate::history::{Limit, alternate, place_system, trim, units};
use crate::ladder::{Policy, Record, Report, RungEntry, grouped, notice_message};
use crate::message::edit::Edits;
use crate::message::{Message, Reading, Role};
use crate::meter::Meter;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// No notice costs more, in tokens.
const NOTICE: u64 = 40;

/// The limit of a `trim`.
///
/// # Errors
/// [`Error::Option`] when there is none, or one that is no whole number from 1 on.
pub fn limit(options: Reading<'_>) -> Result<Limit, Error> {
    let given = options.within("limit")?;
    let limit = Limit {
        messages: given.whole("messages", 1)?,
        tokens: given.whole("tokens", 1)?.map(u64::from),
        exchanges: given.whole("exchanges", 1)?,
    };
    if limit == Limit::default() {
        return Err(Error::Option("A trim needs a limit: `messages`, `tokens` or `exchanges`.".to_owned()));
    }
    Ok(limit)
}

/// Cuts the history and writes what is left.
///
/// # Errors
/// [`Error::InvalidHistory`] as for every mended history.
pub fn cut(
    input: &mut Input,
    format: &dyn Format,
    meter: &mut Meter,
    beside: Beside,
    policy: &Policy,
    limit: Limit,
) -> Result<Finished, Error> {
    let before = count(fill(input, beside), input.messages.len());
    let messages = core::mem::take(&mut input.messages);
    let (mut history, repairs) = mend(messages, input)?;
    price_mended(&mut history, input, meter);
    let estimate = Limit { tokens: limit.tokens.map(|most| policy.estimate(most)), ..limit };
    let first = first_kept(&history, input.rules(), beside, estimate);
    let (kept, gone): (Vec<_>, Vec<_>) =
        history.into_iter().enumerate().partition(|(index, message)| *index >= first || message.role == Role::System);
    let live = sendable(kept.into_iter().map(|(_, message)| message).collect(), gone.len(), input, meter);
    let mut after = fill(input, beside);
    live.iter().for_each(|message| after.add(message));
    let told = policy.calibrated(after.tokens);
    let fits = limit.tokens.is_none_or(|most| told <= most);
    let model = meter.facts().id.clone();
    let origins = gone.iter().map(|(_, message)| message.origin).filter(|&origin| input.store.is_input(origin));
    let range = origins.clone().min().zip(origins.max());
    let cost: u64 = gone.iter().map(|(_, message)| message.tokens()).sum();
    let records = range.map(|(from, to)| Record::of_window(from, to, cost, &model));
    let report = Report {
        format: format.name(),
        window: policy.window,
        threshold_tokens: policy.act,
        target_tokens: policy.stop,
        before,
        after: count(after, live.len()),
        estimated: after.tokens,
        fits: policy.fits(after),
        rungs: vec![entry(gone.len(), before.tokens, after.tokens)],
        repairs,
        records: records.into_iter().collect(),
        model,
    }
    .calibrated(policy);
    let edits = Edits { messages: live.iter().map(|message| format.write(message, &input.store)).collect() };
    let edits = (!edits.is_identity(input.store.inputs())).then_some(edits);
    let unfit = (!fits).then(|| {
        format!(
            "The newest unit alone takes the request to {} tokens, and the limit is {}: raise it, or use `compact`.",
            grouped(told),
            grouped(limit.tokens.unwrap_or_default())
        )
    });
    Ok(Finished { outcome: Outcome { edits, report }, unfit })
}

/// The first message that stays, but for the system's before it, which stay as well; one past the end when none does.
fn first_kept(history: &[Message], rules: &Rules, beside: Beside, limit: Limit) -> usize {
    let units = units(history, rules);
    let system: u64 = history.iter().filter(|message| message.role == Role::System).map(Message::tokens).sum();
    let fixed = beside.tokens() + system;
    let mut start = trim(&units, history, fixed, limit);
    if start > 0 && rules.first_user {
        // What is left may have to begin with a notice, which wants its own room.
        start = trim(&units, history, fixed + NOTICE, limit);
    }
    units.get(start).map_or(history.len(), |unit| unit.messages.start)
}

/// What stays, as the format's rules want it: behind a notice where a user has to speak first.
fn sendable(mut live: Vec<Message>, dropped: usize, input: &mut Input, meter: &mut Meter) -> Vec<Message> {
    let rules = input.rules();
    let lead = live.iter().position(|message| message.role != Role::System);
    if let Some(at) = lead.filter(|&at| rules.first_user && live[at].role == Role::Assistant) {
        let mut notice = notice_message(dropped as u64, &mut input.store);
        meter.message(&mut notice, &input.store);
        live.insert(at, notice);
    }
    if rules.places_system() {
        place_system(&mut live, &mut Vec::new());
    }
    if rules.alternate {
        live = alternate(live, &input.store, &mut Vec::new());
        price_mended(&mut live, input, meter);
    }
    live
}

/// A cut is told as the rung that drops what is oldest.
fn entry(dropped: usize, before: u64, after: u64) -> RungEntry {
    let (code, reason) = match dropped {
        0 => ("not-needed", "within the limit".to_owned()),
        _ => ("ran", format!("{dropped} messages given up")),
    };
    RungEntry { rung: "window", ran: dropped > 0, code, reason, before, after, items: dropped, ms: 0 }
}
