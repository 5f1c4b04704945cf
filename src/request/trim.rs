//! `trim`: the system prompt and the newest messages.

use super::answer::Outcome;
use super::compact::{Finished, count};
use super::error::Error;
use super::input::Input;
use super::measure::{Beside, fill};
use super::mend::{mend, price_mended};
use crate::format::Format;
use crate::history::{Limit, alternate, trim, units};
use crate::ladder::{Policy, Reading, Record, Report, RungEntry, grouped, notice_message};
use crate::message::edit::Edits;
use crate::message::{Message, Role};
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
    let rules = input.rules();
    let units = units(&history, rules);
    let system: u64 = history.iter().filter(|m| m.role == Role::System).map(Message::tokens).sum();
    let estimate = Limit { tokens: limit.tokens.map(|most| policy.estimate(most)), ..limit };
    let fixed = beside.tokens() + system;
    let mut start = trim(&units, &history, fixed, estimate);
    if start > 0 && rules.first_user {
        // What is left may have to begin with a notice, which wants its own room.
        start = trim(&units, &history, fixed + NOTICE, estimate);
    }
    let first = units.get(start).map_or(history.len(), |unit| unit.messages.start);
    let stays = |index: usize, message: &Message| index >= first || message.role == Role::System;
    let gone: Vec<&Message> = (0..first).map(|m| &history[m]).filter(|m| m.role != Role::System).collect();
    let range = gone.iter().map(|message| message.origin).filter(|&origin| input.store.is_input(origin));
    let range = range.clone().min().zip(range.max());
    let dropped = gone.len();
    let dropped_tokens: u64 = gone.iter().map(|message| message.tokens()).sum();
    let kept = history.iter().enumerate().filter(|(index, message)| stays(*index, message));
    let mut live: Vec<Message> = kept.map(|(_, message)| message.clone()).collect();
    let lead = live.iter().position(|message| message.role != Role::System);
    if let Some(at) = lead.filter(|&at| rules.first_user && live[at].role == Role::Assistant) {
        let mut notice = notice_message(dropped as u64, &mut input.store);
        meter.message(&mut notice, &input.store);
        live.insert(at, notice);
    }
    if rules.places_system() {
        crate::history::place_system(&mut live, &mut Vec::new());
    }
    if rules.alternate {
        live = alternate(live, &input.store, &mut Vec::new());
        price_mended(&mut live, input, meter);
    }
    let mut after = fill(input, beside);
    for message in &live {
        after.add(message);
    }
    let told = policy.calibrated(after.tokens);
    let fits = limit.tokens.is_none_or(|most| told <= most);
    let model = meter.facts().id.clone();
    let entry = RungEntry {
        rung: "window",
        ran: dropped > 0,
        code: if dropped > 0 { "ran" } else { "not-needed" },
        reason: if dropped > 0 { format!("{dropped} messages given up") } else { "within the limit".to_owned() },
        before: before.tokens,
        after: after.tokens,
        items: dropped,
        ms: 0,
    };
    let records = range.map(|(from, to)| Record::of_window(from, to, dropped_tokens, &model));
    let report = Report {
        format: format.name(),
        window: policy.window,
        threshold_tokens: policy.act,
        target_tokens: policy.stop,
        before,
        after: count(after, live.len()),
        estimated: after.tokens,
        fits: policy.fits(after),
        rungs: vec![entry],
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
