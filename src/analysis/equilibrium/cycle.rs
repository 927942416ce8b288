//! Values of places that lead back to each other, solved together.
//!
//! In fractions the best choices are kept and their equations are solved, again and again until nothing changes
//! (Hoffman and Karp, Management Science 12, 1966): if every way of playing leaves these places in the end, there is
//! one value, and the best choice at a place does not change over time (Shapley, 1953).
//!
//! In floats values from below and from above move towards each other until they meet (Haddad and Monmege,
//! Theoretical Computer Science 735, 2018). Where one side could stay for ever, only ways of playing that leave in
//! the end count, and no value from above is more than the best way out, without which it need not fall (Kelmendi
//! and others, "Value Iteration for Simple Stochastic Games", 2018). Where both could stay together, or nobody can
//! leave, no rule says what that is worth: values begin with the least and the greatest utility, and where
//! they do not meet there is no solution.

use std::collections::HashMap;

use super::UnsolvedReason;
use super::board::Mover;
use super::matrix::{PayoffMatrix, Scalar, evenly, least, most, solve_equations};
use super::place_values::{Pass, PlacePlay, Values};
use crate::explored::{PlaceWays, kept_inside, lasting_sets};

/// Equations of at most this many places are solved in fractions, which grow longer with each.
pub(crate) const MOST_IN_FRACTIONS: usize = 120;
/// Plans are improved at most this often.
const ROUNDS: usize = 50;
/// At most this number of steps between places are looked at for one cycle; places that are left with next to no chance
/// would take more than anybody waits for.
const STEPS: usize = 300_000_000;
/// Joint decisions may need more sweeps than anybody has time for (Hansen, Ibsen-Jensen and Miltersen, "The
/// Complexity of Solving Reachability Games Using Value and Strategy Iteration", 2011).
const JOINT_SWEEPS: usize = 100_000;
/// After this many sweeps it is asked whether the others can bring the values together.
const TRIAL: usize = 1_000;
/// Parts of the range of utilities: values that are so near have met; sweeps that move them by less move nothing;
/// values further apart than the last have not met.
const NEAR: f64 = 1e-13;
const STILL: f64 = 1e-16;
const APART: f64 = 1e-6;

/// Works out the places of a cycle, which are sorted.
pub(crate) fn solve_cycle<W: Scalar>(
    pass: &Pass<'_, W>,
    places: &[u32],
    values: &mut Values<W>,
) -> Result<(), UnsolvedReason> {
    let (size, place) = (places.len(), places.first().copied().unwrap_or_default() as usize);
    if W::EXACT && size > MOST_IN_FRACTIONS {
        return Err(UnsolvedReason::Large { size, most: MOST_IN_FRACTIONS, place });
    }
    if values.width > 1 {
        return Err(UnsolvedReason::Cycle { size, place });
    }
    let cycle = Cycle::of(pass, places, values);
    let all: Vec<usize> = (0..size).collect();
    let stay = match W::EXACT || values.width == 0 {
        true => kept_inside(&cycle.ways(), &all),
        false => Vec::new(),
    };
    if let Some(&first) = stay.first() {
        return Err(UnsolvedReason::Endless { size: stay.len(), place: places[first] as usize });
    }
    if values.width == 0 {
        // Nobody gets anything, and it ends.
        return Ok(());
    }
    if W::EXACT && cycle.spots.iter().any(|spot| spot.wish == CycleMover::Both) {
        return Err(UnsolvedReason::Irrational { size, place });
    }
    if W::EXACT { improve(pass, places, values) } else { cycle.approach(pass, places, values) }
}

fn improve<W: Scalar>(
    pass: &Pass<'_, W>,
    places: &[u32],
    values: &mut Values<W>,
) -> Result<(), UnsolvedReason> {
    // Sums of fractions grow longer with each sweep: they only find a first plan.
    for _ in 0..3 {
        if sweep(pass, places, values)? {
            break;
        }
    }
    for _ in 0..ROUNDS {
        if !(pass.may_continue)() {
            return Err(UnsolvedReason::Stopped);
        }
        hold(pass, places, values)?;
        if sweep(pass, places, values)? {
            return Ok(());
        }
    }
    Err(UnsolvedReason::Unsettled { size: places.len(), place: places[0] as usize })
}

