//! Tests that tables of every kind are solved, badly scaled ones and near ties included.

use super::*;
use crate::analysis::equilibrium::test_games::refused_after;
use crate::game::Generator;
use crate::number::Fraction;

fn number(generator: &mut Generator) -> f64 {
    generator.index(2_000_001) as f64 / 1e6 - 1.0
}

/// Tables of seven kinds: even, of few numbers, of near ties, badly scaled, with clones, of a low
/// rank, and of all sizes of numbers.
fn table(kind: usize, most: usize, generator: &mut Generator) -> PayoffMatrix<f64> {
    let rows = 2 + generator.index(most - 1);
    let columns = 2 + generator.index(most - 1);
    let mut cells: Vec<f64> = (0..rows * columns).map(|_| number(generator)).collect();
    match kind % 7 {
        1 => cells.iter_mut().for_each(|cell| *cell = (2.0 * *cell).round()),
        2 => cells.iter_mut().for_each(|cell| *cell = cell.round() + 1e-10 * number(generator)),
        3 => cells.iter_mut().enumerate().for_each(|(at, cell)| {
            *cell *= if at % 3 == 0 { 1e-3 } else { 1e9 };
        }),
        4 => {
            for row in (3..rows).step_by(3) {
                cells.copy_within((row - 1) * columns..row * columns, row * columns);
            }
        }
        5 => {
            let a: Vec<f64> = (0..rows).map(|_| generator.index(5) as f64).collect();
            let b: Vec<f64> = (0..columns).map(|_| generator.index(5) as f64).collect();
            for row in 0..rows {
                for column in 0..columns {
                    cells[row * columns + column] = a[row] * b[column] - a[row] - b[column];
                }
            }
        }
        6 => cells.iter_mut().for_each(|cell| {
            *cell = cell.signum() * 10f64.powf(6.0 * number(generator));
        }),
        _ => {}
    }
    PayoffMatrix::new(rows, columns, cells)
}

fn about(table: &PayoffMatrix<f64>) -> Mixed<f64> {
    nearly(table, &|| true).unwrap()
}

/// The distance between the bounds of the value, as a part of the range; the strategies are
/// checked.
fn off(table: &PayoffMatrix<f64>) -> f64 {
    let mixed = about(table);
    for weights in [&mixed.rows, &mixed.columns] {
        assert!(weights.iter().all(|weight| *weight >= 0.0));
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
    let (least, most) = table.certificate(&mixed.rows, &mixed.columns);
    let (low, high) = table.range();
    if high > low { (most - least) / (high - low) } else { most - least }
}

/// All of this many tables up to a size.
fn all(count: usize, most: usize) {
    let mut generator = Generator::of(8);
    for number in 0..count {
        let table = table(number, most, &mut generator);
        let off = off(&table);
        assert!(off < 1e-7, "table {number}: {off}");
    }
}

#[test]
fn strategies_of_random_tables_are_as_good_as_any() {
    all(700, 14);
    all(7, 60);
}

#[test]
fn fractions_are_proven_and_agree_with_floats() {
    let mut generator = Generator::of(9);
    for kind in 0..60 {
        let (rows, columns) = (1 + generator.index(7), 1 + generator.index(7));
        let most = if kind % 2 == 0 { 3 } else { 100 };
        let cells = (0..rows * columns).map(|_| generator.index(most) as f64).collect();
        let table: PayoffMatrix<f64> = PayoffMatrix::new(rows, columns, cells);
        let exact = table.map(|&cell| Fraction::from_float(cell).unwrap());
        let mixed = exactly(&exact, &|| true).unwrap();
        let (least, most) = exact.certificate(&mixed.rows, &mixed.columns);
        assert!(least == most && least == mixed.value);
        let about = about(&table).value;
        let value = num_traits::ToPrimitive::to_f64(&mixed.value).unwrap();
        assert!((about - value).abs() < 1e-9);
    }
}

#[test]
fn tables_of_one_row_or_one_number_are_solved_too() {
    let one = about(&PayoffMatrix::of(&[vec![2.0, 1.0, 1.0]]));
    assert_eq!((one.value, one.columns), (1.0, vec![0.0, 0.5, 0.5]));
    let same = about(&PayoffMatrix::of(&[vec![3.0; 4], vec![3.0; 4]]));
    assert_eq!((same.value, same.rows, same.columns), (3.0, vec![0.5; 2], vec![0.25; 4]));
}

/// A table of whole numbers as good as random, so that the simplex method takes many steps.
fn squares() -> PayoffMatrix<f64> {
    let cell = |at: usize| ((at * at * 7 + 3 * at) % 101) as f64;
    PayoffMatrix::new(30, 30, (0..30 * 30).map(cell).collect())
}

type MayContinue<'g> = &'g dyn Fn() -> bool;

#[test]
fn all_that_solves_a_table_asks_whether_to_go_on() {
    let table = squares();
    let fractions = table.map(|cell| Fraction::from_integer((*cell as i64).into()));
    let in_floats = |may_continue: MayContinue<'_>| nearly(&table, may_continue).is_some();
    let in_fractions = |may_continue: MayContinue<'_>| exactly(&fractions, may_continue).is_some();
    for work in [&in_floats as &dyn Fn(MayContinue<'_>) -> bool, &in_fractions] {
        let (done, all) = refused_after(usize::MAX, work);
        assert!(done && all > 1, "{all}");
        for refused in (0..all).step_by(1 + all / 50) {
            let (done, asked) = refused_after(refused, work);
            // Each of the methods that are tried asks once more, and gives up.
            assert!(!done && asked <= refused + 12, "{refused} of {all}: {asked}");
        }
    }
}
