//! Measures the candidates of a tuning, puts them into an order, finds those that no other is better than, and says how
//! sure it is that wishes hold.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::grid::{Candidate, CandidateGrid};
use super::wish::{Wish, Wishes};
use super::wish_value::WishValue;
use super::{Tuned, value_text};
use crate::analysis::holm;
use crate::analysis::{Broken, Enough, Portrait, Portraying, Sampling, Stage};
use crate::catalog::{Catalog, Scenario};
use crate::conflict::{Changes, Conflict, Seating};
use crate::error::{Cut, Error};
use crate::number;
use crate::script::Limits;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Measured {
    pub candidate: Candidate,
    /// How many playouts were made; 0 on the graph.
    pub n: u64,
    /// What is known of each wish.
    pub readings: Vec<WishValue>,
    /// Whether these are the numbers of dice without a last value that are cut off.
    pub cut_off: bool,
}

/// How sure it is that all wishes hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WishCertainty {
    /// They hold: that is exact, or proven.
    Sure,
    /// They hold, with an error of 5 % for all candidates together.
    Likely,
    /// There are too few playouts to decide it.
    #[serde(rename = "cannot tell")]
    Open,
    /// Some wish does not hold, with an error of 5 % for all candidates together.
    Unlikely,
    /// Some wish does not hold: that is exact, or proven.
    No,
}

/// The error of what is likely, for all candidates together.
const ERROR: f64 = 0.05;

impl Measured {
    /// Whether all wishes hold, as far as the values say.
    pub(super) fn holds(&self) -> bool {
        self.readings.iter().all(|reading| reading.holds)
    }

    /// Whether nothing of it was sampled, though not all of it may be known; dice may be cut off.
    pub(super) fn is_unsampled(&self) -> bool {
        self.n == 0 && self.readings.iter().all(|one| one.is_proven() || !one.is_known())
    }

    /// Whether more playouts would tell no more: what is not known of so few may be known of more.
    pub(super) fn is_final(&self) -> bool {
        self.n == 0 && self.readings.iter().all(WishValue::is_settled)
    }

    fn missed(&self) -> f64 {
        self.readings.iter().map(|reading| reading.miss).sum()
    }

    /// Before others: what misses less; then what is further within the wishes that name a number to be
    /// near, then within the others; then what lays fewer house rules.
    pub(super) fn order(&self, other: &Measured, wishes: &Wishes) -> Ordering {
        let inside = |one: &Measured, nears: bool| -> f64 {
            let of = wishes.all.iter().zip(&one.readings);
            of.filter(|(wish, _)| wish.near.is_some() == nears)
                .map(|(_, reading)| reading.inside)
                .sum()
        };
        let further = |nears| inside(other, nears).total_cmp(&inside(self, nears));
        let house = |one: &Measured| one.candidate.house.len();
        (self.missed().total_cmp(&other.missed()))
            .then_with(|| further(true))
            .then_with(|| further(false))
            .then_with(|| house(self).cmp(&house(other)))
            .then_with(|| self.candidate.number.cmp(&other.candidate.number))
    }

    /// Whether some wish is missed by more than another candidate misses it, which are numbers from and to.
    fn is_worse(&self, other: &Measured, missed: Missed) -> bool {
        let mut pairs = self.readings.iter().zip(&other.readings);
        pairs.any(|(own, its)| missed(own).0 > missed(its).1)
    }

    /// Whether it is worse at some wish, and no better at any.
    fn is_behind(&self, other: &Measured, missed: Missed) -> bool {
        let mut pairs = self.readings.iter().zip(&other.readings);
        self.is_worse(other, missed) && pairs.all(|(own, its)| missed(own).0 >= missed(its).1)
    }
}

/// From where and to where a wish is missed.
type Missed = fn(&WishValue) -> (f64, f64);

/// Candidates in their order, and where wishes conflict those in front.
pub(super) struct Ranked {
    /// All, the best first; where wishes conflict first those on the Pareto front.
    pub all: Vec<Measured>,
    /// How many of them are on the Pareto front, where none holds all wishes and each is worse than another at some: by
    /// their values, or as the intervals show it.
    pub front: Option<usize>,
}

impl Ranked {
    /// The best this many; where wishes conflict only those on the front.
    pub(super) fn first(&self, count: usize) -> &[Measured] {
        &self.all[..self.front.unwrap_or(self.all.len()).min(count)]
    }

