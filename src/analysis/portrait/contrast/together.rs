//! Several changes at once: what each does alone, and what all of them do beyond the sum of that.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::certainty::{Certainty, corrected};
use super::combined::{Combined, Sampled, combined};
use super::measures::{MeasureChange, between, found};
use crate::analysis::open_end::{high, low};
use crate::analysis::portrait::Portrait;
use crate::analysis::portrait::measure::Measure;

/// What one of several changes does without the others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Alone {
    /// The change: the house rule or the parameter.
    pub change: String,
    /// What became of each measure.
    pub measures: Vec<MeasureChange>,
}

/// What several changes do to a measure beyond the sum of what each does alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Interaction {
    /// The name of the measure.
    pub name: String,
    /// What it counts, or what 1 of it is.
    pub unit: String,
    /// The sum of the differences that each makes alone.
    pub sum: f64,
    /// The difference that all make together.
    pub together: f64,
    /// Together less the sum.
    pub difference: f64,
    /// The same as a fraction, where it is known and is one.
    pub fraction: Option<String>,
    /// The lower end of its 95 % interval, or its proven bound; null where there is none.
    #[serde(deserialize_with = "low")]
    #[schemars(with = "Option<f64>")]
    pub low: f64,
    /// The upper end of its 95 % interval, or its proven bound; null where there is none.
    #[serde(deserialize_with = "high")]
    #[schemars(with = "Option<f64>")]
    pub high: f64,
    /// From playouts, the p-value, corrected for the number of measures by Holm's method; null where it is
    /// exact or proven.
    pub p: Option<f64>,
    /// Whether it is not 0.
    pub certainty: Certainty,
}

/// What each change does alone.
pub(super) fn alone(base: &Portrait, changes: &[String], each: &[Portrait]) -> Vec<Alone> {
    let one = |(change, portrait): (&String, &Portrait)| Alone {
        change: change.clone(),
        measures: between(base, portrait),
    };
    changes.iter().zip(each).map(one).collect()
}

/// What all changes do together beyond the sum of what each does alone.
pub(super) fn interaction(base: &Portrait, each: &[Portrait], all: &Portrait) -> Vec<Interaction> {
    let times = 1 - i32::try_from(each.len()).unwrap_or(i32::MAX);
    let mut tested: Vec<(Interaction, Option<Sampled>)> = Vec::new();
    for change in between(base, all) {
        let MeasureChange { name, unit, .. } = &change;
        let asked = Measure::close(name.clone(), unit, 0.0);
        let of = |times: i32, portrait| Some((times, found(portrait, &asked)?, portrait));
        // All, less each, and the base as often as is missing: (all - base) - Σ (each - base).
        let parts = std::iter::once(of(1, all)).chain(each.iter().map(|one| of(-1, one)));
        let parts: Option<Vec<_>> = parts.chain([of(-times, base)]).collect();
        let Some(parts) = parts else { continue };
        let Some(Combined { value, fraction, bounds, certainty, sampled }) = combined(&parts)
        else {
            continue;
        };
        let interaction = Interaction {
            name: name.clone(),
            unit: unit.clone(),
            sum: change.difference - value,
            together: change.difference,
            difference: value,
            fraction: fraction.map(|fraction| fraction.to_string()),
            low: bounds.low,
            high: bounds.high,
            p: None,
            certainty,
        };
        tested.push((interaction, sampled));
    }
    let p_values: Vec<Option<f64>> =
        tested.iter().map(|(_, sampled)| Some(sampled.as_ref()?.p)).collect();
    for ((one, sampled), p) in tested.iter_mut().zip(corrected(&p_values)) {
        let (Some(sampled), Some(p)) = (sampled, p) else { continue };
        one.p = Some(p);
        one.certainty = Certainty::of(p, sampled.same);
    }
    tested.into_iter().map(|(one, _)| one).collect()
}
