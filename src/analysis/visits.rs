//! How often a random walk visits each place, as it is expected, and so the probability of each end; and what can be
//! expected at each place of what its ends are worth.
//!
//! Kemeny and Snell, Finite Markov Chains, 1960, solved forwards for visits, backwards for worths. Strongly connected
//! components are taken in the order of the walk, so that one pass solves everything outside cycles; the places of a
//! cycle are eliminated one by one without any subtraction (Grassmann, Taksar and Heyman, Operations Research 33, 1985).

use std::collections::{BTreeMap, BTreeSet};

use crate::conflict::Seating;
use crate::error::Error;
use crate::explored::{ExploredGame, Lists, StepWeights, components, is_passed};
use crate::graph::{Graph, Node};
use crate::number::Amount;

/// The reasons why a walk has no probabilities of ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VisitsError {
    /// A cycle has more places than were allowed.
    #[error("{size} states form a cycle, more than the {bound} that can be solved together")]
    Large {
        /// Their number.
        size: usize,
        /// The number allowed.
        bound: usize,
        /// One of them.
        place: usize,
    },

    /// The caller stopped the work.
    #[error("stopped before it was done")]
    Stopped,

    /// Places that lead only to each other.
    #[error("it never ends: {size} of its states lead only to each other")]
    Endless {
        /// Their number.
        size: usize,
        /// One of them.
        place: usize,
    },
}

/// `may_continue` is called once in this many sets of places.
const OFTEN: usize = 256;

/// Places from 0, with those that may follow each, and the chances of these steps; where many share one, beside the steps
/// are the numbers of their chances. An end has none.
struct RandomWalk<'a, A> {
    to: &'a Lists<u32>,
    numbers: Option<&'a [u32]>,
    chances: &'a [A],
}

impl<A: Amount> RandomWalk<'_, A> {
    /// The places that follow with any chance, with their chances, which sum to 1.
    fn steps(&self, place: u32) -> impl Iterator<Item = (u32, &A)> {
        let number = |step: usize| self.numbers.map_or(step, |numbers| numbers[step] as usize);
        let chances = self.to.range(place as usize).map(move |step| &self.chances[number(step)]);
        let all = self.to.of(place as usize).iter().copied().zip(chances);
        all.filter(|(_, chance)| !chance.is_zero())
    }
}

impl ExploredGame {
    /// The expected number of visits of every place by a walk that begins at some places with their chances; as
    /// [`visits`] in all else.
    pub(crate) fn visits<A: Amount>(
        &self,
        weights: &StepWeights,
        starts: &[(u32, A)],
        bound: usize,
        may_continue: &dyn Fn() -> bool,
    ) -> Result<Vec<A>, VisitsError> {
        let shares = weights.shares(A::ratio);
        let walk = RandomWalk { to: &self.to, numbers: Some(&weights.of), chances: &shares };
        visits_of(&walk, self.len(), starts, bound, may_continue)
    }

    /// What can be expected at every place, in each of `width` numbers: `worth` holds them place by place, those of ends
    /// as they are and 0 of all others, which are filled in. Errors are those of [`visits`] from any place.
    pub(super) fn expect<A: Amount>(
        &self,
        (worth, width): (&mut [A], usize),
        may_continue: &dyn Fn() -> bool,
    ) -> Result<(), VisitsError> {
        let shares = self.weights.shares(A::ratio);
        let walk = RandomWalk { to: &self.to, numbers: Some(&self.weights.of), chances: &shares };
        let steps = |place| walk.steps(place).map(|(to, _)| to);
        let components = components(self.len(), 0..self.len() as u32, steps);
        for places in components.iter() {
            check(&walk, places, A::CYCLE)?;
        }
        for (number, places) in components.iter().rev().enumerate() {
            if number % OFTEN == 0 && !may_continue() {
                return Err(VisitsError::Stopped);
            }
            // What comes of the steps that leave the component.
            for &place in places {
                for (to, chance) in walk.steps(place).filter(|(to, _)| !holds(places, *to)) {
                    add_times(worth, width, (place as usize, to as usize), chance);
                }
            }
            if !is_passed(places, steps) {
                expect_within(&walk, places, (worth, width), may_continue)?;
            }
            for &place in places {
                worth[place as usize * width..][..width].iter_mut().for_each(A::settle);
            }
        }
        Ok(())
    }
}

