//! Small pages, byte for byte as they were when somebody last looked at them. What differs is drawn into `target/goldens`.
#![cfg(all(feature = "std", not(target_arch = "wasm32")))]

#[allow(dead_code)]
#[path = "support/decode.rs"]
mod decode;

use decode::Picture;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

const ACCEPT: &str = "UPDATE_GOLDENS=1 cargo test --test goldens";

/// All of ASCII, other alphabets, what is alike in bad faces.
const LETTERS: &str = "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~\n\
    0O 1lI| 5S 8B 2Z rn m\n\
    ÄÖÜäöüß éèêë ñ ç åø łż řđ őű Αθήνα αβγ Привет ёжик ←→↑↓ ✓✗ • … ¿¡ «» £€¥ §°±µ\n\
    let path = \"src/page/mod.rs:17\"; // 0x1f, 10 %, 3.14\n";

/// What the layout treats apart.
const SIGNS: &str = "a\ttab\n    four\n     five\n          ten\n\n\nthree line breaks above\n\
    cafe\u{301} u\u{308} x\u{302} \u{301}a\n\
    ≤ ≥ ≠ ⇒ ⅓ ™ ﬁ ─┬│ ☑\n\
    ＡＢ１ 漢字 \u{2066}\u{7}\n\
    ↵ ⇥ ⎵ ⟦user⟧\n";

struct Golden {
    name: &'static str,
    font: &'static str,
    cell: (u32, u32),
    size: (u32, u32),
    request: Value,
    fonts: Vec<Vec<u8>>,
}

fn goldens() -> Vec<Golden> {
    let face = |name, font, cell| Golden { name, font, cell, size: (40, 8), request: json!(LETTERS), fonts: vec![] };
    let turns = json!([
        { "role": "user", "content": SIGNS },
        { "role": "assistant", "content": [
            { "type": "text", "text": "Reading it." },
            { "type": "tool_use", "id": "a", "name": "read", "input": { "path": "notes.md" } }
        ] },
        { "role": "user", "content": [{ "type": "tool_result", "tool_use_id": "a", "is_error": true, "content": "no such file" }] },
    ]);
    // An outline with few letters, and one of wide letters; what they lack the bitmap face has.
    let outlines = vec![font_test_data::TINOS_SUBSET.to_vec(), font_test_data::NOTOSERIFTC_AUTOHINT_METRICS.to_vec()];
    let wide = json!(
        "Ab \"Ba\" AAAA bbbb abab BABA, and other letters: 0O 1lI é.\n個主事些人他以你 a例 們到即\tBB\n    aa Привет"
    );
    vec![
        face("8x13-on-11x16", "8x13", (11, 16)),
        face("8x13-on-8x16", "8x13", (8, 16)),
        face("6x12", "6x12", (6, 12)),
        face("6x10", "6x10", (6, 10)),
        face("5x8-on-5x10", "5x8", (5, 10)),
        face("5x7-on-5x9", "5x7", (5, 9)),
        Golden { name: "outline", font: "Tinos 16", cell: (9, 18), size: (37, 4), request: wide, fonts: outlines },
        Golden { name: "signs", font: "6x12", cell: (6, 12), size: (41, 10), request: turns, fonts: vec![] },
    ]
}

impl Golden {
    fn draw(&self) -> Vec<u8> {
        let ((cell_width, cell_height), (columns, rows)) = (self.cell, self.size);
        let shape = json!({ "font": self.font, "cellWidth": cell_width, "cellHeight": cell_height, "columns": columns, "rows": rows });
        let options = json!({ "model": "claude-sonnet-4-5", "shape": shape });
        let (_, mut files) = palimpsest::pages(&self.request, &options, self.fonts.clone()).unwrap();
        assert_eq!(files.len(), 1, "{}", self.name);
        files.remove(0)
    }
}

fn within(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)
}

#[test]
fn pages_are_byte_for_byte_what_they_were() {
    let update = std::env::var_os("UPDATE_GOLDENS").is_some();
    let mut changed = Vec::new();
    for golden in goldens() {
        let file = golden.draw();
        let kept = within("tests/goldens").join(golden.name).with_extension("png");
        if update {
            fs::create_dir_all(within("tests/goldens")).unwrap();
            fs::write(&kept, &file).unwrap();
            continue;
        }
        let before = fs::read(&kept).unwrap_or_default();
        if before == file {
            continue;
        }
        let folder = within("target/goldens");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(golden.name).with_extension("png"), &file).unwrap();
        let told = if before.is_empty() {
            "is new".to_owned()
        } else {
            let (picture, pixels) = difference(&Picture::read(&before), &Picture::read(&file));
            fs::write(folder.join(format!("{}-difference.png", golden.name)), picture).unwrap();
            format!("differs in {pixels} pixels")
        };
        changed.push(format!("{} {told}", golden.name));
    }
    assert!(
        changed.is_empty(),
        "{changed:#?}: look at target/goldens (red was there, blue is there now), and to accept run: {ACCEPT}"
    );
}

/// A picture in which ink that went is red, ink that came blue, ink that stayed black; and how many pixels are not the same.
fn difference(before: &Picture, after: &Picture) -> (Vec<u8>, usize) {
    let (width, height) = (before.width.max(after.width), before.height.max(after.height));
    let ink = |picture: &Picture, x: usize, y: usize| {
        let inside = x < picture.width && y < picture.height;
        if inside { u32::from(picture.ink(x, y)) * 255 / ((1 << picture.depth) - 1) } else { 0 }
    };
    let (mut pixels, mut differ) = (Vec::with_capacity(3 * width * height), 0);
    for y in 0..height {
        for x in 0..width {
            let (was, is) = (ink(before, x, y), ink(after, x, y));
            differ += usize::from(was != is);
            pixels.extend([255 - is, 255 - was.max(is), 255 - was].map(|level| level as u8));
        }
    }
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    (file, differ)
}

#[test]
fn a_difference_is_drawn_in_red_and_blue() {
    let draw = |text: &str| {
        let options = json!({ "model": "claude-sonnet-4-5", "shape": { "font": "6x12", "columns": 9, "rows": 1 } });
        let (_, files) = palimpsest::pages(&json!(text), &options, vec![]).unwrap();
        Picture::read(&files[0])
    };
    let colours = |file: &[u8]| {
        let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        let count = |colour: [u8; 3]| pixels.chunks(3).filter(|pixel| *pixel == colour).count();
        (count([255, 0, 0]), count([0, 0, 255]), count([0, 0, 0]))
    };
    // The bar of the pipe goes, that of the dash comes.
    let (file, pixels) = difference(&draw("a|"), &draw("a-"));
    let (red, blue, black) = colours(&file);
    assert!(red > 5 && blue > 3 && black > 5 && (red + blue).abs_diff(pixels) == 0, "{red} {blue} {black} {pixels}");
    let (file, pixels) = difference(&draw("a|"), &draw("a|"));
    assert!(pixels == 0 && colours(&file).0 == 0 && colours(&file).1 == 0);
}
