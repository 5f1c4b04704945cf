//! Paths of files, with a line and a column where they are given.

use super::word::{Word, in_word, word_end};

/// Endings that tell a file from a fraction, a choice of words or a member of an object.
static EXTENSIONS: &[u8] = b" 7z a aac ai asm astro avi avif awk bash bat bin bmp bz2 c cc cfg cgi cjs class clj cmake cmd conf cpp crt cs css \
csv cts cu cxx d dart db dll dmg doc docx dylib el elf env eot erb err ex exe exs fish flac fs fsx gif go gql gradle graphql groovy gz h hbs hcl \
hh hpp hs htm html ico idx inc ini ino ipynb iso jar java jl jpeg jpg js json json5 jsonc jsonl jsx key kt kts less lib lisp lock log lua m \
m4a m4v map markdown md mdx mjs mk ml mli mm mov mp3 mp4 mts nix node o odt ogg otf out parquet patch pb pdf pem php pid pkg pkl pl plist png \
po pptx prisma properties proto ps1 psd pub pxd py pyc pyi pyx r rake rar rb rlib rmd rs rst rtf s sass scala scm scss sh snap so sock sql \
sqlite sqlite3 srt ssh styl svelte svg swift tar tcl tex tf tfvars tgz tif tiff tmp toml traj ts tsv tsx ttf txt vb vim vtt vue wasm wat wav \
webm webp whl woff woff2 xcodeproj xhtml xls xlsx xml xsd xsl xz yaml yml zig zip zsh zst ";

/// Where the ending of a file's name begins, when it is a known one and something stands before it.
pub(super) fn extension(name: &[u8]) -> Option<usize> {
    let dot = name.iter().rposition(|byte| *byte == b'.').filter(|dot| *dot > 0)?;
    let ending = &name[dot + 1..];
    let known = (1..=10).contains(&ending.len())
        && EXTENSIONS.split(|byte| *byte == b' ').any(|known| known.eq_ignore_ascii_case(ending));
    known.then_some(dot)
}

/// Bytes of `:12`, `:12:3` or `:12-20`.
pub(super) fn line(after: &[u8]) -> usize {
    let figures = |rest: &[u8]| rest.iter().skip(1).take(8).take_while(|byte| byte.is_ascii_digit()).count();
    let line = figures(after);
    if after.first() != Some(&b':') || !(1..=7).contains(&line) {
        return 0;
    }
    let rest = &after[1 + line..];
    let more = if matches!(rest.first(), Some(b':' | b'-')) { figures(rest) } else { 0 };
    1 + line + if more > 0 { 1 + more } else { 0 }
}

/// Where a path begins and ends, in a word with a slash.
pub(super) fn unix(word: &Word<'_>) -> Option<(usize, usize)> {
    if !word.slash {
        return None;
    }
    let text = word.text.as_bytes();
    let mut start = word.start;
    match word.bytes() {
        [b'-', b'-', ..] | [b'.', b'.', b'.', ..] => return None,
        // `-I/usr/include`
        [b'-', _, b'/', ..] => start += 2,
        // A line that a change took away.
        [b'-', ..] => start += 1,
        // A comment.
        [b'/', b'/', ..] => start += word.bytes().iter().take_while(|byte| **byte == b'/').count(),
        _ if word.before == b'$' => start -= 1,
        // The rest of what a pattern, a placeholder or a tag began.
        [b'/', ..] if matches!(word.before, b'}' | b')' | b']' | b'*' | b'%' | b'<' | b'?') => return None,
        _ => {}
    }
    let whole = groups(word.text, start, word.end);
    let found = text.get(start..whole)?;
    let path = &found[..found.iter().rposition(|byte| !matches!(byte, b'.' | b'/' | b'@' | b'~' | b'-'))? + 1];
    // It goes on with what only its writer knew.
    let open = match text.get(whole) {
        Some(b'$' | b'{' | b'*' | b'%') => true,
        Some(b'<' | b':' | b'[' | b'(') => path.len() < found.len(),
        _ => false,
    };
    // The two sides of a change, as git names them.
    let side = match path {
        [b'a' | b'b', b'/', rest @ ..] if is_path(rest) => 2,
        _ => 0,
    };
    let end = start + path.len();
    (!open && is_path(&path[side..])).then(|| (start + side, end + line(&text[end..])))
}

