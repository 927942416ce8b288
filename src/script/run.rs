//! A run of the rules that is driven from outside: it stops at each question, event and step, and can be cloned
//! there.

use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use super::machine::{self, Call, Machine, OfferedDecision, QuestionKind, refused};
use super::playout::origin::{CalledFunction, FinishedPlayout, RunOpening, RunPlace, State};
use super::rules::Rules;
use super::sandbox::engine::guarded;
use super::sandbox::fuel::{Fuel, Stopped};
use super::sandbox::limits::unwind;
use super::setup::{Beginning, Drawing, ReadSoFar, Setup};
use crate::error::{Error, Limit};
use crate::game::{Chance, Decision, History, Outcome, Question, Stop};

/// A conflict under way, played by whoever holds it. It belongs to the thread of its rules; a clone runs on by itself.
#[derive(Clone)]
pub struct Run {
    rules: Rc<Rules>,
    at: RunPlace,
    ear: Ear,
    /// What the playout may take, and what is left of the leg's fuel where that was interrupted by an event.
    fuel: Fuel,
    leg_left: Option<u64>,
    /// How many steps and questions there were, and how many steps in a row in which nobody was asked.
    steps: u64,
    questions: u64,
    idle: u64,
    /// What it took since it was weighed last.
    unweighed: u64,
    /// The players who were asked, and what was read of the setup.
    asked: Rc<BTreeSet<machine::Text>>,
    read: ReadSoFar,
    /// How many answers the open question takes, and those that were given.
    parts: usize,
    answers: Vec<usize>,
    /// The event that was announced last, those after it, and the turn that follows them.
    event: String,
    heard: VecDeque<String>,
    next: Option<Turn>,
    steps_alone: bool,
}

/// Whether anybody hears the events of a run. Costs and errors are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ear {
    /// Nobody: none is announced.
    Deaf,
    /// Somebody.
    Events,
}

/// Why a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Somebody, or chance, is asked: see [`Run::question`].
    Question,
    /// Something was announced: see [`Run::event`].
    Event,
    /// It reached a state between two steps, the one after the setup first.
    Step,
    /// It is over: see [`Run::outcome`].
    Done,
}

/// For whom values of the setup are drawn.
const SCENARIO: &str = "scenario";
/// The most bytes that a name in a set takes beside its letters.
const NAME: usize = 64;
/// What a step takes beside its operations: there may be very many that do nothing.
const STEP: u64 = 100;
/// A run is weighed at a question once it has taken as many operations: after fewer it holds little more.
const WEIGH_EVERY: u64 = 4_000;

impl Run {
    /// A run from the setup on, or from after the answers with which it begins. They are given before the first turn,
    /// in silence and at no cost.
    pub fn begin(rules: &Rc<Rules>, setup: &Setup, ear: Ear) -> Run {
        Run::of(rules, RunPlace::Beginning(setup.clone()), ear)
    }

    /// A run from a state between two steps on, as if it had just come there.
    pub fn at(rules: &Rc<Rules>, state: State, ear: Ear) -> Run {
        Run::of(rules, RunPlace::Reached(state), ear)
    }

    /// A run from a state between two steps on that is known not to be over.
    pub(crate) fn going(rules: &Rc<Rules>, state: State, ear: Ear) -> Run {
        Run::of(rules, RunPlace::Going(state), ear)
    }

    fn of(rules: &Rc<Rules>, at: RunPlace, ear: Ear) -> Run {
        Run {
            rules: rules.clone(),
            at,
            ear,
            fuel: Fuel::new(rules.limits().playout),
            leg_left: None,
            steps: 0,
            questions: 0,
            idle: 0,
            unweighed: 0,
            asked: Rc::default(),
            read: ReadSoFar::default(),
            parts: 0,
            answers: Vec::new(),
            event: String::new(),
            heard: VecDeque::new(),
            next: None,
            steps_alone: false,
        }
    }

    /// The same with this many operations at most in all.
    pub(crate) fn within(self, operations: u64) -> Run {
        Run { fuel: Fuel::new(operations), ..self }
    }

    /// The same with questions counted anew in each step. A graph is explored in pieces, some of which are known
    /// already: counts must not depend on where they begin.
    pub(crate) fn with_steps_alone(self) -> Run {
        Run { steps_alone: true, ..self }
    }

