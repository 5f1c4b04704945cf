//! What readers were measured to read.
//!
//! Figures gathered in November 2026. Where nobody measured, the coarsest pitch stands: text that cannot be read back is lost, while a page
//! that could have held more only costs more. Readers get better fast, which is what the probe is for.

use super::Pitch;
use crate::model::{Family, Identity, identity};

const fn pitch(font: &'static str, width: u32, height: u32) -> Pitch {
    Pitch { font, width, height }
}

const P11X16: Pitch = pitch("8x13", 11, 16);
const P8X22: Pitch = pitch("8x13", 8, 22);
const P8X16: Pitch = pitch("8x13", 8, 16);
const P6X12: Pitch = pitch("6x12", 6, 12);
const P5X10: Pitch = pitch("5x8", 5, 10);

/// All pitches that something was measured at, from coarse to fine. The first two hold equally much: some readers want room between
/// letters, others between rows.
pub const LADDER: [Pitch; 8] =
    [P11X16, P8X22, P8X16, P6X12, pitch("6x10", 6, 10), P5X10, pitch("5x7", 5, 9), pitch("5x8", 5, 8)];

/// The coarsest pitch of [`LADDER`] that holds more letters than this one; `None` when none does.
pub fn finer(pitch: Pitch) -> Option<Pitch> {
    let area = |pitch: Pitch| u64::from(pitch.width) * u64::from(pitch.height);
    LADDER.into_iter().find(|next| area(*next) < area(pitch))
}

/// How much is asked of a reader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Density {
    /// Reads exactly.
    #[default]
    Safe,
    /// Holds more, reads the story; exact strings lean on the fact sheet.
    Dense,
}

/// What a model can read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reader {
    /// The finest pitch at which it reads exactly.
    pub safe: Pitch,
    /// A finer one at which it still reads well; the same where none is known.
    pub dense: Pitch,
    /// Somebody measured this model or an older one of its line. False: the coarsest row of the table stands in.
    pub measured: bool,
    /// Whether its thinking may stand on pages, as words of its own.
    pub thinking: bool,
}

impl Reader {
    /// The pitch for a density.
    pub fn pitch(&self, density: Density) -> Pitch {
        match density {
            Density::Safe => self.safe,
            Density::Dense => self.dense,
        }
    }
}

/// What the model of this id can read, whichever gateway the id names. Whether it has vision at all is a matter of
/// [`crate::model::ModelFacts`].
pub fn reader(id: &str) -> Reader {
    let model = identity(id);
    let row = model.as_ref().and_then(row);
    let (safe, dense) = row.unwrap_or((P11X16, P11X16));
    Reader { safe, dense, measured: row.is_some(), thinking: model.is_some_and(|model| shows_thinking(model.family)) }
}

fn row(model: &Identity) -> Option<(Pitch, Pitch)> {
    let version = model.version;
    Some(match model.family {
        // Measured for this project on 1568×784 pages of code, JSON and prose: 6×12 read 30 of 30 planted strings, 5×10 29 of 30.
        // pxpipe: Fable 5 is one of two models that read even 5×8.
        Family::Claude if model.has("fable") || model.has("mythos") => (P6X12, P5X10),
        // pxpipe: Opus 5 read 100 of 100 at 9×16. 8×16 and 6×12 were both read 30 of 30 by the model above; one step is left between.
        Family::Claude if (model.has("opus") || model.has("sonnet")) && version >= 500 => (P8X16, P6X12),
        // pxpipe: Opus 4.8 read 95 % at 10×16, 35 % at 7×10. snapcompact, bench of tool output (F1): .806 at 11×16, .755 at 8×16, .351
        // at 6×12. A newer Haiku reads no worse than these.
        Family::Claude => (P11X16, P8X16),
        // snapcompact, the same bench, Gemini 3.5 Flash: .934 at 8×22, .807 at 8×16.
        Family::Gemini if version >= 350 => (P8X22, P8X16),
        // No published figure of its own: what its contemporaries beside it read.
        Family::Gpt if version >= 540 => (P8X22, P8X16),
        // snapcompact, Kimi K3: .915 at 8×22, .813 at 8×16.
        Family::Kimi if version >= 300 => (P8X22, P8X16),
        // snapcompact, GLM-4.6V: .780 at 8×16, and nothing finer.
        Family::Glm => (P8X16, P8X16),
        // pxpipe found no clean size for Grok from 8 to 16 px; of the rest nothing is known.
        _ => return None,
    })
}

/// Open-weight families print their thinking and take it back as text. The others hide theirs: Anthropic signs it and wants it back as it
/// came or not at all (build-with-claude/extended-thinking), OpenAI and Google hand out summaries (guides/reasoning; gemini-api/docs/thinking),
/// and a request that carries chains of thought about in the open may be taken for an attempt to draw them out. Nobody knows of an unknown
/// model, and leaving thinking out loses no word that anybody was meant to read.
fn shows_thinking(family: Family) -> bool {
    match family {
        Family::DeepSeek
        | Family::Qwen
        | Family::Kimi
        | Family::Glm
        | Family::MiniMax
        | Family::Mistral
        | Family::Llama
        | Family::Gemma => true,
        Family::Claude | Family::Gpt | Family::Reasoner | Family::Gemini | Family::Grok | Family::Muse => false,
    }
}

#[cfg(test)]
mod tests;