/// Adds the numbers of one place to those of another, each times a chance.
fn add_times<A: Amount>(worth: &mut [A], width: usize, (place, other): (usize, usize), chance: &A) {
    for at in 0..width {
        let more = worth[other * width + at].mul(chance);
        worth[place * width + at].add_assign(&more);
    }
}

/// Whether a component has a place.
fn holds(places: &[u32], place: u32) -> bool {
    places.binary_search(&place).is_ok()
}

/// A conflict's game, and how often the agents seated reach each place of it, as it is expected.
pub(super) struct Visited<A> {
    pub game: ExploredGame,
    pub visits: Vec<A>,
    /// The place where conflicts begin.
    pub root: usize,
    /// Whether each place is known to come before all that it leads to.
    pub is_ordered: bool,
    /// The shares of steps, by their numbers in the weights of the game.
    shares: Vec<A>,
}

/// An answer at a place, and where it leads.
pub(super) struct Edge<'a, A> {
    /// The answer's number.
    pub answer: u32,
    pub to: usize,
    /// How likely it is given; 0 for an option that the agent there never picks.
    pub chance: &'a A,
}

impl<A: Amount> Visited<A> {
    /// What follows the beginning; nothing where that cannot be solved.
    pub(super) fn of(seating: &Seating) -> Result<Option<Visited<A>>, Error> {
        let game = seating.game(&seating.policies()?, &[seating.graph.root()])?;
        Ok(Visited::within(seating, game)?.ok())
    }

    /// A game, if that can be solved.
    pub(super) fn within(
        seating: &Seating,
        game: ExploredGame,
    ) -> Result<Result<Visited<A>, VisitsError>, Error> {
        let root = game.place(seating.graph.root()).unwrap_or(0);
        let (start, shares) = ([(root as u32, A::one())], game.weights.shares(A::ratio));
        let may_continue = || seating.may_continue().is_ok();
        let visits = game.visits(&game.weights, &start, A::CYCLE, &may_continue);
        seating.may_continue()?;
        Ok(visits.map(|visits| Visited { game, visits, root, is_ordered: false, shares }))
    }

    pub(super) fn edges(&self, place: usize) -> impl ExactSizeIterator<Item = Edge<'_, A>> + Clone {
        let edge = move |step: usize, &to: &u32| Edge {
            answer: self.game.answers[step].into(),
            to: to as usize,
            chance: &self.shares[self.game.weights.of[step] as usize],
        };
        let steps = self.game.to.range(place).zip(self.game.to.of(place));
        steps.map(move |(step, to)| edge(step, to))
    }

    pub(super) fn is_visited(&self, place: usize) -> bool {
        self.visits.get(place).is_some_and(|visits| !visits.is_zero())
    }

    pub(super) fn node<'a>(&self, graph: &'a Graph, place: usize) -> Node<'a> {
        graph.node(self.game.nodes.get(place).copied().unwrap_or_default())
    }
}

/// The expected number of visits of every place by a walk from `start`: for an end, the probability of ending
/// there. Places that the walk cannot reach have zero. Each is listed with the places that may follow, and all steps
/// have their chances, which sum to 1 at each place; an end has none. Steps may lead to ends behind the last list.
///
/// `bound` is the most places that one cycle, or cycles through each other, may have: solving them takes up to the
/// third power of their number. `may_continue` is called repeatedly.
///
/// # Errors
/// [`VisitsError`] where a cycle is too large, or cannot be left; [`VisitsError::Stopped`].
pub fn visits<A: Amount>(
    (to, chances): (&Lists<u32>, &[A]),
    start: u32,
    bound: usize,
    may_continue: &dyn Fn() -> bool,
) -> Result<Vec<A>, VisitsError> {
    let highest = to.all().iter().copied().max().unwrap_or(0).max(start);
    let len = to.len().max(highest as usize + 1);
    let walk = RandomWalk { to, numbers: None, chances };
    visits_of(&walk, len, &[(start, A::one())], bound, may_continue)
}

