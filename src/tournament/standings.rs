//! The standings: all agents with rating, interval and results, as text and for programs.

use serde_json::{Map, Value, json};

use super::crosstable::EXACT;
use super::{Cell, Course, Crosstable, Few, Mean, Misfit, Rated, Record, Stopped, Verdict};
use crate::render::{self, count, percent, points};

/// From this width on the table has all columns; from the lesser on most of them.
const WIDE: usize = 100;
const MIDDLING: usize = 70;

/// The standings of a tournament, the best first.
#[derive(Clone, Debug, PartialEq)]
pub struct Standings {
    /// A row an agent.
    pub rows: Vec<Standing>,
    /// Each scenario's name, and what else was fitted for it.
    pub scenarios: Vec<ScenarioFit>,
    /// What is to be said of it, one sentence each.
    pub notes: Vec<String>,
    /// The games that were played.
    pub games: u64,
    /// What the ratings do not explain.
    pub misfit: Misfit,
    /// The games of three agents or more, where they are too few.
    pub few: Option<Few>,
    /// Why it stopped early, if it did.
    pub stopped: Option<Stopped>,
    /// All agents, in the order of the spec.
    agents: Vec<String>,
}

/// One agent's place.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Its index in the spec.
    pub index: usize,
    /// The word that names it.
    pub agent: String,
    /// Elo points above or below the mean of those it can be compared with.
    pub rating: Rated,
    /// What its games came to; a game of three agents counts twice for each, once for each other.
    pub results: Record,
    /// Whether the results say too little to bound the rating well: see [`super::Ratings::leans`].
    pub leans: bool,
    /// Its mean utility a game.
    pub utility: Option<Mean>,
    /// The likelihood that it is better than the next one below.
    pub superiority: Option<f64>,
    /// The games it forfeited.
    pub forfeits: u64,
}

/// What was fitted for a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenarioFit {
    /// The scenario.
    pub scenario: String,
    /// The first seat's advantage in Elo points.
    pub advantage: Option<Rated>,
    /// How likely equals draw.
    pub draws: Option<f64>,
}

impl Standing {
    /// The points a game: 1 for a win, ½ for a draw.
    pub fn score(&self) -> Option<f64> {
        self.results.score()
    }

    /// The same for people, marked where not all of it was sampled.
    pub fn score_text(&self) -> String {
        let mark = if self.results.known.games() > 0.0 { EXACT } else { "" };
        self.score().map(|score| percent(score) + mark).unwrap_or_default()
    }

    /// The content of a column of the table, for the agent at this place.
    fn cell(&self, column: &str, place: usize) -> String {
        let Cell { wins, draws, losses } = self.results.played;
        match column {
            "agent" => self.agent.clone(),
            "rating" => points(self.rating.points),
            "±" => self.rating.margin(),
            "games" => count(self.results.played.games()),
            "won" => count(wins),
            "drawn" => count(draws),
            "lost" => count(losses),
            "score" => self.score_text(),
            "utility" => self.utility.map(Mean::text).unwrap_or_default(),
            "better" => self.superiority.map(percent).unwrap_or_default(),
            _ => (place + 1).to_string(),
        }
    }
}

impl Standings {
    /// The standings after the games so far.
    pub fn of(course: &Course<'_>) -> Standings {
        let ratings = course.ratings();
        let order = ratings.order();
        let mut results = vec![Record::default(); order.len()];
        for (meeting, record) in course.tally().records() {
            results[meeting.a] = results[meeting.a].plus(record);
            results[meeting.b] = results[meeting.b].plus(record.turned());
        }
        let rows = order.iter().enumerate().map(|(place, &index)| Standing {
            index,
            agent: course.spec().agents[index].clone(),
            rating: ratings.rating(index),
            results: results[index],
            leans: ratings.leans(index),
            utility: course.tally().utility(index),
            superiority: order.get(place + 1).map(|&next| ratings.superiority(index, next)),
            forfeits: course.tally().forfeits(index),
        });
        let fits =
            course.spec().scenarios.iter().enumerate().map(|(index, scenario)| ScenarioFit {
                scenario: scenario.clone(),
                advantage: ratings.advantage(index),
                draws: ratings.draws(index),
            });
        Standings {
            rows: rows.collect(),
            scenarios: fits.collect(),
            notes: course.notes(),
            games: course.tally().games(),
            misfit: ratings.misfit,
            few: ratings.few,
            stopped: course.stopped(),
            agents: course.spec().agents.clone(),
        }
    }

