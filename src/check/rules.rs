//! Checks what compiles: the rules, each house rule and each agent; scenarios must be playable with them.

use super::Check;
use super::finding::{After, Around, Findings, place_of, script, top_of};
use super::playouts::{Playouts, is_of_setup, may_last, play};
use crate::agents::{AgentSpec, BUILT_IN, CompiledAgents, SharedThinking};
use crate::catalog::{FileKind, Folder, ParamSpecs, Scenario};
use crate::conflict::{Changes, Conflict, Order, Players, blueprint, compile, words_after};
use crate::error::{Error, Location};
use crate::game::{Generator, History, Value};
use crate::graph::SeatedAgents;
use crate::script::Fields;

/// Compiles the rules without house rules; if they compile, returns their and the setups' fields.
pub(super) fn check(
    check: &Check<'_>,
    folder: &Folder,
    findings: &mut Findings,
) -> Result<Option<Fields>, Error> {
    match compile(folder, Order::default(), check.limits) {
        Ok(rules) => {
            // A scenario that does not read is a finding of its own.
            let scenarios = folder.names(FileKind::Scenario).into_iter();
            let setups = scenarios.filter_map(|name| Some(folder.scenario(&name).ok()?.setup));
            let setups: Vec<Value> = setups.collect();
            findings.warn(rules.warnings(&setups));
            let specs = ParamSpecs::read(folder.params()?.as_ref())?;
            if let Some((word, at)) = specs.default_agent
                && let Err(error) = AgentSpec::read(&word, folder)
            {
                findings.fault(&error, || at)?;
            }
            let mut fields = rules.fields().clone();
            setups.iter().for_each(|setup| fields.declare_all(setup));
            Ok(Some(fields))
        }
        Err(error) => {
            findings.fault(&error, || top_of(folder.rules_path()))?;
            Ok(None)
        }
    }
}

/// Warns of a `view` that hid nothing in any of the scenarios.
pub(super) fn report_sight(check: &Check<'_>, folder: &Folder, findings: &mut Findings) {
    if let Ok(rules) = compile(folder, Order::default(), check.limits)
        && let Some(message) = std::mem::take(&mut findings.sight).warning()
    {
        findings.warning(place_of(&rules, "view"), message);
    }
}

/// Compiles a house rule, and plays with it every scenario that does not already use it; returns the fields that
/// its scripts know, if it compiles.
pub(super) fn check_house(
    check: &Check<'_>,
    folder: &Folder,
    name: &str,
    scenarios: &[Scenario],
    findings: &mut Findings,
) -> Result<Option<Fields>, Error> {
    let Some(text) = script(folder, FileKind::House, name, findings)? else { return Ok(None) };
    let laid = Order::of_house(folder, &[name.to_owned()]);
    let rules = match laid.and_then(|order| compile(folder, order, check.limits)) {
        Ok(rules) => rules,
        Err(error) => return findings.fault(&error, || top_of(&text.path)).map(|()| None),
    };
    let setups = scenarios.iter().map(|scenario| &scenario.setup);
    let own = |at: &Option<Location>| at.as_ref().is_some_and(|at| at.file == text.path);
    findings.warn(rules.warnings(setups).into_iter().filter(|one| own(&one.at)));
    let changes = Changes { house: vec![name.to_owned()], ..Changes::default() };
    let (mut refused, mut played) = (None, 0);
    for scenario in scenarios {
        if scenario.house.iter().any(|laid| laid == name) {
            played += 1;
            continue;
        }
        let open = |changes: &Changes| {
            Conflict::of(check.catalog, scenario.clone(), changes, check.limits)
        };
        let conflict = match open(&changes) {
            Ok(conflict) => conflict,
            Err(error) => {
                // A scenario that does not open by itself is already reported.
                if open(&Changes::default()).is_ok() {
                    played += 1;
                    findings.fault(&error, || top_of(&text.path))?;
                }
                continue;
            }
        };
        let count = check.playouts.min(super::HOUSE_PLAYOUTS);
        match Playouts::run(check, &conflict, count, findings)?.1 {
            // A house rule may refuse scenarios that it is not made for.
            Some(error) if is_of_setup(&error) => refused = refused.or(Some(error)),
            _ => played += 1,
        }
    }
    if let (0, Some(error)) = (played, refused) {
        let message = format!("no scenario can be played with house rule `{name}`: {error}");
        findings.warning(top_of(&text.path), message);
    }
    Ok(Some(rules.fields().clone()))
}

