//! The command `hint`: what an agent would answer here, and what it expects of each option.

use std::cmp::Ordering;

use clap::Args;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use serde::Serialize;

use super::odds::{effort, for_people, playouts, seating};
use super::{CommandEntry, Desk, Faces, Runnable, Status};
use crate::agents::HUMAN;
use crate::analysis::{Here, OpenDecision, Prospect, Prospects, Stage};
use crate::conflict::{Play, Seating};
use crate::error::Error;
use crate::game::{Answer, Asked, History, Value, brief, option_name};
use crate::graph::{Bounds, Reach, Worth, explore_from};
use crate::number::Quantity;
use crate::report::{self, Block, Report};

/// Utilities that differ by less are the same but for rounding.
const ROUNDING: f64 = 1e-9;
/// It says what options are worth if there are at most this many.
const OPTIONS: usize = 12;

/// The agent that is asked where none is named.
const ADVISER: &str = "search:500";

/// Say what an agent would answer if it saw what the one who is asked may see; `search:500` if none is named
///
/// It answers nothing. The numbers beside the options are those of `:odds AGENT`, or of `:odds` if no agent is named;
/// `greedy` also prints the numbers by which it decides.
#[derive(Args, Debug)]
pub(crate) struct HintCommand {
    /// The agent
    agent: Option<String>,
}

/// What an agent would answer.
#[derive(Serialize)]
struct Advice<'a> {
    agent: &'a str,
    player: &'a str,
    answers: Vec<AdvisedOption<'a>>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    worth: Option<OptionsWorth<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    odds: Option<&'a Prospects>,
}

#[derive(Serialize)]
struct AdvisedOption<'a> {
    option: Option<&'a Value>,
    share: f64,
}

/// What the agent goes by.
#[derive(Serialize)]
struct OptionsWorth<'a> {
    exact: bool,
    n: u64,
    options: Vec<OptionWorth<'a>>,
}

#[derive(Serialize)]
struct OptionWorth<'a> {
    option: &'a Value,
    utility: f64,
}

impl Runnable for HintCommand {
    const ENTRY: CommandEntry =
        CommandEntry { faces: Faces::Prompt, page: false, ..CommandEntry::new::<Self>("hint") };

    fn run(&self, desk: &mut Desk<'_>) -> Result<Status, Error> {
        let agent = self.agent.as_deref();
        if agent == Some(HUMAN) {
            return Err(Error::usage("a person is asked already; name an agent"));
        }
        let word = agent.unwrap_or(ADVISER);
        let play = desk.open()?;
        let asked = desk.viewer()?.decision(play)?;
        let plays = agent.or_else(|| for_people(play));
        let seated = seating(play, false, Some(word))?;
        let known = seated.thinks().then(|| seated.known_secrets());
        known.into_iter().flatten().for_each(|known| desk.face.say(&known));
        let (advice, worth) = play.advice(word)?;
        let shares = shares(&advice);
        let answer = answer_text(asked, word, &shares);
        let prospects = prospects(desk, (play, asked), &answer, (agent, plays))?;
        let mut lines = vec![answer];
        lines.push(match &prospects {
            Ok(prospects) => {
                let picked: Vec<usize> = shares.iter().map(|(index, _)| *index).collect();
                let utilities =
                    utilities_text(asked, agent, plays, prospects, playouts(play, agent));
                let differs = better(asked, prospects, &picked)
                    .map(|(best, own)| differs(asked, word, prospects, best, own));
                utilities + differs.as_deref().unwrap_or_default()
            }
            Err(why) => why.clone(),
        });
        lines.extend(worth.as_ref().map(|worth| reason(asked, word, worth)));
        lines.extend(prospects.as_ref().ok().and_then(Prospects::endless_states));
        let answers = shares.iter().map(|(index, share)| AdvisedOption {
            option: asked.options.get(*index),
            share: *share,
        });
        let worth = worth.as_ref().map(|worth @ Worth { values, playouts, .. }| {
            let options = asked.options.iter().zip(values);
            let options =
                options.map(|(option, utility)| OptionWorth { option, utility: *utility });
            let exact = worth.is_exact();
            OptionsWorth { exact, n: *playouts, options: options.collect() }
        });
        let (answers, odds) = (answers.collect(), prospects.as_ref().ok());
        let advice = Advice { agent: word, player: &asked.who, answers, worth, odds };
        desk.face.show(&Report::of(advice, vec![Block::Sentence(lines.join("\n"))]))?;
        Ok(Status::Done)
    }
}

