//! A conflict that is played move by move. Each move plays all answers again from the start.

use std::cell::RefCell;
use std::rc::Rc;

use indexmap::IndexMap;
use serde::Serialize;

use super::line::Past;
use super::{Conflict, Line, Players};
use crate::agents::{AgentSpec, CompiledAgents, HUMAN, SharedThinking};
use crate::catalog::give;
use crate::error::Error;
use crate::game::{
    Action, Actor, Answer, Asked, Decision, Entry, Follow, Generator, History, Outcome, Record,
    Stop, TimedEvent, Value,
};
use crate::graph::{Agent, SeatedAgents, Standpoint};
use crate::report::ErrorReport;
use crate::script::{Call, Ear, Limits, Run, State, Turn};

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
    /// Those of them that were taken back and can be made again, with the number of entries before them.
    pub(super) ungiven: (usize, Given),
    position: Position,
    events: Vec<TimedEvent>,
    /// What agents that think ahead learn of the conflict stays as long as it is played.
    pub(super) shared: SharedThinking,
    pub(super) compiled: CompiledAgents,
    /// What was decided before the last run that failed.
    failed: RefCell<Option<History>>,
    pub(super) past: Past,
    /// The number of entries when the current step began.
    pub(super) step_began: usize,
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

impl Position {
    /// How it ended, where it is over.
    pub fn outcome(&self) -> Option<&Outcome> {
        match self {
            Position::Over { outcome, .. } => Some(outcome),
            Position::Asked(_) => None,
        }
    }

    /// The state there.
    pub(crate) fn state(&self) -> &Value {
        match self {
            Position::Asked(moment) => &moment.state,
            Position::Over { state, .. } => state,
        }
    }

    /// What is asked; nothing where it is over.
    pub fn asked(&self) -> &[Asked] {
        match self {
            Position::Asked(moment) => &moment.asked,
            Position::Over { .. } => &[],
        }
    }
}