    /// By the values.
    fn of(all: Vec<Measured>, wishes: &Wishes) -> Ranked {
        Ranked::by(|reading| (reading.miss, reading.miss), all, wishes)
    }

    /// Wishes conflict where the intervals show it, and whoever may be in front is.
    pub(super) fn by_intervals(all: Vec<Measured>, wishes: &Wishes) -> Ranked {
        Ranked::by(|reading| reading.misses, all, wishes)
    }

    fn by(missed: Missed, mut all: Vec<Measured>, wishes: &Wishes) -> Ranked {
        all.sort_by(|one, other| one.order(other, wishes));
        let is_worse = |one: &Measured| all.iter().any(|other| one.is_worse(other, missed));
        if all.is_empty() || all.iter().any(Measured::holds) || !all.iter().all(is_worse) {
            return Ranked { all, front: None };
        }
        let is_behind = |one: &Measured| all.iter().any(|other| one.is_behind(other, missed));
        let behind: Vec<bool> = all.iter().map(is_behind).collect();
        let front = behind.iter().filter(|behind| !**behind).count();
        let mut marked: Vec<(bool, Measured)> = behind.into_iter().zip(all).collect();
        marked.sort_by_key(|(behind, _)| *behind);
        Ranked { all: marked.into_iter().map(|(_, one)| one).collect(), front: Some(front) }
    }
}

/// How sure it is of each of these that all wishes hold; beside it the probability of numbers as good as
/// these if one did not, where it was sampled.
///
/// That all wishes hold is tested at once, as the union of the tests of each (Berger, Technometrics 24,
/// 1982), so no wish is corrected for the others; that some wish fails is corrected for their number
/// (Bonferroni). Of candidates there may be `all`, of which each but these counts as one that failed its
/// test: corrected by Holm (Scandinavian Journal of Statistics 6, 1979).
pub(super) fn certainties(
    shown: &[Measured],
    wishes: &Wishes,
    all: u64,
) -> Vec<(WishCertainty, Option<f64>)> {
    let doubts = |one: &Measured| {
        // Of so few playouts the normal approximation says nothing.
        if (1..number::FEW).contains(&one.n)
            && !one.readings.iter().all(|reading| reading.is_proven())
        {
            return (1.0, 1.0);
        }
        let doubts =
            one.readings.iter().zip(&wishes.all).map(|(reading, wish)| reading.doubts(wish));
        let (against, for_it): (Vec<f64>, Vec<f64>) = doubts.unzip();
        let most = against.into_iter().fold(0.0, f64::max);
        let least = for_it.into_iter().fold(1.0, f64::min);
        (most, (least * wishes.all.len() as f64).min(1.0))
    };
    let doubts: Vec<(f64, f64)> = shown.iter().map(doubts).collect();
    let good = holm(&doubts.iter().map(|(good, _)| *good).collect::<Vec<_>>(), all);
    let bad = holm(&doubts.iter().map(|(_, bad)| *bad).collect::<Vec<_>>(), all);
    let row = |(at, one): (usize, &Measured)| {
        let proven = one.readings.iter().all(|reading| reading.is_proven());
        let misses =
            |reading: &WishValue, wish| reading.is_proven() && reading.doubts(wish).1 == 0.0;
        let no = one.readings.iter().zip(&wishes.all).any(|(reading, wish)| misses(reading, wish));
        match doubts[at] {
            _ if no => (WishCertainty::No, None),
            (good, _) if proven && good == 0.0 => (WishCertainty::Sure, None),
            _ if proven => (WishCertainty::Open, None),
            _ if good[at] <= ERROR => (WishCertainty::Likely, Some(good[at])),
            _ if bad[at] <= ERROR => (WishCertainty::Unlikely, Some(good[at])),
            _ => (WishCertainty::Open, Some(good[at])),
        }
    };
    shown.iter().enumerate().map(row).collect()
}

// The search: all candidates where they are few, else successive halving.
//
// All have the same seed, so that playouts differ by the rules and by little else (common random
// numbers). Where there are more than a few, each gets a few playouts, the better half of them twice as
// many, and so on, until few are left: those get all (Karnin, Koren and Somekh, Almost optimal
// exploration in multi-armed bandits, 2013). How many playouts a round has follows from the number of
// its candidates alone.

