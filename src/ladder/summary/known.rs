//! The summaries that are known in a walk, and the one that is being written. The walk stops at what the host has to say, and goes on.

use super::ask::{Asked, instructions, words};
use super::chain::{Beginning, Chain, NEWEST};
use super::refs::carry;
use super::text::Summary;
use crate::meter::Meter;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// Why there is no summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unwritten {
    /// Nobody writes one.
    Nobody,
    /// It belongs to an earlier event, and nobody remembers it.
    Forgotten,
    /// What was written is none, or no shorter than what it stands for.
    Rejected,
    /// The writer failed.
    Failed,
    /// The writer was stopped.
    Aborted,
}

/// What the host is asked.
#[derive(Debug)]
pub enum Question {
    /// What it remembers under a key.
    Recall(String),
    /// To send this to a model.
    Write(Box<Wanted>),
    /// To remember this.
    Remember(String, String),
}

/// What a model is to write.
#[derive(Debug)]
pub struct Wanted {
    /// What it is told beside the source.
    pub instructions: String,
    /// The source and what surrounds it.
    pub words: String,
    /// Most tokens of the answer.
    pub output: u32,
    /// What must stand in it.
    pub references: Vec<String>,
    /// What it updates.
    pub previous: Option<Summary>,
    /// Which part of the source, from 1 on.
    pub part: usize,
    /// Of so many.
    pub parts: usize,
}

