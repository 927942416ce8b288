//! The command `:odds`: what comes of each option of the open decision.

use std::collections::BTreeMap;

use clap::Args;
use indexmap::IndexSet;

use super::here;
use crate::analysis::{
    Effort, Enough, Fraction, Number, OpenDecision, Prospect, Prospects, Sampling, SolutionNumber,
    cut_off_text,
};
use crate::arguments::{PlayoutsArgument, TimeArgument};
use crate::conflict::Seating;
use crate::error::Error;
use crate::game::{Asked, option_name};
use crate::render;
use crate::repl::session::stand_in::{StandIn, playouts, seating, seats_in_words};
use crate::repl::session::weighed_options::Weighed;
use crate::repl::{Reply, Session};

/// `:odds`.
#[derive(Args, Debug)]
#[command(mut_args(|argument| match argument.get_id() == "n" {
    true => argument.help("How many playouts of each option, where odds are not exact [default: 1000; 200 where an agent is picked]"),
    false => argument,
}))]
pub struct OddsArgs {
    /// The agent who plays on for you and other people; if none is named, one is picked and named in the answer
    #[arg(value_parser = agent_or_count)]
    agent: Option<Named>,
    #[command(flatten)]
    playouts: PlayoutsArgument,
    #[command(flatten)]
    limit: TimeArgument,
    /// Of a campaign, what comes of it as a whole; else of the conflict that is on
    #[arg(long)]
    whole: bool,
}

/// The word behind `:odds`: an agent, or as `-n N`.
#[derive(Clone, Debug, PartialEq)]
enum Named {
    Agent(String),
    Count(u64),
}

fn agent_or_count(word: &str) -> Result<Named, String> {
    match word.parse() {
        Ok(0) => Err("must be an agent, or a number of playouts of 1 or more".to_owned()),
        Ok(count) => Ok(Named::Count(count)),
        Err(_) => Ok(Named::Agent(word.to_owned())),
    }
}

/// More results, or players, than these have no column each: of results the likeliest have one.
const COLUMNS: usize = 24;
/// A longer fraction is printed as a number only.
const SHORT: usize = 5;

pub(super) fn odds(session: &mut Session, odds: &OddsArgs, reply: &mut Reply) -> Result<(), Error> {
    let (agent, number) = match &odds.agent {
        Some(Named::Agent(agent)) => (Some(agent.as_str()), None),
        Some(Named::Count(count)) => (None, Some(*count)),
        None => (None, None),
    };
    if number.is_some() && odds.playouts.n.is_some() {
        return Err(Error::usage("the number of playouts is named twice"));
    }
    if agent.is_none() && here::is_before_chance(session)? {
        let stand_in = session.stand_in()?;
        return here::odds_before_chance(session, stand_in.as_ref(), odds.limit.time, reply);
    }
    session.decision()?;
    let stand_in = if agent.is_none() { session.stand_in()? } else { None };
    let n = odds.playouts.n.or(number).unwrap_or_else(|| playouts(stand_in.as_ref()));
    let word = agent.or(stand_in.as_ref().map(|stand_in| stand_in.word.as_str()));
    let known = session.known_here(reply);
    let play = session.open()?;
    let asked = session.decision()?;
    let seating = seating(play, odds.whole, agent, word)?;
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
    effort.time = odds.limit.time;
    let audience = session.lab.audience();
    let found = Prospects::find(&seating, place, effort, &*audience.solves());
    if found.as_ref().is_err_and(|error| error.cut().is_some()) {
        reply.note(nothing_yet(&seating));
    }
    let mut found = found?;
    let line = match &known {
        Some(known) => known.line(&seating, place, &asked.options)?,
        None => None,
    };
    line.into_iter().for_each(|line| found.advise(line));
    let by = word.map(|word| match play.people().is_empty() {
        true => format!("`{word}` for {}", asked.who),
        false => format!("`{word}` for people"),
    });
    let weighed = Weighed::of(asked, history.clone(), by, &found);
    if play.conflict.scenario.campaign.is_some() && !odds.whole {
        reply.note("of the current conflict; `:odds --whole` and `:solve` take the whole campaign");
    }
    if let Some(word) = word {
        let seat = agent.and(play.seat_of(&asked.who)).map(|(seat, _)| seat);
        let seats = seats_in_words(play, word, seat);
        let another = match &stand_in {
            Some(StandIn { why, .. }) => format!("; `:odds AGENT` seats another; {why}"),
            None => String::new(),
        };
        reply.note(render::wrapped(&format!("{seats}{another}"), session.options.width));
    }
    let header = header(&found);
    session.show(
        reply,
        || &found,
        |width, plain| {
            let table = table(asked, &found, width, plain);
            let cut_off = cut_off_text(found.cut_off(), width);
            format!("{}\n{table}{cut_off}", render::wrapped(&header, width))
        },
    );
    match (&known, line) {
        (Some(known), Some(_)) => reply.note(known.source()),
        (Some(_), None) => reply.note("the solution says nothing about this place"),
        (None, _) => {}
    }
    if found.hidden {
        reply.note(how_hidden(&found));
    }
    if let Some(cut) = found.cut {
        reply.note(format!("{cut}: these are the results of the playouts up to then"));
    }
    session.keep_weighed(weighed);
    Ok(())
}