/// The options of an answer, each with its probability; none where all are as likely.
fn shares(answer: &Answer) -> Vec<(usize, f64)> {
    let about = |weight: &BigUint| weight.to_f64().unwrap_or(f64::MAX);
    match answer {
        Answer::Any => Vec::new(),
        Answer::Option(index) => vec![(*index, 1.0)],
        Answer::Weights(weights) => {
            let total: f64 = weights.iter().map(|(_, weight)| about(weight)).sum();
            weights.iter().map(|(index, weight)| (index, about(weight) / total)).collect()
        }
    }
}

fn answer_text(asked: &Asked, word: &str, shares: &[(usize, f64)]) -> String {
    let option = |index: usize| asked.options.get(index).map(named).unwrap_or_default();
    let one = |(index, share): &(usize, f64)| {
        format!("{} with {}", option(*index), report::share_percent(*share))
    };
    match shares {
        [] => format!("`{word}` would take any of them, each as likely"),
        [(index, _)] => format!("`{word}` would answer {}", option(*index)),
        several => {
            let several: Vec<String> = several.iter().map(one).collect();
            format!("`{word}` would answer {}", several.join(", "))
        }
    }
}

/// For agents who think ahead, this many nodes are explored for a hint: each costs a thought.
const NODES_OF_THINKERS: u64 = 300;

/// A conflict of no more nodes than this is small.
const SMALL: u64 = 6_000;

/// More playouts than these of all options together are too many for a hint.
const MOST_PLAYOUTS: u64 = 20_000;

/// This many operations of rules and agents take a few seconds.
const WORK: u64 = 100_000_000;

/// Intervals of fewer playouts than these say nothing.
const FEWEST_PLAYOUTS: u64 = 10;

/// What `:odds` finds, with the agent that was named or the one that plays for people; or in words why not,
/// where that would take long or cannot be found. Who waits for it reads the answer that is known.
fn prospects(
    desk: &mut Desk<'_>,
    (play, asked): (&Play, &Asked),
    answer: &str,
    (named, plays): (Option<&str>, Option<&str>),
) -> Result<Result<Prospects, String>, Error> {
    let seating = seating(play, false, named)?;
    let history = play.history();
    let revealed = desk.revealed || seating.people.is_empty();
    let place = OpenDecision { history: &history, who: &asked.who, name: &asked.name, revealed };
    let threads = desk.threads;
    let thinks = seating.thinks();
    let is_long = || {
        let (by, odds) = (by_whom(plays), odds_command(named));
        format!(
            "what each option is worth {by} takes long to compute; `{odds} --time 20` shows what is known \
             after 20 seconds"
        )
    };
    if thinks && !is_small(&seating, &history, revealed, threads)? {
        return Ok(Err(is_long()));
    }
    let n = playouts(play, named);
    let mut effort = effort(&seating, asked, n, (desk.seed()?, threads));
    effort.n = effort.n.min((MOST_PLAYOUTS / asked.options.len().max(1) as u64).max(1));
    effort.work = WORK;
    if thinks {
        effort.n = 1;
        effort.nodes = effort.nodes.min(NODES_OF_THINKERS);
    }
    let find = |progress: &(dyn Fn(Stage) + Sync)| {
        progress(Stage::Known(answer.to_owned()));
        Prospects::find(&seating, place, effort, progress)
    };
    match desk.work(("nodes", None), find) {
        Ok(found) if found.nodes.is_none() && !found.few && found.n < FEWEST_PLAYOUTS => {
            Ok(Err(is_long()))
        }
        Ok(found) if found.cut.is_none() && (found.exact || !thinks) => Ok(Ok(found)),
        Err(error @ Error::Usage { .. }) => {
            Ok(Err(format!("what each option is worth cannot be computed here: {error}")))
        }
        Err(error) if error.cut().is_none() => Err(error),
        Ok(_) | Err(_) => Ok(Err(is_long())),
    }
}

/// Whether little can follow, whoever plays, so that agents who think can be asked at each node of it. Where
/// something is hidden, all of the conflict is looked at: what follows here may show what it is.
fn is_small(
    seating: &Seating,
    history: &History,
    revealed: bool,
    threads: usize,
) -> Result<bool, Error> {
    let unmanned = seating.unmanned();
    let hides = unmanned.blueprint.rules()?.means_to_hide() && !revealed;
    let from = if hides { vec![0] } else { Here::after(&unmanned, history)?.nodes };
    let bounds = Bounds { threads, nodes: SMALL };
    Ok(explore_from(&unmanned.graph, &unmanned, bounds, &from, &|_| ())? == Reach::Whole)
}

/// Why an agent may answer otherwise than the numbers say: the opponents that it expects, and what it draws.
fn expects(word: &str) -> &'static str {
    match word.split(':').next() {
        Some("greedy") => ", because it expects everybody to play at random",
        Some("search") => {
            ", because it expects everybody to choose what is best for themselves, not as the seated agents do, \
             or because its simulations are a sample"
        }
        _ => "",
    }
}

