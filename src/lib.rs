//! Opens rules for conflicts that are written as Rhai scripts; plays, replays and analyses them.
//!
//! A rules script asks questions: a player chooses, several choose in secret, dice fall. The host
//! answers them: a person, a recorded history, a seeded sampler, an agent. The setup and the
//! answers are all that a script gets, so a list of answers is a complete record: it is saved,
//! replayed, undone and forked.
//!
//! # As a library
//! Seven modules are for other programs: [`catalog`] finds rules, [`conflict`] opens and plays them
//! under the limits of [`script`], [`analysis`] computes, [`tournament`] lets agents play each other, and [`error`]
//! says what went wrong. Their values are in [`game`], what is known of numbers in [`number`].
//!
//! ## Open and play
//! `war_die` is a folder in `rules`, and `ford` a scenario in it. Agents sit in both seats here, and the seed
//! decides what they pick and roll; whoever wants to answer otherwise drives a [`script::Run`].
//! ```
//! use fracas::catalog::Catalog;
//! use fracas::conflict::{Changes, Conflict, Play, Position};
//! use fracas::script::Limits;
//!
//! let catalog = Catalog::new(&["rules".into()])?;
//! let limits = Limits::default();
//! let seats = ["red=random".into(), "blue=greedy".into()];
//! // No house rules, no parameters, and who plays.
//! let changes = Changes::read(&[], &[], &seats)?;
//! let conflict = Conflict::open(&catalog, "war_die/ford", &changes, &limits)?;
//!
//! let seed = 7;
//! let play = Play::begin(conflict, seed, &limits)?;
//! let Position::Over { outcome, .. } = play.position() else { panic!("nobody plays in person") };
//! // Blue shows 1, and red, at random, a higher die.
//! assert_eq!(outcome.result, "attacker");
//! # Ok::<(), fracas::error::Error>(())
//! ```
//! ## Replay
//! A history is all that is needed to get the same outcome, under any seed.
//! ```
//! # use fracas::catalog::Catalog;
//! # use fracas::conflict::{Changes, Conflict};
//! use fracas::conflict::{Play, RunUntil};
//! # use fracas::script::Limits;
//!
//! # let (catalog, limits) = (Catalog::new(&["rules".into()])?, Limits::default());
//! # let changes = Changes::read(&[], &[], &["red=random".into(), "blue=greedy".into()])?;
//! // As above.
//! let open = || Conflict::open(&catalog, "war_die/ford", &changes, &limits);
//! let play = Play::begin(open()?, 7, &limits)?;
//! let history = play.history();
//!
//! let again = Play::resume(open()?, 8, &limits, history.clone(), RunUntil::PersonAsked)?;
//! assert_eq!(again.history(), history);
//! # Ok::<(), fracas::error::Error>(())
//! ```
//! ## Odds and equilibria
//! Both explore the graph of all that can happen. Bound its memory, in bytes, and its nodes.
//! ```
//! # use fracas::catalog::Catalog;
//! # use fracas::conflict::{Changes, Conflict};
//! use fracas::analysis::{Odds, Seeking, Solved, Solving};
//! use fracas::conflict::Seating;
//! # use fracas::script::Limits;
//!
//! # let (catalog, limits) = (Catalog::new(&["rules".into()])?, Limits::default());
//! # let changes = Changes::read(&[], &[], &["red=random".into(), "blue=greedy".into()])?;
//! # let conflict = Conflict::open(&catalog, "war_die/ford", &changes, &limits)?;
//! let seating = Seating::new(&conflict, 64 << 20)?;
//! let no_progress = |_| ();
//! let seeking = Seeking { float: false, threads: 1, nodes: 50_000 };
//! let odds = Odds::find(&seating, seeking, &no_progress)?;
//! // In 80 columns of plain ASCII: blue shows 1, and red wins with 4 of its 6 options.
//! assert!(odds.report().text(80, true).contains("2/3"));
//!
//! // For any seated agents: what players do who make no mistakes.
//! let solved = Solved::find(&seating, Solving { exact: true, ..Solving::default() }, &|_| ())?;
//! let solution = solved.found.expect("it is small enough");
//! // Blue shows a flag. Red shows 1, which its discount makes free, and keeps its 3 resources.
//! assert_eq!(solution.value["red"].value, 3.0);
//! # Ok::<(), fracas::error::Error>(())
//! ```
//! ## Tournaments
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use fracas::catalog::{Catalog, FileText};
//! use fracas::script::Limits;
//! use fracas::tournament::{Arena, Opening, Results, Running, Spec, Standings, run};
//!
//! let text = r#"
//!     scenarios = ["war_die/ford"]
//!     agents = ["random", "greedy"]
//!     format = "round_robin"
//!     games = 10
//!     seed = 1
//! "#;
//! // The path is only for messages.
//! let spec = Spec::parse(FileText { path: "league.toml".into(), text: text.into() })?;
//! let (catalog, limits) = (Catalog::new(&["rules".into()])?, Limits::default());
//! let arena = Arena::open(&spec, &Opening::new(&catalog, &limits))?;
//! let mut results = Results::in_memory(&spec, arena.conditions())?;
//! // Raise it from another thread, and the tournament ends after the games under way.
//! let interrupt = AtomicBool::new(false);
//! let running = Running { threads: 1, interrupt: &interrupt, begins: &|_| Box::new(|_| ()) };
//! let league = run(&spec, arena.conditions(), &arena, &mut results, running)?;
//!
//! let standings = Standings::of(&league.state);
//! println!("{}", standings.report(&league.state).text(80, true));
//! assert_eq!(standings.rows.len(), 2);
//! # Ok::<(), fracas::error::Error>(())
//! ```
//!
//! # Inside
//! From the top layer down; each uses only layers below it, and `tests/structure.rs` checks it:
//! - `cli`: the commands of the shell.
//! - `repl`: the prompt.
//! - `lab`: what experiment scripts and the prompt can call.
//! - `commands`: the commands that shell, prompt and lab share, and what they run on.
//! - `serve`: a conflict for programs in any language, by lines of JSON.
//! - `tournament`: matches between agents, results, ratings, reports.
//! - `check`: what is wrong with rules folders, and what of them no case and no law would notice.
//! - `analysis`: odds, estimates, comparisons, portraits, sweeps, tunings, equilibria.
//! - `listing`: lists of rules folders.
//! - `handbook`: the documentation of what scripts define and call.
//! - `cases`: worked examples, run and compared.
//! - `conflict`: an open conflict: played, undone, forked, saved, reloaded.
//! - `agents`: everything that can sit in a seat.
//! - `explored`: what was explored of a game, frozen, and what is computed on it.
//! - `graph`: the game graph, as far as it has been explored, and those who answer on it: agents in their seats.
//! - `rulebook`: the rules in prose, by their clauses.
//! - `catalog`: rules folders, and the files in them.
//! - `script`: scripts. Rhai is known to `script` and `lab` alone.
//! - `number`: exact fractions, intervals, estimates.
//! - `report`: what is found as blocks, and how they are printed; errors and numbers as text.
//! - `game`, `error`: values, histories, questions, outcomes, random numbers; every error.

// What is public is what can be reached from outside; the rest says `pub(crate)`.
#![deny(unreachable_pub)]

mod commands;
mod listing;
mod rulebook;
mod serve;

// The library.
pub mod analysis;
pub mod catalog;
pub mod conflict;
pub mod error;
pub mod game;
pub mod number;
pub mod script;
pub mod tournament;

// What the program, the tests and the benchmarks call besides; it may change at any time.
#[doc(hidden)]
pub mod agents;
#[doc(hidden)]
pub mod cases;
#[doc(hidden)]
pub mod check;
#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod explored;
#[doc(hidden)]
pub mod graph;
#[doc(hidden)]
pub mod handbook;
#[doc(hidden)]
pub mod lab;
#[doc(hidden)]
pub mod repl;
#[doc(hidden)]
pub mod report;

#[global_allocator]
static ALLOCATOR: script::Counting = script::Counting;
