//! Swiss tournament: agents with similar scores that have not met yet meet each other. The upper half of a score group
//! meets its lower half, as in the Dutch system (FIDE Handbook C.04.3), without its rules for colours.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::format::{Format, Match, MatchRecord, PairGames, Score, leader};
use crate::report::{SOME, some_of, ticked};

/// Rounds by the points of matches. Of an odd number the last one that has not had a bye rests.
pub(super) struct Swiss {
    pairs: PairGames,
    rounds: u64,
    round: u64,
    records: Vec<MatchRecord>,
    met: BTreeSet<(usize, usize)>,
    byes: Vec<Option<u64>>,
    last: Vec<(usize, usize)>,
    repeats: usize,
}

impl Swiss {
    pub(super) fn new(agents: usize, rounds: u64, pairs: PairGames) -> Swiss {
        Swiss {
            pairs,
            rounds,
            round: 0,
            records: vec![MatchRecord::default(); agents],
            met: BTreeSet::new(),
            byes: vec![None; agents],
            last: Vec::new(),
            repeats: 0,
        }
    }

    /// All agents, the best first: by the points of matches, by the share of those of games, in the order of the
    /// spec.
    fn ranked(&self) -> Vec<usize> {
        let mut ranked: Vec<usize> = (0..self.records.len()).collect();
        ranked.sort_by(|&a, &b| {
            let [a_record, b_record] = [a, b].map(|agent| self.records[agent]);
            let score = Reverse(a_record.halves()).cmp(&Reverse(b_record.halves()));
            score.then(b_record.share().total_cmp(&a_record.share())).then(a.cmp(&b))
        });
        ranked
    }

    /// Who leads, alone or with others; and by what the first of those is before the second.
    fn lead(&self, agents: &[String]) -> Option<String> {
        let ranked = self.ranked();
        let (&first, others) = ranked.split_first()?;
        let best = self.records[first];
        let level = |agent: &&usize| self.records[**agent].halves() == best.halves();
        let shared: Vec<usize> = others.iter().take_while(level).copied().collect();
        let score = format!("{} of {} matches", best.points(), self.round);
        let Some(&second) = shared.first() else {
            return Some(format!("`{}` leads with {score}", agents[first]));
        };
        let leaders = ticked([first].iter().chain(&shared).map(|&agent| &agents[agent]));
        let [own, next] = [first, second].map(|agent| self.records[agent]);
        let by = match leader([own.share(), next.share()]) {
            None => "the order of the spec, level in the share of the points of games".to_owned(),
            Some(_) => format!(
                "the share of the points of games, {} to the {} of `{}`",
                own.game_points(),
                next.game_points(),
                agents[second]
            ),
        };
        Some(format!(
            "{} share the lead with {score}; `{}` is first by {by}",
            some_of(leaders, SOME, ", "),
            agents[first]
        ))
    }
}

impl Format for Swiss {
    fn round(&mut self, last: &[Score]) -> Vec<Match> {
        for (&pair, points) in self.last.iter().zip(self.pairs.points(last)) {
            MatchRecord::count(&mut self.records, pair, points);
        }
        self.last.clear();
        if self.round == self.rounds {
            return Vec::new();
        }
        self.round += 1;
        let mut ranked = self.ranked();
        if ranked.len() % 2 == 1 {
            let new = |&agent: &usize| self.byes[agent].is_none();
            let place = ranked.iter().rposition(new).unwrap_or(ranked.len() - 1);
            let agent = ranked.remove(place);
            self.byes[agent] = Some(self.round);
            self.records[agent].byes += 1;
        }
        let scores: Vec<u64> = self.records.iter().map(MatchRecord::halves).collect();
        let (pairs, repeats) = pair(&ranked, &scores, &self.met);
        self.repeats += repeats;
        self.met.extend(pairs.iter().map(|&(a, b)| (a.min(b), a.max(b))));
        self.last = pairs;
        self.pairs.matches(&self.last, 0)
    }

    fn notes(&self, agents: &[String]) -> Vec<String> {
        let byes = self
            .byes
            .iter()
            .zip(agents)
            .filter_map(|(bye, agent)| bye.map(|round| format!("`{agent}` in round {round}")));
        let byes: Vec<String> = byes.collect();
        let mut notes = Vec::new();
        if !byes.is_empty() {
            notes.push(format!("had a bye: {}", some_of(byes, SOME, ", ")));
        }
        if self.repeats > 0 {
            notes
                .push(format!("{} pairings had to be repeated: no others were left", self.repeats));
        }
        if self.last.is_empty() && self.round > 0 {
            notes.extend(self.lead(agents));
        }
        notes
    }

