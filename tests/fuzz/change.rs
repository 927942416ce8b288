//! Makes an input from a seed: bytes of the fuzzer are read as a list of changes.

use super::tokens::Parts;

/// Words that files of any format may be surprised by.
const WORDS: [&str; 40] = [
    "0",
    "-1",
    "1",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "1e308",
    "1e999",
    "nan",
    "inf",
    "-0.0",
    "0.1",
    "\"\"",
    "\"x\"",
    "[]",
    "{}",
    "[[",
    "]]",
    "{",
    "}",
    "(",
    ")",
    "#{",
    "\\u0000",
    "\u{0}",
    "\u{1b}[31m",
    "\u{202e}",
    "é",
    "\n",
    "\r\n",
    "\t",
    "=",
    ".",
    ",",
    ";",
    "true",
    "()",
    "../../x",
    "/dev/zero",
    "solved(x)",
];

/// What inputs are changed with.
pub struct Changes {
    words: Vec<Vec<u8>>,
    parts: Parts,
}

/// Reads numbers from the bytes of the fuzzer; 0 when they are used up.
struct Dice<'a>(&'a [u8]);

impl Dice<'_> {
    fn byte(&mut self) -> usize {
        let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        usize::from(*first)
    }

    fn below(&mut self, count: usize) -> usize {
        (self.byte() << 16 | self.byte() << 8 | self.byte()) % count.max(1)
    }
}

impl Changes {
    /// Changes with the words of these seeds.
    pub fn new(seeds: &[Vec<u8>]) -> Changes {
        let mut words: Vec<Vec<u8>> = WORDS.iter().map(|word| word.as_bytes().to_vec()).collect();
        let is_end = |byte: &u8| !byte.is_ascii_alphanumeric() && *byte != b'_';
        for seed in seeds {
            words.extend(
                seed.split(is_end).filter(|word| (1..24).contains(&word.len())).map(<[u8]>::to_vec),
            );
        }
        words.sort();
        words.dedup();
        Changes { words, parts: Parts::of(seeds) }
    }

    /// The input that the fuzzer's bytes mean, three of four times made from one of the first `fine` seeds.
    pub fn apply(&self, bytes: &[u8], seeds: &[Vec<u8>], fine: usize) -> Vec<u8> {
        let mut dice = Dice(bytes);
        let from = if dice.byte() % 4 > 0 { fine } else { seeds.len() };
        let mut input = seeds[dice.below(from)].clone();
        // Many changes leave little that is read to its end; of four inputs three keep their brackets.
        let (count, kind) = (dice.byte() % 5, dice.byte() % 4);
        for _ in 0..count {
            match kind {
                0 => self.change(&mut input, seeds, &mut dice),
                _ => self.parts.change(&mut input, &mut |most| dice.below(most)),
            }
            input.truncate(1 << 20);
        }
        input
    }

    fn change(&self, input: &mut Vec<u8>, seeds: &[Vec<u8>], dice: &mut Dice<'_>) {
        let kind = dice.byte() % 10;
        let at = dice.below(input.len() + 1);
        let word = |dice: &mut Dice<'_>| self.words[dice.below(self.words.len())].clone();
        let to = |dice: &mut Dice<'_>, most: usize| (at + dice.below(most)).min(input.len());
        match kind {
            0 => {
                let to = to(dice, 40);
                input.drain(at..to);
            }
            1 => {
                let word = word(dice);
                input.splice(at..at, word);
            }
            // A word takes the place of another.
            2..=4 => {
                let word = word(dice);
                let (from, to) = word_at(input, at);
                input.splice(from..to, word);
            }
            5 => {
                let (from, to) = line_at(input, at);
                let line = input[from..to].to_vec();
                let at = line_at(input, dice.below(input.len() + 1)).0;
                input.splice(at..at, line);
            }
            6 => {
                let (from, to) = line_at(input, at);
                input.drain(from..to);
            }
            // A line of another seed.
            7 => {
                let seed = &seeds[dice.below(seeds.len())];
                let (from, to) = line_at(seed, dice.below(seed.len() + 1));
                let at = line_at(input, at).0;
                input.splice(at..at, seed[from..to].iter().copied());
            }
            8 => {
                let byte = dice.byte() as u8;
                if let Some(old) = input.get_mut(at) {
                    *old = byte;
                }
            }
            // The same again and again.
            _ => {
                let to = to(dice, 12);
                let part = input[at..to].to_vec();
                let times = 1 << (dice.byte() % 12);
                input.splice(at..at, part.iter().copied().cycle().take(part.len() * times));
            }
        }
    }
}

fn word_at(input: &[u8], at: usize) -> (usize, usize) {
    let in_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let from = input[..at].iter().rev().take_while(|byte| in_word(byte)).count();
    let to = input[at..].iter().take_while(|byte| in_word(byte)).count();
    (at - from, at + to)
}

fn line_at(input: &[u8], at: usize) -> (usize, usize) {
    let at = at.min(input.len());
    let from = input[..at].iter().rev().take_while(|byte| **byte != b'\n').count();
    let to =
        input[at..].iter().position(|byte| *byte == b'\n').map_or(input.len(), |end| at + end + 1);
    (at - from, to)
}
