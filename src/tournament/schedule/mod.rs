//! The schedule: a format's rounds of matches as games in one fixed order.

mod format;
mod knockout;
mod round_robin;
mod swiss;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use hashbrown::HashMap;

use super::tally::points;
use super::{ExactOdds, FormatName, Game, GameResult, Lineup, Spec, Tally};
use crate::error::Error;
pub use format::MatchRecord;
use format::{Format, Match, Score};
use round_robin::RoundRobin;

/// How many different lineups of a match are tried to be had exactly.
const MOST_EXACT: usize = 200;

/// The games of a tournament, in order. The same spec and the same results give the same games.
pub(crate) struct Schedule {
    format: Box<dyn Format>,
    seats: Vec<usize>,
    spec: Spec,
    /// The first seed of each lineup, and how many of its games were handed out.
    lineups: HashMap<Lineup, (u64, u64)>,
    round: Vec<Match>,
    scores: Vec<Score>,
    /// Whether a match is exact, and so needs no games.
    exact: Vec<bool>,
    /// The next game: a block of turns, a match, a turn within the block.
    at: (u64, usize, u64),
    /// The blocks of this round: as many as its longest match has.
    blocks: u64,
    /// The match of each game that was handed out and has not ended.
    under_way: VecDeque<usize>,
    handed: u64,
    over: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Next {
    Game(Game),
    /// The next round waits for games that were handed out.
    Wait,
    Over,
}

/// Finds the matches of a round that are known without sampling: for each match, given by its
/// different lineups, their exact ends; nothing where one of them has to be sampled.
pub(crate) type AskExact<'a> =
    dyn FnMut(&[Vec<Lineup>]) -> Result<Vec<Option<Vec<ExactOdds>>>, Error> + 'a;

impl Schedule {
    pub(crate) fn new(spec: &Spec, seats: &[usize]) -> Schedule {
        let agents = spec.agents.len();
        let pairs = format::PairGames { scenarios: seats.len(), games: spec.games };
        let format: Box<dyn Format> = match spec.format {
            FormatName::RoundRobin => Box::new(RoundRobin::new(agents, seats, spec.games)),
            FormatName::Gauntlet => Box::new(RoundRobin::gauntlet(agents, seats, spec.games)),
            FormatName::EveryLineup => Box::new(RoundRobin::of_all(agents, seats, spec.games)),
            FormatName::Swiss => Box::new(swiss::Swiss::new(agents, spec.swiss_rounds(), pairs)),
            FormatName::Knockout => Box::new(knockout::Knockout::new(agents, pairs)),
        };
        Schedule {
            format,
            seats: seats.to_vec(),
            spec: spec.clone(),
            lineups: HashMap::new(),
            round: Vec::new(),
            scores: Vec::new(),
            exact: Vec::new(),
            at: (0, 0, 0),
            blocks: 0,
            under_way: VecDeque::new(),
            handed: 0,
            over: false,
        }
    }

    /// The next game. Exact matches need none: they are counted in the tally as they come up.
    pub(crate) fn next(
        &mut self,
        tally: &mut Tally,
        exact: &mut AskExact<'_>,
    ) -> Result<Next, Error> {
        loop {
            if let Some((index, turn)) = self.take() {
                let lineup = self.lineup(index, turn);
                let number = self.handed;
                self.handed += 1;
                self.under_way.push_back(index);
                let (first, nth) = match self.lineups.get_mut(&lineup) {
                    Some(known) => known,
                    None => {
                        let first = self.spec.first_seed(&lineup);
                        self.lineups.entry(lineup.clone()).or_insert((first, 0))
                    }
                };
                let game = Game { number, lineup, nth: *nth, seed: *first + *nth };
                *nth += 1;
                return Ok(Next::Game(game));
            }
            if self.over {
                return Ok(Next::Over);
            }
            if !self.under_way.is_empty() {
                return Ok(Next::Wait);
            }
            self.begin_round(tally, exact)?;
        }
    }

    /// Takes the result of a game, in the order in which they were handed out.
    pub(crate) fn consume(&mut self, game: &Game, result: &GameResult) {
        let Some(index) = self.under_way.pop_front() else { return };
        let points = points(&game.lineup, &result.standing(&game.lineup));
        self.round[index].add(&mut self.scores[index], &points, 1.0);
    }

    /// Takes back the game that was handed out last: another shard plays it.
    pub(crate) fn pass_over(&mut self) {
        self.under_way.pop_back();
    }

