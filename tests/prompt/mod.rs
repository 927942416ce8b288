//! Does a session at the prompt go as written down, and does it look right on a terminal?

mod piped;
#[cfg(unix)]
mod terminal;
mod transcripts;
