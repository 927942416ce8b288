//! Checks a scenario: plays it at random, and checks the players and agents of its seats.

use super::Check;
use super::contents::check_system;
use super::finding::{Findings, place, place_of};
use super::playouts::{Playouts, is_of_setup};
use super::proof;
use crate::agents::{AgentSpec, HUMAN};
use crate::catalog::Scenario;
use crate::conflict::{Changes, Conflict, Players, Seating, fixed_secrets};
use crate::error::Error;
use crate::graph::{Bounds, Reach, WorkerFactory, explore, forgotten, lost};

/// Plays a scenario at random, then checks its seats, tests the laws in every state and, where it is looked into, looks
/// for answers that get lost; returns whether it has no errors.
pub(super) fn check(
    check: &Check<'_>,
    (scenario, changes): (&Scenario, &Changes),
    looks: bool,
    findings: &mut Findings,
) -> Result<bool, Error> {
    let opened = Conflict::of(check.catalog, scenario.clone(), changes, check.limits);
    let conflict = match opened {
        Ok(conflict) => conflict,
        Err(error) => {
            findings.fault(&error, || place(scenario))?;
            return Ok(false);
        }
    };
    let root = scenario.document.as_ref().map(|document| &document.root);
    if let Some(named) = root.and_then(|root| root.get("system")?.as_text()) {
        check_system(check, &scenario.system, named, scenario.location("system"), findings);
    }
    if scenario.title.is_none() {
        findings.warning(place(scenario), "the scenario has no title");
    }
    if let Some(campaign) = &scenario.campaign {
        findings.warn(campaign.warnings());
    }
    let before = findings.errors();
    let mut played = Findings::default();
    let (made, failed) = Playouts::run(check, &conflict, check.playouts, &mut played)?;
    if failed.as_ref().is_some_and(Error::is_limit) {
        // Where it does not end, the shortest loop or the fewest answers say more than a playout.
        let mut proven = Findings::default();
        proof::prove(check, &conflict, made, &mut proven)?;
        if proven.errors() > 0 {
            played = proven;
        }
    }
    findings.join(played);
    match failed {
        Some(error) if is_of_setup(&error) => findings.fault(&error, || place(scenario))?,
        Some(_) => {}
        None => {
            seats(&conflict, findings)?;
            if findings.errors() == before {
                proof::prove(check, &conflict, made, findings)?;
            }
            if looks && findings.errors() == before {
                hidden(&conflict, findings)?;
                for (secret, key) in fixed_secrets(&conflict.rules, &conflict.setup)? {
                    let other = match key {
                        "begin" => "a `begin` that ends before it leaves it open",
                        _ => "`{ one_of = [ … ] }` in the setup draws it",
                    };
                    let message = format!(
                        "{secret}: agents that look ahead and `solve` take everybody to know it; {other}"
                    );
                    findings.warning(scenario.location(key), message);
                }
            }
        }
    }
    Ok(findings.errors() == before)
}

fn seats(conflict: &Conflict, findings: &mut Findings) -> Result<(), Error> {
    let players = Players::find(conflict)?;
    for (seat, word) in &conflict.seats {
        if let Err(error) = players.of_seat(seat) {
            findings.fault(&error, || conflict.seat_key(seat))?;
        } else if word != HUMAN {
            let agent = AgentSpec::read(word, &conflict.folder);
            if let Err(error) = agent.and_then(|agent| agent.check(&conflict.blueprint)) {
                findings.fault(&error, || conflict.seat_place(seat))?;
            }
        }
    }
    Ok(())
}

/// In this many scenarios of the same rules it shows how they ask; a folder may have thousands.
const LOOKED_INTO: usize = 50;
/// The most nodes that are searched for answers that get lost.
const LOOKED_AT: u64 = 400;
/// The most bytes of these nodes that are kept in memory.
const KEPT: u64 = 64 << 20;

/// Whether a scenario is one of the first of all that have its rules.
pub(super) fn is_looked_into(scenario: &Scenario, all: &[Scenario]) -> bool {
    let same = |other: &&Scenario| other.house == scenario.house && other.params == scenario.params;
    let mut first = all.iter().filter(same).take(LOOKED_INTO);
    first.any(|other| other.name == scenario.name)
}

/// Warns of an answer that is nowhere in the state when another player is asked: nobody can see it.
fn hidden(conflict: &Conflict, findings: &mut Findings) -> Result<(), Error> {
    let seating = Seating::unseated(conflict, KEPT)?;
    let bounds = Bounds { threads: 1, nodes: LOOKED_AT };
    // What is wrong with the rules is a finding of the playouts.
    let Ok(reach) = explore(&seating.graph, &seating, bounds, &|_| ()) else {
        return seating.may_continue();
    };
    let (explorer, _) = seating.make_worker()?;
    let found = unless_interrupted(lost(&explorer))?;
    for unseen in found {
        let message = format!(
            "{}: it is nowhere in the state yet, so both decide as if at the same time; keep it in `this`, or \
             ask with `choose_secretly`",
            unseen.words()
        );
        findings.warning(place_of(&conflict.rules, "step"), message);
    }
    // Who is shown the whole state has nothing to remember. In conflicts that are too large to be explored whole,
    // and so to be solved, nearly everybody forgets the order of some moves, which harms nobody.
    if reach == Reach::Whole && conflict.rules.hides() {
        let sides: Vec<Vec<String>> =
            seating.players.seats().into_iter().map(|seat| seat.players).collect();
        for lost in unless_interrupted(forgotten(&explorer, &sides))? {
            let message = format!("{lost}; until then `solve` has no strategy for it");
            findings.warning(place_of(&conflict.rules, "view"), message);
        }
    }
    Ok(())
}

/// What was found; nothing where the rules failed, which is a finding of the playouts.
fn unless_interrupted<T: Default>(found: Result<T, Error>) -> Result<T, Error> {
    found.or_else(|error| match error {
        Error::Interrupted => Err(error),
        _ => Ok(T::default()),
    })
}
