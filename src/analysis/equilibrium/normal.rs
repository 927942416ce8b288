//! Solves games of two sides in normal form, with all pure strategies in one table: for games with
//! hidden information, or in which both sides can win.

use std::collections::{HashMap, HashSet};

use num_traits::One;

use super::extensive_form::ExtensiveForm;
use super::learner::played;
use super::matrix::linear::{dominated, spread, undominated};
use super::matrix::{PayoffMatrix, Scalar};
use super::sequences::{BestWeights, Sequences, weights};
use super::support::{self, FoundEquilibria, Mixes};
use super::{Solution, UnsolvedReason};
use crate::analysis::Stage;
use crate::conflict::Seating;
use crate::error::Cut;
use crate::graph::{Explorer, InformationSets};
use crate::number::Fraction;

/// The most pairs of pure strategies of a table.
const PAIRS: f64 = 250_000.0;
/// With up to this many pairs, a table is solved as fast as a linear program.
const FEW_PAIRS: f64 = 2_500.0;
/// The most sequences of a side, and the most pairs of sequences that end the game: beyond these,
/// regret minimisation is faster.
const SEQUENCES: usize = 5_000;
const ENDS: usize = 200_000;
/// More strategies of one side than this are not compared with each other.
const COMPARED: usize = 3_000;

/// One game in which at most two sides decide, and the information of its players.
pub(crate) struct Normal<'a> {
    pub seating: &'a Seating,
    pub explorer: &'a Explorer,
    pub(crate) known: &'a mut InformationSets,
    /// Called with the number of strategies.
    pub progress: &'a (dyn Fn(Stage) + Sync),
}

