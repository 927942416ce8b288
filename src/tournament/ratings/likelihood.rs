//! The likelihood of results under ratings: its value, its slope, its curvature, and how much each
//! game adds to what is unsure.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::super::{FirstSeat, Meeting, TableGame};
use super::matrix::Matrix;
use super::{Evidence, Prior};
use crate::analysis::equilibrium::subsets;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TermSource {
    Played,
    /// Odds that are known: what those games would have brought on average.
    Known,
    Assumed,
}

/// Shares of wins, draws and losses among two equals, where nothing is known of draws.
const EQUALS: [f64; 3] = [0.25, 0.5, 0.25];

/// More ways than these to share a place are not distinguished: see [`Problem::stage`].
const MOST_TIES: usize = 1_000;

/// A way to end.
struct StageResult {
    /// The parameters that its log odds are made of, each with its factor; within a term by their place in
    /// [`Term::parameters`].
    odds: Vec<(usize, f64)>,
    count: f64,
    /// Its share among equals, where nothing is known of draws.
    equals: f64,
}

/// One term of the likelihood: the same stage of games between the same agents in one scenario,
/// seated alike. The odds of its outcomes are log-linear in the parameters.
struct Term {
    source: TermSource,
    parameters: Vec<usize>,
    outcomes: Vec<StageResult>,
}

/// An agent, and the seats that it held.
pub(super) type Sat = (usize, Vec<usize>);

/// What is to be maximized. The parameters are the agents' strengths, then what each scenario's seats are worth beside
/// its last one, then the `ln ν` of each way to draw; all in natural units.
pub(super) struct Problem {
    agents: usize,
    /// The scenarios with results, in order.
    pub(super) scenarios: Vec<usize>,
    /// Of each of them the parameters of its seats but the last.
    worths: Vec<Range<usize>>,
    /// The ways to draw that were met: a scenario, with 0 for games of two agents, else with how
    /// many shared a place that was not the last.
    ties: Vec<(usize, usize)>,
    terms: Vec<Term>,
    prior: Prior,
}

impl Problem {
    pub(super) fn new(evidence: &Evidence<'_>, agents: usize, prior: Prior) -> Problem {
        let Evidence { played, known, .. } = evidence;
        let pairs = || played.keys().chain(known.keys());
        let games = || evidence.tables().map(|(game, ..)| game);
        let mut seats = super::seats(games());
        // Where no table is known, two sit opposite each other.
        seats.values_mut().for_each(|seats| *seats = 2.max(*seats));
        pairs().for_each(|meeting| _ = seats.entry(meeting.scenario).or_insert(2));
        let mut ties: BTreeSet<(usize, usize)> =
            pairs().map(|meeting| (meeting.scenario, 0)).collect();
        for game in games() {
            let shared = game.stages().into_iter().map(|(_, best)| best.len());
            ties.extend(shared.filter(|&shared| shared > 1).map(|shared| (game.scenario, shared)));
        }
        let mut next = agents;
        let worths = seats.values().map(|seats| {
            let own = next..next + seats - 1;
            next = own.end;
            own
        });
        let worths = worths.collect();
        let mut problem = Problem {
            agents,
            scenarios: seats.into_keys().collect(),
            worths,
            ties: ties.into_iter().collect(),
            terms: Vec::new(),
            prior,
        };
        for (source, cells) in [(TermSource::Played, played), (TermSource::Known, known)] {
            for (meeting, cell) in cells {
                let counts = [cell.wins, cell.draws, cell.losses];
                let term = problem.meeting(source, meeting, counts);
                problem.terms.push(term);
            }
        }
        for (source, is_played) in [(TermSource::Played, true), (TermSource::Known, false)] {
            let tables = evidence.tables().filter(|(.., played)| *played == is_played);
            problem.add_stages(source, tables.map(|(game, games, _)| (game, games)));
        }
        let met = played.keys().map(|meeting| meeting.scenario);
        let met: BTreeSet<usize> =
            met.chain(evidence.tables.keys().map(|game| game.scenario)).collect();
        let assumed: Vec<Term> =
            met.into_iter().map(|scenario| problem.assumed(scenario)).collect();
        problem.terms.extend(assumed);
        problem
    }

    fn meeting(&self, source: TermSource, meeting: &Meeting, counts: [f64; 3]) -> Term {
        let Meeting { scenario, a, b, first } = *meeting;
        let sat = |agent: usize, holds: FirstSeat| -> Sat {
            (agent, if first == holds { vec![0] } else { Vec::new() })
        };
        let (a, b) = (sat(a, FirstSeat::A), sat(b, FirstSeat::B));
        let ways: [&[&Sat]; 3] = [&[&a], &[&a, &b], &[&b]];
        let outcomes = ways.into_iter().zip(counts).zip(EQUALS).map(|((best, count), equals)| {
            let ties = (best.len() > 1).then_some(0);
            StageResult { odds: self.odds(scenario, best, ties), count, equals }
        });
        Term::new(source, outcomes.collect())
    }

