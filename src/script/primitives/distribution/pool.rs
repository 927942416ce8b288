//! Dice pools: how many dice succeed, for plain, exploding and rerolled dice.
//!
//! With `m` faces that can remain in the end, of which `p` succeed, `q` fail and one more succeeds
//! and explodes, a die has the generating function `(q + p·z) / (m − z)`. So of `n` dice `k`
//! succeed with weight `Σ C(n, j) qⁿ⁻ʲ pʲ mʲ C(n − 1 + k − j, k − j)` of `mⁿ⁺ᵏ`: whole numbers,
//! nothing rounded.
//!
//! Opposed dice, highest against highest: the distribution of how many pairs the first side wins.
//!
//! Faces are taken from the highest down. With `a` and `b` dice above a face, and `i` and `j` that
//! show it, the first side's dice at the places from `a` to `a + i` beat those of the second side
//! that are lower: the ones at places from `b + j` on. The dice that show a face can be any of
//! those left, so each way has the weight `C(n − a, i) · C(m − b, j)`: whole numbers, nothing
//! rounded.

use num_bigint::BigUint;
use num_traits::{One, Zero};
use rhai::{Array, Dynamic, INT, Map, Position};

use super::{Dist, Fault, LONGEST_WEIGHT, MOST, fail, make, words_of};
use crate::error::{hint, nearest};
use crate::game::Value;
use crate::script::sandbox::fuel::charge;

/// More dice that explode than this are refused.
const MOST_EXPLODING: INT = 200;

/// Dice that explode have no greatest number of successes: it is the first `k` for which more than
/// `k` are less likely than 2 to the power of minus this.
const CUT: u32 = 40;

/// Dice, and what counts.
#[derive(Clone, Debug)]
pub(in crate::script) struct Pool {
    n: INT,
    sides: INT,
    target: INT,
    /// The face that rolls one more die.
    explode: Option<INT>,
    /// The faces that are rolled again until none is left, in order.
    reroll: Vec<INT>,
}

impl Pool {
    pub(in crate::script) fn new(n: INT, sides: INT, target: INT) -> Result<Pool, String> {
        if !(0..=MOST).contains(&n) || !(1..=MOST).contains(&sides) {
            return Err(format!(
                "must be 0 to {MOST} dice with 1 to {MOST} sides, got {n} with {sides}"
            ));
        }
        if n * INT::from(64 - sides.leading_zeros()) > LONGEST_WEIGHT {
            return Err(format!("the weights of {n} dice with {sides} sides are too long"));
        }
        Ok(Pool { n, sides, target, explode: None, reroll: Vec::new() })
    }

    /// The same dice with `explode: face` and `reroll: [faces]`.
    pub(in crate::script) fn with(mut self, options: &Map) -> Result<Pool, String> {
        for (key, value) in options {
            match key.as_str() {
                "explode" => self.explode = Some(self.face(key, value)?),
                "reroll" => {
                    let faces = value.read_lock::<Array>();
                    let faces = faces.ok_or("`reroll` must be a list of faces")?;
                    self.reroll =
                        faces.iter().map(|face| self.face(key, face)).collect::<Result<_, _>>()?;
                    self.reroll.sort_unstable();
                    self.reroll.dedup();
                }
                _ => {
                    let near = hint(&nearest(key, ["explode", "reroll"]));
                    return Err(format!("unknown key `{key}`{near}"));
                }
            }
        }
        let left = self.sides - self.reroll.len() as INT;
        if let Some(face) = self.explode {
            if self.reroll.contains(&face) {
                return Err(format!("{face} cannot explode and be rolled again"));
            }
            if left == 1 {
                return Err("every die would explode for ever".to_owned());
            }
            if self.n > MOST_EXPLODING {
                return Err(format!("at most {MOST_EXPLODING} dice can explode, got {}", self.n));
            }
        }
        if left == 0 {
            return Err("every die would be rolled again for ever".to_owned());
        }
        Ok(self)
    }

