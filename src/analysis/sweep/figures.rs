//! Figures of a sweep: curves over one parameter, shaded grids over two.

use super::table::{players, results};
use super::{Sweep, SweepPoint, Target, TargetKind};
use crate::game::Value;
use crate::render::{Figure, Grid, Plot, Point as Mark, Series};

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

fn middles(sweep: &Sweep, target: &Target) -> Vec<f64> {
    let number = |point: &SweepPoint| target.number(point).map(|number| number.middle());
    sweep.points.iter().filter_map(number).collect()
}

fn spread(sweep: &Sweep, target: &Target) -> f64 {
    let all = middles(sweep, target);
    let low = all.iter().copied().fold(f64::INFINITY, f64::min);
    all.iter().copied().fold(f64::NEG_INFINITY, f64::max) - low
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
    let numbers = sweep.points.iter().all(|point| is_number(point.values.values().next()));
    let place = |at: usize, point: &SweepPoint| match numbers {
        true => point.values.values().next().and_then(Value::as_number),
        false => Some(at as f64),
    };
    let words = match numbers {
        true => Vec::new(),
        false => sweep
            .points
            .iter()
            .filter_map(|point| Some(point.values.values().next()?.to_string()))
            .collect(),
    };
    let series = |target: &&Target| {
        let marks = sweep.points.iter().enumerate().filter_map(|(at, point)| {
            let number = target.number(point)?;
            let range = number.exact().is_none().then(|| number.range());
            Some(Mark { x: place(at, point)?, y: number.middle(), range })
        });
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
        range: "95 % interval".to_owned(),
        series: targets.iter().map(series).collect(),
    })
}

fn is_number(value: Option<&Value>) -> bool {
    value.is_some_and(|value| value.as_number().is_some())
}

/// The first parameter runs downwards, the second to the right.
fn grid(sweep: &Sweep, target: &Target) -> Option<Grid> {
    let [down, right] = &sweep.swept[..] else { return None };
    let cells = down.values.iter().map(|row| {
        let cell = |column: &Value| {
            let here = |point: &&SweepPoint| point.values.values().eq([row, column]);
            let point = sweep.points.iter().find(here)?;
            target.number(point).map(|number| number.middle())
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
    })
}
