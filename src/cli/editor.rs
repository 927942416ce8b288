//! Opens a file at a line in the user's editor (`$VISUAL`, `$EDITOR`), with the arguments that the
//! editor expects.

use std::io::IsTerminal;
use std::process::{Command, Stdio};

use super::output::Output;
use super::stdin_lines::waiting;
use crate::error::{Error, Location, Reason};
use crate::repl::split;

/// Editors that take the line behind the file, and what they need to be waited for.
const BEHIND: [(&str, &[&str]); 7] = [
    ("code", &["--wait", "--goto"]),
    ("codium", &["--wait", "--goto"]),
    ("cursor", &["--wait", "--goto"]),
    ("subl", &["--wait"]),
    ("zed", &["--wait"]),
    ("hx", &[]),
    ("helix", &[]),
];

/// The editors that are tried where neither variable names one.
const USUAL: &[&str] = if cfg!(windows) { &["notepad"] } else { &["nano", "vim", "vi"] };

/// Editors in which a beginner does not find the way out, and that way.
const WAYS_OUT: [(&str, &str); 5] = [
    (
        "vi",
        "`Esc`, then `:wq` and Enter saves and leaves; `Esc`, then `:q!` and Enter leaves without saving",
    ),
    ("nano", "Ctrl-O and Enter saves, Ctrl-X leaves"),
    ("emacs", "Ctrl-X Ctrl-S saves, Ctrl-X Ctrl-C leaves"),
    ("hx", "`:wq` and Enter saves and leaves; `:q!` and Enter leaves without saving"),
    ("micro", "Ctrl-S saves, Ctrl-Q leaves"),
];

/// Opens a file at a line in `$VISUAL` or `$EDITOR`, and waits until the editor is left. It says before which
/// editor it is and how to leave it; of one that nobody chose, a person reads that first.
pub(super) fn edit(at: &Location, output: &mut Output) -> Result<(), Error> {
    let place = format!("{}:{}", at.file, at.line);
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    if let Some(line) = set("VISUAL").or_else(|| set("EDITOR")) {
        let words = split(&line)?;
        announce(&words, at, output);
        return start(&words, at).map_err(|reason| {
            let reason = Reason::from(reason);
            Error::usage(format!("`{line}` does not start: {reason}; the place is {place}"))
        });
    }
    let usual = USUAL.iter().map(|word| vec![(*word).to_owned()]);
    for words in usual.filter(|words| is_there(&words[0])) {
        announce(&words, at, output);
        if std::io::stdin().is_terminal() && !output.plain {
            output.say("(Enter opens it; set `EDITOR` for another editor)");
            _ = waiting("\n".to_owned(), || std::io::stdin().read_line(&mut String::new()));
        }
        if start(&words, at).is_ok() {
            return Ok(());
        }
    }
    Err(Error::usage(format!(
        "no editor is known: set `EDITOR`, as in `EDITOR=nano fracas`, or edit {place} yourself and `:reload`"
    )))
}

fn is_there(program: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| {
        folder.join(program).with_extension(std::env::consts::EXE_EXTENSION).is_file()
    })
}

/// Says which editor opens what, and how to leave it, where that is known.
fn announce(words: &[String], at: &Location, output: &mut Output) {
    let Some(program) = words.first().filter(|_| std::io::stdin().is_terminal()) else { return };
    let name = name_of(program);
    let family = if matches!(name, "vim" | "nvim" | "view") { "vi" } else { name };
    let way_out = WAYS_OUT.iter().find(|(editor, _)| *editor == family);
    let way_out = way_out.map(|(_, way_out)| format!("; {way_out}")).unwrap_or_default();
    output.say(&format!("`{name}` opens {}{way_out}", at.file));
}

fn name_of(program: &str) -> &str {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    name.strip_suffix(".exe").unwrap_or(name)
}

fn start(words: &[String], at: &Location) -> std::io::Result<()> {
    let Some((program, own)) = words.split_first() else { return Ok(()) };
    let mut command = Command::new(program);
    command.args(own).args(arguments(program, at));
    if !std::io::stdin().is_terminal() {
        // The lines that are still to come are none of the editor's.
        command.stdin(Stdio::null());
    }
    // However it was left, the file says what became of it.
    command.status().map(|_| ())
}

/// The arguments that name the file and the line for an editor.
fn arguments(program: &str, at: &Location) -> Vec<String> {
    let name = name_of(program);
    if name == "notepad" {
        return vec![at.file.clone()];
    }
    match BEHIND.iter().find(|(editor, _)| *editor == name) {
        Some((_, flags)) => {
            let flags = flags.iter().map(|flag| (*flag).to_owned());
            flags.chain([format!("{}:{}", at.file, at.line)]).collect()
        }
        None => vec![format!("+{}", at.line), at.file.clone()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_editor_gets_the_line_in_its_own_way() {
        let at = Location { file: "a.rhai".to_owned(), line: 7, column: Some(3) };
        assert_eq!(arguments("vi", &at), ["+7", "a.rhai"]);
        assert_eq!(arguments("/usr/bin/code", &at), ["--wait", "--goto", "a.rhai:7"]);
        assert_eq!(arguments("notepad.exe", &at), ["a.rhai"]);
    }
}
