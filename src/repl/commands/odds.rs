//! The command `:odds`: what comes of each option of the open decision.

use std::collections::BTreeMap;

use indexmap::IndexSet;

use crate::analysis::{
    Chances, Effort, Enough, OpenDecision, Prospect, Prospects, Sampling, SolutionNumber,
    cut_off_block,
};
use crate::commands::{PageFile, Weighing};
use crate::conflict::Seating;
use crate::error::Error;
use crate::game::{Asked, option_name};
use crate::number::{Fraction, Quantity};
use crate::repl::session::seats::{for_people, playouts, seating, seats_in_words};
use crate::repl::session::weighed_options::Weighed;
use crate::repl::{Reply, Session};
use crate::report::{self, Block, Report, Table};

/// Prints what comes of each option of the open decision, and returns it in short for the tree.
pub(super) fn weigh(
    session: &Session,
    wanted: Weighing<'_>,
    (reply, page): (&mut Reply, &mut Option<PageFile>),
) -> Result<Weighed, Error> {
    let Weighing { agent, n, float, time, whole } = wanted;
    let (play, asked) = (session.open()?, session.decision()?);
    let known = session.known_here(reply);
    let n = n.unwrap_or_else(|| playouts(play, agent));
    let word = agent.or_else(|| for_people(play));
    let seating = seating(play, whole, agent)?;
    let history = play.history();
    let place = OpenDecision {
        history: &history,
        who: &asked.who,
        name: &asked.name,
        // Where no person plays, nobody is there from whom something is hidden.
        revealed: session.revealed || seating.people.is_empty(),
    };
    let threads = session.lab.threads();
    let mut effort = effort(&seating, asked, n, (session.seed_apart(None)?, threads));
    effort.time = time;
    effort.float = float;
    let audience = session.lab.audience();
    let found = Prospects::find(&seating, place, effort, &*audience.begins("nodes", None));
    if found.as_ref().is_err_and(|error| error.cut().is_some()) {
        reply.note(nothing_yet(&seating));
    }
    let mut found = found?;
    let line = match known {
        Some(known) => known.line(&seating, place, &asked.options)?,
        None => None,
    };
    line.into_iter().for_each(|line| found.advise(line));
    let by = word.map(|word| match play.people().is_empty() {
        true => format!("`{word}` for {}", asked.who),
        false => format!("`{word}` for people"),
    });
    let weighed = Weighed::of(asked, history.clone(), by, &found);
    if play.conflict.scenario.campaign.is_some() && !whole {
        reply.note("of the current conflict; `:odds --whole` and `:solve` take the whole campaign");
    }
    if let Some(word) = word {
        let seat = agent.and(play.seat_of(&asked.who)).map(|(seat, _)| seat);
        let seats = seats_in_words(play, word, seat);
        let another = if agent.is_none() { "; `:odds AGENT` seats another" } else { "" };
        reply.note(report::wrapped(&format!("{seats}{another}"), session.options.width));
    }
    let header = header(&found);
    let numbers = Block::Group(vec![Block::Title(header), table(asked, &found), bound(&found)]);
    let report = Report::of(&found, vec![numbers, cut_off_block(found.cut_off())]);
    session.show_with(reply, &report, page)?;
    match (known, line) {
        (Some(known), Some(_)) => reply.note(known.source()),
        (Some(_), None) => reply.note("the solution says nothing about this place"),
        (None, _) => {}
    }
    if let Some(why) = found.endless_states() {
        reply.note(report::wrapped(&why, session.options.width));
    }
    if found.hidden {
        reply.note(how_hidden(&found));
    }
    if let Some(cut) = found.cut {
        reply.note(format!("{cut}: these are the results of the playouts up to then"));
    }
    Ok(weighed)
}

fn nothing_yet(seating: &Seating) -> String {
    let thinks = match seating.thinks() {
        true => "; agents who think take long; `:odds random` lets `random` play for you",
        false => "",
    };
    format!("not every option has a playout yet, so there is nothing to show{thinks}")
}

fn header(found: &Prospects) -> String {
    match found.nodes.map(|nodes| report::many(nodes, "node")) {
        Some(nodes) => format!("{} after each option, {nodes}", found.title()),
        None => {
            let playouts = report::many(found.n, "playout");
            format!(
                "estimated from {playouts} of each option, seed {} (95 % intervals)",
                found.seed
            )
        }
    }
}

