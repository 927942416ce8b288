//! The odds after each option, for a player who knows no more than they see.
//!
//! Where all that may happen can be explored, each number is exact. The places that look alike to the
//! player are weighed by how likely the seated agents come there (Bayes' rule), the player's own
//! decisions left out: those they know. Else playouts continue from such places, found at random.

use std::collections::BTreeSet;
use std::time::Duration;

use indexmap::{IndexMap, IndexSet};
use num_bigint::BigUint;
use serde::Serialize;

use super::estimate::Rounds;
use super::growing_state::growing_state;
use super::odds::chances_after;
use super::visits::Visited;
use super::{Chances, Stage, StrategyLine, exploring};
use crate::agents::{LookAlikes, SavedHeader};
use crate::conflict::Seating;
use crate::error::{Cut, Error};
use crate::game::{Action, Actor, Distribution, Generator, History, Value};
use crate::graph::{
    Bounds, Explorer, Graph, Insight, OF_A_NODE, PlayoutRunner, Reach, WorkerFactory, explore,
    explore_from, with_history_to_failure,
};
use crate::number::{Amount, Exact, Interval, Quantity};
use crate::script::on_large_stack;

/// An open decision.
#[derive(Clone, Copy, Debug)]
pub struct OpenDecision<'a> {
    /// What was decided and fell before it.
    pub history: &'a History,
    /// Who is asked.
    pub who: &'a str,
    /// What for.
    pub name: &'a str,
    /// Whether all is seen that is hidden from who is asked.
    pub revealed: bool,
}

impl OpenDecision<'_> {
    /// What the one who is asked goes by, as a line of a [`Solution`](crate::analysis::Solution) is
    /// known by it. Nothing where the same side has answered a part of the same joint decision: what
    /// that was the history does not show yet.
    ///
    /// # Errors
    /// Those of the rules; [`Error::Usage`] where the place has no node.
    pub fn key(self, seating: &Seating) -> Result<Option<String>, Error> {
        on_large_stack(|| ProspectsSearch::begin(seating, self)?.key())
    }
}

/// How what comes of places is to be found.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// In intervals of floats, not in fractions.
    pub float: bool,
    /// How many threads explore.
    pub threads: usize,
    /// At most this many nodes are explored; 0 explores none.
    pub nodes: u64,
    /// Where that does not suffice, this many playouts are made of each option, or from each place.
    pub n: u64,
    /// Their seed.
    pub seed: u64,
    /// After so long it stops with the playouts there are; half of that is for exploring.
    pub time: Option<Duration>,
    /// The playouts may take about this many operations of rules and agents, and the exploring as many, judged by the
    /// first playout of each option, also where much is known already. `u64::MAX` bounds neither.
    pub work: u64,
}

/// Fractions are kept of no more nodes than these, counted once for each place that they are summed up from; of more
/// all is enclosed between floats, and of still more playouts are quicker.
pub(super) const FRACTIONS: usize = 200_000;
pub(super) const SUMMED: usize = 50_000_000;

/// What comes of each option.
#[derive(Clone, Debug, Serialize)]
pub struct Prospects {
    /// Whether every number is an exact fraction and no dice were cut off.
    pub exact: bool,
    /// How many nodes were explored, where no playouts were needed.
    pub nodes: Option<u64>,
    /// How many playouts there were of each option; 0 where none were needed.
    pub n: u64,
    /// The seed of the playouts.
    pub seed: u64,
    /// Whether places that look alike were weighed: something is hidden.
    pub hidden: bool,
    /// From how many different places that look alike the playouts continued, found at random; 0 where none
    /// were sought.
    pub(crate) worlds: usize,
    /// Whether they were drawn at random, each time for one playout; else no other place looks like this one.
    #[serde(skip)]
    pub(crate) drawn: bool,
    /// Whether fewer of these were found than were sought.
    #[serde(skip)]
    pub(crate) few: bool,
    /// Whether somebody wanted it to stop.
    pub interrupted: bool,
    /// What stopped it before it was done, if anything did.
    pub cut: Option<Cut>,
    /// What keeps states from repeating, in a sentence, if that is why not all could be explored.
    #[serde(skip)]
    pub(crate) growing: Option<String>,
    /// The options.
    pub options: Vec<Prospect>,
}

