//! Can a scenario be played, and do those sit in its seats whom it names?

use super::finding::{Findings, top_of};
use super::playouts::{Playouts, is_of_setup};
use super::{Check, system};
use crate::agents::{self, HUMAN};
use crate::catalog::Scenario;
use crate::conflict::{Changes, Conflict, Players};
use crate::error::{Error, Location};

/// Plays a scenario at random, then looks at its seats; returns whether it can be played.
pub(super) fn check(
    check: &Check<'_>,
    scenario: &Scenario,
    findings: &mut Findings,
) -> Result<bool, Error> {
    let changes = Changes::default();
    let opened = Conflict::of(check.catalog, scenario.clone(), &changes, check.limits);
    let conflict = match opened {
        Ok(conflict) => conflict,
        Err(error) => {
            findings.fault(&error, || place(scenario))?;
            return Ok(false);
        }
    };
    let root = scenario.document.as_ref().map(|document| &document.root);
    if let Some(named) = root.and_then(|root| root.get("system")?.as_text()) {
        system::check(check, &scenario.system, named, scenario.location("system"), findings);
    }
    if scenario.title.is_none() {
        findings.warning(place(scenario), "the scenario has no title");
    }
    let before = findings.errors();
    match Playouts::new(check, &conflict).run(check.playouts, findings)? {
        Some(error) if is_of_setup(&error) => findings.fault(&error, || place(scenario))?,
        Some(_) => {}
        None => seats(check, &conflict, findings)?,
    }
    Ok(findings.errors() == before)
}

fn seats(check: &Check<'_>, conflict: &Conflict, findings: &mut Findings) -> Result<(), Error> {
    let players = Players::find(conflict)?;
    for (seat, word) in &conflict.seats {
        if let Err(error) = players.of_seat(seat) {
            findings.fault(&error, || conflict.seat_key(seat))?;
        } else if word != HUMAN
            && let Err(error) = agents::check(word, &conflict.folder, check.limits)
        {
            findings.fault(&error, || conflict.seat_place(seat))?;
        }
    }
    Ok(())
}

/// The top of the scenario's file.
pub(super) fn place(scenario: &Scenario) -> Option<Location> {
    top_of(scenario.document.as_ref()?.path.clone())
}
