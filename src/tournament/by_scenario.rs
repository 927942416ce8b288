//! The score of each agent in each scenario, as a table.

use super::{BySeat, Course, Record};
use crate::render;

/// The scores of all agents, scenario by scenario.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ByScenario {
    /// Each scenario with what each agent did in it, in the order of the standings.
    pub rows: Vec<(String, Vec<Record>)>,
}

impl ByScenario {
    /// The scores after the games so far, for agents by index, the best first.
    pub(crate) fn of(course: &Course<'_>, order: &[usize]) -> ByScenario {
        let row = |(index, scenario): (usize, &String)| {
            let agents = course.tally().by_seat(index);
            let cell = |agent| {
                let BySeat { first, other } = agents.get(agent).copied().unwrap_or_default();
                first.plus(other)
            };
            (scenario.clone(), order.iter().map(cell).collect())
        };
        ByScenario { rows: course.spec().scenarios.iter().enumerate().map(row).collect() }
    }

    /// A table for people, whose columns are the places in the standings; nothing where there is
    /// only one scenario.
    pub(crate) fn text(&self, width: usize, plain: bool) -> Option<String> {
        let agents = self.rows.first().filter(|_| self.rows.len() > 1)?.1.len();
        let places: Vec<String> = (1..=agents).map(|place| place.to_string()).collect();
        let mut header = vec!["score in %"];
        header.extend(places.iter().map(String::as_str));
        let score =
            |cell: &Record| cell.percent().map(|percent| percent.to_string()).unwrap_or_default();
        let row = |(scenario, cells): &(String, Vec<Record>)| {
            std::iter::once(scenario.clone()).chain(cells.iter().map(score)).collect()
        };
        let rows: Vec<Vec<String>> = self.rows.iter().map(row).collect();
        Some(render::table(&header, &rows, width, plain))
    }
}
