//! Ratings with their intervals: Bradley–Terry and Plackett–Luce with ties, by maximum likelihood over all games.
//!
//! Model: Davidson (1970, "On extending the Bradley–Terry model to accommodate ties in paired comparison experiments",
//! JASA 65, 317–328) with an effect of the order, as Davidson and Beaver (1977, Biometrics 33, 693–702) add it. Win,
//! draw and loss have the odds `e^(x/2) : ν : e^(−x/2)`; `x` is the difference of the two ratings, plus the first
//! seat's advantage for whoever has it. Each scenario has its own advantage and its own `ν`. On the Elo scale a
//! difference of 400 points is ten wins to a loss. Of three seats or more each has a worth of its own.
//!
//! A game of three agents or more is a choice of the best, then of the best of the others, and so on (Luce 1959,
//! "Individual choice behavior"; Plackett 1975, "The analysis of permutations", Applied Statistics 24, 193–202). Some
//! share a place with the odds `ν` times the geometric mean of theirs, one `ν` for each number that shared one (Turner,
//! van Etten, Firth and Kosmidis 2020, "Modelling rankings in R: the PlackettLuce package", Computational Statistics
//! 35, 1027–1057). What shares the last place orders nobody, so two that both lost are not taken for equals. Two agents
//! compare by the same odds in both models.
//!
//! What is assumed before the first game, [`Prior`]: to each result that is possible half of its surprise is added,
//! weighed by how unsure it leaves the ratings. This is Jeffreys's prior; it takes away the first-order bias of the
//! maximum (Firth 1993, "Bias reduction of maximum likelihood estimates", Biometrika 80, 27–38) and keeps it finite for
//! an agent that never won. It weighs one game a rating, however many pairings there are. And each scenario has one
//! virtual game between equals, half a draw, which keeps `ν` and the advantage finite.
//!
//! Odds that are known exactly enter as what their games bring on average, and bring no noise: covariances are `A⁻¹ B
//! A⁻¹`, where `A` is the curvature of all results, those that are assumed among them, and `B` that of the sampled ones
//! (Huber 1967; White 1982, "Maximum likelihood estimation of misspecified models", Econometrica 50, 1–25). Results are
//! counts, so their order changes nothing. Ratings have the mean 0, and an interval is of the distance from that mean.
//! Newton's method finds the maximum: the likelihood is concave in the ratings, the advantages and `ln ν`.

mod likelihood;
mod matrix;
mod misfit;
mod newton;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde::Serialize;

use super::{Cell, Meeting, TableGame};
use crate::number::{Interval, NORMAL_95, Quantity, cumulative};
use crate::report;
pub use misfit::{Mismatch, RatingMisfit};
use newton::Precision;

/// Elo points to one natural unit of odds.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// Of more agents that a note is about, one is named.
const MOST_NAMED: usize = 3;
/// Strengths that differ by no more than this, in natural units, do so by rounding.
const EQUAL: f64 = 1e-7;

/// What ratings are made from.
#[derive(Clone, Debug)]
pub struct Evidence<'a> {
    /// The games of two agents that were played.
    pub played: BTreeMap<Meeting, Cell>,
    /// Pairings whose odds are known exactly: what the games of two agents that they stand for bring on average.
    pub known: BTreeMap<Meeting, Cell>,
    /// The games of three agents or more that were played.
    pub tables: &'a BTreeMap<TableGame, u64>,
    /// The same of odds that are known: each way to end with how often it comes on average.
    pub known_tables: BTreeMap<TableGame, f64>,
}

/// What is assumed before the first game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prior {
    /// The weight of Jeffreys's prior.
    pub(crate) bias: f64,
    /// The weight of the virtual game between equals in each scenario with games.
    pub equals: f64,
    /// The share of virtual games between equals that is added to odds that are known: it bounds
    /// the ratings where one always wins.
    pub known: f64,
}

