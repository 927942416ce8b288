//! Lets people play one conflict from the shell, in a session like that of the prompt.

use std::cell::RefCell;
use std::io::IsTerminal;
use std::rc::Rc;
use std::sync::atomic::Ordering;

use super::output::{Output, is_dumb, write_now};
use super::stdin_lines::{Lines, StdinLine};
use super::{editor, stdin_lines};
use crate::catalog::Catalog;
use crate::commands::unsaved_folder;
use crate::conflict::{Play, Position};
use crate::error::Error;
use crate::repl::editor::{Editor, Read, Terminal};
use crate::repl::{Reply, Said, Session, SessionOptions};
use crate::report;

/// Plays on until the conflict is over, asking people on stdin, and prints the outcome. People at a terminal
/// may take the last answer back then. What has been played is handed
/// back even where people leave in the middle, with the error that says so; unless it `is_saved`
/// then, it is kept for the prompt.
pub(super) fn play_out(
    play: Play,
    catalog: &Catalog,
    options: SessionOptions,
    is_saved: bool,
    output: &mut Output,
) -> (Option<Play>, Result<(), Error>) {
    let mut session = Session::new(catalog.clone(), options);
    session.screen.is_shared = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    session.take_up(play);
    if let (false, true, Some(folder)) =
        (is_saved, std::io::stdin().is_terminal(), unsaved_folder())
    {
        session.keep_in(folder);
    }
    session.report();
    say(&session.take_reply(), output);
    if is_asked(&session) && std::io::stdin().is_terminal() {
        output.say("(a number or an option; `:undo` takes back, `:help` lists the commands)");
    }
    let session = Rc::new(RefCell::new(session));
    let ended = Typist::of(&session, output).and_then(|typist| ask_on(&session, typist, output));
    let mut session = session.borrow_mut();
    if is_asked(&session) {
        session.keep_unsaved();
        say(&session.take_reply(), output);
    }
    (session.play.take(), ended)
}

fn ask_on(
    session: &RefCell<Session>,
    mut typist: Typist,
    output: &mut Output,
) -> Result<(), Error> {
    let mut is_said = false;
    loop {
        let over = !is_asked(&session.borrow());
        if over && !is_said {
            print_outcome(&session.borrow(), output)?;
            is_said = true;
        }
        if over && !may_take_back(&session.borrow(), output) {
            return Ok(());
        }
        is_said &= over;
        // A person's Ctrl-C has stopped what it was to stop; that of a program ends it, whenever it comes.
        if matches!(typist, Typist::Editor(_)) {
            stdin_lines::flag().store(false, Ordering::Relaxed);
        }
        let late = session.borrow_mut().look_again();
        say(&late, output);
        let line = match typist.next(session, output) {
            Ok(Some(line)) if !over || !line.trim().is_empty() => line,
            Ok(_) | Err(Error::Interrupted) if over => return Ok(()),
            Ok(_) => return Err(ended(&session.borrow())),
            Err(error) => return Err(error),
        };
        let mut session = session.borrow_mut();
        session.options.width = output.width();
        let reply = session.enter(&line);
        if matches!(reply.error(), Some(Error::Interrupted)) {
            return Err(Error::Interrupted);
        }
        say(&reply, output);
        if let Some(at) = &reply.edits {
            editor::edit(at, output)?;
            say(&session.edited(), output);
        }
        if reply.ends {
            return if over { Ok(()) } else { Err(ended(&session)) };
        }
    }
}

/// Whether a person at a terminal is asked what to do when the conflict is over.
fn may_take_back(session: &Session, output: &Output) -> bool {
    let played = session.play.as_ref().is_some_and(|play| !play.people().is_empty());
    played && session.screen.is_shared && !output.json()
}

/// Prints the outcome, and to people how they take it back.
fn print_outcome(session: &Session, output: &mut Output) -> Result<(), Error> {
    let Some(Position::Over { outcome, .. }) = session.play.as_ref().map(Play::position) else {
        return Ok(());
    };
    if !output.json() {
        output.prose(&report::outcome(outcome))?;
    }
    if may_take_back(session, output) {
        output.say("the conflict is over: `:undo` takes the last answer back, Enter leaves");
    }
    Ok(())
}

/// Who types the lines: a person in the line editor of the prompt, or anybody else.
enum Typist {
    Editor(Box<Editor>),
    Lines(Lines),
}

impl Typist {
    /// The editor at a terminal that can draw a line again.
    fn of(session: &Rc<RefCell<Session>>, output: &Output) -> Result<Typist, Error> {
        let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        // Where nobody is asked, no key is waited for.
        if !terminal || output.plain() || is_dumb() || !is_asked(&session.borrow()) {
            return Ok(Typist::Lines(Lines::new(stdin_lines::flag())));
        }
        let terminal = Terminal { coloured: output.coloured(), size: Output::size };
        Ok(Typist::Editor(Box::new(Editor::new(session.clone(), terminal)?)))
    }

    /// The next line; nothing where there are no more. Ctrl-C clears what is typed, and leaves where
    /// nothing is.
    fn next(
        &mut self,
        session: &RefCell<Session>,
        output: &mut Output,
    ) -> Result<Option<String>, Error> {
        let prompt = session.borrow().prompt();
        let editor = match self {
            Typist::Editor(editor) => editor,
            Typist::Lines(lines) => loop {
                if std::io::stdin().is_terminal() {
                    output.ask(&prompt);
                }
                match lines.next()? {
                    Some(StdinLine::Text(line)) => return Ok(Some(line)),
                    Some(StdinLine::NoText(error)) => report_error(&error, output),
                    None => return Ok(None),
                }
            },
        };
        loop {
            stdin_lines::flag().store(false, Ordering::Relaxed);
            match editor.read(&prompt)? {
                Read::Line(line) => {
                    let kept = !line.trim().is_empty() && !session.borrow().is_secret(&line);
                    if kept && let Err(error) = editor.remember(&line) {
                        output.error(&error);
                    }
                    return Ok(Some(line));
                }
                Read::Explain(word) => {
                    let reply = session.borrow_mut().explain(&word);
                    say(&reply, output);
                }
                Read::Cleared(typed) if typed.is_empty() => return Err(Error::Interrupted),
                Read::Cleared(_) | Read::Woken(_) => {}
                Read::End => return Ok(None),
            }
        }
    }
}

/// Whether anybody, person or not, is still to be asked.
fn is_asked(session: &Session) -> bool {
    let position = session.play.as_ref().map(Play::position);
    matches!(position, Some(Position::Asked(_)))
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

/// Prints an error after which people continue, unless they asked for quiet; its text has its colours already.
fn report_error(error: &Error, output: &Output) {
    if !output.quiet() {
        write_now(&format!("{}\n", output.error_text(error)));
    }
}

/// All that is said goes beside the data, which is the outcome.
fn say(reply: &Reply, output: &mut Output) {
    for said in &reply.said {
        match said {
            Said::Data(text) | Said::Note(text) => output.say(text),
            Said::Picture(picture) => output.picture(picture),
            Said::Clear => output.clear(),
            Said::End(_) => {}
            Said::Error(error) => report_error(error, output),
        }
    }
}