/// Compiles an agent; returns whether it can play.
pub(super) fn check_agent(
    check: &Check<'_>,
    folder: &Folder,
    name: &str,
    seen: &Fields,
    findings: &mut Findings,
) -> Result<bool, Error> {
    let Some(text) = script(folder, FileKind::Agent, name, findings)? else { return Ok(false) };
    // What is wrong with the parameters is already reported.
    let Ok(rules) = blueprint(folder, Order::default(), check.limits) else { return Ok(false) };
    match AgentSpec::read(name, folder).and_then(|agent| agent.warnings(&rules, seen)) {
        Ok(warnings) => findings.warn(warnings),
        Err(error) => return findings.fault(&error, || top_of(text.path)).map(|()| false),
    }
    if BUILT_IN.into_iter().any(|(word, _)| word.split([':', '(']).next() == Some(name)) {
        let message =
            format!("`{name}` is an agent of every system; this one has to be seated by its path");
        findings.warning(top_of(text.path), message);
    }
    Ok(true)
}

/// Lets an agent play a scenario: in all seats, and against chance.
pub(super) fn play_agent(
    check: &Check<'_>,
    scenario: &Scenario,
    name: &str,
    findings: &mut Findings,
) -> Result<(), Error> {
    let changes = Changes::default();
    let opened = Conflict::of(check.catalog, scenario.clone(), &changes, check.limits);
    // What is wrong without the agent is already reported.
    let Ok(conflict) = opened else { return Ok(()) };
    let Ok(players) = Players::find(&conflict) else { return Ok(()) };
    let (blueprint, setup) = (conflict.blueprint.clone(), conflict.setup.clone());
    let shared = SharedThinking::alone(blueprint, setup, &conflict.scenario.name);
    let compiled = CompiledAgents::default();
    let mut lasting = Vec::new();
    for number in 0..super::AGENT_PLAYOUTS {
        let seed = check.seed.wrapping_add(number);
        let seated = seated(&players, number);
        if lasting.contains(&seated) {
            continue;
        }
        let mut seats = SeatedAgents::new(Generator::playout(seed, 0));
        for player in &seated {
            let agent = AgentSpec::read(name, &conflict.folder)?.agent(&shared, &compiled)?;
            seats = seats.seat(*player, agent);
        }
        let Err(error) = play(&conflict, seats).1 else { continue };
        if is_of_setup(&error) {
            return Ok(());
        }
        // The next of the same seats would take as long.
        if may_last(&conflict, &error) {
            lasting.push(seated);
            continue;
        }
        let agent = |player: &String| if seated.contains(&player) { name } else { "random" };
        let seating = players.names.iter().map(|player| (player.as_str(), agent(player)));
        let again = words_after(conflict.words_seating(seating), Some(seed), &History::default());
        let mut around = Around::new(check, &conflict, &format!("seed {seed}"), &again);
        name.clone_into(&mut around.whose);
        return findings.fault_of(&around, &error, After::default(), || None);
    }
    Ok(())
}

/// The players that the agent plays: all in every second playout, else one after another.
fn seated(players: &Players, number: u64) -> Vec<&String> {
    let count = players.names.len().max(1);
    match number % 2 {
        0 => players.names.iter().collect(),
        _ => players.names.get_index(number as usize / 2 % count).into_iter().collect(),
    }
}