/// What the host said.
#[derive(Debug)]
pub enum Told<'a> {
    /// Words: of a memory, or of a model.
    Words(&'a str),
    /// Nothing.
    Nothing,
    /// The writer failed, and how.
    Failed(Unwritten, &'a str),
}

/// What is known of a summary.
#[derive(Debug, PartialEq)]
pub enum Look {
    /// What it says.
    Written(Box<Summary>),
    /// There is none.
    Not(Unwritten),
    /// It is to be written.
    Wanted,
    /// The host has to say something first.
    Waits,
}

/// A summary that is being written.
#[derive(Debug)]
pub struct Work {
    /// What it covers.
    pub key: String,
    /// The source.
    pub parts: Vec<String>,
    /// The one that is updated.
    pub previous: Option<Summary>,
    /// What must stand in it.
    pub references: Vec<String>,
    /// Most tokens that a model may answer.
    pub output: u32,
    /// Most tokens of the whole summary: what it stands for costs more.
    pub most: u32,
    /// What it holds then, where that is known.
    pub chain: Option<Chain>,
}

/// The summaries of a walk.
#[derive(Debug, Default)]
pub struct Summaries {
    /// The host has somebody who writes them.
    pub writes: bool,
    /// The host remembers them.
    pub remembers: bool,
    /// What they should care about.
    pub focus: String,
    /// Who writes them, where it is another model than the reader, with the most tokens that it is sent.
    pub writer: Option<(Meter, u64)>,
    /// The event of now may have one written: it is the last.
    pub may_ask: bool,
    /// One was wanted that nobody remembers, and none might be asked for.
    pub missed: bool,
    /// The walk waits for the answer.
    pub question: Option<Question>,
    /// Why the last one was not written, in words.
    pub why: String,
    known: Vec<(String, Known)>,
    /// The question after this one.
    then: Option<Question>,
    work: Option<(Work, Option<Summary>, usize)>,
}

#[derive(Debug)]
enum Known {
    Forgotten,
    Written(Summary),
    Begins(Beginning),
    Not(Unwritten),
}

impl Summaries {
    /// What is known of a key. Where the host has to be asked the walk waits for it.
    pub fn look(&mut self, key: &str) -> Look {
        match self.known.iter().find(|(known, _)| known == key).map(|(_, known)| known) {
            None if self.remembers => {
                self.question = Some(Question::Recall(key.into()));
                return Look::Waits;
            }
            Some(Known::Written(summary)) => return Look::Written(Box::new(summary.clone())),
            Some(Known::Not(unwritten)) => return Look::Not(*unwritten),
            None | Some(Known::Forgotten | Known::Begins(_)) => {}
        }
        if self.may_ask {
            return Look::Wanted;
        }
        self.missed = true;
        Look::Not(Unwritten::Forgotten)
    }
    /// Of the newest summaries of this beginning the one that holds most of these texts, and how many; `None` when the host has to be asked
    /// first.
    pub fn beginning(&mut self, chain: &Chain, texts: &[String]) -> Option<(usize, Option<Summary>)> {
        let mut best = (0, None);
        for generation in 0..NEWEST {
            let key = chain.key(generation);
            match self.known.iter().find(|(known, _)| *known == key) {
                None if self.remembers => {
                    self.question = Some(Question::Recall(key));
                    return None;
                }
                Some((_, Known::Begins(begins))) if begins.texts > best.0 && begins.is_of(chain, texts) => {
                    best = (begins.texts, Some(&begins.summary));
                }
                _ => {}
            }
        }
        Some((best.0, best.1.and_then(|words| recalled(words))))
    }
    /// Takes a summary over from an event that lay elsewhere.
    pub fn take_over(&mut self, key: String, summary: Summary) -> Look {
        self.question = Some(Question::Remember(key.clone(), remembered(&summary)));
        self.know(key, Known::Written(summary));
        Look::Waits
    }
    /// Has a summary written. Without work no part of the source fits the writer.
    pub fn begin(&mut self, key: String, work: Option<Work>) -> Look {
        match work {
            Some(work) => {
                self.ask(work, None, 0);
                Look::Waits
            }
            None => {
                self.why = "the writer's window is too small for any part of it".into();
                self.know(key, Known::Not(Unwritten::Failed));
                Look::Not(Unwritten::Failed)
            }
        }
    }
    /// Takes what the host said to the question. Another may follow.
    pub fn answer(&mut self, told: &Told<'_>, meter: &Meter) {
        match self.question.take() {
            Some(Question::Recall(key)) => {
                let words = if let Told::Words(words) = told { words } else { "" };
                let begins = || Beginning::read(words).map(Known::Begins);
                self.know(key, recalled(words).map(Known::Written).or_else(begins).unwrap_or(Known::Forgotten));
            }
            Some(Question::Write(_)) => self.written(told, meter),
            Some(Question::Remember(..)) => self.question = self.then.take(),
            None => {}
        }
    }

    fn written(&mut self, told: &Told<'_>, meter: &Meter) {
        let Some((work, _, part)) = self.work.take() else { return };
        let written = match told {
            Told::Words(words) => Summary::read(words),
            Told::Nothing => None,
            Told::Failed(unwritten, why) => {
                self.why = (*why).into();
                return self.know(work.key, Known::Not(*unwritten));
            }
        };
        let Some(mut summary) = written else {
            return self.reject(work.key, "what came back has none of the sections of a summary");
        };
        if part + 1 < work.parts.len() {
            // The next part is asked about beside it.
            if meter.text(&summary.markdown) > super::work::most_between(work.output) {
                return self.reject(work.key, "what came back is much longer than it was asked to be");
            }
            return self.ask(work, Some(summary), part + 1);
        }
        summary.generation = work.previous.as_ref().map_or(0, |previous| previous.generation) + 1;
        carry(&mut summary, &work.references);
        if meter.text(&summary.markdown) >= work.most {
            return self.reject(work.key, "what came back is no shorter than what it would stand for");
        }
        if self.remembers {
            let words = remembered(&summary);
            self.then =
                work.chain.map(|chain| Question::Remember(chain.key(summary.generation), chain.written() + &words));
            self.question = Some(Question::Remember(work.key.clone(), words));
        }
        self.know(work.key, Known::Written(summary));
    }
    fn ask(&mut self, work: Work, latest: Option<Summary>, part: usize) {
        let previous = latest.as_ref().or(work.previous.as_ref());
        let asked = Asked {
            previous,
            text: work.parts.get(part).map_or("", String::as_str),
            part: part + 1,
            parts: work.parts.len(),
            references: &work.references,
            focus: &self.focus,
            output: work.output,
        };
        self.question = Some(Question::Write(Box::new(Wanted {
            instructions: instructions(),
            words: words(&asked),
            output: work.output,
            references: work.references.clone(),
            previous: previous.cloned(),
            part: part + 1,
            parts: work.parts.len(),
        })));
        self.work = Some((work, latest, part));
    }
    fn reject(&mut self, key: String, why: &str) {
        self.why = why.into();
        self.know(key, Known::Not(Unwritten::Rejected));
    }
    fn know(&mut self, key: String, known: Known) {
        self.known.retain(|(other, _)| *other != key);
        self.known.push((key, known));
    }
}

/// The layout of what is remembered. A later version that changes it counts on.
const VERSION: &str = "palimpsest summary 1, generation ";

/// A summary as it is remembered.
fn remembered(summary: &Summary) -> String {
    alloc::format!("{VERSION}{}\n{}", summary.generation, summary.markdown)
}

/// What [`remembered`] wrote; `None` for anything else.
fn recalled(words: &str) -> Option<Summary> {
    let (generation, markdown) = words.strip_prefix(VERSION)?.split_once('\n')?;
    let generation = generation.parse().ok()?;
    Some(Summary { generation, ..Summary::read(markdown)? })
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use crate::model::{PartialFacts, complete};
    use alloc::string::ToString;

    fn meter() -> Meter {
        Meter::new(complete(PartialFacts { window: Some(1000), ..PartialFacts::default() }).unwrap())
    }

    fn work(parts: usize) -> Work {
        Work {
            key: "key".to_string(),
            parts: (0..parts).map(|part| alloc::format!("part {part}")).collect(),
            previous: None,
            references: alloc::vec!["src/a.rs:7".to_string()],
            output: 100,
            most: 500,
            chain: None,
        }
    }

    fn asked(summaries: &mut Summaries, parts: usize) {
        assert_eq!(summaries.look("key"), Look::Wanted);
        assert_eq!(summaries.begin("key".to_string(), Some(work(parts))), Look::Waits);
    }

    #[test]
    fn parts_update_each_other_and_the_end_is_remembered() {
        let mut summaries = Summaries { writes: true, remembers: true, may_ask: true, ..Summaries::default() };
        assert_eq!(summaries.look("key"), Look::Waits);
        assert!(matches!(&summaries.question, Some(Question::Recall(key)) if key == "key"));
        summaries.answer(&Told::Nothing, &meter());
        asked(&mut summaries, 2);
        summaries.answer(&Told::Words("## Context\n- one"), &meter());
        let Some(Question::Write(wanted)) = &summaries.question else { panic!("{summaries:?}") };
        assert_eq!((wanted.part, wanted.parts), (2, 2));
        assert!(wanted.words.contains("## Context\n- one") && wanted.words.contains("part 1"), "{}", wanted.words);
        summaries.answer(&Told::Words("## Context\n- one and two"), &meter());
        let Some(Question::Remember(key, value)) = &summaries.question else { panic!("{summaries:?}") };
        assert_eq!(key, "key");
        let again = recalled(value);
        summaries.answer(&Told::Nothing, &meter());
        let Look::Written(summary) = summaries.look("key") else { panic!("{summaries:?}") };
        assert_eq!(again.as_ref(), Some(&*summary));
        assert_eq!((summary.generation, &*summary.references[0]), (1, "src/a.rs:7"));
    }

    #[test]
    fn what_is_no_summary_is_rejected_and_not_asked_for_again() {
        let long = alloc::format!("## Context\n- {}", "word ".repeat(1000));
        for words in ["", "429 Too Many Requests", &long] {
            let mut summaries = Summaries { writes: true, may_ask: true, ..Summaries::default() };
            asked(&mut summaries, 1);
            summaries.answer(&Told::Words(words), &meter());
            assert_eq!(summaries.look("key"), Look::Not(Unwritten::Rejected));
            assert!(!summaries.why.is_empty() && summaries.question.is_none());
        }
    }

    #[test]
    fn only_the_last_event_asks() {
        let mut summaries = Summaries { writes: true, ..Summaries::default() };
        assert_eq!(summaries.look("key"), Look::Not(Unwritten::Forgotten));
        assert!(summaries.missed && summaries.question.is_none());
    }
}
