//! Knockout and double knockout: winners meet until one is left; the order of the spec is the seeding.

use std::collections::BTreeSet;

use super::super::Tally;
use super::format::{Format, Match, PairGames, Score, leader};

/// A bracket in which the first two of the spec can only meet in the final. Where the number of
/// agents is no power of two the first ones of the spec need not play the first round.
pub(super) struct Knockout {
    rounds: DuelRounds,
    /// Who is left, in the order of the bracket; nobody in the places of byes.
    bracket: Vec<Option<usize>>,
}

impl Knockout {
    /// A bracket of this many agents.
    pub(super) fn new(agents: usize, pairs: PairGames) -> Knockout {
        let size = agents.next_power_of_two();
        let mut order = vec![0];
        while order.len() < size {
            let last = order.len() * 2 - 1;
            order = order.iter().flat_map(|&seed| [seed, last - seed]).collect();
        }
        let bracket = order.into_iter().map(|seed| (seed < agents).then_some(seed)).collect();
        Knockout { rounds: DuelRounds::new(pairs), bracket }
    }
}

impl Format for Knockout {
    fn round(&mut self, last: &[Score], _: &Tally) -> Vec<Match> {
        let Knockout { rounds, bracket } = self;
        rounds.round(last, |decided| {
            if let Some(decided) = decided {
                let mut winners = decided.iter().map(|decided| decided.winner);
                let next = |pair: &[Option<usize>]| match pair {
                    [Some(_), Some(_)] => winners.next(),
                    [one, other] => one.or(*other),
                    _ => None,
                };
                *bracket = bracket.chunks(2).map(next).collect();
            }
            let meet =
                |pair: &[Option<usize>]| Some((pair.first().copied()??, pair.get(1).copied()??));
            bracket.chunks(2).filter_map(meet).collect()
        })
    }

    fn notes(&self, agents: &[String]) -> Vec<String> {
        let mut notes = self.rounds.level_notes(agents);
        if let [Some(winner)] = self.bracket[..] {
            notes.push(format!("`{}` won the knockout", agents[winner]));
        }
        notes
    }
}

/// Rounds in two brackets. Of an odd number the one with the fewest byes rests, of these the one
/// that comes first in the spec; the final is played again where the unbeaten one loses it.
pub(super) struct DoubleKnockout {
    rounds: DuelRounds,
    brackets: Brackets,
}

/// How often each agent has lost, and how often it rested.
struct Brackets {
    losses: Vec<u8>,
    byes: Vec<u32>,
    met: BTreeSet<(usize, usize)>,
}

impl DoubleKnockout {
    /// Nobody has lost yet.
    pub(super) fn new(agents: usize, pairs: PairGames) -> DoubleKnockout {
        let (losses, byes) = (vec![0; agents], vec![0; agents]);
        let brackets = Brackets { losses, byes, met: BTreeSet::new() };
        DoubleKnockout { rounds: DuelRounds::new(pairs), brackets }
    }
}

impl Brackets {
    fn with(&self, losses: u8) -> Vec<usize> {
        (0..self.losses.len()).filter(|&agent| self.losses[agent] == losses).collect()
    }

    /// Pairs the best with the last, as far as they have not met.
    fn pair(&mut self, mut group: Vec<usize>) -> Vec<(usize, usize)> {
        if group.len() % 2 == 1 {
            let rests =
                group.iter().enumerate().min_by_key(|&(_, &agent)| (self.byes[agent], agent));
            if let Some((place, &agent)) = rests {
                group.remove(place);
                self.byes[agent] += 1;
            }
        }
        let mut pairs = Vec::new();
        while !group.is_empty() {
            let one = group.remove(0);
            let new = |&other: &usize| !self.met.contains(&(one.min(other), one.max(other)));
            let place = group.iter().rposition(new).unwrap_or(group.len().saturating_sub(1));
            if place < group.len() {
                pairs.push((one, group.remove(place)));
            }
        }
        self.met.extend(pairs.iter().map(|&(a, b)| (a.min(b), a.max(b))));
        pairs
    }

    fn next(&mut self) -> Vec<(usize, usize)> {
        let (unbeaten, beaten) = (self.with(0), self.with(1));
        match (&unbeaten[..], &beaten[..]) {
            ([one], [other]) => vec![(*one, *other)],
            // The final was lost by the unbeaten one, so both have lost once.
            ([], [_, _]) | ([_, _, ..], []) | ([_, _, ..], [_]) => {
                let group = if unbeaten.is_empty() { beaten } else { unbeaten };
                self.pair(group)
            }
            ([_] | [], [_, _, ..]) => self.pair(beaten),
            ([_, _, ..], [_, _, ..]) => {
                let mut pairs = self.pair(unbeaten);
                pairs.extend(self.pair(beaten));
                pairs
            }
            _ => Vec::new(),
        }
    }
}

