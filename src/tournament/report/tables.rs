//! The report's standings: a dot and a bar for each rating, and all numbers in a table.

use std::fmt::{Result, Write};

use askama::Template;
use askama::filters::{Escaper, Html};

use super::super::{AgentStanding, Cell, Mean, Standings};
use super::heat::{Scale, ScaleMark, cut};
use crate::render::{count, percent, points};

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
            known.filter(|(_, row)| row.rating.half.is_finite()).collect();
        let ends = known.iter().flat_map(|(_, row)| {
            [row.rating.points - row.rating.half, row.rating.points + row.rating.half]
        });
        let ends: Vec<f64> = ends.collect();
        if ends.is_empty() {
            return None;
        }
        let scale = Scale::around(&ends);
        let row = |(place, row): &(usize, &AgentStanding)| RatingRow {
            name: cut(&format!("{} {}", place + 1, row.agent)),
            rating: row.rating.text(),
            from: scale.at(row.rating.points - row.rating.half),
            to: scale.at(row.rating.points + row.rating.half),
            dot: scale.at(row.rating.points),
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
            points(row.rating.points),
            row.rating.margin(),
            count(row.results.played.games()),
            count(wins),
            count(draws),
            count(losses),
            row.score_text(),
            row.utility.map(Mean::text).unwrap_or_default(),
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
pub(super) struct Tame;

impl Escaper for Tame {
    fn write_escaped_str<W: Write>(&self, dest: W, text: &str) -> Result {
        Html.write_escaped_str(dest, &crate::render::tame(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        let mut page = String::new();
        Tame.write_escaped_str(&mut page, "<script>alert('&\"')</script>\u{202e}").unwrap();
        let own = ["<", ">", "'", "\"", "\u{202e}"];
        assert!(own.iter().all(|letter| !page.contains(letter)), "{page}");
        assert!(page.ends_with('\u{fffd}'), "{page}");
    }
}
