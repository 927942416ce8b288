//! The HTML report of a tournament: one page that needs no other file.
//!
//! It loads no script, font or picture. It can be read in light and dark mode, on a narrow screen,
//! and by screen readers: each plot has a title, a description, and a table beside it. The pages
//! are templates beside this file. The plots are drawn in them, in percent of the width available
//! and in colours of the style sheet, which the plotting code does not know.

mod scenarios;
mod tables;

use askama::Template;

use super::ratings::text;
use super::{
    Crosstable, Identity, Narrowed, NotableGame, PairingResult, Standings, TournamentState,
};
use crate::game::brief;
use crate::number::Quantity;
use crate::report::{Axis, count, margin, percent, points, signed};
use scenarios::ScenarioSection;
use tables::{Heat, HtmlTable, Intervals};

/// All contents of a report.
pub struct LeaguePage<'a> {
    /// The tournament.
    pub state: &'a TournamentState<'a>,
    /// What its results are of.
    pub identity: &'a Identity,
    /// The games to look at, with where their histories are.
    pub notable: &'a [NotableGame],
    /// Why the report is incomplete, if it is: a sentence that is shown above everything else.
    pub unfinished: Option<&'a str>,
    /// The commands that repeat the tournament, in order.
    pub commands: &'a [String],
}

/// The page itself.
#[derive(Template)]
#[template(path = "page.html", config = "src/tournament/report/askama.toml")]
struct LeagueTemplate<'a> {
    title: String,
    lead: String,
    unfinished: Option<&'a str>,
    intervals: Option<Intervals>,
    standings: HtmlTable,
    cross: Vec<Heat>,
    overview: Option<Heat>,
    scenarios: Vec<ScenarioSection>,
    pairings: HtmlTable,
    bands: Option<Bands>,
    notable: Vec<NotableView<'a>>,
    notes: &'a [String],
    identity: &'a Identity,
    commands: &'a [String],
    seed: u64,
    digests: HtmlTable,
}

/// A notable game, as the page shows it.
struct NotableView<'a> {
    number: u64,
    scenario: &'a str,
    agents: String,
    sentence: String,
    history: Option<&'a str>,
    command: Option<&'a str>,
}

impl LeaguePage<'_> {
    /// The page.
    pub fn html(&self) -> String {
        let (state, spec) = (self.state, self.state.spec());
        let standings = Standings::of(state);
        let page = LeagueTemplate {
            title: brief(&spec.title.as_deref().unwrap_or("Tournament")),
            lead: self.lead(),
            unfinished: self.unfinished,
            intervals: Intervals::of(&standings),
            standings: tables::table(&standings),
            cross: Heat::cross(&standings.table),
            overview: scenarios::overview(state, &standings),
            scenarios: scenarios::all(state, self.identity, &standings),
            pairings: pairings(&standings.table),
            bands: Bands::of(state, &standings),
            notable: self.notable.iter().map(|game| self.notable(game)).collect(),
            notes: &standings.notes,
            identity: self.identity,
            commands: self.commands,
            seed: spec.seed,
            digests: self.digests(),
        };
        // Writing to a string does not fail, and no template does anything else.
        page.render().unwrap_or_default()
    }

    /// What was played, in a sentence or two.
    fn lead(&self) -> String {
        let spec = self.state.spec();
        let many = |number: u64, what: &str| match number {
            1 => format!("1 {what}"),
            number => format!("{number} {what}s"),
        };
        format!(
            "{} by {} agents in {}, as a {}, with seed {}.",
            many(self.state.tally().games(), "game"),
            spec.agents.len(),
            many(spec.scenarios.len() as u64, "scenario"),
            spec.format.word().replace('_', " "),
            spec.seed
        )
    }

    fn notable<'s>(&'s self, notable: &'s NotableGame) -> NotableView<'s> {
        let spec = self.state.spec();
        let lineup = &notable.game.lineup;
        let names = self.identity.conditions.seats.get(lineup.scenario);
        let names = names.map(Vec::as_slice).unwrap_or_default();
        let sits = |(seat, &agent): (usize, &usize)| {
            let name = names.get(seat).map(String::as_str).unwrap_or_default();
            let agent = spec.agents.get(agent).map(String::as_str).unwrap_or_default();
            format!("{name}: {agent}")
        };
        let agents: Vec<String> = lineup.agents.iter().enumerate().map(sits).collect();
        NotableView {
            number: notable.game.number,
            scenario: spec.scenarios.get(lineup.scenario).map(String::as_str).unwrap_or_default(),
            agents: agents.join(", "),
            sentence: notable.sentence(),
            history: notable.history.as_deref(),
            command: notable.command.as_deref(),
        }
    }

    fn digests(&self) -> HtmlTable {
        let mut rows = vec![vec!["the spec".to_owned(), self.identity.digest.clone()]];
        let scripts = self.identity.conditions.scripts.iter();
        rows.extend(scripts.map(|(name, digest)| vec![name.clone(), digest.clone()]));
        HtmlTable::new("SHA-256 digests of all that was read", &["file", "digest"], rows)
    }
}

