//! Solving for scripts: equilibria of a scenario, and what a perfect opponent wins.

use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use indexmap::IndexMap;

use super::context::{LabContext, WorkResult};
use super::convert::LabOptions;
use super::files;
use super::results::ResultKind;
use super::scenario::Opened;
use crate::analysis::equilibrium::Exploit;
use crate::analysis::{Solved, Solving};
use crate::conflict::Seat;
use crate::error::Error;
use crate::game::Value;
use crate::graph::Bounds;
use crate::tournament::{
    Arena, Opening, Results, Running, Spec, Standings, TournamentProgress, run,
};

/// What can be said of how to solve.
const OPTIONS: [&str; 4] = ["exact", "within", "time", "save"];

impl Opened {
    /// What each side should do and what that is worth, whoever sits in the seats.
    pub(super) fn solve(&self, options: &IndexMap<String, Value>) -> Result<WorkResult, Error> {
        let (seating, desk) = (self.seating()?, &self.desk);
        let options = LabOptions::of(options, &OPTIONS)?;
        let save = options.read("save", "the path of a file", Value::as_text)?;
        let path = save.map(|word| files::within("write", Path::new(word))).transpose()?;
        let number = |name: &str| {
            options.read(name, "a number of 0 or more", |value| {
                value.as_number().filter(|number| *number >= 0.0 && number.is_finite())
            })
        };
        let truth = |value: &Value| match value {
            Value::Bool(truth) => Some(*truth),
            _ => None,
        };
        let solving = Solving {
            exact: options.read("exact", "true or false", truth)?.unwrap_or(false),
            within: number("within")?.unwrap_or(Solving::WITHIN),
            time: number("time")?.and_then(|time| Duration::try_from_secs_f64(time).ok()),
            threads: desk.threads,
            nodes: u64::MAX,
        };
        let audience = desk.audience();
        let progress = audience.solves();
        let solved = Solved::find(seating, solving, &*progress)?;
        drop(progress);
        if let (Some(word), Some(path), Ok(solution)) = (save, path, &solved.found) {
            solution.save(&self.conflict, &seating.players, &path)?;
            desk.note(&format!("wrote `{word}`"));
        }
        Ok(WorkResult::of(ResultKind::Solution, &solved, solved.interrupted))
    }

    /// What a perfect opponent wins against the agents in the other seats: in the seat named, else
    /// in the one that is left.
    pub(super) fn exploit(&self, seat: Option<&str>) -> Result<WorkResult, Error> {
        let (seating, desk) = (self.seating()?, &self.desk);
        let seat = match seat {
            Some(name) => self.named(name)?,
            None => self.left()?,
        };
        let agents = |other: &Seat| Exploit::sitting(&self.conflict, seating, other).to_owned();
        let bounds = Bounds { threads: desk.threads, nodes: u64::MAX };
        let audience = desk.audience();
        let progress = desk.begins(&*audience, "nodes", None);
        let found = Exploit::find(seating, &seat, agents, bounds, &*progress)?;
        let found = found.measured(seating, desk.threads, &*audience.solves());
        Ok(WorkResult::of(ResultKind::Exploited, &found, found.interrupted))
    }

    fn named(&self, name: &str) -> Result<Seat, Error> {
        let seats = self.seating()?.players.seats();
        let unknown = || Error::unknown("seat", name, seats.iter().map(|seat| seat.name.as_str()));
        seats.iter().find(|seat| seat.name == name).cloned().ok_or_else(unknown)
    }

    fn left(&self) -> Result<Seat, Error> {
        let named: Vec<&str> = self.changes.seats.iter().map(|(seat, _)| seat.as_str()).collect();
        let left = Exploit::seats_left(&self.conflict, self.seating()?, &named)?;
        match &left[..] {
            [one] => Ok(one.clone()),
            [] => Err(Error::usage(
                "an agent sits in every seat; `.exploit(SEAT)` says which one the perfect opponent takes",
            )),
            [one, ..] => Err(Error::usage(format!(
                "the perfect opponent takes one seat; say which, as in `.exploit(\"{}\")`",
                one.name
            ))),
        }
    }
}

// Tournaments in lab scripts: the spec is a map with the keys of the file, results stay in memory.

/// The number of all games, if it is known, and a function that is called with the number finished.
type GamesReporter<'a> = (Option<u64>, Box<dyn Fn(u64) + Sync + 'a>);

/// Plays a tournament and returns its standings, as programs get them from `fracas tournament`.
pub(super) fn tournament(desk: &Rc<LabContext>, spec: &Value) -> Result<WorkResult, Error> {
    let mut given = Spec::from_value(spec)?;
    if spec.get("seed").is_none() {
        // A spec is kept as TOML, which has 63 bits.
        given.seed = desk.seed() & i64::MAX as u64;
    }
    for word in given.scenarios.iter_mut().chain(&mut given.agents).chain(&mut given.house) {
        *word = files::word(desk, word)?;
    }
    let catalog = desk.catalog.borrow();
    let opening = Opening {
        catalog: &catalog,
        limits: &desk.limits,
        memory: desk.memory(),
        rules: &[],
        place: &|_| None,
        given: None,
    };
    let arena = Arena::open(&given, &opening)?;
    arena.warnings().iter().for_each(|warning| desk.note(warning));
    let mut results = Results::in_memory(&given, arena.conditions())?;
    let interrupt = desk.interrupt();
    let audience = desk.audience();
    let mut reporter: Option<GamesReporter<'_>> = None;
    let mut progress = |at: TournamentProgress| {
        // Pairings that turn out exact need no games, so that there are fewer in all.
        if at.seeking.is_none() && reporter.as_ref().is_none_or(|(total, _)| *total != at.total) {
            reporter = None;
            reporter = Some((at.total, desk.begins(&*audience, "games", at.total)));
        }
        if let Some((_, count_game)) = &reporter {
            count_game(at.games);
        }
    };
    let running = Running { threads: desk.threads, interrupt: &interrupt, progress: &mut progress };
    let run = run(&given, arena.conditions(), &arena, &mut results, running)?;
    Ok(WorkResult::of(ResultKind::Standings, &Standings::of(&run.state), run.interrupted))
}
