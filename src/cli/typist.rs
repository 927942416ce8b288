//! The lines of a session, from whoever types them: each is read, run and answered, up to the last one.

use std::cell::RefCell;
use std::io::IsTerminal;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::atomic::Ordering;

use super::output::{Output, is_dumb, is_left, shown};
use super::prompt_watch::PromptWatch;
use super::stdin_lines::{Lines, STDIN, StdinLine};
use super::{editor, pager, stdin_lines};
use crate::conflict::Play;
use crate::error::{Error, Location, ScriptError, ScriptFault};
use crate::repl::editor::{Editor, Read, Terminal};
use crate::repl::{Reply, Said, Session};
use crate::report::{tame, wrapped};

/// Whose lines they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Talk {
    /// A person's at the prompt: a mistake is printed, and the next line is read.
    Prompt,
    /// A program's or a file's: the first mistake ends it, and so does an interrupt, whenever it comes. What is no
    /// line of text is reported, and the next one is read.
    Piped,
    /// Of whoever plays one conflict, whose outcome is the data: all else is printed beside it.
    Play,
}

/// Leaves the editor's line, and turns bracketed paste off.
const LINE_LEFT: &str = "\u{1b}[?2004l\n";

/// Runs the lines of a session.
pub(super) fn talk(
    session: &Rc<RefCell<Session>>,
    talk: Talk,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let mut typist = Typist::of(session, talk, output)?;
    let (mut code, mut is_over) = (ExitCode::SUCCESS, false);
    loop {
        if is_left() {
            return Ok(code);
        }
        if stdin_lines::is_ending() {
            return Err(Error::Interrupted);
        }
        if talk == Talk::Play && !plays_on(&session.borrow(), &mut is_over, output) {
            return Ok(code);
        }
        let line = match (typist.next(session, output)?, talk) {
            (Typed::NoText(error), _) => {
                typist.fail(&error, output);
                if talk == Talk::Piped {
                    code = ExitCode::from(error.exit_code());
                    // The lines behind it keep their numbers.
                    session.borrow_mut().line("");
                }
                continue;
            }
            (Typed::Line(line), _) if !is_over || !line.trim().is_empty() => line,
            (_, Talk::Play) if is_over => return Ok(code),
            (Typed::Cleared, Talk::Prompt) => {
                session.borrow_mut().clear();
                typist.says_how_to_leave(output);
                continue;
            }
            (Typed::Cleared, _) => return Err(Error::Interrupted),
            (_, Talk::Play) => return Err(ended(&session.borrow())),
            (_, Talk::Piped) => return session.borrow_mut().finish().map(|()| code),
            (_, Talk::Prompt) => return Ok(code),
        };
        session.borrow_mut().options.width = output.width();
        // A file that changed just now.
        typist.look_again(session, output)?;
        let mut reply = session.borrow_mut().enter(&line);
        let failed = reply.error().map(Error::exit_code).filter(|_| talk == Talk::Piped);
        match (&typist.lines, reply.error()) {
            (_, Some(Error::Interrupted)) if talk == Talk::Play => return Err(Error::Interrupted),
            (LineSource::Lines(lines), Some(_)) if talk == Talk::Piped => {
                let said = reply.said.into_iter();
                reply.said = said.map(|said| in_line(said, lines.count, &line)).collect();
            }
            // The terminal has written `^C` where the next line is to be, though what was stopped may have
            // something to show all the same.
            (LineSource::Editor(..), error)
                if matches!(error, Some(Error::Interrupted))
                    || stdin_lines::flag().load(Ordering::Relaxed) =>
            {
                output.erase("^C");
            }
            _ => {}
        }
        typist.show(&reply, output)?;
        if let Some(code) = failed {
            return Ok(ExitCode::from(code));
        }
        // It is to survive any end of the program. What is wrong with the file is reported once, and at the end.
        if let Err(error) = session.borrow_mut().keep_quietly()
            && !std::mem::replace(&mut typist.keeps_nothing, true)
        {
            output.say(&format!("what is not saved is not kept: {error}"));
        }
        match typist.edit(&reply, session, output) {
            Err(error) if talk == Talk::Prompt => typist.fail(&error, output),
            edited => match edited? {
                Some(code) if talk == Talk::Piped => return Ok(ExitCode::from(code)),
                _ => {}
            },
        }
        match reply.ends {
            true if talk == Talk::Play && !is_over => {
                return Err(ended(&session.borrow()));
            }
            true => return Ok(code),
            false => {}
        }
    }
}

