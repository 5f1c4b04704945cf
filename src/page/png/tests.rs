use super::huffman::Code;
use super::*;
use ::png::{ColorType, Decoder};
use alloc::vec;
use proptest::prelude::*;
use std::io::Cursor;

/// What another's decoder, which checks all sums, reads: pixels as they are packed, width, height and depth.
fn read(file: &[u8]) -> (Vec<u8>, u32, u32, u8) {
    let mut reader = Decoder::new(Cursor::new(file)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    reader.finish().unwrap();
    let info = reader.info();
    assert_eq!((info.color_type, info.interlaced), (ColorType::Grayscale, false));
    let [text] = &info.uncompressed_latin1_text[..] else { panic!("one text") };
    assert_eq!([text.keyword.as_bytes(), b"\0", text.text.as_bytes()].concat(), PAGE_KEY);
    (pixels, frame.width, frame.height, info.bit_depth as u8)
}

fn comes_back(pixels: &[u8], width: u32, height: u32, depth: u8) -> Vec<u8> {
    let file = Encoder::new().encode(pixels, width, height, depth);
    let (read, read_width, read_height, read_depth) = read(&file);
    assert_eq!((read_width, read_height, read_depth), (width, height, depth));
    assert!(read == pixels, "other pixels");
    file
}

/// Bytes that look like dice.
fn noise(len: usize) -> Vec<u8> {
    let mut state = 1u32;
    let next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    core::iter::repeat_with(next).take(len).collect()
}

#[test]
fn small_and_plain_and_wild_pages() {
    comes_back(&[0x80], 1, 1, 1);
    comes_back(&[0, 0, 0xFF, 0xFF, 0x12, 0x34], 13, 3, 1);
    comes_back(&noise(1000), 2, 1000, 4);
    let white = comes_back(&vec![0xFF; 196 * 1568], 1568, 1568, 1);
    assert!(white.len() < 1400, "{} bytes", white.len());
    comes_back(&vec![0; 196 * 300], 1568, 300, 1);
    // Nothing repeats: hardly more than the pixels.
    let wild = noise(196 * 1568);
    assert!(comes_back(&wild, 1568, 1568, 1).len() < wild.len() + wild.len() / 100);
    // The same again, just within reach and just beyond.
    for period in [32_768 - 197, 32_768, 32_769, 40_000, 65_536] {
        let pixels: Vec<u8> = wild.iter().copied().take(period).cycle().take(196 * 1568).collect();
        comes_back(&pixels, 1568, 1568, 1);
    }
}

#[test]
fn what_was_written_before_changes_nothing() {
    let (one, other) = (noise(2000), vec![0xAA; 1960]);
    let mut encoder = Encoder::new();
    let first = encoder.encode(&one, 160, 100, 1);
    assert_ne!(encoder.encode(&other, 160, 98, 1), first);
    assert_eq!(encoder.encode(&one, 160, 100, 1), first);
}

#[test]
fn a_code_is_whole_and_no_longer_than_allowed() {
    let fibonacci = |count| {
        let pairs = core::iter::successors(Some((1u32, 1)), |(a, b)| Some((*b, a + b)));
        pairs.map(|(a, _)| a).take(count).collect::<Vec<_>>()
    };
    for (often, longest) in [(fibonacci(30), 15), (fibonacci(19), 7), (vec![1; 286], 15), (vec![3, 0, 0, 1], 7)] {
        let code = Code::new(&often, longest);
        let lengths: Vec<u8> = code.lengths().collect();
        assert!(lengths.iter().zip(&often).all(|(length, often)| (*often > 0) == (*length > 0) && *length <= longest));
        let full: u32 = lengths.iter().filter(|length| **length > 0).map(|length| 1 << (15 - length)).sum();
        assert_eq!(full, 1 << 15, "{lengths:?}");
    }
    // These fit without a limit, so they are Huffman's.
    assert_eq!(Code::new(&[5, 1, 2, 8], 15).lengths().collect::<Vec<_>>(), [2, 3, 3, 1]);
    assert_eq!(Code::new(&[0, 7], 15).lengths().collect::<Vec<_>>(), [0, 1]);
}

proptest! {
    #[test]
    fn pixels_come_back(
        width in 1..300u32,
        height in 1..60u32,
        depth in prop::sample::select(vec![1u8, 4]),
        // Few different bytes and many runs, so that there is something to refer to.
        runs in prop::collection::vec((prop::sample::select(vec![0u8, 0xFF, 0x18, 0x7E]), 1..300usize), 1..200),
        salt in prop::collection::vec((any::<u16>(), any::<u8>()), 0..300),
    ) {
        let size = (width as usize * usize::from(depth)).div_ceil(8) * height as usize;
        let bytes = runs.iter().flat_map(|(byte, times)| core::iter::repeat_n(*byte, *times));
        let mut pixels: Vec<u8> = bytes.collect::<Vec<_>>().into_iter().cycle().take(size).collect();
        for (place, byte) in salt {
            pixels[usize::from(place) % size] = byte;
        }
        comes_back(&pixels, width, height, depth);
    }
}
