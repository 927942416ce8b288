//! The meta-game of a league: what its agents are worth as choices, where whoever chooses one knows that others choose,
//! too.
//!
//! A payoff is the score of an agent against another less a half, over all their games in all seats and scenarios. Of
//! the matrix of all payoffs this holds the most even equilibrium (Nash averaging), alpha-rank, replicator dynamics,
//! the part that one number for each agent explains, and the agents that others make redundant. Scores are observed, so
//! all of it is computed again from scores that the games may as well be from.

mod methods;
mod seats;

use serde::Serialize;

use self::methods::PairStrata;
use self::seats::SeatWorths;
use super::{Crosstable, PairRecord, TournamentState};
use crate::analysis::equilibrium::{PayoffMatrix, most_even, nearly};
use crate::game::Generator;
use crate::number::{Interval, NORMAL_95, Quantity, passed_with};
use crate::report::{
    Block, Figure, Plot, Point, Series, Table, cut, enumerated, grouped, many, percent,
    whole_percent,
};

/// How often payoffs are drawn again.
const RESAMPLES: usize = 200;
/// Of more agents that takes too long, and nothing says how sure it is.
const RESAMPLED: usize = 100;
/// Two agents are alike whose scores against everybody differ by less than this, at 95 %.
const ALIKE: f64 = 0.05;
/// Scores that differ by less do so by rounding.
const EQUAL: f64 = 1e-9;
/// Agents of less weight are not printed, and of more agents those of most weight.
const LIGHT: f64 = 0.005;
const PRINTED: usize = 15;
/// Agents whose shares are drawn; a longer name is cut.
const DRAWN: usize = 7;
const NAME: usize = 32;
/// The looks at the shares that are kept.
const LOOKS: usize = 60;
/// A column of the table: its heading, what it has of the agent at a place, and whether it stays where the table is too
/// wide.
type MetaColumn = (&'static str, fn(usize, &MetaAgent) -> String, bool);
const COLUMNS: [MetaColumn; 8] = [
    ("", |at, _| (at + 1).to_string(), true),
    ("agent", |_, row| row.agent.clone(), true),
    ("Nash", |_, row| rounded(row.nash.value), true),
    ("95 %", |_, row| interval(&row.nash), true),
    ("against it", |_, row| rounded(row.score), false),
    ("alpha-rank", |_, row| rounded(row.alpha_rank.value), true),
    ("95 %", |_, row| interval(&row.alpha_rank), false),
    ("replicator", |_, row| rounded(row.replicator), true),
];
/// More agents, or pairs of them, are counted, not named.
const NAMED: usize = 4;

/// What the agents of a league are worth as choices.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MetaGame {
    /// How often payoffs were drawn again from what games leave unsure; 0 where nothing is unsure, or of more than a
    /// hundred agents.
    resamples: usize,
    /// The games of the pair that played fewest; a pair whose odds are known counts for nothing.
    games: u64,
    /// Whether all payoffs were computed, none sampled.
    exact: bool,
    agents: Vec<MetaAgent>,
    /// The part of the squares of payoffs that a number for each agent explains; the rest is cycles. Nothing where
    /// payoffs are no larger than chance makes them.
    transitive: Option<Quantity>,
    /// The agents of which one is enough.
    alike: Vec<RedundantPair>,
    /// Agents that do no better than another one against anybody, and worse against somebody.
    dominated: Vec<Dominated>,
    /// The shares of agents by generation, from equal shares on.
    replicator: Vec<Generation>,
    /// Whether they still moved in the last generation, so that they are no more than where it was stopped.
    moving: bool,
    /// What they are worth in each seat of each scenario, where every lineup is to be played.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    seats: Vec<SeatWorths>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct MetaAgent {
    agent: String,
    /// Its weight in the most even equilibrium.
    nash: Quantity,
    /// The part of all resamples in whose equilibrium it has a weight.
    in_nash: Option<f64>,
    /// Its score against that equilibrium, from 0 to 1.
    score: f64,
    /// Its share by alpha-rank.
    alpha_rank: Quantity,
    /// Its share at the end of the replicator dynamics.
    replicator: f64,
}

