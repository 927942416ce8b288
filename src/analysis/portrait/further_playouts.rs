//! Estimates utilities and winners at a question by further playouts from there, and drama from that.

use indexmap::IndexMap;

use super::drama::PlayDrama;
use super::paths::ValuedGraph;
use super::portrait_measure::{Measure, seen};
use super::strategy::{Verdict, Verdicts, worths};
use super::weighted_sums::{Weight, WeightedValues, over, sum};
use crate::analysis::{Estimate, Fraction, Interval, Number};
use crate::conflict::Seat;
use crate::error::Error;
use crate::graph::Ending;

/// Further playouts from each question.
pub(super) const FURTHER: u64 = 32;

/// The drama of a conflict: by all further playouts, then by their halves; and whether somebody won.
pub(super) type Drama = ([PlayDrama; 3], bool);

/// What further playouts from a question say.
pub(super) struct FurtherPlayouts {
    /// For each seat the mean of its utility, and the variance of that mean.
    pub means: Vec<(f64, f64)>,
    /// The winners of each playout.
    pub won: Vec<Vec<usize>>,
}

impl FurtherPlayouts {
    /// None yet, of this many seats.
    pub(super) fn new(seats: usize) -> FurtherPlayouts {
        FurtherPlayouts { means: vec![(0.0, 0.0); seats], won: Vec::new() }
    }

    /// One more playout that ended so: sums and sums of squares, until it is finished.
    pub(super) fn add(&mut self, ending: &Ending, seats: &[Seat]) {
        let worths = worths(ending, seats);
        for ((sum, squares), worth) in self.means.iter_mut().zip(&worths) {
            let worth = Interval::of_fraction(worth).middle();
            *sum += worth;
            *squares += worth * worth;
        }
        self.won.push(Verdict::of(&worths).winners);
    }

    /// Sums as means.
    pub(super) fn finished(mut self) -> FurtherPlayouts {
        let n = self.won.len().max(2) as f64;
        for (sum, squares) in &mut self.means {
            let mean = *sum / n;
            *squares = ((*squares - n * mean * mean) / (n - 1.0)).max(0.0) / n;
            *sum = mean;
        }
        self
    }

    /// What an end says, as surely as all playouts from there.
    pub(super) fn end(ending: &Ending, seats: &[Seat]) -> FurtherPlayouts {
        let worths = worths(ending, seats);
        let won = vec![Verdict::of(&worths).winners; FURTHER as usize];
        let about = |worth: &Fraction| (Interval::of_fraction(worth).middle(), 0.0);
        FurtherPlayouts { means: worths.iter().map(about).collect(), won }
    }
}

/// The drama of a conflict, by all further playouts and by each half of them.
pub(super) fn by(outlooks: &[FurtherPlayouts], verdict: &[usize]) -> [PlayDrama; 3] {
    let mut verdicts = Verdicts::default();
    outlooks.iter().flat_map(|one| &one.won).for_each(|won| _ = verdicts.number(won));
    let winner = verdicts.number(verdict);
    let count = verdicts.len();
    let half = FURTHER as usize / 2;
    [0..FURTHER as usize, 0..half, half..FURTHER as usize].map(|part| {
        let beliefs = outlooks.iter().map(|one| {
            let mut beliefs = vec![0.0; count];
            let won = one.won.get(part.clone()).unwrap_or_default();
            for one in won {
                beliefs[verdicts.clone().number(one)] += 1.0 / won.len() as f64;
            }
            beliefs
        });
        PlayDrama::of(&verdicts, &beliefs.collect::<Vec<_>>(), winner)
    })
}