fn pairings(table: &Crosstable) -> HtmlTable {
    let row = |pairing: &PairingResult| {
        let results = pairing.results;
        vec![
            pairing.a.clone(),
            pairing.b.clone(),
            pairing.scenario.clone(),
            count(results.played.games()),
            results.score().map(percent).unwrap_or_default(),
            if results.is_exact() { "exact" } else { "sampled" }.to_owned(),
        ]
    };
    let rows = table.pairings.iter().map(row).collect();
    let header = ["agent", "against", "scenario", "games", "score", "odds"];
    HtmlTable::new("The score of the first agent in each pairing", &header, rows)
}

/// Rows of the table beside the bands.
const ROWS: usize = 12;
/// Points of a band at most: a picture has no room for more.
const POINTS: usize = 120;

/// A small picture an agent, all on the same scales.
#[derive(Template)]
#[template(path = "narrowed.html", config = "src/tournament/report/askama.toml")]
struct Bands {
    pub(crate) bands: Vec<Band>,
    /// Lines at a percentage of the height, each with its label.
    pub marks: Vec<(String, String)>,
    pub first: u64,
    pub last: u64,
    pub within: Option<String>,
    pub table: HtmlTable,
}

/// An agent's band: corners in percent of the picture.
struct Band {
    pub number: usize,
    pub name: String,
    pub rating: String,
    pub area: String,
    pub line: String,
}

impl Bands {
    /// Nothing where there was only one look at the ratings.
    fn of(state: &TournamentState<'_>, standings: &Standings) -> Option<Bands> {
        let known = |look: &&Narrowed| look.games > 0 && look.widest.is_finite();
        let mut looks: Vec<&Narrowed> = state.narrowed().iter().filter(known).collect();
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
            let ends =
                pairs.map(|(rated, end)| (rated.value - end.value).abs() + rated.half_width());
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
            let at = |value: fn(&Quantity) -> f64| {
                let corner = move |look: &&Narrowed| {
                    let rated = look.ratings.get(row.index)?;
                    Some(format!("{:.2},{:.2}", x(look.games), y(value(rated) - row.rating.value)))
                };
                drawn.iter().filter_map(corner).collect::<Vec<_>>()
            };
            let (upper, mut lower) = (at(|r| r.high), at(|r| r.low));
            lower.reverse();
            Band {
                number: place + 1,
                name: format!("{} {}", place + 1, row.agent),
                rating: text(&row.rating),
                area: [upper, lower].concat().join(" "),
                line: at(|r| r.value).join(" "),
            }
        });
        let mark = |(number, _): &(f64, String)| (format!("{:.2}", y(*number)), signed(*number));
        Some(Bands {
            bands: bands.collect(),
            marks: up.marks.iter().map(mark).collect(),
            first: first.games,
            last: last.games,
            within: state.spec().stop.within.map(|within| within.to_string()),
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
            Some(rated) => format!("{} ± {}", points(rated.value), margin(rated.half_width())),
            None => String::new(),
        }));
        cells
    };
    let caption =
        "The ratings by the number of games, and the widest of their intervals".to_owned();
    HtmlTable { caption, header, rows: looks.iter().map(row).collect() }
}