/// Two agents of which one is enough.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct RedundantPair {
    a: String,
    b: String,
    /// Their scores against everybody differ by no more, at 95 %.
    apart: f64,
}

/// An agent that another one makes redundant.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Dominated {
    agent: String,
    by: String,
    /// The part of all resamples in which that holds.
    resamples: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Generation {
    generation: usize,
    shares: Vec<f64>,
}

struct MetaValues {
    payoffs: PayoffMatrix<f64>,
    nash: Vec<f64>,
    alpha_rank: Vec<f64>,
}

impl MetaValues {
    fn of(payoffs: PayoffMatrix<f64>, nash: Vec<f64>) -> MetaValues {
        let alpha_rank = methods::alpha_rank(&payoffs);
        MetaValues { payoffs, nash, alpha_rank }
    }
}

impl MetaGame {
    /// The meta-game of all pairings of a tournament, whose table this is; nothing where some agents have not met.
    pub fn of(table: &Crosstable, state: &TournamentState<'_>) -> Option<MetaGame> {
        let words = &state.spec().agents;
        let place = |agent: &String| words.iter().position(|word| word == agent);
        let order: Vec<usize> = table.agents.iter().filter_map(place).collect();
        let found = MetaGame::new(&table.agents, &table.strata, state.spec().seed)?;
        Some(MetaGame { seats: SeatWorths::of(state, &order), ..found })
    }

    /// The same from what each did against each, by scenario and first seat.
    fn new(agents: &[String], strata: &[Vec<Vec<PairRecord>>], seed: u64) -> Option<MetaGame> {
        let n = agents.len();
        let mut pairs = Vec::with_capacity(n * (n - 1) / 2);
        for (a, row) in strata.iter().enumerate() {
            pairs.extend(
                row.iter().enumerate().skip(a + 1).map(|(b, of)| (a, b, PairStrata::of(of))),
            );
        }
        let payoffs = |score: &mut dyn FnMut(&PairStrata) -> Option<f64>| {
            let mut cells = vec![0.0; n * n];
            for (a, b, pair) in &pairs {
                let payoff = score(pair)? - 0.5;
                (cells[a * n + b], cells[b * n + a]) = (payoff, -payoff);
            }
            Some(PayoffMatrix::new(n, n, cells))
        };
        let observed = payoffs(&mut |pair| pair.whole.score())?;
        let nash = most_even(&observed);
        let observed = MetaValues::of(observed, nash);
        let sampled = pairs.iter().map(|(.., pair)| pair.whole).filter(|whole| !whole.is_exact());
        let games = sampled.map(|whole| whole.played.games()).reduce(f64::min);
        let exact = games.is_none();
        let certain = pairs.iter().all(|(.., pair)| pair.variance() == 0.0);
        let again = if exact || n > RESAMPLED { 0 } else { RESAMPLES };
        let resample = |number: usize| {
            let mut random = Generator::playout(seed, number as u64);
            let payoffs = payoffs(&mut |pair| Some(pair.resampled(&mut random)))?;
            let nash = match certain {
                true => most_even(&payoffs),
                // No two payoffs that were sampled are equal by chance: mostly there is one equilibrium, and any will
                // do.
                false => nearly(&payoffs, &|| true)?.rows,
            };
            Some(MetaValues::of(payoffs, nash))
        };
        let resamples: Vec<MetaValues> = (0..again).filter_map(resample).collect();
        let mut variances = vec![0.0; n * n];
        for (a, b, pair) in &pairs {
            let variance = pair.variance();
            (variances[a * n + b], variances[b * n + a]) = (variance, variance);
        }
        let compared = PayoffRows { observed: &observed.payoffs, variances, exact };
        let (alike, redundant) = compared.alike(agents);
        let dominated = compared.dominated(agents, &resamples, &redundant);
        let (way, moving) = methods::replicator(&observed.payoffs);
        let end = way.last()?;
        let against = observed.payoffs.of_rows(&observed.nash);
        let quantity = |of: fn(&MetaValues) -> &Vec<f64>, agent: usize| {
            let value = of(&observed)[agent];
            let again = resamples.iter().map(|one| of(one)[agent]).collect();
            known(value, again, exact)
        };
        let row = |agent: usize| {
            let used = resamples.iter().filter(|one| one.nash[agent] > LIGHT / 10.0).count();
            MetaAgent {
                agent: agents[agent].clone(),
                nash: quantity(|worth| &worth.nash, agent),
                in_nash: share(used, resamples.len()),
                score: 0.5 + against[agent],
                alpha_rank: quantity(|worth| &worth.alpha_rank, agent),
                replicator: end[agent],
            }
        };
        let skip = way.len().div_ceil(LOOKS).max(1);
        let looks = way.iter().enumerate().step_by(skip);
        let last = Some((way.len() - 1, end)).filter(|(at, _)| at % skip != 0);
        let look = |(generation, shares): (usize, &Vec<f64>)| Generation {
            generation,
            shares: shares.clone(),
        };
        Some(MetaGame {
            resamples: resamples.len(),
            games: games.unwrap_or_default() as u64,
            exact,
            agents: (0..n).map(row).collect(),
            transitive: compared.transitive(&resamples),
            alike,
            dominated,
            replicator: looks.chain(last).map(look).collect(),
            moving,
            seats: Vec::new(),
        })
    }
}

