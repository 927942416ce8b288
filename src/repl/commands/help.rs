//! The command `:help`, and all that is documented in a session.

use clap::Command;

use super::{MARK, find, usage, written};
use crate::commands::explained;
use crate::error::Error;
use crate::handbook::{self, HandbookEntry};
use crate::lab;
use crate::repl::{Session, SessionOptions};
use crate::report::{self, Block, filled};
use std::collections::BTreeSet;

/// The word after `:help` that is not a command: it explains the files of settings.
pub(crate) const CONFIG: &str = "config";

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
the list, or a beginning that no other option has, is the answer; `#3` is the third option, unless one is named so.
Where the options are numbers, a number is that option, not its place. `yes` and `no` answer a yes-or-no question. `(3)` is
Rhai all the same. The prompt is `WHO, QUESTION?` where a person is asked, else `SCENARIO 7>` with the number of
entries of the history: `:goto 3` returns to the third.
Commands may be cut short as long as it is clear which is meant: `:hist`, `:q`.
`name?` explains a name, `name??` shows its source. At a terminal Tab completes, F1 explains the word at
the cursor, Alt-Enter begins a further line, Up finds what began alike, Ctrl-R what held it.";

/// Prints the help: of all commands, of one, or of the files of settings.
pub(super) fn help(session: &mut Session, word: Option<&str>) -> Result<(), Error> {
    let SessionOptions { width, plain, .. } = session.options;
    let about = |command: &Command| command.get_about().map(ToString::to_string);
    let blocks = match word {
        Some(CONFIG) => vec![Block::Sentence(explained())],
        Some(word) => {
            let command = find(word)?;
            let letter =
                command.get_all_aliases().next().map(|letter| format!(", or {MARK}{letter}"));
            let usage = format!("{}{}", usage(command), letter.unwrap_or_default());
            let long = command.get_long_about().map(ToString::to_string);
            let mut arguments = command.clone().help_template("{all-args}").term_width(width);
            let arguments = arguments.render_help().to_string();
            let text = long.or_else(|| about(command)).unwrap_or_default();
            let known = Block::Group(vec![Block::Code(usage), Block::Sentence(text)]);
            vec![known, Block::Sentence(arguments.trim_end().to_owned())]
        }
        None => {
            let entry = |command: &Command| {
                let short = written(command, |argument| argument.is_positional());
                Block::hanging(format!("  {short}"), COLUMN, about(command).unwrap_or_default())
            };
            let group = |(title, names): (&'static str, &'static str)| {
                let commands = names.split(' ').filter_map(|name| find(name).ok()).map(entry);
                std::iter::once(Block::Title(format!("{title}:"))).chain(commands)
            };
            let all = GROUPS.into_iter().flat_map(group);
            vec![Block::Group(all.chain([Block::laid(|width| filled(LINES, width))]).collect())]
        }
    };
    session.data(report::text(&blocks, width, plain));
    Ok(())
}

/// Where the descriptions of commands begin.
const COLUMN: usize = 26;

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