/// Where a path goes on: a folder may be named `(group)`, `[id]` or `@scope+package`.
fn groups(text: &str, start: usize, from: usize) -> usize {
    let bytes = text.as_bytes();
    let mut end = from;
    while end - from < super::LONGEST {
        // A slash alone begins a pattern.
        let folder = end > start + 1 && bytes[end - 1] == b'/';
        let close = match bytes.get(end) {
            Some(b'+') => None,
            Some(b'(') if folder => Some(b')'),
            Some(b'[') if folder => Some(b']'),
            _ => break,
        };
        let inner = word_end(text, end + 1);
        if inner == end + 1 || close.is_some_and(|close| bytes.get(inner) != Some(&close)) {
            break;
        }
        end = word_end(text, inner + usize::from(close.is_some()));
    }
    end
}

fn is_path(path: &[u8]) -> bool {
    let has = |kind: fn(&u8) -> bool| path.iter().any(kind);
    let names = || path.split(|byte| *byte == b'/').filter(|name| !name.is_empty());
    let (count, last) = (names().count(), names().next_back().unwrap_or_default());
    let letters = path.iter().filter(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii()).count();
    if letters < 2 || path.windows(2).any(|two| two == b"//") {
        return false;
    }
    let file = extension(last).is_some_and(|dot| dot > 1 || last.len() > 3);
    if path.starts_with(b"/") {
        // A pattern between slashes, with what it is told behind.
        let pattern = count == 2 && last.len() <= 3 && last.iter().all(|flag| b"dgimsuvy".contains(flag));
        return (count > 1 && path.len() >= 6 && !pattern) || file;
    }
    // Names of no more than small letters are read well, and many with slashes between are a choice of words.
    let odd = has(|byte| byte.is_ascii_digit() || *byte == b'_');
    let anchors: [&[u8]; 5] = [b"~/", b"./", b"../", b"@/", b"$"];
    if file || anchors.iter().any(|anchor| path.starts_with(anchor)) {
        return count > 1 && (file || count > 2 || odd || has(|byte| *byte == b'-' || byte.is_ascii_uppercase()));
    }
    path.len() >= 12 && (count > 2 && odd || count > 3 && has(|byte| *byte == b'-'))
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
    let parts: &[u8] = if twice { b"\\\\" } else { b"\\" };
    // One backslash may be an escape of JSON, unless a letter follows that none has.
    let mut sure = twice || drive;
    let mut last: &[u8] = b"";
    let mut names = 0;
    while bytes[end..].starts_with(parts) && (drive || names < NAMES) {
        let from = end + parts.len();
        let to = name_end(word.text, from, drive, parts);
        if to == from {
            break;
        }
        sure |= !b"nrtbfu".contains(&bytes[from]);
        last = &bytes[from..to];
        end = to;
        names += 1;
    }
    let trimmed = &last[..last.iter().rposition(|byte| *byte != b'.')? + 1];
    let end = end - (last.len() - trimmed.len());
    (drive || sure && extension(trimmed).is_some()).then(|| end + line(&bytes[end..]))
}

/// Where a name between backslashes ends; behind a drive it may hold blanks, as in `Program Files`, when another backslash ends it.
fn name_end(text: &str, from: usize, blanks: bool, parts: &[u8]) -> usize {
    let bytes = text.as_bytes();
    let part = |at: usize| if bytes.get(at) == Some(&b'/') { 0 } else { in_word(text, at) };
    let mut end = from;
    while part(end) > 0 {
        end += part(end);
    }
    if blanks && end > from && bytes.get(end) == Some(&b' ') && extension(&bytes[from..end]).is_none() {
        let mut more = end;
        while more - end < 60 {
            more += match bytes.get(more) {
                Some(b' ' | b'(' | b')') => 1,
                _ if part(more) > 0 => part(more),
                _ => break,
            };
        }
        if bytes[more..].starts_with(parts) && bytes[more - 1] != b' ' {
            return more;
        }
    }
    end
}