/// What the drama of all conflicts is, taken on to infinitely many further playouts.
pub(super) fn drama(all: &[Drama]) -> Vec<Measure> {
    type Part = fn(&PlayDrama) -> f64;
    let parts: [(&str, &str, Part, bool); 2] = [
        ("drama.comeback", "share", |course| course.comeback, true),
        ("drama.surprise", "chance", |course| course.surprise, false),
    ];
    let measure = |(name, unit, part, won): (&str, &str, Part, bool)| {
        let matching = || all.iter().filter(|(_, won_by)| *won_by || !won).map(|(by, _)| by);
        let halves = |by: &[PlayDrama; 3]| (part(&by[1]) + part(&by[2])) / 2.0 - part(&by[0]);
        // The error falls with the number of playouts, or with its root: by 1 or 2.4 times this.
        let on = |by: &[PlayDrama; 3]| part(&by[0]) - 1.7 * halves(by);
        let off = matching().map(halves).sum::<f64>() / matching().count().max(1) as f64;
        match seen(&matching().map(on).collect::<Vec<_>>())? {
            Number::Sampled(Estimate { n, mean, low, high }) => {
                let wider = 0.75 * off.abs();
                let most = if unit == "share" { 1.0 } else { f64::INFINITY };
                let (low, high) = ((low - wider).max(0.0), (high + wider).min(most));
                let estimate = Estimate { n, mean: mean.clamp(low, high), low, high };
                // What may be anything is not worth telling.
                let is_known = high - low < 2.0 * mean;
                is_known.then(|| Measure::new(name, unit, &Number::Sampled(estimate)))
            }
            _ => None,
        }
    };
    parts.into_iter().filter_map(measure).collect()
}

// Luck and choice: how much of all that varies in the utilities comes from chance, and how much from
// the choices of each seat.
//
// By the law of total variance along the conflict: what a seat can expect is a martingale, its changes
// at different questions are uncorrelated, so their variances sum up to the variance of its utility
// (Weiss, A Course in Probability, 2005, section 10.3). The utilities of all seats are summed.

/// The name of the share of chance.
pub(super) const CHANCE: &str = "luck.chance";

/// The bounds are checked once in this many nodes.
const OFTEN: usize = 256;

/// The shares of chance and of each seat; all 0 where nothing varies.
pub(super) fn measures<A: Weight>(valued: &ValuedGraph<'_, A>) -> Result<Vec<Measure>, Error> {
    let (ordered, graph) = (&valued.ordered, &*valued.seating.graph);
    // For chance and each seat what the squares of the expectations are after its answers, and before.
    let mut parts: IndexMap<String, [A; 2]> = IndexMap::new();
    parts.insert(CHANCE.to_owned(), [A::zero(), A::zero()]);
    for seat in &valued.seats {
        parts.insert(format!("luck.{}", seat.name), [A::zero(), A::zero()]);
    }
    for place in 0..ordered.len() {
        if place % OFTEN == 0 {
            valued.seating.may_continue()?;
        }
        let possible = || ordered.edges(place).iter().filter(|edge| !edge.chance.is_zero());
        // What is certain moves nothing.
        if !ordered.is_visited(place) || possible().nth(1).is_none() {
            continue;
        }
        let Some(asked) = ordered.question(graph, place) else { continue };
        let name = match asked.is_chance() {
            true => CHANCE.to_owned(),
            false => {
                let seat = valued.seat_of(&asked.who).map(|seat| &valued.seats[seat].name);
                format!("luck.{}", seat.unwrap_or(&asked.who))
            }
        };
        let [after, before] = parts.entry(name).or_insert_with(|| [A::zero(), A::zero()]);
        let visits = &ordered.visits[place];
        for seat in 0..valued.seats.len() {
            let here = valued.expected(place, seat);
            before.add_assign(&visits.mul(&here.mul(here)));
            for edge in possible() {
                let there = valued.expected(edge.to, seat);
                after.add_assign(&visits.mul(&edge.chance).mul(&there.mul(there)));
            }
        }
    }
    let whole = variance(valued);
    let share = |(name, [after, before]): (String, [A; 2])| {
        let part = after.number().less(&before.number());
        let none = Number::Exact(Fraction::default());
        Measure::new(name, "share", &over(&part, &whole).unwrap_or(none))
    };
    Ok(parts.into_iter().map(share).collect())
}

/// The sum of the variances of the utilities of all seats, by the ends alone.
fn variance<A: Weight>(valued: &ValuedGraph<'_, A>) -> Number {
    let mut all: Vec<WeightedValues<A>> = vec![WeightedValues::default(); valued.seats.len()];
    for (_, ending, chance) in valued.ended() {
        let worths = worths(ending, &valued.seats);
        all.iter_mut().zip(worths).for_each(|(all, worth)| all.add(worth, chance));
    }
    let none = Number::Exact(Fraction::default());
    all.iter().fold(none, |whole, one| sum(&whole, &one.variance()))
}
