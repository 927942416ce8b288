//! The results of the lab and of lines, by kind, as text and as JSON.

use std::sync::Arc;

use rhai::{Array, Dynamic, Map};
use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};

use super::table::{Sheet, maps};
use crate::analysis::equilibrium::Exploit;
use crate::analysis::{Chances, Compared, Known, Portrait, Solution, Tuned};
use crate::game::{Distribution, Outcome, Value};
use crate::report::{self, Block, Figure, Report, ShowStyle, headed};
use crate::script::from_value;

/// What a result is. The value has it as its tag, which it keeps in variables and lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultKind {
    /// Odds, exact or estimated.
    Odds = 1,
    /// By how much odds differ.
    Difference,
    Compared,
    Sweep,
    Standings,
    Solution,
    /// A perfect opponent.
    Exploited,
    Played,
    Portrait,
    Tuned,
}

impl ResultKind {
    const ALL: [ResultKind; 10] = [
        ResultKind::Odds,
        ResultKind::Difference,
        ResultKind::Compared,
        ResultKind::Sweep,
        ResultKind::Standings,
        ResultKind::Solution,
        ResultKind::Exploited,
        ResultKind::Played,
        ResultKind::Portrait,
        ResultKind::Tuned,
    ];

    /// What a value is a result of, if it is one.
    pub fn of(value: &Dynamic) -> Option<ResultKind> {
        ResultKind::ALL.into_iter().find(|kind| *kind as i32 == value.tag())
    }

    fn parts(self) -> &'static [(&'static str, ResultKind)] {
        match self {
            ResultKind::Compared => &[
                ("base", ResultKind::Odds),
                ("house", ResultKind::Odds),
                ("difference", ResultKind::Difference),
            ],
            ResultKind::Sweep => &[("points", ResultKind::Odds)],
            ResultKind::Solution => &[("further", ResultKind::Solution)],
            _ => &[],
        }
    }

    /// A result as scripts get it, marked with its kind.
    pub fn marked(self, found: &Value) -> Dynamic {
        let mut value = from_value(found);
        self.mark(&mut value);
        value
    }

    fn mark(self, value: &mut Dynamic) {
        if let Some(mut all) = value.write_lock::<Array>() {
            all.iter_mut().for_each(|one| self.mark(one));
            return;
        }
        value.set_tag(self as i32);
        let Some(mut map) = value.write_lock::<Map>() else { return };
        for (key, kind) in self.parts() {
            map.get_mut(*key).into_iter().for_each(|part| kind.mark(part));
        }
    }

    /// A result for people; nothing where a script has changed it so that it is none any more.
    fn blocks(self, value: &Value) -> Option<Vec<Block>> {
        match self {
            ResultKind::Odds => read::<Known>(value).map(|known| known.blocks()),
            ResultKind::Difference => {
                read::<Chances>(value).map(|found| headed("odds", found.blocks()))
            }
            ResultKind::Compared => read::<Compared>(value).map(|found| compared(&found)),
            ResultKind::Sweep => swept(value),
            ResultKind::Standings => standings(value),
            ResultKind::Solution => read::<Solution>(value).map(|found| found.report(false).blocks),
            ResultKind::Exploited => read::<Exploit>(value).map(|found| found.report(false).blocks),
            ResultKind::Played => played(value),
            ResultKind::Tuned => {
                read::<Tuned>(value).map(|found| found.report(|best| best.command.clone()).blocks)
            }
            ResultKind::Portrait => read::<Portrait>(value).map(|found| found.report().blocks),
        }
    }
}

/// A result as the type that it was made from.
fn read<T: DeserializeOwned>(value: &Value) -> Option<T> {
    serde_json::from_value(serde_json::to_value(value).ok()?).ok()
}

/// What changed, and the numbers; the odds without a sentence, since in a script either side may be changed.
fn compared(found: &Compared) -> Vec<Block> {
    let heading = match found.n {
        0 => found.difference.title().to_owned(),
        n => {
            let seed = found.seed;
            format!("estimated from {n} pairs of playouts, seed {seed} (95 % intervals)")
        }
    };
    found.blocks(&found.contrast.sentences(), heading, ["this", "other"], false)
}