/// This many candidates are few.
pub(super) const FEW: usize = 32;
/// No more nodes of a candidate are explored, however many playouts that may save.
const NODES: u64 = 20_000;
/// Fewer playouts than these say nothing of a candidate.
const LEAST: u64 = 64;
/// Where each gets more than this many times that at first, there is a round of that few before.
const SOON: u64 = 8;

/// A scenario, what is varied about it, and what is wanted.
pub struct Tuning<'a> {
    /// The catalog with the scenario's rules.
    pub catalog: &'a Catalog,
    /// The scenario.
    pub scenario: &'a Scenario,
    /// The changes of all candidates.
    pub changes: &'a Changes,
    /// The limits of a playout, and the budget of all work.
    pub limits: &'a Limits,
    /// The most bytes that the graph of a candidate may take.
    pub memory: u64,
    /// The seed, the threads, and the most playouts of a candidate.
    pub sampling: Sampling,
    /// What is varied.
    pub grid: &'a CandidateGrid,
    /// What is wanted.
    pub wishes: &'a Wishes,
    /// The command of these words after `fracas`; `None` where nothing can be typed.
    pub show: &'a dyn Fn(&[String]) -> Option<String>,
    /// Hears how far it has come.
    pub progress: &'a (dyn Fn(Stage) + Sync),
}

pub(super) struct Halving {
    /// What is known of each, by its number.
    pub known: BTreeMap<u64, Measured>,
    /// Those of this round.
    pub left: Vec<u64>,
    /// Those of this round that were measured in it, or of which more playouts would tell no more.
    pub done: BTreeSet<u64>,
    /// Those that fail, which are left out, with the failures.
    pub failed: Vec<(Candidate, Error)>,
    pub cut: Option<Cut>,
    /// Whether the memory was too small for some.
    pub is_full: bool,
}

