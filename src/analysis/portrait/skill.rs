//! Skill: how often an agent that thinks more beats one that thinks less, rung by rung of a ladder.

use std::path::Path;

use super::ended::{Verdict, worths};
use super::portrait_measure::Measure;
use crate::agents::{AgentSpec, ThinkingPlan};
use crate::analysis::{Sampling, Stage};
use crate::conflict::{Conflict, Seat, Seating};
use crate::error::Error;
use crate::game::Generator;
use crate::graph::{WorkerFactory, shared_out};
use crate::number::{Fraction, Quantity};
use crate::report;

#[derive(Clone)]
pub(super) struct Rung {
    pub name: &'static str,
    pub agent: AgentSpec,
    /// How many playouts an answer takes.
    pub cost: f64,
}

/// The lower rungs; a solution is the last, where there is one.
pub(super) fn rungs() -> Vec<Rung> {
    let rung = |name, agent: AgentSpec| Rung { name, cost: agent.playouts() as f64, agent };
    vec![
        rung("random", AgentSpec::Random),
        rung("greedy", AgentSpec::Thinker(ThinkingPlan::Greedy)),
        rung("search:100", AgentSpec::Thinker(ThinkingPlan::Search(100))),
        rung("search:1000", AgentSpec::Thinker(ThinkingPlan::Search(1000))),
    ]
}

/// At most and at least this many pairs of playouts, the agents in both seatings: fewer say nothing.
const PAIRS: (f64, f64) = (100.0, 16.0);

/// How much thinking a ladder may take.
pub(super) struct SkillEffort {
    /// How many questions may be answered for each rung.
    pub questions: f64,
    /// How many questions a playout has, and how many of them are decisions.
    pub length: (f64, f64),
    /// At how many different places of the graph somebody decides, if that is known: an answer is
    /// worked out once for each.
    pub places: Option<f64>,
    pub seed: u64,
    pub threads: usize,
}

/// For each playout asked for, this many questions may be answered by what thinks.
const THOUGHT: f64 = 200.0;
/// Of no more playouts than these.
const MOST: u64 = 1_000_000;

impl SkillEffort {
    /// Of this number of playouts, where a conflict has this number of questions and decisions.
    pub(super) fn of(sampling: Sampling, length: (f64, f64), places: Option<f64>) -> SkillEffort {
        let Sampling { n, seed, threads, .. } = sampling;
        SkillEffort { questions: THOUGHT * n.min(MOST) as f64, length, places, seed, threads }
    }

    /// How many questions are answered for a rung, with those of its thoughts, where each is new.
    pub(super) fn takes(&self, rung: &Rung) -> f64 {
        let (questions, decisions) = self.length;
        self.pairs(rung) as f64 * (2.0 * questions + decisions * self.thought(rung))
    }

    /// How many questions a thought answers: playouts of half the length.
    fn thought(&self, rung: &Rung) -> f64 {
        rung.cost * self.length.0 / 2.0
    }

    fn pairs(&self, rung: &Rung) -> u64 {
        let (questions, decisions) = self.length;
        // One seat of two has the agent, in two playouts.
        let thought = self.thought(rung);
        let (most, least) = PAIRS;
        let whole = self.places.map_or(f64::INFINITY, |places| places * thought);
        let pairs = match whole + most * questions * 2.0 <= self.questions {
            true => most,
            false => (self.questions / (2.0 * questions + decisions * thought).max(1.0)).min(most),
        };
        if pairs < least { 0 } else { pairs as u64 }
    }
}

/// How often each rung beats the one below, where the effort reaches, and how many rungs differ measurably; and why it
/// ends before the last rung.
pub(super) type Climbed = (Vec<Measure>, Option<String>);

