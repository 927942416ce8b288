//! Crosstables: the points of each agent against each other agent, and its score in each scenario.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::{BySeat, Meeting, PairRecord, TournamentState};
use crate::report::{Block, count, percent};

/// What marks points that were computed.
pub(super) const EXACT: &str = "*";

/// All pairings, in the order of the standings.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Crosstable {
    /// The agents' words, the best first.
    #[serde(skip)]
    pub agents: Vec<String>,
    /// Each scenario in which any have met: row -> column -> what the row's agent did against the
    /// column's; nothing where they have not met there.
    #[serde(skip)]
    pub cells: Vec<(String, Vec<Vec<Option<PairRecord>>>)>,
    /// Each pairing in each scenario, in the order of the spec.
    pub pairings: Vec<PairingResult>,
}

/// What two agents did in a scenario.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(into = "PairJson")]
pub struct PairingResult {
    /// The agent that comes first in the spec.
    pub a: String,
    /// The other one.
    pub b: String,
    /// The scenario.
    pub scenario: String,
    /// The results of `a`.
    pub results: PairRecord,
}

impl Crosstable {
    /// The table after the games so far, for agents by index, the best first.
    pub(crate) fn of(state: &TournamentState<'_>, order: &[usize]) -> Crosstable {
        let spec = state.spec();
        let mut pairs: BTreeMap<(usize, usize, usize), PairRecord> = BTreeMap::new();
        for (Meeting { scenario, a, b, .. }, record) in state.tally().records() {
            let sum = pairs.entry((a, b, scenario)).or_default();
            *sum = sum.plus(record);
        }
        let mut places = vec![0; spec.agents.len()];
        order.iter().enumerate().for_each(|(place, &agent)| places[agent] = place);
        let mut cells: BTreeMap<usize, Vec<Vec<Option<PairRecord>>>> = BTreeMap::new();
        for (&(a, b, scenario), &record) in &pairs {
            let (a, b) = (places[a], places[b]);
            let empty = || vec![vec![None; order.len()]; order.len()];
            let cells = cells.entry(scenario).or_insert_with(empty);
            (cells[a][b], cells[b][a]) = (Some(record), Some(record.turned()));
        }
        let cells = cells.into_iter().map(|(at, cells)| (spec.scenarios[at].clone(), cells));
        let pairings = pairs.iter().map(|(&(a, b, scenario), &results)| PairingResult {
            a: spec.agents[a].clone(),
            b: spec.agents[b].clone(),
            scenario: spec.scenarios[scenario].clone(),
            results,
        });
        Crosstable {
            agents: order.iter().map(|&agent| spec.agents[agent].clone()).collect(),
            cells: cells.collect(),
            pairings: pairings.collect(),
        }
    }

    /// Tables for people, one a scenario: points of games, and marked scores where none were played.
    pub fn blocks(&self) -> Vec<Block> {
        let places = (1..=self.agents.len()).map(|place| place.to_string());
        let header: Vec<String> =
            ["", "agent"].map(str::to_owned).into_iter().chain(places).collect();
        let row = |(place, (agent, cells)): (usize, (&String, &Vec<Option<PairRecord>>))| {
            let mut row = vec![(place + 1).to_string(), agent.clone()];
            row.extend(cells.iter().map(|cell| cell.map(points).unwrap_or_default()));
            row
        };
        let several = self.cells.len() > 1;
        let exact = self.pairings.iter().any(|pairing| pairing.results.known.games() > 0.0);
        let tables = self.cells.iter().enumerate().map(|(at, (scenario, cells))| {
            let rows = self.agents.iter().zip(cells).enumerate().map(row);
            Block::Group(vec![
                Block::Title(if several { format!("{scenario}:") } else { String::new() }),
                Block::table(header.clone(), rows),
                Block::Sentence(match exact && at + 1 == self.cells.len() {
                    true => format!("{EXACT} computed exactly, not sampled"),
                    false => String::new(),
                }),
            ])
        });
        tables.collect()
    }
}

/// What two agents did in a scenario, as programs get it.
#[derive(Serialize)]
struct PairJson {
    /// The agent that comes first in the spec.
    a: String,
    /// The other one.
    b: String,
    scenario: String,
    /// The games they played.
    #[serde(serialize_with = "whole")]
    games: f64,
    /// The points of `a` a game, from 0 to 1; null where nothing is known.
    score_a: Option<f64>,
    /// Whether all of that was computed, none sampled.
    exact: bool,
}

impl From<PairingResult> for PairJson {
    fn from(pairing: PairingResult) -> PairJson {
        let PairingResult { a, b, scenario, results } = pairing;
        let (games, score_a, exact) = (results.played.games(), results.score(), results.is_exact());
        PairJson { a, b, scenario, games, score_a, exact }
    }
}

/// Points of games, `12.5/20`; a score that is known, `62.5 %*`; both where there are both.
pub(super) fn points(record: PairRecord) -> String {
    let PairRecord { played, known } = record;
    let sampled = format!("{}/{}", count(played.points()), count(played.games()));
    let computed = || percent(known.points() / known.games()) + EXACT;
    match (played.games() > 0.0, known.games() > 0.0) {
        (true, true) => format!("{sampled}, {}", computed()),
        (false, true) => computed(),
        _ => sampled,
    }
}

/// The scores of all agents, scenario by scenario.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ByScenario {
    /// Each scenario with what each agent did in it, in the order of the standings.
    pub rows: Vec<(String, Vec<PairRecord>)>,
}

impl ByScenario {
    /// The scores after the games so far, for agents by index, the best first.
    pub(crate) fn of(state: &TournamentState<'_>, order: &[usize]) -> ByScenario {
        let row = |(index, scenario): (usize, &String)| {
            let agents = state.tally().by_seat(index);
            let cell = |agent| {
                let BySeat { first, other, .. } = agents.get(agent).copied().unwrap_or_default();
                first.plus(other)
            };
            (scenario.clone(), order.iter().map(cell).collect())
        };
        ByScenario { rows: state.spec().scenarios.iter().enumerate().map(row).collect() }
    }

    /// A table for people, whose columns are the places in the standings; nothing where there is
    /// only one scenario.
    pub(super) fn block(&self) -> Option<Block> {
        let agents = self.rows.first().filter(|_| self.rows.len() > 1)?.1.len();
        let places = (1..=agents).map(|place| place.to_string());
        let header = std::iter::once("score in %".to_owned()).chain(places);
        let score = |cell: &PairRecord| {
            cell.percent().map(|percent| percent.to_string()).unwrap_or_default()
        };
        let row = |(scenario, cells): &(String, Vec<PairRecord>)| {
            std::iter::once(scenario.clone()).chain(cells.iter().map(score)).collect()
        };
        Some(Block::table(header, self.rows.iter().map(row)))
    }
}

/// Writes a count of games.
pub(super) fn whole<S: Serializer>(count: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    match *count < 9e15 {
        true => serializer.serialize_u64(*count as u64),
        false => serializer.serialize_f64(*count),
    }
}
