//! How often things occur → the bits that each is written with (RFC 1951, 3.2.2).

use alloc::vec;
use alloc::vec::Vec;

/// More than there are literals and lengths (286), distances (30) or lengths of codes (19).
const MOST: usize = 288;

/// The bits of up to 286 things, by their numbers.
pub struct Code {
    /// The bits as they are written, the first lowest, and how many they are from bit 16 on: 0 for what does not occur.
    codes: [u32; MOST],
}

impl Code {
    /// The code with the fewest bits, none longer than `longest`, for things that occur so often, together below 2²⁴ times.
    pub fn new(often: &[u32], longest: u8) -> Code {
        let lengths = lengths(often, longest);
        // The first code of a length is what follows the last of the length before, and a zero more.
        let mut next = [0u32; 17];
        for length in 1..16 {
            let shorter = lengths.iter().filter(|other| usize::from(**other) == length).count() as u32;
            next[length + 1] = (next[length] + shorter) << 1;
        }
        let mut codes = [0; MOST];
        for (code, length) in codes.iter_mut().zip(lengths).filter(|(_, length)| *length > 0) {
            let Some(next) = next.get_mut(usize::from(length)) else { continue };
            *code = next.reverse_bits() >> (32 - u32::from(length)) | u32::from(length) << 16;
            *next += 1;
        }
        Code { codes }
    }

    /// Bits and how many they are.
    #[inline]
    pub fn of(&self, number: usize) -> (u32, u32) {
        let code = self.codes.get(number).copied().unwrap_or_default();
        (code & 0xFFFF, code >> 16)
    }

    /// How many bits each has, up to the last that occurs.
    pub fn lengths(&self) -> impl Iterator<Item = u8> + '_ {
        let used = self.codes.iter().rposition(|code| *code != 0).map_or(0, |last| last + 1);
        self.codes.iter().take(used).map(|code| (code >> 16) as u8)
    }
}

/// How many bits each thing gets.
fn lengths(often: &[u32], longest: u8) -> Vec<u8> {
    let mut often = often.to_vec();
    loop {
        let lengths = unlimited(&often);
        if lengths.iter().all(|length| *length <= longest) {
            return lengths;
        }
        // Nearer to all alike, which is 9 bits for 286 things and 5 for 19.
        often.iter_mut().for_each(|often| *often = often.div_ceil(2));
    }
}

/// Huffman's way: the two that occur least become one, until one is left.
fn unlimited(often: &[u32]) -> Vec<u8> {
    let mut lengths = vec![0; often.len()];
    let mut leaves: Vec<(u32, usize)> = Vec::with_capacity(often.len());
    for (number, often) in often.iter().enumerate().filter(|(_, often)| **often > 0) {
        let behind = leaves.iter().rposition(|(other, _)| other <= often).map_or(0, |last| last + 1);
        leaves.insert(behind, (*often, number));
    }
    if let [(_, only)] = leaves[..] {
        lengths[only] = 1;
    }
    // Unions come about from the least to the most frequent, so two rows that are in order suffice: leaves, and unions behind them.
    let mut weights: Vec<u32> = leaves.iter().map(|(often, _)| *often).collect();
    let mut parents = vec![0; 2 * leaves.len()];
    let (mut leaf, mut union) = (0, leaves.len());
    while weights.len() + 1 < 2 * leaves.len() {
        let mut least = || {
            let take_leaf = leaf < leaves.len() && weights.get(union).is_none_or(|weight| weights[leaf] <= *weight);
            let place = if take_leaf { &mut leaf } else { &mut union };
            *place += 1;
            *place - 1
        };
        let (one, other) = (least(), least());
        parents[one] = weights.len();
        parents[other] = weights.len();
        weights.push(weights[one] + weights[other]);
    }
    // From the root, the last, down: each is one deeper than its union.
    let mut depths = vec![0u8; weights.len()];
    for place in (0..weights.len().saturating_sub(1)).rev() {
        depths[place] = depths[parents[place]] + 1;
    }
    if leaves.len() > 1 {
        leaves.iter().zip(depths).for_each(|((_, number), depth)| lengths[*number] = depth);
    }
    lengths
}