impl Prospects {
    /// Finds them under the agents seated.
    ///
    /// # Errors
    /// Those of the rules and agents; [`Error::Usage`] where the place has no node, or nothing like it
    /// was met; [`Error::Interrupted`] or [`Error::Bound`] where nothing was found before.
    pub fn find(
        seating: &Seating,
        place: OpenDecision<'_>,
        effort: Effort,
        progress: &(dyn Fn(Stage) + Sync),
    ) -> Result<Prospects, Error> {
        let seating = seating.under(seating.budget().begin(effort.time));
        on_large_stack(|| ProspectsSearch::begin(&seating, place)?.find(effort, progress))
    }

    /// What each player can expect before each answer of some of them, for who knows no more than these saw: of a
    /// history, answer by answer, where all that may happen can be explored. Nothing at the answers of others. The time of
    /// `how` is the seating's already.
    pub(crate) fn along(
        seating: &Seating,
        history: &History,
        own: &[String],
        how: Effort,
        progress: &(dyn Fn(Stage) + Sync),
    ) -> Result<Option<Vec<Option<Chances>>>, Error> {
        let bounds = Bounds { threads: how.threads, nodes: how.nodes };
        on_large_stack(|| {
            let report = exploring(seating, progress);
            if explore(&seating.graph, seating, bounds, &report)? != Reach::Whole {
                return Ok(None);
            }
            match history.len().saturating_mul(seating.graph.nodes() as usize) {
                work if work <= FRACTIONS => expected_along::<Exact>(seating, history, own),
                work if work <= SUMMED => expected_along::<Interval>(seating, history, own),
                _ => Ok(None),
            }
        })
    }

    /// The greatest chance with which more falls after an option than what is listed of dice without a
    /// last value.
    pub fn cut_off(&self) -> f64 {
        self.options.iter().map(|one| one.chances.cut_off).fold(0.0, f64::max)
    }

    /// For people: what odds are called that are as sure as the least sure of these.
    pub(crate) fn title(&self) -> &'static str {
        let all = self.options.iter().map(|one| &one.chances);
        let least = all.min_by_key(|chances| (chances.is_in_fractions(), chances.is_exact()));
        least.map_or("odds", Chances::title)
    }

    /// For people: why there are no exact odds, if states never repeat.
    pub(crate) fn endless_states(&self) -> Option<String> {
        Some(format!("exact odds are out of reach: {}", self.growing.as_ref()?))
    }

    /// Adds what a solution says of each option.
    pub(crate) fn advise(&mut self, line: &StrategyLine) {
        for (prospect, choice) in self.options.iter_mut().zip(&line.options) {
            prospect.weight = Some(choice.weight.clone());
            prospect.value = Some(choice.utility.clone());
        }
    }
}

/// An option with what comes of it.
#[derive(Clone, Debug, Serialize)]
pub struct Prospect {
    /// The option.
    pub option: Value,
    /// The chances after it, as far as they were found.
    #[serde(flatten)]
    pub chances: Chances,
    /// How often a solution picks it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<Quantity>,
    /// What it is worth in that solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Quantity>,
}

// The places from which playouts begin that start at the current place of a conflict.

#[derive(Clone, Debug)]
pub(crate) struct Here {
    /// The nodes of the graph, in turn.
    pub nodes: Vec<u32>,
    /// Whether each was drawn at random: it is listed once each time that it was met, and each time is for one playout, as more
    /// from it would not be independent.
    pub drawn: bool,
    /// Whether fewer were found than were sought.
    pub few: bool,
    /// To whom they look alike, where something is hidden from who is asked.
    pub(crate) alike_to: Option<String>,
}

impl Here {
    /// At most this many places that look alike are sought.
    const ENOUGH: u64 = 10_000;
    /// This many where there is only some time, of which the playouts need most.
    const SOON: u64 = 1_000;

    /// How many places are sought for this many playouts.
    pub(crate) fn sought(n: u64, is_timed: bool) -> u64 {
        n.clamp(1, if is_timed { Here::SOON } else { Here::ENOUGH })
    }

    /// How many of this many playouts are independent that begin there.
    pub(crate) fn most(&self, n: u64) -> u64 {
        if self.drawn { n.min(self.nodes.len() as u64) } else { n }
    }

