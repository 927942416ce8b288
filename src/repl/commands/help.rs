//! The command `:help`, and all that is documented in a session.

use super::{MARK, find, usage, written};
use crate::commands::explained;
use crate::error::Error;
use crate::handbook::{self, HandbookEntry};
use crate::lab;
use crate::repl::Session;
use crate::report::{filled, wrapped};
use std::collections::BTreeSet;

/// The word after `:help` that is not a command: it explains the files of settings.
const CONFIG: &str = "config";

/// All commands in the order in which they are printed, below their titles.
pub(super) const GROUPS: [(&str, &str); 10] = [
    ("a conflict", "open play seat"),
    ("back and forth", "undo redo goto fork tree history"),
    ("looking", "state view picture options events params set reveal"),
    ("the rules", "rulebook why rules"),
    ("bending them", "edit reload watch house test check mutate"),
    (
        "weighing",
        "odds solve estimate portrait compare sweep tune exploit bench hint luck tournament standings merge",
    ),
    ("comparing", "diff"),
    ("keeping", "save case load"),
    ("what there is", "list doc"),
    ("the session", "help quit"),
];

/// The help on lines that are not commands.
const LINES: &str = "\
All other lines are Rhai: `dice(\"2d6\")`, `let x = 3`, `fn f(n) { n * 2 }`. `ans` is the last result, and a
`;` at the end keeps quiet. Where a person is asked, a line that is one of the options, its number or letter in
the list, or a beginning that no other option has, is the answer; `#3` is always the third option. Where the
options are numbers, a number is that option, not its place. `yes` and `no` answer a yes-or-no question. `(3)` is
Rhai all the same. The prompt is `WHO, QUESTION?` where a person is asked, else `SCENARIO 7>` with the number of
entries of the history: `:goto 3` returns to the third.
Commands may be cut short as long as it is clear which is meant: `:hist`, `:q`.
`name?` explains a name, `name??` shows its source. At a terminal Tab completes, F1 explains the word at
the cursor, Alt-Enter begins a further line, Up finds what began alike, Ctrl-R what held it.";

/// Prints the help: of all commands, of one, or of the files of settings.
pub(super) fn help(session: &mut Session, word: Option<&str>) -> Result<(), Error> {
    let width = session.options.width;
    match word {
        Some(CONFIG) => session.data(wrapped(&explained(), width)),
        Some(word) => {
            let command = find(word)?;
            let letter =
                command.get_all_aliases().next().map(|letter| format!(", or {MARK}{letter}"));
            session.data(format!("{}{}", usage(command), letter.unwrap_or_default()));
            let about = command.get_long_about().or(command.get_about());
            let about = about.map(ToString::to_string).unwrap_or_default();
            let mut arguments = command.clone().help_template("{all-args}").term_width(width);
            let text = format!("{about}\n\n{}", arguments.render_help());
            session.data(wrapped(text.trim_end(), width));
        }
        None => {
            for (title, names) in GROUPS {
                session.data(format!("{title}:"));
                for command in names.split(' ').filter_map(|name| find(name).ok()) {
                    let short = written(command, |argument| argument.is_positional());
                    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
                    session.data(entry(&short, &about, width));
                }
            }
            session.data(filled(LINES, width));
        }
    }
    Ok(())
}

const COLUMN: usize = 22;

/// A usage with its description beside it, or below it if there is too little room.
fn entry(usage: &str, about: &str, width: usize) -> String {
    let indent = if width < 60 { 6 } else { COLUMN + 4 };
    let text = filled(about, width.saturating_sub(indent).max(20));
    let text = text.replace('\n', &format!("\n{}", " ".repeat(indent)));
    if width < 60 || usage.chars().count() > COLUMN {
        format!("  {usage}\n{}{text}", " ".repeat(indent))
    } else {
        format!("  {usage:<COLUMN$}  {text}")
    }
}

/// All documentation that this session has: its own names, the open rules, the handbook, then the
/// language.
pub(super) fn known(session: &Session) -> Vec<HandbookEntry> {
    let handbook = lab::known();
    let mut language = session.lab.language();
    // The engine knows the primitives too; what is documented in full is not listed again.
    language.retain(|one| handbook.iter().all(|documented| documented.name != one.name));
    // Of the language's forms, those without a word are listed only where there is no other.
    let worded: BTreeSet<String> =
        language.iter().filter(|one| !one.text.is_empty()).map(|one| one.name.clone()).collect();
    language.retain(|one| !one.text.is_empty() || !worded.contains(&one.name));
    let mut all = session.lab.own();
    if let Some(handle) = session.handle() {
        all.retain(|entry| entry.name != handle.name);
        all.insert(0, handle);
    }
    if let Some(play) = &session.play {
        all.extend(handbook::of_rules(&play.conflict.rules));
        all.extend(handbook::constants_of(&play.conflict.rules));
    }
    all.extend(handbook);
    all.extend(lab::measures());
    all.extend(lab::wishes());
    all.extend(language);
    all
}
