//! The commands that list systems and explain functions: `:list`, `:doc`.

use std::collections::BTreeSet;

use super::{Command, Completes};
use crate::error::Error;
use crate::handbook::{self, Entry, Found};
use crate::lab;
use crate::listing;
use crate::repl::{Reply, Session};

/// The commands of this group.
pub const COMMANDS: &[Command] = &[
    Command {
        name: "list",
        letter: Some('l'),
        arguments: "[SYSTEM]",
        takes: (0, 1),
        completes: &[Completes::System],
        about: "the systems; of one, its scenarios, parameters, house rules, agents and functions",
        more: "",
        run: list,
    },
    Command {
        name: "doc",
        letter: Some('d'),
        arguments: "[NAME]",
        takes: (0, 1),
        completes: &[Completes::Documented],
        about: "what a function does: of the open rules, of the handbook, one of your own",
        more: "NAME may be a family or a system too, whose functions it lists: `stacks`, `yours`; without it, \
               it lists all there are.",
        run: doc,
    },
];

fn list(session: &mut Session, words: &[String], reply: &mut Reply) -> Result<(), Error> {
    let limits = &session.options.limits;
    match words.first() {
        None => {
            let all = listing::systems(&session.catalog, limits);
            session.show(reply, || &all, |width, plain| all.as_text(width, plain));
        }
        Some(name) => {
            let system = listing::system(&session.catalog, name, limits)?;
            session.show(reply, || &system, |width, plain| system.as_text(width, plain));
        }
    }
    Ok(())
}

fn doc(session: &mut Session, words: &[String], reply: &mut Reply) -> Result<(), Error> {
    let all = Found::all(known(session));
    let Some(word) = words.first() else {
        session.show(reply, || &all, |width, plain| all.as_text(width, plain));
        return Ok(());
    };
    let found = handbook::find(&all.functions, &session.catalog, word, &session.options.limits)?;
    session.show(reply, || &found, |width, plain| found.as_text(width, plain));
    Ok(())
}

/// All documentation that this session has: its own names, the open rules, the handbook, then the
/// language.
fn known(session: &Session) -> Vec<Entry> {
    let handbook = lab::known();
    let mut language = session.lab.language();
    // The engine knows the primitives too; what is told in full is not told again.
    language.retain(|one| handbook.iter().all(|told| told.name != one.name));
    // Of the language's forms, those without a word are told only where there is no other.
    let worded: BTreeSet<String> =
        language.iter().filter(|one| !one.text.is_empty()).map(|one| one.name.clone()).collect();
    language.retain(|one| !one.text.is_empty() || !worded.contains(&one.name));
    let mut all = session.lab.own();
    if let Some(play) = &session.play {
        all.extend(handbook::of_rules(&play.conflict.rules));
    }
    all.extend(handbook);
    all.extend(lab::measures());
    all.extend(language);
    all
}
