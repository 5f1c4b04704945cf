//! Undressing a model's id.
//!
//! A route may put a gateway, a maker and a region before the name, and a date, a release stage, a variant or a
//! platform's version behind it. All spellings are brought to one: lower case, dashes, a dash between a family and its
//! version (`gpt4o`, `llama3.2`).

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use super::{generated, row::Row, rows};

/// Families whose version some write without a dash.
const JOINED: &[&str] = &["gpt", "chatgpt", "claude", "gemini", "gemma", "grok", "llama", "qwen", "glm"];

/// Words behind a name that do not make another model of it, in ids that callers write.
const VARIANTS: &[&str] = &[
    "latest",
    "preview",
    "beta",
    "exp",
    "experimental",
    "free",
    "nitro",
    "online",
    "extended",
    "thinking",
    "reasoning",
    "instruct",
    "it",
    "customtools",
    "none",
    "minimal",
    "low",
    "medium",
    "high",
    "xhigh",
];

/// The same for ids in the tables, where `thinking` and `medium` are part of a name.
const STAGES: &[&str] = &["latest", "preview", "beta", "exp", "instruct", "it"];

/// Names an id may mean, likeliest first, as [`normal`] spells them.
pub(super) fn candidates(id: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut push = |name: String| {
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    };
    for segment in id.rsplit('/') {
        // `claude-opus-4-6[1m]` is Claude Code's own way to ask for the long window.
        let segment = segment.split('[').next().unwrap_or_default();
        // `model:free`, `model-v1:0` and `model@date` name a variant; `anthropic:model` and `ft:model:org` a route.
        for piece in segment.split([':', '@']) {
            push_piece(piece, &mut push);
            // Bedrock's `gpt-oss-120b-1:0`: what stands before a colon and 0 numbers the listing, not the model.
            if let Some((name, end)) = piece.rsplit_once('-')
                && segment.ends_with(":0")
                && digits(end)
            {
                push_piece(name, &mut push);
            }
        }
    }
    names
}

fn push_piece(mut piece: &str, push: &mut impl FnMut(String)) {
    push(normal(piece));
    // `us.anthropic.claude-…`, `openai.gpt-5.6-luna`: words before a dot without a digit are no version.
    while let Some((word, after)) = piece.split_once('.') {
        if word.bytes().any(|byte| byte.is_ascii_digit()) {
            break;
        }
        piece = after;
        push(normal(piece));
    }
}

/// The one spelling of a segment. `Claude-Opus-4.8` → `claude-opus-4-8`, `gpt4o` → `gpt-4o`.
pub(super) fn normal(segment: &str) -> String {
    let last = segment.rsplit('/').next().unwrap_or_default();
    let mut name = String::with_capacity(last.len() + 1);
    for part in last.split(['-', '.', '_', ' ']) {
        if part.is_empty() {
            continue;
        }
        if !name.is_empty() {
            name.push('-');
        }
        let start = name.len();
        name.extend(part.chars().map(|letter| letter.to_ascii_lowercase()));
        let letters = name[start..].bytes().take_while(u8::is_ascii_alphabetic).count();
        let rest = start + letters;
        let digit = name.as_bytes().get(rest).is_some_and(u8::is_ascii_digit);
        if digit && JOINED.contains(&&name[start..rest]) {
            name.insert(rest, '-');
        }
    }
    name
}

/// Every row under its name in [`normal`]'s spelling.
pub(super) struct Table(Vec<(String, &'static Row)>);

impl Table {
    pub(super) fn new() -> Self {
        Self(rows().map(|row| (normal(row.0), row)).collect())
    }

    /// The row that one of the names means: as it stands, then with less and less behind it, then in the other order of
    /// a Claude's words; and only then rows whose own id ends in a date or a stage.
    pub(super) fn lookup(&self, names: &[String]) -> Option<&'static Row> {
        let whole = |short: &str| self.first(|full| full == short);
        let exact =
            |name: &str| steps(name, VARIANTS).find_map(|short| whole(short).or_else(|| whole(&normal(alias(short)?))));
        let staged = |short: &str| self.first(|full| steps(full, STAGES).skip(1).any(|stage| stage == short));
        names
            .iter()
            .find_map(|name| exact(name).or_else(|| exact(&turned(name)?)))
            .or_else(|| names.iter().flat_map(|name| steps(name, VARIANTS)).find_map(staged))
    }

    fn first(&self, test: impl Fn(&str) -> bool) -> Option<&'static Row> {
        let found = self.0.iter().find(|(full, _)| test(full));
        found.map(|&(_, row)| row)
    }
}

fn alias(name: &str) -> Option<&'static str> {
    // Azure may not have a dot in a deployment's name.
    if name == "gpt-35-turbo" {
        return Some("gpt-3.5-turbo");
    }
    generated::ALIASES.iter().find(|(other, _)| normal(other) == name).map(|&(_, id)| id)
}

/// A name and what is left as its ends are taken off one by one.
fn steps<'a>(name: &'a str, words: &'static [&'static str]) -> impl Iterator<Item = &'a str> {
    core::iter::successors(Some(name), move |name| shorter(name, words))
}

/// One end less: a date, a snapshot number, a platform's version or one of `words`. The first part always stays.
fn shorter<'a>(name: &'a str, words: &[&str]) -> Option<&'a str> {
    let (rest, end) = name.rsplit_once('-')?;
    if words.contains(&end) {
        return Some(rest);
    }
    if let Some(version) = end.strip_prefix('v') {
        // Bedrock's `-v1`, `-v2`; but the 3 of deepseek-v3 is its own.
        return (digits(version) && rest.contains('-')).then_some(rest);
    }
    if !digits(end) {
        return None;
    }
    let before = |text: &'a str| text.rsplit_once('-');
    match end.len() {
        // 20250929
        8 => Some(rest),
        // 0709, 2501; with the month before it: 09-2025
        4 => match before(rest) {
            Some((shorter, month)) if end.starts_with("20") && month.len() == 2 && digits(month) => Some(shorter),
            _ => Some(rest),
        },
        // gemini-2.0-flash-001
        3 => end.starts_with('0').then_some(rest),
        // 2024-08-06, preview-05-20
        2 => {
            let (rest, month) = before(rest)?;
            let (year_rest, year) = before(rest)?;
            if month.len() != 2 || !digits(month) {
                return None;
            }
            if year.len() == 4 && year.starts_with("20") && digits(year) {
                return Some(year_rest);
            }
            matches!(year, "preview" | "exp").then_some(rest)
        }
        _ => None,
    }
}

fn digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `claude-4-5-sonnet` for `claude-sonnet-4-5` and the other way round: makers and gateways disagree.
fn turned(name: &str) -> Option<String> {
    let rest = name.strip_prefix("claude-")?;
    let version = |part: &&str| digits(part) && part.len() < 3;
    let parts: Vec<&str> = rest.split('-').collect();
    let mut turned = "claude".to_owned();
    let mut push = |part: &str| {
        turned.push('-');
        turned.push_str(part);
    };
    if version(parts.first()?) {
        let count = parts.iter().take_while(|part| version(part)).count();
        push(parts.get(count)?);
        parts[..count].iter().for_each(|part| push(part));
        parts[count + 1..].iter().for_each(|part| push(part));
    } else {
        let count = parts[1..].iter().take_while(|part| version(part)).count();
        if count == 0 {
            return None;
        }
        parts[1..=count].iter().for_each(|part| push(part));
        push(parts[0]);
        parts[count + 1..].iter().for_each(|part| push(part));
    }
    Some(turned)
}
