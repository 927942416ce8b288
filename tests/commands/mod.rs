//! Tests of the commands: each runs the real program, as a person or another program would.

mod alike;
mod check;
mod disk;
mod drawings;
mod exploit;
mod foreign;
mod good;
mod hostile;
pub mod interrupted;
mod lab;
mod laws;
mod leagues;
mod luck;
mod mended;
mod mutate;
mod numbers;
pub mod pages;
#[cfg(unix)]
mod programs;
mod promote;
mod reached;
mod readme;
pub mod replay_page;
pub mod run;
pub mod scratch;
pub mod serve;
mod solve;
mod specs;
mod strangers;
mod timed;
mod tournament;
mod watched;
mod wrong;
