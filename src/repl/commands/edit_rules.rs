//! The commands that bend rules while a conflict is open: `:watch`, `:house`.

use std::path::Path;

use clap::ValueEnum;
use serde_json::{Value as Json, json};

use crate::catalog::Kind;
use crate::conflict::{Play, RuleChanges};
use crate::error::Error;
use crate::render;
use crate::repl::{Reply, Session};

/// On or off.
#[derive(ValueEnum, Debug, Clone, Copy)]
pub enum Switch {
    /// From now on
    On,
    /// No more
    Off,
}

/// Watches the files of the open rules, or no more.
pub fn watch(
    session: &mut Session,
    switch: Option<Switch>,
    reply: &mut Reply,
) -> Result<(), Error> {
    session.watches = match switch {
        Some(Switch::On) => true,
        Some(Switch::Off) => false,
        None => !session.watches,
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

/// Lays house rules over the open rules, or takes them away.
pub fn house(session: &mut Session, words: &[String], reply: &mut Reply) -> Result<(), Error> {
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