/// Lets the agents play each other, rung by rung. Only two seats can climb.
pub(super) fn climb(
    seating: &Seating,
    rungs: &[Rung],
    effort: &SkillEffort,
    progress: &(dyn Fn(Stage) + Sync),
) -> Result<Climbed, Error> {
    let seats = seating.players.seats();
    let (mut measures, mut note, mut apart) = (Vec::new(), None, 1.0);
    let [first, second] = &seats[..] else { return Ok((measures, note)) };
    for pair in rungs.windows(2) {
        let [lower, upper] = pair else { continue };
        let pairs = effort.pairs(if upper.cost > lower.cost { upper } else { lower });
        if pairs == 0 {
            note = Some(format!(
                "`{}` thinks too long here to climb the ladder of skill: a higher `-n` lets it",
                upper.name
            ));
            break;
        }
        progress(Stage::Doing(format!(
            "`{}` plays `{}`, {pairs} times in each seat",
            upper.name, lower.name
        )));
        let scores = match scores(seating, [first, second], [upper, lower], pairs, effort) {
            Err(error) if error.is_limit() => {
                note = Some(format!(
                    "the ladder of skill ends below `{}`: against `{}` it fails ({error})",
                    upper.name, lower.name
                ));
                break;
            }
            scores => scores?,
        };
        let Some(score) = Quantity::mean_of(&scores).map(with_room) else { continue };
        let (low, _) = score.range();
        if low > 0.5 {
            apart += 1.0;
        }
        let name = format!("skill.{}", upper.name);
        measures.push(Measure::new(name, &score).with_values(Some(scores)));
    }
    if !measures.is_empty() {
        // A count of tests is neither proven nor has an interval of its own.
        let rungs = Quantity::sampled(0, apart, (apart, apart));
        measures.push(Measure::new("skill.rungs", &rungs));
    }
    Ok((measures, note))
}

/// How often one agent beats another in each pair of playouts, of both seatings with the same random numbers; a tie
/// counts half.
fn scores(
    seating: &Seating,
    [first, second]: [&Seat; 2],
    [upper, lower]: [&Rung; 2],
    pairs: u64,
    effort: &SkillEffort,
) -> Result<Vec<f64>, Error> {
    let seated = |one: &Rung, other: &Rung| {
        let seat = |seat: &Seat, rung: &Rung| (seat.players.clone(), rung.agent.clone());
        seating.with([seat(first, one), seat(second, other)])
    };
    let both = [seated(upper, lower), seated(lower, upper)];
    let seats = [first.clone(), second.clone()];
    let worker = || {
        let mut runners = [both[0].playout_runner()?, both[1].playout_runner()?];
        let (graph, seats) = (&seating.graph, &seats);
        Ok(move |pair: usize| {
            seating.is_wanted()?;
            let mut won = 0.0;
            for (seat, runner) in runners.iter_mut().enumerate() {
                let ending = runner.play(Generator::playout(effort.seed, pair as u64))?;
                let Some(ending) = graph.ending_of(ending) else { continue };
                let winners = Verdict::of(&worths(ending, seats)).winners;
                won += if winners.is_empty() {
                    0.25
                } else {
                    0.5 * f64::from(u8::from(winners == [seat]))
                };
            }
            Ok(won)
        })
    };
    let worked = shared_out(effort.threads, pairs as usize, worker)?;
    match worked.cut {
        Some(cut) => Err(cut),
        None => Ok(worked.done),
    }
}

/// All that are alike leave room for the next to differ: no interval is narrower than that of one
/// differing pair more.
fn with_room(score: Quantity) -> Quantity {
    let room = 3.0 / score.n().max(1) as f64;
    let score = match score.high - score.low < room || !score.low.is_finite() {
        true => Quantity::sampled(score.n(), score.value, (score.value - room, score.value + room)),
        false => score,
    };
    score.clamped(0.0, 1.0)
}

// What the first seat is worth: the same agents take each other's seats in turn.

/// The agents around the seats.
pub(super) struct Turns<'a> {
    conflict: &'a Conflict,
    seats: Vec<Seat>,
    /// The word of the agent in each seat.
    agents: Vec<String>,
    /// The number of the first seat: the first that the scenario seats.
    pub first: usize,
}

