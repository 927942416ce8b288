//! Enumerates the extreme Nash equilibria of a game of two sides by the options that they use.
//!
//! A pair of strategies is an equilibrium if each option that is used is a best answer; extreme
//! equilibria are those that are no mixtures of others. Each side's part of one is a corner of the
//! polyhedron of best answers, which uses as many options as it makes options of the other side
//! equally good (Mangasarian, Equilibrium points of bimatrix games, 1964; Avis, Rosenberg, Savani
//! and von Stengel, Enumeration of Nash equilibria for two-player games, Economic Theory 42, 2010).

use num_traits::{One, Signed, Zero};

use super::UnsolvedReason;
use super::matrix::PayoffMatrix;
use super::matrix::linear::{level, spread};
use crate::number::Fraction;

/// The most sets of used options that are tried.
const MOST: f64 = 100_000.0;
/// The most pure equilibria that are listed if there are too many sets to try.
const LISTED: usize = 100;

/// A weight for every row, and one for every column.
pub(crate) type Mixes = [Vec<Fraction>; 2];

/// Equilibria of a game of two sides, in the order of the options that they use.
pub(crate) struct FoundEquilibria<T> {
    pub equilibria: Vec<T>,
    /// A note if these are not all extreme ones because there are too many sets to try.
    pub short: Option<String>,
    /// Whether the caller stopped the search: there may be more.
    pub stopped: bool,
}

/// All extreme equilibria of a game of two sides; only the pure ones if there are too many sets of
/// options to try. Each table has its own side's numbers; rows are the first side's. Each is worked out when it is
/// found, so that a search that is stopped has all of it.
pub(crate) fn equilibria<T>(
    tables: [&PayoffMatrix<Fraction>; 2],
    work_out: &dyn Fn(Mixes) -> T,
    may_continue: &dyn Fn() -> bool,
) -> Result<FoundEquilibria<T>, UnsolvedReason> {
    let (rows, columns) = tables[0].size();
    if pairs(rows, columns) > MOST {
        return pure(tables, work_out, may_continue);
    }
    // What a mix of rows leaves to columns, and the other way round; each with a mix as rows.
    let left = [tables[1].clone(), tables[0].transposed()];
    let mut corners: [Vec<Corner>; 2] = [Vec::new(), Vec::new()];
    let mut found: Vec<([usize; 2], T)> = Vec::new();
    // Few options first, and each corner is paired when it is found: a search that is stopped returns
    // equilibria too.
    let mut stopped = false;
    let sizes = 1..=rows.min(columns);
    for (size, side) in sizes.flat_map(|size| [(size, 0), (size, 1)]) {
        let table = &left[side];
        let (rows, columns) = table.size();
        let sets = subsets(rows, size)
            .flat_map(|used| subsets(columns, size).map(move |equal| (used.clone(), equal)));
        for (used, equal) in sets {
            stopped = stopped || !may_continue();
            if stopped {
                break;
            }
            let Some(corner) = corner(table, &used, &equal, may_continue) else { continue };
            if corners[side].iter().any(|known| known.mix == corner.mix) {
                continue;
            }
            let number = corners[side].len();
            let others = corners[1 - side].iter().enumerate();
            let fitting = others.filter(|(_, other)| corner.fits(other) && other.fits(&corner));
            for (at, other) in fitting {
                stopped = stopped || !found.is_empty() && !may_continue();
                if stopped {
                    break;
                }
                let (pair, mixes) = match side {
                    0 => ([number, at], [&corner.mix, &other.mix]),
                    _ => ([at, number], [&other.mix, &corner.mix]),
                };
                found.push((pair, work_out(mixes.map(Vec::clone))));
            }
            corners[side].push(corner);
        }
    }
    // The last ones may have been left out.
    stopped = stopped || !may_continue();
    if stopped && found.is_empty() {
        return Err(UnsolvedReason::Stopped);
    }
    found.sort_by_key(|(pair, _)| *pair);
    let equilibria = found.into_iter().map(|(_, one)| one).collect();
    Ok(FoundEquilibria { equilibria, short: None, stopped })
}

/// The equilibria of one option each, the first of them.
fn pure<T>(
    tables: [&PayoffMatrix<Fraction>; 2],
    work_out: &dyn Fn(Mixes) -> T,
    may_continue: &dyn Fn() -> bool,
) -> Result<FoundEquilibria<T>, UnsolvedReason> {
    let (rows, columns) = tables[0].size();
    let one = |count: usize, at: usize| {
        let mut mix = vec![Fraction::zero(); count];
        mix[at] = Fraction::one();
        mix
    };
    let column = |column: usize| (0..rows).map(move |row| tables[0].at(row, column));
    let most: Vec<Option<&Fraction>> = (0..columns).map(|at| column(at).max()).collect();
    let mut equilibria = Vec::new();
    let (mut more, mut stopped) = (0, false);
    for row in 0..rows {
        if !may_continue() {
            stopped = true;
            break;
        }
        let best = tables[1].row(row).iter().max();
        for (at, most) in most.iter().enumerate() {
            let good = Some(tables[0].at(row, at)) == *most && Some(tables[1].at(row, at)) == best;
            match good {
                true if equilibria.len() < LISTED => {
                    equilibria.push(work_out([one(rows, row), one(columns, at)]));
                }
                true => more += 1,
                false => {}
            }
        }
    }
    if equilibria.is_empty() {
        return Err(match stopped {
            true => UnsolvedReason::Stopped,
            false => UnsolvedReason::Wide { most: MOST as usize },
        });
    }
    let mut short = format!(
        "these are pure; mixed ones were not looked for, since there are more than {MOST} sets of \
         options that they may use"
    );
    if more > 0 {
        short.push_str(&format!(
            "; {more} more pure ones are neither listed nor counted in the sentences above"
        ));
    }
    Ok(FoundEquilibria { equilibria, short: Some(short), stopped })
}

