//! Drama: how the chances to win move along a conflict.
//!
//! Suspense and surprise after Ely, Frankel and Kamenica, Suspense and Surprise, Journal of Political
//! Economy 123, 2015: what they call the state is who wins. Both are summed over the conflict.

use super::paths::ValuedGraph;
use super::paths::Ways;
use super::portrait_measure::Measure;
use super::strategy::{SAME, Verdicts};
use super::weighted_sums::Weight;

/// A winner whose chance stays above this has won.
pub(super) const DECIDED: f64 = 0.9;

/// The drama of a graph; nothing where nobody wins.
pub(super) fn measures<A: Weight>(valued: &ValuedGraph<'_, A>, seed: u64) -> Vec<Measure> {
    let ordered = &valued.ordered;
    let won = |end: usize| valued.ends[end].filter(|&verdict| valued.verdicts.is_won(verdict));
    let reached = |place: usize| ordered.is_visited(place) && won(place).is_some();
    if valued.seats.len() < 2 || valued.verdicts.len() == 0 || !(0..ordered.len()).any(reached) {
        return Vec::new();
    }
    if valued.beliefs(0).is_empty() {
        return Vec::new();
    }
    let lead = |place: usize| valued.verdicts.leader(valued.beliefs(place));
    let leads = Ways::of(
        ordered,
        seed,
        |root| (lead(root), 0u32),
        |(leader, changes), _, _, to| changed(*leader, *changes, lead(to)),
    );
    let mut all: Vec<Measure> = Vec::new();
    all.extend(
        leads.measure("drama.lead_changes", "changes", |_, (_, changes)| Some(f64::from(*changes))),
    );
    all.extend(by_winner(valued, "drama.comeback", |winner| {
        let chance = move |place: usize| fixed(valued.beliefs(place)[winner]);
        let lowest =
            Ways::of(ordered, seed, chance, move |low: &u64, _, _, to| chance(to).min(*low));
        let values_of = |(end, low, share): (usize, u64, f64)| (end, low as f64 / FIXED, share);
        (lowest.all.into_iter().map(values_of).collect(), lowest.drawn)
    }));
    let (mut suspense, mut surprise) = (0.0, 0.0);
    for place in 0..ordered.len() {
        let visits = ordered.visits[place].about();
        if visits == 0.0 {
            continue;
        }
        let here = valued.beliefs(place);
        let moves = ordered.edges(place).iter().filter(|edge| !edge.chance.is_zero());
        let moves = moves.map(|edge| (edge.chance.about(), squares(here, valued.beliefs(edge.to))));
        let (mut variance, mut moved) = (0.0, 0.0);
        for (chance, square) in moves {
            variance += chance * square;
            moved += chance * square.sqrt();
        }
        suspense += visits * variance.sqrt();
        surprise += visits * moved;
    }
    all.push(Measure::close("drama.suspense", "chance", suspense));
    all.push(Measure::close("drama.surprise", "chance", surprise));
    all.extend(by_winner(valued, "drama.decided", |winner| {
        let sure = move |place: usize| is_decided(valued.beliefs(place)[winner]);
        let begins = move |root: usize| (0u32, u32::from(!sure(root)));
        let times = Ways::of(ordered, seed, begins, move |&(time, from): &(u32, u32), _, _, to| {
            (time + 1, if sure(to) { from } else { time + 2 })
        });
        let values_of = |(end, (time, from), share): (usize, (u32, u32), f64)| {
            (end, f64::from(from) / f64::from(time.max(1)), share)
        };
        (times.all.into_iter().map(values_of).collect(), times.drawn)
    }));
    all
}

/// Ends, each with a value and its share.
type ValuedEnds = Vec<(usize, f64, f64)>;

/// The mean of a value that is another one for each winner, over the conflicts that somebody wins.
fn by_winner<A: Weight>(
    valued: &ValuedGraph<'_, A>,
    name: &str,
    values: impl Fn(usize) -> (ValuedEnds, bool),
) -> Option<Measure> {
    let (mut all, mut drawn) = (Vec::new(), false);
    for winner in (0..valued.verdicts.len()).filter(|&one| valued.verdicts.is_won(one)) {
        let (values_of, some) = values(winner);
        drawn |= some;
        let own = values_of.into_iter().filter(|(end, ..)| valued.ends[*end] == Some(winner));
        // What differs in the last digits alone is the same.
        all.extend(own.map(|(end, value, share)| (end, fixed(value), share)));
    }
    Ways { all, drawn }.measure(name, "share", |_, value| Some(*value as f64 / FIXED))
}

/// The next leader, and how often the lead has changed by then: who leads first changes nothing, and
/// where nobody leads the last leader is remembered.
pub(super) fn changed(
    leader: Option<usize>,
    changes: u32,
    now: Option<usize>,
) -> (Option<usize>, u32) {
    match (leader, now) {
        (Some(before), Some(after)) if before != after => (now, changes + 1),
        (_, Some(_)) => (now, changes),
        (leader, None) => (leader, changes),
    }
}

/// Whether a winner with this chance has won.
pub(super) fn is_decided(chance: f64) -> bool {
    chance > DECIDED + SAME
}

/// The sum of the squares of what each chance moved by.
pub(super) fn squares(before: &[f64], after: &[f64]) -> f64 {
    before.iter().zip(after).map(|(a, b)| (a - b) * (a - b)).sum()
}

/// Chances are distinguished to this many parts of 1.
const FIXED: f64 = 1e12;

fn fixed(chance: f64) -> u64 {
    // Never below 0, and far below what 64 bits hold.
    (chance * FIXED).round() as u64
}

/// What one conflict shows, by the chances of each verdict along it and the verdict at its end.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PlayDrama {
    /// How often the lead changed.
    pub lead_changes: f64,
    /// The winner's lowest chance.
    pub comeback: f64,
    /// By how much the chances moved.
    pub surprise: f64,
    /// The share of the conflict after which it was decided.
    pub decided: f64,
}

impl PlayDrama {
    /// Goes along one conflict, from its beginning to its end.
    pub(super) fn of(verdicts: &Verdicts, beliefs: &[Vec<f64>], verdict: usize) -> PlayDrama {
        let mut course = PlayDrama { comeback: 1.0, ..PlayDrama::default() };
        let (mut leader, mut changes, mut from) = (None, 0, 0);
        for (time, here) in beliefs.iter().enumerate() {
            (leader, changes) = changed(leader, changes, verdicts.leader(here));
            let own = here.get(verdict).copied().unwrap_or_default();
            course.comeback = course.comeback.min(own);
            if !is_decided(own) {
                from = time + 1;
            }
            if let Some(before) = time.checked_sub(1).and_then(|time| beliefs.get(time)) {
                course.surprise += squares(before, here).sqrt();
            }
        }
        course.lead_changes = f64::from(changes);
        course.decided = from as f64 / beliefs.len().saturating_sub(1).max(1) as f64;
        course
    }
}
