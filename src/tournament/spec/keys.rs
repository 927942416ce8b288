//! The keys of a spec: what reads one knows no others, and `fracas doc spec` prints them.

use serde::Serialize;

use crate::report::{Block, Report};

#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct SpecKey {
    /// Its name, behind that of its table.
    key: &'static str,
    /// What holds where it is left out; empty where nothing does.
    default: &'static str,
    required: bool,
    meaning: &'static str,
}

const fn key(key: &'static str, default: &'static str, meaning: &'static str) -> SpecKey {
    SpecKey { key, default, required: false, meaning }
}

const fn required(key: &'static str, meaning: &'static str) -> SpecKey {
    SpecKey { key, default: "", required: true, meaning }
}

const KEYS: [SpecKey; 25] = [
    key("title", "", "what it is called; optional"),
    required("scenarios", "one or more, by name or path"),
    required(
        "agents",
        "two or more, by the words that name them: `\"search:200\"`, `\"bluffer(rate=3)\"`, a path; a program in any language is `{ name = \"mine\", command = \"python3 mine.py\", ms = 1000 }`",
    ),
    required("agents.name", "of a program: what it is called, in a line of at most 40 characters"),
    required("agents.command", "of a program: the program and its arguments"),
    key("agents.ms", "10000", "of a program: the milliseconds that it has for an answer"),
    required(
        "format",
        "`round_robin`, `swiss`, `knockout`, `gauntlet` (the first agent meets all others) or `every_lineup` (each meets each and itself in all seats, for the meta-game of the seats)",
    ),
    key("games", "100", "for each pairing and scenario; seats are exchanged in turn"),
    key("rounds", "", "of `swiss`; as many as a knockout would have, if left out"),
    key("house", "[]", "house rules applied to all scenarios, in order"),
    key("seed", "1", "the seed of chance; `--seed` overrides it"),
    key(
        "exact",
        "true",
        "`false`, or `--no-exact`, plays pairings that are small enough to be computed, in all scenarios: what that takes is a tenth of their games at most, or less than some seconds for all",
    ),
    key(
        "adjudicate.questions",
        "",
        "a game ends after this many questions, of players and of chance; with `adjudicate` all pairings are played",
    ),
    key(
        "adjudicate.draw",
        "",
        "the utility of each seat of a game that ends so; if it is left out, each has what it can expect there, so games must end by themselves at last",
    ),
    key(
        "adjudicate.beyond",
        "",
        "a game ends where a seat can expect this utility or more, or its negative or less; each seat has what it can expect",
    ),
    key(
        "adjudicate.decisions",
        "4",
        "that must be so, the same way, after each of as many decisions of the seat in a row",
    ),
    key(
        "adjudicate.playouts",
        "100",
        "what can be expected is the mean of as many playouts from there, of the game's own seed",
    ),
    key(
        "adjudicate.agent",
        "",
        "who plays on in them for all seats, such as `\"random\"`; if it is left out, those who play the game",
    ),
    required(
        "anchor.agent",
        "one of the agents, whose rating is held; without it the mean of all is 0",
    ),
    key(
        "anchor.rating",
        "0",
        "the Elo points at which it is held; intervals are then of the distance from it",
    ),
    key(
        "stop.within",
        "",
        "stop when every rating's 95 % half-width is below this many Elo points; optional",
    ),
    required(
        "stop.sprt.elo0",
        "stop by a sequential test between two agents: the first is this many Elo points better, or fewer",
    ),
    required("stop.sprt.elo1", "or it is this many points better, or more"),
    key("stop.sprt.alpha", "0.05", "the probability to accept `elo1` where `elo0` holds"),
    key("stop.sprt.beta", "0.05", "the probability to accept `elo0` where `elo1` holds"),
];

/// The names of the keys, and of tables of them, directly below this table.
pub(super) fn below(table: &str) -> Vec<&'static str> {
    let rest = KEYS.iter().filter_map(|key| key.key.strip_prefix(table));
    let mut names: Vec<&str> = rest.map(|rest| rest.split('.').next().unwrap_or(rest)).collect();
    names.dedup();
    names
}

#[cfg(test)]
pub(super) fn all() -> impl Iterator<Item = (&'static str, bool)> {
    KEYS.iter().map(|key| (key.key, key.required))
}

/// All keys in a table, for people and for programs.
pub(crate) fn report() -> Report<'static> {
    let row = |key: &SpecKey| {
        let default = if key.required { "(required)" } else { key.default };
        [key.key, default, key.meaning].map(str::to_owned).to_vec()
    };
    Report::of(KEYS, vec![Block::table(["key", "if left out", "means"], KEYS.iter().map(row))])
}
