//! A second reader, and a mechanical one: tesseract reads pages of English prose, enlarged as a model's eye would need it.
#![cfg(all(feature = "std", not(target_arch = "wasm32")))]

#[allow(dead_code)]
#[path = "support/decode.rs"]
mod decode;

use decode::Picture;
use serde_json::json;
use std::fs;
use std::path::Path;
use std::process::Command;

/// English, without zeros, whose slash is made for models and which tesseract takes for an 8.
fn prose() -> String {
    include_str!("texts/prose.txt").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn tesseract() -> Option<String> {
    let ask = |what: &str| {
        let told = Command::new("tesseract").arg(what).output().ok()?;
        Some(String::from_utf8_lossy(&[told.stdout, told.stderr].concat()).into_owned())
    };
    let english = ask("--list-langs")?.lines().any(|line| line == "eng");
    english.then(|| ask("--version"))??.lines().next().map(str::to_owned)
}

#[test]
fn tesseract_reads_prose() {
    let Some(version) = tesseract() else {
        println!("skipped: tesseract is not on PATH, or without English (Debian: apt-get install tesseract-ocr)");
        return;
    };
    for (font, cell, most) in [("8x13", (8, 16), 0.03), ("6x12", (6, 12), 0.01)] {
        let shape = json!({ "font": font, "cellWidth": cell.0, "cellHeight": cell.1 });
        let options = json!({ "model": "claude-sonnet-4-5", "shape": shape });
        let text = prose();
        let (_, files) = palimpsest::pages(&json!(text), &options, vec![]).unwrap();
        assert_eq!(files.len(), 1);
        let read = read(&twice(&Picture::read(&files[0])), &format!("{font}-{}x{}", cell.0, cell.1));
        // Rows break within words, so blanks say nothing.
        let (text, read) = (letters(&text), letters(&read));
        let wrong = distance(&text, &read);
        let share = wrong as f64 / text.len() as f64;
        println!(
            "{version}: {font} on {}x{}: {wrong} of {} letters wrong, {:.2} %",
            cell.0,
            cell.1,
            text.len(),
            100.0 * share
        );
        assert!(text.len() > 2000 && share <= most, "{share} of the letters wrong: {}", String::from_iter(&read));
    }
}

fn letters(text: &str) -> Vec<char> {
    text.chars().filter(|letter| !letter.is_whitespace()).collect()
}

/// What tesseract reads of a grey picture, taken for one block of text.
fn read((pixels, width, height): &(Vec<u8>, usize, usize), name: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    fs::create_dir_all(folder).unwrap();
    let path = folder.join(format!("ocr-{name}.png"));
    let file = fs::File::create(&path).unwrap();
    let mut encoder = png::Encoder::new(file, *width as u32, *height as u32);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header().unwrap().write_image_data(pixels).unwrap();
    let mut command = Command::new("tesseract");
    command.arg(&path).args(["stdout", "--psm", "6", "-l", "eng"]).env("OMP_THREAD_LIMIT", "1");
    let told = command.output().unwrap();
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    String::from_utf8(told.stdout).unwrap()
}

/// Twice as wide and as high, bicubic, on white.
fn twice(page: &Picture) -> (Vec<u8>, usize, usize) {
    let most = f64::from((1u32 << page.depth) - 1);
    let grey = |x: isize, y: isize| {
        let inside = |at: isize, side: usize| at.clamp(0, side as isize - 1) as usize;
        255.0 - f64::from(page.ink(inside(x, page.width), inside(y, page.height))) * 255.0 / most
    };
    let (width, height) = (2 * page.width, 2 * page.height);
    // First across, then down: a pixel's middle lies a quarter before or behind that of the one it comes from.
    let across: Vec<f64> = (0..page.height * width)
        .map(|at| {
            let (x, y) = (at % width, (at / width) as isize);
            between(x, |x| grey(x, y))
        })
        .collect();
    let row = |y: isize| y.clamp(0, page.height as isize - 1) as usize * width;
    let pixels = (0..width * height)
        .map(|at| between(at / width, |y| across[row(y) + at % width]).round().clamp(0.0, 255.0) as u8)
        .collect();
    (pixels, width, height)
}

/// The value at a place of the doubled line, from the four of the line around it (Keys, with a = -1/2).
fn between(place: usize, value: impl Fn(isize) -> f64) -> f64 {
    let middle = (place as f64 + 0.5) / 2.0 - 0.5;
    let first = middle.floor() as isize - 1;
    let weight = |distance: f64| {
        let far = distance.abs();
        if far < 1.0 { (1.5 * far - 2.5) * far * far + 1.0 } else { ((-0.5 * far + 2.5) * far - 4.0) * far + 2.0 }
    };
    (first..first + 4).map(|at| weight(middle - at as f64) * value(at)).sum()
}

/// Letters to change, add or take away to make one text of another (Levenshtein).
fn distance(from: &[char], to: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (at, letter) in from.iter().enumerate() {
        let mut corner = row[0];
        row[0] = at + 1;
        for (other, next) in to.iter().zip(1..) {
            let changed = corner + usize::from(letter != other);
            corner = row[next];
            row[next] = changed.min(corner + 1).min(row[next - 1] + 1);
        }
    }
    row[to.len()]
}

#[test]
fn distances_are_counted() {
    let of = |from, to| distance(&letters(from), &letters(to));
    assert_eq!([of("kitten", "sitting"), of("", "abc"), of("abc", ""), of("a b c", "abc")], [3, 3, 3, 0]);
}

#[test]
fn enlarging_keeps_flat_and_sharpens_edges() {
    let values = [0.0, 0.0, 0.0, 100.0, 100.0, 100.0];
    let at = |place: usize| between(place, |at| values[at.clamp(0, 5) as usize]);
    assert_eq!([at(0), at(11)], [0.0, 100.0]);
    // A quarter behind the last dark pixel; it overshoots a little before the edge.
    assert!(at(5) > 10.0 && at(5) < 30.0 && at(6) > 70.0 && at(4) < 0.0, "{} {} {}", at(4), at(5), at(6));
}