/// Recomputes each place from the values of the others, and returns whether all are as before.
fn sweep<W: Scalar>(
    pass: &Pass<'_, W>,
    places: &[u32],
    values: &mut Values<W>,
) -> Result<bool, UnsolvedReason> {
    let mut same = true;
    for &place in places.iter().rev() {
        let plan = pass.plan(place as usize, values)?;
        let worth = pass.worth(place as usize, &plan, values);
        same &= worth[0] == *values.of(place, 0);
        values.set(place as usize, worth, plan);
    }
    Ok(same)
}

fn hold<W: Scalar>(
    pass: &Pass<'_, W>,
    places: &[u32],
    values: &mut Values<W>,
) -> Result<(), UnsolvedReason> {
    let count = places.len();
    let mut lines = Vec::with_capacity(count);
    for (number, &place) in places.iter().enumerate() {
        let mut line = vec![W::zero(); count + 1];
        line[number] = W::one();
        for (to, share) in pass.steps(place as usize, &values.plans[place as usize]) {
            let (at, part) = match places.binary_search(&to) {
                Ok(at) => (at, W::zero() - share),
                Err(_) => (count, share * values.of(to, 0).clone()),
            };
            line[at] = line[at].clone() + part;
        }
        lines.push(line);
    }
    let solved =
        solve_equations(lines, pass.may_continue).ok_or_else(|| match (pass.may_continue)() {
            true => UnsolvedReason::Unsettled { size: count, place: places[0] as usize },
            false => UnsolvedReason::Stopped,
        })?;
    for (&place, worth) in places.iter().zip(solved) {
        values.worth[place as usize] = worth;
    }
    Ok(())
}

/// What the free sides want of a place of a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CycleMover {
    /// What happens there is given.
    Nothing,
    Most,
    Least,
    /// One the most, the other the least, at once.
    Both,
}

/// One option at a place, or all that happens there by itself.
struct CycleOption<W> {
    /// What may follow in the cycle, by its number there, with the probability.
    inside: Vec<(usize, W)>,
    /// What follows outside is worth: its part of the mean, its least and its greatest value.
    outside: Option<[W; 3]>,
}

struct CyclePlace<W> {
    wish: CycleMover,
    ways: Vec<CycleOption<W>>,
    /// How many of the ways are one row, in a joint decision.
    columns: usize,
}

/// Places that lead back to each other, by numbers of their own.
struct Cycle<W> {
    spots: Vec<CyclePlace<W>>,
}

/// A largest set of places among which one side could stay for ever, sorted.
struct Lasting {
    places: Vec<usize>,
    wish: CycleMover,
}

impl<W: Scalar> CycleOption<W> {
    fn of(
        steps: impl IntoIterator<Item = (u32, W)>,
        places: &[u32],
        values: &Values<W>,
    ) -> CycleOption<W> {
        let mut way = CycleOption { inside: Vec::new(), outside: None };
        for (to, share) in steps {
            if let Ok(at) = places.binary_search(&to) {
                way.inside.push((at, share));
                continue;
            }
            // Where nobody gets anything, no place has a number.
            let worth = if values.width == 0 { W::zero() } else { values.of(to, 0).clone() };
            let part = worth.clone() * share;
            way.outside = Some(match way.outside {
                None => [part, worth.clone(), worth],
                Some([sum, low, high]) => {
                    [sum + part, least(low, worth.clone()), most(high, worth)]
                }
            });
        }
        way
    }

