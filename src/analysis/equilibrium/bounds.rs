//! Proven bounds of what places are worth that may lead back to each other: interval iteration.
//!
//! Bounds from below and from above are moved towards each other, rounded outwards, one strongly
//! connected component after the other (Haddad and Monmege, Theoretical Computer Science 735, 2018;
//! Baier and others, "Ensuring the Reliability of Your Model Checker", 2017). Where one side could stay
//! for ever, only ways of playing that leave in the end count, and the bounds of such places are
//! brought to those of the best way out, without which the upper ones need not fall (Kelmendi and
//! others, "Value Iteration for Simple Stochastic Games", 2018). Where both could stay together, or
//! nobody can leave, no rule says what that is worth: the bounds begin with the least and the greatest
//! utility, and hold whatever it is between them. What a side did last when its bound got better gets
//! it that bound, since each such step leads to a place whose bound was there before.

use super::Why;
use super::arena::{Arena, Mover, Plays, normal};
use super::lasting::{Exit, Lasting, Stays, lasting};
use super::matrix::{Table, nearly};
use crate::analysis::Interval;

/// What each place is worth at least and at most.
pub struct Bounds {
    /// The bounds, place by place.
    pub worth: Vec<Interval>,
    /// What the sides do.
    pub plays: Plays,
    /// Whether somebody wanted it to stop: the bounds hold, but may be wide.
    pub interrupted: bool,
    /// Whether one side could stay somewhere for ever.
    pub could_stay: bool,
    /// Where it may go on for ever and no side alone can end it.
    pub endless: Endless,
    /// The least and the greatest number of the endings.
    range: Interval,
}

/// Places among which both sides could stay together for ever, or which nobody can leave.
#[derive(Clone, Copy, Debug, Default)]
pub struct Endless {
    /// How many they are.
    pub size: usize,
    /// One of them.
    pub place: usize,
}

/// Bounds that are nearer than this part of the range are near enough.
const NEAR: f64 = 1e-12;
/// Sweeps that move no bound by more than this part of the range move none.
const STILL: f64 = 1e-16;
/// At most so many sweeps where bounds need not meet.
const SWEEPS: u64 = 100_000;
/// Bounds wider than this part of the range leave a place without a value.
const OPEN: f64 = 1e-6;

impl Bounds {
    /// How many places have no value, whatever is played: their bounds stay apart, since it may go on
    /// for ever.
    pub fn without_value(&self) -> usize {
        let most = OPEN * self.range.width();
        match self.endless.size {
            0 => 0,
            _ => self.worth.iter().filter(|worth| worth.width() > most).count(),
        }
    }

    /// Refuses bounds of the beginning that say nothing, since it may go on for ever.
    ///
    /// # Errors
    /// [`Why::Endless`].
    pub fn say_something(self) -> Result<Bounds, Why> {
        let Endless { size, place } = self.endless;
        let nothing = self.worth[0].width() >= (1.0 - OPEN) * self.range.width();
        match size > 0 && nothing && self.range.width() > 0.0 && !self.interrupted {
            true => Err(Why::Endless { size, place }),
            false => Ok(self),
        }
    }
}

impl Arena {
    /// Works the bounds out; `ends` are what the endings are worth.
    pub fn bounds(&self, ends: &[Interval], go_on: &dyn Fn() -> bool) -> Bounds {
        let range = ends.iter().fold(None, |range: Option<Interval>, end| {
            let range = range.unwrap_or(*end);
            Some(Interval { low: range.low.min(end.low), high: range.high.max(end.high) })
        });
        let range = range.unwrap_or(Interval::exact(0.0));
        let mut found = Bounds {
            worth: vec![range; self.len()],
            plays: Plays { picks: vec![0; self.len()], ..Plays::default() },
            interrupted: false,
            could_stay: false,
            endless: Endless::default(),
            range,
        };
        for (number, places) in self.components().rev().enumerate() {
            found.interrupted |= number % 256 == 0 && !go_on();
            if self.is_passed(&places) {
                let look = self.look(places[0], ends, &found.worth, go_on);
                found.worth[places[0] as usize] = look.worth;
                found.plays.take(places[0], look, [true; 2]);
                continue;
            }
            let Stays { sides, endless } = lasting(self, &places);
            found.could_stay |= !sides.is_empty();
            if found.endless.size == 0 {
                found.endless.place = endless.first().map_or(0, |&place| place as usize);
            }
            found.endless.size += endless.len();
            self.cycle(&places, &sides, !endless.is_empty(), go_on, &mut found);
        }
        found
    }

