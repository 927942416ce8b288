//! Solves games with hidden information by regret minimisation on their information sets, until it is near enough or
//! time is up: with whole passes over small games, with samples of large ones.
//!
//! Whole passes: counterfactual regret minimisation (Zinkevich, Johanson, Bowling and Piccione, 2007, "Regret
//! Minimization in Games with Incomplete Information") as CFR+ (Tammelin, 2014, "Solving Large Imperfect Information
//! Games Using CFR+"): regrets never fall below 0, the sides learn in turn, and later strategies weigh more in the
//! average. The average approaches an equilibrium if the utilities of two sides sum to a constant; best responses
//! measure how near it is.
//!
//! Samples: external sampling (Lanctot, Waugh, Zinkevich and Bowling, 2009, "Monte Carlo Sampling
//! for Regret Minimization in Extensive Games"): the side that learns tries all its options, chance
//! and the others are drawn at random; what the others play on the way is added to their averages.

use std::time::{Duration, Instant};

use indexmap::IndexMap;
use serde::{Serialize, Serializer};

use super::extensive_form::{ALWAYS, ExtensiveForm, FIRST, Role, StopCheck};
use super::matrix::{Scalar, normalise};
use super::solution::{Choice, Solution, StrategyLine, named_gains};
use super::strategy::{self, Responder, Strategy, even, expected, met, value_at, worths};
use super::strategy_lines::sights;
use crate::conflict::Seating;
use crate::error::Error;
use crate::game::{Generator, Value};
use crate::graph::{Explorer, InformationSets};
use crate::number::Quantity;
use crate::report;

/// A game with more answers than this, summed over its nodes, is sampled.
const WHOLE: usize = 4_000_000;

/// Regret minimisation with its present numbers.
pub struct Learner<'a> {
    learned: RegretSums<'a>,
    method: LearningMethod,
}

enum LearningMethod {
    Whole(WholePasses),
    /// All random draws come from this seed.
    Sampled(u64),
}

/// The condition that ends learning.
#[derive(Clone, Copy, Debug)]
pub struct Until {
    /// The exploitability is no more than this, in utility.
    pub within: f64,
    /// The time has passed.
    pub time: Option<Duration>,
    /// This many answers of the game were passed through, each once an iteration.
    pub work: Option<u64>,
}

/// The progress of learning.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LearningProgress {
    /// The number of iterations so far.
    pub iterations: u64,
    /// The time it took, in seconds.
    #[serde(rename = "seconds", serialize_with = "in_seconds")]
    pub taken: Duration,
    /// The most that any side gains by its best answer, in utility.
    pub exploitability: f64,
}

