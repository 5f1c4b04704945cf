//! Numbers, dates and versions.

use super::Rank;

/// Units that may stand right behind their number.
static UNITS: &[u8] = " % ms s us µs μs ns min h d kb KB kB mb MB gb GB tb TB pb PB KiB MiB GiB TiB B K k M G T bit bits byte bytes Kbps Mbps \
Gbps kbit Mbit Gbit Hz kHz MHz GHz px pt em rem ex ch vh vw vmin vmax fr deg rad dpi ppi fps rpm x mm cm m km mi ft in kg g mg lb oz W kW MW V mV \
A mA mAh Wh kWh K °C °F tok tokens USD EUR "
    .as_bytes();
/// Units that may stand behind a blank: no others, since most are words or names too.
static APART: &[u8] = " % ms µs μs ns sec seconds KB kB MB GB TB KiB MiB GiB TiB bytes Hz kHz MHz GHz px dpi fps rpm mm cm km kg mg W kW V mV mA \
mAh kWh °C °F tokens USD EUR "
    .as_bytes();

/// Digits that a number must have to be told without a unit.
const DIGITS: usize = 4;

fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

fn is_unit(text: &[u8], units: &[u8]) -> bool {
    !text.is_empty() && units.split(|byte| *byte == b' ').any(|unit| unit == text)
}

/// Bytes of digits behind a mark, with the mark; 0 when there are none.
fn after_mark(text: &[u8], mark: u8) -> usize {
    match text.split_first() {
        Some((first, rest)) if *first == mark && digits(rest) > 0 => 1 + digits(rest),
        _ => 0,
    }
}

/// What begins with the digits that `piece` begins with, and how many bytes it takes; `after` is what follows the piece, when it may go on.
pub(super) fn number(piece: &[u8], after: &[u8]) -> Option<(usize, Rank)> {
    if let Some(len) = date(piece, after) {
        return Some((len, Rank::Figure));
    }
    let mut len = digits(piece);
    let mut parts = 1;
    while after_mark(&piece[len..], b'.') > 0 {
        len += after_mark(&piece[len..], b'.');
        parts += 1;
    }
    if parts > 2 {
        return Some((version(piece, len, parts, after), Rank::Named));
    }
    // A range, or a number in groups.
    if after_mark(&piece[len..], b'-') > 0 {
        len += piece[len..].iter().take_while(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'.')).count();
    }
    if len < piece.len() {
        return is_unit(&piece[len..], UNITS).then_some((piece.len(), Rank::Figure));
    }
    let grouped = if parts == 1 && len <= 3 { thousands(after) } else { 0 };
    let (groups, after) = after.split_at(grouped);
    let unit = unit_after(after);
    let count = piece.iter().chain(groups).filter(|byte| byte.is_ascii_digit()).count();
    (unit > 0 || count >= DIGITS).then_some((len + grouped + unit, Rank::Figure))
}

/// Bytes of `,234` and `,234,567.8`.
fn thousands(after: &[u8]) -> usize {
    let mut len = 0;
    while after_mark(&after[len..], b',') == 4 {
        len += 4;
    }
    if len > 0 { len + after_mark(&after[len..], b'.') } else { 0 }
}

/// Bytes of a unit that stands behind a number, with the blank before it.
fn unit_after(after: &[u8]) -> usize {
    let blank = usize::from(after.first() == Some(&b' '));
    // The bytes of "µ", "μ" and "°" among them.
    let in_unit = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'%' | 0xb0 | 0xb5 | 0xbc | 0xc2 | 0xce);
    let word = &after[blank..];
    let unit = &word[..word.iter().take(9).take_while(in_unit).count()];
    if is_unit(unit, if blank == 1 { APART } else { UNITS }) { blank + unit.len() } else { 0 }
}

/// Bytes of a version of three parts or more, with what is appended to it, or of an address of four with its port.
fn version(piece: &[u8], len: usize, parts: usize, after: &[u8]) -> usize {
    if parts == 4 && len == piece.len() && after.first() == Some(&b':') {
        return len + after_mark(after, b':');
    }
    // What it was built from.
    let build = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    let built = after.iter().skip(1).take(60).take_while(build).count();
    piece.len() + if built > 0 && after[0] == b'+' { 1 + built } else { 0 }
}

/// A text begins like a pattern whose zeros are digits.
fn like(text: &[u8], pattern: &[u8]) -> bool {
    let same = |(byte, wanted): (&u8, &u8)| if *wanted == b'0' { byte.is_ascii_digit() } else { byte == wanted };
    text.len() >= pattern.len() && text.iter().zip(pattern).all(same)
}

/// Bytes of `2026-11-30`, with the time behind it.
fn date(piece: &[u8], after: &[u8]) -> Option<usize> {
    let hours = match piece.len() {
        10 if like(piece, b"0000-00-00") => {
            if like(after, b" 00:00") {
                3
            } else {
                return Some(10);
            }
        }
        13 if like(piece, b"0000-00-00T00") && like(after, b":00") => 0,
        _ => return None,
    };
    let mut len = hours + 3;
    if like(&after[len..], b":00") {
        len += 3;
        len += after_mark(&after[len..], b'.');
    }
    let zone = &after[len..];
    let offset = matches!(zone.first(), Some(b'+' | b'-')) && like(&zone[1..], b"00:00");
    Some(piece.len() + len + if offset { 6 } else { usize::from(zone.first() == Some(&b'Z')) })
}

/// Bytes of `:34:56.789` behind an hour: a time without its date, of which logs are full and which nobody asks for.
pub(super) fn time(piece: &[u8], after: &[u8]) -> usize {
    if piece.len() > 2 || digits(piece) < piece.len() || !like(after, b":00:00") {
        return 0;
    }
    6 + after_mark(&after[6..], b'.')
}

/// A date written with slashes.
pub(super) fn slashed(word: &[u8]) -> bool {
    let figures = |part: &[u8]| (1..=4).contains(&part.len()) && digits(part) == part.len();
    let slashes = word.iter().filter(|byte| **byte == b'/').count();
    slashes == 2 && word.len() >= 8 && word.split(|byte| *byte == b'/').all(figures)
}
