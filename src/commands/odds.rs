//! The commands `odds`: the exact odds of a conflict, at a decision of the prompt those of each option; and `estimate`:
//! odds from playouts.

use std::collections::BTreeMap;

use clap::Args;
use indexmap::IndexSet;

use super::here::how_drawn;
use super::{
    CommandEntry, Desk, FloatArgument, PlayoutsArgument, Runnable, SamplingArguments, Status,
    TimeArgument, Weighed,
};
use crate::agents::HUMAN;
use crate::analysis::{
    Chances, Effort, Enough, Estimated, Odds, OpenDecision, PLAYOUTS, Prospect, Prospects,
    Sampling, Seeking, cut_off_block, exploring,
};
use crate::conflict::{Play, Seating, seats_in_words};
use crate::error::{Cut, Error};
use crate::game::{Asked, option_name};
use crate::number::{Fraction, Quantity};
use crate::report::{self, Block, Report, Table};

/// Find the exact odds, or say why they are out of reach; at a decision of the prompt, those of each option
///
/// Where chance is next, they are those from there.
/// They are exact where all that may follow can be explored, else estimated from playouts; Ctrl-C, or the time
/// limit, stops early and prints those made so far. `:odds 20` is `:odds -n 20`. The agent plays for you and
/// other people from here. If none is named it is the `default_agent` of the rules' `params.toml`; where they name
/// none, `greedy`, or `random` if something is hidden. What is hidden from the one who is asked stays hidden: exact odds
/// weigh all places that look alike by how the seated agents come there; each playout begins at one of them that was found by
/// drawing at random all that the player did not answer. Where `:solve` found a solution, `weight` is how often it picks the option, and `value` what the
/// option is worth if all else is played as it says.
#[derive(Args, Debug)]
#[command(mut_args(|argument| match argument.get_id() == "n" {
    true => argument.help("How many playouts of each option, where odds are not exact [default: 1000; 200 where the default agent plays for people]"),
    false => argument,
}))]
pub(crate) struct OddsCommand {
    /// The agent who plays on for you and other people; if none is named, the default agent of the rules
    #[arg(value_parser = agent_or_count)]
    agent: Option<Named>,
    #[command(flatten)]
    playouts: PlayoutsArgument,
    #[command(flatten)]
    limit: TimeArgument,
    #[command(flatten)]
    float: FloatArgument,
    /// Of a campaign, take all of it, not only the conflict that is on
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

impl Runnable for OddsCommand {
    const ENTRY: CommandEntry =
        CommandEntry { of_open: &["agent", "n"], place: true, ..CommandEntry::new::<Self>("odds") };

    fn run(&self, desk: &mut Desk<'_>) -> Result<Status, Error> {
        if let Some(play) = desk.play {
            let (agent, n) = self.named()?;
            if agent.is_some() || play.decision().is_some() || play.outcome().is_some() {
                return self.weigh(desk, play, (agent, n));
            }
        }
        let conflict = desk.conflict()?;
        // After answers it is no longer sure to be in the first one.
        let begins = conflict.scenario.begin.is_empty();
        let is_campaign = conflict.scenario.campaign.is_some();
        let first = desk.play.is_none() && is_campaign && begins && !self.whole;
        let seating = match first {
            true => Seating::new(&conflict.until(1)?, desk.memory())?,
            false => desk.seats()?,
        };
        if first {
            desk.face.say(
                "these are the odds of the first conflict; `--whole` and `fracas estimate` take the whole campaign",
            );
        }
        desk.people(&seating);
        let from = if desk.play.is_some() { desk.node_here(&seating)? } else { 0 };
        let seeking = Seeking { float: self.float.float, threads: desk.threads, nodes: u64::MAX };
        let seating = seating.under(seating.budget().begin(self.limit.time));
        let odds = desk.work(("nodes", None), |progress| {
            Odds::find_from(from, &seating, seeking, &exploring(&seating, progress))
        })?;
        desk.face.show(&odds.report())?;
        if desk.play.is_some() && odds.found.is_err() {
            desk.face.say("`:estimate --here` estimates them from playouts");
        }
        Ok(match (&odds.found, odds.cut) {
            (Ok(_), _) => Status::Done,
            (_, Some(Cut::Interrupted)) => Status::Interrupted,
            _ => Status::Failed,
        })
    }
}

impl OddsCommand {
    /// The agent who plays on for people, and how many playouts each option has, as far as they are named.
    fn named(&self) -> Result<(Option<&str>, Option<u64>), Error> {
        match (&self.agent, self.playouts.n) {
            (Some(Named::Count(_)), Some(_)) => {
                Err(Error::usage("the number of playouts is named twice"))
            }
            (Some(Named::Count(count)), None) => Ok((None, Some(*count))),
            (Some(Named::Agent(agent)), n) => Ok((Some(agent), n)),
            (None, n) => Ok((None, n)),
        }
    }