impl Default for Prior {
    fn default() -> Prior {
        Prior { bias: 1.0, equals: 1.0, known: 1e-4 }
    }
}

/// Elo points, for people; half of their 95 % interval is infinite where nothing is known.
pub(crate) fn text(rating: &Quantity) -> String {
    let points = report::points(rating.value);
    match rating.is_sampled() {
        true => format!("{points} ± {}", report::margin(rating.half_width())),
        false => points,
    }
}

/// Half of the interval of Elo points, for people.
pub(crate) fn margin(rating: &Quantity) -> String {
    if rating.is_sampled() { report::margin(rating.half_width()) } else { "exact".to_owned() }
}

/// A number of Elo points in natural units, with its standard error. It is exact where that is 0 and nothing was sampled.
fn rated(value: f64, deviation: f64, sampled: bool) -> Quantity {
    match deviation > 0.0 || sampled {
        true => Quantity::give_or_take(0, value * ELO, NORMAL_95 * deviation * ELO),
        false => Quantity::proven(Interval::exact(value * ELO)),
    }
}

/// The standard error of this variance; 0 where it comes from known odds alone.
fn deviation(variance: f64) -> f64 {
    let deviation = variance.max(0.0).sqrt();
    if deviation < EQUAL { 0.0 } else { deviation }
}

/// Whether what is assumed moved a parameter by more than half a standard error.
fn leans(pull: f64, deviation: f64) -> bool {
    pull.abs() > 0.05 + deviation / 2.0
}

/// A parameter and its standard error, in natural units.
type Fitted = (f64, f64);

/// The ratings of all agents, and what else was fitted with them.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// By agent, in natural units; the mean of each group that has met is 0.
    strength: Vec<f64>,
    covariance: matrix::Matrix,
    /// By agent, in natural units: by how much what is assumed moved the rating, to first order.
    pull: Vec<f64>,
    /// By agent: whether the results tell the strength from what the seats are worth.
    told: Vec<bool>,
    /// By agent: whether it played only where every game is a draw, as between agents of any strength if draws are
    /// likely enough.
    level: Vec<bool>,
    /// Scenario -> what the first seat is worth above the mean of the others, and where there are more than two what each
    /// is above the mean of all: each with its standard error, in natural units.
    worths: BTreeMap<usize, (Fitted, Vec<Fitted>)>,
    /// Scenario -> how likely equals in equal seats draw.
    draws: BTreeMap<usize, f64>,
    /// Who has met whom.
    pub(crate) connected: Connected,
    /// What the ratings do not explain.
    pub misfit: RatingMisfit,
    /// The games of three agents or more, where they are too few.
    pub few: Option<Few>,
}

/// How many seats each scenario of some tables has.
fn seats<'a>(tables: impl Iterator<Item = &'a TableGame>) -> BTreeMap<usize, usize> {
    let mut seats: BTreeMap<usize, usize> = BTreeMap::new();
    for table in tables {
        let most = seats.entry(table.scenario).or_default();
        *most = table.seated.len().max(*most);
    }
    seats
}

/// Two agents at a table of three or more, their seats, how many shared the better place, and whether it was played.
type Ordered = (Meeting, [Vec<usize>; 2], usize, bool);

