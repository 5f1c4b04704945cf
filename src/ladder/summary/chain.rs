//! Which words a summary holds, so that it is found again by whoever gives up the same beginning. Where events lie depends on more than the
//! words (a calibration, a limit that was learnt, another model); a summary found so is updated, where none of the event itself is remembered.

use super::Words;
use super::work::name;
use crate::ladder::Scene;
use alloc::string::{String, ToString};

/// Newest summaries of a beginning that are found again. One is too few: where events have moved the newest may hold more than is given up.
const NEWEST: u32 = 3;
/// Texts that tell one conversation from another.
const TELLING: usize = 2;
/// The layout of what is remembered.
const VERSION: &str = "palimpsest beginning 1, ";

/// The texts that a summary holds, each named together with all before it: so it does not matter how they came into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    key: String,
    texts: usize,
    link: String,
}

impl Chain {
    /// Of no text yet; `texts` are those that come.
    pub fn begin(scene: &Scene<'_>, texts: &[String]) -> Chain {
        let writer = super::work::writer(scene).0.facts().id.as_bytes();
        let mut of = alloc::vec![writer, scene.summaries.focus.as_bytes()];
        of.extend(texts.iter().take(TELLING).map(String::as_bytes));
        Chain { key: String::from("palimpsest:summaries:") + &name(&of), texts: 0, link: String::new() }
    }
    /// With these texts, too.
    pub fn over(mut self, texts: &[String]) -> Chain {
        for text in texts {
            self.link = name(&[self.link.as_bytes(), text.as_bytes()]);
        }
        self.texts += texts.len();
        self
    }
    /// Under which keys the newest summaries of this beginning are remembered.
    pub fn keys(&self) -> impl Iterator<Item = String> {
        (0..NEWEST).map(|generation| self.key_of(generation))
    }
    /// Under which of them one of this generation is.
    pub fn key_of(&self, generation: u32) -> String {
        alloc::format!("{}:{}", self.key, generation % NEWEST)
    }
    /// What is remembered, before the summary itself.
    pub fn written(&self) -> String {
        alloc::format!("{VERSION}{} {}\n", self.texts, self.link)
    }
}

/// A summary of a beginning, as it was remembered.
#[derive(Clone, Debug)]
pub struct Beginning {
    texts: usize,
    link: String,
    words: Words,
}

impl Beginning {
    /// What [`Chain::written`] wrote before a summary, which `recalled` reads; `None` for anything else.
    pub fn read(words: &str, recalled: fn(&str) -> Option<Words>) -> Option<Beginning> {
        let (head, summary) = words.strip_prefix(VERSION)?.split_once('\n')?;
        let (texts, link) = head.split_once(' ')?;
        Some(Beginning { texts: texts.parse().ok()?, link: link.to_string(), words: recalled(summary)? })
    }
    /// The summary with the texts that it does not hold; `None` when it holds others.
    pub fn of<'a>(&self, chain: &Chain, texts: &'a [String]) -> Option<(Words, &'a [String])> {
        let (held, more) = texts.split_at_checked(self.texts)?;
        let chain = chain.clone().over(held);
        (!held.is_empty() && chain.link == self.link)
            .then(|| (Words { chain: Some(chain.into()), ..self.words.clone() }, more))
    }
}
