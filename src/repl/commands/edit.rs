//! The command that opens rules in an editor: `:edit`, of the open conflict or of any system.

use std::path::Path;

use super::{Command, Completes};
use crate::catalog::{Folder, Kind, Text};
use crate::conflict::{Order, Play, Standing, compile};
use crate::error::{Error, Location};
use crate::repl::{Reply, Session, source};

/// The command.
pub const EDIT: Command = Command {
    name: "edit",
    letter: None,
    arguments: "[SYSTEM] [FUNCTION]",
    takes: (0, 2),
    completes: &[Completes::Editable, Completes::Function],
    about: "opens the rules at a function, or at the one that asks, in your editor; then plays on under them",
    more: "The editor is `$VISUAL`, else `$EDITOR`. When it is left, the open conflict is played again under the \
           rules as they are then: the same up to here, or to the first divergence. FUNCTION may be a house rule \
           or a file of the rules folder too: `params.toml`. With SYSTEM it opens the rules of that system, where no \
           conflict needs to be open: at the first mistake, if they do not compile. Rules inside the program are \
           first written to `rules/` in the current folder, where they are found from then on.",
    run: edit,
};

/// Rules of which no conflict is open, in the editor.
#[derive(Clone, Debug)]
pub struct Edited {
    system: String,
    /// The house rule that is edited, if it is one.
    house: Option<String>,
}

fn edit(session: &mut Session, words: &[String], reply: &mut Reply) -> Result<(), Error> {
    let (system, function) = match words {
        [system, function] => (Some(system), Some(function.as_str())),
        [word] if is_system(session, word) => (Some(word), None),
        [word] => (None, Some(word.as_str())),
        _ => (None, None),
    };
    let of_open = |play: &Play| play.conflict.folder.name().to_owned();
    let system = match (system, &session.play) {
        (Some(system), _) => system.to_owned(),
        (None, Some(play)) => of_open(play),
        (None, None) => {
            // One word and nothing open: it can only be meant as a system.
            session.catalog.folder(function.ok_or_else(nothing_to_edit)?)?;
            return Err(nothing_to_edit());
        }
    };
    let find = |session: &Session| {
        let open = session.play.as_ref().filter(|play| of_open(play) == system);
        match open.filter(|_| function.is_some() || words.is_empty()) {
            Some(play) => Ok((of_play(play, function)?, None)),
            None => of_folder(session, session.catalog.folder(&system)?, function),
        }
    };
    let mut found = find(session)?;
    if session.catalog.folder(&system)?.is_embedded() && !Path::new(&found.0.file).is_file() {
        write_out(session, &system, reply)?;
        found = find(session)?;
    }
    let (at, house) = found;
    session.mark_files();
    session.edits = Some(Edited { system, house });
    reply.edits = Some(at);
    Ok(())
}

fn nothing_to_edit() -> Error {
    Error::usage(
        "no conflict is open; `:edit SYSTEM` opens the rules of a system, `:list` shows them",
    )
}

/// Whether a lone word names a system, and no function of the open rules.
fn is_system(session: &Session, word: &str) -> bool {
    let function =
        |play: &Play| play.conflict.rules.definitions().iter().any(|one| one.name == word);
    session.catalog.folder(word).is_ok() && !session.play.as_ref().is_some_and(function)
}

/// Where the function stands that is in force, or the one that asks; or the beginning of a file.
fn of_play(play: &Play, word: Option<&str>) -> Result<Location, Error> {
    let Some(word) = word else {
        let asked = match play.standing() {
            Standing::Asked(moment) => play.asked().or(moment.asked.first()),
            Standing::Over { .. } => None,
        };
        let nobody = || Error::usage("nobody is asked now; say which function to edit");
        return asked.and_then(|asked| asked.at.clone()).ok_or_else(nobody);
    };
    let name = word.trim_end_matches("()");
    let all = play.conflict.rules.definitions();
    let found = all.iter().filter(|one| one.name == name).max_by_key(|one| one.layer);
    match found {
        Some(found) => Ok(found.at.clone()),
        None => match file_of(&play.conflict.folder, word)? {
            Some((at, _)) => Ok(at),
            None => Err(Error::unknown("function", name, all.iter().map(|one| one.name.as_str()))),
        },
    }
}