impl Evidence<'_> {
    /// All games of three agents or more, each with how often it came, and whether it was played or is known.
    pub(super) fn tables(&self) -> impl Iterator<Item = (&TableGame, f64, bool)> {
        let played = self.tables.iter().map(|(game, &games)| (game, games as f64, true));
        played.chain(self.known_tables.iter().map(|(game, &games)| (game, games, false)))
    }

    /// What each two did in games of three agents or more, by their seats and by how many shared the better place: what
    /// was played, and what is known. Draws are with those where nobody shared it.
    fn ordered(&self) -> BTreeMap<Ordered, Cell> {
        let mut cells: BTreeMap<Ordered, Cell> = BTreeMap::new();
        for (game, games, played) in self.tables() {
            for (meeting, result, shared) in game.meetings() {
                let seats = [meeting.a, meeting.b].map(|agent| game.seats_of(agent));
                cells.entry((meeting, seats, shared, played)).or_default().count(result, games);
            }
        }
        cells
    }

    /// For each agent whether it played, and only in scenarios in which nobody did better than another.
    fn level(&self, agents: usize) -> Vec<bool> {
        let pairs = || self.played.iter().chain(&self.known);
        let decided = pairs().filter(|(_, cell)| cell.wins + cell.losses > 0.0);
        let decided = decided.map(|(meeting, _)| meeting.scenario);
        let ordered = self.tables().filter(|(game, ..)| !game.stages().is_empty());
        let decided: BTreeSet<usize> =
            decided.chain(ordered.map(|(game, ..)| game.scenario)).collect();
        let mut level = vec![None; agents];
        let mut sees = |agent: usize, scenario: &usize| {
            level[agent] = Some(level[agent].unwrap_or(true) && !decided.contains(scenario));
        };
        for (Meeting { scenario, a, b, .. }, _) in pairs() {
            [*a, *b].into_iter().for_each(|agent| sees(agent, scenario));
        }
        for (game, ..) in self.tables() {
            game.places.iter().for_each(|(agent, _)| sees(*agent, &game.scenario));
        }
        level.into_iter().map(|level| level.unwrap_or(false)).collect()
    }

    /// Whether each game of a scenario with these many seats had as many agents: where one holds several seats, nobody
    /// can tell what the first is worth.
    pub(super) fn is_full(&self, scenario: usize, seats: usize) -> bool {
        let mut pairs = self.played.keys().chain(self.known.keys());
        let mut tables = self.tables().filter(|(game, ..)| game.scenario == scenario);
        (seats <= 2 || pairs.all(|meeting| meeting.scenario != scenario))
            && tables.all(|(game, ..)| game.places.len() == seats)
    }
}

impl Ratings {
    /// The ratings from what came of all meetings.
    pub fn fit(evidence: &Evidence<'_>, agents: usize, prior: Prior) -> Ratings {
        let problem = likelihood::Problem::new(evidence, agents, prior);
        let start = vec![0.0; problem.parameters()];
        let (mut ratings, found) =
            Ratings::from(evidence, agents, &problem, (start, Precision::FULL));
        ratings.misfit =
            RatingMisfit::of(evidence, &problem, (&found, &ratings.covariance), agents);
        ratings
    }

    /// As near to the same as a plot shows, without what they do not explain; from those after fewer games, which is
    /// several times as quick.
    pub(crate) fn drawn(evidence: &Evidence<'_>, agents: usize, from: &[f64]) -> Ratings {
        let problem = likelihood::Problem::new(evidence, agents, Prior::default());
        let mut start = from.to_vec();
        start.resize(problem.parameters(), 0.0);
        Ratings::from(evidence, agents, &problem, (start, Precision::DRAWN)).0
    }

    /// The same with an agent's rating held at some Elo points: all it can be compared with move along, and what is
    /// unsure is their distance from it.
    #[must_use]
    pub(crate) fn anchored(mut self, agent: usize, points: f64) -> Ratings {
        let group = self.connected.group_of(agent).to_vec();
        let (by, pull) = (points / ELO - self.strength[agent], self.pull[agent]);
        let before = self.covariance.clone();
        for &i in &group {
            self.strength[i] += by;
            self.pull[i] -= pull;
            for &j in &group {
                let less = before.at(i, agent) + before.at(agent, j) - before.at(agent, agent);
                self.covariance.add(i, j, -less);
            }
        }
        self
    }

    /// In natural units.
    pub(crate) fn strengths(&self) -> &[f64] {
        &self.strength
    }

