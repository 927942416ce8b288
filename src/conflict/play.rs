//! A conflict that is played move by move. Each move plays all answers again from the start.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use indexmap::IndexMap;

use super::past_ways::Past;
use super::person_handler::{Given, Halt, PendingInput, PendingQuestion, Person, SharedInput};
use super::{Conflict, Line, Players};
use crate::agents::{self, HUMAN, SharedThinking};
use crate::error::Error;
use crate::game::{Actor, Entry, Handler, History, Outcome, Stop, Value};
use crate::handlers::{Generator, Record, Replay, SeatedAgents, Skip, TimedEvent};
use crate::script::{FinishedPlayout, Limits, State, Watch};

/// A conflict under way: its line of play, and its current position.
pub struct Play {
    /// What is played.
    pub conflict: Conflict,
    /// Who plays.
    pub players: Players,
    /// The seed of chance and of the agents' random numbers.
    pub seed: u64,
    pub(super) limits: Limits,
    pub(super) line: Line,
    pub(super) name: String,
    pub(super) lines: IndexMap<String, Line>,
    /// Answers of people to a joint decision that waits for others.
    pub(super) given: Given,
    position: Position,
    events: Vec<TimedEvent>,
    /// What agents that think ahead learn of the conflict stays as long as it is played.
    shared: SharedThinking,
    /// What was decided before the last run that failed.
    failed: RefCell<Option<History>>,
    /// The ways that were left for others.
    pub(super) past: Past,
    /// The number of entries when the current step began; and when the last run began.
    pub(super) step_began: usize,
    last_step: Cell<usize>,
}

/// The current position of a conflict under way.
#[derive(Clone, Debug)]
pub enum Position {
    /// Somebody, or chance, is asked.
    Asked(PendingQuestion),
    /// It is over.
    Over {
        /// How it ended.
        outcome: Outcome,
        /// The last state.
        state: Value,
    },
}

/// How far to play from the end of the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunUntil {
    /// Until a person is asked, or to the end.
    PersonAsked,
    /// To the very next question, no matter who is asked.
    NextQuestion,
}

/// The name of the line that a conflict begins with.
pub(crate) const MAIN: &str = "main";

impl Play {
    /// Begins a conflict and plays until a person is asked.
    ///
    /// # Errors
    /// Those of the rules, and of seats that name no player or agent.
    pub fn begin(conflict: Conflict, seed: u64, limits: &Limits) -> Result<Play, Error> {
        Play::resume(conflict, seed, limits, History::default(), RunUntil::PersonAsked)
    }

    /// Begins with a history already played.
    ///
    /// # Errors
    /// As [`Play::begin`], and [`Error::Diverged`].
    pub fn resume(
        conflict: Conflict,
        seed: u64,
        limits: &Limits,
        history: History,
        until: RunUntil,
    ) -> Result<Play, Error> {
        let mut play = Play::laid(conflict, seed, limits, history)?;
        play.go(until).map(|()| play)
    }

    /// With a history that is yet to be played.
    pub(super) fn laid(
        conflict: Conflict,
        seed: u64,
        limits: &Limits,
        history: History,
    ) -> Result<Play, Error> {
        let players = Players::find(&conflict)?;
        for seat in conflict.seats.keys() {
            players.of_seat(seat).map_err(|error| error.placed(|| conflict.seat_key(seat)))?;
        }
        let nothing = Value::Map(IndexMap::new());
        let outcome = Outcome::none();
        let (blueprint, setup) = (conflict.blueprint.clone(), conflict.setup.clone());
        let shared = SharedThinking::alone(blueprint, setup);
        Ok(Play {
            conflict,
            players,
            seed,
            limits: limits.clone(),
            line: Line::new(history),
            name: MAIN.to_owned(),
            lines: IndexMap::new(),
            given: Given::default(),
            position: Position::Over { outcome, state: nothing },
            events: Vec::new(),
            shared,
            failed: RefCell::default(),
            past: Past::default(),
            step_began: 0,
            last_step: Cell::default(),
        })
    }