    /// How many products of numbers as long as a weight it takes to weigh one number of successes.
    pub(in crate::script) fn products(&self) -> u64 {
        match self.explode {
            Some(_) => 16 + 2 * self.n.unsigned_abs(),
            None => 16,
        }
    }

    /// An upper bound on the probability of more successes than are listed; `None` if all are.
    pub(in crate::script) fn beyond(&self) -> Option<f64> {
        let endless = self.n > 0 && self.explode.is_some_and(|face| face >= self.target);
        endless.then(|| (-f64::from(CUT)).exp2())
    }

    fn face(&self, key: &str, value: &Dynamic) -> Result<INT, String> {
        let wrong = || format!("`{key}` must name faces from 1 to {}, got {value}", self.sides);
        value.as_int().ok().filter(|face| (1..=self.sides).contains(face)).ok_or_else(wrong)
    }

    pub(in crate::script) fn weigh(&self) -> Vec<(Value, BigUint)> {
        let counts = |face: &INT| !self.reroll.contains(face) && self.explode != Some(*face);
        let faces = (1..=self.sides).filter(counts);
        let (yes, no): (Vec<INT>, Vec<INT>) = faces.partition(|face| *face >= self.target);
        let (yes, no) = (BigUint::from(yes.len()), BigUint::from(no.len()));
        let weights = match self.explode {
            Some(face) if face >= self.target => self.exploding(&yes, &no),
            // A failure that rolls one more die is a die that is rolled again.
            _ => binomial(self.n as u32, &yes, &no),
        };
        weights.into_iter().enumerate().map(|(k, w)| (Value::Int(k as INT), w)).collect()
    }

    fn exploding(&self, yes: &BigUint, no: &BigUint) -> Vec<BigUint> {
        let n = self.n as u32;
        if n == 0 {
            return vec![BigUint::one()];
        }
        let faces = yes + no + 1u8;
        // Each die's first throw: what comes of the dice that explode is counted by `chains`.
        let first: Vec<BigUint> = binomial(n, &(yes * &faces), no);
        // chains[i]: in how many ways n dice can explode i times.
        let mut chains = vec![BigUint::one()];
        let mut weights: Vec<BigUint> = Vec::new();
        let mut total = faces.pow(n);
        let mut rest = total.clone();
        loop {
            let k = weights.len();
            let pairs = first.iter().zip(chains.iter().rev());
            let weight: BigUint = pairs.map(|(first, chain)| first * chain).sum();
            // `rest` of `total` is how likely k or more are.
            let more = &rest - &weight;
            if (&more << CUT) < total {
                weights.push(rest);
                return weights;
            }
            weights.push(weight);
            for weight in &mut weights {
                *weight *= &faces;
            }
            rest = more * &faces;
            total *= &faces;
            let next = &chains[k] * (n as usize + k) / (k + 1);
            chains.push(next);
        }
    }
}

/// Binomial weights: n over k, times the ways in which k dice succeed and the rest do not.
fn binomial(n: u32, yes: &BigUint, no: &BigUint) -> Vec<BigUint> {
    let mut choose = BigUint::one();
    let mut weights = Vec::with_capacity(n as usize + 1);
    for k in 0..=n {
        weights.push(&choose * yes.pow(k) * no.pow(n - k));
        choose = choose * (n - k) / (k + 1);
    }
    debug_assert!(choose.is_zero());
    weights
}

/// More dice a side than this are refused.
const MOST_DICE: INT = 12;
/// More sides than this are refused.
const MOST_SIDES: INT = 100;

/// How many pairs of dice, highest against highest, the first side wins.
pub(in crate::script) fn pairs_won(first: INT, second: INT, sides: INT) -> Result<Dist, Fault> {
    let pairs = Pairs::new(first, second, sides);
    let refuse = |message| fail(format!("pairs_won: {message}"), Position::NONE);
    let (weights, products) = pairs.map_err(refuse)?.weigh();
    let dist = make("pairs_won", Ok((0..).map(Value::Int).zip(weights).collect()))?;
    charge(products * words_of(dist.0.weights()));
    Ok(dist)
}

