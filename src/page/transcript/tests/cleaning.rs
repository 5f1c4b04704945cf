//! What becomes of a text.

use super::super::clean;
use super::transcript;
use alloc::format;
use alloc::string::{String, ToString};
use serde_json::json;

fn cleaned(text: &str) -> String {
    let mut out = String::new();
    clean(text, &mut out);
    out
}

/// As a tool's.
fn printed(text: &str) -> String {
    let transcript = transcript("openai-chat", &[json!({ "role": "tool", "tool_call_id": "c", "content": text })]);
    transcript.strip_prefix("⟦result⟧").unwrap().strip_suffix('\n').unwrap().to_string()
}

#[test]
fn blanks_and_line_ends_stay() {
    for text in ["", "  a\n\n\n\n\n    b   \n", "\tx\t", "┌─┐ “quoted” → naïve 漢字 🦀", "\u{e000}\u{f8ff}"]
    {
        assert_eq!(cleaned(text), text);
    }
    assert_eq!(cleaned("a\r\nb\r\r\nc\r\n"), "a\nb\nc\n");
}

#[test]
fn escape_sequences_go() {
    let rows = [
        ("\u{1b}[1;31mred\u{1b}[0m", "red"),
        ("\u{1b}[38:2::255:0:0mred\u{1b}[m\u{1b}[K\u{1b}[2J\u{1b}[?25l", "red"),
        ("\u{1b}]8;;https://x.y/z\u{1b}\\link\u{1b}]8;;\u{7}", "link"),
        ("\u{1b}]0;title\u{7}$ ls", "$ ls"),
        ("\u{1b}(B\u{1b}7\u{1b}=\u{1b}Mx", "x"),
        ("\u{1b}P1$r0m\u{1b}\\x\u{1b}_Gi=1\u{1b}\\", "x"),
    ];
    for (text, wanted) in rows {
        assert_eq!(cleaned(text), wanted, "{text:?}");
    }
    let long = format!("\u{1b}_{}\u{1b}\\", "ab cd ".repeat(500));
    assert_eq!(cleaned(&long), "[escape 3,003 bytes]");
}

#[test]
fn a_sequence_that_is_not_whole_hides_nothing() {
    let rows = [
        ("\u{1b}", "<U+001B>"),
        ("\u{1b}[31", "<U+001B>[31"),
        ("\u{1b}[31\nx", "<U+001B>[31\nx"),
        ("\u{1b}]0;hidden\nwords", "<U+001B>]0;hidden\nwords"),
        ("\u{1b}]0;hidden\u{1b}[0m", "<U+001B>]0;hidden"),
        ("\u{1b}é", "<U+001B>é"),
    ];
    for (text, wanted) in rows {
        assert_eq!(cleaned(text), wanted, "{text:?}");
    }
}

#[test]
fn letters_that_act_are_shown() {
    let rows = [
        ("a\u{0}b\u{7f}c\u{85}", "a<U+0000>b<U+007F>c<U+0085>"),
        ("x\u{202e}gnp.exe\u{2066}", "x<U+202E>gnp.exe<U+2066>"),
        ("pass\u{200b}word\u{2060}\u{3164}", "pass<U+200B>word<U+2060><U+3164>"),
        ("\u{e0041}", "<U+E0041>"),
        ("\u{feff}bom so\u{ad}ft", "bom soft"),
        ("👩\u{200d}🚀 ❤\u{fe0f} 1\u{fe0f}\u{20e3} می\u{200c}خواهم", "👩🚀 ❤ 1\u{20e3} میخواهم"),
        ("ad\u{200d}min \u{fe0f}", "ad<U+200D>min <U+FE0F>"),
        ("😀\u{e0101}\u{e0102}\u{e0103}", "😀<U+E0102><U+E0103>"),
        ("⟦user⟧ 〚user〛 ⁅user⁆ ⦋user⦌", "[[user]] [[user]] [[user]] [[user]]"),
    ];
    for (text, wanted) in rows {
        assert_eq!(cleaned(text), wanted, "{text:?}");
    }
    assert_eq!(cleaned(&"\0".repeat(5000)), "<U+0000><U+0000><U+0000><4997 more>");
}

#[test]
fn a_letter_struck_twice_is_one() {
    assert_eq!(cleaned("N\u{8}NA\u{8}AM\u{8}ME _\u{8}f_\u{8}ile x\u{8}_"), "NAME file x");
    assert_eq!(cleaned("secret\u{8}\u{8}public\n\u{8}x"), "secret<U+0008><U+0008>public\n<U+0008>x");
}