fn nothing_yet(seating: &Seating) -> String {
    let thinks = match seating.thinks() {
        true => "; agents who think take long; `:odds random` lets `random` play for you",
        false => "",
    };
    format!("not every option has a playout yet, so there is nothing to show{thinks}")
}

/// How the odds were found.
fn header(found: &Prospects) -> String {
    match found.nodes.map(|nodes| render::many(nodes, "node")) {
        Some(nodes) if found.cut_off() > 0.0 => {
            format!("odds with dice cut off after each option, {nodes}")
        }
        Some(nodes) => format!("exact odds after each option, {nodes}"),
        None => {
            let playouts = render::many(found.n, "playout");
            format!(
                "estimated from {playouts} of each option, seed {} (95 % intervals)",
                found.seed
            )
        }
    }
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
    Effort { threads, nodes: sampling.explores(seating), n, seed, time: None }
}

fn table(asked: &Asked, found: &Prospects, width: usize, plain: bool) -> String {
    let all = || found.options.iter().map(|one| &one.chances);
    let mut shares: BTreeMap<&String, f64> = BTreeMap::new();
    for (name, share) in all().flat_map(|chances| &chances.results) {
        *shares.entry(name).or_default() += share.middle();
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
    let fractions = utilities.all(|number| number.exact().is_some_and(is_short));
    let mut values = found.options.iter().filter_map(|one| one.value.as_ref());
    let short =
        values.all(|utility| matches!(utility, SolutionNumber::Exact(exact) if is_short(exact)));
    let row = |Prospect { option, chances, weight, value }: &Prospect| {
        let share = |name: &&String| chances.results.get(*name).map(share).unwrap_or_default();
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
    let rows: Vec<Vec<String>> = found.options.iter().map(row).collect();
    let mut text = render::parts(&header, &rows, width, plain);
    if rarer > 0 {
        text.push_str(&format!("\nand {rarer} more results, each less likely than these"));
    }
    text
}

/// A probability in a narrow column: in percent alone, where it is exact.
fn share(number: &Number) -> String {
    match number.exact() {
        Some(_) => render::share_percent(number.middle()),
        None => number.as_share(),
    }
}

/// Whether a fraction has room in a narrow column.
fn is_short(fraction: &Fraction) -> bool {
    fraction.to_string().len() <= SHORT
}

/// A utility in a narrow column: its fraction only where all of the column are `short`.
fn worth(number: &Number, short: bool) -> String {
    match number.exact() {
        Some(_) if !short => render::tidy(number.middle()),
        _ => number.as_utility(),
    }
}

/// How often a solution picks an option, in a narrow column.
fn picked(weight: &SolutionNumber) -> String {
    render::share_percent(weight.about())
}

/// What an option is worth under a solution, in a narrow column.
fn valued(utility: &SolutionNumber, short: bool) -> String {
    match utility {
        SolutionNumber::Exact(_) if !short => render::tidy(utility.about()),
        _ => utility.as_utility(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Named, OddsArgs};
    use crate::repl::commands::{PromptCommand, parse};

    fn read(line: &str) -> Result<OddsArgs, String> {
        match parse(&format!("odds {line}")) {
            Ok(PromptCommand::Odds(odds)) => Ok(odds),
            Ok(other) => Err(format!("{other:?}")),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn playouts_and_a_time_limit_may_be_named_in_any_order() {
        let number = |odds: &OddsArgs| match odds.agent {
            Some(Named::Count(count)) => Some(count),
            _ => odds.playouts.n,
        };
        let read = |line: &str| read(line).map(|odds| (number(&odds), odds.limit.time));
        let time = Some(Duration::from_secs(5));
        assert_eq!(read(""), Ok((None, None)));
        for line in ["20 --time 5", "--time 5 20", "--time=5 20", "20 --time=5", "-n 20 --time 5"] {
            assert_eq!(read(line), Ok((Some(20), time)), "{line}");
        }
        let missing = "a value is required for '--time <S>' but none was supplied";
        assert_eq!(read("--time").unwrap_err(), missing);
        for wrong in ["--time x", "--time -1", "20 30", "0", "-n 0", "20 --tim 5"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_agent_may_be_named_with_the_playouts() {
        let odds = read("greedy -n 20").unwrap();
        let agent = Some(Named::Agent("greedy".to_owned()));
        assert_eq!((odds.agent, odds.playouts.n), (agent, Some(20)));
    }
}
