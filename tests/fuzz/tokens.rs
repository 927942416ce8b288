//! Changes that keep brackets and texts whole: a token takes the place of one of its kind, a group in
//! brackets that of another group, a line with all its brackets that of another such line.
//!
//! Most scripts that are changed anywhere do not parse; these changes reach what is behind the parser.

use std::collections::BTreeMap;
use std::ops::Range;

/// What a token is; those of one kind may take each other's place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    Number,
    Name,
    Text,
    Sum,
    Compare,
    Logic,
    /// A group in brackets that open with this byte.
    Group(u8),
    /// A line whose brackets are whole.
    Line,
}

/// Operators that may take each other's place, longest first.
const OPERATORS: [(&str, Kind); 16] = [
    ("==", Kind::Compare),
    ("!=", Kind::Compare),
    ("<=", Kind::Compare),
    (">=", Kind::Compare),
    ("+=", Kind::Logic),
    ("-=", Kind::Logic),
    ("*=", Kind::Logic),
    ("&&", Kind::Logic),
    ("||", Kind::Logic),
    ("<", Kind::Compare),
    (">", Kind::Compare),
    ("+", Kind::Sum),
    ("-", Kind::Sum),
    ("*", Kind::Sum),
    ("/", Kind::Sum),
    ("%", Kind::Sum),
];

/// Numbers at the edges of what scripts and files hold.
const EDGES: [&str; 14] = [
    "0",
    "1",
    "-1",
    "2",
    "7",
    "31",
    "64",
    "1000",
    "9900",
    "250000",
    "4611686018427387847",
    "9223372036854775807",
    "-9223372036854775808",
    "1.5",
];

/// Words of a language that keep their places.
const KEPT: [&str; 18] = [
    "fn", "let", "const", "if", "else", "for", "while", "loop", "do", "until", "return", "throw",
    "switch", "import", "as", "in", "private", "break",
];

/// All tokens, groups and whole lines of an input, with where each is.
pub fn parts(input: &[u8]) -> Vec<(Kind, Range<usize>)> {
    let mut parts = Vec::new();
    let mut open: Vec<(u8, usize)> = Vec::new();
    // Where the line begins, how many brackets are open there, and the fewest within it.
    let (mut at, mut line, mut depth, mut fewest) = (0, 0, 0, 0);
    while let Some(&byte) = input.get(at) {
        let from = at;
        let rest = &input[at..];
        at += match byte {
            b'\n' => {
                if depth == open.len() && depth == fewest && from > line {
                    parts.push((Kind::Line, line..from + 1));
                }
                (line, depth, fewest) = (from + 1, open.len(), open.len());
                1
            }
            b'/' if rest.starts_with(b"//") => until(rest, b'\n'),
            b'#' if !rest.starts_with(b"#{") => until(rest, b'\n'),
            b'"' | b'\'' | b'`' => {
                let length = text(rest);
                parts.push((Kind::Text, from..from + length));
                length
            }
            b'(' | b'[' | b'{' => {
                open.push((byte, from));
                1
            }
            b')' | b']' | b'}' => {
                if let Some((bracket, start)) = open.pop() {
                    parts.push((Kind::Group(bracket), start..from + 1));
                }
                fewest = fewest.min(open.len());
                1
            }
            b'0'..=b'9' => {
                let length = while_in(rest, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
                parts.push((Kind::Number, from..from + length));
                length
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                let length = while_in(rest, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
                if !KEPT.iter().any(|kept| kept.as_bytes() == &rest[..length]) {
                    parts.push((Kind::Name, from..from + length));
                }
                length
            }
            _ => match OPERATORS.iter().find(|(word, _)| rest.starts_with(word.as_bytes())) {
                Some((word, kind)) => {
                    parts.push((*kind, from..from + word.len()));
                    word.len()
                }
                None => 1,
            },
        };
    }
    parts
}

/// How many bytes there are before this one.
fn until(rest: &[u8], end: u8) -> usize {
    rest.iter().position(|byte| *byte == end).unwrap_or(rest.len())
}

fn while_in(rest: &[u8], is_in: impl Fn(u8) -> bool) -> usize {
    rest.iter().position(|byte| !is_in(*byte)).unwrap_or(rest.len())
}

/// How long the text is that begins here, with its marks; up to the end of the line where it has no end.
fn text(rest: &[u8]) -> usize {
    let mut at = 1;
    while let Some(&byte) = rest.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' if rest[0] != b'`' => return at,
            _ if byte == rest[0] => return at + 1,
            _ => {}
        }
        at += 1;
    }
    rest.len()
}

/// What may take the place of a part, by its kind.
pub struct Parts(BTreeMap<Kind, Vec<Vec<u8>>>);

impl Parts {
    /// The parts of these seeds.
    pub fn of(seeds: &[Vec<u8>]) -> Parts {
        let mut all: BTreeMap<Kind, Vec<Vec<u8>>> = BTreeMap::new();
        for seed in seeds {
            for (kind, range) in parts(seed) {
                if range.len() < 600 {
                    all.entry(kind).or_default().push(seed[range].to_vec());
                }
            }
        }
        let edges = EDGES.iter().map(|edge| edge.as_bytes().to_vec());
        all.entry(Kind::Number).or_default().extend(edges);
        for (word, kind) in OPERATORS {
            all.entry(kind).or_default().push(word.as_bytes().to_vec());
        }
        for found in all.values_mut() {
            found.sort();
            found.dedup();
        }
        Parts(all)
    }

    /// Puts another part of the same kind in the place of one, another part of the input as often as one of
    /// a seed; a line may also be doubled or left out. `below` picks a number below another.
    pub fn change(&self, input: &mut Vec<u8>, below: &mut impl FnMut(usize) -> usize) {
        let here = parts(input);
        if here.is_empty() {
            return;
        }
        let (kind, range) = here[below(here.len())].clone();
        let alike: Vec<&Range<usize>> =
            here.iter().filter(|(other, _)| *other == kind).map(|(_, range)| range).collect();
        let way = below(4);
        let other = match (way, self.0.get(&kind)) {
            (0, _) if kind == Kind::Line => Vec::new(),
            (1, _) if kind == Kind::Line => input[range.clone()].repeat(2),
            (2.., Some(all)) if !all.is_empty() => all[below(all.len())].clone(),
            _ => input[alike[below(alike.len())].clone()].to_vec(),
        };
        input.splice(range, other);
    }
}

#[test]
fn parts_are_whole() {
    let found = |input: &str| -> Vec<(Kind, String)> {
        let all = parts(input.as_bytes()).into_iter();
        all.map(|(kind, range)| (kind, input[range].to_owned())).collect()
    };
    let of = |kind: Kind, text: &str| (kind, text.to_owned());
    assert_eq!(
        found("let a = [1, \"]\"]; // (\n"),
        [
            of(Kind::Name, "a"),
            of(Kind::Number, "1"),
            of(Kind::Text, "\"]\""),
            of(Kind::Group(b'['), "[1, \"]\"]"),
            of(Kind::Line, "let a = [1, \"]\"]; // (\n"),
        ]
    );
    // Neither of these lines is whole, nor does a text end with a mark that is escaped.
    assert_eq!(
        found("if x {\n\"\\\"\"}\n"),
        [of(Kind::Name, "x"), of(Kind::Text, "\"\\\"\""), of(Kind::Group(b'{'), "{\n\"\\\"\"}")]
    );
}