    /// What a place is worth by what is known of the others, and what is best there: for the first of
    /// several that promise the same.
    fn look(
        &self,
        place: u32,
        ends: &[Interval],
        worth: &[Interval],
        go_on: &dyn Fn() -> bool,
    ) -> Look {
        let steps = self.steps(place);
        let sure = |worth| Look { worth, pick: 0, mixed: None };
        match self.mover(place) {
            Mover::End(number) => sure(ends[number as usize]),
            Mover::Chance => sure(mean(steps, worth)),
            Mover::Both(columns) => at_once(steps, columns as usize, worth, go_on),
            mover => {
                let sign = |worth: Interval| match mover {
                    Mover::Least => worth.negative(),
                    _ => worth,
                };
                let mut best: Option<(Interval, Interval, u32)> = None;
                for (at, (to, _)) in steps.iter().enumerate() {
                    let own = sign(worth[*to as usize]);
                    let Some((all, first, pick)) = &mut best else {
                        best = Some((own, own, at as u32));
                        continue;
                    };
                    if (own.low, own.high) > (first.low, first.high) {
                        (*first, *pick) = (own, at as u32);
                    }
                    all.low = all.low.max(own.low);
                    all.high = all.high.max(own.high);
                }
                let (worth, pick) =
                    best.map_or((Interval::exact(0.0), 0), |(all, _, pick)| (sign(all), pick));
                Look { worth, pick, mixed: None }
            }
        }
    }

    /// Moves the bounds of places that lead back to each other; `endless` says whether it may go on for
    /// ever among them and no side alone can end it.
    fn cycle(
        &self,
        places: &[u32],
        lasting: &[Lasting],
        endless: bool,
        go_on: &dyn Fn() -> bool,
        found: &mut Bounds,
    ) {
        let range = found.range.width();
        let outside = |to: &u32| places.binary_search(to).is_err();
        let steps = places.iter().flat_map(|&place| self.steps(place));
        let ways: Vec<Interval> =
            steps.filter(|(to, _)| outside(to)).map(|(to, _)| found.worth[*to as usize]).collect();
        let widest = ways.iter().fold(0.0, |widest: f64, way| widest.max(way.width()));
        let first = match endless {
            true => found.range,
            // All leave in the end: no place is worth more than the best way out, nor less than the
            // worst.
            false => Interval {
                low: ways.iter().fold(f64::INFINITY, |low, way| low.min(way.low)),
                high: ways.iter().fold(f64::NEG_INFINITY, |high, way| high.max(way.high)),
            },
        };
        places.iter().for_each(|&place| found.worth[place as usize] = first);
        let at_once = places.iter().any(|&place| matches!(self.mover(place), Mover::Both(_)));
        let (still, most) = match endless || at_once {
            true => (STILL * range, SWEEPS),
            false => (0.0, u64::MAX),
        };
        let mut exits: Vec<Option<Exit>> = vec![None; lasting.len()];
        for sweep in 0..most {
            if found.interrupted || !go_on() {
                found.interrupted = true;
                break;
            }
            let (mut moved, mut width) = (0.0_f64, 0.0_f64);
            // There and back, so that what is known travels both ways.
            for at in 0..places.len() {
                let place = if sweep % 2 == 0 { places[places.len() - 1 - at] } else { places[at] };
                let look = self.look(place, &[], &found.worth, go_on);
                let by = narrow(&mut found.worth[place as usize], look.worth);
                let better = by.map(|by| by > 0.0);
                found.plays.take(
                    place,
                    look,
                    match self.mover(place) {
                        Mover::Most => [better[0]; 2],
                        Mover::Least => [better[1]; 2],
                        _ => better,
                    },
                );
                moved = moved.max(by[0]).max(by[1]);
                width = width.max(found.worth[place as usize].width());
            }
            for (one, exit) in lasting.iter().zip(&mut exits) {
                let way_out = one.way_out(self, &found.worth);
                one.keep_better(self, &found.worth, exit);
                for &place in &one.places {
                    let by = narrow(&mut found.worth[place as usize], way_out);
                    moved = moved.max(by[0]).max(by[1]);
                }
            }
            if moved <= still || width <= (NEAR * range).max(widest) {
                break;
            }
        }
        if !endless {
            for &place in places {
                let look = self.look(place, &[], &found.worth, go_on);
                found.plays.take(place, look, [true; 2]);
            }
        }
        for (one, exit) in lasting.iter().zip(exits) {
            let best = if endless { exit } else { one.best_exit(self, &found.worth) };
            best.iter().for_each(|exit| one.leave(self, exit, &mut found.plays.picks));
        }
    }
}

