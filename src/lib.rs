//! One script, many interpreters.
//!
//! A rules script *asks*: a player chooses, players choose in secret, dice fall. The host
//! *answers*: a person, a recorded history, a seeded sampler, an agent. A script's only inputs
//! are its setup and the answers, so a list of answers is everything: saved game, replay, undo,
//! fork. Read the modules from the ground up: [`game`], [`handlers`], [`script`], [`catalog`].
//!
//! From the top floor down; each uses only what stands below it, and a test keeps it so:
//! - `cli`: the commands of the shell.
//! - `repl`: the prompt.
//! - `arguments`: the arguments that commands of the shell and of the prompt share.
//! - `lab`: what experiment scripts and the prompt can call.
//! - `tournament`: matches between agents, and their standings.
//! - `analysis`: odds, estimates, comparisons, sweeps, equilibria.
//! - `check`, `listing`: what is wrong with a rules folder, and what is in it.
//! - `handbook`: what scripts define and call, with its text.
//! - `cases`: worked examples, run and compared.
//! - `conflict`: a conflict under way: played, taken back, forked, saved.
//! - `agents`: what can sit in a seat.
//! - `graph`: the part of the game seen so far.
//! - `rulebook`: the rules in prose, by their clauses.
//! - `catalog`: the rules folders, and what stands in their files.
//! - `script`, `handlers`: the only place that knows Rhai, and who answers; neither knows the other.
//! - `render`: errors, numbers and tables as text.
//! - `game`, `error`: the ground, and all that can go wrong on it.
//!
//! # As a library
//! Open rules with [`catalog::Catalog`] and [`conflict::Conflict`]; each example goes on from there.
//! ```
//! use fracas::catalog::Catalog;
//! use fracas::conflict::{Changes, Conflict};
//! use fracas::script::Limits;
//!
//! fn opened() -> Result<Conflict, fracas::error::Error> {
//!     let catalog = Catalog::new(&["rules".into()])?;
//!     // House rules, parameters and seats, as a person writes them.
//!     let changes = Changes::read(&[], &[], &["red=random".into(), "blue=random".into()])?;
//!     Conflict::open(&catalog, "war_die/ford", &changes, &Limits::default())
//! }
//! # assert_eq!(opened().unwrap().scenario.name, "war_die/ford");
//! ```
//! Play it with [`handlers::Sampler`], which answers at random, and replay what was recorded:
//! ```
//! # use fracas::catalog::Catalog;
//! # use fracas::conflict::{Changes, Conflict};
//! # let catalog = Catalog::new(&["rules".into()]).unwrap();
//! # let limits = fracas::script::Limits::default();
//! # let seats = ["red=random".into(), "blue=random".into()];
//! # let changes = Changes::read(&[], &[], &seats).unwrap();
//! # let conflict = Conflict::open(&catalog, "war_die/ford", &changes, &limits).unwrap();
//! use fracas::conflict::{Play, Position, RunUntil};
//!
//! let play = Play::begin(conflict, 7, &limits)?;
//! let history = play.history();
//! # let again = Conflict::open(&catalog, "war_die/ford", &changes, &limits).unwrap();
//! let replayed = Play::resume(again, 7, &limits, history.clone(), RunUntil::PersonAsked)?;
//! let ending = |play: &Play| match play.position() {
//!     Position::Over { outcome, .. } => outcome.clone(),
//!     Position::Asked(_) => unreachable!("nobody plays in person"),
//! };
//! assert_eq!(ending(&play), ending(&replayed));
//! # Ok::<(), fracas::error::Error>(())
//! ```
//! Ask for the odds, or for an equilibrium, on the graph of all that can happen:
//! ```
//! # use fracas::catalog::Catalog;
//! # use fracas::conflict::{Changes, Conflict};
//! # let catalog = Catalog::new(&["rules".into()]).unwrap();
//! # let limits = fracas::script::Limits::default();
//! # let seats = ["red=random".into(), "blue=random".into()];
//! # let changes = Changes::read(&[], &[], &seats).unwrap();
//! # let conflict = Conflict::open(&catalog, "war_die/ford", &changes, &limits).unwrap();
//! use fracas::analysis::equilibrium::{Solved, Solving};
//! use fracas::analysis::{Odds, Seeking};
//! use fracas::conflict::Seating;
//!
//! let seating = Seating::new(&conflict, 64 << 20)?; // bytes
//! let seeking = Seeking { float: false, threads: 1, nodes: 50_000 };
//! let odds = Odds::find(&seating, seeking, &|_| ())?;
//! assert!(odds.as_text(80, true).contains("7/12"), "the attacker wins 7 of 12");
//!
//! let solving = Solving {
//!     exact: true,
//!     within: Solving::WITHIN,
//!     time: None,
//!     threads: 1,
//!     nodes: 50_000,
//!     checkpoint: None,
//! };
//! assert!(Solved::find(&seating, solving, &|_| ())?.found.is_ok());
//! # Ok::<(), fracas::error::Error>(())
//! ```
//! Run a tournament between agents:
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use fracas::catalog::{Catalog, Text};
//! use fracas::script::Limits;
//! use fracas::tournament::{Arena, Opening, Results, Running, Spec, Standings, run};
//!
//! let catalog = Catalog::new(&["rules".into()])?;
//! let text = "scenarios = [\"war_die/ford\"]\nagents = [\"random\", \"greedy\"]\n\
//!     format = \"round_robin\"\ngames = 10\nseed = 1\n";
//! let spec = Spec::parse(Text { path: "league.toml".into(), text: text.into() })?;
//! let limits = Limits::default();
//! let opening = Opening {
//!     catalog: &catalog,
//!     limits: &limits,
//!     memory: 64 << 20,
//!     rules: &[],
//!     place: &|_| None,
//!     given: None,
//! };
//! let arena = Arena::open(&spec, &opening)?;
//! let mut results = Results::in_memory(&spec, arena.conditions())?;
//! let interrupt = AtomicBool::new(false);
//! let running = Running { threads: 1, interrupt: &interrupt, progress: &mut |_| () };
//! let league = run(&spec, arena.conditions(), &arena, &mut results, running)?;
//! println!("{}", Standings::of(&league.course).text(80, true));
//! # assert!(league.course.stopped().is_some() || league.course.total().is_some());
//! # Ok::<(), fracas::error::Error>(())
//! ```

// What is public is what can be reached from outside; the rest says `pub(crate)`.
#![deny(unreachable_pub)]

pub mod agents;
pub mod analysis;
mod arguments;
pub mod cases;
pub mod catalog;
pub mod check;
pub mod cli;
pub mod conflict;
pub mod error;
pub mod game;
pub mod graph;
pub mod handbook;
pub mod handlers;
pub mod lab;
mod listing;
pub mod render;
pub mod repl;
mod rulebook;
pub mod script;
pub mod tournament;

#[global_allocator]
static ALLOCATOR: script::Counting = script::Counting;