/// How far to play from the end of the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunUntil {
    /// Until a person is asked, or to the end.
    PersonAsked,
    /// To the very next question, no matter who is asked.
    NextQuestion,
}

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
        let (outcome, state) = (Outcome::none(), Value::Map(IndexMap::new()));
        let (blueprint, setup) = (conflict.blueprint.clone(), conflict.setup.clone());
        let shared = SharedThinking::alone(blueprint, setup, &conflict.scenario.name);
        Ok(Play {
            conflict,
            players,
            seed,
            limits: limits.clone(),
            line: Line::new(history),
            name: MAIN.to_owned(),
            lines: IndexMap::new(),
            given: Given::default(),
            ungiven: Default::default(),
            position: Position::Over { outcome, state },
            events: Vec::new(),
            shared,
            compiled: CompiledAgents::default(),
            failed: RefCell::default(),
            past: Past::default(),
            step_began: 0,
        })
    }

    /// Begins again from the start under a seed and plays until a person is asked. Seats stay, and
    /// so do the other lines of play. On error nothing changes.
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
        State::from_value(self.position.state())
    }

    /// Whether the setup is still asking: the state is then not made yet.
    pub(crate) fn is_setting_up(&self) -> bool {
        let Position::Asked(moment) = &self.position else { return false };
        moment.calls.last().is_some_and(|call| call.function == "setup")
    }

    /// Plays the line from its start, and then as far as `until` says. On error nothing changes.
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
        let input = Rc::new(RefCell::new(given.clone()));
        let seats = match until {
            RunUntil::PersonAsked => Some(self.seats(seed, &input)?),
            RunUntil::NextQuestion => None,
        };
        let ran = self.run(line.played(), seats)?;
        let (position, recorded) = (ran.position(), ran.record.history);
        // Answers wait for the others of their joint decision, and for no later question.
        let waits = until == RunUntil::PersonAsked && recorded.len() == line.at();
        line.extend(recorded);
        self.past.leave(&self.line, &line);
        if let Some(outcome) = position.outcome() {
            self.past.ended(line.played(), outcome.clone());
        }
        self.seed = seed;
        self.line = line;
        self.given = if waits { given } else { Given::default() };
        self.ungiven = Default::default();
        self.position = position;
        self.step_began = ran.step_began;
        self.events = ran.record.events;
        Ok(())
    }

    pub(super) fn follows(&self, history: &History) -> Result<usize, Error> {
        match self.run(history.clone(), None) {
            Ok(_) => Ok(history.len()),
            Err(Error::Diverged { entry, .. }) => Ok(entry - 1),
            Err(error) => Err(error),
        }
    }

    /// Plays a history, and on as the seats answer: to the end, or to where nobody does. Without seats that is the
    /// very next question.
    pub(super) fn run(
        &self,
        history: History,
        seats: Option<SeatedAgents>,
    ) -> Result<PlayedLine, Error> {
        let mut ran = PlayedLine {
            run: Run::begin(&self.conflict.rules, &self.conflict.setup, Ear::Events),
            record: Record::default(),
            step_began: 0,
            asks_all: seats.is_none(),
        };
        let mut follow = Follow::new(history);
        if let Err(error) = ran.play(&mut follow, seats) {
            self.failed.replace(Some(ran.record.history));
            return Err(error);
        }
        follow.finish().map(|()| ran)
    }

    pub(super) fn seats(&self, seed: u64, input: &SharedInput) -> Result<SeatedAgents, Error> {
        let mut seats = SeatedAgents::new(Generator::playout(seed, 0));
        for (seat, word) in &self.conflict.seats {
            let players = self.players.of_seat(seat)?;
            let agent: Box<dyn Agent> = if word == HUMAN {
                Box::new(Person(input.clone()))
            } else {
                let found = self.conflict.agent(word);
                let agent = found.and_then(|found| found.agent(&self.shared, &self.compiled));
                agent.map_err(|error| error.placed(|| self.conflict.seat_place(seat)))?
            };
            seats = seats.side(players, agent);
        }
        Ok(seats)
    }

    pub(crate) fn is_of_person(&self, entry: &Entry) -> bool {
        let is_own = |action: &Action| matches!(&action.actor, Actor::Player(player) if self.is_person(player));
        entry.actions().iter().any(is_own)
    }

    // Who sits in the seats.

    /// The seat that answers for a player, and the agent in it; nothing where nobody was seated.
    pub fn seat_of(&self, player: &str) -> Option<(&str, &str)> {
        self.conflict.seat_of(&self.players, player)
    }

    pub(crate) fn is_person(&self, player: &str) -> bool {
        self.seat_of(player).is_some_and(|(_, agent)| agent == HUMAN)
    }

    /// The players of each seat in which a person sits.
    pub fn people(&self) -> Vec<Vec<String>> {
        let seats = self.conflict.seats.iter().filter(|(_, agent)| *agent == HUMAN);
        let own = seats.map(|(seat, _)| {
            let mut players = self.players.of_seat(seat).unwrap_or_default();
            players.retain(|player| self.seat_of(player).is_some_and(|(its, _)| its == seat));
            players
        });
        own.filter(|players| !players.is_empty()).collect()
    }

    /// The players for whom the person answers who answers for this one, who comes first.
    pub(crate) fn seated_with(&self, player: &str) -> Vec<String> {
        let mut own = vec![player.to_owned()];
        let seat = self.people().into_iter().find(|seat| seat.iter().any(|name| name == player));
        own.extend(seat.into_iter().flatten().filter(|name| name != player));
        own
    }

    /// Whether another person has answered in secret what the one who is asked decides at the same time.
    pub(crate) fn is_answered_in_secret(&self) -> bool {
        let Some(asked) = self.position.asked().first() else { return false };
        let own = self.seated_with(&asked.who);
        self.given.keys().any(|(player, _)| !own.contains(player))
    }

    /// Seats an agent, from here on. What a person has answered in secret to a question that others
    /// still think about is forgotten where the agent answers instead.
    ///
    /// # Errors
    /// [`Error::Unknown`] for a player or agent that is not there. The seat stays as it was.
    pub fn seat(&mut self, seat: &str, agent: &str) -> Result<(), Error> {
        self.players.of_seat(seat)?;
        if agent != HUMAN {
            let found = AgentSpec::of_person(agent, &self.conflict.folder)?;
            found.check(&self.conflict.blueprint)?;
        }
        give(&mut self.conflict.seats, seat, agent);
        self.conflict.changes.seats.push((seat.to_owned(), agent.to_owned()));
        let (mut given, (place, mut ungiven)) = (self.given.clone(), self.ungiven.clone());
        for answers in [&mut given, &mut ungiven] {
            answers.retain(|(player, _), _| self.is_person(player));
        }
        (self.given, self.ungiven) = (given, (place, ungiven));
        Ok(())
    }

    // After given entries (`--after`), and the answers that lead to a failure.

    /// Begins after some entries and plays on. A mistake of the rules or of an
    /// agent has all answers that lead there, and the words that play them again.
    pub fn after(
        conflict: Conflict,
        seed: u64,
        limits: &Limits,
        history: History,
        until: RunUntil,
    ) -> Result<Play, Error> {
        let words = words_after(conflict.words(), Some(seed), &history);
        let mut play = Play::laid(conflict, seed, limits, history)?;
        match play.go(until) {
            Ok(()) => Ok(play),
            Err(error) => Err(error.reached(|| Some((play.failed.take()?, words)))),
        }
    }

    /// The answers that lead to where an agent or the rules fail when people answer so, and the
    /// words that play them again.
    pub(super) fn led_to_failure(&self, given: Given) -> Option<(History, Vec<String>)> {
        let (history, _) = self.to_failure(given)?;
        let words = words_after(self.conflict.words(), Some(self.seed), &history);
        Some((history, words))
    }

    /// The answers that lead to where an agent or the rules fail, and the failure.
    fn to_failure(&self, given: Given) -> Option<(History, Error)> {
        let seats = self.seats(self.seed, &Rc::new(RefCell::new(given))).ok()?;
        let failure = self.run(self.line.played(), Some(seats)).err()?;
        Some((self.failed.take()?, failure))
    }

    /// Plays until a person is asked, to the end, or to the last question before an agent or the
    /// rules fail; then the failure is returned, and the conflict stays at that question.
    pub(crate) fn go_furthest(&mut self) -> Result<Option<Error>, Error> {
        let Some((history, failure)) = self.to_failure(Given::default()) else {
            return self.go(RunUntil::PersonAsked).map(|()| None);
        };
        self.move_to(self.seed, Line::new(history), Default::default(), RunUntil::NextQuestion)?;
        Ok(Some(failure))
    }

    // What programs get of a line of play.

    /// The course of the line that is played.
    pub fn course(&self) -> Course {
        let (events, position) = (self.events().to_vec(), self.position().clone());
        Course { history: self.history(), events, position }
    }

    /// The course of another line; the one that is played does not change.
    pub(crate) fn course_of(&self, name: &str) -> Result<Course, Error> {
        if name == self.line_name() {
            return Ok(self.course());
        }
        let known = || self.lines().into_iter().map(|(name, ..)| name);
        let line = self.line(name).ok_or_else(|| Error::unknown("fork", name, known()))?;
        let ran = self.run(line.played(), None)?;
        let (position, Record { history, events, .. }) = (ran.position(), ran.record);
        Ok(Course { history, events, position })
    }

    /// The outcome as the rules gave it, where it is over.
    pub fn outcome(&self) -> Option<&Value> {
        self.position.outcome().map(Outcome::value)
    }

    /// What was played so far.
    pub fn played(&self) -> Played {
        Played {
            system: self.conflict.scenario.system.clone(),
            scenario: self.conflict.scenario.name.clone(),
            seed: self.seed,
            outcome: self.outcome().cloned(),
            history: self.history().actions().cloned().collect(),
            events: self.events().iter().map(|heard| heard.text.clone()).collect(),
            error: None,
            same: None,
        }
    }
}

