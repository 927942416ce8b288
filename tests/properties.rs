//! Tests properties of every system: laws, replays, undo, saving, threads.
//!
//! All scenarios of all rules folders on disk are played, so a new folder is tested too.

use std::thread;

use fracas::catalog::{Catalog, FileKind};
use fracas::conflict::{Conflict, Play, Position, RunUntil, Saved};
use fracas::game::{Follow, Generator, History, Outcome, Record};
use fracas::script::{Ear, Limits, Run, Turn, on_large_stack};

use crate::support::{catalog, recorded, sampled, scenarios, share_of, told, unmanned};

/// How many operations of scripts one property may cost for all scenarios of a system when it is
/// tried thoroughly: some seconds. They are counted, not timed, so that every machine plays the same.
const BUDGET: u64 = 3_000_000;
/// A scenario is never played more often than this, nor less than [`LEAST`] times.
const MOST: u64 = 10_000;
const LEAST: u64 = 5;
const SEED: u64 = 2_024;
/// So many points of a history, evenly spread, are gone back to when it is tried thoroughly, and a third of them else.
const POINTS: usize = 15;

/// How many playouts of a conflict a share of the budget pays for.
fn playouts(conflict: &Conflict, share: u64) -> u64 {
    let scenarios = conflict.folder.names(FileKind::Scenario).len() as u64;
    let one = sampled(conflict, SEED, 0).1.cost * scenarios;
    (share_of(BUDGET) / share / one.max(1)).clamp(LEAST, MOST)
}

/// The history and the outcome of a playout in which everybody plays at random.
fn play(conflict: &Conflict, seed: u64, playout: u64) -> (History, Outcome) {
    let (record, played) = sampled(conflict, seed, playout);
    (record.history, played.outcome)
}

/// Runs a check on every scenario.
fn each_scenario(check: impl Fn(&Conflict)) {
    let catalog = catalog();
    let names = scenarios(&catalog);
    assert!(names.len() > 5, "the rules folders are not found");
    for name in names {
        on_large_stack(|| check(&unmanned(&catalog, &name)));
    }
}

/// How many random playouts of each system the laws are thoroughly tried on, over all its scenarios.
const LAWFUL: u64 = 10_000;

#[test]
fn laws_hold_before_every_step_and_at_the_end() {
    let catalog = catalog();
    let systems: Vec<String> = catalog.systems().map(str::to_owned).collect();
    thread::scope(|scope| {
        for system in &systems {
            scope.spawn(move || laws_hold(system));
        }
    });
}

fn laws_hold(system: &str) {
    on_large_stack(|| {
        let catalog = catalog();
        let all = scenarios(&catalog);
        let own = |name: &&String| name.split('/').next() == Some(system);
        let names: Vec<&String> = all.iter().filter(own).collect();
        for name in &names {
            let conflict = unmanned(&catalog, name);
            for playout in 0..share_of(LAWFUL).div_ceil(names.len() as u64) {
                let (mut generator, mut record) =
                    (Generator::playout(SEED, playout), Record::default());
                let mut run = Run::begin(&conflict.rules, &conflict.setup, Ear::Deaf);
                for step in 1.. {
                    let turn = run.reach(|question| {
                        let answer = generator.sample(question);
                        record.note(question, answer);
                        Ok(answer)
                    });
                    let turn = turn.unwrap_or_else(|stop| panic!("{name}: {}", told(stop)));
                    if turn == Turn::Done {
                        break;
                    }
                    let broken = conflict.rules.laws(run.state().unwrap()).unwrap();
                    assert!(
                        broken.is_empty(),
                        "{name}, playout {playout} of seed {SEED}, before step {step}: {broken:?}\n{}",
                        record.history
                    );
                }
            }
        }
    })
}

#[test]
fn who_listens_changes_nothing() {
    each_scenario(|conflict| {
        for playout in 0..playouts(conflict, 4) {
            let (mut generator, mut record) =
                (Generator::playout(SEED, playout), Record::default());
            let loud = Run::begin(&conflict.rules, &conflict.setup, Ear::Events);
            let heard = loud.finish(|question| {
                let answer = generator.sample(question);
                record.note(question, answer);
                Ok(answer)
            });
            let heard =
                heard.unwrap_or_else(|stop| panic!("{}: {}", conflict.scenario.name, told(stop)));
            let (history, outcome) = play(conflict, SEED, playout);
            assert_eq!(record.history, history, "{}", conflict.scenario.name);
            assert_eq!(heard.outcome.value().literal(), outcome.value().literal());
        }
    });
}

#[test]
fn a_history_read_back_replays_to_the_same_bytes_and_outcome() {
    each_scenario(|conflict| {
        for playout in 0..playouts(conflict, 4) {
            let (history, outcome) = play(conflict, SEED, playout);
            let text = history.to_string();
            let read = History::parse(&text).unwrap();
            let mut follow = Follow::new(read);
            let (record, again) = recorded(conflict, |question| Ok(follow.answer_whole(question)?));
            follow.finish().unwrap();
            assert_eq!(record.history.to_string(), text);
            assert_eq!(again.outcome.value().literal(), outcome.value().literal());
        }
    });
}

