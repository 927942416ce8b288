//! Solving for scripts: equilibria of a scenario, and what a perfect opponent wins.

use std::path::Path;
use std::time::Duration;

use indexmap::IndexMap;

use super::desk::WorkResult;
use super::files;
use super::report::ResultKind;
use super::scenario::Opened;
use crate::analysis::equilibrium::Exploit;
use crate::analysis::{Solved, Solving};
use crate::conflict::Seat;
use crate::error::Error;
use crate::game::Value;
use crate::graph::Bounds;

/// What can be said of how to solve.
const OPTIONS: [&str; 4] = ["exact", "within", "time", "save"];

impl Opened {
    /// What each side should do and what that is worth, whoever sits in the seats.
    ///
    /// # Errors
    /// Those of the options and the rules; [`Error::File`] where the strategy cannot be saved.
    pub(super) fn solve(&self, options: &IndexMap<String, Value>) -> Result<WorkResult, Error> {
        let (seating, desk) = (self.seating()?, &self.desk);
        if let Some(name) = options.keys().find(|name| !OPTIONS.contains(&name.as_str())) {
            return Err(Error::unknown("option", name, OPTIONS));
        }
        let save = match options.get("save") {
            None => None,
            Some(Value::Text(path)) => Some((path, files::within("write", Path::new(path))?)),
            Some(other) => return Err(wrong("save", "the path of a file", other)),
        };
        let solving = Solving {
            exact: match options.get("exact") {
                None => false,
                Some(Value::Bool(exact)) => *exact,
                Some(other) => return Err(wrong("exact", "true or false", other)),
            },
            within: number(options, "within")?.unwrap_or(Solving::WITHIN),
            time: number(options, "time")?.and_then(|time| Duration::try_from_secs_f64(time).ok()),
            threads: desk.threads,
            nodes: u64::MAX,
            checkpoint: None,
        };
        let audience = desk.audience();
        let progress = audience.solves();
        let solved = Solved::find(seating, solving, &*progress)?;
        drop(progress);
        if let (Some((word, path)), Ok(solution)) = (save, &solved.found) {
            solution.save(&self.conflict, &seating.players, &path)?;
            desk.note(&format!("wrote `{word}`"));
        }
        Ok(WorkResult::of(ResultKind::Solution, &solved, solved.interrupted))
    }

    /// What a perfect opponent wins against the agents in the other seats: in the seat named, else
    /// in the one that is left.
    ///
    /// # Errors
    /// Those of the rules and agents; [`Error::Usage`] where it is not one seat that is left.
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

/// A number of 0 or more among options.
fn number(options: &IndexMap<String, Value>, name: &str) -> Result<Option<f64>, Error> {
    let Some(value) = options.get(name) else { return Ok(None) };
    match value.as_number() {
        Some(number) if number >= 0.0 && number.is_finite() => Ok(Some(number)),
        _ => Err(wrong(name, "a number of 0 or more", value)),
    }
}

fn wrong(name: &str, wanted: &str, got: &Value) -> Error {
    Error::usage(format!("the option `{name}` must be {wanted}, got `{got}`"))
}
