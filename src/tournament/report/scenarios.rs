//! The report's part on scenarios and seats: scores in the first seat and in others, and all
//! results.

use askama::Template;

use super::super::{ByScenario, BySeat, Identity, PairRecord, Standings, TournamentState};
use super::tables::HtmlTable;
use super::tables::{Heat, Shade};
use super::tables::{Scale, ScaleMark, cut};
use crate::game::brief;
use crate::number::Quantity;
use crate::report::percent;

/// Results that are listed of a scenario; more than these are no words.
const RESULTS: usize = 40;

#[derive(Template)]
#[template(path = "scenario.html", config = "src/tournament/report/askama.toml")]
pub(super) struct ScenarioSection {
    pub number: usize,
    pub name: String,
    pub sentence: Option<String>,
    pub rows: Vec<SeatScores>,
    pub marks: Vec<ScaleMark>,
    pub agents: HtmlTable,
    pub seats: HtmlTable,
    pub results: HtmlTable,
}

/// An agent's scores by seat, in percent of the picture's width.
pub(super) struct SeatScores {
    pub name: String,
    pub first: Option<String>,
    pub other: Option<String>,
}

/// Each agent in each scenario; nothing where there is only one.
pub(super) fn overview(state: &TournamentState<'_>, standings: &Standings) -> Option<Heat> {
    let scenarios = &state.spec().scenarios;
    if scenarios.len() < 2 {
        return None;
    }
    let order: Vec<usize> = standings.rows.iter().map(|row| row.index).collect();
    let all = ByScenario::of(state, &order).rows;
    let rows = standings.rows.iter().enumerate().map(|(place, row)| {
        let cells = all.iter().map(|(_, agents)| agents.get(place).copied().and_then(Shade::of));
        (format!("{} {}", place + 1, row.agent), cells.collect())
    });
    Some(Heat::scenarios(scenarios, rows.collect()))
}

/// All scenarios, in the order of the spec.
pub(super) fn all(
    state: &TournamentState<'_>,
    identity: &Identity,
    standings: &Standings,
) -> Vec<ScenarioSection> {
    let scenario = |index: usize| ScenarioSection::of(index, state, identity, standings);
    (0..state.spec().scenarios.len()).map(scenario).collect()
}

impl ScenarioSection {
    fn of(
        index: usize,
        state: &TournamentState<'_>,
        identity: &Identity,
        standings: &Standings,
    ) -> ScenarioSection {
        let tally = state.tally();
        let by_seat = tally.by_seat(index);
        let scale = Scale::shares();
        let mut rows = Vec::new();
        let mut agents = Vec::new();
        for (place, standing) in standings.rows.iter().enumerate() {
            let Some(BySeat { first, other, games }) = by_seat.get(&standing.index) else {
                continue;
            };
            let name = format!("{} {}", place + 1, standing.agent);
            let at = |record: &PairRecord| record.score().map(|score| scale.at(score));
            rows.push(SeatScores { name: cut(&name), first: at(first), other: at(other) });
            let mut cells = vec![name];
            for (cell, games) in [first, other].into_iter().zip(games) {
                cells.push(cell.score().map(percent).unwrap_or_default());
                cells.push(games.to_string());
            }
            agents.push(cells);
        }
        let names = identity.conditions.seats.get(index).map(Vec::as_slice).unwrap_or_default();
        let other = if names.len() == 2 { "second seat" } else { "other seats" };
        let header = ["agent", "first seat", "games", other, "games"];
        ScenarioSection {
            number: index + 1,
            name: state.spec().scenarios[index].clone(),
            sentence: standings.scenarios.get(index).and_then(|fit| fit.worth()),
            rows,
            marks: scale.marks(),
            agents: HtmlTable::new("The score of each agent by its seat", &header, agents),
            seats: seats(state, index, names),
            results: results(state, index),
        }
    }
}

fn seats(state: &TournamentState<'_>, index: usize, names: &[String]) -> HtmlTable {
    let row = |(place, seat): (usize, &String)| {
        let utility = state.tally().seat_utility(index, place);
        vec![seat.clone(), utility.as_ref().map(Quantity::as_margin).unwrap_or_default()]
    };
    let rows = names.iter().enumerate().map(row).collect();
    HtmlTable::new("The mean utility of each seat, whoever held it", &["seat", "utility"], rows)
}

fn results(state: &TournamentState<'_>, index: usize) -> HtmlTable {
    let results = state.tally().results(index);
    let row = |(result, games, share): &(&str, u64, f64)| {
        vec![brief(result), games.to_string(), percent(*share)]
    };
    let mut rows: Vec<Vec<String>> = results.iter().take(RESULTS).map(row).collect();
    if results.len() > RESULTS {
        let rest = || results.iter().skip(RESULTS);
        let games: u64 = rest().map(|(_, games, _)| games).sum();
        let share: f64 = rest().map(|(.., share)| share).sum();
        let others = format!("{} others", results.len() - RESULTS);
        rows.push(vec![others, games.to_string(), percent(share)]);
    }
    HtmlTable::new("How the games ended", &["result", "games", "share"], rows)
}
