use super::*;
use alloc::{string::String, vec, vec::Vec};

/// 3×2 px, one bit grey, as the png crate writes it.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x01\0\0\0\0\x34\x5c\xa6\xf1\0\0\0\x0cIDAT\x08\xd7c`\0\x02\0\0\x05\0\x01\xe2&\x05\x9b\0\0\0\0IEND\xaeB`\x82";
/// 1×1 px, the shortest that browsers show.
const GIF: &[u8] =
    b"GIF89a\x05\0\x07\0\x80\0\0\xff\xff\xff\0\0\0!\xf9\x04\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";
/// The 1×1 lossy sample of Modernizr.
const LOSSY: &[u8] =
    b"RIFF\x22\0\0\0WEBPVP8 \x16\0\0\0\x30\x01\0\x9d\x01\x2a\x01\0\x01\0\x0e\xc0\xfe\x25\xa4\0\x03p\0\0\0\0";
/// 1×1, lossless.
const LOSSLESS: &[u8] = b"RIFF\x1a\0\0\0WEBPVP8L\r\0\0\0\x2f\0\0\0\x10\x07\x10\x11\x11\x88\x88\xfe\x07\0";
const EXTENDED: &[u8] = b"RIFF\x80\0\0\0WEBPVP8X\n\0\0\0\x10\0\0\0\x8f\x06\0\x37\x04\0ANIM";

/// A JPEG with so many bytes of EXIF and colour profile before its frame of 640×480.
fn jpeg_with(metadata: usize) -> Vec<u8> {
    let mut bytes = b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0".to_vec();
    let mut left = metadata;
    while left > 0 {
        let here = left.min(65_533);
        bytes.extend([0xFF, 0xFF, if left == metadata { 0xE1 } else { 0xE2 }]);
        bytes.extend(u16::try_from(here + 2).unwrap().to_be_bytes());
        // As a preview within EXIF would: a frame of another size.
        let preview = b"\xff\xd8\xff\xc0\0\x11\x08\0\x01\0\x01";
        bytes.extend(preview.iter().cycle().take(here));
        left -= here;
    }
    bytes.extend(
        b"\xff\xc4\0\x04\x01\x02\xff\xc2\0\x11\x08\x01\xe0\x02\x80\x03\x01\x22\0\x02\x11\x01\x03\x11\x01\xff\xda\0\x02",
    );
    bytes
}

fn samples() -> Vec<(Vec<u8>, (u32, u32), usize)> {
    // Each with the number of bytes that its size needs.
    let jpeg = jpeg_with(200_000);
    let needed = jpeg.len() - 14;
    vec![
        (PNG.to_vec(), (3, 2), 24),
        (GIF.to_vec(), (5, 7), 10),
        (LOSSY.to_vec(), (1, 1), 30),
        (LOSSLESS.to_vec(), (1, 1), 25),
        (EXTENDED.to_vec(), (1680, 1080), 30),
        (jpeg_with(0), (640, 480), 35),
        (jpeg, (640, 480), needed),
    ]
}

fn encode(bytes: &[u8], alphabet: &[u8; 64], pad: bool) -> String {
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let mut all = [0; 4];
        all[1..=group.len()].copy_from_slice(group);
        let bits = u32::from_be_bytes(all);
        for letter in 0..=group.len() {
            text.push(char::from(alphabet[(bits >> (18 - 6 * letter)) as usize & 63]));
        }
        if pad {
            text.extend(core::iter::repeat_n('=', 3 - group.len()));
        }
    }
    text
}

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL_SAFE: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

#[test]
fn each_type_in_each_dress() {
    for (bytes, wanted, _) in samples() {
        assert_eq!(size_of_bytes(&bytes), Some(wanted));
        for alphabet in [STANDARD, URL_SAFE] {
            let text = encode(&bytes, alphabet, alphabet == STANDARD);
            let lines: Vec<&str> = text.as_bytes().chunks(76).map(|line| core::str::from_utf8(line).unwrap()).collect();
            let spaced: String = text.chars().flat_map(|letter| [' ', letter, '\t']).collect();
            for dressed in [
                text.clone(),
                alloc::format!("data:image/png;base64,{text}"),
                alloc::format!("  DATA:image/webp;charset=utf-8;BASE64,\n{text}"),
                alloc::format!("data:;base64,{}", lines.join("\r\n")),
                lines.join("\n"),
                spaced,
            ] {
                assert_eq!(size_of_base64(dressed.as_bytes()), Some(wanted), "{}", &dressed[..40]);
            }
        }
    }
}