    /// The stages of games of three agents or more, equal ones together.
    fn add_stages<'a>(
        &mut self,
        source: TermSource,
        tables: impl Iterator<Item = (&'a TableGame, f64)>,
    ) {
        type Stage = (usize, Vec<Sat>);
        let mut stages: BTreeMap<Stage, BTreeMap<Vec<usize>, f64>> = BTreeMap::new();
        for (game, games) in tables {
            let all = game.stages();
            // A crash is one lost game, however many sit at the table.
            let games = if game.forfeiter.is_some() { games / all.len() as f64 } else { games };
            for (left, best) in all {
                let sat = left.into_iter().map(|agent| (agent, game.seats_of(agent)));
                let stage = stages.entry((game.scenario, sat.collect())).or_default();
                *stage.entry(best).or_default() += games;
            }
        }
        let terms = stages
            .into_iter()
            .map(|((scenario, left), counts)| self.stage(source, scenario, &left, &counts));
        let terms: Vec<Term> = terms.collect();
        self.terms.extend(terms);
    }

    /// Who of those that are left has the best place, alone or with others. That all share it says
    /// nothing of them, so it is no outcome. Where there are too many ways to share a place, those
    /// that shared one are taken for a part of a best one each.
    fn stage(
        &self,
        source: TermSource,
        scenario: usize,
        left: &[Sat],
        counts: &BTreeMap<Vec<usize>, f64>,
    ) -> Term {
        let mut ways: Vec<Vec<&Sat>> = left.iter().map(|one| vec![one]).collect();
        for &(_, shared) in self.ties.iter().filter(|(of, shared)| *of == scenario && *shared > 1) {
            if shared < left.len() && ways.len() <= MOST_TIES {
                let shared = subsets(left.len(), shared).take(MOST_TIES);
                ways.extend(shared.map(|way| way.into_iter().map(|at| &left[at]).collect()));
            }
        }
        if ways.len() > MOST_TIES {
            ways.truncate(left.len());
        }
        let among = 1.0 / left.len() as f64;
        let mut outcomes: Vec<_> = ways
            .iter()
            .map(|best| {
                let (ties, equals) = match best.len() {
                    1 => (None, among),
                    shared => (Some(shared), 0.0),
                };
                let agents: Vec<usize> = best.iter().map(|(agent, _)| *agent).collect();
                let count = counts.get(&agents).copied().unwrap_or_default();
                StageResult { odds: self.odds(scenario, best, ties), count, equals }
            })
            .collect();
        if ways.len() == left.len() {
            for (best, games) in counts.iter().filter(|(best, _)| best.len() > 1) {
                let own = left.iter().zip(&mut outcomes);
                let own = own.filter(|((agent, _), _)| best.contains(agent));
                own.for_each(|(_, own)| own.count += games / best.len() as f64);
            }
        }
        Term::new(source, outcomes)
    }

    /// A game between equals in a scenario, for what is fitted beside strengths: each seat has it as often.
    fn assumed(&self, scenario: usize) -> Term {
        let worths = self.worths_of(scenario);
        let outcome = |odds: Vec<(usize, f64)>, share: f64| StageResult {
            odds,
            count: share * self.prior.equals,
            equals: 0.0,
        };
        let [one, both, other] = EQUALS;
        let each = (one + other) / (worths.len() + 1) as f64;
        let seats = worths.clone().map(|worth| outcome(vec![(worth, 1.0)], each));
        let mut outcomes: Vec<StageResult> = seats.collect();
        outcomes.push(outcome(Vec::new(), each));
        if let Some(ties) = self.ties_at(scenario, 0) {
            outcomes.push(outcome(vec![(worths.start, 0.5), (ties, 1.0)], both));
        }
        Term::new(TermSource::Assumed, outcomes)
    }

    /// What the log odds that these have the best place are made of: the mean of their strengths, each with what its
    /// seats are worth on average, and the `ln ν` of a draw.
    fn odds(&self, scenario: usize, best: &[&Sat], ties: Option<usize>) -> Vec<(usize, f64)> {
        let share = 1.0 / best.len() as f64;
        let mut odds: Vec<(usize, f64)> = best.iter().map(|(agent, _)| (*agent, share)).collect();
        let worths = self.worths_of(scenario);
        for (_, seats) in best {
            let worth = seats.iter().map(|seat| worths.start + seat).filter(|at| *at < worths.end);
            odds.extend(worth.map(|at| (at, share / seats.len() as f64)));
        }
        odds.extend(ties.and_then(|ties| self.ties_at(scenario, ties)).map(|ties| (ties, 1.0)));
        odds
    }