    /// How many places they are of which the first playouts begin at one each, however often one was met.
    pub(crate) fn places(&self, playouts: u64) -> usize {
        let begun = self.nodes.len().min(usize::try_from(playouts).unwrap_or(usize::MAX));
        self.nodes[..begun].iter().collect::<BTreeSet<_>>().len()
    }

    /// The places of an open decision: the one at hand, or where something is hidden from the player who is
    /// asked, about this many places that look alike to that player, found by playing at random.
    pub(crate) fn of_decision(
        seating: &Seating,
        place: OpenDecision<'_>,
        (n, seed): (u64, u64),
        time: Option<Duration>,
    ) -> Result<Here, Error> {
        on_large_stack(|| {
            let here = ProspectsSearch::begin(seating, place)?.here((n, seed), time);
            here.map_err(|error| error.in_drawn_place(place.who))?.found()
        })
    }

    /// The place after a history of which all is seen.
    pub(crate) fn after(seating: &Seating, history: &History) -> Result<Here, Error> {
        on_large_stack(|| {
            let node = GraphWay::of(&seating.playout_runner()?, history)?.to;
            Ok(Here { nodes: vec![node], drawn: false, few: false, alike_to: None })
        })
    }

    /// The same, if there is any.
    fn found(self) -> Result<Here, Error> {
        if self.nodes.is_empty() {
            return Err(Error::usage(
                "no random playout reached a place that looks like this one; after `:reveal` none is needed",
            ));
        }
        Ok(self)
    }

    /// The error of a playout from there, as the one who is asked may read it.
    pub(crate) fn blamed(&self, error: Error) -> Error {
        match &self.alike_to {
            Some(who) => error.in_drawn_place(who),
            None => error,
        }
    }
}

/// Nodes, each with how likely it is beside the others.
type Worlds<A> = Vec<(u32, A)>;

impl<A: Amount> Visited<A> {
    /// For each of some decisions the nodes that look to the player who is asked there like that one, each with how
    /// likely it is. What a player goes by is found once at each node.
    fn alike(
        &self,
        seating: &Seating,
        explorer: &Explorer,
        decisions: &[u32],
    ) -> Result<Vec<Worlds<A>>, Error> {
        let key = |node: u32| Insight::of(explorer, node).map(|insight| insight.key);
        let sought = decisions.iter().map(|&node| key(node)).collect::<Result<Vec<_>, Error>>()?;
        let mut all: Vec<Worlds<A>> = vec![Vec::new(); sought.len()];
        for (&number, visits) in self.game.nodes.iter().zip(&self.visits) {
            let is_asked = |&node: &u32| asks_the_same(explorer.graph(), number, node);
            if visits.is_zero() || !decisions.iter().any(is_asked) {
                continue;
            }
            seating.may_continue()?;
            let key = key(number)?;
            let alike = all.iter_mut().zip(&sought).filter(|(_, sought)| **sought == key);
            alike.for_each(|(worlds, _)| worlds.push((number, visits.clone())));
        }
        for worlds in &mut all {
            let mut total = A::zero();
            worlds.iter().for_each(|(_, visits)| total.add_assign(visits));
            worlds.iter_mut().for_each(|(_, visits)| *visits = visits.div(&total));
        }
        Ok(all)
    }
}

/// What each player can expect before each answer of some of them, for who knows what these saw: of a history, answer
/// by answer, where the graph is whole. Nothing at answers of others, where the agents seated never get, and where that
/// cannot be solved.
fn expected_along<A: Amount>(
    seating: &Seating,
    history: &History,
    own: &[String],
) -> Result<Option<Vec<Option<Chances>>>, Error> {
    let _charge = seating.budget().charge_thread();
    let runner = seating.playout_runner()?;
    let nodes = GraphWay::of(&runner, history)?.nodes();
    let Some(visited) = Visited::<A>::of(seating)? else { return Ok(None) };
    let is_own =
        |action: &Action| matches!(&action.actor, Actor::Player(player) if own.contains(player));
    let asked = history.actions().zip(&nodes).enumerate();
    let asked = asked.filter(|(_, (action, _))| is_own(action));
    let (places, asked): (Vec<usize>, Vec<u32>) = asked.map(|(at, (_, &node))| (at, node)).unzip();
    let mut found = vec![None; history.actions().count()];
    for (at, worlds) in places.into_iter().zip(visited.alike(seating, runner.explorer(), &asked)?) {
        if !worlds.is_empty() {
            found[at] = chances_after(&visited.game, seating, worlds).ok();
        }
    }
    seating.may_continue()?;
    Ok(Some(found))
}