impl Normal<'_> {
    fn sequences<W: Scalar>(&mut self) -> Result<Sequences<W>, UnsolvedReason> {
        let drawn = ExtensiveForm::draw(self.seating, self.explorer, self.known, &|_| true)?;
        Sequences::of(drawn, &|| self.seating.may_continue().is_ok())
    }

    /// Solves a game in which one side wins what the other loses: by the table of pure strategies, a matrix game, if
    /// there are few pairs, in fractions if these are wanted; else by the sides' sequences. Where fractions are out of
    /// reach `rounded` hears why.
    pub(crate) fn opposed(
        &mut self,
        fractions: bool,
        rounded: &mut Option<UnsolvedReason>,
    ) -> Result<Solution, UnsolvedReason> {
        let sequences = self.sequences::<f64>()?;
        let counts = self.counted(&sequences);
        let pairs = counts[0] * counts[1];
        if pairs <= FEW_PAIRS {
            if !fractions {
                return self.matrix_game(sequences);
            }
            drop(sequences);
            let sequences = self.sequences::<Fraction>()?;
            return self.matrix_game(sequences);
        }
        if fractions {
            let beyond = format!("more than the {FEW_PAIRS} pairs that are solved in fractions");
            *rounded = Some(self.too_many(&sequences, beyond));
        }
        match self.sequence_form(&sequences) {
            Err(UnsolvedReason::Strategies { .. }) if pairs <= PAIRS => self.matrix_game(sequences),
            found => found,
        }
    }

    fn sequence_form(&self, game: &Sequences<f64>) -> Result<Solution, UnsolvedReason> {
        let sizes = game.sizes;
        if sizes.iter().any(|size| *size > SEQUENCES) {
            let [own, other] = sizes;
            let beyond =
                format!("and {own} and {other} sequences of answers, more than {SEQUENCES}");
            return Err(self.too_many(game, beyond));
        }
        let ends = game.ends.len();
        if ends > ENDS {
            let beyond =
                format!("whose sequences of answers end in {ends} pairs, more than {ENDS}");
            return Err(self.too_many(game, beyond));
        }
        let found = match BestWeights::solve(game, self.seating.budget()) {
            Some(found) => found,
            None if self.seating.may_continue().is_ok() => {
                let [own, other] = sizes;
                let beyond = format!(
                    "and the linear program of their {own} and {other} sequences of answers does not \
                     come near in floats"
                );
                return Err(self.too_many(game, beyond));
            }
            None => return Err(UnsolvedReason::Stopped),
        };
        let weights = weights(game, &found);
        let gains = game.gains(&weights);
        let mut solution = self.weighted(game, (&weights, gains));
        solution.method = format!("sequence form of {} and {} sequences", sizes[0], sizes[1]);
        solution.sort();
        Ok(solution)
    }

    fn matrix_game<W: Scalar>(&self, sequences: Sequences<W>) -> Result<Solution, UnsolvedReason> {
        let may_continue = &|| self.seating.may_continue().is_ok();
        let pure = Pure::of(sequences, may_continue).ok_or(UnsolvedReason::Stopped)?;
        let table = &pure.tables[0];
        let kept = weighed(&pure, may_continue);
        let mixed =
            W::equilibrium(&cut(table, &kept), may_continue).ok_or(UnsolvedReason::Stopped)?;
        let (rows, columns) = table.size();
        let mixes = [spread(&mixed.rows, &kept.0, rows), spread(&mixed.columns, &kept.1, columns)];
        let method = format!(
            "matrix game of {} and {} pure strategies",
            pure.strategies[0].len(),
            pure.strategies[1].len()
        );
        let gains = if W::EXACT { [0.0; 2] } else { pure.gains(&mixes) };
        Ok(self.solution(&pure, mixes, method, (W::EXACT, gains)))
    }

    /// Finds all extreme equilibria of a game in which both can win.
    pub(crate) fn all_equilibria(&mut self) -> Result<Solution, UnsolvedReason> {
        let sequences = self.sequences::<Fraction>()?;
        let counts = self.counted(&sequences);
        if counts[0] * counts[1] > PAIRS {
            return Err(self.too_many(&sequences, format!("more than {PAIRS} pairs")));
        }
        let may_continue = || self.seating.may_continue().is_ok();
        let pure = Pure::of(sequences, &may_continue).ok_or(UnsolvedReason::Stopped)?;
        let [own, other] = &pure.tables;
        let kept = undominated(own, &other.transposed(), &may_continue);
        let (rows, columns) = own.size();
        let work_out = |[own, other]: Mixes| {
            let mixes = [spread(&own, &kept.0, rows), spread(&other, &kept.1, columns)];
            self.solution(&pure, mixes, "Nash equilibrium".to_owned(), (true, [0.0; 2]))
        };
        let tables = [&cut(own, &kept), &cut(other, &kept)];
        let FoundEquilibria { equilibria, short, stopped } =
            support::equilibria(tables, &work_out, &may_continue)?;
        // Every finite game has an equilibrium (Nash, 1951), and so an extreme one.
        let (found, mut played) = (equilibria.len(), HashSet::new());
        let differing = equilibria.into_iter().filter(|one| played.insert(one.played()));
        let ways: Vec<Solution> = differing.collect();
        let differ = match ways.len() {
            ways if ways == found => String::new(),
            ways => format!(
                "; what is played differs in {ways} of them, in the others only what is never reached"
            ),
        };
        let mut ways = ways.into_iter();
        let mut first = ways.next().ok_or(UnsolvedReason::Rounded)?;
        first.further = ways.collect();
        let (rows, columns) = (kept.0.len(), kept.1.len());
        let kind = match (&short, found) {
            (None, 1) => "1 extreme equilibrium".to_owned(),
            (None, _) => format!("{found} extreme equilibria"),
            (Some(_), 1) => "1 equilibrium".to_owned(),
            (Some(_), _) => format!("{found} equilibria"),
        };
        let left = format!(
            "{kind} among {rows} and {columns} pure strategies that no other always beats{differ}"
        );
        let cut = self.seating.budget().cut().filter(|_| stopped);
        let cut_off = cut.map(|cut| format!("the search for equilibria is not complete: {cut}"));
        first.interrupted = cut == Some(Cut::Interrupted);
        first.is_all = !stopped && short.is_none();
        first.notes.splice(0..0, std::iter::once(left).chain(short).chain(cut_off));
        Ok(first)
    }

    pub(crate) fn best_of_one(&mut self) -> Result<Solution, UnsolvedReason> {
        let sequences = self.sequences::<Fraction>()?;
        if self.seating.may_continue().is_err() {
            return Err(UnsolvedReason::Stopped);
        }
        let (_, best) = sequences.best(0, &[Fraction::one()]);
        let weights = [best, vec![Fraction::one()]];
        let mut solution = self.weighted(&sequences, (&weights, [0.0; 2]));
        solution.sort();
        Ok(Solution { method: "best response to chance".to_owned(), exact: true, ..solution })
    }

    /// Counts the pure strategies of each side, and reports their number.
    fn counted<W: Scalar>(&self, sequences: &Sequences<W>) -> [f64; 2] {
        let counts = [0, 1].map(|seat| sequences.strategies(seat));
        let names = [0, 1].map(|seat| &sequences.tree.seats[sequences.sides[seat]].name);
        (self.progress)(Stage::Notice(format!(
            "pure strategies: {} for {}, {} for {}",
            counts[0], names[0], counts[1], names[1]
        )));
        counts
    }

    /// The reason why there are too many strategies: which limit is exceeded.
    fn too_many<W: Scalar>(&self, sequences: &Sequences<W>, beyond: String) -> UnsolvedReason {
        let count = |seat: usize| match sequences.strategies(seat) {
            count if count.is_finite() => format!("{count}"),
            _ => format!("more than {:e}", f64::MAX),
        };
        UnsolvedReason::Strategies { counts: [0, 1].map(count), beyond }
    }

    fn solution<W: Scalar>(
        &self,
        pure: &Pure<W>,
        mixes: [Vec<W>; 2],
        method: String,
        (exact, gains): (bool, [f64; 2]),
    ) -> Solution {
        let weights = pure.realized(&mixes);
        let mut solution = self.weighted(&pure.sequences, (&weights, gains));
        // A side with one information set picks a strategy with each option.
        for (seat, table) in [&pure.tables[0], &pure.tables[1].transposed()].into_iter().enumerate()
        {
            let points = pure.sequences.points.iter().enumerate();
            let own = points.filter(|(_, point)| point.seat == seat);
            let [(set, _)] = own.collect::<Vec<_>>()[..] else { continue };
            let Some(line) = solution.strategy.get_mut(set) else { continue };
            let by = dominated(table, &|| self.seating.may_continue().is_ok());
            for (at, by) in by.into_iter().enumerate() {
                let by = by.map(|by| line.options[by].option.clone());
                line.options[at].dominated = by;
            }
        }
        solution.sort();
        Solution { method, exact, ..solution }
    }

    /// What comes of weights of sequences, of which each side gains so much by playing otherwise.
    fn weighted<W: Scalar>(
        &self,
        sequences: &Sequences<W>,
        (weights, gains): (&[Vec<W>; 2], [f64; 2]),
    ) -> Solution {
        let may_continue = || self.seating.may_continue().is_ok();
        let (drawn, strategy) = (&sequences.tree, sequences.strategy(weights, &may_continue));
        let mut by_side = vec![0.0; drawn.seats.len()];
        sequences.sides.iter().zip(gains).for_each(|(&side, gain)| by_side[side] = gain);
        played(self.seating, drawn, self.known, &strategy, &by_side)
    }
}