/// A line of play from its start to its current position.
#[derive(Clone, Debug)]
pub struct Course {
    /// What was decided and what fell.
    pub history: History,
    pub(crate) events: Vec<TimedEvent>,
    /// The current position.
    pub position: Position,
}

/// A conflict that was played, or the part of it that was.
#[derive(Clone, Debug, Serialize)]
pub struct Played {
    /// The system.
    pub system: String,
    /// The scenario.
    pub scenario: String,
    /// The seed of chance and of agents.
    pub seed: u64,
    /// The outcome as the rules gave it; null where it is not over.
    pub outcome: Option<Value>,
    /// All answers of players and of chance; those to one joint decision follow each other.
    pub history: Vec<Action>,
    /// What the rules announced, in order.
    pub events: Vec<String>,
    /// Why a saved history does not continue as it did, if it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorReport>,
    /// Whether a saved history has the outcome that it had; left out where it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same: Option<bool>,
}

/// The words of a command that plays, with a seed and after a history.
pub(crate) fn words_after(
    mut words: Vec<String>,
    seed: Option<u64>,
    history: &History,
) -> Vec<String> {
    words.extend(seed.into_iter().flat_map(|seed| ["--seed".to_owned(), seed.to_string()]));
    for entry in &history.entries {
        words.extend(["--after".to_owned(), entry.to_string()]);
    }
    words
}

