//! Explores a conflict whole, under every answer and every roll, and tests the laws in each of its states.

use std::hash::BuildHasher;
use std::sync::Arc;

use hashbrown::{DefaultHashBuilder, HashMap};
use indexmap::IndexSet;
use parking_lot::Mutex;

use super::Check;
use super::finding::{After, Around, Findings, Proof, Reached, lines, place, place_of};
use crate::conflict::{Conflict, Play, RunUntil, Seating, words_after};
use crate::error::{Cut, Error, ScriptError, ScriptFault};
use crate::explored::{PlaceWays, components, is_passed, lasting_sets, shortest_loop};
use crate::game::{Follow, History, Question, Record, Stop};
use crate::graph::{
    AnswerCache, Bounds, Explorer, Graph, NodeKind, Reach, SeatedAgents, Traced, WorkerFactory,
    explore, explore_in_breadth,
};
use crate::report::many;
use crate::script::{Budget, Ear, Rules, Run, State, Turn};

/// Tests the laws of a conflict in every state, if there are not too many; what breaks is a finding, with the shortest
/// history that leads there. In `playouts` they were tested before.
pub(super) fn prove(
    check: &Check<'_>,
    conflict: &Conflict,
    playouts: u64,
    findings: &mut Findings,
) -> Result<(), Error> {
    let (seating, scenario) = (seating(check, conflict)?, &conflict.scenario.name);
    (check.progress)(format!("checking `{scenario}`: every state"));
    let looks = check.nodes > 0 && !conflict.scenario.endless;
    // A part of the time is for loops in what was seen.
    let left = seating.budget().left().map(|left| if looks { left * 4 / 5 } else { left });
    let exploring = seating.under(seating.budget().begin(left));
    let watched = Watched::new(&exploring);
    let explored = match check.nodes {
        0 => Ok(Reach::TooMany),
        nodes => watched.explore(conflict, nodes),
    };
    let unproven = match explored {
        Err(error) => return report(check, conflict, &error, findings),
        Ok(Reach::Cut(Cut::Interrupted)) => return Err(Error::Interrupted),
        // Nobody sits there.
        Ok(Reach::Whole | Reach::Drawn) => None,
        Ok(Reach::Cut(cut @ Cut::Time(_))) => Some(cut.to_string()),
        Ok(Reach::TooMany) => {
            Some(format!("the graph is larger than {}", many(check.nodes, "node")))
        }
        Ok(Reach::Full | Reach::Cut(Cut::Memory(_))) => Some(seating.graph.full().to_string()),
        Ok(Reach::TooWide) => {
            Some("a question has too many answers, or a state is too large".to_owned())
        }
    };
    let states = watched.seen.count();
    let part = unproven.as_deref().map(|why| (why, states));
    let ends_unproven = match looks {
        true => ends(check, conflict, (&seating, part), findings)?,
        false => None,
    };
    findings.reachable_at = place_of(&conflict.rules, "reachable");
    let states = unproven.is_none().then_some(states);
    for (name, way) in watched.seen.ways(&seating.graph) {
        let way = way.map(|history| Reached::new(&name, Some(scenario), Some(&history)));
        let known = findings.reached.entry(name).or_insert(None);
        *known = known.take().or(way);
    }
    findings.proofs.push(Proof {
        scenario: scenario.clone(),
        laws: conflict.rules.defines("laws"),
        states,
        playouts,
        unproven,
        ends_unproven,
    });
    Ok(())
}

/// The error to which the shortest history leads; nothing where none is found within the bounds.
pub(super) fn first_error(check: &Check<'_>, conflict: &Conflict) -> Result<Option<Error>, Error> {
    let seating = seating(check, conflict)?;
    match Watched::new(&seating).explore_in_breadth(check.nodes) {
        Ok(Reach::Cut(Cut::Interrupted)) => Err(Error::Interrupted),
        Ok(_) => Ok(None),
        Err(error) => Ok(Some(error)),
    }
}

