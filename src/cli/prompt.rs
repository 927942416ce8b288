//! `fracas` alone: the prompt at a terminal; elsewhere the lines of stdin, up to the first mistake. Files are watched
//! while a line is typed.

use std::cell::RefCell;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use parking_lot::Mutex;

use super::common::CommonArguments;
use super::lab::{Listener, lab_config};
use super::output::{self, Output};
use super::stdin_lines::{Lines, StdinLine};
use super::{editor, pager, stdin_lines};
use crate::catalog::FileKind;
use crate::commands::{init_file, unsaved_folder};
use crate::error::{Error, Location, ScriptError, ScriptFault};
use crate::repl::editor::{Editor, Herald, Read, Terminal};
use crate::repl::{FileWatch, Reply, Said, Session, SessionOptions};

/// The scenario that whoever begins is shown, if it is there.
const FIRST: &str = include_str!("../../rules/first");

/// The name of lines that nobody types, in messages.
const STDIN: &str = "stdin";

pub(super) fn run(common: &CommonArguments, output: &mut Output) -> Result<ExitCode, Error> {
    let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let lab = lab_config(common)?;
    let options = SessionOptions {
        limits: lab.limits.clone(),
        seed: lab.seed,
        width: output.width(),
        plain: output.plain(),
        json: output.json(),
        name: if terminal { "prompt" } else { STDIN },
        is_terminal: terminal,
    };
    let mut session = Session::with(lab, options);
    session.listen(Rc::new(Listener::of_prompt(output)));
    session.guides = terminal;
    session.screen.is_shared = terminal;
    if !terminal {
        return follow(session, output);
    }
    begin(&mut session, output)?;
    if let Some(folder) = unsaved_folder() {
        session.keep_in(folder);
    }
    let session = Rc::new(RefCell::new(session));
    let ended = match output.plain() || output::is_dumb() {
        false => converse(&session, output),
        true => converse_plainly(&mut session.borrow_mut(), output),
    };
    // Also where the terminal is gone.
    session.borrow_mut().keep_unsaved();
    pager::show(&session.borrow().take_reply(), output).and(ended)
}

/// Keeps what is not saved every now and then, so that it survives any end of the program.
struct Keeping(Instant);

/// How long what was played may be kept nowhere.
const UNKEPT: Duration = Duration::from_secs(30);

impl Keeping {
    fn keep(&mut self, session: &mut Session) {
        if self.0.elapsed() >= UNKEPT {
            // What is wrong with the file is reported at the end.
            _ = session.keep_quietly();
            self.0 = Instant::now();
        }
    }
}

/// Runs the person's own file, if there is one; a mistake in it is printed, and the session continues.
fn begin(session: &mut Session, output: &mut Output) -> Result<(), Error> {
    match init_file() {
        Ok(Some(file)) => pager::show(&session.begin(&file), output),
        Ok(None) => Ok(()),
        Err(error) => {
            output.error(&error);
            Ok(())
        }
    }
}