    /// Shows what comes of each option of the open decision, and leaves it in short for the tree.
    fn weigh(
        &self,
        desk: &mut Desk<'_>,
        play: &Play,
        (agent, n): (Option<&str>, Option<u64>),
    ) -> Result<Status, Error> {
        let asked = desk.viewer()?.decision(play)?;
        let mut known = desk.known;
        if known.take_if(|known| known.is_of_other_rules(play)).is_some() {
            desk.face
                .say("the rules have changed since they were solved; `:solve` solves them again");
        }
        let known = known.filter(|known| known.scenario == play.conflict.scenario.name);
        let n = n.unwrap_or_else(|| playouts(play, agent));
        let word = agent.or_else(|| for_people(play));
        let seating = seating(play, self.whole, agent)?;
        let history = play.history();
        let place = OpenDecision {
            history: &history,
            who: &asked.who,
            name: &asked.name,
            // Where no person plays, nobody is there from whom something is hidden.
            revealed: desk.revealed || seating.people.is_empty(),
        };
        let mut effort = effort(&seating, asked, n, (desk.seed()?, desk.threads));
        effort.time = self.limit.time;
        effort.float = self.float.float;
        let found = desk
            .work(("nodes", None), |progress| Prospects::find(&seating, place, effort, progress));
        if found.as_ref().is_err_and(|error| error.cut().is_some()) {
            desk.face.say(&nothing_yet(&seating));
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
        desk.weighed = Some(Weighed::of(asked, history.clone(), by, &found));
        if play.conflict.scenario.campaign.is_some() && !self.whole {
            desk.face.say(
                "of the current conflict; `:odds --whole` and `:solve` take the whole campaign",
            );
        }
        if let Some(word) = word {
            let seat = agent.and(play.seat_of(&asked.who)).map(|(seat, _)| seat);
            let seats = &play.conflict.seats;
            let people = seats.values().filter(|agent| *agent == HUMAN).count();
            let person = if people == 1 { "you" } else { "a person" };
            let seats = seats_in_words(seats, ("plays", person), |name, agent| {
                if agent == HUMAN || seat == Some(name) { word } else { agent }
            });
            desk.face.page().into_iter().for_each(|page| page.is_played(&seats));
            let another = if agent.is_none() { "; `:odds AGENT` seats another" } else { "" };
            desk.face.say(&format!("{seats}{another}"));
        }
        let title = Block::Title(header(&found));
        let numbers = Block::Group(vec![title, table(asked, &found), bound(&found)]);
        desk.face.show(&Report::of(&found, vec![numbers, cut_off_block(found.cut_off())]))?;
        match (known, line) {
            (Some(known), Some(_)) => desk.face.say(&known.source()),
            (Some(_), None) => desk.face.say("the solution says nothing about this place"),
            (None, _) => {}
        }
        found.endless_states().iter().for_each(|why| desk.face.say(why));
        if found.hidden {
            // What is fixed is the same in all places: nothing is weighed.
            let known = seating.known_secrets();
            known.iter().for_each(|known| desk.face.say(known));
            if known.is_empty() || found.worlds > 1 {
                desk.face.say(&how_hidden(&asked.who, &found));
            }
        }
        if let Some(cut) = found.cut {
            desk.face.say(&format!("{cut}: these are the results of the playouts up to then"));
        }
        Ok(Status::Done)
    }
}

/// Playouts of each option, where nothing else was said; and where an agent plays for people whom nobody
/// named: scripts that weigh their moves take ten times as long as chance.
const OF_NAMED: u64 = 1_000;
const OF_DEFAULT: u64 = 200;

/// How many playouts of each option are made where nobody says how many, with an agent who was named or not.
pub(super) fn playouts(play: &Play, named: Option<&str>) -> u64 {
    match (named, for_people(play)) {
        (None, Some(word)) if word != "random" => OF_DEFAULT,
        _ => OF_NAMED,
    }
}

/// The agent that plays for people; nothing where no person plays.
pub(super) fn for_people(play: &Play) -> Option<&str> {
    (!play.people().is_empty()).then_some(play.conflict.default_agent.word.as_str())
}

/// The seats of the open conflict, where an agent is named with it in those of people and in that of the player
/// who is asked.
pub(super) fn seating(play: &Play, whole: bool, named: Option<&str>) -> Result<Seating, Error> {
    let seated = if whole { play.seating()? } else { play.seating_of_conflict()? };
    match named {
        Some(named) => play.seating_with(named, &seated),
        None => Ok(seated),
    }
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
fn how_hidden(who: &str, found: &Prospects) -> String {
    match found.worlds {
        0 => "what is hidden is weighed by how the seated agents play".to_owned(),
        worlds => how_drawn(who, worlds, found.n, (found.drawn, found.few)),
    }
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
    let (nodes, work) = (sampling.explores(seating), u64::MAX);
    Effort { float: false, threads, nodes, n, seed, time: None, work }
}

/// More results, or players, than these have no column each: of results the likeliest have one.
const COLUMNS: usize = 24;
/// A longer fraction is printed as a number only.
const SHORT: usize = 5;

fn table(asked: &Asked, found: &Prospects) -> Block {
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
    let fractions = utilities.all(|number| number.fraction.as_deref().is_some_and(is_short));
    let mut values = found.options.iter().filter_map(|one| one.value.as_ref());
    let short = values.all(|utility| utility.fraction.as_deref().is_some_and(is_short));
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
        row.extend(row_of.flat_map(|(weight, value)| {
            [report::share_percent(weight.value), worth(value, short)]
        }));
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

/// Estimate the odds from playouts, with 95 % intervals
///
/// They are those of the open conflict from its beginning. The rules, parameters and agents are the current ones;
/// for people the agent of `:odds` plays. With `--here` it is estimated from the current place: where something is
/// hidden from the one who is asked, from places that look alike to that player, found by drawing at random all that
/// the player did not answer. `:odds` shows what each option leads to.
#[derive(Args, Debug)]
pub(crate) struct EstimateCommand {
    #[command(flatten)]
    sampling: SamplingArguments,
}

impl Runnable for EstimateCommand {
    const ENTRY: CommandEntry = CommandEntry {
        seed: Some(super::SEED),
        here: Some(
            "Begin at the current place; what is hidden from the one who is asked stays hidden",
        ),
        ..CommandEntry::new::<Self>("estimate")
    };

    fn run(&self, desk: &mut Desk<'_>) -> Result<Status, Error> {
        let time = self.sampling.limit.time;
        let sampling = desk.sampling(&self.sampling)?;
        let (seating, here) = match desk.here {
            true => {
                desk.here((sampling.n, sampling.seed), time).map(|(one, here)| (one, Some(here)))?
            }
            false => (desk.seating(time)?, None),
        };
        let from = here.as_ref().map_or(&[][..], |here| &here.nodes);
        let n = here.as_ref().map_or(sampling.n, |here| here.most(sampling.n));
        let sampling = Sampling { n, ..sampling };
        let estimated = desk.work((PLAYOUTS, sampling.known_total()), |progress| {
            let estimated = Estimated::watched(&seating, sampling, from, progress);
            estimated.map_err(|failed| match &here {
                Some(here) => here.blamed(failed.error),
                None => failed.into(),
            })
        })?;
        desk.face.show(&estimated.report())?;
        here.iter().for_each(|here| desk.began_at(here, estimated.n));
        let missed = sampling.enough.within().and_then(|within| estimated.chances.missed(within));
        Ok(desk.ended(estimated.cut, missed))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use clap::{Args, Command, FromArgMatches};

    use super::OddsCommand;

    fn read(line: &str) -> Result<OddsCommand, String> {
        let program = OddsCommand::augment_args(Command::new("").no_binary_name(true));
        let matches = program.try_get_matches_from(line.split_whitespace());
        let odds = matches.and_then(|matches| OddsCommand::from_arg_matches(&matches));
        let odds = odds.map_err(|error| error.to_string())?;
        odds.named().map_err(|error| error.to_string())?;
        Ok(odds)
    }

    #[test]
    fn playouts_and_a_time_limit_may_be_named_in_any_order() {
        let read = |line: &str| read(line).map(|odds| (odds.named().unwrap().1, odds.limit.time));
        let time = Some(Duration::from_secs(5));
        assert_eq!(read(""), Ok((None, None)));
        for line in ["20 --time 5", "--time 5 20", "--time=5 20", "20 --time=5", "-n 20 --time 5"] {
            assert_eq!(read(line), Ok((Some(20), time)), "{line}");
        }
        let wrong =
            ["--time", "--time x", "--time -1", "20 30", "20 -n 30", "0", "-n 0", "20 --tim 5"];
        for wrong in wrong {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_agent_may_be_named_with_the_playouts() {
        let odds = read("greedy -n 20").unwrap();
        assert_eq!(odds.named().unwrap(), (Some("greedy"), Some(20)));
    }
}