fn swept(value: &Value) -> Option<Vec<Block>> {
    let points = value.get("points")?;
    let all = Sheet::of(points).ok()?;
    let printed = |column: &String| {
        ["values.", "results.", "utility."].iter().any(|part| column.starts_with(part))
    };
    let mut columns: Vec<String> = all.columns.into_iter().filter(printed).collect();
    // The parameters come first.
    columns.sort_by_key(|column| !column.starts_with("values."));
    let sheet = Sheet::with(points, columns).ok()?;
    let exact =
        maps(points).ok()?.iter().filter(|point| point.get("exact") == Some(&true.into())).count();
    let what = match exact {
        all if all == sheet.rows.len() => "exact odds",
        0 => "estimates (95 % intervals)",
        _ => "exact odds and estimates (95 % intervals)",
    };
    let names: Vec<String> =
        value.get("parameters")?.as_list()?.iter().map(ToString::to_string).collect();
    let short = sheet.columns.iter().map(|column| {
        let name = column.split_once('.').map_or("", |(_, name)| name);
        if column.starts_with("utility.") { format!("utility {name}") } else { name.to_owned() }
    });
    let sheet = Sheet { columns: short.collect(), rows: sheet.rows };
    let heading = format!("{what} over {}", names.join(" and "));
    let failed = value.get("failed").and_then(Value::as_list).map_or(0, <[Value]>::len);
    let left_out = match failed {
        0 => String::new(),
        failed => {
            format!("{} left out, as they fail: see `failed`", report::many(failed as u64, "point"))
        }
    };
    Some(headed(heading, vec![Block::Table(sheet.table()), Block::Sentence(left_out)]))
}

fn standings(value: &Value) -> Option<Vec<Block>> {
    let row = |row: &&Value| {
        let number = |key: &str| row.get(key).and_then(Value::as_number);
        let rating = report::apart(number("rating")?, (number("low")?, number("high")?));
        let [rating, low, high] = rating.map(|text| text.trim().to_owned());
        let mut cells = vec![row.get("agent")?.to_string(), format!("{rating} ({low} to {high})")];
        for key in ["games", "wins", "draws", "losses"] {
            cells.push(report::count(number(key)?));
        }
        cells.push(number("score").map(report::tidy).unwrap_or_default());
        Some(cells)
    };
    let rows: Option<Vec<Vec<String>>> =
        maps(value.get("standings")?).ok()?.iter().map(row).collect();
    let games = match value.get("games")?.as_int()? {
        0 => "no game was needed: all odds are exact".to_owned(),
        games => report::many(games.unsigned_abs(), "game"),
    };
    let header = ["agent", "rating", "games", "wins", "draws", "losses", "score"];
    Some(headed(games, vec![Block::table(header, rows?)]))
}

fn played(value: &Value) -> Option<Vec<Block>> {
    let mut lines = vec![format!("{}, seed {}", value.get("scenario")?, value.get("seed")?)];
    lines.extend(value.get("events")?.as_list()?.iter().map(ToString::to_string));
    let outcome = Outcome::new(value.get("outcome")?.clone()).ok()?;
    lines.push(report::outcome(&outcome));
    Some(vec![Block::Code(lines.join("\n"))])
}

#[derive(Clone, Debug)]
pub enum LineResult {
    /// Nothing worth a word: the line defined or changed something, or ended in `;`.
    Nothing,
    Value(Value),
    Result(ResultKind, Value),
    Distribution(Arc<Distribution>),
    /// Rows under columns.
    Sheet(Sheet),
    Figures(Vec<Figure>),
    /// Anything else, in the language's own words.
    Other(String),
}

impl LineResult {
    /// As a session shows it, for people or for programs; nothing where there is nothing to show.
    pub fn shown(&self, look: ShowStyle) -> Option<String> {
        let blocks = match self {
            LineResult::Nothing => return None,
            _ if look.json => Vec::new(),
            LineResult::Value(data) => vec![Block::Data(data.clone())],
            LineResult::Result(kind, data) => {
                kind.blocks(data).unwrap_or_else(|| vec![Block::Data(data.clone())])
            }
            LineResult::Distribution(distribution) => vec![report::distribution(distribution)],
            LineResult::Sheet(sheet) => vec![Block::Table(sheet.table())],
            LineResult::Figures(figures) => figures.iter().cloned().map(Block::Figure).collect(),
            LineResult::Other(text) => vec![Block::Code(text.clone())],
        };
        Some(Report::of(self, blocks).shown(look))
    }
}

/// For programs; a result that is no data is a text.
impl Serialize for LineResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            LineResult::Nothing => serializer.serialize_unit(),
            LineResult::Value(value) | LineResult::Result(_, value) => value.serialize(serializer),
            LineResult::Distribution(distribution) => {
                let weights = distribution.weights().iter().map(ToString::to_string);
                serializer.collect_seq(distribution.values().iter().zip(weights))
            }
            LineResult::Sheet(sheet) => sheet.serialize(serializer),
            LineResult::Figures(figures) => {
                serializer.collect_seq(figures.iter().map(|one| one.text(80, true)))
            }
            LineResult::Other(text) => text.serialize(serializer),
        }
    }
}
