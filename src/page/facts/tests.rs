use super::*;
use crate::page::transcript::{CLOSE, OPEN};
use alloc::format;
use alloc::string::ToString;
use proptest::prelude::*;

/// The facts of a text, one after the other.
fn found(text: &str) -> Vec<(String, Rank)> {
    let mut found = Vec::new();
    find(text, &mut |fact, rank| found.push((fact.to_string(), rank)));
    found
}

fn strings(text: &str) -> Vec<String> {
    found(text).into_iter().map(|(fact, _)| fact).collect()
}

/// Each text holds one fact, of this rank, or none when it is empty.
fn check(rank: Rank, rows: &[(&str, &str)]) {
    for (text, fact) in rows {
        let wanted: Vec<_> = Some((fact.to_string(), rank)).into_iter().filter(|(fact, _)| !fact.is_empty()).collect();
        assert_eq!(found(text), wanted, "{text:?}");
    }
}

#[test]
fn paths() {
    check(
        Rank::Exact,
        &[
            ("see src/page/mod.rs, then", "src/page/mod.rs"),
            ("at /usr/local/bin.", "/usr/local/bin"),
            ("(./scripts/build-all)", "./scripts/build-all"),
            ("`../Cargo.toml`", "../Cargo.toml"),
            ("cd ~/.config/nvim/init.lua", "~/.config/nvim/init.lua"),
            ("$HOME/.cache/x.log", "$HOME/.cache/x.log"),
            ("src/app/(auth)/[id]/page.tsx:12:5: error", "src/app/(auth)/[id]/page.tsx:12:5"),
            (
                "node_modules/.pnpm/@eslint+core@0.15.2/node_modules/x.js",
                "node_modules/.pnpm/@eslint+core@0.15.2/node_modules/x.js",
            ),
            ("main.rs:42: no", "main.rs:42"),
            ("src/lib.rs:10-20", "src/lib.rs:10-20"),
            ("+++ b/src/lib.rs", "src/lib.rs"),
            ("-I/usr/include/x11", "/usr/include/x11"),
            (r#"{"path":"src/a.rs\nnext"}"#, "src/a.rs"),
            (r#"{"text":"one\nsrc/a.rs\ttwo"}"#, "src/a.rs"),
            ("lib/spotter_web/channels", "lib/spotter_web/channels"),
            ("in papers/Über_Größe.pdf", "papers/Über_Größe.pdf"),
            ("打开/usr/lib/python3/文件", "/usr/lib/python3"),
            (r"C:\Users\new\file.txt:3", r"C:\Users\new\file.txt:3"),
            (r"D:\Program Files\App\x.exe /s", r"D:\Program Files\App\x.exe"),
            (r#"{"p":"C:\\Temp\\a.log\nnext"}"#, r"C:\\Temp\\a.log"),
            (r"src\Views\Home.cs here", r"src\Views\Home.cs"),
        ],
    );
}

#[test]
fn addresses() {
    check(
        Rank::Exact,
        &[
            ("see https://a.b/c?d=e&f=%20#g.", "https://a.b/c?d=e&f=%20#g"),
            ("(https://en.wikipedia.org/wiki/Rust_(language))", "https://en.wikipedia.org/wiki/Rust_(language)"),
            ("http://localhost:3000/x,", "http://localhost:3000/x"),
            ("[a](http://x.org/a/)", "http://x.org/a/"),
            (r#"{"u":"ws://127.0.0.1:9229\n"}"#, "ws://127.0.0.1:9229"),
            ("git+ssh://git@host/repo", "ssh://git@host/repo"),
            ("file:///etc/hosts", "file:///etc/hosts"),
            ("http://", ""),
            ("http://... and https://host/", ""),
            ("https://${HOST}/", ""),
        ],
    );
}

#[test]
fn hashes_and_ids() {
    check(
        Rank::Exact,
        &[
            ("commit 1f77904 is", "1f77904"),
            (
                "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            ),
            ("id 019c5238-1946-7e22-9b9d-820c7e2009ab,", "019c5238-1946-7e22-9b9d-820c7e2009ab"),
            ("12345678-1234-1234-1234-123456789012", "12345678-1234-1234-1234-123456789012"),
            ("toolu_01A09q90qw90lq917835lq9", "toolu_01A09q90qw90lq917835lq9"),
            ("call_x9", "call_x9"),
            ("msg_abc123", "msg_abc123"),
            ("QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPLqP", "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPLqP"),
            ("01ARZ3NDEKTSV4RRFFQ69G5FAV", "01ARZ3NDEKTSV4RRFFQ69G5FAV"),
            ("k3j9x2m1p0q8", "k3j9x2m1p0q8"),
            ("at 0x7ffd3a1c", "0x7ffd3a1c"),
            ("main.3f2a1b9c.js", "3f2a1b9c"),
            (
                "session-019c5238-1946-7e22-9b9d-820c7e2009ab.jsonl",
                "session-019c5238-1946-7e22-9b9d-820c7e2009ab.jsonl",
            ),
            ("sha512-AbC/dEf+ghIJklmnopqrstuvwxyz0123==,", "sha512-AbC/dEf+ghIJklmnopqrstuvwxyz0123=="),
            ("deadbeef and facade and effaced", ""),
            ("getUInt8 utf8 sha256 x86_64 i32 base64 vec2 test_1 h264 log4j python3 r2 to_u8", ""),
            ("utf8_to_utf16 parse_i64 ES2020 README2 step10 GPT-4 SHA-256 v2 f32x4 Base64Url2", ""),
        ],
    );
    assert_eq!(strings("abc1234..def5678"), ["abc1234", "def5678"]);
    assert_eq!(strings("react@18.2.0/9f86d08"), ["18.2.0", "9f86d08"]);
}

#[test]
fn versions_and_flags() {
    check(
        Rank::Named,
        &[
            ("rustc 1.95.0 (", "1.95.0"),
            ("v1.2", "v1.2"),
            ("^1.2.3", "1.2.3"),
            ("1.2.3-beta.4+build.5 is", "1.2.3-beta.4+build.5"),
            ("nginx:1.25.3-alpine", "1.25.3-alpine"),
            ("python3.11 runs", "python3.11"),
            ("gpt-4.1-mini", "gpt-4.1-mini"),
            ("claude-sonnet-4-5-20250929", "claude-sonnet-4-5-20250929"),
            ("CVE-2024-12345", "CVE-2024-12345"),
            ("20260211122820_add_users.exs", "20260211122820_add_users.exs"),
            ("on 192.168.1.22:3001", "192.168.1.22:3001"),
            ("localhost:8080", "localhost:8080"),
            ("git commit --no-verify", "--no-verify"),
            ("make -j8", "-j8"),
            ("--port=8080 now", "--port=8080"),
            ("'--filter=@repo/email'", "--filter=@repo/email"),
            (r#"["cargo","--locked"]"#, "--locked"),
            ("h-3.5 py-1.5 --", ""),
            ("--primary: #fff; var(--accent) i-- a--b <!--note-->", ""),
            ("-x2 is gone\n-y3", ""),
            ("1. first 2. second", ""),
        ],
    );
}

#[test]
fn figures() {
    check(
        Rank::Figure,
        &[
            ("took 12ms.", "12ms"),
            ("4.5 GB of", "4.5 GB"),
            ("80 % of", "80 %"),
            ("100%", "100%"),
            ("12µs", "12µs"),
            ("1,234,567 lines", "1,234,567"),
            ("$1,299.99", "$1,299.99"),
            ("-3.14159", "3.14159"),
            ("port 8080", "8080"),
            ("10-20ms", "10-20ms"),
            ("on 2026-11-30", "2026-11-30"),
            ("2026-11-30T12:34:56.789Z", "2026-11-30T12:34:56.789Z"),
            ("2026-11-30 12:34:56+01:00", "2026-11-30 12:34:56+01:00"),
            ("01/02/2026", "01/02/2026"),
            ("555-123-4567", "555-123-4567"),
            ("21 °C", "21 °C"),
            ("5 s, 3 items, 2.5, 100, 80 %d", ""),
            ("  1001\tlet x\n  1002→let y\n1003: z\n1004 | w\n", ""),
        ],
    );
}

#[test]
fn prose_and_code_hold_no_facts() {
    for text in [
        "and/or, he/she, TCP/IP, I/O, 24/7, n/a, 1/3, km/h, true/false, read/write/edit, lint/test/type-check",
        "application/json text/html </div> <br/> // comment /* x */ s/foo/bar/g /foo/g",
        "let x = a.b / c.d; for (i = 0; i < 10; i++) { y[i] -= 2 * z; } return t.width/n.height;",
        "src/${name}.rs src/**/*.ts **/a.rs {a,b}/c.rs $ % /tmp ... ./ ../ / // ./types .../foo/bar.rs",
        "12:34:56.789 [info] 1:02:03 /[a-zA-Z]/.test(x) /^[0-9]+$/",
        "e.g. i.e./e.g. \\d+\\.\\w\\s \\nabla \\u0041",
        "⟦call read_v2.1.0⟧⟦picture 1568x784⟧[base64 12,345 bytes image/png][escape 3,003 bytes]",
        "/usr/lib/pyth… [4,321 letters left out] …on/site-packages/x.py",
    ] {
        assert_eq!(strings(text), [""; 0], "{text:?}");
    }
}

#[test]
fn what_is_too_long_is_no_fact() {
    let long = format!("https://a.b/{}", "c/".repeat(100));
    assert_eq!(strings(&long), [""; 0]);
    assert_eq!(strings(&format!("{} src/a.rs", "/x1".repeat(100_000))), ["src/a.rs"]);
}

#[test]
fn facts_stand_once_in_order_of_first_occurrence() {
    let mut facts = Facts::new();
    facts.read("took 12ms in src/a.rs");
    facts.read("commit 1f77904 of src/a.rs took 12ms, v1.2 took 13ms");
    let all: Vec<_> = facts.iter().collect();
    let wanted = [
        ("12ms", Rank::Figure),
        ("src/a.rs", Rank::Exact),
        ("1f77904", Rank::Exact),
        ("v1.2", Rank::Named),
        ("13ms", Rank::Figure),
    ];
    assert_eq!(all, wanted);
    let price = |fact: &str| fact.len() as u32;
    assert_eq!(facts.sheet(1_000, &price), wanted.map(|(fact, _)| fact));
    assert_eq!(facts.sheet(19, &price), ["src/a.rs", "1f77904", "v1.2"], "figures give way");
    assert_eq!(facts.sheet(16, &price), ["src/a.rs", "1f77904"]);
    assert_eq!(facts.sheet(12, &price), ["src/a.rs", "v1.2"], "what does not fit leaves room to what does");
    assert_eq!(facts.sheet(0, &price), [""; 0]);
    assert_eq!((facts.len(), facts.is_empty(), Facts::new().is_empty()), (5, false, true));
}

#[test]
fn each_rank_has_room_of_its_own() {
    let mut facts = Facts::new();
    for number in 0..50_000 {
        facts.read(&format!("{}", 10_000 + number));
    }
    facts.read("src/a.rs v1.2.3");
    assert_eq!(facts.len(), MOST[Rank::Figure as usize] + 2);
    assert_eq!(facts.iter().last(), Some(("1.2.3", Rank::Named)).map(|(_, rank)| ("v1.2.3", rank)));
}

/// Bits of facts, in every order.
fn any_text() -> impl Strategy<Value = String> {
    let bit = prop_oneof![
        1 => any::<char>().prop_map(String::from),
        4 => prop::sample::select(vec![
            "a", "src", "1", "42", "2026", "-", "--", "_", ".", "/", "\\", "\\\\", ":", "://", "http", "@", "~", "$", "(", ")", "[", "]", ",",
            "%", " ", "\n", "\\n", "\\u001b[", "T12", ":34", "x9", "call_", "0x", "deadbee1", ".rs", "C:\\", "é", "漢", "⟦", "⟧", "… [", "+", "=",
            "sha512-", "ms", "GB", "µ", "'", "\"",
        ])
        .prop_map(String::from),
    ];
    prop::collection::vec(bit, 0..40).prop_map(|bits| bits.concat())
}

proptest! {
    #[test]
    fn facts_occur_in_order_as_they_are(text in any_text()) {
        let mut from = 0;
        for (fact, _) in found(&text) {
            let at = text[from..].find(&fact);
            prop_assert!(at.is_some(), "{:?} in {:?}", fact, text);
            from += at.unwrap_or_default();
            prop_assert!(!fact.is_empty() && fact.chars().count() <= LONGEST);
            prop_assert!(!fact.contains([OPEN, CLOSE, '\n']), "{:?}", fact);
        }
    }

    #[test]
    fn a_sheet_keeps_its_budget(text in any_text(), budget in 0..60u32) {
        let mut facts = Facts::new();
        facts.read(&text);
        let price = |fact: &str| fact.chars().count() as u32 + 1;
        let sheet = facts.sheet(budget, &price);
        prop_assert!(sheet.iter().map(|fact| price(fact)).sum::<u32>() <= budget);
        let mut all = facts.iter().map(|(fact, _)| fact);
        prop_assert!(sheet.iter().all(|fact| all.any(|other| other == *fact)), "in order");
    }
}