impl Tuning<'_> {
    /// How many playouts a candidate may take where nobody says how many.
    pub const PLAYOUTS: u64 = 4_000;

    /// Measures the candidates.
    ///
    /// # Errors
    /// Those of the rules and agents where all candidates that are left fail, or one runs into a limit, with the
    /// candidate under which they occurred; [`Error::Interrupted`] where nothing was known by then.
    pub fn find(&self) -> Result<Tuned, Broken> {
        let mut halving = Halving {
            known: BTreeMap::new(),
            left: (1..=self.grid.all()).collect(),
            done: BTreeSet::new(),
            failed: Vec::new(),
            cut: None,
            is_full: false,
        };
        // Whoever stops it knows a little of each by then.
        if self.playouts(halving.left.len()) > SOON * LEAST {
            self.round(&mut halving, LEAST)?;
            // So few playouts drop no candidate.
            halving.keep_final();
        }
        while halving.cut.is_none() {
            let n = self.playouts(halving.left.len());
            let short = self.round(&mut halving, n)?;
            halving.cut = halving.cut.or(short);
            let is_final = halving.known.values().all(Measured::is_final);
            if halving.cut.is_some() || is_final {
                break;
            }
            if halving.left.len() <= FEW {
                if n >= self.playouts(halving.left.len()) {
                    break;
                }
                // Since others failed, each of those that are left gets more.
                continue;
            }
            let ranked = Ranked::of(halving.measured(), self.wishes);
            let half = halving.left.len().div_ceil(2);
            halving.left = ranked.all.iter().take(half).map(|one| one.candidate.number).collect();
            halving.left.sort_unstable();
        }
        let is_empty = halving.measured().is_empty();
        match halving.cut.filter(|_| is_empty) {
            Some(Cut::Interrupted) => return Err(Error::Interrupted.into()),
            Some(cut @ Cut::Time(_)) => return Err(Error::Bound(cut).into()),
            Some(Cut::Memory(_)) | None => {}
        }
        if is_empty && !halving.failed.is_empty() {
            let (candidate, error) = halving.failed.swap_remove(0);
            return Err(Broken { at: Some(candidate.title()), error });
        }
        Ok(self.result(&halving))
    }

    /// How many playouts each of this many candidates gets.
    fn playouts(&self, candidates: usize) -> u64 {
        let (mut count, mut rounds) = (candidates, 0);
        while count > FEW {
            count = count.div_ceil(2);
            rounds += 1;
        }
        (self.sampling.n >> rounds).max(LEAST).min(self.sampling.n)
    }

    /// Measures each candidate that is left, but for those of which more playouts would tell no more; says
    /// what stopped one of them before its end, where its part of the time was over.
    fn round(&self, halving: &mut Halving, n: u64) -> Result<Option<Cut>, Broken> {
        halving.keep_final();
        let mut short = None;
        for number in halving.left.clone() {
            if halving.done.contains(&number) {
                continue;
            }
            let candidate = self.grid.candidate(number);
            let parts = self.so_far(halving, n);
            let progress = |_| (self.progress)(Stage::Doing(parts.clone()));
            progress(Stage::Nodes(0, 0));
            // None may take the time of those of which nothing is known yet.
            let unknown =
                halving.left.iter().filter(|one| !halving.known.contains_key(one)).count() as u32;
            let time = self.limits.budget.left().filter(|_| unknown > 0).map(|left| left / unknown);
            let (measured, cut) = match self.measure(candidate.clone(), (n, time), &progress) {
                Ok(measured) => measured,
                Err(error) => {
                    halving.left.retain(|left| *left != number);
                    halving.known.remove(&number);
                    halving.failed.push((candidate, error));
                    continue;
                }
            };
            let is_full = matches!(cut, Some(Cut::Memory(_)));
            let Some(cut) = cut.filter(|_| !is_full) else {
                halving.is_full |= is_full;
                halving.known.insert(number, measured);
                halving.done.insert(number);
                continue;
            };
            let part = Some(measured).filter(|one| one.readings.iter().any(WishValue::is_known));
            if time.is_some() && self.limits.budget.is_wanted().is_ok() {
                halving.known.extend(part.map(|part| (number, part)));
                short = Some(cut);
                continue;
            }
            // A part is better than nothing at all.
            if let Some(part) = part {
                halving.known.entry(number).or_insert(part);
            }
            halving.cut = Some(cut);
            return Ok(None);
        }
        Ok(short)
    }

    /// What is known of a candidate, and what stopped the measuring before its end, if anything did.
    fn measure(
        &self,
        candidate: Candidate,
        effort: (u64, Option<Duration>),
        progress: &(dyn Fn(Stage) + Sync),
    ) -> Result<(Measured, Option<Cut>), Error> {
        let (portrait, cut) = match self.portrait(&candidate, effort, progress) {
            Ok(portrait) => {
                let cut = portrait.cut;
                (Some(portrait), cut)
            }
            Err(error) => (None, Some(error.cut().ok_or(error)?)),
        };
        let portrait = portrait.as_ref();
        let reading = |wish: &Wish| {
            portrait.map_or_else(WishValue::unknown, |portrait| WishValue::of(wish, portrait))
        };
        let readings = self.wishes.all.iter().map(reading).collect();
        let n = portrait.map_or(0, |portrait| portrait.n);
        let cut_off = portrait.is_some_and(|portrait| portrait.n == 0 && !portrait.exact);
        Ok((Measured { candidate, n, readings, cut_off }, cut))
    }

    fn portrait(
        &self,
        candidate: &Candidate,
        (n, time): (u64, Option<Duration>),
        progress: &(dyn Fn(Stage) + Sync),
    ) -> Result<Portrait, Error> {
        let changes = candidate.changes(self.changes);
        let conflict = Conflict::of(self.catalog, self.scenario.clone(), &changes, self.limits)?;
        let seating = Seating::new(&conflict, self.memory)?;
        seating.is_wanted()?;
        let sampling = Sampling { n, enough: Enough::All, ..self.sampling };
        let nodes = Portraying::explores(sampling, &seating).min(NODES);
        let wanted = &self.wishes.wanted;
        let portraying = Portraying { wanted, sampling, nodes, time };
        Portrait::find(&conflict, &seating, portraying, progress)
    }

    fn so_far(&self, halving: &Halving, n: u64) -> String {
        let (done, all) = (halving.done.len(), halving.left.len());
        let best = halving.known.values().min_by(|one, other| one.order(other, self.wishes));
        let best = best.map(|best| {
            let pairs = self.wishes.all.iter().zip(&best.readings);
            let parts = pairs.map(|(wish, reading)| {
                let share = wish.subject.is_share();
                format!("{} {}", wish.subject.title(), value_text(reading, share))
            });
            let parts: Vec<String> = parts.collect();
            format!("; best so far: {}: {}", best.candidate.title(), parts.join(", "))
        });
        format!("{done} of {all} candidates, up to {n} playouts each{}", best.unwrap_or_default())
    }
}

