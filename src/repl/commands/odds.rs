//! The command `:odds`: what comes of each option of the open decision.

mod table;

use clap::Args;

use self::table::table;
use super::open_position;
use crate::analysis::{Chances, Effort, Enough, OpenDecision, Prospects, Sampling, cut_off_block};
use crate::commands::{FloatArgument, PageArgument, PlayoutsArgument, TimeArgument};
use crate::conflict::Seating;
use crate::error::Error;
use crate::game::Asked;
use crate::repl::session::seats::{for_people, playouts, seating, seats_in_words};
use crate::repl::session::weighed_options::Weighed;
use crate::repl::{Reply, Session};
use crate::report::{self, Block, Report};

/// `:odds`.
#[derive(Args, Debug)]
#[command(mut_args(|argument| match argument.get_id() == "n" {
    true => argument.help("How many playouts of each option, where odds are not exact [default: 1000; 200 where the default agent plays for people]"),
    false => argument,
}))]
pub struct OddsArgs {
    /// The agent who plays on for you and other people; if none is named, the default agent of the rules
    #[arg(value_parser = agent_or_count)]
    agent: Option<Named>,
    #[command(flatten)]
    playouts: PlayoutsArgument,
    #[command(flatten)]
    limit: TimeArgument,
    #[command(flatten)]
    float: FloatArgument,
    #[command(flatten)]
    pub(super) page: PageArgument,
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

pub(super) fn odds(session: &mut Session, odds: &OddsArgs, reply: &mut Reply) -> Result<(), Error> {
    let (agent, number) = match &odds.agent {
        Some(Named::Agent(agent)) => (Some(agent.as_str()), None),
        Some(Named::Count(count)) => (None, Some(*count)),
        None => (None, None),
    };
    if number.is_some() && odds.playouts.n.is_some() {
        return Err(Error::usage("the number of playouts is named twice"));
    }
    if agent.is_none() && open_position::is_before_chance(session)? {
        return open_position::odds_before_chance(
            session,
            (odds.float.float, odds.limit.time),
            reply,
        );
    }
    session.decision()?;
    let known = session.known_here(reply);
    let play = session.open()?;
    let asked = session.decision()?;
    let n = odds.playouts.n.or(number).unwrap_or_else(|| playouts(play, agent));
    let word = agent.or_else(|| for_people(play));
    let seating = seating(play, odds.whole, agent)?;
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
    effort.float = odds.float.float;
    let audience = session.lab.audience();
    let found = Prospects::find(&seating, place, effort, &*audience.begins("nodes", None));
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
        let another = if agent.is_none() { "; `:odds AGENT` seats another" } else { "" };
        reply.note(report::wrapped(&format!("{seats}{another}"), session.options.width));
    }
    let header = header(&found);
    let numbers = Block::Group(vec![Block::Title(header), table(asked, &found), bound(&found)]);
    session.show(reply, &Report::of(&found, vec![numbers, cut_off_block(found.cut_off())]));
    match (&known, line) {
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
