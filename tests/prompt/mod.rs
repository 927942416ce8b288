//! Does a session at the prompt go as written down, and does it look right on a terminal?

mod guide;
#[cfg(unix)]
mod narrow;
mod own;
mod piped;
#[cfg(unix)]
mod plain;
#[cfg(unix)]
mod screen;
#[cfg(unix)]
mod terminal;
mod transcripts;
#[cfg(unix)]
mod typing;
