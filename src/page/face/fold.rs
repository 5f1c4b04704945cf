//! Letters written in others: in ASCII where the meaning stays, in a letter of the face that means the same, or not at all.
//!
//! Where the meaning would not stay (an accent left off, ten to the second power as 102, a cross for a dagger) nothing is folded: an empty box
//! that is counted is better than a wrong word.

/// ASCII that stands for one letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Folded {
    letters: [u8; 4],
    len: u8,
}

impl Folded {
    const fn new<const N: usize>(letters: [u8; N]) -> Folded {
        let mut folded = Folded { letters: [0; 4], len: N as u8 };
        let mut at = 0;
        while at < N {
            folded.letters[at] = letters[at];
            at += 1;
        }
        folded
    }

    /// 1 to 4 letters of ASCII, none of them a control.
    pub fn letters(&self) -> &[u8] {
        self.letters.get(..usize::from(self.len)).unwrap_or_default()
    }
}

const HEX: &[u8; 16] = b"0123456789abcdef";

/// Letters that no face may draw as they are: controls, which are shown and not obeyed; blanks of other widths; the signs that the layout keeps
/// for itself; the wide forms of ASCII.
pub(super) fn first(letter: char) -> Option<Folded> {
    Some(match letter {
        '\0'..='\u{1f}' | '\u{7f}' => Folded::new([b'^', letter as u8 ^ 0x40]),
        '\u{80}'..='\u{9f}' => Folded::new([b'\\', b'x', b'0' + (letter as u8 >> 4), HEX[letter as usize & 15]]),
        _ if letter.is_whitespace() && letter != ' ' => Folded::new([b' ']),
        '↵' | '⏎' | '↩' => Folded::new(*b"<-'"),
        '⇥' => Folded::new(*b"->|"),
        '⎵' | '␣' => Folded::new(*b"|_|"),
        '\u{ff01}'..='\u{ff5e}' => Folded::new([(letter as u32 - 0xfee0) as u8]),
        _ => return None,
    })
}

/// Letters folded where the face lacks them.
pub(super) fn ascii(letter: char) -> Option<Folded> {
    if letter.is_ascii() {
        return None;
    }
    if let Some((folded, _)) = FOLDS.iter().find(|(_, letters)| letters.contains(letter)) {
        let mut letters = [0; 4];
        for (to, &from) in letters.iter_mut().zip(folded.as_bytes()) {
            *to = from;
        }
        return Some(Folded { letters, len: folded.len() as u8 });
    }
    let from = |start: char| letter as u32 - start as u32;
    Some(match letter {
        // Corners, crossings and tees of boxes; lines are in the table.
        '─'..='╿' => Folded::new([b'+']),
        '⁰' | 'ⁱ' | '⁴'..='ⁿ' => Folded::new([b'^', *b"0i  456789+-=()n".get(from('⁰') as usize)?]),
        '₀'..='₎' => Folded::new([b'_', *b"0123456789+-=()".get(from('₀') as usize)?]),
        '①'..='⑨' => Folded::new([b'(', b'1' + from('①') as u8, b')']),
        '⑩'..='⑲' => Folded::new([b'(', b'1', b'0' + from('⑩') as u8, b')']),
        _ => return None,
    })
}

/// The letter of the face that means the same.
pub(super) fn twin(letter: char) -> Option<char> {
    TWINS.iter().find(|(_, letters)| letters.contains(letter)).map(|&(twin, _)| twin)
}

/// Whether a letter leaves no trace: joiners, variation selectors, places where a word may break. Controls of direction are not among them: they
/// change how a text reads, so that they must be seen.
pub(super) fn is_nothing(letter: char) -> bool {
    matches!(
        letter,
        '\u{ad}' | '\u{34f}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{e0100}'..='\u{e01ef}'
    )
}

/// Whether a letter is a mark on the letter before it, by Unicode's blocks of such marks and, of the scripts that no face here shapes, Hebrew and
/// Arabic.
pub(super) fn is_mark(letter: char) -> bool {
    matches!(
        letter,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5bd}' | '\u{64b}'..='\u{65f}' | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{302a}'..='\u{302f}' | '\u{3099}' | '\u{309a}' | '\u{fe20}'..='\u{fe2f}'
    )
}

/// Whether a letter is of a script that is written from the right or changes shape with its neighbours (Hebrew and Arabic to Thaana, India's,
/// Thai to Khmer, Mongolian): letters set one by one would not be that script.
pub(super) fn is_shaped(letter: char) -> bool {
    matches!(
        letter,
        '\u{590}'..='\u{109f}' | '\u{1780}'..='\u{18af}' | '\u{1900}'..='\u{1aaf}' | '\u{1b00}'..='\u{1c4f}' | '\u{a800}'..='\u{a82f}'
            | '\u{a880}'..='\u{a8ff}' | '\u{a980}'..='\u{aaff}' | '\u{abc0}'..='\u{abff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}'
            | '\u{10800}'..='\u{10fff}' | '\u{11000}'..='\u{11fff}' | '\u{1e800}'..='\u{1efff}'
    )
}