/// A number with the ends of 95 % of its resamples; as good as exact where nothing is unsure.
fn known(value: f64, mut again: Vec<f64>, exact: bool) -> Quantity {
    if exact {
        return Quantity::proven(Interval::exact(value));
    }
    let n = again.len();
    if n == 0 {
        return Quantity::unbounded(0, value);
    }
    again.sort_by(f64::total_cmp);
    let (low, high) = (again[n / 40], again[n - 1 - n / 40]);
    Quantity::sampled(n as u64, value, (low.min(value), high.max(value)))
}

fn share(some: usize, all: usize) -> Option<f64> {
    (all > 0).then(|| some as f64 / all as f64)
}

/// The payoffs of agents beside each other, with what is unsure of each.
struct PayoffRows<'a> {
    observed: &'a PayoffMatrix<f64>,
    variances: Vec<f64>,
    exact: bool,
}

impl PayoffRows<'_> {
    /// By how much one does better than another against a third, with its standard error.
    fn apart(&self, one: usize, other: usize, against: usize) -> (f64, f64) {
        let n = self.observed.size().0;
        let of =
            |agent: usize| (*self.observed.at(agent, against), self.variances[agent * n + against]);
        let ((a, own), (b, others)) = (of(one), of(other));
        (a - b, (own + others).sqrt())
    }

    /// The agents of which one is enough, and which of all are alike a better one.
    fn alike(&self, agents: &[String]) -> (Vec<RedundantPair>, Vec<bool>) {
        let n = agents.len();
        let (mut alike, mut redundant) = (Vec::new(), vec![false; n]);
        for a in 0..n {
            for b in a + 1..n {
                let apart = |against: usize| {
                    let (apart, error) = self.apart(a, b, against);
                    apart.abs() + NORMAL_95 * error
                };
                let apart = (0..n).map(apart).fold(0.0, f64::max);
                if apart < ALIKE {
                    redundant[b] = true;
                    alike.push(RedundantPair { a: agents[a].clone(), b: agents[b].clone(), apart });
                }
            }
        }
        (alike, redundant)
    }

    /// The agents that another one makes redundant, each with the one that does so surest.
    fn dominated(
        &self,
        agents: &[String],
        resamples: &[MetaValues],
        alike: &[bool],
    ) -> Vec<Dominated> {
        let n = agents.len();
        // Any of all comparisons with one other may be off by chance.
        let clear = passed_with(0.05 / n as f64);
        let mut found = Vec::new();
        for agent in (0..n).filter(|&agent| !alike[agent]) {
            let holds = |payoffs: &PayoffMatrix<f64>, by: usize| {
                let pairs = payoffs.row(by).iter().zip(payoffs.row(agent));
                pairs.into_iter().all(|(better, worse)| *better >= worse - EQUAL)
            };
            let better = |against: usize, by: usize| {
                let (apart, error) = self.apart(by, agent, against);
                apart > EQUAL && apart > clear * error
            };
            let by = (0..n)
                .filter(|&by| by != agent && holds(self.observed, by))
                .filter(|&by| (0..n).any(|against| better(against, by)));
            let again = |by: usize| resamples.iter().filter(|one| holds(&one.payoffs, by)).count();
            // The best placed of those that do so as surely; what is as likely not to hold is not said.
            let by = by.map(|by| (again(by), by)).rev().max_by_key(|(again, _)| *again);
            let by = by.filter(|(again, _)| 2 * again >= resamples.len());
            found.extend(by.map(|(again, by)| Dominated {
                agent: agents[agent].clone(),
                by: agents[by].clone(),
                resamples: share(again, resamples.len()),
            }));
        }
        found
    }

    /// The part of the squares that a number for each agent explains, less what chance adds to both.
    fn transitive(&self, resamples: &[MetaValues]) -> Option<Quantity> {
        let n = self.observed.size().0;
        let noise = self.variances.iter().sum::<f64>() / 2.0;
        let part = |payoffs: &PayoffMatrix<f64>, times: f64| {
            let (explained, all) = methods::transitive(payoffs);
            let all = all - times * noise;
            let explained = explained - times * noise * 2.0 / n as f64;
            (all > EQUAL).then(|| (explained / all).clamp(0.0, 1.0))
        };
        let value = part(self.observed, 1.0)?;
        // What was drawn again has the noise of the games twice.
        let again = resamples.iter().map(|one| part(&one.payoffs, 2.0).unwrap_or(0.0)).collect();
        Some(known(value, again, self.exact))
    }
}

