//! Replays the history of a playout step by step, and checks the laws, views and pictures on the way; and whether a
//! `view` hides anything: parts of a state are changed, and where no player's view changes with them, they are hidden.

use std::collections::BTreeSet;

use indexmap::IndexSet;

use crate::conflict::{Conflict, alter, parts_of, place_in};
use crate::error::{Error, Location};
use crate::game::{
    Decision, Follow, Generator, History, Question, Record, Stop, Value, option_name,
};
use crate::report::many;
use crate::script::{Ear, Rules, Run, State, Turn};

/// A playout that is gone through again, and what was seen so far.
pub(super) struct ReplayedPlayout<'a> {
    conflict: &'a Conflict,
    follow: Follow,
    /// Whether the history must have all answers.
    whole: bool,
    players: &'a IndexSet<String>,
    /// Draws where views and pictures are looked at.
    rng: Generator,
    pub record: Record,
    /// `None` if the answers or the steps ended before it.
    pub outcome: Option<Value>,
    /// Some states in which somebody was asked.
    pub states: Vec<Value>,
    /// Some questions, of each name one at least.
    pub questions: Vec<SeenQuestion>,
    step: u64,
}

/// A question that a player was asked, and what that player saw.
pub(super) struct SeenQuestion {
    pub player: String,
    pub name: String,
    pub options: Vec<Value>,
    pub view: Value,
    pub at: Option<Location>,
    /// What two of the options are both printed as.
    pub alike: Option<String>,
}

/// A fault, and the step at which it was found.
pub(super) struct PlayoutFault {
    pub step: u64,
    pub wrong: Wrong,
}

pub(super) enum Wrong {
    /// The picture or the drawing of what this player sees failed.
    Picture(String, Box<Error>),
    /// A law is broken, a function of the rules failed, or the history does not fit.
    Error(Box<Error>),
}

impl From<Error> for Wrong {
    fn from(error: Error) -> Wrong {
        Wrong::Error(Box::new(error))
    }
}

/// One in this many states and questions is checked with `view` and `picture`.
const LOOK_EVERY: usize = 4;
/// At most this many questions are kept of a playout.
const QUESTIONS: usize = 40;

/// Replays a history, which must be whole or not, for at most `steps` steps, up to the first fault.
pub(super) fn replay<'a>(
    conflict: &'a Conflict,
    (history, whole): (&History, bool),
    players: &'a IndexSet<String>,
    seed: u64,
    steps: u64,
) -> Result<ReplayedPlayout<'a>, PlayoutFault> {
    let mut replayed = ReplayedPlayout {
        conflict,
        follow: Follow::new(history.clone()),
        whole,
        players,
        rng: Generator::playout(seed, 1),
        record: Record::default(),
        outcome: None,
        states: Vec::new(),
        questions: Vec::new(),
        step: 0,
    };
    match replayed.walk(&mut Generator::playout(seed, 2), steps) {
        Ok(outcome) => Ok(ReplayedPlayout { outcome, ..replayed }),
        Err(wrong) => Err(PlayoutFault { step: replayed.step, wrong }),
    }
}

