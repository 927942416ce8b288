//! What a portrait says about a wish: the number, whether it is as wished, and how sure that is.

use num_traits::ToPrimitive;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::wish::{Subject, Wish};
use super::wish_reader::{Bound, Region};
use crate::analysis::open_end::{high, low};
use crate::analysis::portrait::Measure;
use crate::analysis::{FEW, Fraction, NORMAL_95, Portrait, cumulative, share};

/// The value of a wish under one candidate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WishValue {
    /// The number that the wish is about; null where it is not known.
    #[serde(deserialize_with = "unknown")]
    #[schemars(with = "Option<f64>")]
    pub value: f64,
    /// The exact value as a fraction, where it is known and is one.
    pub fraction: Option<String>,
    /// The lower end of the 95 % interval, or the proven bound; null where there is none.
    #[serde(deserialize_with = "low")]
    #[schemars(with = "Option<f64>")]
    pub low: f64,
    /// The upper end of the 95 % interval, or the proven bound; null where there is none.
    #[serde(deserialize_with = "high")]
    #[schemars(with = "Option<f64>")]
    pub high: f64,
    /// Whether the value is as wished; how sure that is, the candidate's `certainty` says.
    pub holds: bool,
    /// Whether the ends are proven, and no 95 % interval.
    pub proven: bool,
    /// By how much the value is not as wished, in parts of what was asked for; null where the value is
    /// not known.
    #[serde(deserialize_with = "high")]
    #[schemars(with = "Option<f64>")]
    pub miss: f64,
    /// How far within the wish the value is: of `within` less the distance, else the room to the bound.
    #[serde(skip)]
    pub inside: f64,
    /// How far the interval reaches below the value: further than to `low`, where no number is as low.
    #[serde(skip)]
    pub below: f64,
}

fn unknown<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Option::deserialize(deserializer).map(|number| number.unwrap_or(f64::NAN))
}

/// A number with its ends.
struct Ranged {
    value: f64,
    fraction: Option<Fraction>,
    low: f64,
    high: f64,
    proven: bool,
    /// What no number is below.
    least: f64,
}

/// More room than this beside a bound is not better.
const ROOM: f64 = 1.0;

impl WishValue {
    /// What a portrait says about a wish.
    pub fn of(wish: &Wish, portrait: &Portrait) -> WishValue {
        let seen = match &wish.subject {
            Subject::Measure(name) => measure(name, portrait),
            Subject::Spread(stem) => spread(stem, portrait),
        };
        let Some(Ranged { value, fraction, low, high, proven, least }) = seen else {
            return WishValue::unknown();
        };
        let holds = match &fraction {
            Some(exact) => holds(&wish.region, exact, |at| at.clone()),
            None => holds(&wish.region, &value, about),
        };
        let off = |bound: &Option<Bound>, sign: f64| {
            bound.as_ref().map_or(f64::INFINITY, |bound| sign * (about(&bound.at) - value))
        };
        // How far it is from either end, below 0 outside.
        let room = off(&wish.region.high, 1.0).min(off(&wish.region.low, -1.0));
        let miss = if holds { 0.0 } else { (-room).max(0.0) / wish.scale };
        let inside = match wish.near {
            Some(near) => 1.0 - (value - near).abs() / wish.scale,
            None => (room / wish.scale).min(ROOM),
        };
        let fraction = fraction.map(|fraction| fraction.to_string());
        let (below, low) = (value - low, low.max(least));
        WishValue { value, fraction, low, high, holds, proven, miss, inside, below }
    }

    /// That nothing is known.
    pub fn unknown() -> WishValue {
        WishValue {
            value: f64::NAN,
            fraction: None,
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
            holds: false,
            proven: false,
            miss: f64::INFINITY,
            inside: f64::NEG_INFINITY,
            below: f64::INFINITY,
        }
    }

    /// Whether anything is known.
    pub(crate) fn is_known(&self) -> bool {
        !self.value.is_nan()
    }

