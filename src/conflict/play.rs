//! How is a conflict played move by move? From the start each time: its answers are everything.

use std::cell::RefCell;
use std::rc::Rc;

use indexmap::IndexMap;

use super::people::{Desk, Halt, Moment, Person, SharedDesk};
use super::players::{Players, fail};
use super::{Conflict, Line};
use crate::agents::{self, HUMAN};
use crate::error::{Error, nearest};
use crate::game::{Actor, Entry, Handler, History, Outcome, Stop, Value};
use crate::handlers::{Generator, Heard, Record, Replay, Seats, Skip};
use crate::script::{Limits, Played, State, Unwatched, Watch};

/// A conflict under way: its line of play, and where it stands.
pub struct Play {
    /// What is played.
    pub conflict: Conflict,
    /// Who plays.
    pub players: Players,
    /// The seed of chance and of the agents' lots.
    pub seed: u64,
    pub(super) limits: Limits,
    pub(super) line: Line,
    pub(super) name: String,
    pub(super) lines: IndexMap<String, Line>,
    pub(super) given: Desk,
    standing: Standing,
    events: Vec<Heard>,
}

/// Where a conflict under way stands.
#[derive(Clone, Debug)]
pub enum Standing {
    /// Somebody, or chance, is asked.
    Asked(Moment),
    /// It is over.
    Over {
        /// How it ended.
        outcome: Outcome,
        /// The last state.
        state: Value,
    },
}

/// How far to go on from where the history ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Go {
    /// Until a person is asked, or to the end.
    On,
    /// To the very next question, whoever is asked.
    Stay,
}

/// The name of the line that a conflict begins with.
pub const MAIN: &str = "main";

impl Play {
    /// Begins a conflict and goes on until a person is asked.
    ///
    /// # Errors
    /// Those of the rules, and of seats that name no player or agent.
    pub fn begin(conflict: Conflict, seed: u64, limits: &Limits) -> Result<Play, Error> {
        Play::resume(conflict, seed, limits, History::default(), Go::On)
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
        go: Go,
    ) -> Result<Play, Error> {
        let players = Players::find(&conflict)?;
        for seat in conflict.seats.keys() {
            players.of_seat(seat).map_err(|error| error.placed(|| conflict.seat_key(seat)))?;
        }
        let nothing = Value::Map(IndexMap::new());
        let outcome =
            Outcome { result: String::new(), utility: IndexMap::new(), value: Value::Unit };
        let mut play = Play {
            conflict,
            players,
            seed,
            limits: limits.clone(),
            line: Line::new(history),
            name: MAIN.to_owned(),
            lines: IndexMap::new(),
            given: Desk::default(),
            standing: Standing::Over { outcome, state: nothing },
            events: Vec::new(),
        };
        play.go(go)?;
        Ok(play)
    }

    /// Where it stands.
    pub fn standing(&self) -> &Standing {
        &self.standing
    }

    /// The history up to where it stands.
    pub fn history(&self) -> History {
        self.line.played()
    }

    /// What was announced so far, each with the number of entries before it.
    pub fn events(&self) -> &[Heard] {
        &self.events
    }

    /// The state where it stands.
    pub fn state(&self) -> State {
        State::from_value(match &self.standing {
            Standing::Asked(moment) => &moment.state,
            Standing::Over { state, .. } => state,
        })
    }

    /// Whether a person answers for this player.
    pub fn is_person(&self, player: &str) -> bool {
        let seated = |seat: &String| {
            let players = self.players.of_seat(seat).unwrap_or_default();
            players.iter().any(|name| name == player)
        };
        let seat = self.conflict.seats.iter().rev().find(|(seat, _)| seated(seat));
        seat.is_some_and(|(_, agent)| agent == HUMAN)
    }

    /// The decision a person is asked now.
    pub fn asked(&self) -> Option<&crate::game::Asked> {
        match &self.standing {
            // Of a joint decision a person may not be the first who is asked.
            Standing::Asked(moment) => {
                moment.asked.iter().find(|asked| !asked.chance && self.is_person(&asked.who))
            }
            Standing::Over { .. } => None,
        }
    }

    /// Answers what a person is asked now, with an option's index, and goes on.
    ///
    /// # Errors
    /// [`Error::Usage`] where nobody is asked or there is no such option; else the rules' own.
    /// After an error everything stands as before.
    pub fn answer(&mut self, index: usize) -> Result<(), Error> {
        let Some(asked) = self.asked() else {
            return Err(Error::usage("no person is asked anything now"));
        };
        if index >= asked.options.len() {
            let most = asked.options.len();
            return Err(Error::usage(format!("there are {most} options, counted from 1")));
        }
        let given = (asked.who.clone(), asked.name.clone(), index);
        let before = self.given.clone();
        self.given.given.push_back(given);
        self.go(Go::On).inspect_err(|_| self.given = before)
    }

