//! Tests odds against numbers worked out by hand and by brute force, and estimates against exact
//! odds.

mod bound;
mod coverage;
mod cycles;
mod histories;
mod prospects;
mod same;
mod textbook;

use fracas::analysis::{Chances, Odds, Seeking};
use fracas::catalog::{Catalog, FileText, Scenario};
use fracas::conflict::{Changes, Conflict, Seating};
use fracas::number::Fraction;
use fracas::script::Limits;
use num_bigint::BigInt;

use crate::support::catalog;

/// Enough memory for every scenario here, unless a test sets another bound.
const MEMORY: u64 = 256 << 20;

const SEEKING: Seeking = Seeking { float: false, threads: 1, nodes: u64::MAX };

fn ratio(part: impl Into<BigInt>, whole: impl Into<BigInt>) -> Fraction {
    Fraction::new(part.into(), whole.into())
}

/// A scenario with these seats and `random` in all others.
fn opened(name: &str, seats: &[(&str, &str)]) -> Conflict {
    let catalog = catalog();
    let scenario = catalog.scenario(name).unwrap_or_else(|error| panic!("{name}: {error}"));
    seated(&catalog, scenario, seats)
}

/// A conflict from rules that a test writes, with the setup of its scenario as TOML.
fn inline(rules: &str, setup: &str) -> Own {
    with_agent(rules, "", setup, &[])
}

/// The same, with an agent `own`.
fn with_agent(rules: &str, agent: &str, setup: &str, seats: &[(&str, &str)]) -> Own {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("own")).unwrap();
    std::fs::write(folder.path().join("own/rules.rhai"), rules).unwrap();
    std::fs::create_dir(folder.path().join("own/agents")).unwrap();
    std::fs::write(folder.path().join("own/agents/own.rhai"), agent).unwrap();
    let catalog = Catalog::new(&[folder.path().to_path_buf()]).unwrap();
    let text = format!("system = \"own\"\n[setup]\n{setup}");
    let scenario =
        Scenario::parse("own/inline", FileText { path: "inline.toml".to_owned(), text }).unwrap();
    Own { conflict: seated(&catalog, scenario, seats), _folder: folder }
}

/// A conflict with the temporary folder that holds its rules.
struct Own {
    conflict: Conflict,
    _folder: tempfile::TempDir,
}

impl std::ops::Deref for Own {
    type Target = Conflict;

    fn deref(&self) -> &Conflict {
        &self.conflict
    }
}

fn seated(catalog: &Catalog, mut scenario: Scenario, seats: &[(&str, &str)]) -> Conflict {
    scenario.seats =
        seats.iter().map(|(seat, agent)| (seat.to_string(), agent.to_string())).collect();
    Conflict::of(catalog, scenario, &Changes::default(), &Limits::default())
        .unwrap_or_else(|error| panic!("{error}"))
}

fn seating(conflict: &Conflict) -> Seating {
    Seating::new(conflict, MEMORY).unwrap()
}

fn odds(seating: &Seating, seeking: Seeking) -> Odds {
    Odds::find(seating, seeking, &|_| ()).unwrap_or_else(|error| panic!("{error}"))
}

/// The exact odds; panics if they are out of reach.
fn exact(conflict: &Conflict) -> Chances {
    let odds = odds(&seating(conflict), SEEKING);
    let found =
        odds.found.unwrap_or_else(|why| panic!("{}: {}", conflict.scenario.name, why.reason));
    found.chances
}

/// Why the odds are out of reach.
fn refused(conflict: &Conflict, seeking: Seeking) -> String {
    odds(&seating(conflict), seeking).found.expect_err("the odds are out of reach").reason
}

fn result(chances: &Chances, name: &str) -> Fraction {
    chances.results[name].fraction.as_deref().cloned().expect("the number is exact")
}

fn utility(chances: &Chances, player: &str) -> Fraction {
    chances.utility[player].fraction.as_deref().cloned().expect("the number is exact")
}
