//! One playout by the script alone: its questions, its answers and what it announced.

use crate::conflict::Seating;
use crate::error::{Divergence, Error, Location};
use crate::game::{Asked, Chance, Decision, Entry, Handler, Outcome, Stop};
use crate::handlers::{Generator, Record, SeatedAgents, TimedEvent};
use crate::script::{Countable, Rules, on_large_stack};

use std::cell::RefCell;
use std::rc::Rc;

/// A playout, question by question.
pub(super) struct Told {
    /// Each question with its answer, as an entry of the history.
    pub steps: Vec<(Divergence, Entry)>,
    /// The announcements, each with the number of entries before it.
    pub events: Vec<TimedEvent>,
    /// The outcome.
    pub outcome: Outcome,
    /// How often each function of the rules was run.
    pub runs: Vec<(Countable, u64)>,
    functions: Vec<(Location, String)>,
}

impl Told {
    /// Plays the first playout of a seed by the script alone.
    ///
    /// # Errors
    /// Those of the rules and agents.
    pub(super) fn of(seating: &Seating, seed: u64) -> Result<Told, Error> {
        on_large_stack(|| {
            let rules = seating.blueprint.rules()?;
            let seats = seating.seats(Generator::playout(seed, 0))?;
            let witness = Record::new(Witness { seats, asked: Vec::new() }).with_events();
            let witness = Rc::new(RefCell::new(witness));
            rules.count_calls();
            let played = rules.play(&seating.setup, &witness);
            let counted = rules.counted();
            let played = played?;
            let run = |one: Countable| {
                let calls = counted.calls.iter().find(|(number, _)| *number == one.number);
                Some((one, calls?.1))
            };
            let mut witness = witness.borrow_mut();
            let entries = std::mem::take(&mut witness.history_mut().entries);
            let asked = witness.inner().asked.clone();
            Ok(Told {
                steps: asked.into_iter().zip(entries).collect(),
                events: witness.events().to_vec(),
                outcome: played.outcome,
                runs: rules.countable().into_iter().filter_map(run).collect(),
                functions: functions(&rules),
            })
        })
    }

    /// The announcements after this many entries.
    pub(super) fn heard(&self, after: usize) -> impl Iterator<Item = &str> {
        let heard = self.events.iter().filter(move |heard| heard.after == after);
        heard.map(|heard| heard.text.as_str())
    }

    /// The function that a line of the scripts belongs to.
    pub(super) fn function(&self, at: &Location) -> Option<&str> {
        let before = self
            .functions
            .iter()
            .filter(|(begins, _)| begins.file == at.file && begins.line <= at.line);
        before.max_by_key(|(begins, _)| begins.line).map(|(_, name)| name.as_str())
    }
}

/// The place where each function of all layers begins. Functions are not nested.
fn functions(rules: &Rules) -> Vec<(Location, String)> {
    let place =
        |function: &crate::script::Function| Some((function.at.clone()?, function.name.clone()));
    rules.functions().filter_map(place).collect()
}

/// Lets the seats answer, and keeps the questions.
struct Witness {
    seats: SeatedAgents,
    asked: Vec<Divergence>,
}

impl Handler for Witness {
    fn decide(&mut self, decision: &Decision<'_>) -> Result<usize, Stop> {
        self.asked.push(Divergence::Asks(decision.into()));
        self.seats.decide(decision)
    }

    fn decide_together(&mut self, decisions: &[Decision<'_>]) -> Result<Vec<usize>, Stop> {
        self.asked.push(Divergence::Together(decisions.iter().map(Asked::from).collect()));
        self.seats.decide_together(decisions)
    }

    fn roll(&mut self, chance: &Chance<'_>) -> Result<usize, Stop> {
        self.asked.push(Divergence::Asks(chance.into()));
        self.seats.roll(chance)
    }

    fn deliberates(&self) -> bool {
        self.seats.deliberates()
    }
}
