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
pub mod listing;
pub mod render;
pub mod repl;
pub mod rulebook;
pub mod script;
pub mod tournament;

#[global_allocator]
static ALLOCATOR: script::Counting = script::Counting;