impl Format for DoubleKnockout {
    fn round(&mut self, last: &[Score], _: &Tally) -> Vec<Match> {
        let DoubleKnockout { rounds, brackets } = self;
        rounds.round(last, |decided| {
            decided.unwrap_or_default().iter().for_each(|one| brackets.losses[one.loser] += 1);
            brackets.next()
        })
    }

    fn notes(&self, agents: &[String]) -> Vec<String> {
        let mut notes = self.rounds.level_notes(agents);
        let losses = &self.brackets.losses;
        let mut left = (0..losses.len()).filter(|&agent| losses[agent] < 2);
        if let (Some(winner), None) = (left.next(), left.next()) {
            notes.push(format!("`{}` won the double knockout", agents[winner]));
        }
        notes
    }
}

/// Rounds of duels, one after another.
struct DuelRounds {
    pairs: PairGames,
    duels: Option<Duels>,
    /// The duels that the order of the spec decided.
    level: Vec<DuelResult>,
}

impl DuelRounds {
    fn new(pairs: PairGames) -> DuelRounds {
        DuelRounds { pairs, duels: None, level: Vec::new() }
    }

    /// The matches to be played now: those that were level again, else those of `next`, which takes what
    /// was decided; nothing before the first round.
    fn round(
        &mut self,
        last: &[Score],
        next: impl FnOnce(Option<&[DuelResult]>) -> Vec<(usize, usize)>,
    ) -> Vec<Match> {
        let mut decided = None;
        if let Some(duels) = &mut self.duels {
            let Some(results) = duels.take(last) else { return duels.matches() };
            self.level.extend(results.iter().filter(|result| result.level));
            decided = Some(results);
        }
        let duels = Duels::new(self.pairs, next(decided.as_deref()));
        self.duels.insert(duels).matches()
    }

    /// A note on each duel that was level.
    fn level_notes(&self, agents: &[String]) -> Vec<String> {
        let games = AGAIN + 1;
        let note = |&DuelResult { winner, loser, .. }: &DuelResult| {
            format!(
                "`{}` and `{}` were level after {games} times the games; the first in the spec advanced",
                agents[winner], agents[loser]
            )
        };
        self.level.iter().map(note).collect()
    }
}

/// How often level matches are played again before the agent that is first in the spec advances.
const AGAIN: u64 = 3;

/// The matches of a round that must have winners.
struct Duels {
    pairs: PairGames,
    duels: Vec<(usize, usize)>,
    points: Vec<[f64; 2]>,
    /// The duels of the last matches, by index.
    playing: Vec<usize>,
    times: u64,
}

/// Who won a duel, and who lost it.
#[derive(Clone, Copy)]
struct DuelResult {
    winner: usize,
    loser: usize,
    /// Whether the games left it level, and the order of the spec decided.
    level: bool,
}

impl Duels {
    fn new(pairs: PairGames, duels: Vec<(usize, usize)>) -> Duels {
        let points = vec![[0.0; 2]; duels.len()];
        let playing = (0..duels.len()).collect();
        Duels { pairs, duels, points, playing, times: 0 }
    }

    /// The matches to be played now.
    fn matches(&self) -> Vec<Match> {
        let now: Vec<(usize, usize)> = self.playing.iter().map(|&duel| self.duels[duel]).collect();
        self.pairs.matches(&now, self.times.saturating_mul(self.pairs.games))
    }

    /// Takes the scores of those matches; all winners once there are some.
    fn take(&mut self, scores: &[Score]) -> Option<Vec<DuelResult>> {
        for (points, &duel) in self.pairs.points(scores).iter().zip(&self.playing) {
            self.points[duel][0] += points[0];
            self.points[duel][1] += points[1];
        }
        self.times += 1;
        self.playing.retain(|&duel| leader(self.points[duel]).is_none());
        if !self.playing.is_empty() && self.times <= AGAIN {
            return None;
        }
        let decide = |(&(a, b), points): (&(usize, usize), &[f64; 2])| {
            let (winner, loser) = match leader(*points) {
                Some(0) => (a, b),
                Some(_) => (b, a),
                None => (a.min(b), a.max(b)),
            };
            DuelResult { winner, loser, level: leader(*points).is_none() }
        };
        Some(self.duels.iter().zip(&self.points).map(decide).collect())
    }
}