    /// The index of the option that a typed word means: its number from 1, its text, or a
    /// beginning that no other option has.
    ///
    /// # Errors
    /// [`Error::Answer`] with the nearest option.
    pub fn read_option(&self, word: &str) -> Result<usize, Error> {
        let Some(asked) = self.asked() else {
            return Err(Error::usage("no person is asked anything now"));
        };
        let texts: Vec<String> = asked.options.iter().map(ToString::to_string).collect();
        if let Some(index) = texts.iter().position(|text| text == word) {
            return Ok(index);
        }
        // A number means a place in the list only where no option is that number itself.
        if let Ok(number) = word.parse::<usize>()
            && (1..=texts.len()).contains(&number)
            && !asked.options.iter().all(|option| option.as_int().is_some())
        {
            return Ok(number - 1);
        }
        let mut begun = texts.iter().enumerate().filter(|(_, text)| {
            !word.is_empty() && text.to_lowercase().starts_with(&word.to_lowercase())
        });
        if let (Some((index, _)), None) = (begun.next(), begun.next()) {
            return Ok(index);
        }
        Err(Error::Answer {
            answer: word.to_owned(),
            nearest: nearest(word, texts.iter().map(String::as_str)),
            asked: Box::new(asked.clone()),
        })
    }

    /// Seats an agent, from here on.
    ///
    /// # Errors
    /// [`Error::Unknown`] for a player or agent that is not there. The seat stays as it was.
    pub fn seat(&mut self, seat: &str, agent: &str) -> Result<(), Error> {
        self.players.of_seat(seat)?;
        if agent != HUMAN {
            agents::find(agent, &self.conflict.folder, &self.limits)?;
        }
        self.conflict.seats.shift_remove(seat);
        self.conflict.seats.insert(seat.to_owned(), agent.to_owned());
        Ok(())
    }

    /// Plays the line from its start and goes on as told. On error nothing changes.
    ///
    /// # Errors
    /// Those of the rules and agents, and [`Error::Diverged`].
    pub fn go(&mut self, go: Go) -> Result<(), Error> {
        let desk = Rc::new(RefCell::new(self.given.clone()));
        let history = self.line.played();
        let (played, recorded, events) = match go {
            Go::On => self.run(Replay::new(history, self.seats(&desk)?))?,
            Go::Stay => self.run(Replay::new(history, Halt(desk.clone())))?,
        };
        self.standing = match played {
            Some(played) => Standing::Over { outcome: played.outcome, state: played.state.value() },
            None => match desk.borrow_mut().moment.take() {
                Some(moment) => Standing::Asked(moment),
                None => return Err(Error::Interrupted),
            },
        };
        if recorded.len() > self.line.at() {
            self.given = Desk::default();
        }
        self.line.extend(recorded);
        self.events = events;
        Ok(())
    }

    fn run<H: Skip + 'static>(
        &self,
        replay: Replay<H>,
    ) -> Result<(Option<Played>, History, Vec<Heard>), Error> {
        let handler = Rc::new(RefCell::new(Record::new(replay).with_events()));
        let played = self.watched(&handler, &mut Unwatched)?;
        let mut recorded = handler.borrow_mut();
        if played.is_some() {
            recorded.inner().finish()?;
        }
        let history = std::mem::take(recorded.history_mut());
        let events = recorded.events().to_vec();
        Ok((played, history, events))
    }

    fn watched<H: Handler + 'static>(
        &self,
        handler: &Rc<RefCell<H>>,
        watch: &mut impl Watch,
    ) -> Result<Option<Played>, Error> {
        match self.conflict.rules.play_watched(&self.conflict.setup, handler, watch) {
            Ok(played) => Ok(Some(played)),
            Err(Stop::Pause) => Ok(None),
            Err(stop) => Err(fail(stop)),
        }
    }

    fn seats(&self, desk: &SharedDesk) -> Result<Seats, Error> {
        let mut seats = Seats::new(Generator::playout(self.seed, 0));
        for (seat, word) in &self.conflict.seats {
            let players = self.players.of_seat(seat)?;
            let agent: Box<dyn crate::handlers::Agent> = if word == HUMAN {
                Box::new(Person(desk.clone()))
            } else {
                agents::find(word, &self.conflict.folder, &self.limits)
                    .map_err(|error| error.placed(|| self.conflict.seat_place(seat)))?
            };
            seats = seats.side(players, agent);
        }
        Ok(seats)
    }

    /// Whether an entry holds an answer of a person.
    pub(super) fn is_of_person(&self, entry: &Entry) -> bool {
        entry.actions().iter().any(|action| match &action.actor {
            Actor::Player(player) => self.is_person(player),
            Actor::Chance(_) => false,
        })
    }
}
