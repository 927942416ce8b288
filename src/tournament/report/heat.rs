//! Heat tables of scores: each cell is shaded by how far its score is from a half.

use askama::Template;

use super::super::crosstable::{EXACT, points};
use super::super::{Crosstable, Record};

/// With more columns than this only the scores are shown; their details appear on pointing at them.
const DENSE: usize = 12;

/// Scores, row by row.
#[derive(Template)]
#[template(path = "heat.html", config = "src/tournament/report/askama.toml")]
pub(super) struct Heat {
    pub caption: String,
    /// The short head that is seen above each column, and the text that is read aloud.
    pub columns: Vec<(String, String)>,
    pub rows: Vec<(String, Vec<Option<Shade>>)>,
    pub dense: bool,
}

/// One score.
pub(super) struct Shade {
    pub score: String,
    pub of: String,
    /// The colour, and how much of it.
    pub colour: &'static str,
    pub alpha: String,
}

impl Heat {
    /// Each agent against each other, by their places in the standings.
    pub(super) fn cross(table: &Crosstable) -> Heat {
        let place = |index: usize| (index + 1).to_string();
        let columns = table.agents.iter().enumerate();
        let columns = columns.map(|(index, agent)| (place(index), format!("against {agent}")));
        let rows = table.agents.iter().zip(&table.cells).enumerate();
        let rows = rows.map(|(index, (agent, cells))| {
            let cells = cells.iter().map(|cell| cell.and_then(Shade::of));
            (format!("{} {agent}", place(index)), cells.collect())
        });
        Heat {
            caption: "The score of each row's agent against the agent of the column's number, in \
                      percent of the points; those with * were computed exactly, not sampled"
                .to_owned(),
            columns: columns.collect(),
            rows: rows.collect(),
            dense: table.agents.len() > DENSE,
        }
    }

    /// Each agent in each scenario.
    pub(super) fn scenarios(scenarios: &[String], rows: Vec<(String, Vec<Option<Shade>>)>) -> Heat {
        Heat {
            caption: "The score of each agent in each scenario, in percent of the points"
                .to_owned(),
            columns: scenarios.iter().map(|name| (name.clone(), String::new())).collect(),
            rows,
            dense: scenarios.len() > DENSE,
        }
    }
}

impl Shade {
    /// The score of a cell; nothing without games.
    pub(super) fn of(record: Record) -> Option<Shade> {
        let score = record.score()?;
        let lead = score - 0.5;
        let mark = if record.is_exact() { EXACT } else { "" };
        Some(Shade {
            score: format!("{}{mark}", record.percent()?),
            of: points(record),
            colour: if lead >= 0.0 { "win" } else { "loss" },
            alpha: format!("{:.2}", lead.abs()),
        })
    }
}