/// Lines from a person: a mistake is printed, and the next line is read.
fn converse(session: &Rc<RefCell<Session>>, output: &mut Output) -> Result<ExitCode, Error> {
    greet(&session.borrow(), output);
    let mut keeping = Keeping(Instant::now());
    let terminal = Terminal { coloured: output.coloured(), size: Output::size };
    let mut editor = Editor::new(session.clone(), terminal)?;
    // A terminal that can be written to from aside reads its keys in another way: only where it must.
    let mut watch: Option<PromptWatch> = None;
    let mut cleared = 0;
    let mut left: Option<char> = None;
    loop {
        // While a line is typed Ctrl-C clears it; from its end on it stops what the line runs.
        stdin_lines::flag().store(false, Ordering::Relaxed);
        let late = session.borrow_mut().look_again();
        pager::show(&late, output)?;
        if session.borrow().watches {
            let watch = watch.get_or_insert_with(|| PromptWatch::new(editor.herald()));
            watch.begin_line(&session.borrow());
        }
        let prompt = session.borrow().prompt();
        stdin_lines::flag().store(false, Ordering::Relaxed);
        let read = editor.read(&prompt)?;
        watch.iter_mut().for_each(PromptWatch::end_line);
        let line = match read {
            // Its first letter has left the pager.
            Read::Line(line) if line == "uit" && left == Some(pager::LEAVES) => {
                format!("{}{line}", pager::LEAVES)
            }
            Read::Line(line) => line,
            Read::Woken(rows) => {
                // What has changed is said where the line was, and the line comes again below it.
                output.erase_rows(rows);
                session.borrow_mut().options.width = output.width();
                continue;
            }
            Read::Explain(word) => {
                let reply = session.borrow_mut().explain(&word);
                left = pager::show_paged(&reply, output)?;
                // The line in which F1 was pressed is restored, unless another one was begun.
                editor.begin_with(left.filter(|key| *key != pager::LEAVES));
                continue;
            }
            Read::End => return Ok(ExitCode::SUCCESS),
            Read::Cleared(_) => {
                cleared += 1;
                session.borrow_mut().clear();
                if cleared > 1 {
                    output.say("Ctrl-D or `:quit` leaves");
                }
                continue;
            }
        };
        cleared = 0;
        let kept = !line.trim().is_empty() && !session.borrow().is_secret(&line);
        if kept && let Err(error) = editor.remember(&line) {
            output.error(&error);
        }
        session.borrow_mut().options.width = output.width();
        // A file that changed just now.
        let late = session.borrow_mut().look_again();
        pager::show(&late, output)?;
        let reply = session.borrow_mut().enter(&line);
        // What was stopped may have something to show all the same.
        if stdin_lines::flag().load(Ordering::Relaxed)
            || matches!(reply.error(), Some(Error::Interrupted))
        {
            // The terminal has written `^C` where the next line is to be.
            output.erase("^C");
        }
        left = pager::show_paged(&reply, output)?;
        editor.begin_with(left.filter(|key| *key != pager::LEAVES));
        keeping.keep(&mut session.borrow_mut());
        if let Err(error) = edit(&reply, &mut session.borrow_mut(), output) {
            output.error(&error);
        }
        if reply.ends {
            return Ok(ExitCode::SUCCESS);
        }
    }
}

/// Lines from a person whose terminal is to draw nothing again: the terminal alone edits them.
fn converse_plainly(session: &mut Session, output: &mut Output) -> Result<ExitCode, Error> {
    greet(session, output);
    let mut keeping = Keeping(Instant::now());
    let flag = stdin_lines::flag();
    let mut lines = Lines::new(flag.clone());
    loop {
        pager::show(&session.look_again(), output)?;
        output.ask(&session.prompt());
        let line = match lines.next() {
            Ok(Some(StdinLine::Text(line))) => line,
            Ok(Some(StdinLine::NoText(error))) => {
                output.error(&error);
                continue;
            }
            Ok(None) => return Ok(ExitCode::SUCCESS),
            Err(Error::Interrupted) => {
                flag.store(false, Ordering::Relaxed);
                session.clear();
                output.say("\nCtrl-D or `:quit` leaves");
                continue;
            }
            Err(error) => return Err(error),
        };
        session.options.width = output.width();
        let reply = session.line(&line);
        pager::show(&reply, output)?;
        keeping.keep(session);
        // What it was to stop has ended, or was through before.
        flag.store(false, Ordering::Relaxed);
        if let Err(error) = edit(&reply, session, output) {
            output.error(&error);
        }
        if reply.ends {
            return Ok(ExitCode::SUCCESS);
        }
    }
}

/// Opens the editor, if that is wanted, and says what became of the rules.
fn edit(reply: &Reply, session: &mut Session, output: &mut Output) -> Result<(), Error> {
    let Some(at) = &reply.edits else { return Ok(()) };
    editor::edit(at, output)?;
    // A Ctrl-C in the editor was meant for the editor.
    stdin_lines::flag().store(false, Ordering::Relaxed);
    pager::show(&session.edited(), output)
}

fn greet(session: &Session, output: &mut Output) {
    let name = format!("fracas {}, a laboratory for conflict rules", env!("CARGO_PKG_VERSION"));
    output.say(&name);
    let scenarios = || {
        session.catalog.folders().flat_map(|folder| {
            let names = folder.names(FileKind::Scenario).into_iter();
            names.map(move |scenario| format!("{}/{scenario}", folder.name()))
        })
    };
    let first = scenarios().find(|name| name == FIRST.trim()).or_else(|| scenarios().next());
    let example = first.map(|name| format!("; try `:open {name}`")).unwrap_or_default();
    output.say(&format!("`:help` lists commands, `:list` systems{example}"));
    session.offers().iter().for_each(|offer| output.say(offer));
}

