use super::{Table, tokens};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

const TABLES: [Table; 9] = [
    Table::O200k,
    Table::Cl100k,
    Table::Claude,
    Table::Gemini,
    Table::Llama,
    Table::Qwen,
    Table::Deepseek,
    Table::Mistral,
    Table::Other,
];

/// Numbers of a linear congruence, the high bits of each.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below
    }
}

/// Asserts that the estimate is within `percent` of a count that the tokenizer itself gave.
fn near(text: &str, exact: u32, percent: u32) {
    let estimate = tokens(text.as_bytes(), Table::O200k);
    let off = estimate.abs_diff(exact) * 100;
    assert!(off <= exact * percent, "{estimate} is not within {percent} % of {exact}: {text}");
}

#[test]
fn nothing_costs_nothing_and_anything_at_least_one() {
    for table in TABLES {
        assert_eq!(tokens(b"", table), 0);
        for byte in 0..=255u8 {
            let one = tokens(&[byte], table);
            assert!((1..=4).contains(&one), "byte {byte} costs {one}");
        }
    }
}

#[test]
fn no_bytes_panic() {
    let mut numbers = Numbers(1);
    let alphabets: [&[u8]; 5] = [
        b"aZ'sdlLveE \n",
        b" \t\r\n\x0b\0",
        b"0189abcdefXYZ-_+/=",
        b"{}[]\":,./\\<>!-\n ",
        b"\xe4\xbd\xa0\xc3\xa9\xf0\x9f\x98\x80a \xff\xd9",
    ];
    for round in 0..4000 {
        let length = numbers.next(70);
        let text: Vec<u8> = (0..length)
            .map(|_| match round % 6 {
                0 => numbers.next(256) as u8,
                sort => alphabets[sort - 1][numbers.next(alphabets[sort - 1].len())],
            })
            .collect();
        for table in TABLES {
            let whole = tokens(&text, table);
            // Letters beyond the common scripts are the dearest: three or four bytes, three or four tokens, times two.
            assert!(whole as usize <= 4 * length + 1, "{length} bytes cost {whole}");
        }
    }
}

#[test]
fn a_cut_costs_little() {
    let text = include_bytes!("../estimate.rs");
    for table in TABLES {
        let whole = tokens(text, table);
        for at in (1..text.len()).step_by(17) {
            let parts = tokens(&text[..at], table) + tokens(&text[at..], table);
            assert!(parts.abs_diff(whole) <= 6, "cut at {at}: {parts} and {whole}");
        }
    }
}

#[test]
fn longer_texts_cost_more() {
    let text = include_str!("../estimate.rs");
    let mut last = 0;
    for end in (0..text.len()).step_by(40) {
        let here = tokens(&text.as_bytes()[..end], Table::O200k);
        assert!(here + 3 >= last, "{end} bytes cost {here} after {last}");
        last = here;
    }
}

#[test]
fn known_counts() {
    // Counted by gpt-tokenizer 4.0.0, o200k_base. Single sentences, so wider than a file's error; widest where the
    // digest holds little of the alphabet.
    near(
        "The quick brown fox jumps over the lazy dog, and nobody in the village thinks anything of it anymore.",
        21,
        15,
    );
    near(
        "Please summarise the conversation so far, keeping every decision, open question and file name that was mentioned.",
        21,
        15,
    );
    near("{\"name\":\"get_weather\",\"arguments\":{\"city\":\"Berlin\",\"unit\":\"celsius\",\"days\":5}}", 21, 15);
    near(
        "fn main() {\n    let total: u32 = items.iter().map(|item| item.price * item.count).sum();\n    println!(\"{total}\");\n}\n",
        32,
        15,
    );
    near(
        "export async function fetchUserProfile(userId: string): Promise<UserProfile> {\n  const response = await fetch(`/api/users/${userId}`);\n  return response.json();\n}",
        35,
        15,
    );
    near("550e8400-e29b-41d4-a716-446655440000", 18, 15);
    near("da39a3ee5e6b4b0d3255bfef95601890afd80709", 23, 15);
    near("iVBORw0KGgoAAAANSUhEUgAAAlgAAACGCAYAAABzfSqAAAMTmlDQ1BJQ0MgUHJvZmlsZQAASImVVwdYU8kWnluS", 51, 15);
    near("2024-05-17T08:31:22.104Z INFO [worker-3] request took 1523 ms, status=200", 31, 15);
    near("美国国会由众议院和参议院组成，每两年换届一次，参议员任期为六年。", 28, 15);
    near(
        "ディレクトリ内の全てのテキストファイルを読み込み、出現回数が最も多い単語を返すプログラムを開発してください。",
        40,
        15,
    );
    near("Добрый день! Подскажите, пожалуйста, как установить эту программу на компьютер.", 17, 50);
    near("قم بإجراء بحث مفصل لتحديد الأقسام في الملف المتعلقة بتحليل الميزانية.", 18, 30);
    near("오늘 날씨가 정말 좋네요. 산책하러 나갈까요?", 16, 15);
    near("| name       | count | price |\n|------------|-------|-------|\n| apples     |    12 |  3.50 |\n", 29, 15);
    near("I can't believe it's already done; we'll see what they've got.", 13, 15);
    near("🎉🚀 Done! ✅ All tests pass 😀", 11, 15);
}

#[test]
fn digits_go_by_threes_or_one_by_one() {
    let text = "1234567890".repeat(30);
    assert_eq!(tokens(text.as_bytes(), Table::O200k), 100);
    assert_eq!(tokens(text.as_bytes(), Table::Gemini), 300);
}

#[test]
fn families_differ_where_their_tokenizers_do() {
    let chinese = "我需要为这个项目生成一份报告".repeat(20);
    let of = |table| tokens(chinese.as_bytes(), table);
    assert!(of(Table::O200k) < of(Table::Cl100k));
    assert!(of(Table::O200k) < of(Table::Claude));
    assert!(of(Table::Qwen) < of(Table::Cl100k));
}

#[test]
fn long_runs_do_not_overflow() {
    let letters: String = core::iter::repeat_n('a', 3_000_000).collect();
    assert!(tokens(letters.as_bytes(), Table::Claude) > 100_000);
    let dashes = "-".repeat(1_000_000);
    assert!(tokens(dashes.as_bytes(), Table::O200k) < 100_000);
    assert!(tokens(" ".repeat(100_000).as_bytes(), Table::O200k) < 3_000);
    assert_eq!(tokens(7.to_string().as_bytes(), Table::Other), 1);
}
