//! Explores a conflict whole, under every answer and every roll, and tests the laws in each of its states.

use std::hash::BuildHasher;
use std::sync::Arc;

use hashbrown::{DefaultHashBuilder, HashSet};
use parking_lot::Mutex;

use super::Check;
use super::finding::{Findings, Proof, place};
use crate::conflict::{Conflict, Seating};
use crate::error::{Cut, Error, ScriptFault};
use crate::game::History;
use crate::graph::{AnswerCache, Explorer, Reach, SeatedAgents, WorkerFactory, explore_in_breadth};
use crate::report::{many, shell_word};
use crate::script::{Budget, Rules, State};

/// Tests the laws of a conflict in every state, if there are not too many; what breaks is a finding, with the shortest
/// history that leads there.
pub(super) fn prove(
    check: &Check<'_>,
    conflict: &Conflict,
    findings: &mut Findings,
) -> Result<(), Error> {
    let (seating, scenario) = (seating(check, conflict)?, &conflict.scenario.name);
    (check.progress)(format!("checking `{scenario}`: every state"));
    let watched = Watched::new(&seating);
    // In breadth, so that the first error is the one to which no shorter history leads.
    let reach = match explore_in_breadth(&seating.graph, &watched, check.nodes) {
        Ok(reach) => reach,
        Err(error) => return report(check, conflict, &error, findings),
    };
    let unproven = match reach {
        Reach::Whole => None,
        Reach::Cut(Cut::Interrupted) => return Err(Error::Interrupted),
        Reach::Cut(cut @ Cut::Time(_)) => Some(cut.to_string()),
        Reach::TooMany => Some(format!("the graph is larger than {}", many(check.nodes, "node"))),
        Reach::Full | Reach::Cut(Cut::Memory(_)) => Some(seating.graph.full().to_string()),
        Reach::TooWide => {
            Some("a question has too many answers, or a state is too large".to_owned())
        }
    };
    findings.proofs.push(Proof {
        scenario: scenario.clone(),
        laws: conflict.rules.has_laws(),
        states: unproven.is_none().then(|| watched.seen.count()),
        playouts: check.playouts,
        unproven,
    });
    Ok(())
}

/// The error to which the shortest history leads; nothing where none is found within the bounds.
pub(super) fn first_error(check: &Check<'_>, conflict: &Conflict) -> Result<Option<Error>, Error> {
    let seating = seating(check, conflict)?;
    match explore_in_breadth(&seating.graph, &Watched::new(&seating), check.nodes) {
        Ok(Reach::Cut(Cut::Interrupted)) => Err(Error::Interrupted),
        Ok(_) => Ok(None),
        Err(error) => Ok(Some(error)),
    }
}

/// Adds an error with the history that leads to it.
pub(super) fn report(
    check: &Check<'_>,
    conflict: &Conflict,
    error: &Error,
    findings: &mut Findings,
) -> Result<(), Error> {
    let none = History::default();
    let (history, again) = match error {
        Error::Reached { history, again, .. } => (history, &again[..]),
        _ => (&none, &[][..]),
    };
    let scenario = &conflict.scenario.name;
    let house = conflict.changes.house.join(", ");
    let with = if house.is_empty() { String::new() } else { format!(" with {house}") };
    let when = match history.entries.len() as u64 {
        0 => "after setup".to_owned(),
        answers => format!("after {}", many(answers, "answer")),
    };
    let mut around = format!("scenario `{scenario}`{with}, {when}: {{}}");
    if !again.is_empty() {
        let words: Vec<String> = again.iter().map(|word| shell_word(word).to_string()).collect();
        around += &format!("; played again by `{} {}`", check.command, words.join(" "));
    }
    let entries = history.entries.iter().map(ToString::to_string).collect();
    findings.fault_after(&house, (error.itself(), entries), &around, || place(&conflict.scenario))
}

/// Whether an error is that of a broken law.
pub(super) fn is_law(error: &Error) -> bool {
    matches!(error.itself(), Error::Script(script) if matches!(script.fault, ScriptFault::Laws(_)))
}

/// Every answer is possible, and it has the share of the memory that is left for one thread.
fn seating(check: &Check<'_>, conflict: &Conflict) -> Result<Seating, Error> {
    let memory = check.limits.budget.bound() / SHARES;
    let seating = Seating::new(conflict, memory)?.unmanned();
    let budget = seating.budget().begin(check.time);
    Ok(seating.under(budget))
}

/// Scenarios are explored at the same time, and the bound of each must not depend on how many are.
const SHARES: u64 = 8;

/// What explores, and shows each state to the laws.
struct Watched<'a> {
    seating: &'a Seating,
    seen: Arc<SeenStates>,
}

impl<'a> Watched<'a> {
    fn new(seating: &'a Seating) -> Watched<'a> {
        Watched { seating, seen: Arc::new(SeenStates::new(seating.budget())) }
    }
}

impl WorkerFactory for Watched<'_> {
    fn make_worker(&self) -> Result<(Explorer, SeatedAgents), Error> {
        let (explorer, seats) = self.seating.make_worker()?;
        let seen = self.seen.clone();
        let watch = move |rules: &Rules, state: &State, bytes: &[u8]| match seen.is_new(bytes) {
            true => rules.keep_laws(state),
            false => Ok(()),
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

/// The states that were seen, by two hashes of their bytes: those in which nobody is asked have no node.
struct SeenStates {
    hashers: [DefaultHashBuilder; 2],
    seen: Mutex<HashSet<(u64, u64)>>,
    budget: Budget,
}

/// About the bytes that a state takes in the set.
const OF_A_STATE: u64 = 32;

impl SeenStates {
    fn new(budget: &Budget) -> SeenStates {
        let hashers = [DefaultHashBuilder::default(), DefaultHashBuilder::default()];
        SeenStates { hashers, seen: Mutex::default(), budget: budget.clone() }
    }

    fn is_new(&self, bytes: &[u8]) -> bool {
        let [one, other] = self.hashers.each_ref().map(|hasher| hasher.hash_one(bytes));
        let is_new = self.seen.lock().insert((one, other));
        if is_new {
            self.budget.take(OF_A_STATE);
        }
        is_new
    }

    fn count(&self) -> u64 {
        self.seen.lock().len() as u64
    }
}

impl Drop for SeenStates {
    fn drop(&mut self) {
        let count = self.seen.get_mut().len() as u64;
        self.budget.give_back(OF_A_STATE * count);
    }
}