    pub(super) fn parameters(&self) -> usize {
        self.ties_from() + self.ties.len()
    }

    /// The parameters of what the seats of a scenario but its last one are worth.
    pub(super) fn worths_of(&self, scenario: usize) -> Range<usize> {
        let index = self.scenarios.binary_search(&scenario);
        index.map_or(0..0, |index| self.worths[index].clone())
    }

    fn ties_from(&self) -> usize {
        self.worths.last().map_or(self.agents, |last| last.end)
    }

    /// The parameter `ln ν` of a scenario for games of two agents, where there were any (0), or for
    /// this many that shared a place.
    pub(super) fn ties_at(&self, scenario: usize, ties: usize) -> Option<usize> {
        let place = self.ties.binary_search(&(scenario, ties)).ok()?;
        Some(self.ties_from() + place)
    }

    /// The results that are added to those of each term, so that no estimate leans away from the
    /// truth or flees to infinity: see [`super`].
    pub(super) fn added(&self, logs: &[Vec<f64>], covariance: &Matrix) -> Vec<Vec<f64>> {
        let terms = self.terms.iter().zip(logs);
        terms.map(|(term, logs)| term.added(logs, covariance, self.prior)).collect()
    }

    /// The logarithms of the chances of all outcomes at some parameters, from which all else there is computed.
    pub(super) fn log_chances(&self, at: &[f64]) -> LogChances {
        self.terms.iter().map(|term| term.log_chances(at)).collect()
    }

    pub(super) fn value(&self, logs: &[Vec<f64>], added: &[Vec<f64>]) -> f64 {
        let terms = self.terms.iter().zip(logs).zip(added);
        terms.map(|((term, logs), added)| term.value(logs, added)).sum()
    }

    /// Its slope; with `only`, that of the added results alone.
    pub(super) fn slope(&self, logs: &[Vec<f64>], added: &[Vec<f64>], only: bool) -> Vec<f64> {
        let mut slope = vec![0.0; self.parameters()];
        for ((term, logs), added) in self.terms.iter().zip(logs).zip(added) {
            let count = |outcome: &StageResult, added: &f64| match only {
                true => *added,
                false => outcome.count + added,
            };
            let counts = || term.outcomes.iter().zip(added).map(|(of, added)| count(of, added));
            let games: f64 = counts().sum();
            for ((outcome, count), chance) in term.outcomes.iter().zip(counts()).zip(chances(logs))
            {
                for &(place, by) in &outcome.odds {
                    slope[term.parameters[place]] += by * (count - games * chance);
                }
            }
        }
        slope
    }

    /// The curvature with the sign turned, of terms from some sources.
    pub(super) fn curvature(
        &self,
        logs: &[Vec<f64>],
        added: Option<&[Vec<f64>]>,
        of: impl Fn(TermSource) -> bool,
    ) -> Matrix {
        let mut curvature = Matrix::zero(self.parameters());
        for (index, term) in self.terms.iter().enumerate().filter(|(_, term)| of(term.source)) {
            let more: f64 = added.map_or(0.0, |added| added[index].iter().sum());
            let games = term.games() + more;
            let chances = chances(&logs[index]);
            let mean = term.mean(&chances);
            for (outcome, chance) in term.outcomes.iter().zip(&chances) {
                for &(i, by) in &outcome.odds {
                    for &(j, along) in &outcome.odds {
                        let (i, j) = (term.parameters[i], term.parameters[j]);
                        curvature.add(i, j, games * chance * by * along);
                    }
                }
            }
            for (&i, by) in term.parameters.iter().zip(&mean) {
                for (&j, along) in term.parameters.iter().zip(&mean) {
                    curvature.add(i, j, -games * by * along);
                }
            }
        }
        curvature
    }

    /// How likely the first of two wins, draws and loses a game of a meeting.
    pub(super) fn chances(&self, at: &[f64], meeting: &Meeting) -> [f64; 3] {
        let chances = self.meeting(TermSource::Assumed, meeting, [0.0; 3]).chances(at);
        [chances[0], chances[1], chances[2]]
    }

    /// By how much the points that the first of two is expected to have of a game change with each
    /// parameter of their meeting.
    pub(super) fn slope_of_points(&self, at: &[f64], meeting: &Meeting) -> Vec<(usize, f64)> {
        let term = self.meeting(TermSource::Assumed, meeting, [0.0; 3]);
        let chances = term.chances(at);
        let mean = term.mean(&chances);
        let points = chances[0] + chances[1] / 2.0;
        // As odds are exponentials, it is the covariance of the points with what they are made of.
        let mut slope: Vec<(usize, f64)> = term
            .parameters
            .iter()
            .zip(mean)
            .map(|(&place, mean)| (place, -points * mean))
            .collect();
        for ((outcome, chance), of) in term.outcomes.iter().zip(chances).zip([1.0, 0.5, 0.0]) {
            outcome.odds.iter().for_each(|&(place, by)| slope[place].1 += of * chance * by);
        }
        slope
    }