    /// A table for people, and what is to be said below it. It has fewer columns where there is
    /// little width.
    pub fn text(&self, width: usize, plain: bool) -> String {
        let header: &[&str] = match width {
            WIDE.. => &[
                "", "agent", "rating", "±", "games", "won", "drawn", "lost", "score", "utility",
                "better",
            ],
            // The utility with its interval is what takes most room and breaks first.
            MIDDLING.. => &["", "agent", "rating", "±", "games", "score", "better"],
            _ => &["", "agent", "rating", "±", "score"],
        };
        let row = |(place, row): (usize, &Standing)| {
            header.iter().map(|column| row.cell(column, place)).collect()
        };
        let rows: Vec<Vec<String>> = self.rows.iter().enumerate().map(row).collect();
        let mut parts = vec![render::table(header, &rows, width, plain)];
        let mut said: Vec<String> =
            self.scenarios.iter().filter_map(ScenarioFit::sentence).collect();
        said.extend(self.notes.iter().cloned());
        if !said.is_empty() {
            let said: Vec<String> = said.iter().map(|note| render::filled(note, width)).collect();
            parts.push(said.join("\n"));
        }
        parts.join("\n\n")
    }

    /// The same for programs, with all pairings; what is not known is null.
    pub fn json(&self, table: &Crosstable) -> Value {
        let named = |rated: &Rated| {
            let (low, high) = (rated.points - rated.half, rated.points + rated.half);
            [("rating", json!(rated.points)), ("low", json!(low)), ("high", json!(high))]
        };
        let row = |row: &Standing| {
            let mut object = Map::new();
            object.insert("agent".into(), json!(row.agent));
            object.extend(named(&row.rating).map(|(key, value)| (key.to_owned(), value)));
            let Cell { wins, draws, losses } = row.results.played;
            for (key, value) in [
                ("games", number(row.results.played.games())),
                ("wins", number(wins)),
                ("draws", number(draws)),
                ("losses", number(losses)),
                ("score", json!(row.score())),
                ("exact", json!(row.results.is_exact())),
                ("bounded", json!(!row.leans)),
                ("utility", json!(row.utility.map(interval))),
                ("superiority", json!(row.superiority)),
                ("forfeits", json!(row.forfeits)),
            ] {
                object.insert(key.into(), value);
            }
            Value::Object(object)
        };
        let scenario = |fit: &ScenarioFit| {
            let advantage = fit.advantage.map(|rated| {
                let (low, high) = (rated.points - rated.half, rated.points + rated.half);
                json!({ "mean": rated.points, "low": low, "high": high })
            });
            json!({ "scenario": fit.scenario, "advantage": advantage, "draws": fit.draws })
        };
        json!({
            "games": self.games,
            "standings": self.rows.iter().map(row).collect::<Vec<_>>(),
            "pairings": table.json(),
            "conflicts": [],
            "scenarios": self.scenarios.iter().map(scenario).collect::<Vec<_>>(),
            "stopped": self.stopped.map(Stopped::json),
            "misfit": self.misfit.json(&self.agents),
            "few_games": self.few.map(Few::json),
            "notes": self.notes,
        })
    }
}

impl Stopped {
    /// For programs: what stopped it, and what was accepted.
    fn json(self) -> Value {
        match self {
            Stopped::Within { widest } => json!({ "by": "within", "widest": widest }),
            Stopped::Sprt { verdict, ratio } => {
                let accepted = if verdict == Verdict::Elo0 { "elo0" } else { "elo1" };
                json!({ "by": "sprt", "accepted": accepted, "ratio": ratio })
            }
        }
    }
}

impl ScenarioFit {
    /// What was fitted, in a sentence that begins with the scenario.
    pub fn sentence(&self) -> Option<String> {
        self.worth().map(|worth| format!("{}: {worth}", self.scenario))
    }

    /// The same without the scenario.
    pub fn worth(&self) -> Option<String> {
        Some(format!(
            "the first seat is worth {} points; equals draw {}",
            self.advantage?.text(),
            self.draws.map(percent).unwrap_or_default()
        ))
    }
}

/// A mean with its interval; without one where there are too few games.
fn interval(mean: Mean) -> Value {
    let Mean { mean, half, .. } = mean;
    json!({ "mean": mean, "low": half.map(|half| mean - half), "high": half.map(|half| mean + half) })
}

/// A count of games.
pub(super) fn number(count: f64) -> Value {
    if count < 9e15 { json!(count as u64) } else { json!(count) }
}