impl<'a> Turns<'a> {
    pub(super) fn of(conflict: &'a Conflict, seating: &Seating) -> Turns<'a> {
        let seats = seating.players.seats();
        let names =
            |seat: &Seat| std::iter::once(&seat.name).chain(&seat.players).cloned().collect();
        let agents = seats.iter().map(|seat| {
            let names: Vec<String> = names(seat);
            let sits = names.iter().filter_map(|name| conflict.seats.get(name)).next_back();
            sits.map_or("random", |agent| conflict.agent_or_default(agent)).to_owned()
        });
        let place = |seat: &Seat| {
            let names: Vec<String> = names(seat);
            // Whom a command seats comes last among the seats of the conflict.
            names.iter().filter_map(|name| conflict.scenario.seats.get_index_of(name)).min()
        };
        let first = (0..seats.len()).min_by_key(|&at| place(&seats[at]).unwrap_or(usize::MAX));
        Turns { conflict, agents: agents.collect(), first: first.unwrap_or_default(), seats }
    }

    /// The other seatings: all agents move on by a seat each time, until each has sat everywhere; none
    /// where the same agent sits in all seats.
    fn others(&self, seating: &Seating) -> Result<Vec<Seating>, Error> {
        if self.agents.windows(2).all(|pair| pair[0] == pair[1]) {
            return Ok(Vec::new());
        }
        let turn = |by: usize| {
            let seat = |at: usize| {
                let agent = &self.agents[(at + by) % self.agents.len()];
                // Whom a file may not name, it did not seat either.
                let (seat, found) =
                    (&self.seats[at], AgentSpec::of_person(agent, &self.conflict.folder)?);
                Ok(((seat.name.clone(), agent.clone()), (seat.players.clone(), found)))
            };
            let all: Result<Vec<_>, Error> = (0..self.seats.len()).map(seat).collect();
            let (words, agents): (Vec<(String, String)>, Vec<_>) = all?.into_iter().unzip();
            Ok(seating.with(agents).in_words(&words))
        };
        (1..self.seats.len()).map(turn).collect()
    }

    /// What the first seat is worth over all seatings, where `mine` is what it is worth as they sit, and `worth` finds
    /// that of another; nothing where it does not, and a sentence where an agent fails in another's seat.
    pub(super) fn first_seat(
        &self,
        seating: &Seating,
        mine: Quantity,
        worth: &dyn Fn(&Seating) -> Result<Option<Quantity>, Error>,
    ) -> Result<SeatWorth, Error> {
        let mut all = vec![mine.clone()];
        for other in &self.others(seating)? {
            match worth(other) {
                Ok(Some(worth)) => all.push(worth),
                Ok(None) => return Ok(Ok(None)),
                Err(error) => return self.left_out(other, error),
            }
        }
        if mine.is_sampled() {
            // Each seating has the same random numbers.
            return Ok(Ok(Quantity::mean_of_correlated(&all)));
        }
        let share = Quantity::exact(Fraction::new(1.into(), all.len().into()));
        Ok(Ok(Some(all[1..].iter().fold(mine, |sum, one| sum.plus(one)).times(&share))))
    }

    /// Why the first seat's worth is left out, and the command that shows it; what was cut is passed on.
    fn left_out(&self, seating: &Seating, error: Error) -> Result<SeatWorth, Error> {
        if error.cut().is_some() {
            return Err(error);
        }
        let mut words = error.again().map_or_else(|| seating.words(), <[String]>::to_vec);
        let rules = Path::new(&self.conflict.folder.path()).parent().map(Path::to_owned);
        let rules = rules.filter(|rules| !self.conflict.folder.is_embedded() && rules != "rules");
        if error.again().is_none() {
            words.extend(["--seed".to_owned(), "1".to_owned()]);
        }
        let command = report::shell_line(&words, rules.as_slice());
        Ok(Err(format!(
            "`fairness.first_seat` is left out: it lets the agents sit in each other's seats, where one \
             fails ({error}); `{command}` shows it"
        )))
    }
}

/// What the first seat is worth, where that is known; a sentence on why it cannot be.
pub(super) type SeatWorth = Result<Option<Quantity>, String>;
