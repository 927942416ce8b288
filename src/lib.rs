//! One script, many interpreters.
//!
//! A rules script *asks*: a player chooses, players choose in secret, dice fall. The host
//! *answers*: a person, a recorded history, a seeded sampler, an agent. A script's only inputs
//! are its setup and the answers, so a list of answers is everything: saved game, replay, undo,
//! fork. Read the modules in this order: [`game`] is the ground, [`handlers`] answer, [`script`]
//! runs the rules, [`catalog`] finds them, [`conflict`] plays them move by move, [`lab`] evaluates
//! what is typed, [`repl`] is the prompt, [`cli`] the shell.

pub mod agents;
pub mod cases;
pub mod catalog;
pub mod cli;
pub mod conflict;
pub mod error;
pub mod game;
pub mod handlers;
pub mod lab;
pub mod render;
pub mod repl;
pub mod script;

#[global_allocator]
static ALLOCATOR: script::Counting = script::Counting;
