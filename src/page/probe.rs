//! A reading test: a page of filler with keys planted in it, what to ask of a reader, and how its answer is marked. Seeded by the pitch, so
//! that a test can be repeated and two readers be compared.

use super::Pitch;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Keys on a page; all must be read without a fault.
pub const KEYS: usize = 20;

/// One page's test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// What is drawn.
    pub text: String,
    /// The names under which keys stand in it, and the keys: twelve hexadecimal digits each.
    pub keys: Vec<(String, String)>,
}

const FIRST: [&str; 24] = [
    "amber", "brisk", "cedar", "dusty", "early", "faint", "green", "hollow", "ivory", "jolly", "keen", "lunar",
    "mossy", "north", "olive", "plain", "quiet", "rusty", "silver", "tidal", "upper", "velvet", "windy", "young",
];
const SECOND: [&str; 24] = [
    "anchor", "basin", "canoe", "delta", "ember", "ferry", "garden", "harbor", "island", "jetty", "kettle", "ladder",
    "meadow", "needle", "orchard", "pebble", "quarry", "river", "signal", "tunnel", "urn", "valley", "willow", "yard",
];
const VERBS: [&str; 12] =
    ["checks", "keeps", "moves", "reads", "sends", "takes", "writes", "joins", "opens", "holds", "counts", "meets"];

impl Test {
    /// The test for a page of so many letters at a pitch.
    pub fn new(pitch: Pitch, letters: usize) -> Test {
        let mut dice = Dice(u64::from(pitch.width) << 32 | u64::from(pitch.height) << 8 | 1);
        let mut names = BTreeSet::new();
        let mut test = Test { text: String::new(), keys: Vec::new() };
        // A page of a few rows holds no twenty keys; it is filled beyond what is asked then.
        let apart = (letters / KEYS).max(1);
        while test.keys.len() < KEYS {
            let name = format!("{}-{}", dice.word(&FIRST), dice.word(&SECOND));
            if !names.insert(name.clone()) {
                continue;
            }
            let key = dice.key();
            let until = test.keys.len() * apart + apart / 3 + dice.below(apart as u32 / 3 + 1) as usize;
            test.fill(&mut dice, until);
            test.text.push_str(&format!("\n{name} = {key}\n"));
            test.keys.push((name, key));
        }
        test.fill(&mut dice, letters);
        test.text.truncate(letters.max(test.text.rfind(" = ").map_or(0, |at| at + 15)));
        test
    }
    /// What is asked of the reader.
    pub fn question(&self) -> String {
        let mut names: Vec<&str> = self.keys.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        format!(
            "The picture is one page of text in tiny letters, to be read row by row from the left; rows break anywhere, and \u{21b5} is a line break. \
             Somewhere on it stands a key for each of these names, as `name = key`, a key being twelve digits from 0 to 9 and a to f. \
             Answer with one line `name = key` for each name, copied digit by digit; write `name = ?` for one that you cannot find. No other words.\n\n{}",
            names.join("\n")
        )
    }
    /// How many keys an answer tells without a fault.
    pub fn right(&self, answer: &str) -> usize {
        let told = |name: &str| {
            let line = answer.lines().find(|line| line.contains(name))?;
            line.rsplit(|letter: char| !letter.is_ascii_alphanumeric()).find(|word| !word.is_empty())
        };
        self.keys.iter().filter(|(name, key)| told(name) == Some(key)).count()
    }

    fn fill(&mut self, dice: &mut Dice, until: usize) {
        while self.text.len() < until {
            let (first, second, verb) = (dice.word(&FIRST), dice.word(&SECOND), dice.word(&VERBS));
            let number = dice.below(10_000);
            self.text.push_str(&match dice.below(3) {
                0 => format!("the {first} {second} {verb} {number} of them, "),
                1 => format!("{second}.{verb}({first}, {number}); "),
                _ => format!("\"{second}\": {{\"{first}\": {number}}}, "),
            });
        }
    }
}

/// Numbers that look random and are not: xorshift.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
    fn below(&mut self, limit: u32) -> u32 {
        ((self.next() >> 32) % u64::from(limit.max(1))) as u32
    }
    fn word(&mut self, words: &[&'static str]) -> &'static str {
        words.get(self.below(words.len() as u32) as usize).copied().unwrap_or_default()
    }
    fn key(&mut self) -> String {
        format!("{:012x}", self.next() >> 16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PITCH: Pitch = Pitch { font: "6x12", width: 6, height: 12 };

    #[test]
    fn a_page_holds_all_keys_and_fills_itself() {
        for letters in [7_000, 17_000, 30_000] {
            let test = Test::new(PITCH, letters);
            assert_eq!(test.keys.len(), KEYS);
            assert!(test.text.len() >= letters - 80 && test.text.len() <= letters, "{} of {letters}", test.text.len());
            for (name, key) in &test.keys {
                assert!(test.text.contains(&format!("{name} = {key}")), "{name}");
                assert!(test.question().contains(name.as_str()) && !test.question().contains(key.as_str()));
            }
            assert_eq!(test, Test::new(PITCH, letters));
        }
        assert_eq!(Test::new(PITCH, 10).keys.len(), KEYS);
    }

    #[test]
    fn an_answer_is_marked_key_by_key() {
        let test = Test::new(PITCH, 9_000);
        let line = |(name, key): &(String, String)| format!("- `{name}` = `{key}`\n");
        let whole: String = test.keys.iter().map(line).collect();
        assert_eq!(test.right(&whole), KEYS);
        assert_eq!(test.right(&whole.replacen(&test.keys[3].1, "?", 1)), KEYS - 1);
        let (name, key) = &test.keys[5];
        let other = if key.starts_with('0') { "1" } else { "0" };
        assert_eq!(test.right(&whole.replace(key, &format!("{other}{}", &key[1..]))), KEYS - 1, "{name}");
        assert_eq!(test.right(""), 0);
        assert_eq!(test.right("I cannot read this."), 0);
    }
}
