//! What is best? `:odds` tells what comes of each option, `:hint` asks an agent.

use std::collections::BTreeSet;

use serde_json::json;

use super::{Command, Completes, number};
use crate::agents::HUMAN;
use crate::analysis::{Chances, Effort, Number, Place, Prospects};
use crate::error::Error;
use crate::game::{Asked, Value};
use crate::handlers::Answer;
use crate::render;
use crate::repl::{Reply, Session};

/// The commands of this group.
pub const COMMANDS: &[Command] = &[
    Command {
        name: "odds",
        letter: None,
        arguments: "[N]",
        takes: (0, 1),
        completes: &[Completes::Free],
        about: "what comes of each option of the open decision: odds and utilities under the seated agents",
        more: "They are exact where all that may follow can be explored; else N playouts are made for each option, \
               1000 where no number is given, and Ctrl-C stops with those there are. `random` sits in for people. What \
               is hidden from the one who is asked stays so: all places that look alike are weighed.",
        run: odds,
    },
    Command {
        name: "hint",
        letter: None,
        arguments: "[AGENT]",
        takes: (0, 1),
        completes: &[Completes::Agent],
        about: "what an agent would answer, who sees what the one who is asked may see; `search:500` if none is named",
        more: "Nothing is answered by it.",
        run: hint,
    },
];

/// At most so many nodes are explored; of agents who think ahead, each node costs a thought.
const NODES: u64 = 50_000;
const NODES_OF_THINKERS: u64 = 2_000;
/// Playouts of each option, where nothing else was said.
const PLAYOUTS: usize = 1_000;
/// More results than these have no column each.
const RESULTS: usize = 4;
/// A fraction of more characters than these is told as a number alone.
const SHORT: usize = 5;
/// More players than these have no column each, save the one who is asked.
const PLAYERS: usize = 3;
/// Who is asked where nobody is named.
const ADVISER: &str = "search:500";

fn odds(session: &mut Session, words: &[String], reply: &mut Reply) -> Result<(), Error> {
    let n = number(words, PLAYOUTS)?.max(1) as u64;
    let play = session.open()?;
    let asked = session.decision()?;
    let seating = play.seating()?;
    let history = play.history();
    let place = Place {
        history: &history,
        who: &asked.who,
        name: &asked.name,
        // Where no person plays, nobody is there from whom something is hidden.
        revealed: session.revealed || seating.people.is_empty(),
    };
    let effort = Effort {
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        nodes: if seating.thinks() { NODES_OF_THINKERS } else { NODES },
        n,
        seed: play.seed,
    };
    let found = Prospects::find(&seating, place, effort)?;
    if !seating.people.is_empty() {
        reply.note(format!("`random` sits in for people: {}", seating.people.join(", ")));
    }
    let header = match found.exact {
        Some(nodes) => format!("exact odds after each option, {nodes} nodes"),
        None => {
            format!(
                "estimated from {} playouts of each option, seed {} (95 % intervals)",
                found.n, found.seed
            )
        }
    };
    session.show(
        reply,
        || found.as_json(),
        |width, plain| format!("{header}\n{}", table(asked, &found, width, plain)),
    );
    match (found.hidden, found.worlds) {
        (true, 0) => reply.note("what is hidden is weighed by how the seated agents play"),
        (true, worlds) => reply.note(format!(
            "what is hidden is drawn from {worlds} places that look alike, met by playing at random"
        )),
        (false, _) => {}
    }
    if found.interrupted {
        reply.note("interrupted: this is what the playouts up to then say");
    }
    Ok(())
}

fn table(asked: &Asked, found: &Prospects, width: usize, plain: bool) -> String {
    let all = || found.options.iter().map(|(_, chances)| chances);
    let results: BTreeSet<&String> = all().flat_map(|chances| chances.results.keys()).collect();
    // Too many columns say less than none.
    let results: Vec<&String> =
        if results.len() > RESULTS { Vec::new() } else { results.into_iter().collect() };
    let mut players: Vec<&String> = Vec::new();
    for player in all().flat_map(|chances| chances.utility.keys()) {
        if !players.contains(&player) {
            players.push(player);
        }
    }
    if players.len() > PLAYERS {
        players.retain(|player| **player == asked.who);
    }
    let utilities: Vec<String> = players.iter().map(|player| format!("utility {player}")).collect();
    let mut header = vec!["option"];
    header.extend(results.iter().map(|name| name.as_str()));
    header.extend(utilities.iter().map(String::as_str));
    let row = |(option, chances): &(Value, Chances)| {
        let share = |name: &&String| chances.results.get(*name).map(share).unwrap_or_default();
        let utility = |name: &&String| chances.utility.get(*name).map(worth).unwrap_or_default();
        let mut row = vec![option.to_string()];
        row.extend(results.iter().map(share));
        row.extend(players.iter().map(utility));
        row
    };
    let rows: Vec<Vec<String>> = found.options.iter().map(row).collect();
    render::table(&header, &rows, width, plain)
}

/// A probability in a narrow column: in percent alone, where it is exact.
fn share(number: &Number) -> String {
    match number.exact() {
        Some(_) => render::share_percent(number.middle()),
        None => number.as_share(),
    }
}

/// A utility in a narrow column: its fraction only where that is short.
fn worth(number: &Number) -> String {
    match number.exact() {
        Some(fraction) if fraction.to_string().len() > SHORT => render::tidy(number.middle()),
        _ => number.as_utility(),
    }
}

fn hint(session: &mut Session, words: &[String], reply: &mut Reply) -> Result<(), Error> {
    let word = words.first().map_or(ADVISER, String::as_str);
    if word == HUMAN {
        return Err(Error::usage("a person is asked already; name an agent"));
    }
    let asked = session.decision()?;
    let answer = session.open()?.advice(word)?;
    let option =
        |index: usize| asked.options.get(index).map(ToString::to_string).unwrap_or_default();
    let weights = match &answer {
        Answer::Any => Vec::new(),
        Answer::Option(index) => vec![(*index, 1.0)],
        Answer::Weights(weights) => {
            let total: f64 = weights.iter().map(|(_, weight)| about(weight)).sum();
            weights.iter().map(|(index, weight)| (index, about(weight) / total)).collect()
        }
    };
    let text = match &weights[..] {
        [] => format!("`{word}` would take any of them, each as likely"),
        [(index, _)] => format!("`{word}` would answer {}", option(*index)),
        several => {
            let one = |(index, share): &(usize, f64)| {
                format!("{} with {}", option(*index), render::share_percent(*share))
            };
            format!(
                "`{word}` would answer {}",
                several.iter().map(one).collect::<Vec<_>>().join(", ")
            )
        }
    };
    let json = || {
        let one = |(index, share): &(usize, f64)| json!({ "option": asked.options.get(*index), "share": share });
        json!({ "agent": word, "player": asked.who, "answers": weights.iter().map(one).collect::<Vec<_>>() })
    };
    session.show(reply, json, |width, _| render::wrapped(&text, width));
    Ok(())
}

fn about(weight: &num_bigint::BigUint) -> f64 {
    num_traits::ToPrimitive::to_f64(weight).unwrap_or(f64::MAX)
}
