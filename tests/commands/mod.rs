//! Do the commands keep their promises? The real program, run as a person or a program would.

mod check;
mod good;
mod hostile;
mod interrupted;
mod mended;
mod numbers;
mod readme;
mod run;
mod scratch;
mod wrong;