// For people.

impl MetaGame {
    /// What is said where some of the agents have not met.
    pub(crate) const UNMET: &str =
        "the meta-game needs the games of each agent against each other, and some have not met";

    pub(crate) fn blocks(&self) -> Vec<Block> {
        let said = [self.order(), self.redundant(), self.still_moved(), Some(self.sure())];
        let said = std::iter::once(Some(self.equilibrium())).chain(said);
        let said: Vec<String> = said.flatten().collect();
        let mut blocks = vec![
            Block::Sentence(said.join("\n")),
            self.table(),
            Block::Figure(Figure::Plot(self.plot())),
        ];
        blocks.extend(self.seats.iter().flat_map(SeatWorths::blocks));
        blocks
    }

    fn equilibrium(&self) -> String {
        let used: Vec<&MetaAgent> =
            self.agents.iter().filter(|row| row.nash.value > LIGHT / 10.0).collect();
        let named = |row: &&MetaAgent| format!("`{}` {}", row.agent, whole_percent(row.nash.value));
        match &used[..] {
            [one] => format!(
                "the most even equilibrium is `{}` alone: nobody does better against it{}",
                one.agent,
                one.in_nash
                    .map(|share| format!("; it has a weight{}", resampled(Some(share))))
                    .unwrap_or_default()
            ),
            many if many.len() > NAMED => {
                format!("the most even equilibrium mixes {} agents", many.len())
            }
            few => {
                let named: Vec<String> = few.iter().map(named).collect();
                format!("the most even equilibrium mixes {}", enumerated(&named))
            }
        }
    }

    /// How much one number for each agent explains.
    fn order(&self) -> Option<String> {
        if self.agents.len() < 3 {
            return None;
        }
        let Some(part) = &self.transitive else {
            return Some("scores differ from a half by no more than chance".to_owned());
        };
        let ends = match interval(part) {
            none if none.is_empty() => none,
            ends => format!(" ({ends})"),
        };
        Some(format!(
            "an order explains {}{ends} of the squares by which scores differ from a half, cycles the rest",
            whole_percent(part.value)
        ))
    }