    fn matches(&self) -> Vec<(usize, MatchRecord)> {
        self.ranked().into_iter().map(|agent| (agent, self.records[agent])).collect()
    }
}

/// How many pairings are tried before one more repeat is allowed.
const TRIES: usize = 20_000;

/// Pairs all agents, the best first in `ranked`, an even number; how many pairs have met before.
///
/// From the top each is paired with the one half a score group below, else with the nearest below
/// that, else with those between, else with a floater from the next group. A pairing that leaves
/// others with nobody new is taken back. Repeats are allowed only where there is no other way.
pub(super) fn pair(
    ranked: &[usize],
    scores: &[u64],
    met: &BTreeSet<(usize, usize)>,
) -> (Vec<(usize, usize)>, usize) {
    for repeats in 0..=ranked.len() / 2 {
        let mut search = PairingSearch { scores, met, tries: TRIES, pairs: Vec::new() };
        if search.pair(ranked, repeats) {
            return (search.pairs, repeats);
        }
    }
    // With as many repeats as pairs the first try succeeds, so this is not reached.
    (Vec::new(), 0)
}

struct PairingSearch<'a> {
    scores: &'a [u64],
    met: &'a BTreeSet<(usize, usize)>,
    tries: usize,
    pairs: Vec<(usize, usize)>,
}

