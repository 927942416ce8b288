//! The HTML report of a tournament: one page that needs no other file.
//!
//! It loads no script, font or picture. It can be read in light and dark mode, on a narrow screen,
//! and by screen readers: each plot has a title, a description, and a table beside it. The pages
//! are templates beside this file. The plots are drawn in them, in percent of the width available
//! and in colours of the style sheet, which the plotting code does not know.

mod heat;
mod narrowed;
mod scenarios;
mod tables;

use askama::Template;

use super::{
    Crosstable, Identity, PairingResult, Standings, Strange, StrangeGame, TournamentState,
};
use crate::game::brief;
use crate::render::{count, percent};
use heat::Heat;
use narrowed::Bands;
use scenarios::ScenarioSection;
use tables::HtmlTable;
use tables::Intervals;

/// All contents of a report.
pub struct Report<'a> {
    /// The tournament.
    pub course: &'a TournamentState<'a>,
    /// What its results are of.
    pub identity: &'a Identity,
    /// The games that ended strangely, with where their histories are.
    pub strange: &'a [StrangeGame],
    /// Why the report is incomplete, if it is: a sentence that is shown above everything else.
    pub unfinished: Option<&'a str>,
    /// The commands that repeat the tournament, in order.
    pub commands: &'a [String],
}

/// The page itself.
#[derive(Template)]
#[template(path = "page.html", config = "src/tournament/report/askama.toml")]
struct Page<'a> {
    title: String,
    lead: String,
    unfinished: Option<&'a str>,
    intervals: Option<Intervals>,
    standings: HtmlTable,
    cross: Heat,
    overview: Option<Heat>,
    scenarios: Vec<ScenarioSection>,
    pairings: HtmlTable,
    bands: Option<Bands>,
    strange: Vec<OddityView<'a>>,
    meaning: &'static str,
    notes: &'a [String],
    identity: &'a Identity,
    commands: &'a [String],
    seed: u64,
    digests: HtmlTable,
}

/// A strange game, as the page shows it.
struct OddityView<'a> {
    number: u64,
    scenario: &'a str,
    agents: String,
    sentence: String,
    history: Option<&'a str>,
    command: Option<&'a str>,
}

impl Report<'_> {
    /// The page.
    pub fn html(&self) -> String {
        let (course, spec) = (self.course, self.course.spec());
        let standings = Standings::of(course);
        let page = Page {
            title: brief(&spec.title.as_deref().unwrap_or("Tournament")),
            lead: self.lead(),
            unfinished: self.unfinished,
            intervals: Intervals::of(&standings),
            standings: tables::table(&standings),
            cross: Heat::cross(&standings.table),
            overview: scenarios::overview(course, &standings),
            scenarios: scenarios::all(course, self.identity, &standings),
            pairings: pairings(&standings.table),
            bands: Bands::of(course, &standings),
            strange: self.strange.iter().map(|game| self.oddity(game)).collect(),
            meaning: Strange::MEANING,
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
        let spec = self.course.spec();
        let many = |number: u64, what: &str| match number {
            1 => format!("1 {what}"),
            number => format!("{number} {what}s"),
        };
        format!(
            "{} by {} agents in {}, as a {}, with seed {}.",
            many(self.course.tally().games(), "game"),
            spec.agents.len(),
            many(spec.scenarios.len() as u64, "scenario"),
            spec.format.word().replace('_', " "),
            spec.seed
        )
    }

    fn oddity<'s>(&'s self, strange: &'s StrangeGame) -> OddityView<'s> {
        let spec = self.course.spec();
        let lineup = &strange.game.lineup;
        let names = self.identity.conditions.seats.get(lineup.scenario);
        let names = names.map(Vec::as_slice).unwrap_or_default();
        let sits = |(seat, &agent): (usize, &usize)| {
            let name = names.get(seat).map(String::as_str).unwrap_or_default();
            let agent = spec.agents.get(agent).map(String::as_str).unwrap_or_default();
            format!("{name}: {agent}")
        };
        let agents: Vec<String> = lineup.agents.iter().enumerate().map(sits).collect();
        OddityView {
            number: strange.game.number,
            scenario: spec.scenarios.get(lineup.scenario).map(String::as_str).unwrap_or_default(),
            agents: agents.join(", "),
            sentence: strange.sentence(),
            history: strange.history.as_deref(),
            command: strange.command.as_deref(),
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
