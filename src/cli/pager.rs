//! Prints replies of the prompt; those taller than the terminal in a pager, if there is one.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::output::{Output, shown, write_now};
use super::stdin_lines;
use crate::commands::state_folder;
use crate::error::Error;
use crate::repl::{Reply, Said};
use crate::report::{tame, wrapped};

/// The default pager: it exits at once if all fits, and keeps colours and the text on the screen.
const LESS: [&str; 2] = ["less", "-FRX"];
/// Its own prompt is a `:`, with which commands begin here. Of a longer one than the window it cuts the front.
const PROMPT: &str = "-Ps?e-- the end -- Up\\: back, q\\: leave, or type the next line:\
    -- more -- space\\: next page, Up\\: back, q\\: leave, or type the next line.";
const SHORT_PROMPT: &str =
    "-Ps?e-- end -- Up, q or the next line:-- more -- space, Up, q or a line.";
/// The columns that the longer prompt takes, with the cursor behind it.
const PROMPT_COLUMNS: usize = 72;

/// The key that leaves the pager, and is no part of the next line.
pub(super) const LEAVES: char = 'q';
/// The variable that names the file with these keys; those of the person go before them.
const KEYS_FILE: &str = "LESSKEYIN_SYSTEM";

/// The time between checks whether the pager has ended.
const PATIENCE: Duration = Duration::from_millis(20);

/// Prints a reply: what was asked for as data, the rest beside it; where all `is_beside` the data, the outcome alone as
/// data.
pub(super) fn show(reply: &Reply, is_beside: bool, output: &mut Output) -> Result<(), Error> {
    say(&reply.said, is_beside, output)
}

fn say(all: &[Said], is_beside: bool, output: &mut Output) -> Result<(), Error> {
    for said in all {
        match said {
            Said::End { .. } if is_beside && output.json => {}
            Said::End { result, rest } if is_beside && !rest.is_empty() => {
                output.prose(&format!("{result}\n{rest}"))?;
            }
            Said::End { result, .. } => output.prose(result)?,
            Said::Data(text) if !is_beside => output.prose(text)?,
            Said::Data(text) | Said::Note(text) => output.say(text),
            Said::Picture(picture) => output.picture(picture),
            Said::Clear => output.clear(),
            // What there was by then is the document on stdout, and says that it is not all.
            Said::Error(Error::Interrupted) if output.json && all.iter().any(is_data) => {}
            Said::Error(error) => fail(error, is_beside, output),
        }
    }
    Ok(())
}

/// Prints an error after which the session continues.
pub(super) fn fail(error: &Error, is_beside: bool, output: &mut Output) {
    match is_beside {
        true if output.quiet => {}
        // Its text has its colours already.
        true => write_now(&format!("{}\n", output.error_text(error))),
        false => _ = output.error(error),
    }
}

fn is_data(said: &Said) -> bool {
    data(said).is_some()
}

/// Prints a reply to a person at the terminal; data that is taller than the window goes through the
/// pager, if there is one. Returns the key by which it was left, if it was by one: the first letter of the
/// next line, or [`LEAVES`].
pub(super) fn show_paged(reply: &Reply, output: &mut Output) -> Result<Option<char>, Error> {
    let is_note = |said: &&Said| matches!(said, Said::Note(_));
    let (notes, said) = reply.said.split_at(reply.said.iter().take_while(is_note).count());
    let data: Vec<&str> = said.iter().filter_map(data).collect();
    let tall = || {
        let before = notes.iter().filter_map(Said::text).map(|text| rows(&text)).sum::<usize>();
        before + data.iter().map(|text| rows(text)).sum::<usize>() >= Output::size().1
    };
    // Where anything is said after it, that must not wait behind a pager.
    let alone = !data.is_empty() && data.len() == said.len() && !output.json;
    let alone = alone && !reply.unpaged;
    say(notes, false, output)?;
    let shown = match alone && tall() {
        true => page(&wrapped(&data.join("\n"), output.width())),
        false => None,
    };
    match shown {
        Some(left) => Ok(begins_line(left).then_some(left)),
        None => say(said, false, output).map(|()| None),
    }
}