/// Who types the lines.
struct Typist {
    talk: Talk,
    lines: LineSource,
    /// The key by which the pager was left.
    left: Option<char>,
    /// How often Ctrl-C was typed since the last line.
    cleared: usize,
    /// Whether it was said that the open conflict cannot be kept.
    keeps_nothing: bool,
}

enum LineSource {
    /// The line editor. A terminal that can be written to from aside reads its keys in another way, so files are
    /// watched only where they must.
    Editor(Box<Editor>, Option<PromptWatch>),
    /// The terminal alone edits them, or nobody.
    Lines(Lines),
}

enum Typed {
    Line(String),
    /// A line that is no text.
    NoText(Error),
    /// Ctrl-C, which has stopped nothing.
    Cleared,
    End,
}

impl Typist {
    /// The editor at a terminal that can draw a line again.
    fn of(session: &Rc<RefCell<Session>>, talk: Talk, output: &Output) -> Result<Typist, Error> {
        let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        // Where nobody is asked, no key is waited for.
        let waits = talk == Talk::Prompt || is_asked(&session.borrow());
        let lines = match terminal && waits && !output.plain && !is_dumb() {
            true => {
                let terminal = Terminal { coloured: output.coloured, size: Output::size };
                LineSource::Editor(Box::new(Editor::new(session.clone(), terminal)?), None)
            }
            false => LineSource::Lines(Lines::new(stdin_lines::flag())),
        };
        Ok(Typist { talk, lines, left: None, cleared: 0, keeps_nothing: false })
    }

    /// The next line. Files that have changed are reported before it.
    fn next(&mut self, session: &RefCell<Session>, output: &mut Output) -> Result<Typed, Error> {
        let lower = || stdin_lines::flag().store(false, Ordering::Relaxed);
        loop {
            // While a line is typed Ctrl-C clears it; from its end on it stops what the line runs.
            if self.talk == Talk::Prompt || matches!(self.lines, LineSource::Editor(..)) {
                lower();
            }
            self.look_again(session, output)?;
            let prompt = session.borrow().prompt();
            let (editor, watch) = match &mut self.lines {
                LineSource::Editor(editor, watch) => (editor, watch),
                LineSource::Lines(lines) => {
                    if self.talk != Talk::Piped && std::io::stdin().is_terminal() {
                        output.ask(&prompt);
                    }
                    let left = left("\n", session, output);
                    return match stdin_lines::waiting(left, || lines.next()) {
                        Ok(Some(StdinLine::Text(line))) => Ok(Typed::Line(line)),
                        Ok(Some(StdinLine::NoText(error))) => Ok(Typed::NoText(error)),
                        Ok(None) => Ok(Typed::End),
                        Err(Error::Interrupted) => Ok(Typed::Cleared),
                        Err(error) => Err(error),
                    };
                }
            };
            if session.borrow().watches {
                let watch = watch.get_or_insert_with(|| PromptWatch::new(editor.herald()));
                watch.begin_line(&session.borrow());
            }
            lower();
            let left = left(LINE_LEFT, session, output);
            let read = stdin_lines::waiting(left, || editor.read(&prompt))?;
            watch.iter_mut().for_each(PromptWatch::end_line);
            match read {
                Read::Line(mut line) => {
                    if line == "uit" && self.left == Some(pager::LEAVES) {
                        // Its first letter has left the pager.
                        line.insert(0, pager::LEAVES);
                    }
                    self.cleared = 0;
                    let kept = !line.trim().is_empty() && !session.borrow().is_secret(&line);
                    if kept && let Err(error) = editor.remember(&line) {
                        output.error(&error);
                    }
                    return Ok(Typed::Line(line));
                }
                // What has changed is said where the line was, and the line comes again below it.
                Read::Woken(rows) => {
                    output.erase_rows(rows);
                    session.borrow_mut().options.width = output.width();
                }
                // The line in which F1 was pressed is restored, unless another one was begun.
                Read::Explain(word) => {
                    let reply = session.borrow_mut().explain(&word);
                    self.show(&reply, output)?;
                }
                Read::Cleared(typed) if self.talk == Talk::Play && !typed.is_empty() => {}
                Read::Cleared(_) => return Ok(Typed::Cleared),
                Read::End => return Ok(Typed::End),
            }
        }
    }

