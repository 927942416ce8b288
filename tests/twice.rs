//! Compares the rules of systems with the same rules written in Rust, for the setups of all
//! scenarios and cases.

use fracas::catalog::FileKind;
use fracas::conflict::{Order, compile};
use fracas::game::{Generator, Value};
use fracas::script::{Ear, Limits, Run, Setup, on_large_stack};

use super::support::catalog;

#[path = "../benches/native/mod.rs"]
mod native;

use native::{Native, check};

/// Setups with larger numbers are left out, because the Rust rules remove tokens one by one.
const MOST: i64 = 100_000;

fn largest(value: &Value) -> i64 {
    match value {
        Value::Int(number) => *number,
        Value::List(items) => items.iter().map(largest).max().unwrap_or(0),
        Value::Map(map) => map.values().map(largest).max().unwrap_or(0),
        _ => 0,
    }
}

/// Compares on every setup of the folder's scenarios and cases, always under default parameters.
/// Both ask the same questions, so each seed gives the same playout.
fn compare<N: Native>(system: &str, least: usize) {
    on_large_stack(|| {
        let catalog = catalog();
        let folder = catalog.folder(system).unwrap();
        let rules = compile(folder, Order::default(), &Limits::default()).unwrap();
        let mut setups: Vec<(String, Value, u64)> = Vec::new();
        for name in folder.names(FileKind::Scenario) {
            let scenario = folder.scenario(&name).unwrap();
            setups.push((scenario.name, scenario.setup, 40));
        }
        for name in folder.names(FileKind::Case) {
            for case in folder.cases(&name).unwrap().cases {
                setups.push((format!("{system}, {name}: {}", case.title), case.setup, 3));
            }
        }
        // Setups that are wrong under default parameters are cases of that, and readings of which the
        // native rules know nothing have cases of their own.
        setups.retain(|(_, setup, _)| {
            let mut generator = Generator::playout(1, 0);
            let mut run = Run::begin(&rules, &Setup::new(setup.clone()), Ear::Deaf);
            largest(setup) < MOST
                && run.reach(|question| Ok(generator.sample(question))).is_ok()
                && N::read(setup).is_some()
        });
        assert!(setups.len() >= least, "only {} setups of {system}", setups.len());
        for (name, setup, playouts) in setups {
            check::<N>(&rules, &setup, &name, playouts);
        }
    });
}

#[test]
fn wars_end_as_they_do_natively() {
    compare::<native::war_die::WarDie>("war_die", 100);
}

#[test]
fn tiles_end_as_they_do_natively() {
    compare::<native::battle_tiles::BattleTiles>("battle_tiles", 100);
}

#[test]
fn attrition_ends_as_it_does_natively() {
    compare::<native::attrition::Attrition>("attrition", 100);
}

#[test]
fn last_stands_end_as_they_do_natively() {
    compare::<native::last_stand::LastStand>("last_stand", 100);
}