impl ReplayedPlayout<'_> {
    /// The outcome, or `None` if the answers or the steps end before it.
    fn walk(&mut self, rng: &mut Generator, steps: u64) -> Result<Option<Value>, Wrong> {
        let rules = &self.conflict.rules;
        // Events are built for whoever plays, so they are built here.
        let mut run = Run::begin(rules, &self.conflict.setup, Ear::Events);
        let mut looked = false;
        loop {
            let turn = match run.reach(|question| self.answer(question)) {
                Ok(turn) => turn,
                Err(Stop::Pause) => return Ok(None),
                Err(Stop::Fail(error)) => return Err(Wrong::Error(error)),
            };
            let Some(state) = run.state() else { continue };
            if turn == Turn::Done {
                self.step -= 1;
                if !looked {
                    look(rules, state, self.players)?;
                }
                self.follow.finish()?;
                return Ok(run.outcome().map(|outcome| outcome.value().clone()));
            }
            if self.step == 0 {
                rules.sides(state)?;
            }
            rules.keep_laws(state)?;
            looked = rng.index(LOOK_EVERY) == 0;
            if looked {
                look(rules, state, self.players)?;
            }
            if self.step == steps {
                return Ok(rules.outcome(state)?.map(|outcome| outcome.value().clone()));
            }
            self.step += 1;
        }
    }

    fn answer(&mut self, question: &Question<'_>) -> Result<usize, Stop> {
        match question {
            Question::Decision(decision, None) => self.notice(decision)?,
            Question::Decision(decision, Some((0, _))) => {
                decision.scene.together().iter().try_for_each(|one| self.notice(one))?;
            }
            _ => {}
        }
        let answer = match self.whole {
            true => self.follow.answer_whole(question)?,
            false => self.follow.answer(question)?.ok_or(Stop::Pause)?,
        };
        self.record.note(question, answer);
        Ok(answer)
    }

    /// Computes the views and the picture at some decisions, and keeps some of those that the setup does not ask.
    fn notice(&mut self, decision: &Decision<'_>) -> Result<(), Error> {
        let looks = self.rng.index(LOOK_EVERY) == 0;
        let is_new = !self.questions.iter().any(|known| known.name == decision.name);
        let options = decision.options.values();
        let mut names = BTreeSet::new();
        let mut printed = options.iter().map(option_name);
        let alike = printed.find(|name| !names.insert(name.clone()));
        let shows = looks || is_new || alike.is_some();
        if self.step > 0 && shows && self.questions.len() < QUESTIONS {
            self.questions.push(SeenQuestion {
                player: decision.player.to_owned(),
                name: decision.name.to_owned(),
                options,
                view: decision.scene.view(decision.player)?,
                at: decision.scene.asked_at(),
                alike,
            });
        }
        if looks {
            decision.scene.view(decision.player)?;
            for player in self.players {
                decision.scene.view(player)?;
            }
            decision.scene.picture()?;
            if self.states.len() < STATES {
                self.states.push(decision.scene.state());
            }
        }
        Ok(())
    }
}

/// Computes each player's view, its picture and drawing, and those of the state: none may fail.
fn look(rules: &Rules, state: &State, players: &IndexSet<String>) -> Result<(), Wrong> {
    for player in players {
        let seen = rules.view(state, player)?;
        if rules.hides() {
            let seen = State::from_value(&seen);
            let drawn = rules.picture(&seen).and_then(|_| rules.drawing(&seen));
            drawn.map_err(|error| Wrong::Picture(player.clone(), Box::new(error)))?;
        }
    }
    rules.picture(state)?;
    rules.drawing(state)?;
    Ok(())
}

/// At most this many states are looked at in a playout, this many parts of each, and this many players.
const STATES: usize = 6;
const PARTS: usize = 40;
const PLAYERS: usize = 4;
/// In each scenario, views are asked for so often at most.
const VIEWS: usize = 4_000;

/// What was found out about the `view` of rules.
#[derive(Default)]
pub(super) struct ViewCheck {
    /// Whether some part of some state is hidden from somebody.
    hides: bool,
    /// How many states were looked at.
    states: usize,
    views: usize,
}

impl ViewCheck {
    /// Looks for hidden parts of a state in which somebody is asked.
    pub(super) fn look(&mut self, rules: &Rules, state: &Value, players: &IndexSet<String>) {
        if self.hides || self.views > VIEWS || !rules.means_to_hide() {
            return;
        }
        let mut places = Vec::new();
        parts_of(state, &mut Vec::new(), &mut places);
        if places.is_empty() || players.is_empty() {
            return;
        }
        self.states += 1;
        let stride = places.len().div_ceil(PARTS);
        for player in players.iter().take(PLAYERS) {
            let Ok(seen) = rules.view(&State::from_value(state), player) else { continue };
            for (place, value) in places.iter().step_by(stride) {
                // Of its kind there is another in the state, most likely one that the rules know.
                let mut others = places.iter().rev().map(|(_, other)| *other);
                let other = others.find(|other| *other != *value && other.kind() == value.kind());
                let mut altered = (*value).clone();
                alter(&mut altered);
                let altered = Some(altered).filter(|altered| altered != *value);
                for new in other.cloned().into_iter().chain(altered) {
                    let mut changed = state.clone();
                    place_in(&mut changed, place).into_iter().for_each(|part| *part = new.clone());
                    self.views += 1;
                    // Where the rules cannot make a view of it, nothing is known.
                    let view = rules.view(&State::from_value(&changed), player);
                    if view.is_ok_and(|view| view == seen) {
                        self.hides = true;
                        return;
                    }
                }
            }
        }
    }

    pub(super) fn join(&mut self, other: &ViewCheck) {
        self.hides |= other.hides;
        self.states += other.states;
    }

    pub(super) fn warning(&self) -> Option<String> {
        (self.states > 0 && !self.hides).then(|| {
        format!(
            "`view` hides nothing: in {} in which somebody was asked, every player sees every part",
            many(self.states as u64, "state")
        )
    })
    }
}
