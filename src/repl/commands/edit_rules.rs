//! The commands that bend rules while a conflict is open: `:reload`, `:watch`, `:house`.

use std::path::Path;

use serde_json::{Value as Json, json};

use super::edit::EDIT;
use super::{Command, Completes};
use crate::catalog::Kind;
use crate::conflict::{Play, RuleChanges};
use crate::error::Error;
use crate::render;
use crate::repl::{Reply, Session};

/// The commands of this group.
pub const COMMANDS: &[Command] = &[
    EDIT,
    Command {
        name: "reload",
        letter: None,
        arguments: "",
        takes: (0, 0),
        completes: &[],
        about: "reads the rules from disk again and plays the open conflict under them",
        more: "Rules that do not compile leave the old ones in place. Where the new ones ask something else \
               than the history answers, the conflict stands there.",
        run: reload,
    },
    Command {
        name: "watch",
        letter: None,
        arguments: "[on|off]",
        takes: (0, 1),
        completes: &[Completes::Free],
        about: "reloads by itself whenever a file of the open rules changes",
        more: "Without a word it turns round. Watched are the rules folder, the house rules and the scenario's file.",
        run: watch,
    },
    Command {
        name: "house",
        letter: None,
        arguments: "[NAME | -NAME]",
        takes: (0, usize::MAX),
        completes: &[Completes::House],
        about: "lays a house rule over the rules of the open conflict, or takes it away; without one, lists them",
        more: "The conflict is played again under the rules as they are then: the same up to here, or to the first \
               divergence. Several are laid in the order in which they are named; NAME may be the path of a file.",
        run: house,
    },
];

fn reload(session: &mut Session, _: &[String], reply: &mut Reply) -> Result<(), Error> {
    session.rework(&RuleChanges::default(), reply)
}

fn watch(session: &mut Session, words: &[String], reply: &mut Reply) -> Result<(), Error> {
    session.watches = match words.first().map(String::as_str) {
        Some("on") => true,
        Some("off") => false,
        None => !session.watches,
        Some(other) => {
            let message = format!("`:watch {other}`: write it as `:watch on` or `:watch off`");
            return Err(Error::usage(message));
        }
    };
    session.mark_files();
    let folders = session.play.as_ref().map(Play::folders_of_files).unwrap_or_default();
    let folders: Vec<String> = folders.iter().map(|path| format!("`{}`", path.display())).collect();
    reply.note(match (session.watches, &session.play) {
        (false, _) => "files are watched no more".to_owned(),
        (true, None) => "files are watched as soon as a conflict is open".to_owned(),
        (true, Some(_)) if folders.is_empty() => {
            "these rules are inside the program, where no file changes; `:edit` writes them out"
                .to_owned()
        }
        (true, Some(_)) => format!("watched: {}", folders.join(", ")),
    });
    Ok(())
}

fn house(session: &mut Session, words: &[String], reply: &mut Reply) -> Result<(), Error> {
    let play = session.open()?;
    let mut laid = play.conflict.rules.house().to_vec();
    if words.is_empty() {
        return list(session, reply);
    }
    for word in words {
        match word.strip_prefix('-') {
            Some(name) => {
                laid.remove(laid_at(&laid, name)?);
            }
            None if laid.contains(word) => {
                return Err(Error::usage(format!(
                    "`{word}` is laid already; `:house -{word}` takes it away"
                )));
            }
            None => {
                play.conflict.folder.find(Kind::House, word)?;
                laid.push(word.clone());
            }
        }
    }
    session.rework(&RuleChanges { house: Some(laid), ..RuleChanges::default() }, reply)
}

/// The place of a house rule among those in force; one given as a path is known by its file's name too.
pub(super) fn laid_at(laid: &[String], name: &str) -> Result<usize, Error> {
    let stem = |one: &String| Path::new(one).file_stem().is_some_and(|stem| stem == name);
    let at = laid.iter().position(|one| one == name).or_else(|| laid.iter().position(stem));
    at.ok_or_else(|| Error::unknown("house rule in force", name, laid.iter().map(String::as_str)))
}

fn list(session: &Session, reply: &mut Reply) -> Result<(), Error> {
    let play = session.open()?;
    let laid = play.conflict.rules.house();
    let mut names = laid.to_vec();
    names.extend(
        play.conflict.folder.names(Kind::House).into_iter().filter(|name| !laid.contains(name)),
    );
    let title = |name: &str| {
        let text = play.conflict.folder.find(Kind::House, name).ok();
        text.and_then(|text| text.title().map(str::to_owned)).unwrap_or_default()
    };
    if names.is_empty() {
        reply.note("these rules have no house rules");
        return Ok(());
    }
    let place = |name: &String| laid.iter().position(|one| one == name).map(|at| at + 1);
    let json = || {
        let one =
            |name: &String| json!({ "name": name, "laid": place(name), "title": title(name) });
        names.iter().map(one).collect::<Vec<Json>>()
    };
    session.show(reply, json, |width, plain| {
        let row = |name: &String| {
            let place = place(name).map(|place| place.to_string()).unwrap_or_default();
            vec![name.clone(), place, title(name)]
        };
        let rows: Vec<Vec<String>> = names.iter().map(row).collect();
        render::table(&["house rule", "laid", "title"], &rows, width, plain)
    });
    Ok(())
}
