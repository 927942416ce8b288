//! What a portrait says about a wish: the number, whether it is as wished, and how sure that is.

use num_traits::ToPrimitive;
use serde::{Deserialize, Serialize};

use super::wish::{Bound, Region, Subject, Wish};
use crate::analysis::Portrait;
use crate::analysis::portrait::{Measure, REPLAYED};
use crate::number::open_end::high;
use crate::number::{Basis, Fraction, NORMAL_95, Quantity, cumulative, fields};

/// The value of a wish under one candidate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WishValue {
    /// What is known of the number that the wish is about; the value is not a number where nothing is.
    #[serde(flatten, with = "fields")]
    pub quantity: Quantity,
    /// Whether the value is as wished; how sure that is, the candidate's `certainty` says.
    pub holds: bool,
    /// By how much the value is not as wished, in parts of what was asked for; null where the value is
    /// not known.
    #[serde(deserialize_with = "high")]
    pub miss: f64,
    /// The least and the most by which a number within the interval is not as wished.
    #[serde(skip)]
    pub misses: (f64, f64),
    /// How far within the wish the value is: of `within` less the distance, else the room to the bound.
    #[serde(skip)]
    pub inside: f64,
    /// How far the interval reaches below the value: further than to `low`, where no number is as low.
    #[serde(skip)]
    pub below: f64,
    /// The number in each equilibrium that was found, where they differ: the value is the one that holds least.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub equilibria: Vec<f64>,
    /// In how many playouts it was the same, or a part of it, if there was no spread.
    #[serde(skip)]
    pub unvaried: Option<u64>,
    /// Whether it is the share of a result, or the part of a utility, that no end has.
    #[serde(skip)]
    pub absent: bool,
}

struct WishedNumber {
    quantity: Quantity,
    /// What no number is below.
    least: f64,
    unvaried: Option<u64>,
}

/// More room than this beside a bound is not better.
const ROOM: f64 = 1.0;

impl WishValue {
    /// What a portrait says about a wish; of several equilibria, what the one says in which it holds least.
    pub fn of(wish: &Wish, portrait: &Portrait) -> WishValue {
        let seen = |measures: &Vec<Measure>| match &wish.subject {
            Subject::Measure(name) => {
                measures.iter().find(|one| one.name == *name).map(|one| measure(one, portrait))
            }
            Subject::Spread(stem) => spread(stem, portrait, measures),
        };
        let read = |seen: WishedNumber| WishValue::read(wish, seen);
        let every: Vec<WishValue> =
            portrait.by_equilibrium.iter().filter_map(seen).map(read).collect();
        let values: Vec<f64> = every.iter().map(|one| one.quantity.value).collect();
        let differ = values.windows(2).any(|two| two[0] != two[1]);
        let equilibria = if differ { values } else { Vec::new() };
        let worst = every.into_iter().max_by(|one, other| {
            one.miss.total_cmp(&other.miss).then(other.inside.total_cmp(&one.inside))
        });
        let worst = worst.map(|worst| WishValue { equilibria, ..worst });
        let name = wish.subject.name();
        let of_all = || seen(&portrait.measures).or_else(|| absent(name, portrait));
        let value = worst.or_else(|| of_all().map(read)).unwrap_or_else(WishValue::unknown);
        WishValue { absent: portrait.is_without(name), ..value }
    }

    fn read(wish: &Wish, seen: WishedNumber) -> WishValue {
        let WishedNumber { mut quantity, least, unvaried } = seen;
        let value = quantity.value;
        let holds = match &quantity.fraction {
            Some(exact) => holds(&wish.region, &**exact, |at| at.clone()),
            None => holds(&wish.region, &value, about),
        };
        let off = |bound: &Option<Bound>, sign: f64, value: f64| {
            bound.as_ref().map_or(f64::INFINITY, |bound| sign * (about(&bound.at) - value))
        };
        // How far a number is from either end, below 0 outside.
        let room =
            |value| off(&wish.region.high, 1.0, value).min(off(&wish.region.low, -1.0, value));
        let missed = |value| (-room(value)).max(0.0) / wish.scale;
        let miss = if holds { 0.0 } else { missed(value) };
        let inside = match wish.near {
            Some(near) => 1.0 - (value - near).abs() / wish.scale,
            None => (room(value) / wish.scale).min(ROOM),
        };
        let below = value - quantity.low;
        quantity.low = quantity.low.max(least);
        let ends = [quantity.low, quantity.high].map(missed);
        let misses = (miss, miss);
        let unknown = WishValue::unknown();
        let read = WishValue { quantity, holds, miss, misses, inside, below, unvaried, ..unknown };
        if read.is_proven() && read.is_point() {
            return read;
        }
        let least = if read.is_beyond(&wish.region) { ends[0].min(ends[1]) } else { 0.0 };
        WishValue { misses: (least, ends[0].max(ends[1])), ..read }
    }