    /// The ratings but for what they do not explain, and all parameters.
    fn from(
        evidence: &Evidence<'_>,
        agents: usize,
        problem: &likelihood::Problem,
        start: (Vec<f64>, Precision),
    ) -> (Ratings, Vec<f64>) {
        let connected = Connected::of(evidence, agents);
        let newton::Maximum { at: found, covariance, pull, told } =
            newton::maximum(problem, evidence, &connected.groups, start);
        let scenarios = problem.scenarios.iter();
        let worth = |own: &Range<usize>, by: &dyn Fn(usize) -> f64| {
            let sum = |of: &dyn Fn(usize) -> f64| -> f64 {
                own.clone().map(|at| by(at - own.start) * of(at)).sum()
            };
            let variance = sum(&|i| sum(&|j| covariance.at(i, j)));
            let deviation = deviation(variance);
            let assumed = deviation == 0.0 && leans(sum(&|at| pull[at]), deviation);
            (sum(&|at| found[at]), if assumed { f64::INFINITY } else { deviation })
        };
        let worths = scenarios.clone().map(|&scenario| (scenario, problem.worths_of(scenario)));
        let worths =
            worths.filter(|(_, own)| own.clone().all(|at| told[at])).map(|(scenario, own)| {
                let others = own.len() as f64;
                let first = worth(&own, &|seat| if seat == 0 { 1.0 } else { -1.0 / others });
                let seats = if own.len() > 1 { 0..own.len() + 1 } else { 0..0 };
                let each = |seat: usize| {
                    worth(&own, &|other| f64::from(u8::from(other == seat)) - 1.0 / (others + 1.0))
                };
                (scenario, (first, seats.map(each).collect()))
            });
        let worths = worths.collect();
        let draws = scenarios
            .filter_map(|&scenario| {
                let ties = found[problem.ties_at(scenario, 0)?].exp();
                // An infinite `ν` is all draws.
                Some((scenario, if ties.is_finite() { ties / (2.0 + ties) } else { 1.0 }))
            })
            .collect();
        let [strength, pull] = [&found, &pull].map(|all| all[..agents].to_vec());
        let (few, misfit) = (Few::of(evidence.tables), RatingMisfit::default());
        let level = evidence.level(agents);
        let ratings = Ratings {
            strength,
            covariance,
            pull,
            told,
            level,
            worths,
            draws,
            connected,
            misfit,
            few,
        };
        (ratings, found)
    }

    /// An agent's rating in Elo points, above or below the mean of its group. Where nothing was sampled it is exact, or
    /// has no bound, as only the prior says how far away the agent is.
    pub fn rating(&self, agent: usize) -> Quantity {
        let group = self.connected.group_of(agent);
        let sampled = group.iter().any(|&other| self.deviation(other) > 0.0);
        let assumed = !sampled && (self.leans(agent) || !self.told[agent]);
        let deviation = match group.len() < 2 || assumed {
            true => f64::INFINITY,
            false => self.deviation(agent),
        };
        rated(self.strength[agent], deviation, sampled)
    }

    /// Whether the results alone say little of an agent's rating: what is assumed moved it by more
    /// than half a standard error, or nobody won a game where it played.
    pub fn leans(&self, agent: usize) -> bool {
        leans(self.pull[agent], self.deviation(agent)) || self.is_level(agent)
    }

    /// Whether a rating was sampled from draws alone.
    fn is_level(&self, agent: usize) -> bool {
        self.level[agent] && self.deviation(agent) > 0.0
    }

    fn deviation(&self, agent: usize) -> f64 {
        deviation(self.covariance.at(agent, agent))
    }