/// Adds a finding where the players of a conflict need never end it. Returns why that is not known, if it is not: only
/// a part was seen, `part` says why and how many states, or there is no time or memory left to look.
fn ends(
    check: &Check<'_>,
    conflict: &Conflict,
    (seating, part): (&Seating, Option<(&str, u64)>),
    findings: &mut Findings,
) -> Result<Option<String>, Error> {
    let first =
        |states| format!("no loop in the first {}; not searched whole", many(states, "state"));
    let none = || part.map(|(_, states)| first(states));
    let graph = &seating.graph;
    let _charge = seating.budget().charge_thread();
    let game = match seating.game(&seating.policies()?, &[graph.root()]) {
        Err(Error::Bound(cut)) => return Ok(Some(cut.to_string())),
        game => game?,
    };
    let steps = |place: u32| game.to.of(place as usize).iter().copied();
    let found = components(game.len(), [0], steps);
    let cycles = found.iter().filter(|places| !is_passed(places, steps)).flatten();
    let mut cycles: Vec<usize> = cycles.map(|&place| place as usize).collect();
    if cycles.is_empty() {
        return Ok(none());
    }
    let node = |place: usize| game.nodes[place];
    let ways = |place: usize| -> PlaceWays {
        let steps = game.to.of(place).iter().map(|&to| to as usize);
        if node(place) == 0 {
            return Vec::new();
        }
        match graph.node(node(place)).kind() {
            NodeKind::Decision => steps.map(|to| vec![to]).collect(),
            _ if steps.len() == 0 => Vec::new(),
            _ => vec![steps.collect()],
        }
    };
    let ways: Vec<PlaceWays> = (0..game.len()).map(ways).collect();
    cycles.sort_unstable();
    let may_continue = || seating.is_wanted().is_ok();
    let Some(sets) = lasting_sets(&ways, cycles, &may_continue) else {
        return unless_interrupted(seating).map(|cut| cut.map(|cut| cut.to_string()));
    };
    if sets.is_empty() {
        return Ok(none());
    }
    let shortest = shortest_loop(&ways, &sets, &may_continue);
    let cut = unless_interrupted(seating)?;
    let places = shortest.unwrap_or_default();
    let answer = |(&from, &to): (&usize, &usize)| {
        let mut range = game.to.range(from);
        let step = range.find(|&step| game.to.all()[step] as usize == to)?;
        Some((node(from), usize::from(game.answers[step])))
    };
    let again = places.iter().skip(1).chain(places.first());
    let way: Option<Vec<(u32, usize)>> = places.iter().zip(again).map(answer).collect();
    let first = places.first().or_else(|| sets.first()?.first());
    let first = first.and_then(|&place| Traced::to_node(graph, node(place), None));
    let (before, round) = match (first, way) {
        (Some(before), Some(way)) => (before, Traced::along(graph, way).unwrap_or_default()),
        // Too large to be shown.
        _ => (History::default(), History::default()),
    };
    let again = match round.entries.len() as u64 {
        0 => "answers can be given for ever".to_owned(),
        length => format!("the last {} can be given again and again", many(length, "answer")),
    };
    let unseen = cut.map(|cut| cut.to_string()).or(part.map(|(why, _)| why.to_owned()));
    let shorter = unseen.map(|why| format!("; there may be a shorter loop: {why}"));
    let message = format!(
        "it need not end: {again}{}; `endless = true` in the scenario allows it",
        shorter.unwrap_or_default()
    );
    let (error, history) = (Box::new(Error::usage(message)), before.followed_by(&round));
    report(check, conflict, &Error::Reached { error, history, again: Vec::new() }, findings)?;
    Ok(None)
}

fn unless_interrupted(seating: &Seating) -> Result<Option<Cut>, Error> {
    match seating.is_wanted() {
        Err(Error::Bound(cut)) => Ok(Some(cut)),
        wanted => wanted.map(|()| None),
    }
}

/// Reports what `reachable` names, and where it is so first, after `scenarios` were checked. What is so in no state of
/// any is a mistake, if these are `all` that the rules have; one with a mistake was not seen whole.
pub(super) fn report_reachable((scenarios, all): (usize, bool), findings: &mut Findings) {
    let whole = findings.proofs.iter().all(|proof| proof.unproven.is_none())
        && findings.proofs.len() == scenarios;
    let states: u64 = findings.proofs.iter().filter_map(|proof| proof.states).sum();
    for (name, reached) in std::mem::take(&mut findings.reached) {
        let (at, seen) = (findings.reachable_at.clone(), many(states, "state"));
        match (reached, &findings.proofs[..]) {
            (Some(reached), _) => findings.reachable.push(reached),
            (None, [proof]) if !all && whole => {
                findings.reachable.push(Reached::new(&name, Some(&proof.scenario), None));
            }
            (None, _) if whole => findings
                .error(at, format!("`{name}` is not reachable: it is so in none of all {seen}")),
            (None, _) if all => findings.reachable.push(Reached::new(&name, None, None)),
            (None, _) => {}
        }
    }
}