impl ProspectsSearch<'_> {
    /// The odds after each option, and how many nodes were explored, where all that may happen can be.
    fn explored<A: Amount>(
        &mut self,
        seating: &Seating,
        effort: Effort,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Option<(Vec<Chances>, u64)>, Error> {
        let _charge = seating.budget().charge_thread();
        let graph = seating.graph.clone();
        let bounds = Bounds { threads: effort.threads, nodes: effort.nodes };
        let worlds = match self.hides {
            false => self.parts(self.begins, A::one())?,
            true => {
                let reach = explore(&graph, seating, bounds, progress)?;
                if !self.reached_all(reach, seating)? {
                    return Ok(None);
                }
                let Some(visited) = Visited::of(seating)? else { return Ok(None) };
                let mut alike = visited.alike(seating, self.runner.explorer(), &[self.way.to])?;
                alike.pop().unwrap_or_default()
            }
        };
        if worlds.is_empty() {
            // Agents who sit there now may never come here.
            return Ok(None);
        }
        let mut after = Vec::new();
        for option in 0..self.options.len() {
            let mut steps: IndexMap<u32, A> = IndexMap::new();
            for (world, weight) in &worlds {
                match self.runner.explorer().next(*world, option)? {
                    0 => return Ok(None),
                    to => steps.entry(to).or_insert_with(A::zero).add_assign(weight),
                }
            }
            after.push(steps);
        }
        // In the order in which they are found: their numbers depend on what was explored before.
        let starts: IndexSet<u32> = after.iter().flat_map(|steps| steps.keys().copied()).collect();
        let starts: Vec<u32> = starts.into_iter().collect();
        let reach = explore_from(&graph, seating, bounds, &starts, progress)?;
        if !self.reached_all(reach, seating)? {
            return Ok(None);
        }
        let policies = seating.policies()?;
        let game = seating.game(&policies, &starts)?;
        let mut found = Vec::new();
        for steps in after {
            let Ok(chances) = chances_after(&game, seating, steps) else {
                return seating.may_continue().map(|()| None);
            };
            found.push(chances);
        }
        Ok(Some((found, game.len() as u64)))
    }

    /// The nodes of the decision after those whose joint decision begins at a node, each with how
    /// likely others answer so.
    fn parts<A: Amount>(&mut self, begins: u32, weight: A) -> Result<Worlds<A>, Error> {
        if asks_the_same(self.runner.explorer().graph(), begins, self.way.to) {
            return Ok(vec![(begins, weight)]);
        }
        let shares = self.runner.shares(begins)?;
        let total: BigUint = shares.iter().map(|(_, share)| share).sum();
        let mut all = Vec::new();
        for (answer, share) in shares {
            let to = known(self.runner.explorer().next(begins, answer)?)?;
            let weight = weight.mul(&A::ratio(&share, &total));
            all.extend(self.parts(to, weight)?);
        }
        Ok(all)
    }
}

// Finds the place of a decision in the graph, and makes playouts from there.

/// The place in the graph, and the agents that play from there.
struct ProspectsSearch<'a> {
    seating: &'a Seating,
    place: OpenDecision<'a>,
    runner: PlayoutRunner,
    /// The node at which the decision, or the joint one that it is part of, begins.
    begins: u32,
    /// To the part that the player has of it.
    way: GraphWay,
    options: Vec<Value>,
    /// Whether the rules hide something from the player who is asked.
    hides: bool,
    /// What keeps states from repeating, where not all could be explored.
    growing: Option<String>,
    /// The operations of rules, and the questions, of all playouts that were made.
    made: (u64, u64),
}