/// The dice of two sides.
#[derive(Clone, Copy, Debug)]
struct Pairs {
    first: usize,
    second: usize,
    sides: INT,
}

/// Weights by how many dice of the first side are placed, how many of the second, and how many
/// pairs the first has won.
type PairWeights = Vec<Vec<Vec<BigUint>>>;

impl Pairs {
    fn new(first: INT, second: INT, sides: INT) -> Result<Pairs, String> {
        let dice = |count: INT| {
            let fits = (0..=MOST_DICE).contains(&count) && (1..=MOST_SIDES).contains(&sides);
            usize::try_from(count).ok().filter(|_| fits)
        };
        match (dice(first), dice(second)) {
            (Some(first), Some(second)) => Ok(Pairs { first, second, sides }),
            _ => Err(format!(
                "must be 0 to {MOST_DICE} dice a side with 1 to {MOST_SIDES} sides, got {first} \
                 against {second} with {sides}"
            )),
        }
    }

    /// The weights of 0 pairs won and so on, and how many products it took to find them.
    fn weigh(self) -> (Vec<BigUint>, u64) {
        let choose = choices(self.first.max(self.second));
        let mut products = 0;
        let mut table = self.empty();
        table[0][0][0] = BigUint::one();
        for _ in 0..self.sides {
            // The second side's dice that show the face come first: equal dice are its own.
            let mut laid = self.empty();
            for (a, b, won, weight) in ways(&table) {
                let left = self.second - b;
                for (j, count) in choose[left].iter().enumerate() {
                    laid[a][b + j][won] += weight * count;
                    products += 1;
                }
            }
            table = self.empty();
            for (a, b, won, weight) in ways(&laid) {
                let left = self.first - a;
                for (i, count) in choose[left].iter().enumerate() {
                    let beats = (a + i).min(self.second).saturating_sub(a.max(b));
                    table[a + i][b][won + beats] += weight * count;
                    products += 1;
                }
            }
        }
        (table.swap_remove(self.first).swap_remove(self.second), products)
    }

    fn empty(self) -> PairWeights {
        let won = vec![BigUint::zero(); self.first.min(self.second) + 1];
        vec![vec![won; self.second + 1]; self.first + 1]
    }
}

fn ways(table: &PairWeights) -> impl Iterator<Item = (usize, usize, usize, &BigUint)> {
    table.iter().enumerate().flat_map(|(a, row)| {
        row.iter().enumerate().flat_map(move |(b, cell)| {
            let weighed = cell.iter().enumerate().filter(|(_, weight)| !weight.is_zero());
            weighed.map(move |(won, weight)| (a, b, won, weight))
        })
    })
}

