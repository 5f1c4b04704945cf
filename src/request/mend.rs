//! Mending a history, and pricing what that put into it.

use super::error::Error;
use super::input::Input;
use crate::history::{Repair, check, repair};
use crate::message::Message;
use crate::meter::Meter;
use alloc::vec::Vec;

/// Mends a history until nothing breaks a rule.
///
/// # Errors
/// [`Error::InvalidHistory`] when something still does after a few rounds.
pub fn mend(mut messages: Vec<Message>, input: &mut Input) -> Result<(Vec<Message>, Vec<Repair>), Error> {
    let rules = input.rules();
    let mut repairs = Vec::new();
    // One repair may bring another to light: a message left out makes two results meet.
    let mut broken = check(&messages, &input.store, rules);
    for _ in 0..3 {
        if broken.is_empty() {
            break;
        }
        let (mended, done) = repair(messages, &mut input.store, rules);
        messages = mended;
        repairs.extend(done);
        broken = check(&messages, &input.store, rules);
    }
    if broken.is_empty() { Ok((messages, repairs)) } else { Err(Error::InvalidHistory(broken)) }
}

/// Prices what a repair put in the place of something; the rest keeps its price, which may be an exact count of the caller's.
pub fn price_mended(history: &mut [Message], input: &Input, meter: &mut Meter) {
    for message in history {
        for part in &mut message.parts {
            if part.is_replaced() || !input.store.is_input(part.from) {
                part.tokens = meter.part(part, &input.store);
            }
        }
        if !message.whole {
            meter.weigh(message, &input.store);
        }
    }
}
