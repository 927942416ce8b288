//! Tests of exact linear equations whose solutions are known otherwise.

use super::*;
use crate::handlers::Generator;

fn whole(number: i64) -> Fraction {
    Fraction::from_integer(number.into())
}

#[test]
fn the_hilbert_matrix_is_inverted_in_whole_numbers() {
    // The inverse of the Hilbert matrix is made of whole numbers, and what its rows sum to against
    // ones is known: n^2 in all (Choi, American Mathematical Monthly 90, 1983).
    let size = 12;
    let mut equations = Equations::new(Vec::new(), size);
    for row in 0..size {
        let cell = |at: usize| Fraction::new(1.into(), (row + at + 1).into());
        equations.push((0..size).map(|at| (at, cell(at))).collect(), whole(1));
    }
    let found = equations.eliminated(&|| true).unwrap().near(1, &|| true).unwrap();
    assert!(found.iter().all(Fraction::is_integer), "{found:?}");
    assert_eq!(found.iter().sum::<Fraction>(), whole(144));
}

#[test]
fn what_was_chosen_is_found_again() {
    let mut rng = Generator::of(7);
    for size in [1, 3, 20] {
        let chosen: Vec<Fraction> = (0..size)
            .map(|_| {
                Fraction::new((rng.index(2000) as i64 - 1000).into(), (1 + rng.index(99)).into())
            })
            .collect();
        let mut equations = Equations::new(Vec::new(), size);
        for row in 0..size {
            let cells: Vec<(usize, Fraction)> = (0..size)
                .map(|at| (at, whole(rng.index(9) as i64 + if at == row { 90 } else { 0 })))
                .collect();
            let sum = cells.iter().map(|(at, cell)| cell * &chosen[*at]).sum();
            equations.push(cells, sum);
        }
        assert_eq!(equations.eliminated(&|| true).unwrap().near(1, &|| true).unwrap(), chosen);
    }
}

#[test]
fn what_is_left_free_is_what_it_is_near_to() {
    // a + b + c = 1 twice over, a = 2 b: c is near 0.249, so 1/4 of 60 parts, a 1/2 and b 1/4.
    let mut equations = Equations::new(vec![0.5, 0.25, 0.249], 3);
    let ones = || (0..3).map(|at| (at, whole(1))).collect();
    equations.push(ones(), whole(1));
    equations.push(ones(), whole(1));
    equations.push(vec![(0, whole(1)), (1, whole(-2))], whole(0));
    let found = equations.eliminated(&|| true).unwrap().near(60, &|| true).unwrap();
    assert_eq!(found.iter().map(ToString::to_string).collect::<Vec<_>>(), ["1/2", "1/4", "1/4"]);
    assert_eq!(equations.eliminated(&|| false).err(), Some(Short::Stopped));
}

#[test]
fn too_many_unknowns_are_refused_with_their_number() {
    let mut equations = Equations::new(Vec::new(), UNKNOWNS + 1);
    let all = (0..=UNKNOWNS).map(|unknown| (unknown, Fraction::from_integer(1.into())));
    equations.push(all.collect(), Fraction::from_integer(1.into()));
    let short = equations.eliminated(&|| true).err().unwrap();
    assert_eq!(short, Short::Unknowns(3001));
    let message = "the equations of a best strategy have 3001 unknowns, more than 3000";
    assert_eq!(short.to_string(), message);
}