/// The law that a history breaks, with answers dropped and made smaller until no single one can be.
pub(super) fn shortened(conflict: &Conflict, history: &History) -> Option<Error> {
    let mut follow = Follow::new(history.clone());
    let mut best = broken_by(conflict, &mut |question: &Question<'_>, _: usize| {
        follow.answer(question).ok().flatten()
    })?;
    let mut tries = MOST_TRIES;
    let mut attempt = |best: &mut LawBreak, answers: Vec<usize>| {
        tries = tries.saturating_sub(1);
        let pick = &mut |question: &Question<'_>, at: usize| {
            answers.get(at).map(|&answer| answer.min(question.len().saturating_sub(1)))
        };
        let broken = if tries > 0 { broken_by(conflict, pick) } else { None };
        // What breaks it earlier, or by earlier options, is smaller, so this ends.
        let (fewest, least) = (best.answers.len(), &best.answers);
        match broken.filter(|new| (new.answers.len(), &new.answers) < (fewest, least)) {
            Some(smaller) => {
                *best = smaller;
                true
            }
            None => false,
        }
    };
    loop {
        let mut changed = false;
        let mut size = best.answers.len().div_ceil(2);
        while size > 0 {
            let mut at = 0;
            while at + size <= best.answers.len() {
                let mut fewer = best.answers.clone();
                fewer.drain(at..at + size);
                match attempt(&mut best, fewer) {
                    true => changed = true,
                    false => at += 1,
                }
            }
            size /= 2;
        }
        let mut at = 0;
        while at < best.answers.len() {
            changed |= (0..best.answers[at]).any(|lower| {
                let mut smaller = best.answers.clone();
                smaller[at] = lower;
                attempt(&mut best, smaller)
            });
            at += 1;
        }
        if !changed {
            return Some(best.error.reached(|| Some((best.history, Vec::new()))));
        }
    }
}

/// A playout is played so often at most to shorten it.
const MOST_TRIES: u64 = 5_000;

struct LawBreak {
    answers: Vec<usize>,
    history: History,
    error: Error,
}

/// What `pick` breaks, which hears each question and how many there were before; nothing where it breaks nothing.
fn broken_by(
    conflict: &Conflict,
    pick: &mut dyn FnMut(&Question<'_>, usize) -> Option<usize>,
) -> Option<LawBreak> {
    let mut run = Run::begin(&conflict.rules, &conflict.setup, Ear::Deaf);
    let (mut answers, mut record) = (Vec::new(), Record::default());
    let mut answer = |question: &Question<'_>| {
        let answer = pick(question, answers.len()).ok_or(Stop::Pause)?;
        record.note(question, answer);
        answers.push(answer);
        Ok(answer)
    };
    while run.reach(&mut answer).ok()? == Turn::Step {
        if let Some(error) = conflict.rules.keep_laws(run.state()?).err() {
            let history = record.history;
            return is_law(&error).then_some(LawBreak { answers, history, error });
        }
    }
    None
}

/// Reports a mistake, after the answers that lead there where it has them.
pub(super) fn report(
    check: &Check<'_>,
    conflict: &Conflict,
    error: &Error,
    findings: &mut Findings,
) -> Result<(), Error> {
    let none = History::default();
    let history = if let Error::Reached { history, .. } = error { history } else { &none };
    let for_ever = error.is_limit().then(|| goes_round(conflict, history)).flatten();
    let error = for_ever.as_ref().unwrap_or(error.itself());
    let when = match history.entries.len() as u64 {
        0 => "after setup".to_owned(),
        answers => format!("after {}", many(answers, "answer")),
    };
    let again = words_after(conflict.words(), None, history);
    let around = Around::new(check, conflict, &when, &again);
    let saved = saved(check, conflict, history).map(|text| (check.rules.to_vec(), text));
    let after = After { history: lines(history), saved };
    findings.fault_of(&around, error, after, || place(&conflict.scenario))
}

/// The file of a conflict after a history, or as far as it can be played: where an error comes next, the last answer is
/// left out.
fn saved(check: &Check<'_>, conflict: &Conflict, history: &History) -> Option<String> {
    let open = || {
        let scenario = conflict.scenario.clone();
        Conflict::of(check.catalog, scenario, &conflict.changes, check.limits).ok()
    };
    let mut history = history.clone();
    loop {
        let go = RunUntil::NextQuestion;
        match Play::resume(open()?, check.seed, check.limits, history.clone(), go) {
            Ok(play) => return play.saved().to_text().ok(),
            Err(_) => history.entries.pop().map(drop)?,
        }
    }
}