    /// What it is worth where the places of the cycle are worth that.
    fn worth(&self, worth: &[W]) -> W {
        let (sum, mut range) = match &self.outside {
            None => (W::zero(), None),
            Some([sum, low, high]) => (sum.clone(), Some((low.clone(), high.clone()))),
        };
        let mut sum = sum;
        for (at, share) in &self.inside {
            let here = &worth[*at];
            sum = sum + here.clone() * share.clone();
            range = Some(match range {
                None => (here.clone(), here.clone()),
                Some((low, high)) => (least(low, here.clone()), most(high, here.clone())),
            });
        }
        // Chances sum to 1, even if they are rounded.
        range.map_or(sum.clone(), |(low, high)| least(most(sum, low), high))
    }

    /// Whether it leads nowhere but to places of a sorted set.
    fn stays(&self, inside: impl Fn(usize) -> bool) -> bool {
        self.outside.is_none() && self.inside.iter().all(|(at, _)| inside(*at))
    }
}

impl<W: Scalar> Cycle<W> {
    fn of(pass: &Pass<'_, W>, places: &[u32], values: &Values<W>) -> Cycle<W> {
        let spots =
            places.iter().map(|&place| CyclePlace::of(pass, place as usize, places, values));
        Cycle { spots: spots.collect() }
    }

    /// The ways on at each place. A way that may lead out of the cycle leads to no place of it.
    fn ways(&self) -> Vec<PlaceWays> {
        let outside = self.spots.len();
        let way = |way: &CycleOption<W>| {
            let inside = way.inside.iter().map(|(at, _)| *at);
            inside.chain(way.outside.as_ref().map(|_| outside)).collect()
        };
        self.spots.iter().map(|spot| spot.ways.iter().map(way).collect()).collect()
    }

    /// Where one side alone could stay for ever, and leave; and where both could stay together, or nobody can
    /// leave.
    fn lasting(
        &self,
        may_continue: &dyn Fn() -> bool,
    ) -> Result<(Vec<Lasting>, Vec<usize>), UnsolvedReason> {
        let (mut sides, mut endless) = (Vec::new(), Vec::new());
        let wish = |at: &usize| self.spots[*at].wish;
        let ways = self.ways();
        let sets =
            |places| lasting_sets(&ways, places, may_continue).ok_or(UnsolvedReason::Stopped);
        for set in sets((0..self.spots.len()).collect())? {
            let mut wishes = set.iter().map(wish).filter(|wish| *wish != CycleMover::Nothing);
            let first = wishes.next();
            let alone = match first {
                Some(first @ (CycleMover::Most | CycleMover::Least)) => {
                    wishes.all(|wish| wish == first)
                }
                _ => false,
            };
            if alone && self.add_side(&set, &mut sides) {
                continue;
            }
            for own in [CycleMover::Most, CycleMover::Least] {
                let mine = |at: &&usize| [own, CycleMover::Nothing].contains(&wish(at));
                let mine: Vec<usize> = set.iter().filter(mine).copied().collect();
                for part in sets(mine)? {
                    if !alone && part.iter().any(|at| wish(at) == own) {
                        self.add_side(&part, &mut sides);
                    }
                }
            }
            endless.extend(set);
        }
        endless.sort_unstable();
        Ok((sides, endless))
    }

    /// Adds a set in which only one side decides, if it can be left.
    fn add_side(&self, set: &[usize], sides: &mut Vec<Lasting>) -> bool {
        let mut wishes = set.iter().map(|&at| self.spots[at].wish);
        let Some(wish) = wishes.find(|wish| *wish != CycleMover::Nothing) else { return false };
        let lasting = Lasting { places: set.to_vec(), wish };
        let left = self.ways_out(&lasting).next().is_some();
        if left {
            sides.push(lasting);
        }
        left
    }

