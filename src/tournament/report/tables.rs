//! The tables of the report: the standings, with a dot and a bar for each rating; heat tables of scores, each
//! cell shaded by how far its score is from a half; and the scale of plots, in percent of the width, so that
//! no letter shrinks with it.

use std::fmt::{Result, Write};

use askama::Template;
use askama::filters::{Escaper, Html};

use super::super::crosstable::{self, EXACT};
use super::super::ratings;
use super::super::{AgentStanding, Cell, Crosstable, PairRecord, Standings};
use crate::number::Quantity;
use crate::report::{Axis, count, percent, points};

/// The ratings with their intervals, a row an agent.
#[derive(Template)]
#[template(path = "intervals.html", config = "src/tournament/report/askama.toml")]
pub(super) struct Intervals {
    pub rows: Vec<RatingRow>,
    pub marks: Vec<ScaleMark>,
}

/// An agent's rating.
pub(super) struct RatingRow {
    pub name: String,
    pub rating: String,
    pub from: String,
    pub to: String,
    pub(crate) dot: String,
}

impl Intervals {
    /// Nothing where no interval is known.
    pub(super) fn of(standings: &Standings) -> Option<Intervals> {
        let known = standings.rows.iter().enumerate();
        let known: Vec<(usize, &AgentStanding)> =
            known.filter(|(_, row)| row.rating.half_width().is_finite()).collect();
        let ends = known.iter().flat_map(|(_, row)| [row.rating.low, row.rating.high]);
        let ends: Vec<f64> = ends.collect();
        if ends.is_empty() {
            return None;
        }
        let scale = Scale::around(&ends);
        let row = |(place, row): &(usize, &AgentStanding)| RatingRow {
            name: cut(&format!("{} {}", place + 1, row.agent)),
            rating: ratings::text(&row.rating),
            from: scale.at(row.rating.low),
            to: scale.at(row.rating.high),
            dot: scale.at(row.rating.value),
        };
        Some(Intervals { rows: known.iter().map(row).collect(), marks: scale.marks() })
    }
}

/// All that is known of each agent.
pub(super) fn table(standings: &Standings) -> HtmlTable {
    let header = [
        "agent",
        "rating",
        "±",
        "games",
        "won",
        "drawn",
        "lost",
        "score",
        "utility",
        "better than the next",
    ];
    let row = |(place, row): (usize, &AgentStanding)| {
        let Cell { wins, draws, losses } = row.results.played;
        vec![
            format!("{} {}", place + 1, row.agent),
            points(row.rating.value),
            ratings::margin(&row.rating),
            row.games.to_string(),
            count(wins),
            count(draws),
            count(losses),
            row.score_text(),
            row.utility.as_ref().map(Quantity::as_margin).unwrap_or_default(),
            row.superiority.map(percent).unwrap_or_default(),
        ]
    };
    let rows = standings.rows.iter().enumerate().map(row).collect();
    HtmlTable::new("All agents, the best first", &header, rows)
}

// HTML tables of the report, with captions, heads and room to scroll; and the escaping of all its text.

/// Numbers below heads; the first cell of each row heads it.
#[derive(Template)]
#[template(path = "table.html", config = "src/tournament/report/askama.toml")]
pub(super) struct HtmlTable {
    pub caption: String,
    pub(crate) header: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl HtmlTable {
    /// A table with these heads.
    pub(super) fn new(caption: &str, header: &[&str], rows: Vec<Vec<String>>) -> HtmlTable {
        let header = header.iter().map(|head| (*head).to_owned()).collect();
        HtmlTable { caption: caption.to_owned(), header, rows }
    }
}

/// Escapes text in elements and in attributes; control characters and marks that turn the direction
/// of the line are replaced by U+FFFD.
#[derive(Clone, Copy)]
pub(super) struct Escaped;

impl Escaper for Escaped {
    fn write_escaped_str<W: Write>(&self, dest: W, text: &str) -> Result {
        Html.write_escaped_str(dest, &crate::report::tame(text))
    }
}

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
    pub(crate) alpha: String,
}

impl Heat {
    /// Each agent against each other, by their places in the standings; one a scenario.
    pub(super) fn cross(table: &Crosstable) -> Vec<Heat> {
        let alone = table.cells.len() == 1;
        let heat = |(scenario, cells): &(String, Vec<Vec<Option<PairRecord>>>)| {
            Heat::of(if alone { "" } else { scenario }, &table.agents, cells)
        };
        table.cells.iter().map(heat).collect()
    }