pub(super) struct PlayedLine {
    run: Run,
    /// All that was decided, and announced.
    pub record: Record,
    step_began: usize,
    /// Whether a joint decision is open as a whole, or the part of it at which the run stopped.
    asks_all: bool,
}

impl PlayedLine {
    fn play(&mut self, follow: &mut Follow, mut seats: Option<SeatedAgents>) -> Result<(), Error> {
        let mut reached = 0;
        loop {
            let turn = self.run.next()?;
            if turn == Turn::Step {
                self.step_began = std::mem::replace(&mut reached, self.record.history.len());
                continue;
            }
            if turn == Turn::Done {
                return Ok(());
            }
            self.step_began = reached;
            if turn == Turn::Event {
                self.record.hear(self.run.event());
                continue;
            }
            let answered = self.run.answer_by(|question| {
                let answer = match (follow.answer(question)?, &mut seats) {
                    (Some(answer), Some(seats)) => seats.skip(answer),
                    (Some(answer), None) => answer,
                    (None, Some(seats)) => seats.choose(question)?,
                    (None, None) => return Err(Stop::Pause),
                };
                self.record.note(question, answer);
                Ok(answer)
            });
            match answered {
                Err(Stop::Pause) => return Ok(()),
                answered => answered?,
            }
        }
    }

    pub(super) fn position(&self) -> Position {
        if let (Some(outcome), Some(state)) = (self.run.outcome(), self.run.state()) {
            return Position::Over { outcome: outcome.clone(), state: state.value() };
        }
        let question = self.run.question();
        let asked = if self.asks_all { question.all_asked() } else { vec![question.asked()] };
        Position::Asked(PendingQuestion::of(&self.run, asked))
    }
}

/// The moment at which a run paused: what is asked, the state and its picture.
#[derive(Clone, Debug)]
pub struct PendingQuestion {
    /// What is asked; several players of a joint decision, or one.
    pub asked: Vec<Asked>,
    /// The state in the middle of the step.
    pub state: Value,
    /// The rules' picture of it, or why there is none.
    pub picture: Result<Option<String>, String>,
    /// The functions of the rules that led to the question, innermost first.
    pub calls: Vec<Call>,
}

impl PendingQuestion {
    /// The question at which a run stopped, or the part of it that is given.
    pub(super) fn of(run: &Run, asked: Vec<Asked>) -> PendingQuestion {
        let scene = run.question().scene();
        let picture = scene.picture().map_err(|error| error.to_string());
        PendingQuestion { asked, state: scene.state(), picture, calls: run.calls() }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Picked {
    /// Its place among the options, from 0.
    pub index: usize,
    /// The option itself.
    pub value: Value,
}

/// Player and decision -> the option that was picked: answers to what is asked after the history, in the
/// order given.
pub(super) type Given = IndexMap<(String, String), Picked>;

/// What was typed, shared by the seats and the one who plays; each answer is used once.
pub(super) type SharedInput = Rc<RefCell<Given>>;

pub(super) struct Person(pub SharedInput);

impl Agent for Person {
    fn name(&self) -> &str {
        HUMAN
    }

    fn answer(&mut self, decision: &Decision<'_>, _: Standpoint<'_>) -> Result<Answer, Stop> {
        let question = (decision.player.to_owned(), decision.name.to_owned());
        let picked = self.0.borrow_mut().shift_remove(&question);
        let picked = picked.filter(|picked| picked.index < decision.options.len());
        picked.map(|picked| Answer::Option(picked.index)).ok_or(Stop::Pause)
    }
}