    /// Begins again from the start under a seed and plays until a person is asked. Seats stay, and
    /// so do the other lines of play. On error nothing changes.
    ///
    /// # Errors
    /// As [`Play::begin`].
    pub fn anew(&mut self, seed: u64) -> Result<(), Error> {
        self.move_to(seed, Line::default(), Given::default(), RunUntil::PersonAsked)
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The history up to the current position.
    pub fn history(&self) -> History {
        self.line.played()
    }

    /// What was announced so far, each with the number of entries before it.
    pub fn events(&self) -> &[TimedEvent] {
        &self.events
    }

    /// The state at the current position.
    pub fn state(&self) -> State {
        State::from_value(match &self.position {
            Position::Asked(moment) => &moment.state,
            Position::Over { state, .. } => state,
        })
    }

    /// Whether the setup is still asking: the state is then not made yet.
    pub(crate) fn is_setting_up(&self) -> bool {
        let Position::Asked(moment) = &self.position else { return false };
        moment.calls.last().is_some_and(|call| call.function == "setup")
    }

    /// Plays the line from its start, and then as far as `until` says. On error nothing changes.
    ///
    /// # Errors
    /// Those of the rules and agents, and [`Error::Diverged`].
    pub fn go(&mut self, until: RunUntil) -> Result<(), Error> {
        self.move_to(self.seed, self.line.clone(), self.given.clone(), until)
    }

    /// Plays a line under a seed, with answers to what is asked after it, and moves to where that
    /// leads. Every move is made here: all changes happen at once, after they are known to work.
    pub(super) fn move_to(
        &mut self,
        seed: u64,
        mut line: Line,
        given: Given,
        until: RunUntil,
    ) -> Result<(), Error> {
        let input = Rc::new(RefCell::new(PendingInput { given: given.clone(), moment: None }));
        let history = line.played();
        let (position, recorded, events) = match until {
            RunUntil::PersonAsked => {
                self.follow_to_end(Replay::new(history, self.seats(seed, &input)?), &input)?
            }
            RunUntil::NextQuestion => {
                self.follow_to_end(Replay::new(history, Halt(input.clone())), &input)?
            }
        };
        // Answers wait for the others of their joint decision, and for no later question.
        let waits = until == RunUntil::PersonAsked && recorded.len() == line.at();
        line.extend(recorded);
        self.past.leave(&self.line, &line);
        if let Position::Over { outcome, .. } = &position {
            self.past.ended(line.played(), outcome.clone());
        }
        self.seed = seed;
        self.line = line;
        self.given = if waits { given } else { Given::default() };
        self.position = position;
        self.step_began = self.last_step.get();
        self.events = events;
        Ok(())
    }

    /// Plays a history and what follows it. Returns where that leads, all that was decided, and
    /// what was announced.
    pub(super) fn follow_to_end<H: Skip + 'static>(
        &self,
        replay: Replay<H>,
        input: &SharedInput,
    ) -> Result<(Position, History, Vec<TimedEvent>), Error> {
        let (played, recorded, events) = self.run(replay)?;
        let position = match played {
            Some(played) => Position::Over { outcome: played.outcome, state: played.state.value() },
            None => match input.borrow_mut().moment.take() {
                Some(moment) => Position::Asked(PendingQuestion {
                    calls: self.conflict.rules.calls(),
                    ..moment
                }),
                None => return Err(Error::Interrupted),
            },
        };
        Ok((position, recorded, events))
    }

    /// How many entries of a history the rules follow.
    pub(super) fn follows(&self, history: &History) -> Result<usize, Error> {
        match self.run(Replay::alone(history.clone())) {
            Ok(_) => Ok(history.len()),
            Err(Error::Diverged { entry, .. }) => Ok(entry - 1),
            Err(error) => Err(error),
        }
    }

    /// The answers that led to where the last run failed.
    pub(super) fn failed(&self) -> Option<History> {
        self.failed.take()
    }

    /// What agents that think ahead are given.
    pub(super) fn shared(&self) -> &SharedThinking {
        &self.shared
    }

    pub(super) fn run<H: Skip + 'static>(
        &self,
        replay: Replay<H>,
    ) -> Result<(Option<FinishedPlayout>, History, Vec<TimedEvent>), Error> {
        let handler = Rc::new(RefCell::new(Record::new(replay).with_events()));
        let mut watch = StepBegins { handler: handler.clone(), entries: 0 };
        let played = self.watched(&handler, &mut watch);
        self.last_step.set(watch.entries);
        let mut recorded = handler.borrow_mut();
        if played.is_err() {
            self.failed.replace(Some(std::mem::take(recorded.history_mut())));
        }
        let played = played?;
        if played.is_some() {
            recorded.inner().finish()?;
        }
        let history = std::mem::take(recorded.history_mut());
        let events = recorded.events().to_vec();
        Ok((played, history, events))
    }

    pub(super) fn watched<H: Handler + 'static>(
        &self,
        handler: &Rc<RefCell<H>>,
        watch: &mut impl Watch,
    ) -> Result<Option<FinishedPlayout>, Error> {
        match self.conflict.rules.play_watched(&self.conflict.setup, handler, watch) {
            Ok(played) => Ok(Some(played)),
            Err(Stop::Pause) => Ok(None),
            Err(stop) => Err(stop.into()),
        }
    }

    pub(super) fn seats(&self, seed: u64, input: &SharedInput) -> Result<SeatedAgents, Error> {
        let mut seats = SeatedAgents::new(Generator::playout(seed, 0));
        for (seat, word) in &self.conflict.seats {
            let players = self.players.of_seat(seat)?;
            let agent: Box<dyn crate::handlers::Agent> = if word == HUMAN {
                Box::new(Person(input.clone()))
            } else {
                agents::find(word, &self.conflict.folder, &self.shared)
                    .map_err(|error| error.placed(|| self.conflict.seat_place(seat)))?
            };
            seats = seats.side(players, agent);
        }
        Ok(seats)
    }

    /// Whether an entry holds an answer of a person.
    pub(crate) fn is_of_person(&self, entry: &Entry) -> bool {
        entry.actions().iter().any(|action| match &action.actor {
            Actor::Player(player) => self.is_person(player),
            Actor::Chance(_) => false,
        })
    }
}

/// Notes how many entries there were when the last step began.
struct StepBegins<H> {
    handler: Rc<RefCell<Record<H>>>,
    entries: usize,
}

impl<H> Watch for StepBegins<H> {
    fn before_step(&mut self, _: u64, _: &State) {
        self.entries = self.handler.borrow().history().len();
    }
}
