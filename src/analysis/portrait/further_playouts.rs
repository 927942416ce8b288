//! Estimates utilities and winners at a question by further playouts from there, and drama from that.

use std::rc::Rc;

use indexmap::IndexMap;

use super::ended::{Verdict, worths};
use super::portrait_measure::{Measure, WeightedValues};
use super::valued_graph::{ValuedGraph, won_by};
use crate::conflict::Seat;
use crate::error::Error;
use crate::graph::{Ending, StoredQuestion};
use crate::number::{Amount, Quantity, about};

/// How further playouts from a question ended, each with the same random numbers as the one with its number from
/// every other question of the conflict: what the answers in between do not change has no noise.
pub(super) type FurtherPlayouts = Vec<Rc<EndWorth>>;

/// By how much what the seats can expect changes from one question to another: the squares of that, summed. The noise of
/// the playouts is subtracted, so that it is right on average.
pub(super) fn squares(from: &[Rc<EndWorth>], to: &[Rc<EndWorth>]) -> f64 {
    let n = from.len() as f64;
    let seats = from.first().map_or(0, |end| end.worths.len());
    let square = |seat: usize| {
        let pairs = from.iter().zip(to);
        let moves = pairs.map(|(before, after)| after.worths[seat] - before.worths[seat]);
        let (sum, squares) =
            moves.fold((0.0, 0.0), |(sum, squares), one| (sum + one, squares + one * one));
        let mean = sum / n;
        let noise = ((squares - n * mean * mean) / (n - 1.0)).max(0.0) / n;
        mean * mean - noise
    };
    (0..seats).map(square).sum()
}

/// What an end is worth to each seat, and which of them win: worked out in fractions, once for each end of a
/// conflict that is followed.
pub(super) struct EndWorth {
    pub worths: Vec<f64>,
    pub winners: Vec<usize>,
}

impl EndWorth {
    pub(super) fn of(ending: &Ending, seats: &[Seat]) -> EndWorth {
        let worths = worths(ending, seats);
        let winners = Verdict::of(&worths).winners;
        EndWorth { worths: worths.iter().map(about).collect(), winners }
    }
}

/// Something that further playouts estimate with an error to one side, and with one to the other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Either {
    /// By all of them at once.
    pub at_once: f64,
    /// What is picked by all but one, and measured by that one: the mean over all.
    pub crossed: f64,
    /// What is between both: in the middle where the noise is small beside what is measured, or what is
    /// measured is spread evenly beside the noise, since both errors are alike then but for their sign.
    pub likely: f64,
}

/// The drama of a conflict, by further playouts from each of its questions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PlayDrama {
    /// The lowest chance of the winner, where somebody wins: at once it is too low, since noise is picked
    /// as well; crossed it is too high, since another question may be picked.
    pub comeback: Option<Either>,
    /// By how much the chances moved: at once it is too much, since noise moves as well; crossed, along the
    /// direction in which the others moved, too little.
    pub surprise: Either,
}

impl PlayDrama {
    /// Goes along one conflict, from its beginning to its end, which these seats win; there are as many further
    /// playouts from each question, of the same numbers.
    pub(super) fn of(outlooks: &[FurtherPlayouts], seats: usize, winners: &[usize]) -> PlayDrama {
        let states = seats + 1;
        let further = outlooks.first().map_or(0, Vec::len);
        let n = further as f64;
        let one = |end: &Rc<EndWorth>| won_by(&end.winners, states);
        let each: Vec<Vec<Vec<f64>>> =
            outlooks.iter().map(|ends| ends.iter().map(one).collect()).collect();
        let lowest = |seat: usize| -> Either {
            let sums = each.iter().map(|all| all.iter().map(|one| one[seat]).sum::<f64>());
            let sums: Vec<f64> = sums.collect();
            let least = sums.iter().copied().fold(f64::INFINITY, f64::min);
            let crossed = |number: usize| {
                let others = |time: &usize| sums[*time] - each[*time][number][seat];
                let times = (0..sums.len()).min_by(|a, b| others(a).total_cmp(&others(b)));
                times.map_or(0.0, |time| each[time][number][seat])
            };
            let at_once = least / n;
            let crossed = (0..further).map(crossed).sum::<f64>() / n;
            Either { at_once, crossed, likely: f64::midpoint(at_once, crossed) }
        };
        let comeback =
            (!winners.is_empty()).then(|| mean(winners.iter().map(|&seat| lowest(seat))));
        let mut surprise = Either::default();
        for pair in each.windows(2) {
            let moves: Vec<Vec<f64>> = pair[0]
                .iter()
                .zip(&pair[1])
                .map(|(before, after)| after.iter().zip(before).map(|(a, b)| a - b).collect())
                .collect();
            let whole: Vec<f64> =
                (0..states).map(|state| moves.iter().map(|one| one[state]).sum()).collect();
            let length = |of: &dyn Fn(usize) -> f64| {
                (0..states).map(|state| of(state) * of(state)).sum::<f64>().sqrt()
            };
            let at_once = length(&|state| whole[state]) / n;
            let mut crossed = 0.0;
            for one in &moves {
                let others = |state: usize| whole[state] - one[state];
                let along: f64 = (0..states).map(|state| one[state] * others(state)).sum();
                // Where the others moved nowhere there is no direction.
                crossed += along / length(&others).max(1.0) / n;
            }
            // Where nothing moves, crossing is right on average; where the move is far beyond its noise,
            // both errors are alike but for their sign.
            let squares: f64 = moves.iter().flatten().map(|one| one * one).sum();
            let (square, noise) =
                (at_once * at_once, (squares / n - at_once * at_once) / (n - 1.0));
            let clear = if square > 0.0 { square / (square + noise / 2.0) } else { 0.0 };
            surprise.at_once += at_once;
            surprise.crossed += crossed;
            surprise.likely += crossed + (at_once - crossed) * clear / 2.0;
        }
        PlayDrama { comeback, surprise }
    }
}