/// How far off numbers are that were computed in floats.
fn bound(found: &Prospects) -> Block {
    let all = || found.options.iter().map(|one| &one.chances);
    if found.nodes.is_none() || all().all(Chances::is_in_fractions) {
        return Block::sentence("");
    }
    let most = report::at_most(all().map(Chances::half_width).fold(0.0, f64::max));
    Block::Sentence(format!("no number is further off than {most}, but for rounding: proven"))
}

/// How what the player does not see was weighed.
fn how_hidden(found: &Prospects) -> String {
    let places = match found.worlds {
        0 => return "what is hidden is weighed by how the seated agents play".to_owned(),
        1 => "1 place that looks alike".to_owned(),
        worlds => format!("{worlds} places that look alike"),
    };
    format!("what is hidden is drawn from {places}, found by playing at random")
}

/// This many playouts of each option, under a seed and on this many threads, and the exploring that may save
/// them.
pub(super) fn effort(
    seating: &Seating,
    asked: &Asked,
    n: u64,
    (seed, threads): (u64, usize),
) -> Effort {
    let all = n.saturating_mul(asked.options.len() as u64);
    let sampling = Sampling { seed, n: all, enough: Enough::All, threads };
    Effort { float: false, threads, nodes: sampling.explores(seating), n, seed, time: None }
}

/// More results, or players, than these have no column each: of results the likeliest have one.
const COLUMNS: usize = 24;
/// A longer fraction is printed as a number only.
const SHORT: usize = 5;

pub(super) fn table(asked: &Asked, found: &Prospects) -> Block {
    let all = || found.options.iter().map(|one| &one.chances);
    let mut shares: BTreeMap<&String, f64> = BTreeMap::new();
    for (name, share) in all().flat_map(|chances| &chances.results) {
        *shares.entry(name).or_default() += share.value;
    }
    let mut results: Vec<&String> = shares.keys().copied().collect();
    results.sort_by(|one, other| shares[other].total_cmp(&shares[one]));
    let rarer = results.len().saturating_sub(COLUMNS);
    results.truncate(COLUMNS);
    results.sort();
    let mut players: IndexSet<&String> = all().flat_map(|chances| chances.utility.keys()).collect();
    if players.len() > COLUMNS {
        players.retain(|player| **player == asked.who);
    }
    let utilities: Vec<String> = players.iter().map(|player| format!("utility {player}")).collect();
    let mut header = vec!["option"];
    header.extend(results.iter().map(|name| name.as_str()));
    header.extend(utilities.iter().map(String::as_str));
    let solved = found.options.iter().any(|one| one.weight.is_some());
    header.extend(solved.then_some(["weight", "value"]).into_iter().flatten());
    // The utilities are all printed with fractions or all without.
    let mut utilities = all().flat_map(|chances| chances.utility.values());
    let fractions = utilities.all(|number| number.fraction.as_ref().is_some_and(is_short));
    let mut values = found.options.iter().filter_map(|one| one.value.as_ref());
    let short =
        values.all(|utility| matches!(utility, SolutionNumber::Exact(exact) if is_short(exact)));
    let row = |Prospect { option, chances, weight, value }: &Prospect| {
        let share = |name: &&String| {
            chances.results.get(*name).map(Quantity::as_short_share).unwrap_or_default()
        };
        let utility = |name: &&String| {
            chances.utility.get(*name).map(|number| worth(number, fractions)).unwrap_or_default()
        };
        let mut row = vec![option_name(option)];
        row.extend(results.iter().map(share));
        row.extend(players.iter().map(utility));
        let row_of = weight.iter().zip(value);
        row.extend(row_of.flat_map(|(weight, value)| [picked(weight), valued(value, short)]));
        row
    };
    let table = Table::new(header, found.options.iter().map(row)).in_parts();
    let more = match rarer {
        0 => String::new(),
        rarer => format!("and {rarer} more results, each less likely than these"),
    };
    Block::Group(vec![Block::Table(table), Block::Sentence(more)])
}

/// Whether a fraction has room in a narrow column.
fn is_short(fraction: &Fraction) -> bool {
    fraction.to_string().len() <= SHORT
}

/// A utility in a narrow column: its fraction only where all of the column are `short`.
fn worth(number: &Quantity, short: bool) -> String {
    let tidy = if short { None } else { number.known(report::tidy) };
    tidy.unwrap_or_else(|| number.as_utility())
}

/// How often a solution picks an option, in a narrow column.
fn picked(weight: &SolutionNumber) -> String {
    report::share_percent(weight.about())
}

/// What an option is worth under a solution, in a narrow column.
fn valued(utility: &SolutionNumber, short: bool) -> String {
    match utility {
        SolutionNumber::Exact(_) if !short => report::tidy(utility.about()),
        _ => utility.as_utility(),
    }
}