fn pairs(rows: usize, columns: usize) -> f64 {
    // Vandermonde: the sum of C(rows, k) C(columns, k) is C(rows + columns, rows).
    (1..=rows).fold(1.0, |product, at| product * (columns + at) as f64 / at as f64)
}

/// A mix of rows that is a corner of best answers, with the columns that are best against it: no other mix
/// with the same rows makes the same columns best. The numbers are those of the side that picks columns.
struct Corner {
    mix: Vec<Fraction>,
    best: Vec<bool>,
}

impl Corner {
    /// Whether only options are used that are best against another mix.
    fn fits(&self, other: &Corner) -> bool {
        self.mix.iter().zip(&other.best).all(|(weight, best)| weight.is_zero() || *best)
    }
}

/// The mix of these rows alone, all above 0, against which these columns are equally good and none
/// is better; `None` if there is not exactly one.
fn corner(
    table: &PayoffMatrix<Fraction>,
    used: &[usize],
    equal: &[usize],
    may_continue: &dyn Fn() -> bool,
) -> Option<Corner> {
    let (rows, _) = table.size();
    let cell = |weight: usize, equation: usize| table.at(used[weight], equal[equation]);
    let (weights, value) = level(used.len(), cell, may_continue)?;
    if !weights.iter().all(Signed::is_positive) {
        return None;
    }
    let mix = spread(&weights, used, rows);
    let given = table.of_columns(&mix);
    if given.iter().any(|given| *given > value) {
        return None;
    }
    Some(Corner { best: given.iter().map(|given| *given == value).collect(), mix })
}

/// All sets of this many numbers below `all`, in order.
pub(crate) fn subsets(all: usize, size: usize) -> impl Iterator<Item = Vec<usize>> {
    let mut next = (size <= all).then(|| (0..size).collect::<Vec<usize>>());
    std::iter::from_fn(move || {
        let now = next.take()?;
        let movable = (0..size).rev().find(|&at| now[at] < all - size + at);
        if let Some(at) = movable {
            let mut later = now.clone();
            later[at] += 1;
            for after in at + 1..size {
                later[after] = later[after - 1] + 1;
            }
            next = Some(later);
        }
        Some(now)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::equilibrium::test_games::refused_after;

    fn table(rows: &[&[i64]]) -> PayoffMatrix<Fraction> {
        let rows: Vec<Vec<Fraction>> = rows
            .iter()
            .map(|row| row.iter().map(|&cell| Fraction::from_integer(cell.into())).collect())
            .collect();
        PayoffMatrix::of(&rows)
    }

    fn mixes(
        tables: [&PayoffMatrix<Fraction>; 2],
        may_continue: &dyn Fn() -> bool,
    ) -> Result<FoundEquilibria<Mixes>, UnsolvedReason> {
        equilibria(tables, &|mixes| mixes, may_continue)
    }

    fn products(own: &[&[i64]], other: &[&[i64]]) -> Vec<String> {
        let (own, other) = (table(own), table(other));
        let words =
            |mix: &[Fraction]| mix.iter().map(Fraction::to_string).collect::<Vec<_>>().join(" ");
        let found = mixes([&own, &other], &|| true).unwrap().equilibria;
        found.iter().map(|[own, other]| format!("{} | {}", words(own), words(other))).collect()
    }

    #[test]
    fn a_search_that_is_stopped_has_what_was_found_by_then() {
        let (own, other) = (table(&[&[2, 0], &[0, 1]]), table(&[&[1, 0], &[0, 2]]));
        let until = |refused: usize| {
            refused_after(refused, |may_continue| mixes([&own, &other], may_continue))
        };
        let (all, asked) = until(usize::MAX);
        assert!(!all.unwrap().stopped);
        let mut counts = Vec::new();
        for refused in 0..asked {
            match until(refused).0 {
                Ok(found) => {
                    assert!(found.stopped);
                    counts.push(found.equilibria.len());
                }
                Err(why) => {
                    assert_eq!(why, UnsolvedReason::Stopped);
                    counts.push(0);
                }
            }
        }
        // Nothing, then a meeting at one place, then at both; the mixed one is the last.
        counts.dedup();
        assert_eq!(counts, [0, 1, 2, 3]);
    }

    #[test]
    fn a_degenerate_game_has_its_extreme_equilibria() {
        // Avis, Rosenberg, Savani and von Stengel, section 2, example (1): the extreme equilibria of a
        // 3 by 2 game, one of them with supports of different sizes.
        assert_eq!(
            products(&[&[3, 3], &[2, 5], &[0, 6]], &[&[3, 3], &[2, 6], &[3, 1]]),
            ["1 0 0 | 1 0", "1 0 0 | 2/3 1/3", "0 1/3 2/3 | 1/3 2/3"]
        );
    }

    #[test]
    fn of_more_pure_equilibria_than_are_read_the_rest_is_counted() {
        // In a game of 12 options each in which nothing matters, each of the 144 pairs is one.
        let none = PayoffMatrix::new(12, 12, vec![Fraction::zero(); 144]);
        let found = mixes([&none, &none], &|| true).unwrap();
        assert_eq!(found.equilibria.len(), LISTED);
        assert!(found.short.unwrap().ends_with(
            "; 44 more pure ones are neither listed nor counted in the sentences above"
        ));
    }
}
