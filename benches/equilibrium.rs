//! Benchmarks of the equilibrium solvers: tables of random numbers, and a small hidden game solved
//! from scratch.
//!
//! `cargo bench --bench equilibrium`. Promised, on one core: a table of 12 rows and columns with its
//! certificate in 0.2 ms; `territory` with three tokens each, in fractions, from scratch in 2 s.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use fracas::analysis::{PayoffMatrix, Solved, Solving, nearly};
use fracas::catalog::Catalog;
use fracas::conflict::{Changes, Conflict, Seating};
use fracas::game::Generator;
use fracas::script::Limits;

fn random(size: usize, generator: &mut Generator) -> PayoffMatrix<f64> {
    let number = |_| generator.index(1_000_001) as f64 / 1e6;
    let cells = (0..size * size).map(number).collect();
    PayoffMatrix::new(size, size, cells)
}

fn tables(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("equilibrium of a table with certificate");
    for size in [3, 12, 60] {
        let mut generator = Generator::of(size as u64);
        group.bench_function(format!("{size} by {size}"), |bencher| {
            bencher.iter_batched(
                || random(size, &mut generator),
                |table| {
                    let mixed = nearly(&table, &|| true).unwrap();
                    black_box(table.certificate(&mixed.rows, &mixed.columns))
                },
                BatchSize::SmallInput,
            );
        });
    }
    group.finish();
}

fn from_nothing(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("equilibrium from nothing, exact");
    group.sample_size(10);
    let rules = format!("{}/benches/rules", env!("CARGO_MANIFEST_DIR"));
    for name in
        ["territory/three_tokens", "battle_tiles/two_tiles_each", "connect_four/four_by_four"]
    {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let catalog = Catalog::new(&[rules.clone().into()]).expect("the rules folders");
                let changes = Changes::default();
                let conflict = Conflict::open(&catalog, name, &changes, &Limits::default());
                let seating = Seating::new(&conflict.expect("a scenario"), 1 << 30);
                let solving = Solving {
                    exact: true,
                    within: 1e-3,
                    time: None,
                    threads: 1,
                    nodes: u64::MAX,
                    work: None,
                };
                let solved = Solved::find(&seating.expect("seats"), solving, &|_| ());
                assert!(solved.is_ok_and(|solved| solved.found.is_ok_and(|found| found.exact)));
            });
        });
    }
    group.finish();
}

criterion_group!(benches, tables, from_nothing);
criterion_main!(benches);