fn in_seconds<S: Serializer>(taken: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(taken.as_secs_f64())
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Learned {
    /// The progress at the last evaluation.
    pub progress: LearningProgress,
    /// The result of the last evaluation.
    pub(crate) judged: Judged,
    /// Whether the caller stopped it before it was near enough.
    pub interrupted: bool,
}

/// A strategy, with what each side gains by its best answer.
pub(crate) type Judged = (Strategy, Vec<f64>);

/// Called with the progress; an error stops learning.
pub(crate) type OnProgress<'a> = dyn FnMut(&LearningProgress) -> Result<(), Error> + 'a;

impl<'a> Learner<'a> {
    /// A learner that suits the size of the game, without regrets; random draws, if any, come from the seed.
    pub fn new(tree: &'a ExtensiveForm, seed: u64) -> Learner<'a> {
        match tree.to().len() <= WHOLE {
            true => Learner::whole(tree),
            false => Learner::sampled(tree, seed),
        }
    }

    /// One that goes through the whole game in each iteration.
    pub fn whole(tree: &'a ExtensiveForm) -> Learner<'a> {
        Learner::by(tree, LearningMethod::Whole(WholePasses::new(tree)))
    }

    /// One that draws a sample for each side in each iteration.
    pub fn sampled(tree: &'a ExtensiveForm, seed: u64) -> Learner<'a> {
        Learner::by(tree, LearningMethod::Sampled(seed))
    }

    fn by(tree: &'a ExtensiveForm, method: LearningMethod) -> Learner<'a> {
        let slots = || vec![0.0; tree.slots];
        let learned = RegretSums { tree, iterations: 0, regrets: slots(), sums: slots() };
        Learner { learned, method }
    }

    /// The number of iterations so far.
    pub fn iterations(&self) -> u64 {
        self.learned.iterations
    }

    /// The strategy that comes near an equilibrium.
    pub fn average(&self) -> Strategy {
        strategy::in_proportion(self.learned.tree, &self.learned.sums)
    }

    /// The method in words.
    pub fn method(&self) -> &'static str {
        match self.method {
            LearningMethod::Whole(_) => "counterfactual regret minimisation (CFR+)",
            LearningMethod::Sampled(_) => "counterfactual regret minimisation (external sampling)",
        }
    }

    /// The seed of its random draws, if there are any.
    pub(crate) fn seed(&self) -> Option<u64> {
        if let LearningMethod::Sampled(seed) = self.method { Some(seed) } else { None }
    }

    /// Each side learns once.
    pub fn iterate(&mut self) {
        _ = self.iterate_while(&StopCheck::new(ALWAYS));
    }

    /// Each side learns once. `None` if it was stopped, and a part of that was learned.
    pub(crate) fn iterate_while(&mut self, wanted: &StopCheck<'_>) -> Option<()> {
        match &mut self.method {
            LearningMethod::Whole(passes) => passes.iterate(&mut self.learned, wanted),
            LearningMethod::Sampled(seed) => self.learned.sample(*seed, wanted),
        }
    }

    /// Learns until it is near enough or time is up, and returns the progress. It learns at least
    /// once, however short the time. `may_continue` is called all the while; the last evaluation before it
    /// refused counts.
    ///
    /// # Errors
    /// That of `on_progress`, which is called now and then with the progress. An interruption or a bound
    /// that is reached is no error once there was an evaluation.
    pub(crate) fn learn(
        &mut self,
        until: Until,
        on_progress: &mut OnProgress<'_>,
        may_continue: &dyn Fn() -> Result<(), Error>,
    ) -> Result<Learned, Error> {
        let tree = self.learned.tree;
        let mut responder = Responder::new(tree);
        let is_wanted = || may_continue().is_ok();
        let wanted = StopCheck::new(&is_wanted);
        let pace = Pace::new(until, tree.to().len() as u64, OFTEN);
        pace.run(on_progress, may_continue, |pace| {
            while pace.iterates() {
                self.iterate_while(&wanted)?;
            }
            let (strategy, begun) = (self.average(), Instant::now());
            let gains = responder.gains(&strategy, &wanted)?;
            pace.judged = begun.elapsed();
            let greatest = gains.iter().copied().fold(0.0, f64::max);
            Some((self.iterations(), greatest, (strategy, gains)))
        })
    }
}

/// The distance to the next evaluation.
pub(crate) struct Pace {
    /// The number of iterations, since the beginning of this learning, at which it is due.
    due: u64,
    /// How many there were, and how many at the last evaluation.
    done: u64,
    evaluated: u64,
    most: u64,
    begun: Instant,
    until: Until,
    /// The longest time between two reports of progress, and the latest time of the next.
    often: Duration,
    look: Duration,
    /// The time that the last evaluation took: this much is kept for the next.
    judged: Duration,
}

/// The longest time between two reports of progress.
const OFTEN: Duration = Duration::from_secs(1);

impl Pace {
    fn new(until: Until, iteration: u64, often: Duration) -> Pace {
        let most = until.work.map_or(u64::MAX, |work| (work / iteration.max(1)).max(1));
        let (begun, judged) = (Instant::now(), Duration::ZERO);
        Pace { due: 1, done: 0, evaluated: 0, most, begun, until, often, look: often, judged }
    }

    /// Whether another iteration comes before the next evaluation; counts it.
    pub(crate) fn iterates(&mut self) -> bool {
        let waits = self.begun.elapsed() >= self.look || self.is_late();
        let more = self.done < self.due && (self.done == self.evaluated || !waits);
        self.done += u64::from(more);
        more
    }

    /// Whether no more time is left than an evaluation takes.
    fn is_late(&self) -> bool {
        self.until.time.is_some_and(|time| self.begun.elapsed() + self.judged >= time)
    }

    /// Evaluates the progress after 1, 2, 4, … iterations, later after each further quarter, and at least
    /// every second. Where it ends, an evaluation decides that was due by the number of iterations: those in
    /// between are there so that a user who waits sees progress, and when they come depends on the machine. `work`
    /// returns the progress, or `None` if `may_continue` refused.
    fn run(
        mut self,
        on_progress: &mut OnProgress<'_>,
        may_continue: &dyn Fn() -> Result<(), Error>,
        mut work: impl FnMut(&mut Pace) -> Option<(u64, f64, Judged)>,
    ) -> Result<Learned, Error> {
        let mut last: Option<Learned> = None;
        loop {
            let heard = match work(&mut self) {
                Some((iterations, exploitability, judged)) => {
                    let taken = self.begun.elapsed();
                    let progress = LearningProgress { iterations, exploitability, taken };
                    last = Some(Learned { progress, judged, interrupted: false });
                    on_progress(&progress).and_then(|()| may_continue())
                }
                None => may_continue().and(Err(Error::Interrupted)),
            };
            let is_due = self.done == self.due;
            let is_enough = |learned: &Learned| {
                let near = learned.progress.exploitability <= self.until.within;
                is_due && (near || self.done == self.most)
            };
            match (heard, last.take()) {
                (Err(Error::Interrupted), Some(learned)) => {
                    return Ok(Learned { interrupted: true, ..learned });
                }
                (Err(Error::Bound(_)), Some(learned)) => return Ok(learned),
                (Err(error), _) => return Err(error),
                (Ok(()), Some(learned)) if is_enough(&learned) || self.is_late() => {
                    return Ok(learned);
                }
                (Ok(()), learned) => last = learned,
            }
            self.look = self.begun.elapsed() + self.often;
            self.evaluated = self.done;
            if is_due {
                // What looking takes is no more than a part of what learning takes.
                self.due = (self.due + (self.due / 4).max(1)).min(self.most);
            }
        }
    }
}

/// What every method of regret minimisation learns.
struct RegretSums<'a> {
    tree: &'a ExtensiveForm,
    iterations: u64,
    /// By slots.
    regrets: Vec<f64>,
    /// The sums of the strategies so far, by slots.
    sums: Vec<f64>,
}

/// What whole passes work with. All arrays are by slots but the last two, which are by nodes.
struct WholePasses {
    strategy: Strategy,
    /// The probability that the own picks lead to an option and through it.
    own: Vec<f64>,
    change: Vec<f64>,
    reach: Vec<f64>,
    value: Vec<f64>,
}

impl WholePasses {
    fn new(tree: &ExtensiveForm) -> WholePasses {
        let slots = || vec![0.0; tree.slots];
        WholePasses {
            strategy: strategy::even(tree),
            own: slots(),
            change: slots(),
            reach: vec![0.0; tree.len()],
            value: vec![0.0; tree.len()],
        }
    }

    /// Each side learns once, in turn. `None` if it was stopped, and a part of that was learned.
    fn iterate(&mut self, learned: &mut RegretSums<'_>, wanted: &StopCheck<'_>) -> Option<()> {
        learned.iterations += 1;
        for side in 0..learned.tree.sides() {
            // The side itself does all it can to get to each node.
            let WholePasses { reach, strategy, .. } = self;
            strategy::reaches_while(learned.tree, strategy, Some(side), reach, wanted)?;
            self.regret(learned.tree, side as u32, wanted)?;
            self.learn(learned, side);
        }
        Some(())
    }

    /// The expected utility of the side at each node, and its regrets.
    fn regret(&mut self, tree: &ExtensiveForm, side: u32, wanted: &StopCheck<'_>) -> Option<()> {
        let WholePasses { reach, strategy, change, value, .. } = self;
        for (node, role) in tree.roles.iter().enumerate().rev() {
            if wanted.stops() {
                return None;
            }
            let here = value_at(tree, (node, *role), strategy, side as usize, value);
            value[node] = here;
            let Role::Set(set) = *role else { continue };
            let (set, reached) = (&tree.sets[set as usize], reach[node]);
            if set.side == side && reached > 0.0 {
                let to = &tree.to()[tree.answers(node)];
                for (change, &to) in change[set.slots()].iter_mut().zip(to) {
                    *change += reached * (value[to as usize] - here);
                }
            }
        }
        Some(())
    }

    /// Adds the strategy to the average, and makes the next one.
    fn learn(&mut self, learned: &mut RegretSums<'_>, side: usize) {
        let later = learned.iterations as f64;
        for &number in &learned.tree.recall.sets[side] {
            let slots = learned.tree.sets[number as usize].slots();
            let reach = own_reach(&learned.tree.recall.before[number as usize], &self.own);
            let mut total = 0.0;
            for slot in slots.clone() {
                let through = reach * self.strategy[slot];
                self.own[slot] = through;
                learned.sums[slot] += later * through;
                let change = std::mem::replace(&mut self.change[slot], 0.0);
                let regret = (learned.regrets[slot] + change).max(0.0);
                learned.regrets[slot] = regret;
                total += regret;
            }
            let even = 1.0 / slots.len() as f64;
            for slot in slots {
                self.strategy[slot] =
                    if total > 0.0 { learned.regrets[slot] / total } else { even };
            }
        }
    }
}

/// The probability that own picks lead to an information set; of several ways the mean.
#[inline]
fn own_reach(before: &[u32], own: &[f64]) -> f64 {
    let through = |&slot: &u32| if slot == FIRST { 1.0 } else { own[slot as usize] };
    match before {
        [only] => through(only),
        several => several.iter().map(through).sum::<f64>() / several.len().max(1) as f64,
    }
}

impl RegretSums<'_> {
    /// Each side learns once from a sample of its own. `None` if it was stopped.
    fn sample(&mut self, seed: u64, wanted: &StopCheck<'_>) -> Option<()> {
        let sides = self.tree.sides() as u64;
        for side in 0..sides {
            let mut rng = Generator::playout(seed, self.iterations * sides + side);
            self.go(side as u32, &mut rng, wanted)?;
        }
        self.iterations += 1;
        Some(())
    }

    /// Goes through a sample depth first, without recursion: games may be long.
    fn go(&mut self, side: u32, rng: &mut Generator, wanted: &StopCheck<'_>) -> Option<()> {
        let tree = self.tree;
        let mut open: Vec<Trial> = Vec::new();
        let mut at = 0;
        loop {
            if wanted.stops() {
                return None;
            }
            // Down to an end, stopping at each own decision to try its options one by one.
            let mut value = match tree.roles[at] {
                Role::End(ending) => tree.payoffs(ending)[side as usize],
                Role::Chance => {
                    let answers = tree.answers(at);
                    let nth = drawn(&tree.chances[answers.clone()], rng);
                    at = tree.to()[answers.start + nth] as usize;
                    continue;
                }
                Role::Set(set) => {
                    let known = &tree.sets[set as usize];
                    // In proportion to regrets above 0.
                    let regrets = self.regrets[known.slots()].iter();
                    let mut weights: Vec<f64> = regrets.map(|regret| regret.max(0.0)).collect();
                    normalise(&mut weights);
                    let first = tree.answers(at).start;
                    if known.side == side {
                        open.push(Trial { set, node: at, weights, values: Vec::new() });
                        at = tree.to()[first] as usize;
                    } else {
                        for (slot, weight) in known.slots().zip(&weights) {
                            self.sums[slot] += weight;
                        }
                        at = tree.to()[first + drawn(&weights, rng)] as usize;
                    }
                    continue;
                }
            };
            // And up again to the last own decision with an option that was not tried.
            loop {
                let Some(trial) = open.last_mut() else { return Some(()) };
                trial.values.push(value);
                if trial.values.len() < trial.weights.len() {
                    let next = tree.answers(trial.node).start + trial.values.len();
                    at = tree.to()[next] as usize;
                    break;
                }
                let Some(trial) = open.pop() else { return Some(()) };
                value = trial.weights.iter().zip(&trial.values).map(|(w, v)| w * v).sum();
                let slots = tree.sets[trial.set as usize].slots();
                for (slot, worth) in slots.zip(&trial.values) {
                    self.regrets[slot] += worth - value;
                }
            }
        }
    }
}

/// An own decision whose options are being tried.
struct Trial {
    set: u32,
    node: usize,
    weights: Vec<f64>,
    values: Vec<f64>,
}

/// Draws one by weights that sum to 1.
fn drawn(weights: &[f64], rng: &mut Generator) -> usize {
    // The 53 highest bits, as a number from 0 to 1, 1 excluded.
    let mut left = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    for (nth, weight) in weights.iter().enumerate() {
        left -= weight;
        if left < 0.0 {
            return nth;
        }
    }
    // Rounding alone comes here: the last that may be drawn.
    weights.iter().rposition(|weight| *weight > 0.0).unwrap_or_default()
}

// Conflicts with hidden information.

/// The seed of the samples, if any are drawn.
const SEED: u64 = 0;

/// Solves a conflict whose graph has been explored for all play. `on_progress` is called with the
/// progress; an interruption is no error, but gives a solution less near.
///
/// # Errors
/// As [`ExtensiveForm::draw`]; [`Error::Unsolved`] if one side may win what no other loses.
pub fn solve_hidden(
    seating: &Seating,
    explorer: &Explorer,
    known: &mut InformationSets,
    until: Until,
    on_progress: &mut OnProgress<'_>,
) -> Result<Solution, Error> {
    let begun = Instant::now();
    let drawn: ExtensiveForm = ExtensiveForm::draw(seating, explorer, known, &|_| true)?;
    // Once it has learned, it takes about as long to say for each information set what to do there.
    let kept = 2 * begun.elapsed();
    let until = Until { time: until.time.map(|time| time - kept.min(time / 2)), ..until };
    let mut solution = match drawn.deciding().count() {
        0 | 1 => match alone(seating, &drawn, known) {
            Some(solution) => solution,
            None => return Err(seating.stopped()),
        },
        _ if drawn.opposed => by_turns(seating, &drawn, known, until, on_progress)?,
        _ => {
            return Err(Error::unsolved(
                "no method fits more than two sides, nor two that can both win",
            ));
        }
    };
    solution.sort();
    Ok(solution)
}

/// Solves a game of one side, which has nothing to learn because nobody answers. `None` if it was
/// stopped.
fn alone(seating: &Seating, drawn: &ExtensiveForm, known: &InformationSets) -> Option<Solution> {
    let may_continue = || seating.may_continue().is_ok();
    let (wanted, mut responder) = (StopCheck::new(&may_continue), Responder::new(drawn));
    let mut picks = even(drawn);
    for side in 0..drawn.sides() {
        let best = responder.best(side, &picks, &wanted)?;
        for (&set, &pick) in drawn.recall.sets[side].iter().zip(&best.picks) {
            picks[drawn.sets[set as usize].slots()].fill(0.0);
            picks[pick as usize] = 1.0;
        }
    }
    let gains = responder.gains(&picks, &wanted)?;
    let method = "best response to chance".to_owned();
    Some(Solution { method, ..played(seating, drawn, known, &picks, &gains) })
}

/// What comes of a strategy, and what each side gains by playing differently.
pub(crate) fn played<W: Scalar>(
    seating: &Seating,
    drawn: &ExtensiveForm<W>,
    known: &InformationSets,
    strategy: &[W],
    gains: &[f64],
) -> Solution {
    Solution {
        value: named(drawn, strategy),
        exploitability: gains.iter().copied().fold(0.0, f64::max),
        gains: named_gains(&drawn.seats, gains),
        strategy: lines(seating, drawn, known, strategy),
        ..Solution::default()
    }
}

/// Solves a game of two sides in which one wins what the other loses.
fn by_turns(
    seating: &Seating,
    drawn: &ExtensiveForm,
    known: &InformationSets,
    until: Until,
    on_progress: &mut OnProgress<'_>,
) -> Result<Solution, Error> {
    let mut learner = Learner::new(drawn, SEED);
    let learned = learner.learn(until, on_progress, &|| seating.may_continue())?;
    let Learned { progress, judged: (strategy, gains), interrupted } = learned;
    let mut notes = vec![report::many(progress.iterations, "iteration")];
    notes.extend(learner.seed().map(|seed| format!("samples were drawn, seed {seed}")));
    Ok(Solution {
        method: learner.method().to_owned(),
        exploitability: progress.exploitability,
        notes,
        interrupted,
        ..played(seating, drawn, known, &strategy, &gains)
    })
}

/// What each seat can expect of a strategy.
pub(crate) fn named<W: Scalar>(
    drawn: &ExtensiveForm<W>,
    strategy: &[W],
) -> IndexMap<String, Quantity> {
    let named = drawn.seats.iter().zip(expected(drawn, strategy));
    named.map(|(seat, value)| (seat.name.clone(), value.into())).collect()
}

pub(crate) fn lines<W: Scalar>(
    seating: &Seating,
    drawn: &ExtensiveForm<W>,
    known: &InformationSets,
    weights: &[W],
) -> Vec<StrategyLine> {
    let sights = sights(known.sets(), &seating.graph);
    let (worths, reached) = (worths(drawn, weights), met(drawn, weights));
    let mut lines = Vec::new();
    for ((set, (number, _)), reach) in drawn.sets.iter().zip(&drawn.of_rules).zip(reached) {
        let Some(rules) = known.sets().get(*number) else { continue };
        let node = set.nodes.first().map_or(0, |&node| drawn.game.nodes[node as usize]);
        let side = &drawn.seats[set.side as usize].players;
        let choice = |(option, slot): (&Value, usize)| {
            Choice::new(option, weights[slot].clone(), worths[slot].clone())
        };
        lines.push(StrategyLine {
            reach,
            options: rules.asked.values().iter().zip(set.slots()).map(choice).collect(),
            ..sights[*number].line(rules, &seating.graph, node, side)
        });
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Learns what is off by 1 over the number of iterations; returns how many there were at the end and at
    /// each look.
    fn learned(until: Until, often: Duration) -> (u64, Vec<u64>) {
        let mut looks = Vec::new();
        let mut iterations = 0;
        let work = |pace: &mut Pace| {
            while pace.iterates() {
                iterations += 1;
            }
            Some((iterations, 1.0 / iterations as f64, Judged::default()))
        };
        let mut on_progress = |progress: &LearningProgress| {
            looks.push(progress.iterations);
            Ok(())
        };
        let pace = Pace::new(until, 10, often);
        let learned = pace.run(&mut on_progress, &|| Ok(()), work).unwrap();
        (learned.progress.iterations, looks)
    }

    #[test]
    fn looks_in_between_decide_nothing() {
        // Due after 1, 2, … 8 iterations, then a quarter more: 10. After 9 it is near enough.
        let until = Until { within: 1.0 / 9.0, time: None, work: None };
        let (rare, often) = (Duration::MAX / 2, Duration::ZERO);
        assert_eq!(learned(until, rare), (10, vec![1, 2, 3, 4, 5, 6, 7, 8, 10]));
        assert_eq!(learned(until, often), (10, (1..=10).collect()));
    }

    #[test]
    fn work_is_bounded_by_iterations() {
        // 90 are 9 iterations of 10.
        let until = Until { within: 0.0, time: None, work: Some(90) };
        assert_eq!(learned(until, Duration::ZERO).0, 9);
        assert_eq!(learned(Until { work: Some(5), ..until }, Duration::ZERO).0, 1);
    }
}