impl Halving {
    /// Begins a round: those of which more playouts would tell no more are measured to the end.
    fn keep_final(&mut self) {
        let is_final = |number: &u64| self.known.get(number).is_some_and(Measured::is_final);
        self.done = self.left.iter().copied().filter(is_final).collect();
    }

    pub(super) fn measured(&self) -> Vec<Measured> {
        self.left.iter().filter_map(|number| self.known.get(number).cloned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::portrait::MeasureSelection;
    use crate::analysis::tune::wish_value::tests::wish;
    use crate::number::Quantity;

    #[test]
    fn only_intervals_that_are_apart_show_that_wishes_conflict() {
        // Both numbers at most 0, so that each is missed by itself: good at one, good at the other, and beside them one
        // of which little is known.
        let all = vec![wish("a <= 0"), wish("a <= 0")];
        let wishes = Wishes { all, wanted: MeasureSelection::default() };
        let row = |number: u64, values: [f64; 2], half: f64| {
            let reading = |miss: f64| WishValue {
                quantity: Quantity::give_or_take(64, miss, half),
                miss,
                misses: ((miss - half).max(0.0), miss + half),
                ..WishValue::unknown()
            };
            let candidate = Candidate { number, values: Default::default(), house: Vec::new() };
            let readings = values.map(reading).to_vec();
            Measured { candidate, n: 64, readings, cut_off: false }
        };
        let front = |rows: Vec<Measured>| Ranked::by_intervals(rows, &wishes).front;
        let two = |half| vec![row(1, [1.0, 3.0], half), row(2, [3.0, 1.0], half)];
        assert_eq!((front(two(0.5)), front(two(1.5))), (Some(2), None));
        let with = |other| [two(0.5), vec![other]].concat();
        // One that may be as good as both at all shows no conflict; one that is worse at one wish for sure may be in front.
        assert_eq!(front(with(row(3, [2.0, 2.0], 1.5))), None);
        assert_eq!(front(with(row(3, [2.0, 2.0], 0.4))), Some(3));
        // One that is behind for sure changes nothing.
        assert_eq!(front(with(row(3, [5.0, 5.0], 0.5))), Some(2));
        // By the values alone all of these conflict.
        assert_eq!(Ranked::of(with(row(3, [2.0, 2.0], 1.5)), &wishes).front, Some(3));
        // Twins, and nearly so, are no better than each other: each is worse than the others' at one wish.
        assert_eq!(front(with(row(3, [1.0, 3.0], 0.5))), Some(3));
        let near = [row(3, [1.1, 3.0], 0.3), row(4, [3.0, 1.1], 0.3)];
        let close = [row(1, [1.0, 3.0], 0.3), row(2, [3.0, 1.0], 0.3)];
        assert_eq!(front([&close[..], &near].concat()), Some(4));
    }

    #[test]
    fn a_few_playouts_show_nothing() {
        // `a <= 20`: playouts that all have 19, or all 21, are without spread, so they would be as sure
        // as can be; but below 30 of them nothing is said.
        let wishes = Wishes { all: vec![wish("a <= 20")], wanted: MeasureSelection::default() };
        let row = |value: f64, n: u64| {
            let candidate = Candidate { number: 1, values: Default::default(), house: Vec::new() };
            let quantity = Quantity::sampled(n, value, (value, value));
            let reading = WishValue { quantity, below: 0.0, ..WishValue::unknown() };
            let one = Measured { candidate, n, readings: vec![reading], cut_off: false };
            certainties(&[one], &wishes, 1)[0]
        };
        assert_eq!(row(19.0, 29), (WishCertainty::Open, Some(1.0)));
        assert_eq!(row(21.0, 29), (WishCertainty::Open, Some(1.0)));
        assert_eq!(row(19.0, 30), (WishCertainty::Likely, Some(0.0)));
        assert_eq!(row(21.0, 30), (WishCertainty::Unlikely, Some(1.0)));
    }
}
