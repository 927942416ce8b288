//! Places among which a side could stay for ever: end components, and the ways out of them.
//!
//! Where something falls, all that may fall must lead back (de Alfaro, "Formal Verification of
//! Probabilistic Systems", 1997).

use super::super::forms::board::Mover;
use super::super::forms::cyclic_game::StochasticGame;
use crate::explored::components;
use crate::number::Interval;

/// A largest set of places among which one side could stay for ever.
pub(crate) struct Lasting {
    /// The places, sorted.
    pub places: Vec<u32>,
    /// Who could stay.
    mover: Mover,
}

/// Places that lead back to each other among which play may be endless.
#[derive(Default)]
pub(crate) struct EndlessPlaces {
    /// Where one side alone could stay, and leave.
    pub sides: Vec<Lasting>,
    /// Where both could stay together, or nobody can leave.
    pub endless: Vec<u32>,
}

/// Places that lead back to each other among which play may be endless.
pub(crate) fn lasting(game: &StochasticGame, places: &[u32]) -> EndlessPlaces {
    let mut stays = EndlessPlaces::default();
    for places in largest(game, places) {
        let mut movers = places.iter().map(|&place| game.mover(place)).filter(|m| m.is_free());
        let mover = movers.next();
        let alone = mover.is_some_and(|mover| mover.decides() && movers.all(|one| one == mover));
        if alone && one_side(game, &places, &mut stays.sides) {
            continue;
        }
        for (mover, other) in [(Mover::MOST, Mover::LEAST), (Mover::LEAST, Mover::MOST)] {
            let own = |&&place: &&u32| {
                let at = game.mover(place);
                at != other && !matches!(at, Mover::Both(_))
            };
            let own: Vec<u32> = places.iter().filter(own).copied().collect();
            for places in largest(game, &own) {
                if places.iter().any(|&place| game.mover(place) == mover) && !alone {
                    one_side(game, &places, &mut stays.sides);
                }
            }
        }
        stays.endless.extend(places);
    }
    stays.endless.sort_unstable();
    stays
}

/// Adds a set in which only one side decides, if it can be left.
fn one_side(game: &StochasticGame, places: &[u32], sides: &mut Vec<Lasting>) -> bool {
    let mover = places.iter().map(|&place| game.mover(place)).find(|mover| mover.decides());
    let Some(mover) = mover else { return false };
    let lasting = Lasting { places: places.to_vec(), mover };
    let left = lasting.ways_out(game).next().is_some();
    if left {
        sides.push(lasting);
    }
    left
}

/// The largest sets that can be kept from leaving.
fn largest(game: &StochasticGame, places: &[u32]) -> Vec<Vec<u32>> {
    let mut open = vec![places.to_vec()];
    let mut found = Vec::new();
    while let Some(places) = open.pop() {
        let kept = kept(game, &places);
        let parts = parts(game, &kept);
        match &parts[..] {
            [one] if one.len() == places.len() => found.push(one.clone()),
            _ => open.extend(parts),
        }
    }
    found
}

/// The places from which it can be kept from leaving the set.
fn kept(game: &StochasticGame, places: &[u32]) -> Vec<u32> {
    let number = |place: &u32| places.binary_search(place).ok();
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); places.len()];
    // How many steps of each place lead back.
    let mut back = vec![0; places.len()];
    for (at, &place) in places.iter().enumerate() {
        for to in game.steps(place).iter().filter_map(|(to, _)| number(to)) {
            before[to].push(at);
            back[at] += 1;
        }
    }
    let leaves = |at: usize, back: usize| match game.mover(places[at]).is_free() {
        true => back == 0,
        false => back == 0 || back < game.steps(places[at]).len(),
    };
    let mut gone: Vec<bool> = (0..places.len()).map(|at| leaves(at, back[at])).collect();
    let mut open: Vec<usize> = (0..places.len()).filter(|&at| gone[at]).collect();
    while let Some(to) = open.pop() {
        for &at in &before[to] {
            back[at] -= 1;
            if !gone[at] && leaves(at, back[at]) {
                gone[at] = true;
                open.push(at);
            }
        }
    }
    places.iter().zip(gone).filter(|(_, gone)| !gone).map(|(&place, _)| place).collect()
}

/// The parts of a set that lead back to each other within it.
fn parts(game: &StochasticGame, places: &[u32]) -> Vec<Vec<u32>> {
    let inside = |at: u32| {
        let steps = game.steps(places[at as usize]).iter();
        steps.filter_map(move |(to, _)| places.binary_search(to).ok()).map(|to| to as u32)
    };
    let found = components(places.len(), 0..places.len() as u32, inside);
    let lasts = |part: &&[u32]| match part {
        [one] => inside(*one).any(|to| to == *one),
        _ => true,
    };
    let named = |part: &[u32]| part.iter().map(|&at| places[at as usize]).collect();
    found.iter().filter(lasts).map(named).collect()
}

impl Lasting {
    /// Where the side can leave to.
    fn ways_out<'a>(&'a self, game: &'a StochasticGame) -> impl Iterator<Item = u32> + 'a {
        let decides = self.places.iter().filter(|place| game.mover(**place).decides());
        let steps = decides.flat_map(|&place| game.steps(place)).map(|(to, _)| *to);
        steps.filter(|to| self.places.binary_search(to).is_err())
    }

    /// What the side gets there at best: what the best way out is worth. What it gets at least is for
    /// it to prove by leaving.
    pub(crate) fn way_out(&self, game: &StochasticGame, worth: &[Interval]) -> Interval {
        let ways = self.ways_out(game).map(|to| worth[to as usize]);
        let all = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };
        match self.mover {
            Mover::LEAST => {
                Interval { low: ways.map(|way| way.low).fold(f64::INFINITY, f64::min), ..all }
            }
            _ => {
                Interval { high: ways.map(|way| way.high).fold(f64::NEG_INFINITY, f64::max), ..all }
            }
        }
    }
}
