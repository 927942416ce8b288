//! `fracas` alone: the prompt at a terminal; elsewhere the lines of stdin, up to the first mistake.

use std::cell::RefCell;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;

use super::common::CommonArguments;
use super::lab::{Listener, lab_config};
use super::output::Output;
use super::pager;
use super::stdin_lines::STDIN;
use super::typist::{Talk, talk};
use crate::catalog::{FileKind, bytes};
use crate::commands::{init_file, unsaved_folder};
use crate::error::Error;
use crate::repl::{Session, SessionOptions};

/// The scenario that whoever begins is shown, if it is there.
const FIRST: &str = include_str!("../../rules/first");
/// The most bytes of a file that names another one.
const LONGEST: u64 = 1000;

pub(super) fn run(common: &CommonArguments, output: &mut Output) -> Result<ExitCode, Error> {
    let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let lab = lab_config(common)?;
    let options = SessionOptions {
        limits: lab.limits.clone(),
        seed: lab.seed,
        width: output.width(),
        plain: output.plain,
        json: output.json,
        name: if terminal { "prompt" } else { STDIN },
        is_terminal: terminal,
    };
    let mut session = Session::with(lab, options);
    session.listen(Rc::new(Listener::new(output, false)));
    session.guides = terminal;
    session.screen.is_shared = terminal;
    if terminal {
        begin(&mut session, output)?;
        unsaved_folder().into_iter().for_each(|folder| session.keep_in(folder));
        greet(&session, &common.rules, output);
    }
    let session = Rc::new(RefCell::new(session));
    let ended = talk(&session, if terminal { Talk::Prompt } else { Talk::Piped }, output);
    // Also where the terminal is gone.
    session.borrow_mut().keep_unsaved();
    pager::show(&session.borrow().take_reply(), false, output).and(ended)
}

/// Runs the person's own file, if there is one; a mistake in it is printed, and the session continues.
fn begin(session: &mut Session, output: &mut Output) -> Result<(), Error> {
    match init_file() {
        Ok(Some(file)) => pager::show(&session.begin(&file), false, output),
        Ok(None) => Ok(()),
        Err(error) => {
            output.error(&error);
            Ok(())
        }
    }
}

fn greet(session: &Session, rules: &[PathBuf], output: &mut Output) {
    let name = format!("fracas {}, a laboratory for conflict rules", env!("CARGO_PKG_VERSION"));
    output.say(&name);
    let scenarios = || {
        session.catalog.folders().flat_map(|folder| {
            let names = folder.names(FileKind::Scenario).into_iter();
            names.map(move |scenario| format!("{}/{scenario}", folder.name()))
        })
    };
    // A folder of rules folders may name another one than the program.
    let folders = rules.iter().map(PathBuf::as_path).chain([Path::new("rules")]);
    let named = folders.filter_map(|folder| bytes(&folder.join("first"), LONGEST).ok());
    let named = named.map(|name| String::from_utf8_lossy(&name).into_owned());
    let first = named
        .chain([FIRST.to_owned()])
        .find_map(|named| scenarios().find(|name| name == named.trim()))
        .or_else(|| scenarios().next());
    let example = first.map(|name| format!("; try `:open {name}`")).unwrap_or_default();
    output.say(&format!("`:help` lists commands, `:list` systems{example}"));
    session.offers().iter().for_each(|offer| output.say(offer));
}
