//! Families of models: which one an id belongs to, and what an unknown member of it is taken for.

use alloc::vec::Vec;

use super::{ModelFacts, Tokenizer, names, pictures, row::Row, rows};

/// Models that share a tokenizer and a way to bill pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    Claude,
    Gpt,
    /// OpenAI's o1, o3, o4.
    Reasoner,
    Gemini,
    Gemma,
    Grok,
    Llama,
    Qwen,
    DeepSeek,
    Mistral,
    Glm,
    Kimi,
    MiniMax,
    Muse,
}

use Family::*;

/// Words in an id that name a family.
const WORDS: &[(&str, Family)] = &[
    ("claude", Claude),
    ("gpt", Gpt),
    ("chatgpt", Gpt),
    ("computer", Gpt),
    ("gemini", Gemini),
    ("gemma", Gemma),
    ("grok", Grok),
    ("llama", Llama),
    ("codellama", Llama),
    ("qwen", Qwen),
    ("qwq", Qwen),
    ("qvq", Qwen),
    ("deepseek", DeepSeek),
    ("mistral", Mistral),
    ("mixtral", Mistral),
    ("pixtral", Mistral),
    ("codestral", Mistral),
    ("ministral", Mistral),
    ("devstral", Mistral),
    ("magistral", Mistral),
    ("glm", Glm),
    ("chatglm", Glm),
    ("kimi", Kimi),
    ("moonshot", Kimi),
    ("minimax", MiniMax),
    ("muse", Muse),
];

/// What Claude Code and others write for short, as the whole first word.
const SHORT: &[&str] = &["opus", "sonnet", "haiku", "fable", "mythos"];

/// Words that tell the lines of a family apart; each is one bit of [`Identity::line`].
const LINES: &[&str] = &[
    "vision", "opus", "sonnet", "haiku", "fable", "mythos", "instant", "mini", "nano", "pro", "codex", "chat", "turbo",
    "oss", "research", "flash", "lite", "code", "max", "plus", "large", "medium", "small", "air", "sol", "terra",
    "luna", "astra", "fast", "computer", "o",
];

/// What an id says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    pub(crate) family: Family,
    /// Version times 100: 4.8 is 480, 4.20 is 420, 3 is 300. 0 when the id names none.
    pub(crate) version: u16,
    line: u32,
}

impl Identity {
    /// Whether the id holds this word of [`LINES`].
    pub(crate) fn has(&self, word: &str) -> bool {
        bit(word).is_some_and(|bit| self.line & bit != 0)
    }
}

fn bit(word: &str) -> Option<u32> {
    let word = match word {
        "vl" | "v" | "pixtral" | "omni" => "vision",
        "coder" => "code",
        word => word,
    };
    let index = LINES.iter().position(|line| *line == word)?;
    Some(1 << index)
}

/// Reads a name as [`names::normal`] spells it. `None` when no family can be told, and for models that embed.
pub(super) fn identify(name: &str) -> Option<Identity> {
    if name.split('-').any(|part| part.starts_with("embed")) {
        return None;
    }
    // `deepseek-r1-distill-llama-70b` thinks in Llama's tokens.
    let distilled = name.split('-').position(|part| part == "distill").map_or(0, |at| at + 1);
    let (family, at) = name.split('-').enumerate().skip(distilled).find_map(|(at, part)| {
        let word = WORDS.iter().find(|(word, _)| *word == part);
        let family = word.map(|&(_, family)| family);
        let short = (at == 0 && SHORT.contains(&part)).then_some(Claude);
        let reasoner = matches!(part.as_bytes(), [b'o', b'1'..=b'9']).then_some(Reasoner);
        Some((family.or(short).or(reasoner)?, at))
    })?;
    let from = if matches!(family, Reasoner) || SHORT.contains(&name.split('-').next()?) { at } else { at + 1 };
    let mut line = name.split('-').filter_map(bit).fold(0, |all, bit| all | bit);
    let mut version = 0;
    let mut parts = name.split('-').skip(from).peekable();
    while let Some(part) = parts.next() {
        let Some((major, suffix)) = major(part) else {
            continue;
        };
        version = major * 100;
        line |= bit(suffix).unwrap_or_default();
        if let Some(part) = parts.peek().filter(|_| suffix.is_empty()) {
            let (minor, suffix) = minor(part);
            version += minor;
            line |= bit(suffix).unwrap_or_default();
        }
        // Azure's spelling of 3.5.
        if family == Gpt && version == 3500 {
            version = 350;
        }
        break;
    }
    Some(Identity { family, version, line })
}

/// `4`, `4o`, `5v`, `k2`, `v3`, `o4`; not `70b`, `8x7b`, `128k`, `2025`.
fn major(part: &str) -> Option<(u16, &str)> {
    let part = match part.as_bytes() {
        [b'k' | b'v' | b'm' | b'r' | b'o', b'0'..=b'9', ..] => &part[1..],
        _ => part,
    };
    let letters = part.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let digits = &part[..part.len() - letters.len()];
    if digits.len() > 2 || !matches!(letters, "" | "o" | "v") {
        return None;
    }
    Some((digits.parse().ok()?, letters))
}

