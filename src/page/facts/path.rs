//! Paths of files, with a line and a column where they are given.

use super::word::{Word, in_word};

/// Endings that tell a file from a fraction, a choice of words or a member of an object.
static EXTENSIONS: &str = " 7z a aac ai asm astro avi avif awk bash bat bin bmp bz2 c cc cfg cgi cjs class clj cmake cmd conf cpp crt cs css \
csv cts cu cxx d dart db dll dmg doc docx dylib el elf env eot erb err ex exe exs fish flac fs fsx gif go gql gradle graphql groovy gz h hbs hcl \
hh hpp hs htm html ico idx inc ini ino ipynb iso jar java jl jpeg jpg js json json5 jsonc jsonl jsx key kt kts less lib lisp lock log lua m \
m4a m4v map markdown md mdx mjs mk ml mli mm mov mp3 mp4 mts nix node o odt ogg otf out parquet patch pb pdf pem php pid pkg pkl pl plist png \
po pptx prisma properties proto ps1 psd pub pxd py pyc pyi pyx r rake rar rb rlib rmd rs rst rtf s sass scala scm scss sh snap so sock sql \
sqlite sqlite3 srt ssh styl svelte svg swift tar tcl tex tf tfvars tgz tif tiff tmp toml traj ts tsv tsx ttf txt vb vim vtt vue wasm wat wav \
webm webp whl woff woff2 xcodeproj xhtml xls xlsx xml xsd xsl xz yaml yml zig zip zsh zst ";

/// Where the ending of a file's name begins, when it is a known one and something stands before it.
pub(super) fn extension(name: &str) -> Option<usize> {
    let dot = name.rfind('.').filter(|dot| *dot > 0)?;
    let ending = name.get(dot + 1..)?;
    let known = !ending.is_empty()
        && ending.len() <= 10
        && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && EXTENSIONS.split(' ').any(|known| known.eq_ignore_ascii_case(ending));
    known.then_some(dot)
}

/// Bytes of `:12`, `:12:3` or `:12-20`.
pub(super) fn line(after: &str) -> usize {
    let bytes = after.as_bytes();
    let mut len = 0;
    for (count, marks) in [&b":"[..], b":-"].into_iter().enumerate() {
        let Some(rest) = bytes.get(len..) else { break };
        let digits = rest.iter().skip(1).take(10).take_while(|byte| byte.is_ascii_digit()).count();
        if rest.first().is_none_or(|mark| !marks.contains(mark)) || digits == 0 || (count == 0 && digits > 7) {
            break;
        }
        len += 1 + digits;
    }
    len
}

/// Where a path begins and ends, in a word with a slash.
pub(super) fn unix(word: &Word<'_>) -> Option<(usize, usize)> {
    let text = word.text;
    let mut start = word.start;
    if let Some(name) = word.str().strip_prefix('-') {
        if name.starts_with('-') {
            return None;
        }
        // `-I/usr/include`, or a line that a change took away.
        start += 1 + usize::from(name.as_bytes().get(1) == Some(&b'/'));
    }
    if word.before == b'$' && start == word.start {
        start -= 1;
    }
    // The rest of what a pattern, a placeholder or a tag began.
    if text[start..].starts_with('/') && matches!(word.before, b'}' | b')' | b']' | b'*' | b'%' | b'<' | b'?') {
        return None;
    }
    let end = groups(text, word.end);
    let found = text.get(start..end)?;
    // A comment.
    let found = if found.starts_with("//") { found.trim_start_matches('/') } else { found };
    start = end - found.len();
    let trimmed = found.trim_end_matches(['.', '/', '@', '~', '-']);
    let next = text[end..].chars().next();
    let open = found.len() > trimmed.len() && matches!(next, Some('<' | ':' | '[' | '(' | '"'));
    if found.starts_with("...") || matches!(next, Some('$' | '{' | '*' | '%')) || (open && next != Some('"')) {
        return None;
    }
    let mut path = trimmed;
    // The two sides of a change, as git names them.
    if let Some(rest) = path.strip_prefix("a/").or_else(|| path.strip_prefix("b/"))
        && is_path(rest)
    {
        path = rest;
        start += 2;
    }
    if !is_path(path) {
        return None;
    }
    let end = start + path.len();
    Some((start, end + line(&text[end..])))
}

