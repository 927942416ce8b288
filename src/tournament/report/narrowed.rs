//! Plots how the ratings narrow: a band for each agent, from its first games to the last.

use askama::Template;

use super::super::{Narrowed, Rated, Standings, TournamentState};
use super::tables::HtmlTable;
use crate::render::{Axis, margin, points, signed};

/// Rows of the table beside the bands.
const ROWS: usize = 12;
/// Points of a band at most: a picture has no room for more.
const POINTS: usize = 120;

/// A small picture an agent, all on the same scales.
#[derive(Template)]
#[template(path = "narrowed.html", config = "src/tournament/report/askama.toml")]
pub(super) struct Bands {
    pub(crate) bands: Vec<Band>,
    /// Lines at a percentage of the height, each with its label.
    pub marks: Vec<(String, String)>,
    pub first: u64,
    pub last: u64,
    pub within: Option<String>,
    pub table: HtmlTable,
}

/// An agent's band: corners in percent of the picture.
pub(super) struct Band {
    pub number: usize,
    pub name: String,
    pub rating: String,
    pub area: String,
    pub line: String,
}

impl Bands {
    /// Nothing where there was only one look at the ratings.
    pub(super) fn of(course: &TournamentState<'_>, standings: &Standings) -> Option<Bands> {
        let known = |look: &&Narrowed| look.games > 0 && look.widest.is_finite();
        let mut looks: Vec<&Narrowed> = course.narrowed().iter().filter(known).collect();
        if looks.len() > 2 && looks[0].games == 1 {
            // After one game nothing is known.
            looks.remove(0);
        }
        let (first, last) = (looks.first()?, looks.last()?);
        if looks.len() < 2 {
            return None;
        }
        // Every picture has its agent's last rating in the middle. Early bands are so wide that
        // nothing else would be seen: they run out of the picture.
        let late = &looks[looks.len() / 3..];
        let away = |look: &Narrowed| {
            let pairs = look.ratings.iter().zip(&last.ratings);
            let ends = pairs.map(|(rated, end)| (rated.points - end.points).abs() + rated.half);
            ends.fold(0.0, f64::max)
        };
        let reach = late.iter().map(|look| away(look)).fold(0.0, f64::max);
        let up = Axis::around(&[-reach, reach], 4);
        let y = |number: f64| {
            let (low, high) = up.bounds;
            // Far outside is as good as a little outside.
            (100.0 * (high - number) / (high - low).max(1e-9)).clamp(-300.0, 400.0)
        };
        let (from, to) = ((first.games as f64).ln(), (last.games as f64).ln());
        let x = |games: u64| 100.0 * ((games as f64).ln() - from) / (to - from).max(1e-9);
        let drawn = thinned(&looks, POINTS);
        let bands = standings.rows.iter().enumerate().map(|(place, row)| {
            let at = |value: fn(&Rated) -> f64| {
                let corner = move |look: &&Narrowed| {
                    let rated = look.ratings.get(row.index)?;
                    Some(format!("{:.2},{:.2}", x(look.games), y(value(rated) - row.rating.points)))
                };
                drawn.iter().filter_map(corner).collect::<Vec<_>>()
            };
            let (upper, mut lower) = (at(|r| r.points + r.half), at(|r| r.points - r.half));
            lower.reverse();
            Band {
                number: place + 1,
                name: format!("{} {}", place + 1, row.agent),
                rating: row.rating.text(),
                area: [upper, lower].concat().join(" "),
                line: at(|r| r.points).join(" "),
            }
        });
        let mark = |(number, _): &(f64, String)| (format!("{:.2}", y(*number)), signed(*number));
        Some(Bands {
            bands: bands.collect(),
            marks: up.marks.iter().map(mark).collect(),
            first: first.games,
            last: last.games,
            within: course.spec().stop.within.map(|within| within.to_string()),
            table: table(&thinned(&looks, ROWS), standings),
        })
    }
}

/// The last look, and others at even distances before it, this many at most.
fn thinned<'a>(looks: &[&'a Narrowed], most: usize) -> Vec<&'a Narrowed> {
    let skip = looks.len().div_ceil(most).max(1);
    let last = looks.len().saturating_sub(1);
    let kept = looks.iter().enumerate().filter(|(index, _)| (last - index).is_multiple_of(skip));
    kept.map(|(_, look)| *look).collect()
}

fn table(looks: &[&Narrowed], standings: &Standings) -> HtmlTable {
    let mut header = vec!["games".to_owned(), "widest ±".to_owned()];
    header.extend(standings.rows.iter().map(|row| row.agent.clone()));
    let row = |look: &&Narrowed| {
        let mut cells = vec![look.games.to_string(), margin(look.widest)];
        cells.extend(standings.rows.iter().map(|row| match look.ratings.get(row.index) {
            Some(rated) => format!("{} ± {}", points(rated.points), margin(rated.half)),
            None => String::new(),
        }));
        cells
    };
    let caption =
        "The ratings by the number of games, and the widest of their intervals".to_owned();
    HtmlTable { caption, header, rows: looks.iter().map(row).collect() }
}