/// Kana and a voicing mark, Hangul and a further part of its syllable: what Unicode composes by its order. Files' names on Macs hold them apart.
pub(super) fn compose(letter: char, mark: char) -> Option<char> {
    let (base, mark) = (letter as u32, mark as u32);
    let composed = match (base, mark) {
        (0x3046 | 0x30a6, 0x3099) => base + 0x4e,
        (0x3041..=0x30fa, 0x3099 | 0x309a) => {
            let voiced = match base - if base < 0x30a0 { 0x3040 } else { 0x30a0 } {
                at @ 0x0b..=0x21 => at % 2 == 1 && mark == 0x3099,
                0x24 | 0x26 | 0x28 => mark == 0x3099,
                at @ 0x2f..=0x3b => at % 3 == 2,
                _ => false,
            };
            voiced.then_some(base + mark - 0x3098)?
        }
        (0x1100..=0x1112, 0x1161..=0x1175) => 0xac00 + ((base - 0x1100) * 21 + (mark - 0x1161)) * 28,
        (0xac00..=0xd7a3, 0x11a8..=0x11c2) if (base - 0xac00) % 28 == 0 => base + mark - 0x11a7,
        _ => return None,
    };
    char::from_u32(composed)
}

/// A letter that is drawn, and those drawn the same.
pub(super) const TWINS: &[(char, &str)] = &[
    ('―', "—"),
    ('·', "∙⋅‧"),
    ('•', "●⏺⬤⚫◦‣"),
    ('…', "⋯"),
    ('→', "➜➔➝➞⟶➡"),
    ('←', "⟵⬅"),
    ('↑', "⬆"),
    ('↓', "⬇"),
    ('✓', "✔✅"),
    ('✗', "✘✖❌"),
    ('Δ', "∆"),
    ('Σ', "∑"),
    ('Π', "∏"),
    ('Ω', "\u{2126}"),
    ('Å', "\u{212b}"),
    ('¢', "￠"),
    ('£', "￡"),
    ('¥', "￥"),
    ('¬', "￢"),
    ('¦', "￤"),
    ('¯', "‾￣"),
];

/// ASCII, and the letters folded to it.
pub(super) const FOLDS: &[(&str, &str)] = &[
    // Punctuation.
    ("'", "‚‛ʼʹ′‵"),
    ("\"", "‟″〝〞❝❞"),
    ("-", "‐‑‒–−⁃"),
    ("..", "‥"),
    ("!!", "‼"),
    ("!?", "⁉"),
    ("?!", "⁈"),
    ("??", "⁇"),
    ("<", "‹⟨❮"),
    (">", "›⟩❯"),
    ("<<", "⟪≪"),
    (">>", "⟫≫"),
    ("*", "∗⁎★✱⋆"),
    ("/", "∕⁄╱"),
    ("\\", "∖⧵╲"),
    ("X", "╳"),
    // Boxes, blocks, lists.
    ("-", "─━┄┅┈┉╌╍╴╶╸╺╼╾⎯"),
    ("=", "═"),
    ("|", "│┃┆┇┊┋╎╏║╵╷╹╻╽╿∣❘⎢⎥"),
    ("||", "‖∥"),
    ("+", "⎿"),
    ("#", "█▓■▪◼◾⬛▀▄▌▐"),
    (":", "▒"),
    (".", "░"),
    ("[]", "□▢▫◻◽⬜"),
    ("[ ]", "☐"),
    ("[x]", "☑"),
    ("[X]", "☒"),
    ("( )", "○◯"),
    ("(*)", "◉◎"),
    ("(!)", "⚠"),
    ("(i)", "ℹ"),
    ("v", "▼▾"),
    ("^", "▲▴"),
    (">", "▶▸►"),
    ("<", "◀◂◄"),
    // Arrows.
    ("=>", "⇒⟹"),
    ("<==", "⇐⟸"),
    ("<=>", "⇔⟺"),
    ("<->", "↔⟷"),
    ("|->", "↦"),
    ("+>", "↳↪⤷"),
    // Mathematics.
    ("<=", "≤≦⩽"),
    (">=", "≥≧⩾"),
    ("!=", "≠"),
    ("~=", "≈≃≅"),
    ("===", "≡"),
    ("~", "∼"),
    (":=", "≔"),
    ("inf", "∞"),
    ("sqrt", "√"),
    ("{}", "∅"),
    // A blank before them: 5⅓ is not 51/3.
    (" 1/3", "⅓"),
    (" 2/3", "⅔"),
    (" 1/5", "⅕"),
    (" 2/5", "⅖"),
    (" 3/5", "⅗"),
    (" 4/5", "⅘"),
    (" 1/6", "⅙"),
    (" 5/6", "⅚"),
    (" 1/8", "⅛"),
    (" 3/8", "⅜"),
    (" 5/8", "⅝"),
    (" 7/8", "⅞"),
    // Letters.
    ("ff", "ﬀ"),
    ("fi", "ﬁ"),
    ("fl", "ﬂ"),
    ("ffi", "ﬃ"),
    ("ffl", "ﬄ"),
    ("st", "ﬅﬆ"),
    ("IJ", "Ĳ"),
    ("ij", "ĳ"),
    ("'n", "ŉ"),
    ("K", "\u{212a}"),
    ("(tm)", "™"),
    ("INR", "₹"),
    ("KRW", "₩￦"),
    ("RUB", "₽"),
    ("UAH", "₴"),
    ("TRY", "₺"),
    ("ILS", "₪"),
    ("VND", "₫"),
    ("BTC", "₿"),
    ("Cmd", "⌘"),
    ("Opt", "⌥"),
];