    /// Runs on to the next turn. At a question that is not answered yet it stays.
    ///
    /// # Errors
    /// What went wrong in the rules, a limit, or an interrupt. The run is lost then.
    #[expect(
        clippy::should_implement_trait,
        reason = "it can fail, and a question stays until it is answered"
    )]
    pub fn next(&mut self) -> Result<Turn, Error> {
        match self.open() {
            Some(turn) => Ok(turn),
            None => guarded(|| self.run_on())?,
        }
    }

    /// As [`Run::next`], for who has a large stack and catches panics.
    fn next_unguarded(&mut self) -> Result<Turn, Error> {
        match self.open() {
            Some(turn) => Ok(turn),
            None => self.run_on(),
        }
    }

    /// What is asked now. Only [`Run::next`] knows whether anything is.
    pub fn question(&self) -> Question<'_> {
        self.asks().expect("a run is asked for its question where it has one")
    }

    /// Answers what is asked, with the index of an option or of what falls. An index past the last one is an error of
    /// [`Run::next`].
    pub fn answer(&mut self, index: usize) {
        self.answers.push(index);
    }

    /// Lets somebody answer what is asked.
    ///
    /// # Errors
    /// Why nobody does, with the place that asks where it has none.
    pub fn answer_by(
        &mut self,
        pick: impl FnOnce(&Question<'_>) -> Result<usize, Stop>,
    ) -> Result<(), Stop> {
        let picked = pick(&self.question()).map_err(|stop| match stop {
            Stop::Fail(error) => self.blamed(*error).into(),
            Stop::Pause => Stop::Pause,
        })?;
        self.answer(picked);
        Ok(())
    }

    /// Plays to the end; `pick` answers what is asked.
    ///
    /// # Errors
    /// Why nobody answers, else what went wrong in the rules.
    pub fn finish(
        mut self,
        pick: impl FnMut(&Question<'_>) -> Result<usize, Stop>,
    ) -> Result<FinishedPlayout, Stop> {
        self.play_out(pick)?;
        self.into_end().ok_or(Stop::Pause)
    }

    /// Plays to the end, for who wants to know what it took even where it fails.
    pub(crate) fn play_out(
        &mut self,
        mut pick: impl FnMut(&Question<'_>) -> Result<usize, Stop>,
    ) -> Result<(), Stop> {
        let play = || {
            while self.pass(&mut pick)? != Turn::Done {}
            Ok(())
        };
        guarded(play).map_err(Error::from)?
    }

    /// Plays to the next state between two steps, or the end; `pick` answers what is asked.
    pub fn reach(
        &mut self,
        mut pick: impl FnMut(&Question<'_>) -> Result<usize, Stop>,
    ) -> Result<Turn, Stop> {
        guarded(|| self.pass(&mut pick)).map_err(Error::from)?
    }

    fn pass(
        &mut self,
        pick: &mut impl FnMut(&Question<'_>) -> Result<usize, Stop>,
    ) -> Result<Turn, Stop> {
        loop {
            match self.next_unguarded()? {
                Turn::Question => self.answer_by(&mut *pick)?,
                Turn::Event => {}
                turn => return Ok(turn),
            }
        }
    }

    /// What was announced last.
    pub fn event(&self) -> &str {
        &self.event
    }

    /// The state before the step that is run, or after the last; none within the setup or a step.
    pub fn state(&self) -> Option<&State> {
        match &self.at {
            RunPlace::Reached(state) | RunPlace::Going(state) | RunPlace::Over(_, state) => {
                Some(state)
            }
            RunPlace::Within(CalledFunction::Outcome(state), _) => Some(state),
            _ => None,
        }
    }

    /// How it ended.
    pub fn outcome(&self) -> Option<&Outcome> {
        match &self.at {
            RunPlace::Over(outcome, _) => Some(outcome),
            _ => None,
        }
    }

    /// How it ended, where it is over.
    pub fn into_end(self) -> Option<FinishedPlayout> {
        match self.at {
            RunPlace::Over(outcome, state) => {
                let cost = self.fuel.spent();
                Some(FinishedPlayout { outcome, state, steps: self.steps, cost })
            }
            _ => None,
        }
    }

    /// The functions of the rules that led to the question, innermost first.
    pub fn calls(&self) -> Vec<Call> {
        self.machine().map(|machine| self.rules.runner.calls(machine)).unwrap_or_default()
    }

    /// The operations that all its legs took, up to where it stopped.
    pub fn spent(&self) -> u64 {
        self.fuel.spent()
    }

    /// The most bytes that it may take; what it shares with others counts whole.
    pub fn bytes(&self) -> usize {
        let asked = self.asked.iter().map(|player| NAME + player.as_str().len());
        let machine = match &self.at {
            RunPlace::Drawing(drawing) => drawing.bytes(),
            _ => self.machine().map_or(0, Machine::bytes),
        };
        size_of::<Run>() + machine + asked.sum::<usize>() + self.read.bytes()
    }

    pub(super) fn rules(&self) -> &Rules {
        &self.rules
    }

    pub(super) fn machine(&self) -> Option<&Machine> {
        match &self.at {
            RunPlace::Within(_, machine) => Some(machine),
            _ => None,
        }
    }

    /// What is drawn of the setup now.
    pub(super) fn drawing(&self) -> Option<&Drawing> {
        match &self.at {
            RunPlace::Drawing(drawing) => Some(drawing),
            _ => None,
        }
    }

    /// An error of who answers: one of a script without a place is one of the function that asks.
    pub(crate) fn blamed(&self, error: Error) -> Error {
        let function = match &self.at {
            RunPlace::Within(function, _) => function.name(),
            _ => "step",
        };
        self.rules.suggested(self.rules.runner.placed(error, function))
    }

    pub(super) fn decision<'a>(&'a self, offered: &'a OfferedDecision) -> Decision<'a> {
        let (player, name) = (offered.player.as_str(), offered.name.as_str());
        Decision { player, name, options: offered, scene: self }
    }

    fn asks(&self) -> Option<Question<'_>> {
        if let Some(draw) = self.drawing().and_then(Drawing::next) {
            let (name, distribution) = (draw.place.as_str(), &*draw.distribution);
            return Some(Question::Chance(Chance {
                roller: SCENARIO,
                name,
                distribution,
                scene: self,
            }));
        }
        let question = self.machine()?.question()?;
        let nth = self.answers.len();
        Some(match &question.asked {
            QuestionKind::One(one) | QuestionKind::Onto { decision: one, .. } => {
                Question::Decision(self.decision(one), None)
            }
            QuestionKind::Together(_) => {
                let one = question.together().nth(nth)?;
                Question::Decision(self.decision(one), Some((nth, self.parts)))
            }
            QuestionKind::Chance { roller, name, distribution } => Question::Chance(Chance {
                roller: roller.as_str(),
                name: name.as_str(),
                distribution,
                scene: self,
            }),
        })
    }

    /// A turn for which nothing needs to run.
    fn open(&mut self) -> Option<Turn> {
        if let Some(text) = self.heard.pop_front() {
            self.event = text;
            return Some(Turn::Event);
        }
        let asks = self.parts > self.answers.len();
        self.next.take().or(asks.then_some(Turn::Question))
    }

    fn run_on(&mut self) -> Result<Turn, Error> {
        if let RunPlace::Beginning(setup) = &self.at
            && !setup.begin.is_empty()
            && let Err(error) = self.follow(setup.clone())
        {
            self.at = RunPlace::Lost;
            return Err(error);
        }
        let turn = self.begin_leg().and_then(|()| {
            let turn = self.advance()?;
            self.pay_leg(turn).map(|()| turn)
        });
        match turn {
            Ok(turn) => Ok(self.end_leg(turn)),
            Err(error) => {
                self.at = RunPlace::Lost;
                Err(self.rules.suggested(error))
            }
        }
    }

    /// Gives the answers of an opening. They have the fuel of a playout to themselves.
    fn follow(&mut self, setup: Setup) -> Result<(), Error> {
        let rules = self.rules.clone();
        let is_known = |known: &RunOpening| {
            Arc::ptr_eq(&known.value, &setup.value) && Arc::ptr_eq(&known.begin, &setup.begin)
        };
        if !rules.opening.borrow().as_ref().is_some_and(is_known) {
            let mut opening = Beginning::of(&setup);
            let mut run = Run::begin(&rules, &setup.clone().after(&History::default()), Ear::Deaf);
            while !opening.is_over() {
                match run.next_unguarded()? {
                    Turn::Question => {
                        let answer = opening.answer(&run.question())?;
                        run.answer(answer);
                    }
                    Turn::Done => opening.finish()?,
                    Turn::Step | Turn::Event => {}
                }
            }
            rules.forget_calls();
            let Run { at, asked, read, parts, answers, .. } = run;
            let (value, begin) = (setup.value, setup.begin);
            let known = RunOpening { value, begin, at, asked, read, parts, answers };
            rules.opening.replace(Some(known));
        }
        if let Some(known) = &*rules.opening.borrow() {
            (self.at, self.asked) = (known.at.clone(), known.asked.clone());
            (self.read, self.parts) = (known.read.clone(), known.parts);
            self.answers = known.answers.clone();
        }
        Ok(())
    }

    /// Begins a leg, or continues one that an event interrupted.
    fn begin_leg(&mut self) -> Result<(), Error> {
        let context = &self.rules.context;
        let meter = &context.meter;
        if !matches!(self.at, RunPlace::Within(..)) {
            // Short legs never look for it on their way, and there may be very many of them.
            meter.limits().budget.is_wanted()?;
        }
        context.setups.restore(std::mem::take(&mut self.read));
        meter.start(meter.limits().leg);
        if let Some(left) = self.leg_left.take() {
            meter.set_left(left);
        }
        context.hears(self.ear == Ear::Events);
        Ok(())
    }

    /// Pays for the leg, unless it continues after an event.
    fn pay_leg(&mut self, turn: Turn) -> Result<(), Error> {
        let meter = &self.rules.context.meter;
        if turn == Turn::Event {
            self.leg_left = Some(meter.left());
            return Ok(());
        }
        // Where the graph knows the way no line is known, so that none is to blame.
        let cost = meter.spent();
        Ok(self.fuel.spend(cost)?)
    }

    fn end_leg(&mut self, turn: Turn) -> Turn {
        let context = &self.rules.context;
        self.read = context.setups.so_far();
        if self.ear == Ear::Events {
            self.heard = context.take_heard();
        }
        match self.heard.pop_front() {
            None => turn,
            Some(text) => {
                self.event = text;
                self.next = (turn != Turn::Event).then_some(turn);
                Turn::Event
            }
        }
    }

    fn advance(&mut self) -> Result<Turn, Error> {
        let rules = self.rules.clone();
        let runner = &rules.runner;
        loop {
            if let RunPlace::Within(function, machine) = &mut self.at {
                if self.parts > 0 {
                    self.parts = 0;
                    let answered = machine.answer(&self.answers);
                    self.answers.clear();
                    let answered = answered.map_err(|fault| machine.traced(fault));
                    runner.ran(function.name(), answered)?;
                }
                match runner.turn(function.name(), machine)? {
                    machine::Turn::Asked => {
                        self.parts = self.asked_now()?;
                        return Ok(Turn::Question);
                    }
                    machine::Turn::Events(texts) => {
                        runner.host().announce(&texts);
                        if !texts.is_empty() {
                            return Ok(Turn::Event);
                        }
                    }
                    machine::Turn::Done(value) => {
                        if let Some(turn) = self.returned(value)? {
                            return Ok(turn);
                        }
                    }
                }
                continue;
            }
            match std::mem::replace(&mut self.at, RunPlace::Lost) {
                RunPlace::Beginning(setup) => {
                    if let Some(state) = rules.known_start(&setup) {
                        return Ok(self.reaches(state));
                    }
                    self.at =
                        RunPlace::Drawing(Box::new(Drawing::new(setup, rules.is_campaign())?));
                }
                RunPlace::Drawing(mut drawing) => {
                    if self.parts > 0 {
                        self.parts = 0;
                        drawing.take(self.answers.drain(..).next().unwrap_or_default())?;
                    }
                    if drawing.next().is_some() {
                        rules.context.meter.charge(drawing.bytes() as u64 / 16);
                        self.parts = 1;
                        self.questions += 1;
                        let most = rules.limits().questions;
                        if self.questions > most {
                            return Err(rules.passed(
                                "setup",
                                &machine::Value::Unit,
                                Limit::Questions(most),
                            ));
                        }
                        self.at = RunPlace::Drawing(drawing);
                        return Ok(Turn::Question);
                    }
                    let (reader, machine) = rules.set_up(&drawing.setup())?;
                    self.at = RunPlace::Within(CalledFunction::Setup(reader), machine);
                }
                RunPlace::Reached(state) => {
                    let machine = runner.machine("outcome", state.0.clone(), &[])?;
                    self.at = RunPlace::Within(CalledFunction::Outcome(state), machine);
                }
                RunPlace::Going(State(this)) => {
                    self.steps += 1;
                    rules.context.calls.steps();
                    self.at =
                        RunPlace::Within(CalledFunction::Step, runner.machine("step", this, &[])?);
                }
                RunPlace::Over(outcome, state) => {
                    self.at = RunPlace::Over(outcome, state);
                    return Ok(Turn::Done);
                }
                RunPlace::Within(..) | RunPlace::Lost => {
                    return Err(Error::usage("the run has failed before"));
                }
            }
        }
    }

    /// What follows from what the function returned, if that is a turn.
    fn returned(&mut self, value: machine::Value) -> Result<Option<Turn>, Error> {
        let rules = self.rules.clone();
        let RunPlace::Within(function, machine) = std::mem::replace(&mut self.at, RunPlace::Lost)
        else {
            return Ok(None);
        };
        let called = rules.runner.done(machine, value);
        match function {
            CalledFunction::Setup(reader) => {
                let state = rules.has_set_up(&reader, called)?;
                if self.questions == 0 {
                    rules.keep_start(&reader, &state);
                }
                Ok(Some(self.reaches(state)))
            }
            CalledFunction::Step => {
                // The value of the last line of `step` means nothing; the state is what counts.
                let state = rules.stepped(called)?;
                self.idle += 1;
                let most = rules.limits().steps;
                if self.idle > most {
                    return Err(rules.passed("step", &state.0, Limit::Steps(most)));
                }
                rules.context.meter.charge(STEP);
                Ok(Some(self.reaches(state)))
            }
            CalledFunction::Outcome(state) => {
                match rules.outcome_of(called.value, &state, &self.asked)? {
                    Some(outcome) => {
                        self.at = RunPlace::Over(outcome, state);
                        Ok(Some(Turn::Done))
                    }
                    None => {
                        if self.steps_alone {
                            self.questions = 0;
                        }
                        self.at = RunPlace::Going(state);
                        Ok(None)
                    }
                }
            }
        }
    }

    fn reaches(&mut self, state: State) -> Turn {
        self.unweighed = 0;
        self.at = RunPlace::Reached(state);
        Turn::Step
    }

    /// Somebody is asked within a function, unless that may not be; how many answers that takes.
    fn asked_now(&mut self) -> Result<usize, Error> {
        let RunPlace::Within(function, machine) = &self.at else { return Ok(0) };
        let (function, runner, meter) =
            (function.name(), &self.rules.runner, &self.rules.context.meter);
        let Some(question) = machine.question() else { return Ok(0) };
        if function == "outcome" {
            return runner.ran(function, Err(refused(machine, function)));
        }
        let mut note = |player: &machine::Text| {
            if !self.asked.contains(player) {
                Rc::make_mut(&mut self.asked).insert(player.clone());
            }
        };
        match &question.asked {
            QuestionKind::One(one) | QuestionKind::Onto { decision: one, .. } => {
                note(&one.player);
            }
            QuestionKind::Together(_) => {
                question.together().for_each(|one| note(&one.player));
            }
            QuestionKind::Chance { .. } => {}
        }
        (self.idle, self.questions) = (0, self.questions + 1);
        self.unweighed = self.unweighed.saturating_add(meter.spent());
        let limits = meter.limits();
        if self.questions > limits.questions {
            meter.stop(Stopped::Limit(Limit::Questions(limits.questions)));
        } else if self.unweighed > WEIGH_EVERY {
            self.unweighed = 0;
            if machine.bytes() > limits.held {
                meter.stop(Stopped::Limit(Limit::Memory(limits.held)));
            }
        }
        match meter.is_halted() {
            true => runner.ran(function, Err(machine.traced(unwind(question.at)))),
            false => Ok(question.parts()),
        }
    }
}