/// Who plays from here on, as the numbers take it.
fn by_whom(plays: Option<&str>) -> String {
    match plays {
        Some(word) => format!("if `{word}` plays for you from here"),
        None => "if the seated agents play from here".to_owned(),
    }
}

/// The line that prints the same numbers.
fn odds_command(named: Option<&str>) -> String {
    named.map_or(":odds".to_owned(), |named| format!(":odds {named}"))
}

/// What the options are worth if this agent plays on, the best first: the numbers of `:odds`.
fn utilities_text(
    asked: &Asked,
    named: Option<&str>,
    plays: Option<&str>,
    found: &Prospects,
    n: u64,
) -> String {
    let utility = |one: &Prospect| one.chances.utility.get(&asked.who).cloned();
    let of_options: Vec<(Option<Quantity>, &Value)> = found
        .options
        .iter()
        .zip(&asked.options)
        .map(|(one, option)| (utility(one), option))
        .collect();
    let listed = listed(
        of_options,
        |number| number.as_ref().map_or(f64::MIN, |number| number.value),
        |number| number.as_ref().map(Quantity::as_utility).unwrap_or_default(),
    );
    let how = match found.nodes.is_some() && !found.exact {
        true => "exact but for dice that are cut off".to_owned(),
        false => certainty(found.n, 0),
    };
    let who = &asked.who;
    let (by, odds) = (by_whom(plays), odds_command(named));
    let odds = match found.nodes.is_none() && !found.few && found.n < n {
        true => format!("of which `{odds}` makes {n}"),
        false => format!("as `{odds}` says"),
    };
    format!("utility of {who} {by}, {how}, {odds}: {listed}")
}

/// The option that is worth most, and the best of those that an agent picks, where that is worth less.
fn better(asked: &Asked, found: &Prospects, picked: &[usize]) -> Option<(usize, usize)> {
    // Neither exact nor estimated are numbers of dice that were cut off.
    if found.nodes.is_some() && !found.exact {
        return None;
    }
    let utility = |index: usize| {
        let chances = &found.options.get(index)?.chances;
        chances.utility.get(&asked.who).map(|number| number.value)
    };
    let greatest = |options: &mut dyn Iterator<Item = usize>| {
        options.max_by(|one, other| {
            utility(*one).partial_cmp(&utility(*other)).unwrap_or(Ordering::Equal)
        })
    };
    let best = greatest(&mut (0..found.options.len()))?;
    let own = greatest(&mut picked.iter().copied())?;
    (utility(best)? > utility(own)? + ROUNDING).then_some((best, own))
}

/// Why an option is worth more than the agent's own. What is only estimated is no reason to doubt an answer.
fn differs(asked: &Asked, word: &str, found: &Prospects, best: usize, own: usize) -> String {
    let (better, why) = (named(&asked.options[best]), expects(word));
    if found.exact {
        return format!(
            "; so against the seated agents, {better} is worth more than its answer{why}"
        );
    }
    let number = found.options[own].chances.utility.get(&asked.who).map(Quantity::as_utility);
    let number = number.unwrap_or_default();
    let because = if why.is_empty() { ":" } else { &format!("{why}; besides,") };
    format!("; {better} is put above its answer ({number}){because} these are estimates")
}

/// What an agent goes by, the best first.
fn reason(asked: &Asked, word: &str, worth: &Worth) -> String {
    let of_options: Vec<(&f64, &Value)> = worth.values.iter().zip(&asked.options).collect();
    let listed = listed(of_options, |utility| **utility, |utility| report::tidy(**utility));
    let (who, how) = (&asked.who, certainty(worth.playouts, worth.drawn));
    format!(
        "`{word}` goes by the utility of {who} if everybody plays at random from here, {how}: {listed}"
    )
}

/// How numbers are known that come from this many playouts, or else from this many draws of places that look alike, or from
/// neither.
fn certainty(playouts: u64, drawn: u64) -> String {
    match (playouts, drawn) {
        (0, 0) => "exact".to_owned(),
        (0, 1) => "of one place that looks alike, drawn at random".to_owned(),
        (0, drawn) => format!("the mean over {drawn} draws of places that look alike"),
        (n, _) => format!("estimated from {} of each", report::many(n, "playout")),
    }
}

/// Options with their numbers, the best first.
fn listed<T>(
    mut options: Vec<(T, &Value)>,
    order: impl Fn(&T) -> f64,
    text: impl Fn(&T) -> String,
) -> String {
    options.sort_by(|(one, _), (other, _)| order(other).total_cmp(&order(one)));
    let one = |(number, option): &(T, &Value)| format!("{} ({})", named(option), text(number));
    report::some_of(options.iter().map(one), OPTIONS, ", ")
}

fn named(option: &Value) -> String {
    brief(&option_name(option))
}