/// `8`, `20`, `6v`. Read as decimals: Grok 4.20 came before 4.3.
fn minor(part: &str) -> (u16, &str) {
    match part.as_bytes() {
        [tenth @ b'0'..=b'9'] => (u16::from(tenth - b'0') * 10, ""),
        [tenth @ b'0'..=b'9', b'v'] => (u16::from(tenth - b'0') * 10, "v"),
        [b'0'..=b'9', b'0'..=b'9'] => (part.parse().unwrap_or_default(), ""),
        _ => (0, ""),
    }
}

/// The estimator's table for a family.
pub(super) fn tokenizer(identity: &Identity) -> Tokenizer {
    match identity.family {
        Claude => Tokenizer::Claude,
        Gpt if (1..400).contains(&identity.version) => Tokenizer::Cl100k,
        // GPT-4 and its turbo; 4o, 4.1 and 4.5 already use the newer table.
        Gpt if identity.version == 400 && !identity.has("o") => Tokenizer::Cl100k,
        Gpt | Reasoner => Tokenizer::O200k,
        Gemini | Gemma => Tokenizer::Gemini,
        Llama => Tokenizer::Llama,
        Qwen => Tokenizer::Qwen,
        DeepSeek => Tokenizer::DeepSeek,
        Mistral => Tokenizer::Mistral,
        Grok | Glm | Kimi | MiniMax | Muse => Tokenizer::Other,
    }
}

/// Members older than any row of the tables: family, first version that is not meant, window, most output, vision.
///
/// From the makers' cards of their time: Claude 2, GPT-3, Gemini 1.5, Gemma 2, Llama 3, Qwen 2.5 without YaRN.
const OLDER: &[(Family, u16, u32, u32, bool)] = &[
    (Claude, 300, 100_000, 4_096, false),
    (Gpt, 350, 4_096, 2_048, false),
    (Gemini, 200, 1_048_576, 8_192, true),
    (Gemma, 300, 8_192, 4_096, false),
    (Llama, 310, 8_192, 2_048, false),
    (Qwen, 300, 32_768, 8_192, false),
];

/// Facts for a member that no table names: those of the newest known sibling of its line that is no newer, the smallest
/// where several fit, without a price. Where no sibling shares the line, the whole family counts as one.
pub(super) fn guess(id: &str, name: &str) -> Option<ModelFacts> {
    let mut identity = identify(name)?;
    let (mut window, mut output, mut vision) = limits_of_kin(&mut identity)?;
    if identity.has("vision") {
        vision = true;
    }
    // `moonshot-v1-8k`, `gpt-4-32k`: the id says its window.
    for part in name.split('-') {
        if let Some(thousands) = part.strip_suffix('k').and_then(|n| n.parse::<u32>().ok()) {
            window = window.min(thousands.saturating_mul(1024).max(1024));
        }
    }
    output = output.min(window);
    Some(ModelFacts {
        id: id.into(),
        window,
        max_output: output,
        vision,
        tokenizer: tokenizer(&identity),
        images: pictures::rule(&identity),
        price: None,
        strict: false,
        limits: pictures::limits(Some(&identity), window, id),
    })
}

/// Window, most output and vision; writes the sibling's version into an identity that has none.
fn limits_of_kin(identity: &mut Identity) -> Option<(u32, u32, bool)> {
    let asked = identity.version;
    if let Some(older) =
        OLDER.iter().find(|(family, below, ..)| *family == identity.family && (1..*below).contains(&asked))
    {
        return Some((older.2, older.3, older.4));
    }
    let mut kin: Vec<(Identity, &Row)> = rows()
        .filter_map(|row| Some((identify(&names::normal(row.0))?, row)))
        .filter(|(other, _)| other.family == identity.family)
        .collect();
    let same_line = kin.iter().any(|(other, _)| other.line == identity.line);
    if same_line {
        kin.retain(|(other, _)| other.line == identity.line);
    }
    let versions = || kin.iter().map(|(other, _)| other.version);
    let version = if asked != 0 {
        let older = versions().filter(|version| *version <= asked);
        older.max().or_else(|| versions().min())
    } else if same_line {
        versions().max()
    } else {
        // Neither line nor version: nothing to hold on to but the smallest of all.
        None
    };
    let (window, output, vision) = kin
        .iter()
        .filter(|(other, _)| version.is_none_or(|version| other.version == version))
        .map(|(_, row)| (row.1, row.2, row.vision()))
        .reduce(|a, b| (a.0.min(b.0), a.1.min(b.1), a.2 && b.2))?;
    if asked != 0 {
        return Some((window, output, vision));
    }
    identity.version = version.unwrap_or_default();
    Some((window, output, kin.iter().all(|(_, row)| row.vision())))
}