    fn ways_out<'a>(
        &'a self,
        lasting: &'a Lasting,
    ) -> impl Iterator<Item = &'a CycleOption<W>> + 'a {
        let set = &lasting.places;
        let decides =
            set.iter().map(|&at| &self.spots[at]).filter(|s| s.wish != CycleMover::Nothing);
        let ways = decides.flat_map(|spot| &spot.ways);
        ways.filter(|way| !way.stays(|at| set.binary_search(&at).is_ok()))
    }

    /// Moves values from below and from above towards each other until they meet.
    fn approach(
        &self,
        pass: &Pass<'_, W>,
        places: &[u32],
        values: &mut Values<W>,
    ) -> Result<(), UnsolvedReason> {
        let (sides, endless) = self.lasting(pass.may_continue)?;
        let whole = pass.range();
        let outside = self.spots.iter().flat_map(|spot| &spot.ways).filter_map(|way| {
            way.outside.as_ref().map(|[_, low, high]| (low.clone(), high.clone()))
        });
        let wider = |a: (W, W), b: (W, W)| (least(a.0, b.0), most(a.1, b.1));
        let first = match endless.is_empty() {
            // All leave in the end: nothing is worth more than the best way out, nor less than the worst.
            true => outside.reduce(wider).or(whole.clone()),
            false => whole.clone(),
        };
        let size = places.len();
        let refused = match endless.first() {
            None => UnsolvedReason::Unsettled { size, place: places[0] as usize },
            Some(&at) => {
                UnsolvedReason::Endless { size: endless.len(), place: places[at] as usize }
            }
        };
        let Some((low, high)) = first else { return Err(refused) };
        let range = whole
            .map_or(0.0, |(low, high)| ((high / two() - low / two()).about() * 2.0).min(f64::MAX));
        let mut bounds = [vec![low; size], vec![high; size]];
        // The mixes of joint decisions, and the best options else, as they were when a side's value improved last:
        // these get it that value, since each leads to what was known before.
        let mut mixed: HashMap<usize, [Vec<W>; 2]> = HashMap::new();
        let mut picked: Vec<Option<Vec<u32>>> = vec![None; size];
        let at_once = self.spots.iter().any(|spot| spot.wish == CycleMover::Both);
        let steps = self.spots.iter().flat_map(|spot| &spot.ways);
        let looked_at: usize = size + steps.map(|way| way.inside.len()).sum::<usize>();
        let (still, sweeps) = match at_once {
            true => (STILL * range, JOINT_SWEEPS),
            false => (0.0, STEPS / looked_at),
        };
        let mut apart = f64::INFINITY;
        for sweep in 0..sweeps {
            if !(pass.may_continue)() {
                return Err(UnsolvedReason::Stopped);
            }
            let mut moved = 0.0_f64;
            // There and back, so that what is known travels both ways.
            for step in 0..size {
                let at = if sweep % 2 == 0 { size - 1 - step } else { step };
                let (next, mixes) = self.look(at, &bounds, pass);
                if let Some(side) = self.spots[at].side().filter(|&side| match side {
                    0 => next[0] > bounds[0][at],
                    _ => next[1] < bounds[1][at],
                }) {
                    picked[at] = Some(self.spots[at].best(&bounds[side], 0.0));
                }
                let by = narrow(&mut bounds, at, next);
                moved = moved.max(by[0]).max(by[1]);
                if let Some(mixes) = mixes {
                    let known = mixed.entry(at).or_insert_with(|| mixes.clone());
                    for (side, mix) in mixes.into_iter().enumerate() {
                        if by[side] > 0.0 {
                            known[side] = mix;
                        }
                    }
                }
            }
            for one in &sides {
                let side = usize::from(one.wish == CycleMover::Most);
                let ways = self.ways_out(one).map(|way| way.worth(&bounds[side]));
                let Some(best) = (if side == 1 { ways.reduce(most) } else { ways.reduce(least) })
                else {
                    continue;
                };
                for &at in &one.places {
                    let mut next = [bounds[0][at].clone(), bounds[1][at].clone()];
                    next[side] = best.clone();
                    let by = narrow(&mut bounds, at, next);
                    moved = moved.max(by[0]).max(by[1]);
                }
            }
            let widths = bounds[0].iter().zip(&bounds[1]);
            let width = widths.map(|(low, high)| (high.clone() - low.clone()).about());
            apart = width.fold(0.0, f64::max);
            if moved <= still || apart <= NEAR * range {
                break;
            }
            if sweep >= TRIAL && moved * ((sweeps - sweep) as f64) < apart {
                break;
            }
        }
        if apart > APART * range || range == 0.0 && !endless.is_empty() {
            return Err(refused);
        }
        for (at, &place) in places.iter().enumerate() {
            let within = pass.tiny.about().max(apart);
            let best =
                || self.spots[at].side().map(|side| self.spots[at].best(&bounds[side], within));
            let plan = match mixed.remove(&at) {
                Some(mixed) => PlacePlay::Mixed(mixed),
                None => play(pass, place as usize, picked[at].take().or_else(best)),
            };
            let worth = bounds[0][at].clone() / two() + bounds[1][at].clone() / two();
            values.set(place as usize, vec![worth], plan);
        }
        let repeats = values.repeats.get_or_insert_default();
        repeats.apart += apart;
        repeats.could_stay |= !sides.is_empty();
        repeats.endless += endless.len();
        Ok(())
    }

    /// What a place is worth from below and from above, and the mixes of a joint decision that get both sides that.
    fn look(
        &self,
        at: usize,
        bounds: &[Vec<W>; 2],
        pass: &Pass<'_, W>,
    ) -> ([W; 2], Option<[Vec<W>; 2]>) {
        let spot = &self.spots[at];
        let both = |pick: fn(W, W) -> W| {
            bounds.each_ref().map(|bounds| {
                let ways = spot.ways.iter().map(|way| way.worth(bounds));
                ways.reduce(pick).unwrap_or_else(W::zero)
            })
        };
        match spot.wish {
            CycleMover::Nothing | CycleMover::Most => (both(most), None),
            CycleMover::Least => (both(least), None),
            CycleMover::Both => {
                let rows = spot.ways.len() / spot.columns.max(1);
                let [lows, highs] = bounds.each_ref().map(|bounds| {
                    let cells = spot.ways.iter().map(|way| way.worth(bounds)).collect();
                    PayoffMatrix::new(rows, spot.columns, cells)
                });
                let low = W::equilibrium(&lows, pass.may_continue);
                let high = match lows == highs {
                    true => low.clone(),
                    false => W::equilibrium(&highs, pass.may_continue),
                };
                let (Some(low), Some(high)) = (low, high) else {
                    return (bounds.each_ref().map(|bounds| bounds[at].clone()), None);
                };
                // The mixes are the best as far as floats find them; what they get is computed from them alone.
                let gets = lows.certificate(&low.rows, &high.columns).0;
                let gives = highs.certificate(&low.rows, &high.columns).1;
                ([gets, gives], Some([low.rows, high.columns]))
            }
        }
    }
}

