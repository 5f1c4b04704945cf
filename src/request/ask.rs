//! Exact token counts of the caller's: which texts are asked about, and where the answers go.

use super::error::Error;
use super::input::Input;
use super::measure::Beside;
use crate::format::Format;
use crate::message::edit::{Path, Step};
use crate::message::{Kind, Message, Shape, Value};
use crate::meter::Meter;
use alloc::borrow::ToOwned;
use alloc::vec;
use alloc::vec::Vec;

/// Whose price an answer is.
#[derive(Clone, Copy, Debug)]
enum Whose {
    System,
    Tools,
    Part(usize, usize),
}

/// The texts to ask about, in the order of the answers.
#[derive(Debug)]
pub struct Texts {
    whose: Vec<Whose>,
    /// The message of each (−1: the envelope) and where it stands there.
    pub places: Vec<(i64, Path)>,
}

impl Texts {
    /// Every whole text of the caller's: of the envelope, and of the messages from `from` on.
    pub fn of(input: &Input, messages: &[Message], from: usize, format: &dyn Format) -> Texts {
        let mut texts = Texts { whose: Vec::new(), places: Vec::new() };
        let envelope = input.envelope();
        if let Some(system) = envelope.system {
            texts.add_value(Whose::System, "system", system);
        }
        if envelope.tools.is_some() {
            texts.add(Whose::Tools, -1, vec![Step::Key("tools")]);
        }
        for (m, message) in messages.iter().enumerate().skip(from) {
            for (p, part) in message.parts.iter().enumerate() {
                let words = match part.kind {
                    Kind::Image | Kind::Media => false,
                    // Encrypted thinking has no words, a result of several blocks has none of its own.
                    _ => !part.body.is_empty() && !part.own,
                };
                if words {
                    texts.add(Whose::Part(m, p), m as i64, format.path(part));
                }
            }
        }
        texts
    }
    /// Takes the counts. Where there is none the estimate stays.
    ///
    /// # Errors
    /// [`Error::Internal`] when there are not as many as texts.
    pub fn take(
        &self,
        counts: &[Option<f64>],
        input: &mut Input,
        beside: &mut Beside,
        meter: &Meter,
    ) -> Result<(), Error> {
        if counts.len() != self.whose.len() {
            return Err(Error::Internal("the counts do not match the texts".to_owned()));
        }
        // The blocks of the instructions add up; one that was not counted leaves the estimate of all.
        let mut system = Some(0u32);
        for (whose, count) in self.whose.iter().zip(counts) {
            let count = count.filter(|count| *count >= 0.0).map(|count| count as u32);
            if matches!(whose, Whose::System) {
                system = system.zip(count).map(|(sum, count)| sum.saturating_add(count));
            }
            let Some(count) = count else { continue };
            match *whose {
                Whose::System => {}
                Whose::Tools => beside.tools = count,
                Whose::Part(m, p) => {
                    let part = &mut input.messages[m].parts[p];
                    let around = meter.around(part.kind) + meter.name(part, &input.store);
                    part.tokens = count.saturating_add(around);
                }
            }
        }
        if self.whose.iter().any(|whose| matches!(whose, Whose::System)) {
            beside.system = system.unwrap_or(beside.system);
        }
        Ok(())
    }

    fn add_value(&mut self, whose: Whose, key: &'static str, value: Value<'_>) {
        if value.shape() != Shape::Array {
            return self.add(whose, -1, vec![Step::Key(key)]);
        }
        for (index, block) in value.items().enumerate() {
            let mut path = vec![Step::Key(key), Step::Index(index as u32)];
            if block.text("text").is_some() {
                path.push(Step::Key("text"));
            }
            self.add(whose, -1, path);
        }
    }
    fn add(&mut self, whose: Whose, index: i64, path: Path) {
        self.whose.push(whose);
        self.places.push((index, path));
    }
}