    /// How likely numbers as good as these are if the wish did not hold after all, and how likely numbers
    /// as bad as these are if it held: the one-sided tests of the normal distribution against the end of
    /// the region that is nearest, so at 95 % those of the interval (for both ends: Schuirmann, Journal of
    /// Pharmacokinetics and Biopharmaceutics 15, 1987).
    pub fn doubts(&self, wish: &Wish) -> (f64, f64) {
        if !self.is_known() {
            return (1.0, 1.0);
        }
        if self.proven {
            let inside = |end: f64| holds(&wish.region, &end, about);
            // Bounds that are this near say the same as the value, which may be exact.
            let both = (inside(self.low) && inside(self.high)) || (self.holds && self.is_point());
            let none = self.is_beyond(&wish.region) || (!self.holds && self.is_point());
            return (f64::from(u8::from(!both)), f64::from(u8::from(!none)));
        }
        let WishValue { value, below: reach, high, .. } = *self;
        let (above, below) = (wish.region.high.as_ref(), wish.region.low.as_ref());
        // How far it is from each end, and how far the interval reaches on that side; then the same from
        // outside.
        let within = [
            above.map_or(0.0, |end| chance(about(&end.at) - value, high - value)),
            below.map_or(0.0, |end| chance(value - about(&end.at), reach)),
        ];
        let beyond = [
            above.map_or(1.0, |end| chance(value - about(&end.at), reach)),
            below.map_or(1.0, |end| chance(about(&end.at) - value, high - value)),
        ];
        (within[0].max(within[1]), beyond[0].min(beyond[1]))
    }

    fn is_point(&self) -> bool {
        self.high - self.low <= 1e-10 * self.value.abs().max(1.0)
    }

    /// Whether all of the interval is outside.
    fn is_beyond(&self, region: &Region) -> bool {
        let over = |bound: &Bound| self.low > about(&bound.at);
        let under = |bound: &Bound| self.high < about(&bound.at);
        region.high.as_ref().is_some_and(over) || region.low.as_ref().is_some_and(under)
    }
}

/// The chance that a normal variable is as far off as this distance, by half of its 95 % interval.
fn chance(distance: f64, half: f64) -> f64 {
    if !half.is_finite() {
        return 0.5;
    }
    let off = if distance == 0.0 { 0.0 } else { distance / half * NORMAL_95 };
    1.0 - cumulative(off)
}

fn about(number: &Fraction) -> f64 {
    number.to_f64().unwrap_or(f64::NAN)
}

fn holds<T: PartialOrd>(region: &Region, value: &T, of: impl Fn(&Fraction) -> T) -> bool {
    let above = |bound: &Bound| {
        let at = of(&bound.at);
        if bound.open { *value > at } else { *value >= at }
    };
    let below = |bound: &Bound| {
        let at = of(&bound.at);
        if bound.open { *value < at } else { *value <= at }
    };
    region.low.as_ref().is_none_or(above) && region.high.as_ref().is_none_or(below)
}

/// Measures that are sampled on a graph too.
fn is_sampled(name: &str) -> bool {
    ["skill.", "drama."].iter().any(|group| name.starts_with(group))
}

/// The ends of a measure. What was the same in all playouts, and these are not few, counts as that: a seat
/// that always has the same would leave every wish open.
fn ends(measure: &Measure, portrait: &Portrait) -> (f64, f64) {
    match measure.is_unvaried() && portrait.n >= FEW {
        true => (measure.value, measure.value),
        false => (measure.low, measure.high),
    }
}

fn measure(name: &str, portrait: &Portrait) -> Option<Ranged> {
    if let Some(found) = portrait.measure(name) {
        let fraction = found.fraction.as_ref().and_then(|fraction| fraction.parse().ok());
        let proven = portrait.n == 0 && (!found.is_uncertain() || !is_sampled(name));
        let (low, high) = ends(found, portrait);
        return Some(Ranged {
            value: found.value,
            fraction,
            low,
            high,
            proven: proven && name != "skill.rungs",
            least: f64::NEG_INFINITY,
        });
    }
    // A result that was not met.
    if !name.starts_with("result.") || portrait.measures.is_empty() {
        return None;
    }
    if portrait.n == 0 {
        let fraction = Some(Fraction::default());
        return Some(Ranged {
            value: 0.0,
            fraction,
            low: 0.0,
            high: 0.0,
            proven: true,
            least: 0.0,
        });
    }
    let never = share(0, portrait.n)?;
    let (low, high) = (never.low, never.high);
    Some(Ranged { value: 0.0, fraction: None, low, high, proven: false, least: 0.0 })
}