    fn says_how_to_leave(&mut self, output: &mut Output) {
        self.cleared += 1;
        match self.lines {
            // Behind the `^C` of the terminal.
            LineSource::Lines(_) => output.say("\nCtrl-D or `:quit` leaves"),
            LineSource::Editor(..) if self.cleared > 1 => output.say("Ctrl-D or `:quit` leaves"),
            LineSource::Editor(..) => {}
        }
    }

    fn look_again(&self, session: &RefCell<Session>, output: &mut Output) -> Result<(), Error> {
        let late = session.borrow_mut().look_again();
        pager::show(&late, self.is_beside(), output)
    }

    /// Whether all that is said is printed beside the data.
    fn is_beside(&self) -> bool {
        self.talk == Talk::Play
    }

    fn show(&mut self, reply: &Reply, output: &mut Output) -> Result<(), Error> {
        let is_beside = self.is_beside();
        match &mut self.lines {
            LineSource::Editor(editor, _) if !is_beside => {
                self.left = pager::show_paged(reply, output)?;
                editor.begin_with(self.left.filter(|key| *key != pager::LEAVES));
                Ok(())
            }
            _ => pager::show(reply, is_beside, output),
        }
    }

    fn fail(&self, error: &Error, output: &mut Output) {
        pager::fail(error, self.is_beside(), output);
    }

    /// Opens the editor, if that is wanted, and says what became of the rules; returns the exit code of a mistake in
    /// them.
    fn edit(
        &self,
        reply: &Reply,
        session: &RefCell<Session>,
        output: &mut Output,
    ) -> Result<Option<u8>, Error> {
        let Some(at) = &reply.edits else { return Ok(None) };
        editor::edit(at, output)?;
        // A Ctrl-C in the editor was meant for the editor.
        stdin_lines::flag().store(false, Ordering::Relaxed);
        let edited = session.borrow_mut().edited();
        pager::show(&edited, self.is_beside(), output)?;
        Ok(edited.error().map(Error::exit_code))
    }
}

/// What is written where the program ends while a line is awaited: these letters, and what becomes of the conflict.
fn left(letters: &str, session: &RefCell<Session>, output: &Output) -> String {
    let kept = session.borrow_mut().kept(None).filter(|_| !output.quiet);
    let kept = kept.map(|kept| shown(&wrapped(&tame(&kept), output.width())).into_owned() + "\n");
    format!("{letters}{}", kept.unwrap_or_default())
}

/// A mistake that does not say in which line of stdin it was made, with that line.
fn in_line(said: Said, number: usize, line: &str) -> Said {
    let Said::Error(error) = said else { return said };
    let is_placed = error.location().is_some_and(|at| at.file == STDIN);
    if is_placed || matches!(error, Error::Interrupted | Error::Called { .. }) {
        return Said::Error(error);
    }
    let fault = ScriptFault::Failed(error.to_string());
    let at = Location { file: STDIN.to_owned(), line: number, column: Some(1) };
    let (text, width) = (line.to_owned(), line.chars().count().max(1));
    let call = ScriptError { at: Some(at), line: Some(text), width, ..ScriptError::new(fault) };
    Said::Error(Error::Called { error: Box::new(error), call: Box::new(call) })
}

/// Whether anybody, person or not, is still to be asked.
pub(super) fn is_asked(session: &Session) -> bool {
    session.play.as_ref().is_some_and(|play| play.outcome().is_none())
}

/// Whether the conflict is not over yet, or people at a terminal may take the last answer back; says so once.
fn plays_on(session: &Session, is_over: &mut bool, output: &mut Output) -> bool {
    let was_over = std::mem::replace(is_over, !is_asked(session));
    if !*is_over {
        return true;
    }
    let played = session.play.as_ref().is_some_and(|play| !play.people().is_empty());
    let may_take_back = played && session.screen.is_shared && !output.json;
    if may_take_back && !was_over {
        output.say("the conflict is over: `:undo` takes the last answer back, Enter leaves");
    }
    may_take_back
}

/// The error that the lines ended before the conflict.
fn ended(session: &Session) -> Error {
    match session.play.as_ref().and_then(Play::asked) {
        Some(asked) => Error::usage(format!(
            "the input ended while `{}` was asked `{}`",
            asked.who, asked.name
        )),
        None => Error::usage("the input ended before the conflict did"),
    }
}