/// The strategies of both sides that no other dominates. If one side wins what the other loses, an
/// equilibrium of these is one of all; and no strategy is used that another one matches everywhere
/// and sometimes beats.
fn weighed<W: Scalar>(pure: &Pure<W>, may_continue: &dyn Fn() -> bool) -> (Vec<usize>, Vec<usize>) {
    let free = |table: &PayoffMatrix<W>| -> Vec<usize> {
        let (rows, _) = table.size();
        if rows > COMPARED {
            return (0..rows).collect();
        }
        let by = dominated(table, may_continue).into_iter().enumerate();
        by.filter(|(_, by)| by.is_none()).map(|(row, _)| row).collect()
    };
    (free(&pure.tables[0]), free(&pure.tables[1].transposed()))
}

fn cut<W: Scalar>(
    table: &PayoffMatrix<W>,
    (rows, columns): &(Vec<usize>, Vec<usize>),
) -> PayoffMatrix<W> {
    let pairs = rows.iter().flat_map(|&row| columns.iter().map(move |&column| (row, column)));
    let cells = pairs.map(|(row, column)| table.at(row, column).clone()).collect();
    PayoffMatrix::new(rows.len(), columns.len(), cells)
}

/// The pure strategies of two sides, and the utilities of each pair.
struct Pure<W> {
    sequences: Sequences<W>,
    /// Each side's strategies, as the sequences that they allow.
    strategies: [Vec<Vec<usize>>; 2],
    /// The utilities of each side; rows are the first side's strategies, columns the second's.
    tables: [PayoffMatrix<W>; 2],
}

