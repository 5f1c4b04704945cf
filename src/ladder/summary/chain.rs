//! Which words a summary holds, so that it is found again by whoever gives up the same beginning. Where events lie depends on more than the
//! words (a calibration, a limit that was learnt, another model); a summary found so is updated, where none of the event itself is remembered.

use super::work::name;
use crate::ladder::Scene;
use alloc::string::String;

/// Newest summaries of a beginning that are found again. One is too few: where events have moved the newest may hold more than is given up.
pub const NEWEST: u32 = 3;
/// Texts that tell one conversation from another.
const TELLING: usize = 2;
/// The layout of what is remembered.
const VERSION: &str = "palimpsest beginning 1, ";

/// The texts that a summary holds, each named together with all before it: so it does not matter how they came into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    name: String,
    texts: usize,
    link: String,
}

impl Chain {
    /// Of no text yet; `texts` are those that come.
    pub fn begin(scene: &Scene<'_>, texts: &[String]) -> Chain {
        let writer = super::work::writer(scene).0.facts().id.as_bytes();
        let mut of = alloc::vec![writer, scene.summaries.focus.as_bytes()];
        of.extend(texts.iter().take(TELLING).map(String::as_bytes));
        Chain { name: String::from("palimpsest:summaries:") + &name(&of), texts: 0, link: String::new() }
    }
    /// With these texts, too.
    pub fn over(mut self, texts: &[String]) -> Chain {
        for text in texts {
            self.link = name(&[self.link.as_bytes(), text.as_bytes()]);
        }
        self.texts += texts.len();
        self
    }
    /// Under which key a summary of this generation is remembered.
    pub fn key(&self, generation: u32) -> String {
        alloc::format!("{}:{}", self.name, generation % NEWEST)
    }
    /// What is remembered, before the summary itself.
    pub fn written(&self) -> String {
        alloc::format!("{VERSION}{} {}\n", self.texts, self.link)
    }
}

/// A summary of a beginning, as it was remembered.
#[derive(Debug)]
pub struct Beginning {
    /// How many texts it holds.
    pub texts: usize,
    link: String,
    /// The summary, as [`Chain::written`] was written before it.
    pub summary: String,
}

impl Beginning {
    /// What was remembered; `None` for anything else.
    pub fn read(words: &str) -> Option<Beginning> {
        let (head, summary) = words.strip_prefix(VERSION)?.split_once('\n')?;
        let (texts, link) = head.split_once(' ')?;
        Some(Beginning { texts: texts.parse().ok()?, link: link.into(), summary: summary.into() })
    }
    /// True when it holds the first of these texts and nothing else; `chain` is of none of them yet.
    pub fn is_of(&self, chain: &Chain, texts: &[String]) -> bool {
        texts.get(..self.texts).is_some_and(|held| chain.clone().over(held).link == self.link)
    }
}