/// The means of both.
fn mean(all: impl ExactSizeIterator<Item = Either>) -> Either {
    let n = all.len().max(1) as f64;
    all.fold(Either::default(), |sum, one| Either {
        at_once: sum.at_once + one.at_once / n,
        crossed: sum.crossed + one.crossed / n,
        likely: sum.likely + one.likely / n,
    })
}

/// What the drama of all conflicts is: where it is likeliest between what is too high and what is too low.
/// Either error may be the whole of what both differ by: the interval reaches from the lower end of the one to
/// the upper end of the other. Of what may be anything the name, with its interval.
pub(super) fn drama(all: &[PlayDrama]) -> Vec<Result<Measure, (&'static str, [f64; 2])>> {
    let comeback: Vec<Either> = all.iter().filter_map(|one| one.comeback).collect();
    let surprise: Vec<Either> = all.iter().map(|one| one.surprise).collect();
    let measure = |(name, unit, all): (&'static str, &str, Vec<Either>)| {
        let of =
            |part: fn(&Either) -> f64| Quantity::mean_of(&all.iter().map(part).collect::<Vec<_>>());
        let (one, other) = (of(|either| either.at_once)?, of(|either| either.crossed)?);
        let middle = of(|either| either.likely)?;
        let ends = [one.range(), other.range()];
        let low = ends.iter().map(|(low, _)| *low).fold(f64::INFINITY, f64::min);
        let high = ends.iter().map(|(_, high)| *high).fold(f64::NEG_INFINITY, f64::max);
        let most = if unit == "share" { 1.0 } else { f64::INFINITY };
        let (low, high) = (low.max(0.0), high.min(most));
        let value = middle.value.clamp(low, high);
        Some(match high - low < 2.0 * value {
            true => Ok(Measure::new(name, &Quantity { value, low, high, ..middle })),
            false => Err((name, [low, high])),
        })
    };
    let both = [("drama.comeback", "share", comeback), ("drama.surprise", "chance", surprise)];
    both.into_iter().filter_map(measure).collect()
}

// Luck and choice: how much of all that varies in the utilities comes from chance, and how much from
// the choices of each seat.
//
// By the law of total variance along the conflict: what a seat can expect is a martingale, its changes
// at different questions are uncorrelated, so their variances sum up to the variance of its utility
// (Weiss, A Course in Probability, 2005, section 10.3). The utilities of all seats are summed.

pub(super) const CHANCE: &str = "luck.chance";

/// The measure to which what an answer moves counts.
pub(super) fn decided_by(asked: &StoredQuestion, seats: &[Seat]) -> String {
    let own = seats.iter().find(|seat| seat.players.contains(&asked.who));
    match asked.is_chance() {
        true => CHANCE.to_owned(),
        false => format!("luck.{}", own.map_or(&asked.who, |seat| &seat.name)),
    }
}

/// The bounds are checked once in this many nodes.
const OFTEN: usize = 256;

/// The shares of chance and of each seat; all 0 where nothing varies.
pub(super) fn measures<A: Amount>(valued: &ValuedGraph<'_, A>) -> Result<Vec<Measure>, Error> {
    let (visited, graph) = (&valued.visited, &*valued.seating.graph);
    // For chance and each seat what the squares of the expectations are after its answers, and before.
    let mut parts: IndexMap<String, [A; 2]> = IndexMap::new();
    parts.insert(CHANCE.to_owned(), [A::zero(), A::zero()]);
    for seat in &valued.seats {
        parts.insert(format!("luck.{}", seat.name), [A::zero(), A::zero()]);
    }
    for place in 0..visited.game.len() {
        if place % OFTEN == 0 {
            valued.seating.may_continue()?;
        }
        let possible = || visited.edges(place).filter(|edge| !edge.chance.is_zero());
        // What is certain moves nothing.
        if !visited.is_visited(place) || possible().nth(1).is_none() {
            continue;
        }
        let Some(asked) = visited.game.question(graph, place) else { continue };
        let [after, before] =
            parts.entry(decided_by(asked, &valued.seats)).or_insert_with(|| [A::zero(), A::zero()]);
        let visits = &visited.visits[place];
        for seat in 0..valued.seats.len() {
            let here = valued.expected(place, seat);
            before.add_assign(&visits.mul(&here.mul(here)));
            for edge in possible() {
                let there = valued.expected(edge.to, seat);
                after.add_assign(&visits.mul(edge.chance).mul(&there.mul(there)));
            }
        }
    }
    let whole = variance(valued);
    let share = |(name, [after, before]): (String, [A; 2])| {
        let part = after.quantity().minus(&before.quantity());
        let none = Quantity::zero();
        Measure::new(name, &part.over(&whole).unwrap_or(none))
    };
    Ok(parts.into_iter().map(share).collect())
}

/// The sum of the variances of the utilities of all seats, by the ends alone.
fn variance<A: Amount>(valued: &ValuedGraph<'_, A>) -> Quantity {
    let mut all: Vec<WeightedValues<A>> = vec![WeightedValues::default(); valued.seats.len()];
    for (_, ending, chance) in valued.ended() {
        let worths = worths(ending, &valued.seats);
        all.iter_mut().zip(worths).for_each(|(all, worth)| all.add(worth, chance));
    }
    let none = Quantity::zero();
    all.iter().fold(none, |whole, one| whole.plus(&one.variance()))
}
