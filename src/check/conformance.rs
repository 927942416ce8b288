//! Tries whether a program can sit in the seats of a scenario: what was tried, numbered, and what came of it.

use serde::Serialize;

use crate::agents::AgentSpec;
use crate::conflict::{Conflict, Players, Seating};
use crate::error::Error;
use crate::graph::{GoesBy, PlayoutRunner, WorkerFactory};
use crate::report::many;
use crate::script::on_large_stack;

const GAMES: u64 = 10;

#[derive(Debug, Serialize)]
pub struct Conformance {
    agent: String,
    scenario: String,
    /// All that was tried, or that is not tried as something before it failed.
    tried: Vec<TriedStep>,
}

#[derive(Debug, Serialize)]
struct TriedStep {
    number: usize,
    tried: String,
    passed: Option<bool>,
    found: String,
}

type SeatGames = Vec<(String, Vec<u32>)>;

impl Conformance {
    /// Tries a program that a person names in each seat of a scenario. `memory` is what its graphs may take, in bytes,
    /// and `seed` that of the games.
    pub fn of(
        word: &str,
        conflict: &Conflict,
        (memory, seed): (u64, u64),
    ) -> Result<Conformance, Error> {
        let found = AgentSpec::of_person(word, &conflict.folder)?;
        if !matches!(found, AgentSpec::Program(_)) {
            return Err(Error::usage(format!(
                "`{word}` is no program: write it as `command(python3 mine.py)`"
            )));
        }
        let scenario = conflict.scenario.name.clone();
        let mut all = Conformance { agent: word.to_owned(), scenario, tried: Vec::new() };
        let unmanned = Seating::new(conflict, memory)?.unmanned();
        let fresh = || unmanned.afresh(memory).with([(Vec::new(), found.clone())]);
        let seating = fresh();
        seating.doubt_agents();
        let says = seating.introduction().map(|(by, name)| {
            let by = match by {
                Some(GoesBy::View) => {
                    "it is pure: it goes by what is seen, and is asked everything twice"
                }
                Some(GoesBy::Game) => "it asks for the history",
                _ => "it is not pure: it is asked anew each time",
            };
            name.map_or(by.to_owned(), |name| format!("it is called `{name}`; {by}"))
        });
        let mut goes = all.note("it begins, and says what it is", true, || says)?;
        let seats = Players::find(conflict)?.seats();
        let mut courses = Vec::new();
        let begins = goes;
        for seat in &seats {
            let said = || {
                let course = play(&seating, &seat.players, seed)?;
                let questions = course.iter().map(|(_, answers)| answers.len() as u64).sum();
                courses.push(course);
                Ok(format!("{} of all players and of chance", many(questions, "question")))
            };
            goes &=
                all.note(&format!("it plays {GAMES} games as `{}`", seat.name), begins, said)?;
        }
        let same = |again: Result<Vec<SeatGames>, Error>| {
            again.and_then(|again| match again == courses {
                true => Ok("each game went as before".to_owned()),
                false => Err(Error::usage("a game went otherwise than before")),
            })
        };
        let again = || {
            let other = fresh();
            same(seats.iter().map(|seat| play(&other, &seat.players, seed)).collect())
        };
        goes &= all.note("another process answers the same under the same seed", goes, again)?;
        let all_seats = || -> Result<Vec<SeatGames>, Error> {
            seats.iter().map(|seat| play(&seating, &seat.players, seed)).collect()
        };
        let both = || {
            std::thread::scope(|scope| {
                let other = scope.spawn(|| on_large_stack(all_seats));
                let own = same(all_seats());
                own.and(same(other.join().unwrap_or(Err(Error::Interrupted))))
            })
        };
        goes &= all.note("it answers the same while two games are played at once", goes, both)?;
        let ends = || match seating.dismiss_agents() {
            true => Ok("it ended by itself".to_owned()),
            false => Err(Error::usage("it did not end by itself, and was ended")),
        };
        all.note("it ends after `bye`", goes, ends)?;
        Ok(all)
    }

    /// Takes a step, if it can be taken, and notes what came of it; whether it passed. Work that is to stop, and
    /// mistakes of the rules, are errors.
    fn note(
        &mut self,
        tried: &str,
        goes: bool,
        step: impl FnOnce() -> Result<String, Error>,
    ) -> Result<bool, Error> {
        let (passed, found) = match goes.then(step) {
            None => (None, "what it needs failed".to_owned()),
            Some(Ok(found)) => (Some(true), found),
            Some(Err(error)) => match error.itself() {
                own @ (Error::Agent { .. } | Error::Usage { .. }) => (Some(false), own.to_string()),
                _ => return Err(error),
            },
        };
        let (number, tried) = (self.tried.len() + 1, tried.to_owned());
        self.tried.push(TriedStep { number, tried, passed, found });
        Ok(passed == Some(true))
    }

    pub fn passed(&self) -> bool {
        self.tried.iter().all(|step| step.passed == Some(true))
    }

    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.tried.iter().map(|TriedStep { number, tried, passed, found }| {
            let verdict = match passed {
                Some(true) => "yes",
                Some(false) => "no",
                None => "not tried",
            };
            format!("{number}. {tried}: {verdict}; {found}")
        })
    }
}

/// Plays games with the program of a seating in the seat of these players.
fn play(seating: &Seating, players: &[String], seed: u64) -> Result<SeatGames, Error> {
    // Nothing of what others were answered is known.
    let seating = seating.with([]);
    let (explorer, mut seats) = seating.make_worker()?;
    let routes: Vec<(String, usize)> = players.iter().map(|player| (player.clone(), 0)).collect();
    seats.route(&routes);
    let answers = seating.answers().clone();
    let mut runner = PlayoutRunner::new(explorer, seats, answers);
    let game = |number| {
        let course = runner.course((seed, number), false)?;
        let result = seating.graph.ending_of(course.ending).map(|ending| ending.result.clone());
        Ok((result.unwrap_or_default(), course.answers))
    };
    (0..GAMES).map(game).collect()
}