    /// How likely one of two in these seats that did not share a place did better, where this many shared the better one,
    /// and by how much that changes with each parameter.
    pub(super) fn ahead(
        &self,
        at: &[f64],
        scenario: usize,
        [one, other]: [&Sat; 2],
        shared: usize,
    ) -> (f64, Vec<(usize, f64)>) {
        let turned = self.odds(scenario, &[other], None).into_iter().map(|(at, by)| (at, -by));
        let odds = self.odds(scenario, &[one], None).into_iter().chain(turned);
        let odds: Vec<(usize, f64)> = odds.map(|(at, by)| (at, by / shared as f64)).collect();
        let sum: f64 = odds.iter().map(|&(place, by)| by * at[place]).sum();
        let chance = 1.0 / (1.0 + (-sum).exp());
        let slope = odds.into_iter().map(|(place, by)| (place, by * chance * (1.0 - chance)));
        (chance, slope.collect())
    }
}

pub(super) type LogChances = Vec<Vec<f64>>;

fn chances(logs: &[f64]) -> Vec<f64> {
    logs.iter().copied().map(f64::exp).collect()
}

impl Term {
    fn new(source: TermSource, mut outcomes: Vec<StageResult>) -> Term {
        let all = outcomes.iter().flat_map(|one| one.odds.iter().map(|(place, _)| *place));
        let parameters: Vec<usize> = all.collect::<BTreeSet<usize>>().into_iter().collect();
        for (place, _) in outcomes.iter_mut().flat_map(|one| &mut one.odds) {
            *place = parameters.partition_point(|parameter| parameter < place);
        }
        Term { source, outcomes, parameters }
    }

    fn games(&self) -> f64 {
        self.outcomes.iter().map(|outcome| outcome.count).sum()
    }

    fn log_chances(&self, at: &[f64]) -> Vec<f64> {
        let odds = |outcome: &StageResult| {
            outcome.odds.iter().map(|&(place, by)| at[self.parameters[place]] * by).sum()
        };
        let odds: Vec<f64> = self.outcomes.iter().map(odds).collect();
        // Without overflow.
        let largest = odds.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let total = largest + odds.iter().map(|odds| (odds - largest).exp()).sum::<f64>().ln();
        odds.into_iter().map(|odds| odds - total).collect()
    }

    fn chances(&self, at: &[f64]) -> Vec<f64> {
        chances(&self.log_chances(at))
    }

    fn mean(&self, chances: &[f64]) -> Vec<f64> {
        let mut mean = vec![0.0; self.parameters.len()];
        for (outcome, chance) in self.outcomes.iter().zip(chances) {
            outcome.odds.iter().for_each(|&(place, by)| mean[place] += by * chance);
        }
        mean
    }

    fn value(&self, logs: &[f64], added: &[f64]) -> f64 {
        let counts = self.outcomes.iter().zip(added).map(|(outcome, added)| outcome.count + added);
        // What never came adds nothing, however unlikely it is.
        let terms = counts.zip(logs).filter(|(count, _)| *count > 0.0);
        terms.map(|(count, chance)| count * chance).sum()
    }

    fn added(&self, logs: &[f64], covariance: &Matrix, prior: Prior) -> Vec<f64> {
        if self.source == TermSource::Assumed {
            return vec![0.0; self.outcomes.len()];
        }
        let chances = chances(logs);
        let (mean, games) = (self.mean(&chances), self.games());
        let row = |&i: &usize| {
            let along = self.parameters.iter().zip(&mean);
            along.map(|(&j, by)| by * covariance.at(i, j)).sum::<f64>()
        };
        let by_mean: Vec<f64> = self.parameters.iter().map(row).collect();
        let of_mean: f64 = mean.iter().zip(&by_mean).map(|(a, b)| a * b).sum();
        let added = |(outcome, chance): (&StageResult, &f64)| {
            let own = outcome.odds.iter().map(|&(i, by)| {
                let own = outcome.odds.iter().map(|&(j, along)| {
                    along * covariance.at(self.parameters[i], self.parameters[j])
                });
                by * (own.sum::<f64>() - 2.0 * by_mean[i])
            });
            let unsure = own.sum::<f64>() + of_mean;
            let bias = prior.bias * games * chance * unsure.max(0.0) / 2.0;
            match self.source {
                TermSource::Known => bias + prior.known * games * outcome.equals,
                _ => bias,
            }
        };
        self.outcomes.iter().zip(&chances).map(added).collect()
    }
}
