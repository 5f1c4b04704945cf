//! Numbers, dates and versions.

use super::Rank;

/// Units that may stand right behind their number.
static UNITS: &str = " % ms s us µs μs ns min h d kb KB kB mb MB gb GB tb TB pb PB KiB MiB GiB TiB B K k M G T bit bits byte bytes Kbps Mbps \
Gbps kbit Mbit Gbit Hz kHz MHz GHz px pt em rem ex ch vh vw vmin vmax fr deg rad dpi ppi fps rpm x mm cm m km mi ft in kg g mg lb oz W kW MW V mV \
A mA mAh Wh kWh K °C °F tok tokens USD EUR ";
/// Units that may stand behind a blank: no others, since most are words or names too.
static APART: &str = " % ms µs μs ns sec seconds KB kB MB GB TB KiB MiB GiB TiB bytes Hz kHz MHz GHz px dpi fps rpm mm cm km kg mg W kW V mV mA \
mAh kWh °C °F tokens USD EUR ";

/// Digits that a number must have to be told without a unit.
const DIGITS: usize = 4;

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

fn is_unit(text: &str, units: &str) -> bool {
    !text.is_empty() && units.split(' ').any(|unit| unit == text)
}

/// What begins with the digits that `piece` begins with, and how many bytes it takes; `after` is what follows the piece, when it may go on.
pub(super) fn number(piece: &str, after: &str) -> Option<(usize, Rank)> {
    if let Some(len) = date(piece, after) {
        return Some((len, Rank::Figure));
    }
    let mut len = digits(piece);
    let mut parts = 1;
    while piece[len..].starts_with('.') && digits(&piece[len + 1..]) > 0 {
        len += 1 + digits(&piece[len + 1..]);
        parts += 1;
    }
    if parts > 2 {
        return Some((version(piece, len, parts, after), Rank::Named));
    }
    let mut rest = &piece[len..];
    if let Some(end) = rest.strip_prefix('-').filter(|end| digits(end) > 0) {
        // A range, or a number in groups.
        let groups = end.len()
            - end.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '-' || letter == '.').len();
        len += 1 + groups;
        rest = &end[groups..];
    }
    if !rest.is_empty() {
        return is_unit(rest, UNITS).then_some((piece.len(), Rank::Figure));
    }
    let grouped = if parts == 1 { thousands(len, after) } else { 0 };
    let end = len + grouped;
    let unit = unit_after(&after[grouped..]);
    let count = piece.bytes().chain(after[..grouped].bytes()).filter(u8::is_ascii_digit).count();
    (unit > 0 || count >= DIGITS).then_some((end + unit, Rank::Figure))
}

/// Bytes of `,234` and `,234,567.8` behind the first of at most three digits.
fn thousands(first: usize, after: &str) -> usize {
    let mut len = 0;
    while first <= 3 && after[len..].starts_with(',') && digits(&after[len + 1..]) == 3 {
        len += 4;
    }
    let decimals = after[len..].strip_prefix('.').map_or(0, digits);
    if len > 0 && decimals > 0 { len + 1 + decimals } else { len }
}

/// Bytes of a unit that stands behind a number, with the blank before it.
fn unit_after(after: &str) -> usize {
    let blank = usize::from(after.starts_with(' '));
    let word = &after[blank..];
    let len =
        word.char_indices().take(8).find(|(_, letter)| !(letter.is_alphanumeric() || matches!(letter, '%' | '°')));
    let len = len.map_or(word.len().min(8), |(at, _)| at);
    let Some(unit) = word.get(..len) else { return 0 };
    // A formatting directive is no share.
    let directive = unit.starts_with('%') && unit.len() > 1;
    if !directive && is_unit(unit, if blank == 1 { APART } else { UNITS }) { blank + len } else { 0 }
}

/// Bytes of a version of three parts or more, with what is appended to it, or of an address of four with its port.
fn version(piece: &str, len: usize, parts: usize, after: &str) -> usize {
    if len < piece.len() {
        return piece.len();
    }
    match after.as_bytes() {
        [b':', ..] if parts == 4 => match digits(&after[1..]) {
            0 => len,
            port => len + 1 + port,
        },
        // What it was built from.
        [b'+', ..] => {
            let build = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
            let built = after.bytes().skip(1).take(60).take_while(build).count();
            len + if built > 0 { 1 + built } else { 0 }
        }
        _ => len,
    }
}

/// Bytes of `2026-11-30`, with the time behind it.
fn date(piece: &str, after: &str) -> Option<usize> {
    let shape = |text: &str, shape: &str| {
        text.len() >= shape.len()
            && text
                .bytes()
                .zip(shape.bytes())
                .all(|(byte, wanted)| if wanted == b'0' { byte.is_ascii_digit() } else { byte == wanted })
    };
    if !shape(piece, "0000-00-00") {
        return None;
    }
    let rest = &piece[10..];
    let hours = rest.is_empty() && shape(after, " 00:00");
    let time = if hours { &after[3..] } else { after };
    if hours || rest.len() == 3 && rest.starts_with('T') && digits(&rest[1..]) == 2 {
        if !shape(time, ":00") {
            return rest.is_empty().then_some(10);
        }
        let mut len = 3;
        if shape(&time[len..], ":00") {
            len += 3;
            let decimals = time[len..].strip_prefix('.').map_or(0, digits);
            len += if decimals > 0 { 1 + decimals } else { 0 };
        }
        len += match time[len..].as_bytes() {
            [b'Z', ..] => 1,
            [b'+' | b'-', ..] if shape(&time[len + 1..], "00:00") => 6,
            _ => 0,
        };
        return Some(piece.len() + len + if hours { 3 } else { 0 });
    }
    rest.is_empty().then_some(10)
}

/// A date written with slashes.
pub(super) fn slashed(word: &str) -> bool {
    let figures = word.split('/').all(|part| (1..=4).contains(&part.len()) && digits(part) == part.len());
    figures && word.bytes().filter(|byte| *byte == b'/').count() == 2 && word.len() >= 8
}
