//! Tests sessions at the prompt, against transcripts, in a pipe and on a terminal.

mod guide;
#[cfg(unix)]
mod narrow;
mod own;
mod piped;
#[cfg(unix)]
mod plain;
#[cfg(unix)]
mod screen;
mod secrets;
#[cfg(unix)]
mod terminal;
mod transcripts;
#[cfg(unix)]
mod typing;
