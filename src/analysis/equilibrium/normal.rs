//! What should two sides do where something is hidden, or both can win? All pure strategies are set
//! against each other.

use super::backward::Pass;
use super::board::Board;
use super::dominance::{dominated, undominated};
use super::kind::Knowledge;
use super::matrix::Table;
use super::pure::Pure;
use super::sequences::Sequences;
use super::support::equilibria;
use super::worth::Worth;
use super::{Figure, Solution, Stage, Why};
use crate::analysis::Fraction;
use crate::conflict::Seating;

/// A table has at most so many pairs of pure strategies.
const PAIRS: f64 = 250_000.0;

/// One game of two sides, and what is known of it.
pub struct Normal<'a> {
    /// The board.
    pub board: &'a Board,
    /// What the players see.
    pub knowledge: &'a Knowledge,
    /// Who plays.
    pub seating: &'a Seating,
    /// Hears how many strategies there are.
    pub progress: &'a (dyn Fn(Stage) + Sync),
}

impl Normal<'_> {
    /// Solves a game in which what one side wins the other loses: the table of all pairs is a matrix
    /// game.
    ///
    /// # Errors
    /// [`Why`] it is out of reach; [`Why::Strategies`] where there are too many pairs.
    pub fn matrix_game<W: Worth>(&self) -> Result<Solution, Why> {
        let go_on = || self.seating.go_on().is_ok();
        let pass = Pass::<W>::new(self.board, false, &go_on);
        let pure = self.pure(&pass)?;
        let table = &pure.tables[0];
        let mixed = W::equilibrium(table, &go_on).ok_or(Why::Stopped)?;
        let (least, most) = table.certificate(&mixed.rows, &mixed.columns);
        let gap = (most - least).about();
        let exact = pass.tiny.is_zero();
        let mixes = [mixed.rows, mixed.columns];
        let method = format!(
            "matrix game of {} and {} pure strategies",
            pure.strategies[0].len(),
            pure.strategies[1].len()
        );
        let exploitability = if exact { 0.0 } else { gap.max(0.0) / 2.0 };
        Ok(self.solution(&pass, &pure, mixes, method, (exact, exploitability)))
    }

    /// Finds all extreme equilibria of a game in which both can win.
    ///
    /// # Errors
    /// [`Why`] it is out of reach; [`Why::Strategies`] where there are too many pairs,
    /// [`Why::Wide`] where too many are left that no other dominates.
    pub fn all_equilibria(&self) -> Result<Solution, Why> {
        let go_on = || self.seating.go_on().is_ok();
        let pass = Pass::<Fraction>::new(self.board, false, &go_on);
        let pure = self.pure(&pass)?;
        let [own, other] = &pure.tables;
        let its = other.turned().map(|cell| -cell);
        let (rows, columns) = undominated(own, &its);
        let cut = |table: &Table<Fraction>| {
            let cells =
                rows.iter().flat_map(|&row| columns.iter().map(move |&column| (row, column)));
            let cells = cells.map(|(row, column)| table.at(row, column).clone());
            Table::new(rows.len(), columns.len(), cells.collect())
        };
        let found = equilibria([&cut(own), &cut(other)], &go_on)?;
        let wide = |mix: &[Fraction], kept: &[usize], all: usize| {
            let mut wide = vec![Fraction::default(); all];
            kept.iter().zip(mix).for_each(|(&at, weight)| wide[at] = weight.clone());
            wide
        };
        let (all_rows, all_columns) = own.size();
        let mut solutions = found.iter().map(|[own, other]| {
            let mixes = [wide(own, &rows, all_rows), wide(other, &columns, all_columns)];
            self.solution(&pass, &pure, mixes, "Nash equilibrium".to_owned(), (true, 0.0))
        });
        // Every finite game has an equilibrium (Nash, 1951), and so an extreme one.
        let mut first = solutions.next().ok_or(Why::Rounded)?;
        let mut ways: Vec<Solution> = Vec::new();
        for solution in solutions {
            if !ways.iter().chain([&first]).any(|known| known.plays_as(&solution)) {
                ways.push(solution);
            }
        }
        first.further = ways;
        let differ = match 1 + first.further.len() {
            ways if ways == found.len() => String::new(),
            ways => format!(
                "; {ways} of them differ in what is played, the others in what is never reached"
            ),
        };
        let left = format!(
            "{} extreme equilibria among {} and {} pure strategies that no other always beats{differ}",
            found.len(),
            rows.len(),
            columns.len()
        );
        first.notes.insert(0, left);
        Ok(first)
    }

    /// The table, after the number of strategies has been said.
    fn pure<W: Worth>(&self, pass: &Pass<'_, W>) -> Result<Pure<W>, Why> {
        let sequences = Sequences::of(pass, self.board, self.knowledge)?;
        let counts = [0, 1].map(|seat| sequences.strategies(seat));
        let names = [0, 1].map(|seat| &self.board.seats[seat].name);
        (self.progress)(Stage::Told(format!(
            "pure strategies: {} for {}, {} for {}",
            counts[0], names[0], counts[1], names[1]
        )));
        if counts[0] * counts[1] > PAIRS {
            return Err(Why::Strategies { counts: counts.map(|count| format!("{count}")) });
        }
        Ok(Pure::of(sequences))
    }

    fn solution<W: Worth>(
        &self,
        pass: &Pass<'_, W>,
        pure: &Pure<W>,
        mixes: [Vec<W>; 2],
        method: String,
        (exact, exploitability): (bool, f64),
    ) -> Solution {
        let worth = pure.worth(&mixes);
        let names = self.board.seats.iter().map(|seat| seat.name.clone());
        let value = names.zip(worth.into_iter().map(|worth| -> Figure { worth.into() })).collect();
        let graph = &self.seating.graph;
        let mut strategy = pure.lines(pass, self.board, self.knowledge, graph, &mixes);
        // A side with one information set picks a strategy with each option.
        let turned = pure.tables[1].turned().map(|cell| W::zero() - cell.clone());
        for (seat, table) in [&pure.tables[0], &turned].into_iter().enumerate() {
            let stands = pure.sequences.stands.iter().filter(|(_, stand)| stand.seat == seat);
            let [(set, _)] = stands.collect::<Vec<_>>()[..] else { continue };
            let key = &*self.knowledge.sets[*set].key;
            let Some(line) = strategy.iter_mut().find(|line| line.key == key) else { continue };
            for (at, by) in dominated(table).into_iter().enumerate() {
                let by = by.map(|by| line.options[by].option.clone());
                line.options[at].dominated = by;
            }
        }
        let mut solution = Solution {
            method,
            exact,
            value,
            exploitability,
            strategy,
            further: Vec::new(),
            notes: Vec::new(),
            interrupted: false,
        };
        solution.sort();
        solution
    }
}