/// All that is compared of a conflict under way.
fn standing(play: &Play) -> (String, Vec<String>, Option<String>) {
    let events = play.events().iter().map(|heard| heard.text.clone()).collect();
    let outcome = match play.position() {
        Position::Over { outcome, .. } => Some(outcome.value().literal()),
        Position::Asked(_) => None,
    };
    (play.history().to_string(), events, outcome)
}

/// A conflict played to its end by the agents of its seats.
fn played_out(catalog: &Catalog, name: &str, seed: u64) -> Play {
    let play = Play::begin(unmanned(catalog, name), seed, &Limits::default())
        .unwrap_or_else(|error| panic!("{name}, seed {seed}: {error}"));
    assert!(matches!(play.position(), Position::Over { .. }), "{name} stops without people");
    play
}

#[test]
fn after_undo_to_any_point_the_recorded_rest_and_the_seed_both_lead_to_the_same_end() {
    on_large_stack(|| {
        let catalog = catalog();
        let points = (share_of(POINTS as u64) as usize).max(POINTS / 3);
        for name in scenarios(&catalog) {
            let mut spent = 0;
            for seed in 0..10 {
                let mut play = played_out(&catalog, &name, seed);
                let end = standing(&play);
                let cost = sampled(&play.conflict, seed, 0).1.cost;
                let length = play.history().len();
                let gone_back = (0..length).step_by(length.div_ceil(points).max(1)).chain([length]);
                for at in gone_back {
                    play.goto(at).unwrap();
                    let here = standing(&play);
                    let begun: String = end.0.split_inclusive('\n').take(at).collect();
                    assert_eq!(here.0, begun, "{name}, seed {seed}, after {at} entries");
                    assert!(end.1.starts_with(&here.1), "{name}, seed {seed}, events after {at}");
                    // A conflict may end without a question more, so only before the last is it open.
                    assert!(
                        at == length || here.2.is_none(),
                        "{name}, seed {seed}, over after {at}"
                    );
                    play.goto(length).unwrap();
                    assert_eq!(standing(&play), end, "{name}, seed {seed}, redone from {at}");
                    play.goto(at).unwrap();
                    play.go(RunUntil::PersonAsked).unwrap();
                    assert_eq!(standing(&play), end, "{name}, seed {seed}, played on from {at}");
                    spent += 3 * cost;
                }
                // No scenario takes more than a fourth of what its system may.
                let beside = play.conflict.folder.names(FileKind::Scenario).len().max(4);
                if spent > share_of(BUDGET) / beside as u64 {
                    break;
                }
            }
        }
    })
}

#[test]
fn a_saved_conflict_is_taken_up_where_it_was_left() {
    on_large_stack(|| {
        let catalog = catalog();
        for name in scenarios(&catalog) {
            for seed in 0..3 {
                let mut play = played_out(&catalog, &name, seed);
                let length = play.history().len();
                for at in [length, length / 2, 0] {
                    play.goto(at).unwrap();
                    let saved = play.saved();
                    let text = saved.to_text().unwrap();
                    let read = Saved::parse("saved", &text).unwrap();
                    assert_eq!(read, saved, "{name}, seed {seed}, after {at}");
                    assert_eq!(read.to_text().unwrap(), text, "{name}, seed {seed}, after {at}");
                    let loaded = Play::load(&catalog, &read, &Limits::default(), false).unwrap();
                    assert!(loaded.differs.is_empty() && loaded.divergence.is_none(), "{name}");
                    assert_eq!(
                        standing(&loaded.play),
                        standing(&play),
                        "{name}, seed {seed}, {at}"
                    );
                }
            }
        }
    })
}

#[test]
fn two_threads_play_the_same_histories_as_one() {
    let catalog = catalog();
    for name in scenarios(&catalog) {
        let texts = |from: usize, count: usize, by: usize| {
            // Rules belong to one thread, so each compiles its own.
            let conflict = unmanned(&catalog, &name);
            (from..count)
                .step_by(by)
                .map(|playout| {
                    let (history, outcome) = play(&conflict, SEED, playout as u64);
                    format!("{history}{}\n", outcome.value().literal())
                })
                .collect::<Vec<String>>()
        };
        let count = playouts(&unmanned(&catalog, &name), 8) as usize;
        let alone = texts(0, count, 1);
        let (even, odd) = thread::scope(|scope| {
            let even = scope.spawn(|| texts(0, count, 2));
            let odd = scope.spawn(|| texts(1, count, 2));
            (even.join().unwrap(), odd.join().unwrap())
        });
        for (playout, text) in alone.iter().enumerate() {
            let side = if playout % 2 == 0 { &even } else { &odd };
            assert_eq!(side[playout / 2], *text, "{name}, playout {playout} of seed {SEED}");
        }
    }
}