    /// That nothing is known.
    pub fn unknown() -> WishValue {
        WishValue {
            quantity: Quantity::unbounded(0, f64::NAN),
            holds: false,
            miss: f64::INFINITY,
            misses: (0.0, f64::INFINITY),
            inside: f64::NEG_INFINITY,
            below: f64::INFINITY,
            equilibria: Vec::new(),
            unvaried: None,
            absent: false,
        }
    }

    /// Whether its ends are proven, and no 95 % interval.
    pub(crate) fn is_proven(&self) -> bool {
        !self.quantity.is_sampled()
    }

    /// Whether playouts would tell no more.
    pub(super) fn is_settled(&self) -> bool {
        self.is_proven() && self.is_known()
    }

    pub(crate) fn is_known(&self) -> bool {
        !self.quantity.value.is_nan()
    }

    /// How likely numbers as good as these are if the wish did not hold after all, and how likely numbers
    /// as bad as these are if it held: the one-sided tests of the normal distribution against the end of
    /// the region that is nearest, so at 95 % those of the interval (for both ends: Schuirmann, Journal of
    /// Pharmacokinetics and Biopharmaceutics 15, 1987).
    pub fn doubts(&self, wish: &Wish) -> (f64, f64) {
        if !self.is_known() {
            return (1.0, 1.0);
        }
        if self.is_proven() {
            let inside = |end: f64| holds(&wish.region, &end, about);
            // Bounds that are this near say the same as the value, which may be exact.
            let both = (inside(self.quantity.low) && inside(self.quantity.high))
                || (self.holds && self.is_point());
            let none = self.is_beyond(&wish.region) || (!self.holds && self.is_point());
            return (f64::from(u8::from(!both)), f64::from(u8::from(!none)));
        }
        let (value, high, reach) = (self.quantity.value, self.quantity.high, self.below);
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
        self.quantity.high - self.quantity.low <= 1e-10 * self.quantity.value.abs().max(1.0)
    }