/// Where a function stands in the rules of a folder, which need not compile; or the first mistake in
/// them, or their beginning. With the house rule, if it is one.
fn of_folder(
    session: &Session,
    folder: &Folder,
    word: Option<&str>,
) -> Result<(Location, Option<String>), Error> {
    let scripts = folder.scripts()?;
    let Some(word) = word else {
        let mistake = compile(folder, Order::default(), &session.options.limits).err();
        let at = mistake.as_ref().and_then(Error::location).cloned();
        return Ok((at.unwrap_or_else(|| beginning(folder.rules_path())), None));
    };
    let name = word.trim_end_matches("()");
    let defined = |text: &Text| {
        let line = source::line_of(&text.text, name)?;
        Some(Location { file: text.path.clone(), line, column: None })
    };
    if let Some(at) = scripts.iter().find_map(defined) {
        return Ok((at, None));
    }
    match file_of(folder, word)? {
        Some(found) => Ok(found),
        None => {
            let names: Vec<&str> =
                scripts.iter().flat_map(|text| source::functions(&text.text)).collect();
            Err(Error::unknown("function", name, names))
        }
    }
}

/// The beginning of a file of a rules folder: of a house rule by its name, which then comes with it, or
/// of any other by the name of the file.
fn file_of(folder: &Folder, word: &str) -> Result<Option<(Location, Option<String>)>, Error> {
    if let Ok(text) = folder.find(Kind::House, word) {
        return Ok(Some((beginning(text.path), Some(word.to_owned()))));
    }
    let mut files = folder.scripts()?;
    files.extend(folder.params()?);
    for kind in [Kind::Scenario, Kind::Campaign, Kind::Agent, Kind::Case] {
        files.extend(folder.names(kind).iter().filter_map(|name| folder.find(kind, name).ok()));
    }
    let is_file = |path: &str| Path::new(path).file_name().is_some_and(|file| file == word);
    Ok(files.into_iter().find(|text| is_file(&text.path)).map(|text| (beginning(text.path), None)))
}

fn beginning(file: String) -> Location {
    Location { file, line: 1, column: None }
}

/// Writes rules from inside the program to where they are found on disk.
fn write_out(session: &mut Session, system: &str, reply: &mut Reply) -> Result<(), Error> {
    let home = Path::new("rules");
    let paths = session.catalog.write_out(system, home)?;
    session.catalog = session.catalog.over(&home.join(system));
    let catalog = session.catalog.clone();
    if let Some(play) = session.play.as_mut().filter(|play| play.conflict.folder.name() == system) {
        play.reload(&catalog)?;
    }
    let count = paths.len();
    reply.note(format!(
        "`{system}` was inside the program; it is written to `{}` now, {count} files, and found there from now on",
        home.join(system).display()
    ));
    Ok(())
}

impl Edited {
    /// What there is to say of the rules after they were edited, where no conflict under them is open.
    pub(in crate::repl) fn tell(&self, session: &Session, reply: &mut Reply) -> Result<(), Error> {
        let folder = session.catalog.folder(&self.system)?;
        let mut order = Order::default();
        order.house(folder, self.house.as_slice())?;
        compile(folder, order, &session.options.limits)?;
        let house = self.house.as_ref().map(|name| format!(" with the house rule `{name}`"));
        reply.note(format!("the rules of `{}` compile{}", self.system, house.unwrap_or_default()));
        Ok(())
    }

    /// Whether these are the rules of a conflict.
    pub(in crate::repl) fn is_of(&self, play: &Play) -> bool {
        play.conflict.folder.name() == self.system
    }
}
