//! References: short names by which elided words are found again. A reference is a hash of tool, arguments, result and occurrence, since the
//! ids of calls repeat.

use crate::history::pair;
use crate::message::{Message, Part, Store};
use alloc::collections::BTreeMap;
use alloc::string::String;
use serde::Serialize;

/// What is known of a result.
#[derive(Clone, Copy, Debug)]
pub struct Reference {
    /// The call that it answers: input and part of the tool's name.
    pub tool: (u32, crate::message::Span),
    /// Hash of tool and arguments.
    pub call: u64,
    /// Hash of the result.
    pub result: u64,
    /// How many results of the same call and words came before.
    pub occurrence: u32,
}

/// The references of all results of a history.
#[derive(Debug, Default)]
pub struct References {
    known: BTreeMap<(u32, u32), Reference>,
    /// How often each call came with the same result.
    seen: BTreeMap<(u64, u64), u32>,
}

/// An elided result, as the public contract shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Elided {
    /// Gives the words back.
    #[serde(rename = "ref")]
    pub reference: String,
    /// The tool that was called.
    pub tool: String,
    /// Tokens of the result.
    pub tokens: u32,
    /// Code points of its words.
    pub chars: u64,
}

impl References {
    /// Reads a mended history.
    pub fn read(messages: &[Message], store: &Store) -> References {
        let mut references = References::default();
        references.add(messages, store);
        references
    }
    /// Reads messages of a mended history behind those that were read; the calls that they answer must be among them.
    pub fn add(&mut self, messages: &[Message], store: &Store) {
        for ((cm, cp), result) in pair(messages, store).calls {
            let Some((m, p)) = result else { continue };
            let part = &messages[cm].parts[cp];
            let call = Hash::new().with(store.bytes(part.from, part.name)).with(store.bytes(part.from, part.body)).0;
            let stood = &messages[m].parts[p..];
            if self.known.contains_key(&key(&stood[0])) {
                continue;
            }
            let mut hash = Hash::new();
            for part in stood.iter().enumerate().take_while(|(i, part)| *i == 0 || part.inside).map(|(_, part)| part) {
                hash = hash.with(store.bytes(part.from, part.body));
            }
            let count = self.seen.entry((call, hash.0)).or_default();
            let occurrence = *count;
            *count += 1;
            let tool = (part.from, part.name);
            self.known.insert(key(&stood[0]), Reference { tool, call, result: hash.0, occurrence });
        }
    }
    /// What is known of a result.
    pub fn of(&self, part: &Part) -> Option<&Reference> {
        self.known.get(&key(part))
    }
}

impl Reference {
    /// The reference itself: ten letters and digits, none of which looks like another.
    pub fn name(&self) -> String {
        Hash(self.call).with_word(self.result).with_word(u64::from(self.occurrence)).letters()
    }
}

/// A name for these bytes, of the same kind as a reference.
pub fn digest(texts: &[&[u8]]) -> String {
    texts.iter().fold(Hash::new(), |hash, text| hash.with(text)).letters()
}

fn key(part: &Part) -> (u32, u32) {
    (part.from, part.at.block)
}

/// A 64-bit hash by multiplication, eight bytes at a time, as `fxhash` and `wyhash` do. It names things, it protects nothing.
#[derive(Clone, Copy)]
struct Hash(u64);

impl Hash {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

    fn new() -> Hash {
        Hash(0x2545_f491_4f6c_dd1d)
    }
    fn with(self, text: &[u8]) -> Hash {
        let mut hash = self.with_word(text.len() as u64);
        let (words, rest) = text.as_chunks::<8>();
        for word in words {
            hash = hash.with_word(u64::from_le_bytes(*word));
        }
        let last = rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        hash.with_word(last)
    }
    fn with_word(self, word: u64) -> Hash {
        let mixed = (self.0 ^ word).wrapping_mul(Hash::FACTOR);
        Hash(mixed ^ (mixed >> 29))
    }
    /// 50 bits in Crockford's alphabet.
    fn letters(self) -> String {
        const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
        let mixed = (self.0 ^ (self.0 >> 32)).wrapping_mul(Hash::FACTOR);
        let bits = mixed ^ (mixed >> 31);
        (0..10).map(|place| LETTERS[(bits >> (place * 5) & 31) as usize] as char).collect()
    }
}
