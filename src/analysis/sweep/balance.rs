//! Searches the parameter value at which a side is nearest to even.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use num_traits::{Signed, Zero};
use serde::{Serialize, Serializer};

use super::{Broken, FailedPoint, Sweep, SweepPoint, SweepRun, Target, TargetKind};
use crate::analysis::{Known, Stage};
use crate::error::Error;
use crate::game::Value;
use crate::number::{Fraction, Quantity};

/// The most values that are all tried.
const ALL: usize = 64;
/// If there are more, the number that is tried first, evenly spread.
const COARSE: usize = 33;
/// And the number that is then tried between the neighbours of the best, again and again.
const FINE: usize = 17;

/// The value at which a number is nearest to even.
#[derive(Clone, Debug, Serialize)]
pub struct Balance {
    /// The number that is balanced.
    #[serde(flatten)]
    pub target: Target,
    #[serde(skip)]
    pub parameter: String,
    pub value: Value,
    /// The number there.
    #[serde(skip)]
    pub number: Quantity,
    /// The number less the even one; negative if it is below.
    #[serde(rename = "distance", serialize_with = "size")]
    pub(crate) excess: Quantity,
    /// Whether every value that was tried is exact.
    #[serde(skip)]
    pub certain: bool,
    /// The other values that may be as near: exactly as near, or within their 95 % intervals; in the order of the
    /// sweep.
    pub alike: Vec<Value>,
    /// How many values were tried, spread evenly and then around the best, and how many there are.
    #[serde(skip)]
    pub tried: (usize, usize),
}

fn size<S: Serializer>(excess: &Quantity, serializer: S) -> Result<S::Ok, S::Error> {
    exact_distance(excess).map_or(excess.value.abs().into(), Quantity::from).serialize(serializer)
}

impl Balance {
    /// Searches the value; the sweep has the points that were tried on the way. It has no balance if
    /// it was stopped before a point had the number.
    ///
    /// # Errors
    /// As [`Sweep::run`]; [`Error::Usage`] for more than one parameter.
    pub fn search(run: &SweepRun<'_>, target: &Target) -> Result<Sweep, Broken> {
        let [swept] = run.swept else {
            return Err(Error::usage("a balance is searched over one parameter").into());
        };
        let count = swept.values.len();
        let mut sweep = match count > ALL {
            false => Sweep::run(run)?,
            true => narrow(run, target, count)?,
        };
        sweep.swept = run.swept.to_vec();
        sweep.balance =
            Balance::of(&sweep, target, (sweep.points.len() + sweep.failed.len(), count));
        if sweep.balance.is_none() && sweep.cut.is_none() {
            return Err(target.unknown(&sweep.points).into());
        }
        Ok(sweep)
    }

    /// The best of the points that have the number.
    fn of(sweep: &Sweep, target: &Target, tried: (usize, usize)) -> Option<Balance> {
        let found = sweep.points.iter().filter_map(|point| Some((point, excess(point, target)?)));
        let found: Vec<(&SweepPoint, Quantity)> = found.collect();
        let best = best(found.iter().map(|(_, excess)| excess))?;
        let (point, excess) = &found[best];
        let value = |point: &SweepPoint| point.values.values().next().cloned();
        let others = || found.iter().enumerate().filter(|(i, _)| *i != best);
        let certain = found.iter().all(|(_, excess)| excess.fraction.is_some());
        let may_be = |other: &Quantity| match (exact_distance(excess), exact_distance(other)) {
            (Some(own), Some(its)) => own == its,
            _ => distance(other).0 <= distance(excess).1,
        };
        let alike = others().filter(|(_, (_, other))| may_be(other));
        let alike = alike.filter_map(|(_, (point, _))| value(point)).collect();
        Some(Balance {
            target: target.clone(),
            parameter: sweep.swept.first()?.name.clone(),
            value: value(point)?,
            number: target.number(point)?,
            excess: excess.clone(),
            certain,
            alike,
            tried,
        })
    }

    /// For people: the value, the meaning of even, and how sure it is.
    pub(super) fn in_words(&self) -> String {
        let Balance { target, parameter, value, .. } = self;
        let (number, even) = match target.measure {
            TargetKind::Odds => (self.number.as_share(), "1/2".to_owned()),
            TargetKind::Utility(_) => {
                (self.number.as_utility(), "the mean of all players' utilities".to_owned())
            }
        };
        let place = match self.excess.fraction.as_ref() {
            Some(exact) if exact.is_zero() => format!("which is even ({even})"),
            Some(exact) => {
                let side = if exact.is_positive() { "above" } else { "below" };
                let distance = Quantity::exact(exact.abs()).as_utility();
                format!("{distance} {side} {even}")
            }
            None => format!("less {even}: {}", self.excess.as_utility()),
        };
        let title = target.title();
        let first = format!(
            "balance: {title} is nearest to even at {parameter}={value}: {number}, {place}"
        );
        let lines = [first, self.surety(), self.searched()];
        let lines: Vec<String> = lines.into_iter().filter(|line| !line.is_empty()).collect();
        lines.join("\n")
    }