fn visits_of<A: Amount>(
    walk: &RandomWalk<'_, A>,
    len: usize,
    starts: &[(u32, A)],
    bound: usize,
    may_continue: &dyn Fn() -> bool,
) -> Result<Vec<A>, VisitsError> {
    let mut amounts = vec![A::zero(); len];
    for (start, chance) in starts {
        amounts[*start as usize].add_assign(chance);
    }
    let steps = |place| walk.steps(place).map(|(to, _)| to);
    let starts = starts.iter().map(|(start, _)| *start);
    let components = components(len, starts, steps);
    // A large cycle is to be reported before any time has gone into what comes before it.
    for places in components.iter() {
        check(walk, places, bound)?;
    }
    for (number, places) in components.iter().enumerate() {
        if number % OFTEN == 0 && !may_continue() {
            return Err(VisitsError::Stopped);
        }
        if !is_passed(places, steps) {
            solve(walk, places, &mut amounts, may_continue)?;
        }
        for &place in places {
            pass_on(walk, place, places, &mut amounts);
        }
    }
    Ok(amounts)
}

/// Adds a place's visits to those of the places behind it, but for those of its own cycle, whose visits are known.
fn pass_on<A: Amount>(walk: &RandomWalk<'_, A>, place: u32, cycle: &[u32], amounts: &mut [A]) {
    let visits = std::mem::replace(&mut amounts[place as usize], A::zero());
    for (to, chance) in walk.steps(place) {
        if !holds(cycle, to) {
            amounts[to as usize].add_assign(&visits.mul(chance));
        }
    }
    amounts[place as usize] = visits;
}

/// Whether a component is small enough, and can be left.
fn check<A: Amount>(
    walk: &RandomWalk<'_, A>,
    places: &[u32],
    bound: usize,
) -> Result<(), VisitsError> {
    if is_passed(places, |place| walk.steps(place).map(|(to, _)| to)) {
        return Ok(());
    }
    let (size, place) = (places.len(), places[0] as usize);
    if size > bound.max(1) {
        return Err(VisitsError::Large { size, bound, place });
    }
    let leaves = |&place: &u32| walk.steps(place).any(|(to, _)| !holds(places, to));
    match places.iter().any(leaves) {
        true => Ok(()),
        false => Err(VisitsError::Endless { size, place }),
    }
}

// Expected visits to places that lead back to each other, by elimination without subtraction.

/// Chances between the places of a cycle, as far as they are not taken out yet.
struct CycleChances<A> {
    /// From each place to others of the cycle.
    to: Vec<BTreeMap<usize, A>>,
    /// From which others a place is reached.
    from: Vec<BTreeSet<usize>>,
    /// The chance of leaving the cycle at the next step.
    out: Vec<A>,
}

/// A place that was taken out, with its chances at that time.
struct Taken<A> {
    place: usize,
    /// The others from which it was reached, with their chances.
    from: Vec<(usize, A)>,
    /// The others that it led to, with their shares of what leaves it.
    to: Vec<(usize, A)>,
    /// The chance of going anywhere but back to itself.
    leaving: A,
}

/// Turns the amounts of a cycle's sorted places, so far those of coming into it there, into their
/// expected visits. The cycle can be left.
///
/// Taking a place out leaves the walk as seen by an observer who looks away while the walk is at
/// that place; the visits of the other places stay the same. One less the chance of staying is here
/// the sum of the chances of leaving, so nothing is subtracted.
fn solve<A: Amount>(
    walk: &RandomWalk<'_, A>,
    places: &[u32],
    amounts: &mut [A],
    may_continue: &dyn Fn() -> bool,
) -> Result<(), VisitsError> {
    let mut visits: Vec<A> = places.iter().map(|place| amounts[*place as usize].clone()).collect();
    let taken =
        CycleChances::new(walk, places).take_all(may_continue, |Taken { place, to, .. }| {
            for (there, share) in to {
                let coming = visits[*place].mul(share);
                visits[*there].add_assign(&coming);
                visits[*there].settle();
            }
        })?;
    for Taken { place, from, leaving, .. } in taken.into_iter().rev() {
        for (other, chance) in from {
            let coming = visits[other].mul(&chance);
            visits[place].add_assign(&coming);
        }
        visits[place] = visits[place].div(&leaving);
    }
    for (place, visits) in places.iter().zip(visits) {
        amounts[*place as usize] = visits;
    }
    Ok(())
}

