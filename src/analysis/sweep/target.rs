//! The number that a sweep looks at: the odds of a result, or the utility of a player or side.

use serde::{Serialize, Serializer};

use super::{Sweep, SweepPoint, players, results};
use crate::analysis::{Chances, Known};
use crate::conflict::{Players, mean_of_players};
use crate::error::{Error, nearest};
use crate::game::Value;
use crate::graph::Ending;
use crate::number::{Fraction, Quantity};
use crate::report::{Figure, Grid, Plot, Series};

/// The prefix of a result that has the same name as a player.
const RESULT: &str = "result:";

/// A number that every point has, under the name that a person gave it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Target {
    /// The name, without a prefix.
    #[serde(rename = "of")]
    pub name: String,
    /// The kind of number.
    #[serde(serialize_with = "in_a_word")]
    pub measure: TargetKind,
}

/// The kind of number that a name refers to.
#[derive(Clone, Debug, PartialEq)]
pub enum TargetKind {
    /// The odds of a result.
    Odds,
    /// The utility of these players: of one, or the mean of a side's members.
    Utility(Vec<String>),
}

fn in_a_word<S: Serializer>(measure: &TargetKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match measure {
        TargetKind::Odds => "odds",
        TargetKind::Utility(_) => "utility",
    })
}

impl Target {
    /// The number that a word names: the utility of a side or player of that name, else the odds of
    /// a result; with `result:` before it, always a result.
    pub fn read(word: &str, players: &Players) -> Target {
        match (word.strip_prefix(RESULT), players.sides.get(word)) {
            (Some(name), _) => Target::result(name),
            (None, Some(members)) => {
                Target { name: word.to_owned(), measure: TargetKind::Utility(members.clone()) }
            }
            (None, None) if players.names.contains(word) => Target::player(word),
            (None, None) => Target::result(word),
        }
    }

    /// The odds of a result.
    pub fn result(name: &str) -> Target {
        Target { name: name.to_owned(), measure: TargetKind::Odds }
    }

    /// The utility of a player.
    pub fn player(name: &str) -> Target {
        Target { name: name.to_owned(), measure: TargetKind::Utility(vec![name.to_owned()]) }
    }

    /// Its name in a line: `odds of red`, `utility of red`.
    pub fn title(&self) -> String {
        match &self.measure {
            TargetKind::Odds => format!("odds of {}", self.name),
            TargetKind::Utility(members) if members.len() > 1 => {
                format!("mean utility in {}", self.name)
            }
            TargetKind::Utility(_) => format!("utility of {}", self.name),
        }
    }

    /// Whether a point has it: a result that it may end with, or all the players.
    pub(crate) fn is_met(&self, point: &SweepPoint) -> bool {
        let chances = point.chances();
        match &self.measure {
            TargetKind::Odds => chances.results.contains_key(&self.name),
            TargetKind::Utility(members) => {
                members.iter().all(|player| chances.utility.contains_key(player))
            }
        }
    }

    /// The error that no point has it, with the nearest name that some point has.
    pub fn unknown<'a>(&self, points: impl IntoIterator<Item = &'a SweepPoint>) -> Error {
        let known: Vec<&String> = points
            .into_iter()
            .flat_map(|point| point.chances().results.keys().chain(point.chances().utility.keys()))
            .collect();
        let nearest = nearest(&self.name, known.into_iter().map(String::as_str));
        let what = "result, player or side";
        Error::Unknown { what, name: self.name.clone(), nearest, known: Vec::new(), at: None }
    }

    /// The number at a point; `None` if its players are not among those of the point.
    pub fn number(&self, point: &SweepPoint) -> Option<Quantity> {
        let chances = point.chances();
        match (&self.measure, &point.found) {
            (TargetKind::Odds, found) => chances.results.get(&self.name).cloned().or(match found {
                Known::Odds(_) => Some(Quantity::zero()),
                Known::Estimated(estimated) => Quantity::share(0, estimated.n),
            }),
            (TargetKind::Utility(members), _) if members.len() == 1 => {
                chances.utility.get(members.first()?).cloned()
            }
            (TargetKind::Utility(members), Known::Odds(_)) => {
                average(chances, members).map(Quantity::exact)
            }
            (TargetKind::Utility(members), Known::Estimated(_)) => {
                let seen: Vec<(f64, u64)> = point
                    .tally
                    .iter()
                    .map(|(ending, count)| (average_of_ending(ending, members), count))
                    .collect();
                Quantity::uneven_mean(&seen)
            }
        }
    }

    /// The exact number less the even one: odds of 1/2, the mean of all players' utilities.
    pub(crate) fn excess(&self, chances: &Chances) -> Option<Fraction> {
        match &self.measure {
            TargetKind::Odds => {
                let odds = match chances.results.get(&self.name) {
                    Some(number) => number.fraction.as_deref().cloned()?,
                    None => Fraction::default(),
                };
                Some(odds - Fraction::new(1.into(), 2.into()))
            }
            TargetKind::Utility(members) => {
                let all: Vec<String> = chances.utility.keys().cloned().collect();
                Some(average(chances, members)? - average(chances, &all)?)
            }
        }
    }

    /// The number of one playout less the even one; its mean is [`Target::excess`].
    pub fn score(&self, ending: &Ending, players: &[String]) -> f64 {
        match &self.measure {
            TargetKind::Odds if ending.result == self.name => 0.5,
            TargetKind::Odds => -0.5,
            TargetKind::Utility(members) => {
                average_of_ending(ending, members) - average_of_ending(ending, players)
            }
        }
    }
}