/// The play at a place where one side has these options that are as good as any, each picked as often; else what is
/// given.
fn play<W: Scalar>(pass: &Pass<'_, W>, place: usize, good: Option<Vec<u32>>) -> PlacePlay<W> {
    let given = pass.against.and_then(|(free, plans)| Some((free, plans.get(place)?)));
    match (good, given) {
        (Some(good), Some((free, PlacePlay::Mixed(mixed)))) => {
            let mut mixed = mixed.clone();
            mixed[free] = evenly(&good, mixed[free].len());
            PlacePlay::Mixed(mixed)
        }
        (Some(good), _) => PlacePlay::Best(good),
        (None, given) => given.map_or(PlacePlay::None, |(_, plan)| plan.clone()),
    }
}

fn two<W: Scalar>() -> W {
    W::one() + W::one()
}

/// Moves values from below and above towards each other; by how much each moved.
fn narrow<W: Scalar>(bounds: &mut [Vec<W>; 2], at: usize, [low, high]: [W; 2]) -> [f64; 2] {
    let low = most(bounds[0][at].clone(), low);
    let high = least(bounds[1][at].clone(), high);
    if low > high {
        return [0.0; 2];
    }
    let moved = [low.clone() - bounds[0][at].clone(), bounds[1][at].clone() - high.clone()];
    (bounds[0][at], bounds[1][at]) = (low, high);
    moved.map(|moved| moved.about())
}