/// Pascal's triangle: the number of ways to choose i of n dice.
fn choices(most: usize) -> Vec<Vec<BigUint>> {
    let mut rows = vec![vec![BigUint::one()]];
    for n in 1..=most {
        let above = &rows[n - 1];
        let inner = above.windows(2).map(|two| &two[0] + &two[1]);
        let row = [BigUint::one()].into_iter().chain(inner).chain([BigUint::one()]).collect();
        rows.push(row);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Distribution;
    use num_rational::Ratio;

    fn options(explode: Option<INT>, reroll: &[INT]) -> Map {
        let faces: Array = reroll.iter().map(|&face| face.into()).collect();
        let explode = explode.map(|face| ("explode".into(), face.into()));
        [("reroll".into(), faces.into())].into_iter().chain(explode).collect()
    }

    fn pool(n: INT, target: INT, explode: Option<INT>, reroll: &[INT]) -> Distribution {
        let pool = Pool::new(n, 6, target).unwrap().with(&options(explode, reroll)).unwrap();
        Distribution::new(pool.weigh()).unwrap()
    }

    fn ratio(above: u64, below: u64) -> Ratio<BigUint> {
        Ratio::new(above.into(), below.into())
    }

    fn mean(dist: &Distribution) -> Ratio<BigUint> {
        let value = |at: usize| dist.values()[at].as_int().unwrap() as u64;
        (0..dist.values().len())
            .map(|at| dist.probability(at) * ratio(value(at), 1))
            .fold(ratio(0, 1), |sum, part| sum + part)
    }

    #[test]
    fn three_dice_that_need_a_five_have_the_known_chances_of_nothing() {
        assert_eq!(pool(3, 5, Some(6), &[]).probability(0), ratio(8, 27));
        assert_eq!(pool(3, 5, None, &[1]).probability(0), ratio(27, 125));
        let plain = pool(3, 5, None, &[]).probability(0);
        assert_eq!(&plain * &plain, ratio(64, 729));
    }

    #[test]
    fn no_success_is_as_likely_as_all_dice_failing_once() {
        for n in 0..=10 {
            for t in 3..=6 {
                let vigor = ratio((t - 1) as u64, 6).pow(n as i32);
                assert_eq!(pool(n, t, Some(6), &[]).probability(0), vigor);
                let intuition = ratio((t - 2) as u64, 5).pow(n as i32);
                assert_eq!(pool(n, t, None, &[1]).probability(0), intuition);
            }
        }
    }

    #[test]
    fn means_are_exact_where_nothing_is_cut_and_below_by_next_to_nothing_where_it_is() {
        for n in 0..=6 {
            for t in 3..=6 {
                let whole = ratio((n * (7 - t)) as u64, 5);
                assert_eq!(mean(&pool(n, t, None, &[1])), whole);
                let cut = mean(&pool(n, t, Some(6), &[]));
                assert!(cut <= whole, "{n} {t}");
                // More than k: below 2^-40, and each further success 6 times less likely or rarer.
                assert!((whole - cut) * ratio(1 << 36, 1) < ratio(1, 1), "{n} {t}");
            }
        }
    }

    /// P(k successes) for dice that explode at most `depth` times more, by throwing every face.
    fn enumerate(
        open: u32,
        t: u32,
        depth: u32,
        p: Ratio<BigUint>,
        counts: (&mut [Ratio<BigUint>], usize),
    ) {
        let (counts, k) = counts;
        if open == 0 {
            counts[k.min(counts.len() - 1)] += p;
            return;
        }
        for face in 1..=6u32 {
            let (p, hit) = (&p / ratio(6, 1), usize::from(face >= t));
            let again = u32::from(face == 6 && depth > 0);
            enumerate(open - 1 + again, t, depth - again, p, (&mut *counts, k + hit));
        }
    }

    #[test]
    fn small_pools_that_explode_are_what_throwing_every_face_comes_to() {
        for (n, t) in [(1, 5), (2, 4), (2, 6), (3, 5)] {
            // What ends with fewer than `depth` explosions is exact: up to 3 successes at most.
            let mut counts = vec![ratio(0, 1); 9];
            enumerate(n, t, 4, ratio(1, 1), (&mut counts, 0));
            let dist = pool(n.into(), t.into(), Some(6), &[]);
            for (k, count) in counts.iter().enumerate().take(4) {
                assert_eq!(dist.probability(k), *count, "{n} dice, target {t}, {k} successes");
            }
        }
    }

    #[test]
    fn small_pools_rolled_again_are_what_the_other_faces_come_to() {
        // Two dice of 3 to 6: 16 pairs, with target 5 in 4, 8 and 4 of them 0, 1 and 2 successes.
        let dist = pool(2, 5, None, &[2, 1, 2]);
        assert_eq!(
            [0, 1, 2].map(|k| dist.probability(k)),
            [(1, 4), (1, 2), (1, 4)].map(|(a, b)| ratio(a, b))
        );
        // Ones rolled again and sixes exploding: of 5 faces 3 fail, one succeeds, one explodes.
        let dist = pool(1, 5, Some(6), &[1]);
        assert_eq!(dist.probability(0), ratio(3, 5));
        assert_eq!(dist.probability(1), ratio(1, 5) + ratio(3, 25));
    }

    #[test]
    fn the_cut_is_the_first_number_that_is_passed_less_often_than_the_bound() {
        // One die that needs a 6: more than k has probability 6^-(k+1); 6^15 < 2^40 < 6^16.
        let dist = pool(1, 6, Some(6), &[]);
        assert_eq!(dist.values().len(), 16);
        let six = |power: u32| ratio(6, 1).pow(power as i32);
        assert_eq!(dist.probability(15), ratio(1, 1) / six(15));
        assert_eq!(dist.probability(14), ratio(5, 1) / six(15));
    }

    #[test]
    fn what_fails_and_explodes_is_rolled_again() {
        assert_eq!(pool(3, 7, Some(6), &[]).values(), [Value::Int(0)]);
        let twos = Pool::new(3, 6, 5).unwrap().with(&options(Some(2), &[])).unwrap();
        let again = Pool::new(3, 6, 5).unwrap().with(&options(None, &[2])).unwrap();
        assert_eq!(twos.weigh(), again.weigh());
    }

    #[test]
    fn dice_that_never_rest_are_refused() {
        let refused = |explode, reroll: &[INT], n| {
            Pool::new(n, 6, 5).and_then(|pool| pool.with(&options(explode, reroll))).unwrap_err()
        };
        assert!(refused(Some(6), &[1, 2, 3, 4, 5], 1).contains("for ever"));
        assert!(refused(None, &[1, 2, 3, 4, 5, 6], 1).contains("for ever"));
        assert!(refused(Some(6), &[6], 1).contains("explode and be rolled again"));
        assert!(refused(Some(7), &[], 1).contains("faces from 1 to 6"));
        assert!(refused(Some(6), &[], 201).contains("200"));
        let mut typo = Map::new();
        typo.insert("rerol".into(), Array::new().into());
        let error = Pool::new(1, 6, 5).unwrap().with(&typo).unwrap_err();
        assert!(error.contains("did you mean `reroll`"), "{error}");
    }

    fn weights(first: INT, second: INT, sides: INT) -> Vec<u64> {
        let weighed = Pairs::new(first, second, sides).unwrap().weigh().0;
        weighed.iter().map(|weight| u64::try_from(weight).unwrap()).collect()
    }

    /// By throwing every face of every die.
    fn thrown(first: usize, second: usize, sides: u64) -> Vec<u64> {
        let dice = (first + second) as u32;
        let mut counts = vec![0; first.min(second) + 1];
        for throw in 0..sides.pow(dice) {
            let faces: Vec<u64> = (0..dice).map(|die| throw / sides.pow(die) % sides).collect();
            let (mut ours, mut theirs) = (faces[..first].to_vec(), faces[first..].to_vec());
            ours.sort_by(|a, b| b.cmp(a));
            theirs.sort_by(|a, b| b.cmp(a));
            counts[ours.iter().zip(&theirs).filter(|(our, their)| our > their).count()] += 1;
        }
        counts
    }

    #[test]
    fn pairs_are_what_throwing_every_face_comes_to() {
        for (first, second) in [(0, 2), (1, 1), (1, 2), (2, 1), (2, 2), (3, 2), (1, 4), (3, 3)] {
            for sides in [1, 2, 3, 6] {
                let counted = thrown(first, second, sides);
                let found = weights(first as INT, second as INT, sides as INT);
                assert_eq!(found, counted, "{first} against {second} with {sides}");
            }
        }
    }

    #[test]
    fn the_largest_pools_have_all_their_throws() {
        let weighed = Pairs::new(12, 12, 100).unwrap().weigh().0;
        assert_eq!(weighed.iter().sum::<BigUint>(), BigUint::from(100u8).pow(24));
    }

    #[test]
    fn what_is_no_pool_is_refused() {
        for (first, second, sides) in [(-1, 2, 6), (2, 13, 6), (2, 2, 0), (2, 2, 101)] {
            let refused = Pairs::new(first, second, sides).unwrap_err();
            assert!(refused.starts_with("must be 0 to 12 dice"), "{refused}");
        }
    }
}
