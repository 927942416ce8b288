//! Measures drama, luck and dead options from playouts: at every question the expectations are estimated
//! by further playouts from there.
//!
//! What chance and choices move is a sum of squares of differences of expectations; the noise of the
//! further playouts is subtracted from it, so that it is right on average. Those of one number draw the same
//! at the same question, so that much of the noise is the same on both sides of a difference. What comes of the
//! same part in a row is one difference: what each answer moves is uncorrelated with the rest, so that the square of
//! the sum is the sum of the squares on average, with the noise of one. What depends on the chances to win in other
//! ways is estimated twice, once too high and once too low: the interval holds both.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

use indexmap::IndexMap;

use super::choice::{OptionTable, OptionUse, WeighedDecision};
use super::further_playouts::{CHANCE, EndWorth, PlayDrama, decided_by, drama, squares};
use super::measure_selection::MeasureSelection;
use super::portrait_measure::{Measure, of_ratio};
use super::text::HALVES;
use crate::agents::{AgentSpec, ThinkingPlan};
use crate::analysis::prospects::drawn;
use crate::analysis::{Sampling, Stage};
use crate::conflict::{Seat, Seating};
use crate::error::Error;
use crate::game::Generator;
use crate::graph::{
    Explorer, Insight, NodeKind, PlayedPart, PlayoutRunner, SeatedAgents, Standpoint,
    WorkerFactory, Worth, shared_out,
};
use crate::number::Quantity;
use crate::report;

/// The parts of this work, by what is counted in them.
const FROM_QUESTIONS: &str = "playouts from questions";
const WEIGHED: &str = "decisions that `greedy` weighs";
/// At least and at most this many conflicts.
const CONFLICTS: (u64, u64) = (16, 400);
/// At least this many questions in all of them: the numbers of few short conflicts are too uneven.
const QUESTIONS: f64 = 600.0;
/// At least and at most this many further playouts from each question.
const FURTHER: (u64, u64) = (12, 16);
/// Of this many playouts, one decision is weighed by `greedy`, which takes some hundred itself.
const OF_A_DECISION: u64 = 160;
/// At most this many decisions of a conflict are weighed.
pub(super) const OF_A_CONFLICT: u64 = 4;

pub(super) struct FollowedQuery<'a> {
    pub seating: &'a Seating,
    /// About how many playouts all of it may take, and how they are made.
    pub sampling: Sampling,
    /// How many questions a playout has.
    pub questions: f64,
    /// The most that each seat may win or lose.
    pub range: Vec<f64>,
    pub wanted: &'a MeasureSelection,
    /// Hears how far it has come.
    pub progress: &'a (dyn Fn(Stage) + Sync),
}

#[derive(Default)]
pub(super) struct FollowedPlayouts {
    /// Drama and luck, and decisions with one sensible option.
    pub measures: Vec<Measure>,
    pub options: Vec<OptionUse>,
    /// How many conflicts there were.
    pub n: u64,
    /// How many playouts would halve the intervals, where more conflicts are looked at then.
    pub further: Option<u64>,
    /// What is left out, and why.
    pub notes: Vec<String>,
    /// Whether it was stopped.
    pub cut: Option<Error>,
}

/// A conflict that was gone along.
struct FollowedPlayout {
    /// What each part moved, by the name of its measure.
    moved: IndexMap<String, f64>,
    drama: PlayDrama,
    /// How many decisions there were.
    met: usize,
    /// The nodes of those that are weighed.
    nodes: Vec<u32>,
    /// Those that were weighed: a node, and what `greedy` finds its options to be worth.
    decisions: Vec<(u32, Worth)>,
}

/// How many conflicts are gone along, with how many further playouts from each question, and of how many decisions in
/// all of them `greedy` weighs the options.
#[derive(Clone, Copy)]
pub(super) struct FollowedPlan {
    pub conflicts: u64,
    pub further: u64,
    pub weighed: u64,
}