    fn redundant(&self) -> Option<String> {
        let mut said = Vec::new();
        let list = |all: Vec<String>, what: &str| match all.len() {
            0 => None,
            more if more > NAMED => Some(format!("{more} {what}")),
            _ => Some(enumerated(&all)),
        };
        let alike = self.alike.iter().map(|RedundantPair { a, b, apart }| match *apart > EQUAL {
            true => format!("`{a}` and `{b}` are alike within {}", percent(*apart)),
            false => format!("`{a}` and `{b}` are alike"),
        });
        said.extend(list(alike.collect(), "pairs of agents are alike"));
        let dominated = self.dominated.iter().map(|Dominated { agent, by, resamples }| {
            let sure = resampled(*resamples);
            format!("`{by}` does as well as `{agent}` or better against everybody{sure}")
        });
        said.extend(list(
            dominated.collect(),
            "agents do no better against anybody than another one",
        ));
        (!said.is_empty()).then(|| said.join("\n"))
    }

    /// That the shares of the replicator dynamics are no more than where it was stopped, if so.
    fn still_moved(&self) -> Option<String> {
        let last = self.replicator.last().filter(|_| self.moving)?;
        let generations = grouped(last.generation as u64);
        Some(format!(
            "after {generations} generations of the replicator dynamics shares still moved"
        ))
    }

    fn sure(&self) -> String {
        if self.exact {
            return "all scores were computed, so none of it is unsure".to_owned();
        }
        let games = format!("scores are from {} or more a pair", many(self.games, "game"));
        match self.resamples {
            0 => format!(
                "{games}; of more than {RESAMPLED} agents nothing says how sure the rest is"
            ),
            n => format!("{games}; intervals hold 95 % of {n} resamples of them"),
        }
    }

    /// The agents that have any weight, in the order of the standings.
    fn table(&self) -> Block {
        let most = |of: &Quantity| if of.high.is_finite() { of.high } else { of.value };
        let weight =
            |row: &MetaAgent| most(&row.nash).max(most(&row.alpha_rank)).max(row.replicator);
        let mut shown = largest(self.agents.iter().map(weight), PRINTED);
        shown.retain(|&at| weight(&self.agents[at]) >= LIGHT);
        let left = (0..self.agents.len()).filter(|at| !shown.contains(at));
        let left: Vec<f64> = left.map(|at| weight(&self.agents[at])).collect();
        let rest = rest(&left);
        let forms = [false, true].map(|is_narrow| {
            let columns = || COLUMNS.iter().filter(|(.., stays)| *stays || !is_narrow);
            let row = |&at: &usize| {
                columns().map(|(_, cell, _)| cell(at, &self.agents[at])).collect::<Vec<_>>()
            };
            let headings = columns().map(|(heading, ..)| *heading);
            let table = Table::new(headings, shown.iter().map(row));
            (table.width(), vec![Block::Table(table), Block::sentence(rest.clone())])
        });
        Block::Forms(forms.into())
    }

    fn plot(&self) -> Plot {
        let most =
            |at: usize| self.replicator.iter().map(|look| look.shares[at]).fold(0.0, f64::max);
        let drawn = largest((0..self.agents.len()).map(most), DRAWN);
        let series = drawn.into_iter().map(|at| {
            let point = |look: &Generation| Point {
                x: look.generation as f64,
                y: look.shares[at],
                range: None,
                proven: true,
            };
            let name = cut(&format!("{} {}", at + 1, self.agents[at].agent), NAME);
            Series { name, points: self.replicator.iter().map(point).collect() }
        });
        let moving = if self.moving { ", still moving at the end" } else { "" };
        Plot {
            title: format!(
                "Shares of agents that grow by what they score (replicator dynamics){moving}"
            ),
            x: "generations".to_owned(),
            y: "share".to_owned(),
            series: series.collect(),
            ..Plot::default()
        }
    }
}