impl PairingSearch<'_> {
    fn pair(&mut self, left: &[usize], repeats: usize) -> bool {
        let Some((&first, others)) = left.split_first() else { return true };
        for place in self.preferred(first, others) {
            if self.tries == 0 {
                return false;
            }
            let other = others[place];
            let again = usize::from(self.met.contains(&(first.min(other), first.max(other))));
            if again > repeats {
                continue;
            }
            self.tries -= 1;
            let mut rest = others.to_vec();
            rest.remove(place);
            self.pairs.push((first, other));
            if self.pair(&rest, repeats - again) {
                return true;
            }
            self.pairs.pop();
        }
        false
    }

    /// The places of those who may be paired with the first one, the best choice first.
    fn preferred(&self, first: usize, others: &[usize]) -> Vec<usize> {
        let same = |&&other: &&usize| self.scores[other] == self.scores[first];
        let group = others.iter().take_while(same).count();
        let half = group.div_ceil(2).saturating_sub(1);
        let upper = (0..half).rev();
        (half..group).chain(upper).chain(group..others.len()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_upper_half_meets_the_lower_half() {
        let all: Vec<usize> = (0..8).collect();
        let (pairs, repeats) = pair(&all, &[0; 8], &BTreeSet::new());
        assert_eq!((pairs, repeats), (vec![(0, 4), (1, 5), (2, 6), (3, 7)], 0));
        // Two groups of three: the last of each has nobody, and they meet.
        let (pairs, _) = pair(&[0, 1, 2, 3, 4, 5], &[2, 2, 2, 0, 0, 0], &BTreeSet::new());
        assert_eq!(pairs, [(0, 1), (2, 3), (4, 5)]);
    }

    #[test]
    fn who_has_met_does_not_meet_again_while_there_are_others() {
        let met = BTreeSet::from([(0, 2), (1, 3)]);
        let (pairs, repeats) = pair(&[0, 1, 2, 3], &[0; 4], &met);
        assert_eq!((pairs, repeats), (vec![(0, 3), (1, 2)], 0));
        // Of six that met across two halves, each half is a triangle, and one pair must repeat.
        let met = (0..3).flat_map(|a| (3..6).map(move |b| (a, b))).collect();
        let (pairs, repeats) = pair(&[0, 1, 2, 3, 4, 5], &[0; 6], &met);
        assert_eq!((pairs.len(), repeats), (3, 1));
    }

    /// What is said and who has which matches after two rounds of four, where `c` and `d` end the second with these points.
    fn after(c_and_d: [f64; 2]) -> (Vec<String>, Vec<(usize, MatchRecord)>) {
        let agents = ["a", "b", "c", "d"].map(str::to_owned);
        let mut swiss = Swiss::new(4, 2, PairGames { scenarios: 1, games: 4 });
        let pairs = |round: Vec<Match>| -> Vec<Vec<usize>> {
            round.into_iter().map(|one| one.agents).collect()
        };
        assert_eq!(pairs(swiss.round(&[])), [[0, 2], [1, 3]]);
        assert_eq!(pairs(swiss.round(&[vec![3.0, 1.0], vec![2.0, 2.0]])), [[0, 1], [3, 2]]);
        let [c, d] = c_and_d;
        assert!(swiss.round(&[vec![1.0, 3.0], vec![d, c]]).is_empty());
        (swiss.notes(&agents), swiss.matches())
    }

    #[test]
    fn a_shared_lead_names_all_who_share_it_and_what_puts_one_first() {
        let (notes, matches) = after([0.0, 4.0]);
        assert_eq!(
            notes,
            ["`d`, `b` share the lead with 1.5 of 2 matches; `d` is first by the share of the \
                 points of games, 6 of 8 to the 5 of 8 of `b`"]
        );
        let expected = MatchRecord {
            wins: 1,
            draws: 1,
            game_points: 6.0,
            played_for: 8.0,
            ..MatchRecord::default()
        };
        assert_eq!(matches[0], (3, expected));
        let order: Vec<usize> = matches.iter().map(|(agent, _)| *agent).collect();
        assert_eq!(order, [3, 1, 0, 2]);
        assert_eq!(
            matches[2].1,
            MatchRecord {
                wins: 1,
                losses: 1,
                game_points: 4.0,
                played_for: 8.0,
                ..MatchRecord::default()
            }
        );
        let (notes, _) = after([1.0, 3.0]);
        assert!(
            notes[0].ends_with(
                "`b` is first by the order of the spec, level in the share of the points of games"
            ),
            "{notes:?}"
        );
        let (notes, _) = after([4.0, 0.0]);
        assert_eq!(notes, ["`b` leads with 1.5 of 2 matches"]);
    }

    #[test]
    fn a_bye_counts_as_a_match_won() {
        let mut swiss = Swiss::new(3, 1, PairGames { scenarios: 1, games: 2 });
        swiss.round(&[]);
        swiss.round(&[vec![2.0, 0.0]]);
        let points: Vec<(usize, f64, u64)> = swiss
            .matches()
            .into_iter()
            .map(|(agent, one)| (agent, one.points(), one.byes))
            .collect();
        assert_eq!(points, [(0, 1.0, 0), (2, 1.0, 1), (1, 0.0, 0)]);
    }

    #[test]
    fn who_had_a_bye_is_measured_by_the_points_that_it_played_for() {
        let agents = ["a", "b", "c", "d", "e"].map(str::to_owned);
        let mut swiss = Swiss::new(5, 2, PairGames { scenarios: 1, games: 3 });
        let pairs = |round: Vec<Match>| -> Vec<Vec<usize>> {
            round.into_iter().map(|one| one.agents).collect()
        };
        // `e` rests, then `c`, the last of the others.
        assert_eq!(pairs(swiss.round(&[])), [[0, 2], [1, 3]]);
        assert_eq!(pairs(swiss.round(&[vec![2.0, 1.0], vec![1.5, 1.5]])), [[0, 1], [4, 3]]);
        assert!(swiss.round(&[vec![2.0, 1.0], vec![3.0, 0.0]]).is_empty());
        let lead = "`e`, `a` share the lead with 2 of 2 matches; `e` is first by the share of the points of games, \
                    3 of 3 to the 4 of 6 of `a`";
        assert_eq!(swiss.notes(&agents)[1], lead);
        let order: Vec<(usize, String)> =
            swiss.matches().iter().map(|(agent, one)| (*agent, one.game_points())).collect();
        let expected =
            [(4, "3 of 3"), (0, "4 of 6"), (2, "1 of 3"), (1, "2.5 of 6"), (3, "1.5 of 6")];
        assert_eq!(order, expected.map(|(agent, points)| (agent, points.to_owned())));
    }

    #[test]
    fn all_met_is_repeated_without_searching_for_ever() {
        let met = (0..40).flat_map(|a| (a + 1..40).map(move |b| (a, b))).collect();
        let all: Vec<usize> = (0..40).collect();
        assert_eq!(pair(&all, &[0; 40], &met).1, 20);
    }
}