impl<'a> ProspectsSearch<'a> {
    fn begin(seating: &'a Seating, place: OpenDecision<'a>) -> Result<ProspectsSearch<'a>, Error> {
        let runner = seating.playout_runner()?;
        let mut way = GraphWay::of(&runner, place.history)?;
        let begins = way.to;
        to_part(runner.explorer(), &mut way, place)?;
        let asked = runner.explorer().graph().question_at(way.to);
        let options = asked.map(|asked| asked.values().to_vec()).unwrap_or_default();
        let hides = runner.explorer().rules().hides() && !place.revealed;
        let (growing, made) = (None, (0, 0));
        Ok(ProspectsSearch { seating, place, runner, begins, way, options, hides, growing, made })
    }

    /// What the player who is asked goes by; nothing where that is not known.
    fn key(&self) -> Result<Option<String>, Error> {
        let explorer = self.runner.explorer();
        let graph = explorer.graph();
        let who = |node: u32| graph.question_at(node).map(|asked| &asked.who);
        let Some(asked) = who(self.way.to) else { return Ok(None) };
        let own = self.seating.players.beside(asked);
        let mut at = self.way.to;
        while at != self.begins {
            at = graph.node(at).before().0;
            if who(at).is_some_and(|who| own.contains(who)) {
                return Ok(None);
            }
        }
        let insight = Insight::of(explorer, self.way.to)?;
        Ok(Some(SavedHeader::key(&insight.key, "")))
    }

    fn find(
        mut self,
        effort: Effort,
        progress: &(dyn Fn(Stage) + Sync),
    ) -> Result<Prospects, Error> {
        self.try_find(effort, progress).map_err(|error| {
            // Another world than this one may be where it failed.
            let before = (!self.hides).then_some((self.begins, self.place.history));
            let explorer = self.runner.explorer();
            let error = with_history_to_failure(error, explorer, before, || self.seating.words());
            if self.hides { error.in_drawn_place(self.place.who) } else { error }
        })
    }

    fn try_find(
        &mut self,
        effort: Effort,
        progress: &(dyn Fn(Stage) + Sync),
    ) -> Result<Prospects, Error> {
        let (here, mut sample) =
            (self.here((effort.n, effort.seed), effort.time)?, Rounds::of(self.options.len()));
        let effort = Effort { n: here.most(effort.n), ..effort };
        let effort = self.affordable((&mut sample, &here), effort)?;
        // A few playouts first: whoever interrupts the exploring has something.
        let few = (FEW / self.options.len().max(1) as u64).max(1).min(effort.n);
        let report = |done| progress(Stage::Playouts(done, Some(effort.n)));
        self.sample_more((&mut sample, &here), few, effort.seed, &report)?;
        if effort.nodes > 0 && sample.cut.is_none() {
            // Half of the time is left to the playouts.
            let half = effort.time.map(|time| time / 2);
            let seating = self.seating.under(self.seating.budget().begin(half));
            let progress = &exploring(&seating, progress);
            let explored = match effort.float {
                true => self.explored::<Interval>(&seating, effort, progress),
                false => self.explored::<Exact>(&seating, effort, progress),
            };
            match explored {
                Ok(Some((options, nodes))) => {
                    return Ok(self.prospects(options, Some(nodes), (0, 0, None), None));
                }
                Ok(None) => {}
                Err(error) => match error.cut() {
                    // Whoever interrupts has waited long enough.
                    Some(Cut::Interrupted) => sample.cut = Some(Cut::Interrupted),
                    // Playouts take less memory, and half of the time is left to them, where they can begin.
                    Some(cut) => sample.cut = Some(cut).filter(|_| here.nodes.is_empty()),
                    None => return Err(error),
                },
            }
        }
        if let (true, Some(cut)) = (here.nodes.is_empty(), sample.cut) {
            return Err(cut.into());
        }
        let here = here.found()?;
        self.sample_more((&mut sample, &here), effort.n, effort.seed, &report)?;
        let (graph, names) = (self.runner.explorer().graph(), &self.seating.players.names);
        let chances =
            |ends: &Vec<u32>| Rounds::chances(ends, |end| graph.ending_of(end)).in_order(names);
        let options = sample.ends.iter().map(chances).collect();
        let from = (sample.made(), effort.seed, Some(&here));
        Ok(self.prospects(options, None, from, sample.cut))
    }

    /// An effort with no more playouts and nodes than its work allows: the first playout of each option says what
    /// they take.
    fn affordable(
        &mut self,
        sampling: (&mut Rounds, &Here),
        effort: Effort,
    ) -> Result<Effort, Error> {
        if effort.work == u64::MAX {
            return Ok(effort);
        }
        if effort.n == 0 {
            // No playout can say what one takes.
            return Ok(Effort { nodes: effort.nodes.min(effort.work / OF_A_NODE), ..effort });
        }
        let before = self.runner.operations().1;
        self.sample_more(sampling, 1, effort.seed, &|_| ())?;
        let (rules, questions) = self.made;
        let round = (rules + self.runner.operations().1 - before).max(1);
        // Where nothing is asked after the options, they are all that there is to explore.
        let questions = questions.max(self.options.len() as u64);
        let nodes = u128::from(effort.work) * u128::from(questions) / u128::from(round);
        Ok(Effort {
            n: effort.n.min(effort.work / round).max(1),
            nodes: effort.nodes.min(u64::try_from(nodes).unwrap_or(u64::MAX)),
            ..effort
        })
    }

    fn prospects(
        &self,
        chances: Vec<Chances>,
        nodes: Option<u64>,
        (n, seed, from): (u64, u64, Option<&Here>),
        cut: Option<Cut>,
    ) -> Prospects {
        let exact = nodes.is_some() && chances.iter().all(Chances::is_exact);
        let option = |(option, chances): (&Value, Chances)| {
            let (option, weight, value) = (option.clone(), None, None);
            Prospect { option, chances, weight, value }
        };
        let options = self.options.iter().zip(chances).map(option).collect();
        let hidden = self.hides || self.way.to != self.begins;
        let from = from.filter(|_| self.hides);
        let worlds = from.map_or(0, |here| here.places(n));
        let (drawn, few) = from.map_or((false, false), |here| (here.drawn, here.few));
        let interrupted = cut == Some(Cut::Interrupted);
        let growing = self.growing.clone();
        Prospects {
            exact,
            nodes,
            n,
            seed,
            hidden,
            worlds,
            drawn,
            few,
            interrupted,
            cut,
            growing,
            options,
        }
    }

    /// Whether a graph is whole that was explored so far; where it is not, what grows in it is kept. What cut the exploring
    /// is an error.
    fn reached_all(&mut self, reach: Reach, seating: &Seating) -> Result<bool, Error> {
        if !matches!(reach, Reach::Whole | Reach::Drawn | Reach::Cut(Cut::Interrupted)) {
            self.growing = growing_state(seating);
        }
        match reach {
            Reach::Cut(cut) => Err(cut.into()),
            reach => Ok(reach == Reach::Whole),
        }
    }

    /// Where this many playouts begin, under a seed: here, or at nodes that look alike to the player who is asked. A
    /// quarter of the time is for finding these.
    fn here(&self, (n, seed): (u64, u64), time: Option<Duration>) -> Result<Here, Error> {
        if !self.hides {
            return Ok(Here { nodes: vec![self.begins], drawn: false, few: false, alike_to: None });
        }
        let place = (self.way.to, &self.way.answered[..]);
        let wanted = Here::sought(n, time.is_some());
        let enough = usize::try_from(wanted).unwrap_or(usize::MAX);
        let seating = self.seating.under(self.seating.budget().begin(time.map(|time| time / 4)));
        let LookAlikes { nodes, drawn } = seating.look_alikes(place, (enough, seed))?;
        let few = drawn && nodes.len() < enough;
        Ok(Here { nodes, drawn, few, alike_to: Some(self.place.who.to_owned()) })
    }

    /// Makes playouts until there are this many of each option: the same worlds and dice for all.
    fn sample_more(
        &mut self,
        (sample, here): (&mut Rounds, &Here),
        n: u64,
        seed: u64,
        report: &dyn Fn(u64),
    ) -> Result<(), Error> {
        sample.make(n, report, |made| {
            let rng = Generator::playout(seed, made);
            let mut fallen = rng.clone();
            let turn = made % here.nodes.len().max(1) as u64;
            let mut at = known(here.nodes.get(turn as usize).copied().unwrap_or_default())?;
            while !asks_the_same(self.runner.explorer().graph(), at, self.way.to) {
                let shares = self.runner.shares(at)?;
                let answer = drawn(shares, |shares| fallen.fall(shares))?;
                at = known(self.runner.explorer().next(at, answer)?)?;
            }
            let ending = |option: usize| {
                self.seating.is_wanted()?;
                let to = known(self.runner.explorer().next(at, option)?)?;
                let ending = self.runner.play_from(to, rng.clone(), &mut ())?;
                self.made.0 += self.runner.operations().0;
                self.made.1 += self.runner.questions();
                Ok(ending)
            };
            (0..self.options.len()).map(ending).collect()
        })
    }
}