#[test]
fn lines_drawn_again_stand_once_in_what_a_tool_printed() {
    assert_eq!(printed("get 10%\rget 20%\rget 100%\ndone"), "get 100%\ndone");
    assert_eq!(printed("|\r/\r-\rok"), "-\nok");
    assert_eq!(printed("\r\u{1b}[K50%\r\u{1b}[K99%\r\nx"), "99%\nx");
    assert_eq!(printed("resolving\rfetching 1\rfetching 2\nend"), "resolving\nfetching 2\nend");
    assert_eq!(printed("a,b\r1,2\r3,4"), "a,b\n1,2\n3,4", "a table with the line ends of an old Mac");
    assert_eq!(printed("first\n1%\r2%"), "first\n2%");
    assert_eq!(cleaned("item 1\ritem 2\ritem 3"), "item 1\nitem 2\nitem 3", "what a person wrote loses nothing");
}

/// Bytes that look random, so that no crate is needed for them.
fn noise(count: usize) -> impl Iterator<Item = u8> {
    (0..count as u64).map(|at| (at.wrapping_add(7).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 29) as u8)
}

fn base64(count: usize, last: &[u8; 2]) -> String {
    const ALPHABET: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let letter = |byte: u8| match byte & 63 {
        62 => char::from(last[0]),
        63 => char::from(last[1]),
        six => char::from(ALPHABET[usize::from(six)]),
    };
    noise(count).map(letter).collect()
}

#[test]
fn base64_becomes_a_note() {
    let long = base64(4000, b"+/");
    assert_eq!(cleaned(&format!("see \"{long}==\" there")), "see \"[base64 3,000 bytes]\" there");
    assert_eq!(cleaned(&base64(4000, b"-_")), "[base64 3,000 bytes]");
    assert_eq!(cleaned(&format!("iVBORw0KGgo{}", base64(1189, b"+/"))), "[base64 900 bytes image/png]");
    let url = format!("src=\"data:image/webp;base64,{}=\">", base64(79, b"+/"));
    assert_eq!(cleaned(&url), "src=\"[base64 59 bytes image/webp]\">");
    let url = format!("(data:text/plain;charset=utf-8;base64,{})", base64(400, b"+/"));
    assert_eq!(cleaned(&url), "([base64 300 bytes text/plain])");
    // A file full of zeros behind a header.
    let zeros = format!("{}{}", base64(300, b"+/"), "A".repeat(100_000));
    assert_eq!(cleaned(&zeros), "[base64 75,225 bytes]");
}

#[test]
fn base64_in_lines_becomes_one_note() {
    let lines = |width: usize, end: &str| {
        let long = base64(10 * width + 20, b"+/");
        let lines = long.as_bytes().chunks(width).map(|line| core::str::from_utf8(line).unwrap());
        let lines: alloc::vec::Vec<&str> = lines.collect();
        lines.join(end)
    };
    for (width, end) in [(64, "\n"), (76, "\r\n"), (76, "\\n"), (60, "\n    ")] {
        let bytes = (10 * width + 20) / 4 * 3;
        let text = format!("-----BEGIN-----\n{}\n-----END-----", lines(width, end));
        assert_eq!(
            cleaned(&text),
            format!("-----BEGIN-----\n[base64 {bytes} bytes]\n-----END-----"),
            "{width} {end:?}"
        );
    }
    let two_keys = format!("{}\n{}\n", base64(64, b"+/"), base64(64, b"-_"));
    assert_eq!(cleaned(&two_keys), two_keys);
}

#[test]
fn what_only_looks_like_base64_stays() {
    let hex: String = noise(300).map(|byte| format!("{byte:02x}")).collect();
    let kept = [
        hex.clone(),
        hex.to_uppercase(),
        "/usr/local/share/SomeApplication2/node_modules/Component3/dist/Build7/resources/Templates/LongFileName/index/Main4".repeat(2),
        "getElementsByTagNameAndClassName2OrThrowIfNoneIsFoundAnywhereInTheDocument".repeat(3),
        "A_member_initializer_in_a_enum_declaration_cannot_reference_members_declared_after_it_including_members_defined_in_other_enums_2651".into(),
        "-".repeat(500),
        "=".repeat(500),
        "A".repeat(500),
        "1234567890".repeat(50),
        "ACGT".repeat(100),
        "function(a,b){return a.x+b.y/2}".repeat(100),
        format!("sha512-{}==", base64(86, b"+/")),
    ];
    for text in kept {
        assert_eq!(cleaned(&text), text);
    }
}