fn average(chances: &Chances, players: &[String]) -> Option<Fraction> {
    let mut sum = Fraction::default();
    for player in players {
        sum += chances.utility.get(player)?.fraction.as_deref()?;
    }
    Some(sum / Fraction::from_integer(players.len().max(1).into()))
}

fn average_of_ending(ending: &Ending, players: &[String]) -> f64 {
    mean_of_players(players, |player| ending.utility.get(player)?.as_utility())
}

// Figures of a sweep: curves over one parameter, shaded grids over two.

/// The most curves in one figure.
const CURVES: usize = 8;
/// The most grids that are drawn unless targets are named.
const GRIDS: usize = 4;
/// Odds that vary less than this are level.
const LEVEL: f64 = 0.005;

/// The figures of a sweep: of the targets, or, if there are none, of the most informative numbers.
pub(crate) fn figures(sweep: &Sweep, targets: &[Target]) -> Vec<Figure> {
    let two = sweep.swept.len() == 2;
    let chosen = match targets.is_empty() {
        false => targets.to_vec(),
        true if two => of_grids(sweep),
        true => of_curves(sweep),
    };
    if two {
        return chosen.iter().filter_map(|target| grid(sweep, target)).map(Figure::Grid).collect();
    }
    let is_odds = |target: &&Target| target.measure == TargetKind::Odds;
    let (odds, utility): (Vec<&Target>, Vec<&Target>) = chosen.iter().partition(is_odds);
    let plots = [("odds", odds), ("utility", utility)];
    let plots = plots.iter().filter(|(_, targets)| !targets.is_empty());
    plots.filter_map(|(what, targets)| plot(sweep, what, targets)).map(Figure::Plot).collect()
}

/// The odds of all results; and the utilities if those are level and these are not, or if there are
/// too many results.
fn of_curves(sweep: &Sweep) -> Vec<Target> {
    let odds: Vec<Target> = results(sweep).iter().map(|name| Target::result(name)).collect();
    let utility: Vec<Target> =
        players(sweep).into_iter().take(CURVES).map(|name| Target::player(&name)).collect();
    let level = |targets: &[Target]| targets.iter().all(|target| spread(sweep, target) < LEVEL);
    match odds.len() {
        2..=CURVES if level(&odds) && !level(&utility) => [odds, utility].concat(),
        2..=CURVES => odds,
        _ => utility,
    }
}

/// One of two results is enough, because the other has the rest; of one or of many the utilities
/// show more.
fn of_grids(sweep: &Sweep) -> Vec<Target> {
    let results = results(sweep);
    match results.len() {
        2 => results.iter().take(1).map(|name| Target::result(name)).collect(),
        3..=GRIDS => results.iter().map(|name| Target::result(name)).collect(),
        _ => players(sweep).iter().take(GRIDS).map(|name| Target::player(name)).collect(),
    }
}

fn spread(sweep: &Sweep, target: &Target) -> f64 {
    let number = |point: &SweepPoint| target.number(point).map(|number| number.value);
    let all = || sweep.points.iter().filter_map(number);
    all().fold(f64::NEG_INFINITY, f64::max) - all().fold(f64::INFINITY, f64::min)
}

/// The certainty of the numbers of a figure, in words.
fn surety(sweep: &Sweep) -> &'static str {
    let exact = sweep.points.iter().filter(|point| point.is_exact()).count();
    match exact {
        0 => "estimates",
        all if all < sweep.points.len() => "exact and estimates",
        _ if sweep.cut_off() > 0.0 => "dice cut off",
        _ => "exact",
    }
}

fn plot(sweep: &Sweep, what: &str, targets: &[&Target]) -> Option<Plot> {
    let swept = sweep.swept.first()?;
    let values = || sweep.points.iter().filter_map(|point| point.values.values().next());
    let numbers = values().map(Value::as_number).collect::<Option<Vec<f64>>>();
    let words = match numbers {
        Some(_) => Vec::new(),
        None => values().map(Value::to_string).collect(),
    };
    let places = numbers.unwrap_or_else(|| (0..sweep.points.len()).map(|at| at as f64).collect());
    let series = |target: &&Target| {
        let marks = sweep.points.iter().zip(&places);
        let marks = marks.filter_map(|(point, &place)| Some(target.number(point)?.point(place)));
        Series { name: target.name.clone(), points: marks.collect() }
    };
    let title = match targets {
        [one] => one.title(),
        _ => what.to_owned(),
    };
    Some(Plot {
        title: format!("{title} by {} ({})", swept.name, surety(sweep)),
        x: swept.name.clone(),
        y: what.to_owned(),
        words,
        series: targets.iter().map(series).collect(),
    })
}

/// The first parameter runs downwards, the second to the right.
fn grid(sweep: &Sweep, target: &Target) -> Option<Grid> {
    let [down, right] = &sweep.swept[..] else { return None };
    let cells = down.values.iter().map(|row| {
        let cell = |column: &Value| {
            let here = |point: &&SweepPoint| point.values.values().eq([row, column]);
            let point = sweep.points.iter().find(here)?;
            target.number(point).map(|number| number.value)
        };
        right.values.iter().map(cell).collect()
    });
    let texts = |values: &[Value]| values.iter().map(Value::to_string).collect();
    let (x, y) = (&right.name, &down.name);
    let mixed = match surety(sweep) {
        "exact and estimates" => "exact and estimates: the table says which",
        "estimates" => "estimates: the table has the intervals",
        exact => exact,
    };
    Some(Grid {
        title: format!("{} by {y} and {x} ({mixed})", target.title()),
        x: x.clone(),
        columns: texts(&right.values),
        y: y.clone(),
        rows: texts(&down.values),
        cells: cells.collect(),
        ..Grid::default()
    })
}
