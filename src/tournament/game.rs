//! One game of a tournament (its lineup, seed, result and forfeits), and the trait that plays it.

use std::borrow::Cow;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::error::{AgentFault, Error};

/// Who sits where in which scenario. Agents and scenarios are indices into the lists of the spec.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lineup {
    /// The scenario's index.
    pub scenario: usize,
    /// Seat -> the index of the agent in it.
    pub agents: Vec<usize>,
}

impl Lineup {
    /// The different agents, each with the seats it holds, in the order of the seats.
    pub fn seats_of(&self) -> Vec<(usize, Vec<usize>)> {
        let mut held: Vec<(usize, Vec<usize>)> = Vec::with_capacity(self.agents.len());
        for (seat, &agent) in self.agents.iter().enumerate() {
            match held.iter_mut().find(|(other, _)| *other == agent) {
                Some((_, seats)) => seats.push(seat),
                None => held.push((agent, vec![seat])),
            }
        }
        held
    }

    /// All seats of the agent in this one, in order.
    pub(crate) fn held_beside(&self, seat: usize) -> Vec<usize> {
        let agent = self.agents.get(seat);
        (0..self.agents.len()).filter(|&other| self.agents.get(other) == agent).collect()
    }

    /// Each different agent's utility: the mean of its seats'. A seat without one counts 0.
    pub fn utility(&self, by_seat: &[f64]) -> Vec<(usize, f64)> {
        let at = |seat: usize| by_seat.get(seat).copied().unwrap_or_default();
        let agents = || self.agents.iter().enumerate();
        // Nearly always each agent has one seat.
        if !agents().any(|(seat, agent)| self.agents[..seat].contains(agent)) {
            return agents().map(|(seat, &agent)| (agent, at(seat))).collect();
        }
        let mean = |seats: Vec<usize>| {
            seats.iter().map(|&seat| at(seat)).sum::<f64>() / seats.len() as f64
        };
        self.seats_of().into_iter().map(|(agent, seats)| (agent, mean(seats))).collect()
    }
}

/// One game to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Its number in the schedule, from 0. Results are consumed in this order.
    pub number: u64,
    /// Who sits where.
    pub lineup: Lineup,
    /// How often the same agents sat in the same seats of the scenario before, in this tournament.
    pub nth: u64,
    /// The seed of chance: `fracas play --seed` plays the game again. It depends on the spec's seed, the scenario, who
    /// sits where, and [`Game::nth`] alone, so that a game stays the same game in a longer or larger tournament.
    pub seed: u64,
}

const FORFEIT: &str = "forfeit";

/// How a game ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameResult {
    /// The outcome in a word, as the rules have it.
    pub result: String,
    /// The utility of each seat.
    pub utility: Vec<f64>,
    /// How many questions were answered, of players and of chance; 0 where nobody counted them.
    pub questions: u64,
    /// Who forfeited, if anybody did.
    pub forfeit: Option<Forfeit>,
    /// Why it ended before its own end, if it did.
    pub adjudicated: Option<Adjudicated>,
}

impl GameResult {
    /// The forfeit of an agent that is out of the tournament, with what it costs each seat.
    pub(crate) fn out_of(agent: &str, seat: usize, why: &str, utility: Vec<f64>) -> GameResult {
        GameResult::forfeited(seat, &Error::agent(agent, AgentFault::Out, why), utility)
    }

    /// The forfeit of an agent that errs, with what it costs each seat.
    pub(super) fn forfeited(seat: usize, error: &Error, utility: Vec<f64>) -> GameResult {
        let at = error.location().map(|at| format!(" ({at})")).unwrap_or_default();
        let fault = if let Error::Agent { fault, .. } = error { *fault } else { AgentFault::Own };
        let forfeit = Some(Forfeit { seat, message: format!("{error}{at}"), fault, history: None });
        GameResult { result: FORFEIT.to_owned(), utility, forfeit, ..GameResult::default() }
    }

    /// What decides who did better, by seat: the utilities; after a forfeit -1 for each seat of the agent that erred and
    /// 0 for the others, who are level.
    pub(crate) fn standing(&self, lineup: &Lineup) -> Cow<'_, [f64]> {
        let Some(erred) = self.forfeiter(lineup) else { return Cow::Borrowed(&self.utility) };
        lineup.agents.iter().map(|&agent| if agent == erred { -1.0 } else { 0.0 }).collect()
    }

    /// The agent that forfeited it, if one did.
    pub(crate) fn forfeiter(&self, lineup: &Lineup) -> Option<usize> {
        lineup.agents.get(self.forfeit.as_ref()?.seat).copied()
    }

    /// The seat of an agent that was out of the tournament already, if one forfeited the game so.
    pub(crate) fn out(&self) -> Option<usize> {
        let forfeit = self.forfeit.as_ref()?;
        (forfeit.fault == AgentFault::Out).then_some(forfeit.seat)
    }
}

