//! The keys of a spec: what reads one knows no others, and `fracas doc spec` prints them.

use serde::Serialize;

use crate::report::{Block, Report};

#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct SpecKey {
    /// Its name, behind that of its table.
    pub(super) key: &'static str,
    /// What holds where it is left out; empty where nothing does.
    default: &'static str,
    pub(super) required: bool,
    meaning: &'static str,
}

/// A line a key: its name, what holds where it is left out, what it means.
const KEYS: &str = r#"title |  | what it is called; optional
scenarios | (required) | one or more, by name or path
agents | (required) | two or more, by the words that name them: `"search:200"`, `"bluffer(rate=3)"`, a path; a program in any language is `{ name = "mine", command = "python3 mine.py", ms = 1000 }`
agents.name | (required) | of a program: what it is called, in a line of at most 40 characters
agents.command | (required) | of a program: the program and its arguments
agents.ms | 10000 | of a program: the milliseconds that it has for an answer
format | (required) | `round_robin`, `swiss`, `knockout`, `gauntlet` (the first agent meets all others) or `every_lineup` (each meets each and itself in all seats, for the meta-game of the seats)
games | 100 | for each pairing and scenario; seats are exchanged in turn
rounds |  | of `swiss`; as many as a knockout would have, if left out
house | [] | house rules applied to all scenarios, in order
seed | 1 | the seed of chance; `--seed` overrides it
exact | true | `false`, or `--no-exact`, plays pairings that are small enough to be computed, in all scenarios: what that takes is a tenth of their games at most, or less than some seconds for all
adjudicate.questions |  | a game ends after this many questions, of players and of chance; with `adjudicate` all pairings are played
adjudicate.draw |  | the utility of each seat of a game that ends so; if it is left out, each has what it can expect there, so games must end by themselves at last
adjudicate.beyond |  | a game ends where a seat can expect this utility or more, or its negative or less; each seat has what it can expect
adjudicate.decisions | 4 | that must be so, the same way, after each of as many decisions of the seat in a row
adjudicate.playouts | 100 | what can be expected is the mean of as many playouts from there, of the game's own seed
adjudicate.agent |  | who plays on in them for all seats, such as `"random"`; if it is left out, those who play the game
anchor.agent | (required) | one of the agents, whose rating is held; without it the mean of all is 0
anchor.rating | 0 | the Elo points at which it is held; intervals are then of the distance from it
stop.within |  | stop when every rating's 95 % half-width is below this many Elo points; optional
stop.sprt.elo0 | (required) | stop by a sequential test between two agents: the first is this many Elo points better, or fewer
stop.sprt.elo1 | (required) | or it is this many points better, or more
stop.sprt.alpha | 0.05 | the probability to accept `elo1` where `elo0` holds
stop.sprt.beta | 0.05 | the probability to accept `elo0` where `elo1` holds"#;

pub(super) fn all() -> impl Iterator<Item = SpecKey> {
    KEYS.lines().filter_map(|line| {
        let mut parts = line.splitn(3, " | ");
        let (key, default, meaning) = (parts.next()?, parts.next()?, parts.next()?);
        let required = default == REQUIRED;
        Some(SpecKey { key, default: if required { "" } else { default }, required, meaning })
    })
}

/// What a line has in the place of a default where the key must be there.
const REQUIRED: &str = "(required)";

/// The names of the keys, and of tables of them, directly below this table.
pub(super) fn below(table: &str) -> Vec<&'static str> {
    let rest = all().filter_map(|key| key.key.strip_prefix(table));
    let mut names: Vec<&str> = rest.map(|rest| rest.split('.').next().unwrap_or(rest)).collect();
    names.dedup();
    names
}

/// All keys in a table, for people and for programs.
pub(crate) fn report() -> Report<'static> {
    let row = |key: &SpecKey| {
        let default = if key.required { REQUIRED } else { key.default };
        [key.key, default, key.meaning].map(str::to_owned).to_vec()
    };
    let keys: Vec<SpecKey> = all().collect();
    let table = Block::table(["key", "if left out", "means"], keys.iter().map(row));
    Report::of(keys, vec![table])
}
