//! Opens a file at a line in the user's editor (`$VISUAL`, `$EDITOR`), with the arguments that the
//! editor expects.

use std::io::IsTerminal;
use std::process::{Command, Stdio};

use crate::error::{Error, Location};
use crate::repl::words;

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

/// Opens a file at a line in `$VISUAL` or `$EDITOR`, and waits until the editor is left.
///
/// # Errors
/// [`Error::Usage`] that says where the file is, where no editor starts.
pub(super) fn edit(at: &Location) -> Result<(), Error> {
    let place = format!("{}:{}", at.file, at.line);
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    if let Some(line) = set("VISUAL").or_else(|| set("EDITOR")) {
        let words = words::split(&line)?;
        return start(&words, at).map_err(|reason| {
            Error::usage(format!("`{line}` does not start: {reason}; the place is {place}"))
        });
    }
    let usual = USUAL.iter().map(|word| vec![(*word).to_owned()]);
    match usual.into_iter().find_map(|words| start(&words, at).ok()) {
        Some(()) => Ok(()),
        None => Err(Error::usage(format!(
            "no editor is known: set `EDITOR`, as in `EDITOR=nano fracas`, or edit {place} yourself and `:reload`"
        ))),
    }
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
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let name = name.strip_suffix(".exe").unwrap_or(name);
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
    fn each_editor_is_told_the_line_in_its_own_way() {
        let at = Location { file: "a.rhai".to_owned(), line: 7, column: Some(3) };
        assert_eq!(arguments("vi", &at), ["+7", "a.rhai"]);
        assert_eq!(arguments("/usr/bin/code", &at), ["--wait", "--goto", "a.rhai:7"]);
        assert_eq!(arguments("notepad.exe", &at), ["a.rhai"]);
    }
}