/// What is seen at a place.
struct Look {
    worth: Interval,
    pick: u32,
    mixed: Option<[Vec<f64>; 2]>,
}

impl Plays {
    /// Keeps what is best at a place for the sides whose bound got better.
    fn take(&mut self, place: u32, look: Look, better: [bool; 2]) {
        match look.mixed {
            Some(mixed) => {
                let known = self.mixed.entry(place).or_insert_with(|| mixed.clone());
                for ((known, mixed), better) in known.iter_mut().zip(mixed).zip(better) {
                    if better {
                        *known = mixed;
                    }
                }
            }
            None if better[0] || better[1] => self.picks[place as usize] = look.pick,
            None => {}
        }
    }
}

/// What a joint decision is worth: what rows get for sure by a best mix where all is worth its lower
/// bound, and what columns hold rows to where it is worth its upper one. That the mixes are the best is
/// as floats find them; the bounds are proven by them alone.
fn at_once(
    steps: &[(u32, Interval)],
    columns: usize,
    worth: &[Interval],
    go_on: &dyn Fn() -> bool,
) -> Look {
    let rows = steps.len() / columns.max(1);
    let table = |bound: &dyn Fn(Interval) -> f64| {
        let cells = steps.iter().map(|(to, _)| bound(worth[*to as usize])).collect();
        Table::new(rows, columns, cells)
    };
    let (lows, highs) = (table(&|worth| worth.low), table(&|worth| worth.high));
    let low = nearly(&lows, go_on);
    let high = if lows == highs { low.clone() } else { nearly(&highs, go_on) };
    let even = |count: usize| vec![1.0; count];
    let own = low.map_or_else(|| even(rows), |mixed| mixed.rows);
    let its = high.map_or_else(|| even(columns), |mixed| mixed.columns);
    let (shares, others) = (normal(&own), normal(&its));
    let cell = |row: usize, column: usize| steps[row * columns + column].0;
    let given = |column: usize| {
        let steps: Vec<_> = (0..rows).map(|row| (cell(row, column), shares[row])).collect();
        mean(&steps, worth).low
    };
    let taken = |row: usize| {
        let steps: Vec<_> =
            (0..columns).map(|column| (cell(row, column), others[column])).collect();
        mean(&steps, worth).high
    };
    let low = (0..columns).map(given).fold(f64::INFINITY, f64::min);
    let high = (0..rows).map(taken).fold(f64::NEG_INFINITY, f64::max);
    Look { worth: Interval { low, high }, pick: 0, mixed: Some([own, its]) }
}

/// The mean of steps.
fn mean(steps: &[(u32, Interval)], worth: &[Interval]) -> Interval {
    let mut mean = Interval::exact(0.0);
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for (to, share) in steps.iter().filter(|(_, share)| share.high > 0.0) {
        let worth = worth[*to as usize];
        mean = mean.plus(worth.times(*share));
        (low, high) = (low.min(worth.low), high.max(worth.high));
    }
    // Chances sum to 1, whatever rounding makes of them.
    Interval { low: mean.low.max(low), high: mean.high.min(high) }
}

/// Moves bounds towards each other; by how much the lower and the upper one moved.
fn narrow(worth: &mut Interval, by: Interval) -> [f64; 2] {
    let next = Interval { low: worth.low.max(by.low), high: worth.high.min(by.high) };
    if next.low > next.high {
        return [0.0; 2];
    }
    let moved = [next.low - worth.low, worth.high - next.high];
    *worth = next;
    moved
}