impl<W: Scalar> CyclePlace<W> {
    /// The side that decides alone, by the values that it can rely on: those from below, or from above.
    fn side(&self) -> Option<usize> {
        match self.wish {
            CycleMover::Most => Some(0),
            CycleMover::Least => Some(1),
            CycleMover::Nothing | CycleMover::Both => None,
        }
    }

    /// The options that are as good as any for the side that decides, but for so much.
    fn best(&self, worth: &[W], within: f64) -> Vec<u32> {
        let ways: Vec<W> = self.ways.iter().map(|way| way.worth(worth)).collect();
        let best =
            ways.iter().cloned().reduce(if self.wish == CycleMover::Most { most } else { least });
        let off = |worth: &W| best.clone().map_or(0.0, |best| (best - worth.clone()).abs().about());
        (0..).zip(&ways).filter(|(_, worth)| off(worth) <= within).map(|(at, _)| at).collect()
    }

    fn of(pass: &Pass<'_, W>, place: usize, places: &[u32], values: &Values<W>) -> CyclePlace<W> {
        let way = |steps: Vec<(u32, W)>| CycleOption::of(steps, places, values);
        let free = |wish, columns| {
            let to = pass.board.next(place).iter();
            let ways = to.map(|&to| way(vec![(to, W::one())])).collect();
            CyclePlace { wish, ways, columns }
        };
        let plan = pass.against.and_then(|(_, plans)| plans.get(place));
        match (pass.board.movers[place], pass.against, plan) {
            (Mover::Side(1), None, _) if pass.zero_sum => free(CycleMover::Least, 1),
            (Mover::Side(_), None, _) => free(CycleMover::Most, 1),
            (Mover::Side(side), Some((own, _)), _) if own == side as usize => {
                free(CycleMover::Most, 1)
            }
            (Mover::Both(columns), None, _) => free(CycleMover::Both, columns as usize),
            (Mover::Both(_), Some((own @ (0 | 1), _)), Some(PlacePlay::Mixed(mixed))) => {
                let joint = pass.board.table_at(place);
                let ways = joint.map_or_else(Vec::new, |joint| joint.answers(own, &mixed[1 - own]));
                CyclePlace {
                    wish: CycleMover::Most,
                    ways: ways.into_iter().map(way).collect(),
                    columns: 1,
                }
            }
            (_, _, plan) => {
                let steps = pass.steps(place, plan.unwrap_or(&PlacePlay::None));
                let steps = steps.into_iter().filter(|(_, share)| !share.is_zero()).collect();
                CyclePlace { wish: CycleMover::Nothing, ways: vec![way(steps)], columns: 1 }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    //! Tests values, and the plans that go with them, against every positional play of either side.

    use proptest::prelude::*;

    use super::*;
    use crate::analysis::equilibrium::board::{Board, Opposed};
    use crate::analysis::equilibrium::test_games::{board_of, fraction};
    use crate::explored::ExploredGame;

    /// The kind of each place, and the places that follow: 0 to 2 are endings worth -1, 0 and 1, 3 is
    /// chance, 4 and 5 the sides.
    type Places = Vec<(usize, Vec<usize>)>;

    const ENDS: [f64; 3] = [-1.0, 0.0, 1.0];
    const MOST: usize = 4;
    const LEAST: usize = 5;

    fn board(places: &Places) -> Board {
        let mover = |(kind, _): &(usize, Vec<usize>)| match *kind {
            end @ 0..=2 => Mover::End(end as u32),
            3 => Mover::Chance,
            side => Mover::Side((side - MOST) as u32),
        };
        let steps = |(kind, to): &(usize, Vec<usize>)| {
            to.iter().filter(|_| *kind > 2).map(|&to| (to as u32, 1)).collect()
        };
        let game = ExploredGame::of(&places.iter().map(steps).collect::<Vec<_>>());
        let worth = ENDS.iter().map(|&end| vec![fraction(end), fraction(-end)]).collect();
        let board = board_of(2, game, places.iter().map(mover).collect(), worth);
        Board { opposed: Some(Opposed { most: fraction(0.0), rate: fraction(1.0) }), ..board }
    }

    /// The options that are picked at each place, each as often.
    type Picks = Vec<Vec<usize>>;

    fn led(places: &Places, picks: &Picks) -> Vec<Vec<usize>> {
        let of = |(at, (kind, to)): (usize, &(usize, Vec<usize>))| match *kind {
            0..=2 => Vec::new(),
            3 => to.clone(),
            _ => picks[at].iter().map(|&pick| to[pick]).collect(),
        };
        places.iter().enumerate().map(of).collect()
    }

    /// The places that each place may lead to, with itself.
    fn reach(steps: &[Vec<usize>], within: &dyn Fn(usize) -> bool) -> Vec<u32> {
        let mut reach: Vec<u32> = (0..steps.len()).map(|at| 1 << at).collect();
        for _ in 0..steps.len() {
            for at in (0..steps.len()).filter(|&at| within(at)) {
                for &to in steps[at].iter().filter(|&&to| within(to)) {
                    reach[at] |= reach[to];
                }
            }
        }
        reach
    }

    /// The value of playing among these places for ever; `unknown` if no rule gives one.
    fn for_ever(places: &Places, class: u32, unknown: f64) -> f64 {
        let inside = |set: u32, at: usize| set & (1 << at) != 0;
        let decides =
            |side: usize| (0..places.len()).any(|at| inside(class, at) && places[at].0 == side);
        let (side, worst) = match (decides(MOST), decides(LEAST)) {
            (true, false) => (MOST, -1.0),
            (false, true) => (LEAST, 1.0),
            _ => return unknown,
        };
        // The largest set around them in which the side could stay, by trying all.
        let stays = |set: u32| {
            let keeps = |at: usize| {
                let back = |to: &usize| inside(set, *to);
                match places[at].0 {
                    3 => places[at].1.iter().all(back),
                    kind => kind == side && places[at].1.iter().any(back),
                }
            };
            let all: Vec<Vec<usize>> = places.iter().map(|(_, to)| to.clone()).collect();
            let reach = reach(&all, &|at| inside(set, at));
            let own = (0..places.len()).filter(|&at| inside(set, at));
            own.clone().all(keeps) && own.clone().all(|at| reach[at] & set == set)
        };
        let sets = (0u32..1 << places.len()).filter(|set| set & class == class && stays(*set));
        let largest = sets.fold(class, |all, set| all | set);
        let leaves = |at: usize| {
            inside(largest, at)
                && places[at].0 == side
                && places[at].1.iter().any(|&to| !inside(largest, to))
        };
        // Who cannot leave does not stay of their own accord.
        if (0..places.len()).any(leaves) { worst } else { unknown }
    }

    fn worth(places: &Places, picks: &Picks, unknown: f64) -> Vec<f64> {
        let steps = led(places, picks);
        let reach = reach(&steps, &|_| true);
        let lines = (0..places.len()).map(|at| {
            let mut line = vec![0.0; places.len() + 1];
            line[at] = 1.0;
            let class = reach[at];
            let returns = (0..places.len()).all(|to| class & (1 << to) == 0 || reach[to] == class);
            match places[at].0 {
                end @ 0..=2 => line[places.len()] = ENDS[end],
                _ if returns => line[places.len()] = for_ever(places, class, unknown),
                _ => {
                    let share = 1.0 / steps[at].len() as f64;
                    steps[at].iter().for_each(|&to| line[to] -= share);
                }
            }
            line
        });
        solve_equations(lines.collect(), &|| true).unwrap()
    }

    fn ways(places: &Places, side: usize, picks: &Picks) -> Vec<Picks> {
        let mut all = vec![picks.clone()];
        for (at, (kind, to)) in places.iter().enumerate() {
            if *kind == side {
                let one = |picks: &Picks| {
                    let picks = picks.clone();
                    (0..to.len()).map(move |step| {
                        let mut picks = picks.clone();
                        picks[at] = vec![step];
                        picks
                    })
                };
                all = all.iter().flat_map(one).collect();
            }
        }
        all
    }

    /// The best of each place, of these.
    fn best(all: impl Iterator<Item = Vec<f64>>, better: fn(f64, f64) -> f64) -> Vec<f64> {
        let each = |a: Vec<f64>, b: Vec<f64>| a.iter().zip(b).map(|(a, b)| better(*a, b)).collect();
        all.reduce(each).unwrap()
    }

    /// What the side that wants least leaves of these picks of the other, and the other way round.
    fn answered(places: &Places, side: usize, picks: &Picks, unknown: f64) -> Vec<f64> {
        let ways = ways(places, side, picks).into_iter();
        let worths = ways.map(|picks| worth(places, &picks, unknown));
        best(worths, if side == LEAST { f64::min } else { f64::max })
    }

    fn agrees(places: &Places) -> Result<(), TestCaseError> {
        let board = board(places);
        let first = vec![vec![0]; places.len()];
        let own = |unknown| {
            let ways = ways(places, MOST, &first).into_iter();
            best(ways.map(|picks| answered(places, LEAST, &picks, unknown)), f64::max)
        };
        let (low, high) = (own(-1.0), own(1.0));
        let pass = Pass::<f64>::new(&board, true, &|| true);
        let met = |place: &usize| (low[*place] - high[*place]).abs() < 1e-9;
        let values = match pass.values() {
            Ok(values) => values,
            Err(why) => {
                let is_endless = matches!(why, UnsolvedReason::Endless { .. });
                prop_assert!(is_endless && !(0..places.len()).all(|at| met(&at)), "{why}");
                return Ok(());
            }
        };
        let reached: Vec<usize> =
            board.components().iter().flatten().map(|&place| place as usize).collect();
        prop_assert!(reached.iter().all(met), "{low:?} {high:?}");
        let off = |at: usize, worth: f64| (worth - *values.of(at as u32, 0)).abs();
        prop_assert!(reached.iter().all(|&at| off(at, low[at]) < 1e-9), "{low:?}");
        let play = |plan: &PlacePlay<f64>| match plan {
            PlacePlay::Best(best) => best.iter().map(|&at| at as usize).collect(),
            _ => vec![0],
        };
        let picks: Picks = values.plans.iter().map(play).collect();
        let gets = answered(places, LEAST, &picks, -1.0)[0];
        let gives = answered(places, MOST, &picks, 1.0)[0];
        prop_assert!(gets > low[0] - 1e-9 && gives < low[0] + 1e-9, "{gets} {} {gives}", low[0]);
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(150))]

        #[test]
        fn values_are_those_of_the_best_positional_play(
            places in prop::collection::vec((3usize..6, prop::collection::vec(0usize..8, 2..4)), 2..6)
        ) {
            // The endings come after the places; all of them are there, so that the range is.
            let count = places.len();
            let mut places: Places = places
                .into_iter()
                .map(|(kind, to)| (kind, to.into_iter().map(|to| to % (count + 3)).collect()))
                .collect();
            places.extend((0..3).map(|end| (end, Vec::new())));
            agrees(&places)?;
        }
    }

    #[test]
    fn numbers_whose_difference_is_no_float_are_distinguished() {
        // A coin that is thrown again half of the time, and else wins or loses as often: nothing.
        let coin: Places = vec![(3, vec![1, 0]), (3, vec![2, 3]), (0, vec![]), (2, vec![])];
        let mut board = board(&coin);
        let huge = |of: f64| fraction(of * 1.7e308);
        board.worth = ENDS.iter().map(|&end| vec![huge(end), huge(-end)]).collect();
        let values = Pass::<f64>::new(&board, true, &|| true).values().unwrap();
        assert!(values.of(0, 0).abs() < 1e297, "{}", values.of(0, 0));
    }
}
