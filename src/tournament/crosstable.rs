//! Who did how well against whom? The points of each agent against each other one.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::standings::number;
use super::{Cell, Course, Meeting};
use crate::render::{self, count};

/// What marks points that were computed.
pub(super) const EXACT: &str = "*";

/// All pairings, in the order of the standings.
#[derive(Clone, Debug, PartialEq)]
pub struct Crosstable {
    /// The agents' words, the best first.
    pub agents: Vec<String>,
    /// Row -> column -> what the row's agent did against the column's, over all scenarios; nothing
    /// where they have not met.
    pub cells: Vec<Vec<Option<Cell>>>,
    /// Row -> column -> whether all that is known of the two is exact, not sampled.
    pub exact: Vec<Vec<bool>>,
    /// Each pairing in each scenario, in the order of the spec.
    pub pairings: Vec<PairingResult>,
}

/// What two agents did in a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct PairingResult {
    /// The agent that stands first in the spec.
    pub a: String,
    /// The other one.
    pub b: String,
    /// The scenario.
    pub scenario: String,
    /// The results of `a`.
    pub results: Cell,
    /// Whether they are exact, not sampled.
    pub exact: bool,
}

impl Crosstable {
    /// The table after the games so far, for agents by index, the best first.
    pub fn of(course: &Course<'_>, order: &[usize]) -> Crosstable {
        let spec = course.spec();
        let mut pairs: BTreeMap<(usize, usize, usize), Cell> = BTreeMap::new();
        for (Meeting { scenario, a, b, .. }, cell) in course.tally().cells() {
            let sum = pairs.entry((a, b, scenario)).or_default();
            *sum = sum.plus(cell);
        }
        let mut places = vec![0; spec.agents.len()];
        order.iter().enumerate().for_each(|(place, &agent)| places[agent] = place);
        let mut cells: Vec<Vec<Option<Cell>>> = vec![vec![None; order.len()]; order.len()];
        let known = course.tally().exact_pairs();
        let mut exact = vec![vec![true; order.len()]; order.len()];
        for (&(a, b, scenario), &cell) in &pairs {
            let computed = known.contains(&(scenario, a, b));
            let (a, b) = (places[a], places[b]);
            exact[a][b] &= computed;
            exact[b][a] &= computed;
            for (row, column, cell) in [(a, b, cell), (b, a, cell.turned())] {
                let sum = cells[row][column].get_or_insert_default();
                *sum = sum.plus(cell);
            }
        }
        let pairings = pairs.iter().map(|(&(a, b, scenario), &results)| PairingResult {
            a: spec.agents[a].clone(),
            b: spec.agents[b].clone(),
            scenario: spec.scenarios[scenario].clone(),
            results,
            exact: known.contains(&(scenario, a, b)),
        });
        Crosstable {
            agents: order.iter().map(|&agent| spec.agents[agent].clone()).collect(),
            cells,
            exact,
            pairings: pairings.collect(),
        }
    }

    /// Whether all that is known of a row's agent against a column's is exact.
    pub fn is_exact(&self, row: usize, column: usize) -> bool {
        let met = |cells: &Vec<Option<Cell>>| cells.get(column).is_some_and(Option::is_some);
        self.cells.get(row).is_some_and(met) && self.exact[row][column]
    }

    /// A table for people: points of games, those marked that were computed.
    pub fn text(&self, width: usize, plain: bool) -> String {
        let places: Vec<String> = (1..=self.agents.len()).map(|place| place.to_string()).collect();
        let mut header = vec!["", "agent"];
        header.extend(places.iter().map(String::as_str));
        let row = |(place, (agent, cells)): (usize, (&String, &Vec<Option<Cell>>))| {
            let mut row = vec![(place + 1).to_string(), agent.clone()];
            row.extend(cells.iter().enumerate().map(|(column, cell)| {
                let mark = if self.is_exact(place, column) { EXACT } else { "" };
                cell.map(|cell| points(cell) + mark).unwrap_or_default()
            }));
            row
        };
        let rows: Vec<Vec<String>> =
            self.agents.iter().zip(&self.cells).enumerate().map(row).collect();
        let table = render::table(&header, &rows, width, plain);
        let places = 0..self.agents.len();
        match places.clone().any(|row| places.clone().any(|column| self.is_exact(row, column))) {
            true => format!("{table}\n{EXACT} computed exactly, not sampled"),
            false => table,
        }
    }

    /// All pairings for programs.
    pub fn json(&self) -> Value {
        let pairing = |pairing: &PairingResult| {
            let PairingResult { a, b, scenario, results, exact } = pairing;
            json!({
                "a": a, "b": b, "scenario": scenario, "games": number(results.games()),
                "score_a": results.points() / results.games(), "exact": exact,
            })
        };
        self.pairings.iter().map(pairing).collect()
    }
}

/// Points of games: `12.5/20`.
pub(super) fn points(cell: Cell) -> String {
    format!("{}/{}", count(cell.points()), count(cell.games()))
}
