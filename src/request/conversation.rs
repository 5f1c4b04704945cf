//! A conversation that stays: the tree, the messages under their numbers, and the newest walk, from which the next one goes on. Only what is
//! new crosses, and only what is new is read.

mod ask;
mod lay;
mod ops;
mod records;
mod stored;
mod told;

use super::answer::{self, Said};
use super::ask::Texts;
use super::compact::{Finished, Walked};
use super::error::Error;
use super::input::Input;
use super::priced::Priced;
use crate::ladder::Policy;
use crate::message::Message;
use crate::model::ModelFacts;
use crate::tree::{Brief, Tree};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// A conversation.
pub struct Conversation {
    /// Which message follows which.
    pub tree: Tree,
    input: Input,
    /// All messages ever added, by their numbers.
    messages: Vec<Message>,
    priced: Prices,
    /// What each record did, by its id.
    records: records::Records,
    /// The newest walk.
    held: Option<Held>,
    stage: Stage,
    /// A request that waits for the words of a summary while others go ahead.
    aside: Option<Box<(Held, Priced)>>,
    fonts: Vec<Vec<u8>>,
}

/// What the messages are priced by, and how many of them are.
#[derive(Default)]
struct Prices {
    /// The reader.
    facts: Option<ModelFacts>,
    /// By the caller's own counts.
    counted: bool,
    messages: usize,
}

/// A walk that can be gone on from.
struct Held {
    /// What was asked.
    asked: Asked,
    /// What it walked: how many messages, and where the last of them stands.
    count: usize,
    end: End,
    walked: Box<Walked>,
}

/// Where a path ends: a node, and the number that its message had then. All that leads there is given by it, since nodes never move and only a
/// message that nothing follows is ever replaced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct End {
    node: u32,
    message: u32,
}

/// What decides about a request beside its messages: the envelope and the options as they crossed, and the records that hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Asked {
    envelope: Vec<u8>,
    options: Vec<u8>,
    fixed: Vec<String>,
}

/// What the next answer is for.
enum Stage {
    Idle,
    /// Asked, nothing done yet.
    Begun(Asked),
    /// Exact counts of new messages were asked for, on this path, up to so many: what is appended meanwhile is the next request's.
    Counting(Texts, Priced, Asked, End, usize),
    /// The caller's placeholders were asked for.
    Placing(Vec<String>, Box<super::compact::Ready>, Priced, Asked, End),
    /// The host was asked about a summary, or given a moment between two pages.
    Walking(Held, Priced),
    /// The provider's own count was asked for.
    Weighing(Box<Finished>, Policy),
}

impl Conversation {
    /// An empty one.
    ///
    /// # Errors
    /// [`Error::Option`] for an unknown format.
    pub fn new(format: &str) -> Result<Conversation, Error> {
        Ok(Conversation {
            tree: Tree::new(),
            input: Input::of_format(format)?,
            messages: Vec::new(),
            priced: Prices::default(),
            records: records::Records::default(),
            held: None,
            stage: Stage::Idle,
            aside: None,
            fonts: Vec::new(),
        })
    }
    /// Takes a message, as a tape; answers its number. It is nowhere in the tree yet.
    ///
    /// # Errors
    /// [`Error::UnsupportedFormat`] for something that is no message of the format.
    pub fn add(&mut self, message: Vec<u8>) -> Result<u32, Error> {
        self.input.push(message)?;
        self.messages.append(&mut self.input.messages);
        Ok(self.messages.len() as u32 - 1)
    }
    /// What of a message matters to the tree.
    pub fn brief(&self, number: u32) -> Option<Brief> {
        Some(Brief::of(self.messages.get(number as usize)?, &self.input.store))
    }
    /// Takes a font for pages.
    pub fn font(&mut self, font: Vec<u8>) {
        self.fonts.push(font);
    }
    /// Begins the request for the path to the tip. `envelope` is what is sent around the messages.
    ///
    /// # Errors
    /// [`Error::Option`] for values too deep.
    pub fn begin(&mut self, envelope: Vec<u8>, options: Vec<u8>) -> Result<(), Error> {
        self.input.ask(envelope.clone(), options.clone())?;
        let fixed = self.tree.laid().into_iter().map(String::from).collect();
        self.stage = Stage::Begun(Asked { envelope, options, fixed });
        Ok(())
    }
    /// Puts the request that asked for words aside: until it is taken up again, others may be asked.
    pub fn put_aside(&mut self) {
        if let Stage::Walking(held, priced) = core::mem::replace(&mut self.stage, Stage::Idle) {
            self.aside = Some(Box::new((held, priced)));
        }
    }
    /// Takes it up again, for [`Conversation::next`] with the answer.
    ///
    /// # Errors
    /// [`Error::Internal`] when none was put aside.
    pub fn take_up(&mut self) -> Result<(), Error> {
        let none = || Error::Internal("no request was put aside".into());
        let (held, priced) = *self.aside.take().ok_or_else(none)?;
        self.input.ask(held.asked.envelope.clone(), held.asked.options.clone())?;
        self.stage = Stage::Walking(held, priced);
        Ok(())
    }
    /// Gives up what was put aside.
    pub fn give_up(&mut self) {
        self.aside = None;
    }
    /// Goes on until the end, or until the host is needed, as [`super::Job::next`].
    ///
    /// # Errors
    /// Every error of the package. The request is over then.
    pub fn next(&mut self, answer: Option<Vec<u8>>) -> Result<String, Error> {
        let said = Said::read(answer);
        match core::mem::replace(&mut self.stage, Stage::Idle) {
            Stage::Idle => Err(Error::Internal("nothing was asked".into())),
            Stage::Begun(asked) => self.price(asked),
            Stage::Counting(texts, mut priced, asked, end, messages) => {
                let Priced { meter, beside, .. } = &mut priced;
                core::mem::swap(&mut self.input.messages, &mut self.messages);
                let taken = texts.take(&said.list(crate::message::Value::f64), &mut self.input, beside, meter);
                core::mem::swap(&mut self.input.messages, &mut self.messages);
                taken?;
                self.priced.messages = messages;
                self.walk(priced, asked, end)
            }
            Stage::Placing(names, ready, priced, asked, end) => self.placed((names, *ready, priced, asked, end), &said),
            Stage::Walking(mut held, priced) => {
                held.walked.told(&said.told(), &priced.meter);
                self.step(held, priced)
            }
            Stage::Weighing(mut finished, policy) => {
                if let Some(counted) = said.value().and_then(crate::message::Value::f64) {
                    finished.weigh(counted as u64, &policy);
                }
                Ok(answer::done(finished.result(&policy)?))
            }
        }
    }
}