/// Lines from a program or a file: the first mistake ends it, and so does an interrupt, whenever it
/// comes. What is no line of text is reported, and the next one is read.
fn follow(mut session: Session, output: &mut Output) -> Result<ExitCode, Error> {
    let mut lines = Lines::new(stdin_lines::flag());
    let mut code = ExitCode::SUCCESS;
    while let Some(line) = lines.next()? {
        let line = match line {
            StdinLine::Text(line) => line,
            StdinLine::NoText(error) => {
                output.error(&error);
                code = ExitCode::from(error.exit_code());
                // The lines behind it keep their numbers.
                session.line("");
                continue;
            }
        };
        pager::show(&session.look_again(), output)?;
        let mut reply = session.line(&line);
        let failed = reply.error().map(Error::exit_code);
        reply.said = reply.said.into_iter().map(|said| in_line(said, lines.count, &line)).collect();
        pager::show(&reply, output)?;
        if let Some(code) = failed {
            return Ok(ExitCode::from(code));
        }
        edit(&reply, &mut session, output)?;
        if reply.ends {
            return Ok(code);
        }
    }
    session.finish()?;
    Ok(code)
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

/// An editor writes a file in several steps. After this long without a change, it has finished.
const CALM: Duration = Duration::from_millis(60);

/// Watches the files of the open conflict while a line is typed.
pub(super) struct PromptWatch {
    watcher: Option<RecommendedWatcher>,
    folders: Vec<PathBuf>,
    files: Arc<Mutex<Option<FileWatch>>>,
}

impl PromptWatch {
    /// A watch that looks at nothing yet. Where the system cannot watch files, they are looked at
    /// between two lines only.
    pub(super) fn new(herald: Option<Herald>) -> PromptWatch {
        let files: Arc<Mutex<Option<FileWatch>>> = Arc::default();
        let (stroke, strokes) = channel();
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            // To read a file changes nothing.
            if event.is_ok_and(|event| !event.kind.is_access()) {
                let _ = stroke.send(());
            }
        });
        let watcher = watcher.ok().filter(|_| herald.is_some());
        if let Some(herald) = herald {
            let files = files.clone();
            std::thread::spawn(move || listen(&strokes, &files, herald));
        }
        PromptWatch { watcher, folders: Vec::new(), files }
    }

    /// Looks, from here on, at the files of the open conflict, if they are to be watched.
    pub(super) fn begin_line(&mut self, session: &Session) {
        let files = session.file_watch();
        let play = session.play.as_ref().filter(|_| files.is_some());
        self.follow(play.map(|play| play.folders_of_files()).unwrap_or_default());
        *self.files.lock() = files;
    }

    /// Looks away: the session is at work.
    pub(super) fn end_line(&mut self) {
        *self.files.lock() = None;
    }

    fn follow(&mut self, folders: Vec<PathBuf>) {
        let Some(watcher) = self.watcher.as_mut().filter(|_| folders != self.folders) else {
            return;
        };
        for folder in &self.folders {
            let _ = watcher.unwatch(folder);
        }
        for folder in &folders {
            // What cannot be watched is looked at between two lines.
            let _ = watcher.watch(folder, mode(folder));
        }
        self.folders = folders;
    }
}

/// A rules folder is watched with its subfolders. Any other folder is watched for one file in it, so without.
fn mode(folder: &Path) -> RecursiveMode {
    match folder.join("rules.rhai").is_file() {
        true => RecursiveMode::Recursive,
        false => RecursiveMode::NonRecursive,
    }
}

fn listen(strokes: &Receiver<()>, files: &Mutex<Option<FileWatch>>, mut herald: Herald) {
    while strokes.recv().is_ok() {
        while strokes.recv_timeout(CALM).is_ok() {}
        if files.lock().as_ref().is_some_and(FileWatch::has_changed) {
            herald("a file has changed; the next line plays the conflict again");
        }
    }
}