/// The error of rules that come back to the same state without a question, from a history on.
fn goes_round(conflict: &Conflict, history: &History) -> Option<Error> {
    let mut run = Run::begin(&conflict.rules, &conflict.setup, Ear::Deaf);
    let mut follow = Follow::new(history.clone());
    // Brent's algorithm: a state is compared with those after it, and replaced after 1, 2, 4, … steps.
    let (mut kept, mut steps, mut most) = (Vec::new(), 0, 1);
    loop {
        let turn = run.reach(|question| {
            (kept, steps, most) = (Vec::new(), 0, 1);
            follow.answer(question)?.ok_or(Stop::Pause)
        });
        if turn.ok()? == Turn::Done {
            return None;
        }
        let mut bytes = Vec::new();
        run.state()?.write_bytes(&mut bytes);
        steps += 1;
        if bytes == kept {
            break;
        }
        if steps == most {
            (kept, steps, most) = (bytes, 0, 2 * most);
        }
    }
    let message = format!(
        "the rules go round for ever without asking anybody: {} later the state is the same",
        many(steps, "step")
    );
    let at = place_of(&conflict.rules, "step");
    Some(ScriptError { at, ..ScriptError::new(ScriptFault::Thrown(message)) }.into())
}

pub(super) fn is_law(error: &Error) -> bool {
    matches!(error.itself(), Error::Script(script) if matches!(script.fault, ScriptFault::Laws(_)))
}

/// Every answer is possible, and it has the share of the memory that is left for one thread.
fn seating(check: &Check<'_>, conflict: &Conflict) -> Result<Seating, Error> {
    let memory = check.limits.budget.bound() / SHARES;
    let seating = Seating::unseated(conflict, memory)?;
    let budget = seating.budget().begin(check.time);
    Ok(seating.under(budget))
}

/// Scenarios are explored at the same time, and the bound of each must not depend on how many are.
const SHARES: u64 = 8;

struct Watched<'a> {
    seating: &'a Seating,
    seen: Arc<SeenStates>,
}

impl<'a> Watched<'a> {
    fn new(seating: &'a Seating) -> Watched<'a> {
        Watched { seating, seen: Arc::new(SeenStates::new(seating.budget())) }
    }

    /// Explores in depth, where a run waits at most places for the next answer to be tried. Where that fails, or there
    /// is more than may be seen, in breadth, so that the error is the first of those that are seen.
    fn explore(&self, conflict: &Conflict, nodes: u64) -> Result<Reach, Error> {
        let bounds = Bounds { threads: 1, nodes };
        match explore(&self.seating.graph, self, bounds, &|_| ()) {
            Ok(Reach::TooMany | Reach::TooWide) => self.explore_in_breadth(nodes),
            Ok(reach) => Ok(reach),
            Err(error) => match self.explore_in_breadth(nodes)? {
                Reach::Cut(Cut::Interrupted) => Err(Error::Interrupted),
                // It is further away than what may be seen in breadth.
                _ => Err(match &error {
                    Error::Reached { history, .. } if is_law(&error) => {
                        shortened(conflict, history).unwrap_or(error)
                    }
                    _ => error,
                }),
            },
        }
    }

    /// No fewer answers lead to the first error; what is known of the graph is not run again.
    fn explore_in_breadth(&self, nodes: u64) -> Result<Reach, Error> {
        explore_in_breadth(&self.seating.graph, self, nodes)
    }
}

impl WorkerFactory for Watched<'_> {
    fn make_worker(&self) -> Result<(Explorer, SeatedAgents), Error> {
        let (explorer, seats) = self.seating.make_worker()?;
        let seen = self.seen.clone();
        let watch = move |rules: &Rules, state: &State, bytes: &[u8], step| {
            seen.look(rules, (state, bytes), step)
        };
        Ok((explorer.watched(Box::new(watch)), seats))
    }

    fn answers(&self) -> &Arc<AnswerCache> {
        self.seating.answers()
    }

    fn words(&self) -> Vec<String> {
        self.seating.words()
    }

    fn budget(&self) -> &Budget {
        WorkerFactory::budget(self.seating)
    }
}

struct SeenStates {
    hashers: [DefaultHashBuilder; 2],
    known: Mutex<KnownStates>,
    budget: Budget,
}