/// Why a game ended before its own end: see [`Adjudication`](super::Adjudication).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Adjudicated {
    /// It had as many questions as the spec allows.
    Questions,
    /// What a seat could expect was beyond the bound of the spec.
    Expectation,
}

impl Adjudicated {
    pub(super) fn word(self) -> &'static str {
        match self {
            Adjudicated::Questions => "questions",
            Adjudicated::Expectation => "expectation",
        }
    }

    pub(super) fn of(word: &str) -> Option<Adjudicated> {
        [Adjudicated::Questions, Adjudicated::Expectation].into_iter().find(|it| it.word() == word)
    }
}

/// An agent that erred: it loses the game, and the tournament continues.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forfeit {
    /// The seat of the agent that erred.
    pub seat: usize,
    /// What it did, with file and line.
    pub message: String,
    /// What kind of mistake it was.
    #[serde(default = "AgentFault::own", skip_serializing_if = "AgentFault::is_own")]
    pub fault: AgentFault,
    /// The path of the saved history, or the command that plays the game again, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<String>,
}

/// A lineup whose odds are known without sampling.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExactOdds {
    /// All ends; the probabilities sum to 1.
    pub ends: Vec<ExactEnd>,
}

/// One end of an exact lineup.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExactEnd {
    /// How likely it is.
    pub probability: f64,
    /// The outcome in a word.
    pub result: String,
    /// The utility of each seat.
    pub utility: Vec<f64>,
}

/// Plays games, one after another. It never leaves its thread.
pub trait Referee {
    /// Plays a game to its end. The same game always ends the same way.
    ///
    /// An agent that errs is no error: it forfeits, and the result says so.
    ///
    /// # Errors
    /// What ends the whole tournament: rules that fail; [`Error::Interrupted`] keeps what there is.
    fn play(&self, game: &Game) -> Result<GameResult, Error>;

    /// All ends of a lineup with their probabilities, where they can be had without sampling.
    fn exact(&self, _lineup: &Lineup) -> Result<Option<ExactOdds>, Error> {
        Ok(None)
    }
}

/// Where referees come from: each thread calls for its own.
pub trait RefereeFactory: Sync {
    /// A new referee, for the thread that calls.
    fn referee(&self) -> Result<Box<dyn Referee + '_>, Error>;

    /// What may be spent on the exact ends of a lineup, by a measure of the factory's own: what was found within a
    /// bound is not looked for again within a larger one, nor what was not found within a smaller one.
    fn bound(&self, _lineup: &Lineup) -> u64 {
        0
    }

    /// Hears that the agent in a seat forfeited a game that was played before, by a mistake of this kind.
    fn forfeited(&self, _game: &Game, _forfeit: &Forfeit) {}

    /// The forfeit of an agent that is out of the tournament, and why; nothing where no agent ever is.
    fn out(&self, _lineup: &Lineup, _seat: usize, _why: &str) -> Result<Option<GameResult>, Error> {
        Ok(None)
    }

    /// The command that plays the games of a lineup again, but for `--seed` and the game's seed.
    fn command(&self, _lineup: &Lineup) -> Option<String> {
        None
    }
}

/// What a tournament is held under, beside its spec: what must be the same for results to belong together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conditions {
    /// The version of fracas, with the digest of what decides answers.
    pub version: String,
    /// The digest of each script and scenario, by the name of its file.
    pub scripts: IndexMap<String, String>,
    /// Scenario -> the digest of its rules, parameters, house rules and setup.
    pub scenarios: Vec<String>,
    /// Scenario -> agent -> the digest of what the agent consists of there.
    pub agents: Vec<Vec<String>>,
    /// Scenario -> the names of its seats, in order; at least two each.
    pub seats: Vec<Vec<String>>,
    /// Scenario -> its title, empty where it has none. Results of earlier versions have none of them.
    pub titles: Vec<String>,
    /// Agent -> what it says that it is called, with its version, where it is a program that does.
    pub programs: IndexMap<String, String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_in_several_seats_has_their_mean_utility() {
        let lineup = Lineup { scenario: 0, agents: vec![1, 0, 1] };
        assert_eq!(lineup.seats_of(), [(1, vec![0, 2]), (0, vec![1])]);
        assert_eq!(lineup.utility(&[3.0, -1.0, 0.0]), [(1, 1.5), (0, -1.0)]);
        assert_eq!(lineup.utility(&[3.0]), [(1, 1.5), (0, 0.0)]);
    }
}