impl<W: Scalar> Pure<W> {
    /// Works out the table of all pairs; `None` if the caller stops it.
    fn of(sequences: Sequences<W>, may_continue: &dyn Fn() -> bool) -> Option<Pure<W>> {
        let strategies = [sequences.pure(0), sequences.pure(1)];
        let mut after: HashMap<usize, Vec<(usize, &[W])>> = HashMap::new();
        for ([own, other], worth) in &sequences.ends {
            after.entry(*own).or_default().push((*other, worth));
        }
        let [rows, columns] = [strategies[0].len(), strategies[1].len()];
        let mut cells = [Vec::with_capacity(rows * columns), Vec::with_capacity(rows * columns)];
        let nothing = || vec![W::zero(); sequences.sizes[1]];
        for row in &strategies[0] {
            if !may_continue() {
                return None;
            }
            let mut sums = [nothing(), nothing()];
            for (other, worth) in row.iter().filter_map(|own| after.get(own)).flatten() {
                for (sums, worth) in sums.iter_mut().zip(worth.iter()) {
                    sums[*other] = sums[*other].clone() + worth.clone();
                }
            }
            for column in &strategies[1] {
                for (cells, sums) in cells.iter_mut().zip(&sums) {
                    let parts =
                        column.iter().map(|&other| &sums[other]).filter(|sum| !sum.is_zero());
                    cells.push(parts.fold(W::zero(), |sum, part| sum + part.clone()));
                }
            }
        }
        let tables = cells.map(|cells| PayoffMatrix::new(rows, columns, cells));
        Some(Pure { sequences, strategies, tables })
    }

    /// The average utilities of both sides from mixes of strategies.
    fn worth(&self, mixes: &[Vec<W>; 2]) -> [W; 2] {
        [0, 1].map(|side| {
            let rows = self.tables[side].of_rows(&mixes[1]);
            let pairs = rows.iter().zip(&mixes[0]);
            pairs.fold(W::zero(), |sum, (row, weight)| sum + row.clone() * weight.clone())
        })
    }

    /// The most that a side gains by the best of its strategies against the other's mix.
    fn gains(&self, mixes: &[Vec<W>; 2]) -> [f64; 2] {
        let worth = self.worth(mixes);
        let given = [self.tables[0].of_rows(&mixes[1]), self.tables[1].of_columns(&mixes[0])];
        [0, 1].map(|seat| {
            let gains =
                given[seat].iter().map(|given| (given.clone() - worth[seat].clone()).about());
            gains.fold(0.0, f64::max)
        })
    }

    /// The probability that each side plays each of its sequences under mixes of strategies, if chance and the other
    /// side let it (Kuhn, Extensive games and the problem of information, 1953).
    fn realized(&self, mixes: &[Vec<W>; 2]) -> [Vec<W>; 2] {
        [0, 1].map(|seat| {
            let mut weights = vec![W::zero(); self.sequences.sizes[seat]];
            for (strategy, share) in self.strategies[seat].iter().zip(&mixes[seat]) {
                for &sequence in strategy {
                    weights[sequence] = weights[sequence].clone() + share.clone();
                }
            }
            weights
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::equilibrium::extensive_form::ALWAYS;
    use crate::analysis::equilibrium::matrix;
    use crate::analysis::equilibrium::test_games::{again, kuhn, zero_sum};
    use crate::script::Budget;

    #[test]
    fn sequences_are_worth_what_the_table_of_all_pure_strategies_is() {
        let mut tried = 0;
        let games = (0..60).map(|seed| zero_sum(seed, 6 + seed as usize % 12)).chain([kuhn()]);
        for (seed, tree) in games.enumerate() {
            let fractions = again::<Fraction>(&tree, ALWAYS).unwrap();
            let game = Sequences::of(tree, ALWAYS).unwrap();
            if game.strategies(0) * game.strategies(1) > 2_000.0 || game.points.len() < 2 {
                continue;
            }
            let found = BestWeights::solve(&game, &Budget::default()).unwrap();
            let weights = weights(&game, &found);
            assert!(game.gap(&weights) < 1e-7, "{seed}: {}", game.gap(&weights));
            let value = game.worth(&weights)[0];
            let pure = Pure::of(Sequences::of(fractions, ALWAYS).unwrap(), ALWAYS).unwrap();
            let table = matrix::exactly(&pure.tables[0], &|| true).unwrap();
            assert!((value - table.value.about()).abs() < 1e-7, "{seed}: {value} {}", table.value);
            tried += 1;
        }
        assert!(tried > 20, "{tried}");
    }
}