    fn surety(&self) -> String {
        let all: Vec<String> = self.alike.iter().map(Value::to_string).collect();
        match (self.certain, all.join(", ")) {
            (true, all) if all.is_empty() => "the odds are exact".to_owned(),
            (true, all) => format!("the odds are exact; as near: {all}"),
            (false, all) if all.is_empty() => {
                "no other value may be as near, by the 95 % intervals".to_owned()
            }
            (false, all) => format!("by the 95 % intervals these may be as near: {all}"),
        }
    }

    fn searched(&self) -> String {
        let (tried, all) = self.tried;
        if tried == all {
            return String::new();
        }
        format!(
            "tried: {tried} of {all} values, evenly spread and then around the best. A value between others \
             may be nearer: nothing else was assumed."
        )
    }
}

/// How far a point's number is above even.
fn excess(point: &SweepPoint, target: &Target) -> Option<Quantity> {
    match &point.found {
        Known::Odds(odds) => target.excess(odds).map(Quantity::exact),
        Known::Estimated(estimated) => {
            target.number(point)?;
            let players: Vec<String> = estimated.chances.utility.keys().cloned().collect();
            let score = |(ending, count)| (target.score(ending, &players), count);
            Quantity::mean(&point.tally.iter().map(score).collect::<Vec<_>>())
        }
    }
}

fn exact_distance(excess: &Quantity) -> Option<Fraction> {
    excess.fraction.as_deref().map(Signed::abs)
}

fn distance(excess: &Quantity) -> (f64, f64) {
    let (low, high) = excess.range();
    (low.max(-high).max(0.0), high.max(-low))
}

fn is_nearer(one: &Quantity, other: &Quantity) -> bool {
    match (exact_distance(one), exact_distance(other)) {
        (Some(own), Some(its)) => own < its,
        _ => one.value.abs() < other.value.abs(),
    }
}

/// The index of the one that is nearest to even, the first of several.
fn best<'a>(all: impl Iterator<Item = &'a Quantity>) -> Option<usize> {
    let nearer = |best: (usize, &'a Quantity), next: (usize, &'a Quantity)| {
        if is_nearer(next.1, best.1) { next } else { best }
    };
    all.enumerate().reduce(nearer).map(|(place, _)| place)
}

/// Tries values evenly spread, then between the neighbours of the best, until there are none left.
fn narrow(run: &SweepRun<'_>, target: &Target, count: usize) -> Result<Sweep, Broken> {
    let mut tried: BTreeMap<usize, SweepPoint> = BTreeMap::new();
    let mut failed: Vec<FailedPoint> = Vec::new();
    let place = |values: &IndexMap<String, Value>| {
        let value = values.values().next()?;
        run.swept.first()?.values.iter().position(|one| one == value)
    };
    let mut next = spread(0, count - 1, COARSE);
    loop {
        let swept: Vec<Value> =
            next.iter().filter_map(|i| run.swept.first()?.values.get(*i).cloned()).collect();
        let part = super::Swept { name: run.swept[0].name.clone(), values: swept };
        let done = (tried.len() + failed.len()) as u64;
        // How many there will be is not known.
        let progress = |stage: Stage| {
            (run.progress)(match stage {
                Stage::Points(more, _) => Stage::Points(done + more, None),
                other => other,
            });
        };
        let targets: &[Target] = if tried.is_empty() { run.targets } else { &[] };
        let part = [part];
        let part = SweepRun { swept: &part, progress: &progress, targets, ..*run };
        // Later on, what was found before is not lost.
        let alone = tried.is_empty();
        let sweep = if alone { Sweep::run(&part)? } else { Sweep::find(&part)? };
        failed.extend(sweep.failed);
        // Fewer playouts say less than those of the points beside them.
        let whole = sweep.points.into_iter().filter(|point| alone || point.cut().is_none());
        tried.extend(whole.filter_map(|point| Some((place(&point.values)?, point))));
        let all: Vec<(usize, Quantity)> =
            tried.iter().filter_map(|(i, point)| Some((*i, excess(point, target)?))).collect();
        let best = best(all.iter().map(|(_, excess)| excess)).map_or(0, |place| all[place].0);
        let below = tried.range(..best).next_back().map_or(best, |(i, _)| *i);
        let above = tried.range(best + 1..).next().map_or(best, |(i, _)| *i);
        next = spread(below, above, FINE);
        let fails = |i| failed.iter().any(|one| place(&one.values) == Some(i));
        next.retain(|&i| !tried.contains_key(&i) && !fails(i));
        if next.is_empty() || sweep.cut.is_some() {
            let points = tried.into_values().collect();
            let (swept, cut) = (run.swept.to_vec(), sweep.cut);
            return Ok(Sweep { swept, points, failed, balance: None, cut });
        }
    }
}

/// At most this many numbers from one to another, both included.
fn spread(low: usize, high: usize, count: usize) -> Vec<usize> {
    let mut all: Vec<usize> =
        (0..count).map(|i| low + (high - low) * i / (count - 1).max(1)).collect();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn numbers_are_spread_evenly_both_ends_included() {
        assert_eq!(spread(0, 100, 5), [0, 25, 50, 75, 100]);
        assert_eq!(spread(3, 5, 17), [3, 4, 5]);
        assert_eq!(spread(4, 4, 17), [4]);
    }
}