impl FollowedPlan {
    /// What about this number of playouts allows, where each has this number of questions.
    pub(super) fn of(n: u64, questions: f64) -> FollowedPlan {
        let (fewest, most) = CONFLICTS;
        let (few, many) = FURTHER;
        let enough = (QUESTIONS / questions) as u64;
        let conflicts = ((n as f64 / each(questions)) as u64).max(enough).clamp(fewest, most);
        // Long conflicts have fewer from each: what all of them say of a whole conflict varies less.
        let further = match conflicts > fewest {
            true => many,
            false => ((n / fewest) as f64 / each(questions) * many as f64) as u64,
        };
        let weighed = (n / OF_A_DECISION).clamp(conflicts, OF_A_CONFLICT * conflicts);
        FollowedPlan { conflicts, further: further.clamp(few, many), weighed }
    }

    pub(super) fn playouts(self, questions: f64) -> f64 {
        (self.conflicts * self.further) as f64 * questions
    }
}

/// About how many playouts one conflict takes at most, by the number of its questions.
fn each(questions: f64) -> f64 {
    // A further playout begins half-way, on average.
    questions * FURTHER.1 as f64 / 2.0
}

impl FollowedQuery<'_> {
    pub(super) fn find(&self) -> Result<FollowedPlayouts, Error> {
        let questions = self.questions.max(1.0);
        let plan = FollowedPlan::of(self.sampling.n, questions);
        let FollowedPlan { conflicts, further: beside, weighed } = plan;
        let seats = self.seating.players.seats();
        let (made, all) = (AtomicU64::new(0), plan.playouts(questions) as u64);
        if self.wanted.follows() {
            (self.progress)(Stage::Begin(FROM_QUESTIONS));
        }
        let further = &|| {
            let made = beside + made.fetch_add(beside, Ordering::Relaxed);
            (self.progress)(Stage::Part(FROM_QUESTIONS, made, all));
        };
        let worker = || {
            let mut runner = self.seating.playout_runner()?;
            let seats = &seats;
            Ok(move |number: usize| {
                let number = number as u64;
                let mut gone = self.one(&mut runner, seats, (number, beside), further)?;
                let mut rng = Generator::playout(self.sampling.seed ^ 1, number);
                rng.shuffle(&mut gone.nodes);
                let weighed = (weighed + conflicts - 1 - number) / conflicts;
                let weighed = if self.wanted.has("choice") { weighed } else { 0 };
                gone.nodes.truncate(weighed as usize);
                Ok(gone)
            })
        };
        let worked = shared_out(self.sampling.threads, conflicts as usize, worker)?;
        let mut cut = worked.cut;
        let short = cut.as_ref().and_then(Error::cut).is_some_and(|cut| !cut.is_asked_for());
        if worked.done.is_empty() || short {
            // Those that memory was enough for are the short ones.
            return Ok(FollowedPlayouts { cut, ..FollowedPlayouts::default() });
        }
        let mut all = worked.done;
        if cut.is_none() && self.wanted.has("choice") {
            match self.weigh(&mut all) {
                Err(error) if error.cut().is_some() => cut = Some(error),
                weighed => weighed?,
            }
        }
        let fourfold = HALVES * conflicts;
        let further =
            (fourfold <= CONFLICTS.1).then_some((fourfold as f64 * each(questions)) as u64);
        Ok(FollowedPlayouts { further, ..self.measured(&seats, all, cut) })
    }

    fn one(
        &self,
        runner: &mut PlayoutRunner,
        seats: &[Seat],
        (number, beside): (u64, u64),
        further: &dyn Fn(),
    ) -> Result<FollowedPlayout, Error> {
        // Other conflicts than those that were counted.
        let seed = Generator::playout(self.sampling.seed, u64::MAX - number).next_u64();
        let mut rng = Generator::of(seed);
        let graph = runner.explorer().graph().clone();
        let mut at = runner.explorer().beginning()?;
        let (mut outlooks, mut parts, mut nodes) = (Vec::new(), Vec::<String>::new(), Vec::new());
        let (has_drama, has_luck) = (self.wanted.has("drama"), self.wanted.has("luck"));
        let mut ends: HashMap<u32, Rc<EndWorth>> = HashMap::new();
        // Each draws the same at the same question, from whichever it begins.
        let one = |own| Beside { draws: Generator::playout(seed, own), known: None };
        let mut all: Vec<Beside> = (0..beside).map(one).collect();
        let winners = loop {
            self.seating.is_wanted()?;
            if at == 0 {
                return Err(graph.full().into());
            }
            let node = graph.node(at);
            if let Some(ending) = graph.ending(node) {
                let end = Rc::new(EndWorth::of(ending, seats));
                outlooks.push(vec![end.clone(); all.len()]);
                break end.winners.clone();
            }
            let Some(asked) = graph.question(node) else { return Err(Error::Interrupted) };
            let part = decided_by(asked, seats);
            if has_drama || has_luck && parts.last() != Some(&part) {
                let mut met = Vec::with_capacity(all.len());
                for own in &mut all {
                    let end = match &own.known {
                        Some((_, end)) => end.clone(),
                        None => {
                            let mut part = PlayedPart::default();
                            let number = runner.play_from(at, own.draws.clone(), &mut part)?;
                            let ending = graph.ending_of(number).ok_or(Error::Interrupted)?;
                            let worth = || EndWorth::of(ending, seats).into();
                            let end = ends.entry(number).or_insert_with(worth).clone();
                            own.known = Some((part.answers.into_iter(), end.clone()));
                            end
                        }
                    };
                    met.push(end);
                }
                outlooks.push(met);
                parts.push(part);
            }
            if self.wanted.follows() {
                further();
            }
            if node.kind() == NodeKind::Decision {
                nodes.push(at);
            }
            let answer = drawn(runner.shares(at)?, |shares| rng.question().fall(shares))?;
            for own in &mut all {
                own.draws.skip_question();
                own.known.take_if(|(answers, _)| answers.next() != Some(answer as u32));
            }
            at = runner.explorer().next(at, answer)?;
        };
        let (mut moved, mut from): (IndexMap<String, f64>, _) = (IndexMap::new(), 0);
        for run in parts.chunk_by(PartialEq::eq) {
            let to = from + run.len();
            *moved.entry(run[0].clone()).or_default() += squares(&outlooks[from], &outlooks[to]);
            from = to;
        }
        let drama = match has_drama {
            true => PlayDrama::of(&outlooks, seats.len(), &winners),
            false => PlayDrama::default(),
        };
        let (met, decisions) = (nodes.len(), Vec::new());
        Ok(FollowedPlayout { moved, drama, met, nodes, decisions })
    }

    /// Lets `greedy` weigh the options of these decisions of each conflict: what looks alike to who
    /// decides is weighed once.
    fn weigh(&self, all: &mut [FollowedPlayout]) -> Result<(), Error> {
        let everyone: Vec<String> = self.seating.players.names.iter().cloned().collect();
        let greedy = AgentSpec::Thinker(ThinkingPlan::Greedy);
        // What others have thought before is not asked again.
        let weigher = self.seating.thinking_anew().with([(everyone, greedy)]);
        let (explorer, _) = weigher.make_worker()?;
        let mut alike: IndexMap<String, u32> = IndexMap::new();
        let mut sets = Vec::new();
        for &node in all.iter().flat_map(|one| &one.nodes) {
            weigher.is_wanted()?;
            let key = Insight::of(&explorer, node)?.key;
            let entry = alike.entry(key);
            sets.push(entry.index());
            entry.or_insert(node);
        }
        (self.progress)(Stage::Begin(WEIGHED));
        let weighed = AtomicU64::new(0);
        let worker = || {
            let (explorer, greedy) = weigher.make_worker()?;
            let (greedy, alike, weighed) = (Rc::new(RefCell::new(greedy)), &alike, &weighed);
            Ok(move |set: usize| {
                let Some((_, &node)) = alike.get_index(set) else { return Ok(None) };
                let (done, all) = (weighed.fetch_add(1, Ordering::Relaxed), alike.len() as u64);
                (self.progress)(Stage::Part(WEIGHED, done, all));
                decided(&explorer, &greedy, node)
            })
        };
        let worked = shared_out(self.sampling.threads, alike.len(), worker)?;
        if let Some(cut) = worked.cut {
            return Err(cut);
        }
        let mut sets = sets.into_iter();
        for one in all {
            let weighed = one.nodes.iter().zip(sets.by_ref());
            let weighed =
                weighed.filter_map(|(&node, set)| Some((node, worked.done.get(set)?.clone()?)));
            one.decisions = weighed.collect();
        }
        Ok(())
    }

    fn measured(
        &self,
        seats: &[Seat],
        all: Vec<FollowedPlayout>,
        cut: Option<Error>,
    ) -> FollowedPlayouts {
        let (mut measures, mut notes) = (Vec::new(), Vec::new());
        let measured: Vec<PlayDrama> = all.iter().map(|one| one.drama).collect();
        if seats.len() > 1 && measured.iter().any(|one| one.comeback.is_some()) {
            for found in drama(&measured) {
                match found {
                    Ok(measure) => measures.push(measure),
                    Err((name, [low, high])) if self.wanted.names(name) => notes.push(format!(
                        "`{name}` is left out: by these playouts it is anything from {} to {}",
                        report::tidy(low),
                        report::tidy(high)
                    )),
                    Err(_) => {}
                }
            }
        } else if seats.len() > 1 && self.wanted.has("drama") {
            notes.push(format!(
                "`drama.comeback` and `drama.surprise` are left out: nobody won in these {}",
                report::many(all.len() as u64, "conflict")
            ));
        }
        let names = seats.iter().map(|seat| format!("luck.{}", seat.name));
        let mut names: Vec<String> = std::iter::once(CHANCE.to_owned()).chain(names).collect();
        for name in all.iter().flat_map(|one| one.moved.keys()) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        for name in names {
            let part = |one: &FollowedPlayout| one.moved.get(&name).copied().unwrap_or_default();
            let pairs: Vec<(f64, f64)> =
                all.iter().map(|one| (part(one), one.moved.values().sum())).collect();
            // Where nothing varied in any of them, or nothing by this part, there may be more all the same.
            let none = || Quantity::unbounded(all.len() as u64, 0.0);
            let share = Quantity::ratio(&pairs).unwrap_or_else(none);
            let share = if share.is_unvaried() { share } else { share.clamped(0.0, 1.0) };
            measures.push(Measure::new(name, &share).with_values(of_ratio(&pairs)));
        }
        let mut table = OptionTable::default();
        // At least, as far as is known, and at most.
        let mut forced = [Vec::new(), Vec::new(), Vec::new()];
        for one in &all {
            let mut single = [0.0; 3];
            // Each stands for those of its conflict that were not weighed.
            let each = one.met as f64 / one.decisions.len().max(1) as f64;
            for (node, worth) in &one.decisions {
                let Some(asked) = self.seating.graph.question_at(*node) else { continue };
                let (player, question, options) = (&asked.who, &asked.name, asked.values());
                let seat = seats.iter().position(|seat| seat.players.contains(player));
                let range = seat.and_then(|seat| self.range.get(seat)).copied().unwrap_or_default();
                let (worth, off) = (&worth.values, &worth.off());
                let decision = WeighedDecision { player, question, options, worth, off, range };
                table.add(&decision, each);
                let is_forced = decision.is_forced().map(|forced| f64::from(u8::from(forced)));
                single.iter_mut().zip(is_forced).for_each(|(sum, one)| *sum += each * one);
            }
            let whole = each * one.decisions.len() as f64;
            forced.iter_mut().zip(single).for_each(|(all, single)| all.push((single, whole)));
        }
        let weighed = all.iter().map(|one| one.decisions.len() as u64).sum();
        let share = |of: &Vec<(f64, f64)>| Quantity::clustered_share(of, weighed);
        if let [Some(least), Some(share), Some(most)] = forced.each_ref().map(share) {
            let (low, high) = (least.low.min(share.low), most.high.max(share.high));
            let share = Quantity { low, high, ..share };
            measures.push(Measure::new("choice.forced", &share));
        }
        let options = table.uses(true);
        let n = all.len() as u64;
        FollowedPlayouts { measures, options, n, further: None, notes, cut }
    }
}

/// What `greedy` finds the options at a decision to be worth.
fn decided(
    explorer: &Explorer,
    greedy: &Rc<RefCell<SeatedAgents>>,
    node: u32,
) -> Result<Option<Worth>, Error> {
    let greedy = greedy.clone();
    explorer.visit(node, move |decision| {
        let mut seats = greedy.borrow_mut();
        let agent = seats.agent(decision.player);
        agent.answer(decision, Standpoint::at(node))?;
        Ok(agent.worth().cloned())
    })
}

/// A further playout beside the conflict.
struct Beside {
    draws: Generator,
    /// Its answers from here on, and how it ended, where it was made from an earlier question and has answered since
    /// as the conflict did: made again from here it would be the same.
    known: Option<(std::vec::IntoIter<u32>, Rc<EndWorth>)>,
}
