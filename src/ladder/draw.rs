//! Draws the pages of what stands, one a call, when the walk is over: no pixel of an earlier pass is ever used.

use super::{Block, Came, Easel, Originals, Stand};
use crate::message::{Kind, Message, Part, Store, base64};
use crate::page::draw::Drawing;
use alloc::string::String;
use alloc::vec::Vec;

/// The pages that are still to be drawn.
#[derive(Debug, Default)]
pub struct Draw {
    /// The live message, the part of it that is the next page, and the pages before it that are left out. Newest first.
    waiting: Vec<(usize, usize)>,
    /// What is being drawn, and its text.
    open: Option<(String, Drawing)>,
    done: u32,
    total: u32,
}

impl Draw {
    /// All pages of what stands.
    pub fn of(stand: &Stand) -> Draw {
        // Most requests have no pages, and to look at every message of a long one takes longer than all the rest.
        if stand.layers.values().all(|layer| layer.block.is_none()) {
            return Draw::default();
        }
        let mut waiting = Vec::new();
        for (m, message) in stand.live.iter().enumerate() {
            waiting.extend((0..message.parts.len()).filter(|&p| is_blank(&message.parts[p])).map(|p| (m, p)));
        }
        waiting.reverse();
        Draw { total: waiting.len() as u32, waiting, ..Draw::default() }
    }
    /// Draws the next page into its message; answers how many are drawn and how many there are, `None` when none was left.
    pub fn next(
        &mut self,
        stand: &mut Stand,
        easel: &mut Easel,
        originals: &Originals,
        history: &[Message],
        store: &mut Store,
    ) -> Option<(u32, u32)> {
        let (m, p) = self.waiting.pop()?;
        let lead_in = p.checked_sub(1).map(|before| stand.live[m].parts[before].from);
        if let Some(block) = lead_in.and_then(|from| stand.layers.get(&from)?.block.as_ref()) {
            self.open = Some(open(block, easel, Came { originals, history, store }));
        }
        let (text, drawing) = self.open.as_mut()?;
        let plan = &easel.plan;
        let page = drawing.next(text, &mut easel.faces, &|rows| plan.page(rows).height)?;
        let message = &mut stand.live[m];
        stand.fill.take(message);
        let part = &mut message.parts[p];
        let detail = String::from(store.str(part.from, part.name));
        let (from, [body, name]) = store.add_own([&base64(&page.png), &detail]);
        let taken = part.bytes;
        (part.from, part.body, part.name, part.bytes) = (from, body, name, body.len() as u32);
        message.bytes = (message.bytes + part.bytes).saturating_sub(taken);
        stand.fill.add(message);
        self.done += 1;
        Some((self.done, self.total))
    }
}

/// What is drawn of a block, before its first page. Of what stands on pages that are left out only the last message is needed: of a long
/// history that is nearly all.
fn open(block: &Block, easel: &mut Easel, came: Came<'_>) -> (String, Drawing) {
    let shape = easel.plan.shape.clone();
    let page = (u64::from(shape.columns) * u64::from(shape.rows)).max(1);
    let ends = easel.ends(&block.sources, came);
    let gone = ends.partition_point(|&end| end <= block.shed * page);
    let before = gone.checked_sub(1).map_or(0, |last| ends[last]);
    let text = easel.text(&block.sources[gone..], came);
    let mut drawing = Drawing::behind(&shape, (before % page) as u32);
    drawing.skip(&text, &mut easel.faces, block.shed.saturating_sub(before / page));
    (text, drawing)
}

/// True for a page that was planned and not drawn.
fn is_blank(part: &Part) -> bool {
    part.own && part.kind == Kind::Image && part.body.is_empty()
}