/// Turns the worths of a cycle's sorted places, so far those of leaving it there, each times its chance, into what can be
/// expected there. The cycle can be left.
fn expect_within<A: Amount>(
    walk: &RandomWalk<'_, A>,
    places: &[u32],
    (worth, width): (&mut [A], usize),
    may_continue: &dyn Fn() -> bool,
) -> Result<(), VisitsError> {
    let at = |place: usize| places[place] as usize;
    let numbers = |place: usize| at(place) * width..(at(place) + 1) * width;
    let taken = CycleChances::new(walk, places).take_all(may_continue, |taken| {
        let Taken { place, from, leaving, .. } = taken;
        for one in &mut worth[numbers(*place)] {
            *one = one.div(leaving);
            one.settle();
        }
        for (here, chance) in from {
            add_times(worth, width, (at(*here), at(*place)), chance);
        }
    })?;
    for Taken { place, to, .. } in taken.into_iter().rev() {
        for (there, share) in to {
            add_times(worth, width, (at(place), at(there)), &share);
        }
        worth[numbers(place)].iter_mut().for_each(A::settle);
    }
    Ok(())
}

impl<A: Amount> CycleChances<A> {
    fn new(walk: &RandomWalk<'_, A>, places: &[u32]) -> CycleChances<A> {
        let mut between = CycleChances {
            to: vec![BTreeMap::new(); places.len()],
            from: vec![BTreeSet::new(); places.len()],
            out: vec![A::zero(); places.len()],
        };
        for (here, place) in places.iter().enumerate() {
            for (to, chance) in walk.steps(*place) {
                match places.binary_search(&to) {
                    // How likely it is to stay is not needed, only how likely not.
                    Ok(there) if there == here => {}
                    Ok(there) => between.add(here, there, chance),
                    Err(_) => between.out[here].add_assign(chance),
                }
            }
        }
        between
    }

    fn add(&mut self, here: usize, there: usize, chance: &A) {
        let sum = self.to[here].entry(there).or_insert_with(A::zero);
        sum.add_assign(chance);
        sum.settle();
        self.from[there].insert(here);
    }

    fn ways(&self, place: usize) -> usize {
        self.from[place].len() * self.to[place].len()
    }

    /// Takes all places out, one after another, and hears each.
    fn take_all(
        mut self,
        may_continue: &dyn Fn() -> bool,
        mut hear: impl FnMut(&Taken<A>),
    ) -> Result<Vec<Taken<A>>, VisitsError> {
        // Those with the fewest ways through come first, as they leave the fewest new ones (Markowitz).
        let mut queue: BTreeSet<(usize, usize)> =
            (0..self.to.len()).map(|place| (self.ways(place), place)).collect();
        let mut all = Vec::with_capacity(self.to.len());
        while let Some((_, place)) = queue.pop_first() {
            if !may_continue() {
                return Err(VisitsError::Stopped);
            }
            let beside: BTreeSet<usize> =
                self.from[place].iter().chain(self.to[place].keys()).copied().collect();
            for &other in &beside {
                queue.remove(&(self.ways(other), other));
            }
            let taken = self.take(place);
            hear(&taken);
            all.push(taken);
            queue.extend(beside.into_iter().map(|other| (self.ways(other), other)));
        }
        Ok(all)
    }

    /// Takes a place out: its predecessors lead straight to its successors.
    fn take(&mut self, place: usize) -> Taken<A> {
        let to = std::mem::take(&mut self.to[place]);
        let mut leaving = self.out[place].clone();
        to.values().for_each(|chance| leaving.add_assign(chance));
        leaving.settle();
        let out = self.out[place].div(&leaving);
        let to: Vec<(usize, A)> =
            to.into_iter().map(|(there, chance)| (there, chance.div(&leaving))).collect();
        for (there, _) in &to {
            self.from[*there].remove(&place);
        }
        let mut from = Vec::new();
        for here in std::mem::take(&mut self.from[place]) {
            let Some(chance) = self.to[here].remove(&place) else { continue };
            for (there, share) in to.iter().filter(|(there, _)| *there != here) {
                self.add(here, *there, &chance.mul(share));
            }
            self.out[here].add_assign(&chance.mul(&out));
            self.out[here].settle();
            from.push((here, chance));
        }
        Taken { place, from, to, leaving }
    }
}

#[cfg(test)]
mod tests;