/// This many playouts are made before anything is explored, for all options together.
const FEW: u64 = 1000;

/// An answer by its share, where `fall` picks the number of one of them.
pub(super) fn drawn(
    shares: Vec<(usize, BigUint)>,
    fall: impl FnOnce(&Distribution) -> usize,
) -> Result<usize, Error> {
    let none = || Error::usage("nobody answers at this node of the graph");
    let pairs = shares.into_iter().map(|(answer, share)| (Value::Int(answer as i64), share));
    let dist = Distribution::new(pairs.collect::<Vec<_>>()).map_err(|_| none())?;
    let fell = dist.values().get(fall(&dist)).and_then(Value::as_int);
    usize::try_from(fell.ok_or_else(none)?).map_err(|_| none())
}

/// A way through the graph: the nodes on it, each with the answer given there, and where it leads.
pub(super) struct GraphWay {
    pub answered: Vec<(u32, usize)>,
    pub to: u32,
}

impl GraphWay {
    /// That of a history, from the beginning.
    pub(super) fn of(runner: &PlayoutRunner, history: &History) -> Result<GraphWay, Error> {
        let explorer = runner.explorer();
        let mut way = GraphWay { answered: Vec::new(), to: known(explorer.beginning()?)? };
        for action in history.actions() {
            let asked = explorer.graph().question_at(way.to);
            let answer =
                asked.and_then(|asked| asked.values().iter().position(|one| *one == action.value));
            let answer =
                answer.ok_or_else(|| Error::usage("the history leads to no node of the graph"))?;
            way.go(explorer, answer)?;
        }
        Ok(way)
    }