/// How far the greatest measure of a stem is above the least. Its interval contains all that may be within
/// those of the measures: where two seats share what there is, that is the interval of their difference.
fn spread(stem: &str, portrait: &Portrait) -> Option<Ranged> {
    let of_seat = |name: &str| name.strip_prefix(stem).is_some_and(|rest| rest.starts_with('.'));
    let all: Vec<_> = portrait.measures.iter().filter(|one| of_seat(&one.name)).collect();
    if all.len() < 2 {
        return None;
    }
    let fractions = all.iter().map(|one| one.fraction.as_ref()?.parse().ok());
    let fractions: Option<Vec<Fraction>> = fractions.collect();
    let fraction = fractions.and_then(|all| Some(all.iter().max()? - all.iter().min()?));
    let most = |number: &dyn Fn(usize) -> f64| {
        (0..all.len()).map(number).fold(f64::NEG_INFINITY, f64::max)
    };
    let least = |number: &dyn Fn(usize) -> f64| -most(&|at| -number(at));
    let value = match &fraction {
        Some(fraction) => about(fraction),
        None => most(&|at| all[at].value) - least(&|at| all[at].value),
    };
    if fraction.is_some() {
        return Some(Ranged { value, fraction, low: value, high: value, proven: true, least: 0.0 });
    }
    let (mut low, mut high) = (f64::NEG_INFINITY, 0.0f64);
    let all: Vec<(f64, f64)> = all.iter().map(|one| ends(one, portrait)).collect();
    for (at, one) in all.iter().enumerate() {
        for other in all.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, one)| one) {
            low = low.max(one.0 - other.1);
            high = high.max(one.1 - other.0);
        }
    }
    Some(Ranged { value, fraction, low, high, proven: portrait.n == 0, least: 0.0 })
}

#[cfg(test)]
pub(super) mod tests {
    use serde_json::json;

    use super::*;
    use crate::analysis::tune::wish_reader::written;

    /// A wish that a number of decisions is there.
    pub(crate) fn wish(text: &str) -> Wish {
        let written = written(text).unwrap();
        let region = Region { low: written.low, high: written.high };
        Wish {
            text: text.to_owned(),
            subject: Subject::Measure("length.decisions".to_owned()),
            region,
            near: None,
            scale: 1.0,
            results: Default::default(),
        }
    }

    fn doubts(text: &str, value: f64, half: f64) -> [f64; 2] {
        let wish = wish(text);
        let reading = WishValue { value, below: half, high: value + half, ..WishValue::unknown() };
        let (within, beyond) = reading.doubts(&wish);
        [within, beyond]
    }

    #[track_caller]
    fn near(found: [f64; 2], expected: [f64; 2]) {
        let off = found.iter().zip(expected).map(|(one, other)| (one - other).abs());
        assert!(off.fold(0.0, f64::max) < 1e-6, "{found:?} is not {expected:?}");
    }

    #[test]
    fn an_end_of_the_interval_is_two_and_a_half_percent_away() {
        // 19 ± 1 is 1.96 deviations below 20, and as far above 18; on the bound it is even.
        near(doubts("a <= 20", 19.0, 1.0), [0.025, 0.975]);
        near(doubts("a > 20", 19.0, 1.0), [0.975, 0.025]);
        near(doubts("a <= 20", 20.0, 1.0), [0.5, 0.5]);
        // Between two ends the nearer one counts: 19 is 2 from 17 and 1 from 20.
        near(doubts("a = 18.5 within 1.5", 19.0, 1.0), [0.025, 1.0 - 0.025]);
        // Beyond an end: 21 is 1 above 20, so holding is as unlikely as that.
        near(doubts("a = 18.5 within 1.5", 21.0, 1.0), [0.975, 0.025]);
        // A sample without spread is as far off as can be, one without an upper end shows nothing.
        near(doubts("a <= 20", 19.0, 0.0), [0.0, 1.0]);
        near(doubts("a <= 20", 19.0, f64::INFINITY), [0.5, 0.5]);
    }

    #[test]
    fn an_interval_that_is_cut_at_0_reaches_below_it_all_the_same() {
        let seat = |name: &str, value: f64, low: f64, high: f64| {
            let name = format!("fairness.utility.{name}");
            json!({"name": name, "unit": "utility", "value": value, "low": low, "high": high})
        };
        let portrait = json!({
            "scenario": "a", "house": [], "exact": false, "seed": 1, "n": 100, "options": [],
            "clauses": [], "measures": [seat("red", 0.05, -0.1, 0.2), seat("blue", -0.05, -0.2, 0.1)],
        });
        let portrait: Portrait = serde_json::from_value(portrait).unwrap();
        let subject = Subject::Spread("fairness.utility".to_owned());
        let wish = Wish { subject, near: Some(0.0), ..wish("a = 0 within 0") };
        let reading = WishValue::of(&wish, &portrait);
        // The spread is 0.1, from -0.1 - 0.1 to 0.2 + 0.2; none is below 0.
        near([reading.value, reading.low], [0.1, 0.0]);
        near([reading.high, reading.below], [0.4, 0.3]);
        // So 0 is a third of the interval's half away: 0.6533 deviations, beyond which are 25.68 %.
        let (within, beyond) = reading.doubts(&wish);
        assert_eq!([within, beyond].map(|p| (p * 1e4).round()), [7432.0, 2568.0]);
    }
}