    pub(crate) fn total(&self) -> Option<u64> {
        self.format.total()
    }

    pub(crate) fn notes(&self, agents: &[String]) -> Vec<String> {
        self.format.notes(agents)
    }

    pub(crate) fn matches(&self) -> Vec<(usize, MatchRecord)> {
        self.format.matches()
    }

    fn lineup(&self, index: usize, turn: u64) -> Lineup {
        let Match { scenario, ref agents, .. } = self.round[index];
        let seats = self.seats.get(scenario).copied().unwrap_or(2);
        Lineup { scenario, agents: format::seated(agents, seats, turn) }
    }

    /// Moves on by one game: its match, and the turn of it. All matches play a block of turns,
    /// in which each agent has each seat once, before any plays the next.
    fn take(&mut self) -> Option<(usize, u64)> {
        let (mut block, mut index, mut within) = self.at;
        while block < self.blocks {
            let Some(current) = self.round.get(index) else {
                (block, index, within) = (block + 1, 0, 0);
                continue;
            };
            let length = current.agents.len() as u64;
            let turn = block * length + within;
            if self.exact[index] || within == length || turn >= current.games {
                (index, within) = (index + 1, 0);
                continue;
            }
            self.at = (block, index, within + 1);
            return Some((index, current.from + turn));
        }
        self.at = (block, index, within);
        None
    }

    fn begin_round(&mut self, tally: &mut Tally, exact: &mut AskExact<'_>) -> Result<(), Error> {
        self.round = self.format.round(&self.scores);
        self.over = self.round.is_empty();
        self.scores = self.round.iter().map(|of| vec![0.0; of.agents.len()]).collect();
        self.exact = vec![false; self.round.len()];
        self.at = (0, 0, 0);
        if self.spec.computes() && !self.over {
            self.count_exact(tally, exact)?;
        }
        let played = self.round.iter().zip(&self.exact).filter(|(_, exact)| !**exact);
        let blocks = played.map(|(of, _)| of.games.div_ceil(of.agents.len().max(1) as u64));
        self.blocks = blocks.max().unwrap_or_default();
        Ok(())
    }

    fn count_exact(&mut self, tally: &mut Tally, exact: &mut AskExact<'_>) -> Result<(), Error> {
        let matches: Vec<BTreeMap<Lineup, f64>> =
            (0..self.round.len()).map(|index| self.different(index)).collect();
        let asked: Vec<Vec<Lineup>> =
            matches.iter().map(|lineups| lineups.keys().cloned().collect()).collect();
        let found = exact(&asked)?;
        // Agents that have to play in one scenario play in all, so that their results compare.
        let unknown = |known: &Option<Vec<ExactOdds>>| known.as_ref().is_none_or(Vec::is_empty);
        let sampled = self.round.iter().zip(&found).filter(|(_, known)| unknown(known));
        let sampled: BTreeSet<Vec<usize>> = sampled.map(|(of, _)| of.agents.clone()).collect();
        for (index, known) in found.into_iter().enumerate() {
            let played = sampled.contains(&self.round[index].agents);
            let Some(known) = known.filter(|_| !played) else { continue };
            self.exact[index] = true;
            for ((lineup, games), exact) in matches[index].iter().zip(&known) {
                tally.add_exact(lineup, exact, *games);
                for end in &exact.ends {
                    let weight = end.probability * games;
                    let points = points(lineup, &end.utility);
                    self.round[index].add(&mut self.scores[index], &points, weight);
                }
            }
        }
        Ok(())
    }

    /// The different lineups of a match, with how many of its games each stands for; none where there are too many to
    /// compute them. What is computed is no sample of some seats: where all lineups can be had, each weighs as much,
    /// also where the games end within a cycle.
    fn different(&self, index: usize) -> BTreeMap<Lineup, f64> {
        let current = &self.round[index];
        let seats = self.seats.get(current.scenario).copied().unwrap_or(2);
        let cycle = format::cycle(current.agents.len(), seats);
        let turns = if cycle <= MOST_EXACT as u64 { cycle } else { current.games.min(cycle) };
        let mut different = BTreeMap::new();
        for turn in 0..turns {
            *different.entry(self.lineup(index, current.from + turn)).or_default() +=
                current.games as f64 / turns as f64;
            if different.len() > MOST_EXACT {
                return BTreeMap::new();
            }
        }
        different
    }
}