    fn is_beyond(&self, region: &Region) -> bool {
        let over = |bound: &Bound| self.quantity.low > about(&bound.at);
        let under = |bound: &Bound| self.quantity.high < about(&bound.at);
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

/// In how many playouts a measure was the same, if it was in all.
fn unvaried(measure: &Measure, portrait: &Portrait) -> Option<u64> {
    let n = if measure.quantity.n() > 0 { measure.quantity.n() } else { portrait.n };
    (measure.quantity.is_unvaried() && n > 0).then_some(n)
}

/// The ends of a measure. What was the same in all playouts may differ in others, in no more of them than
/// the interval of a share has for none, and there by no more than the bounds of such numbers.
fn ends(measure: &Measure, portrait: &Portrait) -> (f64, f64) {
    let differing = unvaried(measure, portrait).and_then(|n| Quantity::share(0, n));
    let Some(differing) = differing else { return measure.reach() };
    let ((least, most), value) = (bounds(measure, portrait), measure.quantity.value);
    (value - differing.high * (value - least), value + differing.high * (most - value))
}

/// What numbers of a measure are never below and never above. What a seat has is taken to be no less and no
/// more than what any seat had in the playouts, which the result says.
fn bounds(measure: &Measure, portrait: &Portrait) -> (f64, f64) {
    let domain = Subject::Measure(measure.name.clone()).domain();
    let least = domain.low.map_or(f64::NEG_INFINITY, |bound| about(&bound.at));
    let most = domain.high.map_or(f64::INFINITY, |bound| about(&bound.at));
    if !measure.name.starts_with(UTILITY) {
        return (least, most);
    }
    let seats = portrait.measures.iter().filter(|one| one.name.starts_with(UTILITY));
    let spreads = seats.filter_map(|one| one.spread.as_ref());
    let met: Vec<f64> = spreads.flat_map(|one| &one.shares).map(|(value, _)| *value).collect();
    let low = met.iter().copied().fold(f64::INFINITY, f64::min);
    let high = met.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if low < high { (low, high) } else { (least, most) }
}

const UTILITY: &str = "fairness.utility.";

/// What was computed beside playouts is not called proven.
fn basis(basis: Basis, portrait: &Portrait) -> Basis {
    if portrait.n == 0 { basis } else { Basis::Sampled { n: portrait.n } }
}

fn measure(found: &Measure, portrait: &Portrait) -> WishedNumber {
    let (low, high) = ends(found, portrait);
    let quantity = found.quantity.clone();
    WishedNumber {
        least: if low < quantity.low { quantity.low } else { f64::NEG_INFINITY },
        quantity: Quantity { low, high, basis: basis(quantity.basis, portrait), ..quantity },
        unvaried: unvaried(found, portrait),
    }
}

/// The share of a result, or the part of a utility, that no end has.
fn absent(name: &str, portrait: &Portrait) -> Option<WishedNumber> {
    if !portrait.is_without(name) {
        return None;
    }
    let never = match portrait.n {
        0 => Quantity::zero(),
        n if name.starts_with("result.") => Quantity::share(0, n)?,
        n => Quantity::unbounded(n.min(REPLAYED), 0.0),
    };
    Some(measure(&Measure::new(name, &never), portrait))
}

/// How far the greatest measure of a stem is above the least. Its interval contains all that may be within
/// those of the measures: where two seats share what there is, that is the interval of their difference.
fn spread(stem: &str, portrait: &Portrait, measures: &[Measure]) -> Option<WishedNumber> {
    let of_seat = |name: &str| name.strip_prefix(stem).is_some_and(|rest| rest.starts_with('.'));
    let all: Vec<_> = measures.iter().filter(|one| of_seat(&one.name)).collect();
    if all.len() < 2 {
        return None;
    }
    let fractions: Option<Vec<&Fraction>> =
        all.iter().map(|one| one.quantity.fraction.as_deref()).collect();
    if let Some(all) = fractions {
        let quantity = Quantity::exact(*all.iter().max()? - *all.iter().min()?);
        return Some(WishedNumber { quantity, least: 0.0, unvaried: None });
    }
    let values = || all.iter().map(|one| one.quantity.value);
    let value = values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min);
    let unvaried = all.iter().find_map(|one| unvaried(one, portrait));
    let (mut low, mut high) = (f64::NEG_INFINITY, 0.0f64);
    let all: Vec<(f64, f64)> = all.iter().map(|one| ends(one, portrait)).collect();
    for (at, one) in all.iter().enumerate() {
        for other in all.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, one)| one) {
            low = low.max(one.0 - other.1);
            high = high.max(one.1 - other.0);
        }
    }
    let basis = basis(Basis::Proven, portrait);
    let quantity = Quantity { value, fraction: None, low, high, basis };
    Some(WishedNumber { quantity, least: 0.0, unvaried })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::analysis::portrait::Spread;
    use crate::analysis::tune::wish::written;

    pub(crate) fn wish(text: &str) -> Wish {
        Wish {
            text: text.to_owned(),
            subject: Subject::Measure("length.decisions".to_owned()),
            region: written(text).unwrap().1,
            near: None,
            scale: 1.0,
            of_ends: Default::default(),
        }
    }

    fn doubts(text: &str, value: f64, half: f64) -> [f64; 2] {
        let wish = wish(text);
        let quantity = Quantity::give_or_take(1, value, half);
        let reading = WishValue { quantity, below: half, ..WishValue::unknown() };
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

    /// The name, the value, its ends, and the numbers that were met.
    type Sampled<'a> = (&'a str, f64, Option<[f64; 2]>, &'a [f64]);

    fn sampled(measures: &[Sampled<'_>]) -> Portrait {
        let measure = |&(name, value, ends, met): &Sampled<'_>| {
            let quantity = match ends {
                Some([low, high]) => Quantity::sampled(0, value, (low, high)),
                None => Quantity::unbounded(0, value),
            };
            let spread = Spread::of(met.iter().map(|one| (*one, 1.0)));
            Measure::new(name, &quantity).spreading(spread)
        };
        Portrait::of_playouts(100, measures.iter().map(measure).collect())
    }

    /// Wilson's upper end of 0 of 100: z² / (100 + z²).
    const DIFFERING: f64 = 3.841_458_820_694_124 / 103.841_458_820_694_12;

    #[test]
    fn what_never_varied_is_no_point_but_may_differ_in_a_share_of_other_playouts() {
        // Four decisions in each of 100 playouts. More than these may have any number, but none less than 0:
        // the mean may be far above 4, and is at least 4 less a share of it.
        let portrait = sampled(&[("length.decisions", 4.0, None, &[4.0][..])]);
        let read = |text: &str| {
            let wish = wish(text);
            let reading = WishValue::of(&wish, &portrait);
            (reading.doubts(&wish), reading)
        };
        let ((within, beyond), reading) = read("a = 4 within 0.5");
        assert!(reading.holds && reading.unvaried == Some(100));
        near([reading.quantity.low, reading.below], [4.0 - 4.0 * DIFFERING, 4.0 * DIFFERING]);
        assert_eq!(reading.quantity.high, f64::INFINITY);
        assert!(within == 0.5 && beyond == 0.5, "neither met nor missed: {within} {beyond}");
        let ((within, _), _) = read("a >= 3");
        assert!(within < 1e-6, "met: {within}");
        // A share is no more than 1.
        let portrait = sampled(&[("ties", 0.25, None, &[0.25][..])]);
        let subject = Subject::Measure("ties".to_owned());
        let reading = WishValue::of(&Wish { subject, ..wish("a = 0 within 0.5") }, &portrait);
        near(
            [reading.quantity.low, reading.quantity.high],
            [0.25 - 0.25 * DIFFERING, 0.25 + 0.75 * DIFFERING],
        );
    }

    #[test]
    fn a_seat_that_always_has_the_same_leaves_no_wish_open_where_others_do_not() {
        let subject = Subject::Spread("fairness.utility".to_owned());
        let wish = Wish { subject, near: Some(0.0), ..wish("a = 0 within 0.5") };
        let seat = |name, met| (name, 0.0, Some([-0.1, 0.1]), met);
        let both: [&[f64]; 2] = [&[-3.0, 3.0], &[-1.0, 1.0]];
        let bank = |met| ("fairness.utility.bank", 0.0, None, met);
        let red = seat("fairness.utility.red", both[0]);
        let blue = seat("fairness.utility.blue", both[1]);
        // The bank always has 0, and others at most 3: it is off by no more than 3 times the share that may differ.
        let reading = WishValue::of(&wish, &sampled(&[red, blue, bank(&[0.0][..])]));
        near([reading.quantity.high, 0.0], [(3.0 * DIFFERING + 0.1).max(0.2), 0.0]);
        assert!(reading.unvaried == Some(100) && reading.doubts(&wish).0 < 0.025);
        // Where nobody ever had anything else, nothing bounds it.
        let all = ["fairness.utility.red", "fairness.utility.blue"];
        let none = all.map(|name| (name, 0.0, None, &[0.0][..]));
        let reading = WishValue::of(&wish, &sampled(&none));
        assert_eq!((reading.quantity.high, reading.doubts(&wish).0), (f64::INFINITY, 0.5));
        assert!(reading.holds && reading.doubts(&wish).1 >= 0.5);
    }

    #[test]
    fn an_interval_that_is_cut_at_0_reaches_below_it_all_the_same() {
        let portrait = sampled(&[
            ("fairness.utility.red", 0.05, Some([-0.1, 0.2]), &[0.05]),
            ("fairness.utility.blue", -0.05, Some([-0.2, 0.1]), &[-0.05]),
        ]);
        let subject = Subject::Spread("fairness.utility".to_owned());
        let wish = Wish { subject, near: Some(0.0), ..wish("a = 0 within 0") };
        let reading = WishValue::of(&wish, &portrait);
        // The spread is 0.1, from -0.1 - 0.1 to 0.2 + 0.2; none is below 0.
        near([reading.quantity.value, reading.quantity.low], [0.1, 0.0]);
        near([reading.quantity.high, reading.below], [0.4, 0.3]);
        // So 0 is a third of the interval's half away: 0.6533 deviations, beyond which are 25.68 %.
        let (within, beyond) = reading.doubts(&wish);
        assert_eq!([within, beyond].map(|p| (p * 1e4).round()), [7432.0, 2568.0]);
    }
}