/// Where a path goes on: a folder may be named `(group)`, `[id]` or `@scope+package`.
fn groups(text: &str, from: usize) -> usize {
    let mut end = from;
    let word = |text: &str| text.find(|letter| !in_word(letter)).unwrap_or(text.len());
    while end - from < super::LONGEST {
        let (close, rest) = match text.as_bytes().get(end) {
            Some(b'+') => ("", &text[end + 1..]),
            Some(b'(') if text[..end].ends_with('/') => (")", &text[end + 1..]),
            Some(b'[') if text[..end].ends_with('/') => ("]", &text[end + 1..]),
            _ => break,
        };
        let len = word(rest);
        if len == 0 || !rest[len..].starts_with(close) {
            break;
        }
        end += 1 + len + close.len();
        end += word(&text[end..]);
    }
    end
}

fn is_path(path: &str) -> bool {
    let names = || path.split('/').filter(|name| !name.is_empty());
    let (count, last) = (names().count(), names().next_back().unwrap_or_default());
    let letters = path.chars().filter(|letter| letter.is_alphabetic()).count();
    let file = extension(last).is_some_and(|dot| dot > 1 || last.len() > 3);
    if letters < 2 || path.contains("//") {
        return false;
    }
    if path.starts_with('/') {
        // A pattern between slashes, with what it is told behind.
        let pattern = count == 2 && last.len() <= 3 && last.bytes().all(|flag| b"dgimsuvy".contains(&flag));
        return (count > 1 && path.len() >= 6 && !pattern) || file;
    }
    // Names of no more than small letters are read well, and many with slashes between are a choice of words.
    let has = |kind: fn(char) -> bool| path.contains(kind);
    let odd = has(|letter| letter.is_ascii_digit() || letter == '_');
    if file || ["~/", "./", "../", "@/", "$"].iter().any(|anchor| path.starts_with(anchor)) {
        return count > 1 && (file || count > 2 || odd || has(|letter| letter == '-' || letter.is_ascii_uppercase()));
    }
    path.len() >= 12 && (count > 2 && odd || count > 3 && has(|letter| letter == '-'))
}

/// Names that are looked at behind what may be no path of Windows: lines of one word each in JSON look like one.
const NAMES: usize = 8;

/// Where a path of Windows ends that begins with a word: a drive, or a name before a backslash. In JSON each backslash is two.
pub(super) fn windows(word: &Word<'_>) -> Option<usize> {
    let bytes = word.text.as_bytes();
    let drive = bytes.get(word.end) == Some(&b':');
    if word.slash || drive && !(word.len() == 1 && bytes[word.start].is_ascii_alphabetic()) {
        return None;
    }
    let mut end = word.end + usize::from(drive);
    let twice = bytes.get(end + 1) == Some(&b'\\');
    let parts: &str = if twice { "\\\\" } else { "\\" };
    // One backslash may be an escape of JSON, unless a letter follows that none has.
    let mut sure = twice || drive;
    let mut last = "";
    let mut names = 0;
    while let Some(name) = word.text.get(end..).and_then(|rest| rest.strip_prefix(parts)) {
        let len = name_len(name, drive, parts);
        names += 1;
        if len == 0 || (!drive && names > NAMES) {
            break;
        }
        sure |= !name.starts_with(['n', 'r', 't', 'b', 'f', 'u']);
        last = &name[..len];
        end += parts.len() + len;
    }
    let trimmed = last.trim_end_matches('.');
    let told = if drive { !trimmed.is_empty() } else { sure && extension(trimmed).is_some() };
    let end = end - (last.len() - trimmed.len());
    told.then(|| end + line(&word.text[end..]))
}

/// Bytes of a name between backslashes; behind a drive it may hold blanks, as in `Program Files`, when another backslash ends it.
fn name_len(name: &str, blanks: bool, parts: &str) -> usize {
    let part = |letter: char| in_word(letter) && letter != '/';
    let len = name.find(|letter| !part(letter)).unwrap_or(name.len());
    if blanks && len > 0 && name[len..].starts_with(' ') && extension(&name[..len]).is_none() {
        let within = |letter: char| part(letter) || matches!(letter, ' ' | '(' | ')');
        let more = name.char_indices().take(60).find(|(_, letter)| !within(*letter)).map_or(0, |(at, _)| at);
        if name[more..].starts_with(parts) && !name[..more].ends_with(' ') {
            return more;
        }
    }
    len
}