    /// What is to be said of them, one sentence each.
    pub fn notes(&self, agents: &[String]) -> Vec<String> {
        let mut notes = self.connected.notes(agents);
        let met = |agent: &usize| self.connected.group_of(*agent).len() > 1;
        let lean = (0..agents.len()).filter(met).filter(|&agent| self.leans(agent));
        let (level, lean): (Vec<usize>, Vec<usize>) = lean.partition(|&agent| self.is_level(agent));
        let away = |those: &[usize]| {
            let named = report::ticked(those.iter().map(|&agent| &agents[agent]));
            let named = match named.len() {
                ..=MOST_NAMED => named.join(", "),
                many => format!("{many} agents such as {}", named[0]),
            };
            format!("of how far away {named} {}", if those.len() == 1 { "is" } else { "are" })
        };
        if !lean.is_empty() {
            notes.push(format!(
                "the results say little {}: without the prior, which draws towards equals, the rating would be \
                 further off or without bound",
                away(&lean)
            ));
        }
        if !level.is_empty() {
            notes.push(format!(
                "the results say nothing {}: all games there were drawn, so ± is that of the prior alone",
                away(&level)
            ));
        }
        if !(0..agents.len()).all(|agent| self.told[agent]) {
            notes.push(
                "some always sat alike: who is strong cannot be separated from what the first seat is worth"
                    .to_owned(),
            );
        }
        notes.extend(self.few.map(Few::note));
        notes.extend(self.misfit.notes(agents));
        notes
    }

    /// The widest half of all ratings' intervals.
    pub fn widest(&self) -> f64 {
        (0..self.strength.len()).map(|agent| self.rating(agent).half_width()).fold(0.0, f64::max)
    }

    /// All agents, the best first; equals in the order of the spec.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.strength.len()).collect();
        // What differs by rounding alone is equal.
        let rounded = |agent: usize| (self.strength[agent] / EQUAL).round();
        order.sort_by(|&a, &b| rounded(b).total_cmp(&rounded(a)).then(a.cmp(&b)));
        order
    }

    /// The likelihood that one agent is stronger than another; ½ where they cannot be compared.
    pub(crate) fn superiority(&self, a: usize, b: usize) -> f64 {
        if a == b || !self.connected.group_of(a).contains(&b) {
            return 0.5;
        }
        let at = |i, j| self.covariance.at(i, j);
        let variance = at(a, a) + at(b, b) - 2.0 * at(a, b);
        let difference = self.strength[a] - self.strength[b];
        let told = self.told[a] && self.told[b];
        if variance.max(0.0).sqrt() < EQUAL && (difference.abs() < EQUAL || !told) {
            // Both are known exactly, and equal; or nothing separates them but where they sat.
            return 0.5;
        }
        cumulative(difference / variance.max(f64::MIN_POSITIVE).sqrt())
    }

    /// What the first seat of a scenario is worth above the mean of the others, in Elo points, where it can be separated
    /// from who sat there.
    pub fn advantage(&self, scenario: usize) -> Option<Quantity> {
        let ((value, deviation), _) = self.worths.get(&scenario)?;
        Some(rated(*value, *deviation, false))
    }

    /// Of a scenario with three seats or more what each is worth above the mean of all, in Elo points, where that can be
    /// separated from who sat there; else nothing.
    pub fn seats(&self, scenario: usize) -> Vec<Quantity> {
        let seats = self.worths.get(&scenario).map(|(_, seats)| seats.as_slice());
        let worth = |&(value, deviation): &Fitted| rated(value, deviation, false);
        seats.unwrap_or_default().iter().map(worth).collect()
    }

    /// How likely two equals draw in a scenario, where neither has an advantage.
    pub fn draws(&self, scenario: usize) -> Option<f64> {
        self.draws.get(&scenario).copied()
    }
}

// Agents that can be compared: those that have met, directly or through others, and often enough.

/// Who has met whom, and whether the games alone bound all ratings.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Connected {
    /// The agents in groups that can be compared, each in order; ratings of different groups have
    /// nothing to do with each other.
    pub groups: Vec<Vec<usize>>,
    /// Whether within some group a part never won or drew against the rest: only the prior
    /// bounds their difference (Ford 1957, "Solution of a ranking problem from binary comparisons").
    pub(crate) one_sided: bool,
}