fn data(said: &Said) -> Option<&str> {
    match said {
        Said::Data(text) => Some(text),
        _ => None,
    }
}

fn rows(text: &str) -> usize {
    wrapped(text, Output::size().0.max(1)).lines().count()
}

/// Whether a key is the first of a command, of an answer, or of a line of Rhai that begins with a word.
fn begins_line(key: char) -> bool {
    key == ':' || key.is_ascii_alphanumeric()
}

/// Shows a text in the pager, and returns its exit code as a letter; nothing where there is no pager.
fn page(text: &str) -> Option<char> {
    let mut child = command()?.spawn().ok()?;
    if let Some(mut input) = child.stdin.take() {
        // Who leaves the pager early has seen enough.
        let _ =
            input.write_all(shown(&tame(text)).as_bytes()).and_then(|()| input.write_all(b"\n"));
    }
    let code = wait(&mut child).and_then(|code| u8::try_from(code).ok());
    Some(code.map_or('\0', char::from))
}

/// Waits for the pager, and returns its exit code. Ctrl-C is the pager's as long as it runs.
fn wait(child: &mut Child) -> Option<i32> {
    let flag = stdin_lines::flag();
    let left = loop {
        match child.try_wait() {
            Ok(None) => std::thread::sleep(PATIENCE),
            Ok(Some(left)) => break left.code(),
            Err(_) => break None,
        }
        if stdin_lines::is_ending() {
            leave(child);
            break None;
        }
        flag.store(false, Ordering::Relaxed);
    };
    flag.store(false, Ordering::Relaxed);
    left
}

/// Ends a pager, which leaves the terminal as it found it.
fn leave(child: &mut Child) {
    // One that is gone already is all right.
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process};
        _ = kill_process(Pid::from_child(child), Signal::TERM);
    }
    #[cfg(not(unix))]
    {
        _ = child.kill();
    }
    _ = child.wait();
}

/// The file that says what `less` is to do at a letter, a digit or a `:`: leave, and say by its exit code which
/// it was, so that the line continues at the prompt. It is written anew each time; nothing where it cannot be kept.
fn keys_file() -> Option<PathBuf> {
    let file = state_folder()?.join("lesskey");
    std::fs::create_dir_all(file.parent()?).ok()?;
    let keys = (' '..='~').filter(|key| begins_line(*key));
    let keys = keys.map(|key| match key {
        ':' => "\\: quit \\:\n".to_owned(),
        // Behind a backslash a letter is another key: `\b` the one that deletes.
        key => format!("{key} quit {key}\n"),
    });
    std::fs::write(&file, format!("#command\n{}", keys.collect::<String>())).ok()?;
    Some(file)
}

/// `$PAGER` with its arguments; without one, `less`, where it is; an empty one is none.
fn command() -> Option<Command> {
    let words: Vec<String> = match std::env::var("PAGER") {
        Ok(chosen) => chosen.split_whitespace().map(str::to_owned).collect(),
        Err(_) => {
            let prompt = if Output::size().0 < PROMPT_COLUMNS { SHORT_PROMPT } else { PROMPT };
            LESS.into_iter().chain([prompt]).map(str::to_owned).collect()
        }
    };
    let (program, arguments) = words.split_first()?;
    let mut command = Command::new(program);
    // Without it what is typed in `less` may write files and run programs.
    command.args(arguments).env("LESSSECURE", "1").stdin(Stdio::piped());
    if let (None, Some(file)) = (std::env::var_os(KEYS_FILE), keys_file()) {
        command.env(KEYS_FILE, file).env("LESSSECURE_ALLOW", "lesskey");
    }
    Some(command)
}
