//! Do the commands keep their promises? The real program, run as a person or a program would.

mod check;
mod good;
mod mended;
mod run;
mod scratch;
mod wrong;