    fn go(&mut self, explorer: &Explorer, answer: usize) -> Result<(), Error> {
        self.answered.push((self.to, answer));
        self.to = known(explorer.next(self.to, answer)?)?;
        Ok(())
    }

    /// All nodes on it, the first and the last too.
    pub(super) fn nodes(&self) -> Vec<u32> {
        self.answered.iter().map(|&(node, _)| node).chain([self.to]).collect()
    }
}

/// Leads a way on to a player's part of a joint decision that begins where it ends; what others answer before is
/// hidden, and any answer leads to a node that looks the same.
fn to_part(explorer: &Explorer, way: &mut GraphWay, place: OpenDecision<'_>) -> Result<(), Error> {
    loop {
        match explorer.graph().question_at(way.to) {
            Some(asked) if asked.who == place.who && asked.name == place.name => return Ok(()),
            Some(asked) if asked.part.is_some() => way.go(explorer, 0)?,
            _ => return Err(Error::usage("nobody decides at this node of the graph")),
        }
    }
}

/// Whether a player is asked the same at two nodes, for any answers of others, and however many of them are asked at
/// the same time.
fn asks_the_same(graph: &Graph, one: u32, other: u32) -> bool {
    let asked = |node: u32| graph.question_at(node).filter(|asked| !asked.is_chance());
    let (Some(one), Some(other)) = (asked(one), asked(other)) else { return false };
    (&one.who, &one.name, one.values()) == (&other.who, &other.name, other.values())
}

pub(super) fn known(node: u32) -> Result<u32, Error> {
    match node {
        0 => Err(Error::usage("the graph has no room for what follows; there are no odds")),
        node => Ok(node),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_was_met_twice_is_one() {
        let here = Here { nodes: vec![7, 4, 7, 7, 9], drawn: true, few: false, alike_to: None };
        assert_eq!([1, 3, 5, 9].map(|playouts| here.places(playouts)), [1, 2, 3, 3]);
    }

    #[test]
    fn each_place_that_was_drawn_is_for_one_playout() {
        let here = |nodes: &[u32], drawn| Here {
            nodes: nodes.to_vec(),
            drawn,
            few: false,
            alike_to: None,
        };
        assert_eq!(here(&[7, 4, 7], true).most(9), 3);
        assert_eq!(here(&[7], true).most(9), 1);
        assert_eq!(here(&[7], false).most(9), 9);
    }

    #[test]
    fn as_many_places_are_sought_as_playouts_begin_there() {
        let sought = [0, 2_000, 1_000_000].map(|n| Here::sought(n, false));
        assert_eq!(sought, [1, 2_000, 10_000]);
        assert_eq!(Here::sought(2_000, true), 1_000);
    }
}