    fn of(scenario: &str, agents: &[String], cells: &[Vec<Option<PairRecord>>]) -> Heat {
        let place = |index: usize| (index + 1).to_string();
        let columns = agents.iter().enumerate();
        let columns = columns.map(|(index, agent)| (place(index), format!("against {agent}")));
        let rows = agents.iter().zip(cells).enumerate();
        let rows = rows.map(|(index, (agent, cells))| {
            let cells = cells.iter().map(|cell| cell.and_then(Shade::of));
            (format!("{} {agent}", place(index)), cells.collect())
        });
        Heat {
            caption: format!(
                "{}The score of each row's agent against the agent of the column's number, in percent \
                 of the points; those with * were computed exactly, not sampled",
                if scenario.is_empty() { String::new() } else { format!("{scenario}: ") }
            ),
            columns: columns.collect(),
            rows: rows.collect(),
            dense: agents.len() > DENSE,
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
    pub(super) fn of(record: PairRecord) -> Option<Shade> {
        let score = record.score()?;
        let lead = score - 0.5;
        let mark = if record.is_exact() { EXACT } else { "" };
        Some(Shade {
            score: format!("{}{mark}", record.percent()?),
            of: crosstable::points(record),
            colour: if lead >= 0.0 { "win" } else { "loss" },
            alpha: format!("{:.2}", lead.abs()),
        })
    }
}

/// Free on both sides of a picture, in percent: the numbers at the ends need room.
const MARGIN: f64 = 7.0;
/// Names longer than this are cut in a picture; the table beside it has all of them.
const LETTERS: usize = 32;

/// A scale from left to right.
pub(super) struct Scale(Axis);

/// A line of a scale.
pub(super) struct ScaleMark {
    /// Where, in percent.
    pub at: String,
    pub text: String,
}

impl Scale {
    /// Round numbers around all of these.
    pub(super) fn around(numbers: &[f64]) -> Scale {
        Scale(Axis::around(numbers, 5))
    }

    pub(super) fn shares() -> Scale {
        let marks = [0.0, 0.25, 0.5, 0.75, 1.0];
        let marks = marks.map(|share| (share, format!("{:.0} %", share * 100.0)));
        Scale(Axis { bounds: (0.0, 1.0), marks: marks.to_vec() })
    }

    /// The position of a number, in percent.
    pub(super) fn at(&self, number: f64) -> String {
        format!("{:.2}", MARGIN + self.0.share(number) * (100.0 - 2.0 * MARGIN))
    }

    pub(super) fn marks(&self) -> Vec<ScaleMark> {
        let mark =
            |(number, text): &(f64, String)| ScaleMark { at: self.at(*number), text: text.clone() };
        self.0.marks.iter().map(mark).collect()
    }
}

/// A name as far as there is room for it.
pub(super) fn cut(name: &str) -> String {
    if name.chars().count() <= LETTERS {
        return name.to_owned();
    }
    name.chars().take(LETTERS - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        let mut page = String::new();
        Escaped.write_escaped_str(&mut page, "<script>alert('&\"')</script>\u{202e}").unwrap();
        let own = ["<", ">", "'", "\"", "\u{202e}"];
        assert!(own.iter().all(|letter| !page.contains(letter)), "{page}");
        assert!(page.ends_with('\u{fffd}'), "{page}");
    }

    #[test]
    fn the_ends_of_a_scale_keep_their_distance() {
        let scale = Scale::around(&[-130.0, 170.0]);
        let marks: Vec<(String, String)> =
            scale.marks().into_iter().map(|mark| (mark.text, mark.at)).collect();
        let of = |text: &str, at: &str| (text.to_owned(), at.to_owned());
        // 86 % of the width for 400 points.
        assert_eq!(marks.first(), Some(&of("-200", "7.00")));
        assert_eq!(marks.last(), Some(&of("200", "93.00")));
        assert_eq!(scale.at(0.0), "50.00");
    }

    #[test]
    fn long_names_are_cut() {
        assert_eq!(cut("bluffer"), "bluffer");
        assert_eq!(cut(&"x".repeat(40)), format!("{}…", "x".repeat(31)));
    }
}
