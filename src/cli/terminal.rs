//! How do people play one conflict from the shell? A session like that of the prompt, until it is over.

use std::io::IsTerminal;

use super::external;
use super::interrupt;
use super::lines::Lines;
use super::output::Output;
use crate::catalog::Catalog;
use crate::conflict::{Play, Standing};
use crate::error::Error;
use crate::render;
use crate::repl::{Options, Reply, Said, Session};

/// Plays on until the conflict is over, asking people on stdin. What has been played is handed
/// back even where people leave in the middle, with the error that says so.
pub fn play_out(
    play: Play,
    catalog: &Catalog,
    options: Options,
    output: &mut Output,
) -> (Option<Play>, Result<(), Error>) {
    let mut session = Session::new(catalog.clone(), options);
    session.take_up(play);
    let mut reply = Reply::default();
    session.tell(&mut reply);
    say(&reply, output);
    if is_asked(&session) && std::io::stdin().is_terminal() {
        output.say("(a number or an option; `:undo` takes back, `:help` lists what else)");
    }
    let ended = ask_on(&mut session, output);
    (session.play.take(), ended)
}

fn ask_on(session: &mut Session, output: &mut Output) -> Result<(), Error> {
    let mut lines = Lines::new(interrupt::flag());
    while is_asked(session) {
        if std::io::stdin().is_terminal() {
            output.ask(&session.prompt());
        }
        let Some(line) = lines.next()? else { return Err(ended(session)) };
        let reply = session.line(&line);
        if matches!(reply.error(), Some(Error::Interrupted)) {
            return Err(Error::Interrupted);
        }
        say(&reply, output);
        if let Some(at) = &reply.edits {
            external::edit(at)?;
            say(&session.edited(), output);
        }
        if reply.ends {
            return Err(ended(session));
        }
    }
    Ok(())
}

/// Whether anybody, person or not, is still to be asked.
fn is_asked(session: &Session) -> bool {
    let standing = session.play.as_ref().map(Play::standing);
    matches!(standing, Some(Standing::Asked(_)))
}

fn ended(session: &Session) -> Error {
    match session.play.as_ref().and_then(Play::asked) {
        Some(asked) => Error::usage(format!(
            "the input ended while `{}` was asked `{}`",
            asked.who, asked.name
        )),
        None => Error::usage("the input ended before the conflict did"),
    }
}

/// All that is said goes beside the data, which is the outcome, and that is told by the command.
fn say(reply: &Reply, output: &mut Output) {
    for said in &reply.said {
        match said {
            Said::Data(text) | Said::Note(text) => output.say(text),
            Said::Picture(picture) => output.picture(picture),
            Said::End(_) => {}
            Said::Error(error) => {
                output.say(&render::as_text(error, false, output.width()));
            }
        }
    }
}
