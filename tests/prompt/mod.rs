//! Tests sessions at the prompt, against transcripts, in a pipe and on a terminal.

mod guide;
mod here;
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
mod unsaved;
mod wording;

use fracas::repl::{Reply, Said, Session};
use fracas::report;

fn text(reply: &Reply) -> String {
    let part = |said: &Said| match said {
        Said::Error(error) => report::as_text(error, false, 200),
        said => said.text().unwrap_or_default(),
    };
    reply.said.iter().map(part).collect::<Vec<_>>().join("\n")
}

/// What a session says to a line.
fn says(session: &mut Session, line: &str) -> String {
    text(&session.line(line))
}