/// A part of two hashes of a state's bytes: of 10 million states two have the same one in 10¹⁵ explorations.
type StateKey = [u32; 3];

#[derive(Default)]
struct KnownStates {
    /// What is reached in each, by its number: states in which nobody is asked have no node.
    reached: HashMap<StateKey, u32>,
    /// Of each number whether what must be possible is so, in the order of the names.
    sets: IndexSet<Vec<bool>>,
    /// What must be possible somewhere.
    names: Option<Vec<String>>,
    /// The answers, each with its node, after which something is reached first or on the way, and the number of what.
    steps: Vec<(u32, u32, u32)>,
}

const OF_A_STATE: u64 = 48;

impl SeenStates {
    fn new(budget: &Budget) -> SeenStates {
        let hashers = [DefaultHashBuilder::default(), DefaultHashBuilder::default()];
        SeenStates { hashers, known: Mutex::default(), budget: budget.clone() }
    }

    fn key(&self, bytes: &[u8]) -> StateKey {
        let [one, other] = self.hashers.each_ref().map(|hasher| hasher.hash_one(bytes));
        [one as u32, (one >> 32) as u32, other as u32]
    }

    /// Tests the laws in a state to which an answer at a node leads, if it is new, and notes what is reached there.
    fn look(
        &self,
        rules: &Rules,
        (state, bytes): (&State, &[u8]),
        (node, answer): (u32, u32),
    ) -> Result<(), Error> {
        let (key, mut known) = (self.key(bytes), self.known.lock());
        let set = match known.reached.get(&key) {
            Some(&set) => set,
            None => {
                let set = known.number(rules, rules.reachable(state)?)?;
                rules.keep_laws(state)?;
                known.reached.insert(key, set);
                self.budget.take(OF_A_STATE);
                set
            }
        };
        if known.sets.get_index(set as usize).is_some_and(|is| is.contains(&true)) {
            known.steps.push((node, answer, set));
        }
        Ok(())
    }

    /// What must be possible, each with the fewest answers after which it is, and of those as few the ones with the
    /// earliest options; nothing where it never is.
    fn ways(&self, graph: &Graph) -> Vec<(String, Option<History>)> {
        let KnownStates { reached, sets, names, mut steps } =
            std::mem::take(&mut *self.known.lock());
        self.budget.give_back(OF_A_STATE * reached.len() as u64);
        steps.sort_unstable();
        let mut ways: Vec<Option<(u32, u32)>> = vec![None; names.as_ref().map_or(0, Vec::len)];
        let mut left: Vec<usize> = (0..ways.len()).collect();
        left.retain(|&name| sets.iter().any(|set| set[name]));
        Traced::each_step(graph, 0, &mut |(node, answer), to| {
            let from = steps.partition_point(|step| (step.0, step.1) < (node, answer));
            let here = steps[from..].iter().take_while(|step| (step.0, step.1) == (node, answer));
            let mut here: Vec<u32> = here.map(|step| step.2).collect();
            // Its state may have been seen after another answer first.
            if graph.node(to).before().0 == 0
                && let Some(bytes) = graph.state_bytes(graph.node(to))
            {
                here.extend(reached.get(&self.key(&bytes)));
            }
            let sets = || here.iter().filter_map(|&set| sets.get_index(set as usize));
            left.retain(|&name| {
                let is = sets().any(|set| set[name]);
                ways[name] = is.then_some((node, answer));
                !is
            });
            !left.is_empty()
        });
        let history = |(node, answer): (u32, u32)| match node {
            0 => History::default(),
            _ => Traced::to_node(graph, node, Some(answer as usize)).unwrap_or_default(),
        };
        let ways = ways.into_iter().map(|way| way.map(history));
        names.into_iter().flatten().zip(ways).collect()
    }

    fn count(&self) -> u64 {
        self.known.lock().reached.len() as u64
    }
}

impl KnownStates {
    /// The number of what is so in a state; the names must be those of the first.
    fn number(&mut self, rules: &Rules, named: Vec<(String, bool)>) -> Result<u32, Error> {
        let (names, is): (Vec<String>, Vec<bool>) = named.into_iter().unzip();
        let first = self.names.get_or_insert_with(|| names.clone());
        if *first != names {
            return Err(rules.other_names(first, &names));
        }
        Ok(self.sets.insert_full(is).0 as u32)
    }
}

impl Drop for SeenStates {
    fn drop(&mut self) {
        let count = self.known.get_mut().reached.len() as u64;
        self.budget.give_back(OF_A_STATE * count);
    }
}
