//! Benchmarks of exact chances and of chances enclosed in intervals: a battle of two sides that
//! lose by dice, walks without cycles, and walks that return.
//!
//! `cargo bench --bench numbers`. Times are of one core; compare only figures of the same run.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use fracas::analysis::visits;
use fracas::explored::Lists;
use fracas::number::{Amount, Exact, Interval};

fn part<A: Amount>(part: u32, whole: u32) -> A {
    A::ratio(&part.into(), &whole.into())
}

/// Two sides of a size; each exchange takes two of the one, one of each, or two of the other.
fn battle<A: Amount>(size: usize, [lost, both, won]: [u32; 3]) -> Lists<(u32, A)> {
    let whole = lost + both + won;
    let at = |a: usize, b: usize| ((size - a) * (size + 1) + (size - b)) as u32;
    let mut chain = Lists::default();
    for a in (0..=size).rev() {
        for b in (0..=size).rev() {
            let steps = match (a, b) {
                (0, _) | (_, 0) => Vec::new(),
                (1, _) | (_, 1) => {
                    vec![(at(a - 1, b), part(lost + both, whole)), (at(a, b - 1), part(won, whole))]
                }
                _ => vec![
                    (at(a - 2, b), part(lost, whole)),
                    (at(a - 1, b - 1), part(both, whole)),
                    (at(a, b - 2), part(won, whole)),
                ],
            };
            chain.push(steps);
        }
    }
    chain
}

/// A walk over a square that it leaves at two of its sides, and that turns back at the others.
fn square<A: Amount>(side: usize) -> Lists<(u32, A)> {
    let at = |x: usize, y: usize| (y * side + x) as u32;
    let (east, south) = ((side * side) as u32, (side * side + 1) as u32);
    let mut chain = Lists::default();
    for y in 0..side {
        for x in 0..side {
            chain.push([
                (if x + 1 < side { at(x + 1, y) } else { east }, part(11, 36)),
                (if y + 1 < side { at(x, y + 1) } else { south }, part(7, 36)),
                (at(x.saturating_sub(1), y), part(10, 36)),
                (at(x, y.saturating_sub(1)), part(8, 36)),
            ]);
        }
    }
    chain
}

fn onwards(nodes: usize) -> Lists<(u32, Interval)> {
    let mut chain = Lists::default();
    for node in 0..nodes {
        let far = node + 3 + node * 7919 % 1000;
        let to = |node: usize| node.min(nodes) as u32;
        chain.push([
            (to(node + 1), part(7, 36)),
            (to(node + 2), part(14, 36)),
            (to(far), part(15, 36)),
        ]);
    }
    chain
}

/// The places that follow each, and the chances of all steps.
fn apart<A: Amount>(chain: Lists<(u32, A)>) -> (Lists<u32>, Vec<A>) {
    let mut to = Lists::default();
    (0..chain.len()).for_each(|place| _ = to.push(chain.of(place).iter().map(|(to, _)| *to)));
    let steps = (0..chain.len()).flat_map(|place| chain.of(place));
    let chances = steps.map(|(_, chance)| chance.clone()).collect();
    (to, chances)
}

fn chains(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("chains");
    group.sample_size(10);
    // Five dice, so wholes of 7776; in the other battle they have a prime of four digits.
    let dice = [2275, 2611, 2890];
    let small = battle::<Exact>(20, dice);
    let large = battle::<Exact>(70, dice);
    let odd = battle::<Exact>(70, [2275, 2611, 2887]);
    let back = square::<Exact>(10);
    for (name, chain) in [
        ("exact, 441 states", small),
        ("exact, 5,041 states", large),
        ("exact, 5,041 states, odd wholes", odd),
        ("exact, 100 states in cycles", back),
    ] {
        let (to, chances) = apart(chain);
        group.bench_function(name, |bencher| {
            bencher.iter(|| black_box(visits((&to, &chances), 0, 1000, &|| true)))
        });
    }
    let (to, chances) = apart(square::<Interval>(20));
    group.bench_function("enclosed, 400 states in cycles", |bencher| {
        bencher.iter(|| black_box(visits((&to, &chances), 0, 1000, &|| true)))
    });
    let (to, chances) = apart(onwards(1_000_000));
    group.bench_function("enclosed, 1,000,000 states", |bencher| {
        bencher.iter(|| black_box(visits((&to, &chances), 0, 1, &|| true)))
    });
    group.finish();
}

criterion_group!(numbers, chains);
criterion_main!(numbers);