#[test]
fn a_beginning_suffices_and_less_does_not() {
    for (bytes, wanted, needed) in samples() {
        for length in (0..bytes.len()).filter(|length| *length < 100 || *length + 40 > bytes.len()) {
            let expected = (length >= needed).then_some(wanted);
            assert_eq!(size_of_bytes(&bytes[..length]), expected, "{length} of {needed}");
            let text = encode(&bytes[..length], STANDARD, true);
            assert_eq!(size_of_base64(text.as_bytes()), expected, "{length} of {needed}");
        }
    }
}

#[test]
fn nothing_behind_the_header_is_looked_at() {
    let text = encode(&PNG[..24], STANDARD, true);
    let text = alloc::format!("{text}\u{fffd}???");
    assert_eq!(size_of_base64(text.as_bytes()), Some((3, 2)));
}

#[test]
fn apples_png() {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x04CgBI\x50\0\x20\x02\x2b\xd5\xb3\x7f".to_vec();
    bytes.extend(&PNG[8..]);
    assert_eq!(size_of_bytes(&bytes), Some((3, 2)));
}

#[test]
fn broken_is_none() {
    let mut no_width = PNG.to_vec();
    no_width[16..20].fill(0);
    let mut vast = PNG.to_vec();
    vast[16] = 0xFF;
    let mut inter_frame = LOSSY.to_vec();
    inter_frame[20] |= 1;
    let cases: [&[u8]; 12] = [
        b"",
        b"data:image/png;base64",
        b"data:image/png,iVBORw0KGgo=",
        b"data:,",
        b"BM\x36\0\0\0",
        b"<svg width='3' height='2'/>",
        b"\xff\xd8\xff\xd9",
        b"\xff\xd8\xff\xe1\0\0",
        b"\xff\xd8\xff\xe1\0\x01\xff\xc0",
        &no_width,
        &vast,
        &inter_frame,
    ];
    for case in cases {
        assert_eq!(size_of_bytes(case), None);
        assert_eq!(size_of_base64(case), None);
        assert_eq!(size_of_base64(encode(case, STANDARD, true).as_bytes()), None);
    }
}

#[test]
fn noise_never_panics() {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for round in 0..20_000 {
        let length = (random() % 200) as usize;
        let mut bytes: Vec<u8> = (0..length).map(|_| random() as u8).collect();
        // Half of them begin as a picture does.
        let samples = [PNG, GIF, LOSSY, LOSSLESS, EXTENDED, b"\xff\xd8\xff\xe1"];
        if round % 2 == 0 {
            let start = samples[random() as usize % samples.len()];
            let keep = (random() as usize % 24).min(start.len());
            bytes.splice(..keep.min(length), start[..keep].iter().copied());
        }
        let _ = size_of_bytes(&bytes);
        let _ = size_of_base64(&bytes);
        let text = encode(&bytes, URL_SAFE, false);
        assert_eq!(size_of_base64(text.as_bytes()), size_of_bytes(&bytes));
    }
}

#[test]
fn a_page_is_known_by_its_first_bytes() {
    let header = &PNG[..33];
    let page = |text: &[u8]| [header, b"\0\0\0\x11tEXt", text, b"sum.", b"\0\0\0\x0cIDAT"].concat();
    let ours = page(PAGE_KEY);
    for (bytes, is_page) in [
        (&ours[..], true),
        (&ours[..58], true),
        (&ours[..50], false),
        (&page(b"palimpsest\0page 72"), true),
        (&page(b"palimpsest\0leaf 1"), false),
        (&page(b"palimpsests\0page 1"), false),
        (&page(b"Comment\0palimpsest\0page 1"), false),
        (PNG, false),
        (GIF, false),
        (b"", false),
    ] {
        assert_eq!(is_page_bytes(bytes), is_page, "{bytes:?}");
        for text in [encode(bytes, STANDARD, true), encode(bytes, URL_SAFE, false)] {
            assert_eq!(is_page_base64(text.as_bytes()), is_page);
            assert_eq!(is_page_base64(["data:image/png;base64,", &text].concat().as_bytes()), is_page);
        }
    }
    let text = encode(&ours, STANDARD, true);
    assert!(is_page_base64(&text.as_bytes()[..80]));
    assert!(!is_page_base64(&text.as_bytes()[..60]));
    assert!(!is_page_base64(["data:image/png,", &text].concat().as_bytes()));
}