/// The places of the largest numbers, as many as this at most, in order.
pub(super) fn largest(numbers: impl Iterator<Item = f64>, most: usize) -> Vec<usize> {
    let mut all: Vec<(usize, f64)> = numbers.enumerate().collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut places: Vec<usize> = all.into_iter().take(most).map(|(place, _)| place).collect();
    places.sort_unstable();
    places
}

/// A share in whole percent.
fn rounded(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// The ends of an interval in whole percent, where it is known.
fn interval(of: &Quantity) -> String {
    match of.is_sampled() && of.low.is_finite() {
        true => format!("{:.0} to {:.0} %", 100.0 * of.low, 100.0 * of.high),
        false => String::new(),
    }
}

/// In how many resamples that holds.
fn resampled(share: Option<f64>) -> String {
    share
        .map(|share| format!(" (in {} of the resamples)", whole_percent(share)))
        .unwrap_or_default()
}

/// What agents that are not listed have, each at most so much.
fn rest(left: &[f64]) -> String {
    let (heavy, light): (Vec<f64>, Vec<f64>) = left.iter().partition(|weight| **weight >= LIGHT);
    let most = heavy.iter().copied().fold(0.0, f64::max);
    let heavy = (!heavy.is_empty()).then(|| {
        format!("{} at most {}, which `--json` lists", many_have(heavy.len()), percent(most))
    });
    let light = (!light.is_empty())
        .then(|| format!("{} less than {} everywhere", many_have(light.len()), percent(LIGHT)));
    heavy.into_iter().chain(light).collect::<Vec<_>>().join("; ")
}

fn many_have(rest: usize) -> String {
    match rest {
        1 => "1 other agent has".to_owned(),
        rest => format!("{rest} other agents have"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Cell;
    use super::*;

    /// Agents a, b, … whose scores against each other come from as many games, or are known.
    fn meta(scores: &[&[f64]], games: f64) -> MetaGame {
        let names: Vec<String> =
            (b'a'..).take(scores.len()).map(|one| (one as char).to_string()).collect();
        let record = |&score: &f64| {
            let cell = Cell {
                wins: score * games.max(1.0),
                draws: 0.0,
                losses: (1.0 - score) * games.max(1.0),
            };
            vec![match games > 0.0 {
                true => PairRecord { played: cell, known: Cell::default() },
                false => PairRecord { played: Cell::default(), known: cell },
            }]
        };
        let strata: Vec<Vec<_>> =
            scores.iter().map(|row| row.iter().map(record).collect()).collect();
        MetaGame::new(&names, &strata, 1).unwrap()
    }

    #[test]
    fn where_the_first_seat_always_wins_nothing_is_unsure() {
        let names = ["a", "b", "c"].map(str::to_owned);
        let won = Cell { wins: 100.0, ..Cell::default() };
        // Each wins its 100 games in the first seat, and loses those in the second.
        let played = |played: Cell| PairRecord { played, known: Cell::default() };
        let both = vec![played(won), played(won.turned())];
        let meta = MetaGame::new(&names, &vec![vec![both; 3]; 3], 1).unwrap();
        for agent in &meta.agents {
            for of in [&agent.nash, &agent.alpha_rank] {
                assert_eq!([of.low, of.high], [of.value; 2], "{agent:?}");
            }
            assert!((agent.nash.value - 1.0 / 3.0).abs() < 1e-9, "{agent:?}");
        }
        // All are equal, and none of it is cycles.
        assert_eq!((meta.alike.len(), meta.transitive), (3, None));
    }

    #[test]
    fn agents_that_are_not_listed_are_counted_with_the_most_they_have() {
        let few = "2 other agents have less than 0.5 % everywhere";
        assert_eq!([rest(&[]), rest(&[0.0, 0.004])], ["", few]);
        let heavy = "2 other agents have at most 10.5 %, which `--json` lists";
        assert_eq!(rest(&[0.105]), "1 other agent has at most 10.5 %, which `--json` lists");
        assert_eq!(rest(&[0.0, 0.105, 0.02, 0.0]), format!("{heavy}; {few}"));
    }

    fn said(meta: &MetaGame) -> Vec<String> {
        let said = [Some(meta.equilibrium()), meta.order(), meta.redundant(), Some(meta.sure())];
        said.into_iter()
            .flatten()
            .flat_map(|said| said.lines().map(str::to_owned).collect::<Vec<_>>())
            .collect()
    }

    const COPIES: [&[f64]; 4] = [
        &[0.5, 0.9, 0.1, 0.1],
        &[0.1, 0.5, 0.9, 0.9],
        &[0.9, 0.1, 0.5, 0.5],
        &[0.9, 0.1, 0.5, 0.5],
    ];

    #[test]
    fn of_a_cycle_with_a_copy_the_copies_share_and_are_named() {
        let known = meta(&COPIES, 0.0);
        let weights: Vec<f64> =
            known.agents.iter().map(|row| (row.nash.value * 600.0).round() / 600.0).collect();
        assert_eq!(weights, [1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0, 1.0 / 6.0]);
        // The means of payoffs are −0.1, 0.1, 0 and 0, and 4 · (0.1² + 0.1²) of 5 · 0.4² is a tenth.
        assert_eq!(
            said(&known),
            [
                "the most even equilibrium mixes `a` 33 %, `b` 33 %, `c` 17 % and `d` 17 %",
                "an order explains 10 % of the squares by which scores differ from a half, cycles the rest",
                "`c` and `d` are alike",
                "all scores were computed, so none of it is unsure"
            ]
        );
    }

    #[test]
    fn what_games_leave_unsure_is_said() {
        let sampled = meta(&COPIES, 2_000.0);
        let lines = said(&sampled);
        assert_eq!(
            lines[3],
            "scores are from 2000 games or more a pair; intervals hold 95 % of 200 resamples of them"
        );
        assert!(lines[2].starts_with("`c` and `d` are alike within "), "{lines:?}");
        let c = &sampled.agents[2];
        // Either copy may be the better one, so none is sure of its sixth.
        assert!(c.nash.low < 0.01 && c.nash.high > 0.3, "{:?}", c.nash);
        let a = &sampled.agents[0];
        assert!(a.nash.low > 0.31 && a.nash.high < 0.36, "{:?}", a.nash);
        // A few games say next to nothing.
        let few = meta(&COPIES, 10.0);
        assert!(few.alike.is_empty() && few.dominated.is_empty());
        assert!(few.agents[0].nash.high - few.agents[0].nash.low > 0.2);
    }

    #[test]
    fn whoever_does_as_well_against_all_makes_another_redundant() {
        let scores: [&[f64]; 3] = [&[0.5, 0.7, 0.9], &[0.3, 0.5, 0.8], &[0.1, 0.2, 0.5]];
        let of = |games: f64| {
            let dominated = meta(&scores, games).dominated;
            dominated.into_iter().map(|one| (one.agent, one.by, one.resamples)).collect::<Vec<_>>()
        };
        let by = |agent: &str, by: &str, share| (agent.to_owned(), by.to_owned(), share);
        assert_eq!(of(0.0), [by("b", "a", None), by("c", "a", None)]);
        assert_eq!(of(1e4), [by("b", "a", Some(1.0)), by("c", "a", Some(1.0))]);
        assert_eq!(of(4.0), []);
        let lines = said(&meta(&scores, 0.0));
        assert_eq!(
            lines[0],
            "the most even equilibrium is `a` alone: nobody does better against it"
        );
        assert!(lines[2].starts_with("`a` does as well as `b` or better against everybody"));
    }

    #[test]
    fn noise_is_no_cycle() {
        // Equals, by 50 games each: what differs is chance.
        let even = [[0.5, 0.54, 0.46], [0.46, 0.5, 0.52], [0.54, 0.48, 0.5]];
        let even: Vec<&[f64]> = even.iter().map(<[f64; 3]>::as_slice).collect();
        assert!(meta(&even, 50.0).transitive.is_none());
        // Where nobody differs there is nothing to explain.
        assert!(meta(&[&[0.5, 0.5], &[0.5, 0.5]], 0.0).transitive.is_none());
    }
}