impl Connected {
    pub(crate) fn of(evidence: &Evidence<'_>, agents: usize) -> Connected {
        let mut met = vec![BTreeSet::new(); agents];
        let mut scored = vec![BTreeSet::new(); agents];
        for (game, ..) in evidence.tables() {
            for (left, best) in game.stages() {
                for &one in &best {
                    for &other in left.iter().filter(|&&other| other != one) {
                        met[one].insert(other);
                        met[other].insert(one);
                        scored[one].insert(other);
                    }
                }
            }
        }
        for (Meeting { a, b, .. }, cell) in evidence.played.iter().chain(&evidence.known) {
            met[*a].insert(*b);
            met[*b].insert(*a);
            if cell.wins + cell.draws > 0.0 {
                scored[*a].insert(*b);
            }
            if cell.losses + cell.draws > 0.0 {
                scored[*b].insert(*a);
            }
        }
        let mut turned = vec![BTreeSet::new(); agents];
        for (from, to) in scored.iter().enumerate() {
            to.iter().for_each(|&to| _ = turned[to].insert(from));
        }
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut one_sided = false;
        for agent in 0..agents {
            if groups.iter().any(|group| group.contains(&agent)) {
                continue;
            }
            let group = reached(agent, &met);
            one_sided |= reached(agent, &scored) != group || reached(agent, &turned) != group;
            groups.push(group);
        }
        Connected { groups, one_sided }
    }

    pub(crate) fn group_of(&self, agent: usize) -> &[usize] {
        let found = self.groups.iter().find(|group| group.contains(&agent));
        found.map_or(&[], Vec::as_slice)
    }

    pub(crate) fn notes(&self, agents: &[String]) -> Vec<String> {
        let mut notes = Vec::new();
        if self.groups.len() > 1 {
            let named = |group: &Vec<usize>| {
                let names = group.iter().map(|&agent| format!("`{}`", agents[agent]));
                report::some_of(names, report::SOME, ", ")
            };
            let groups = self.groups.iter().map(named);
            let within = report::some_of(groups, report::SOME, " | ");
            notes.push(format!("not all have met: ratings compare only within {within}"));
        }
        if self.one_sided {
            notes.push(
                "some never won or drew against the rest: only the prior bounds their difference"
                    .to_owned(),
            );
        }
        notes
    }
}

/// All that can be reached from one, itself included, in order.
fn reached(from: usize, ways: &[BTreeSet<usize>]) -> Vec<usize> {
    let mut found = BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(one) = open.pop() {
        open.extend(ways[one].iter().filter(|&&next| found.insert(next)));
    }
    found.into_iter().collect()
}

/// This many games for each agent in them are enough: in simulated leagues (`benches/coverage.rs`) the intervals of six
/// agents hold the truth in 94 % with three, in 93 % with one and in 84 % with two games of all, where places count.
const ENOUGH: u64 = 3;

/// And this many for each seat of their scenarios, of which each has a worth of its own.
const ENOUGH_OF_A_SEAT: u64 = 5;

/// Games of three agents or more that are too few.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Few {
    /// The games.
    pub games: u64,
    /// How many agents were in them.
    pub agents: usize,
    /// This many games would be enough.
    pub enough: u64,
}

impl Few {
    /// What is too few of these games.
    pub fn of(tables: &BTreeMap<TableGame, u64>) -> Option<Few> {
        let agents: BTreeSet<usize> =
            tables.keys().flat_map(|table| table.places.iter().map(|(agent, _)| *agent)).collect();
        let (games, agents) = (tables.values().sum(), agents.len());
        let seats: usize = seats(tables.keys()).values().sum();
        let enough = (ENOUGH * agents as u64).max(ENOUGH_OF_A_SEAT * seats as u64);
        (games < enough).then_some(Few { games, agents, enough })
    }

    /// The same in a sentence.
    pub fn note(self) -> String {
        let Few { games, agents, enough } = self;
        let (games, enough) = (report::many(games, "game"), report::many(enough, "game"));
        format!(
            "{games} of {agents} agents say little: intervals of ratings may hold the truth in less \
             than 95 %, until there are {enough}"
        )
    }
}
