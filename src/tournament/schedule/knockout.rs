//! Knockout: each round pairs the winners of the last; the order of the spec is the seeding.

use super::super::Tally;
use super::duels::{Decided, Duels, level_note};
use super::format::{Format, Match, Score};
use super::pairs::Pairs;

/// A bracket in which the first two of the spec can only meet in the final. Where the number of
/// agents is no power of two the first ones of the spec need not play the first round.
pub(super) struct Knockout {
    pairs: Pairs,
    /// Who is left, in the order of the bracket; nobody in the places of byes.
    bracket: Vec<Option<usize>>,
    duels: Option<Duels>,
    level: Vec<Decided>,
}

impl Knockout {
    /// A bracket of so many agents.
    pub(super) fn new(agents: usize, pairs: Pairs) -> Knockout {
        let size = agents.next_power_of_two();
        let mut order = vec![0];
        while order.len() < size {
            let last = order.len() * 2 - 1;
            order = order.iter().flat_map(|&seed| [seed, last - seed]).collect();
        }
        let bracket = order.into_iter().map(|seed| (seed < agents).then_some(seed)).collect();
        Knockout { pairs, bracket, duels: None, level: Vec::new() }
    }
}

impl Format for Knockout {
    fn round(&mut self, last: &[Score], _: &Tally) -> Vec<Match> {
        if let Some(duels) = &mut self.duels {
            let Some(decided) = duels.take(last) else { return duels.matches() };
            let mut winners = decided.iter().map(|decided| decided.winner);
            let next = |pair: &[Option<usize>]| match pair {
                [Some(_), Some(_)] => winners.next(),
                [one, other] => one.or(*other),
                _ => None,
            };
            self.bracket = self.bracket.chunks(2).map(next).collect();
            self.level.extend(decided.iter().filter(|decided| decided.level));
        }
        let meet = |pair: &[Option<usize>]| Some((pair.first().copied()??, pair.get(1).copied()??));
        let duels = Duels::new(self.pairs, self.bracket.chunks(2).filter_map(meet).collect());
        let matches = duels.matches();
        self.duels = Some(duels);
        matches
    }

    fn notes(&self, agents: &[String]) -> Vec<String> {
        let mut notes: Vec<String> =
            self.level.iter().map(|decided| level_note(agents, decided)).collect();
        if let [Some(winner)] = self.bracket[..] {
            notes.push(format!("`{}` won the knockout", agents[winner]));
        }
        notes
    }
}
