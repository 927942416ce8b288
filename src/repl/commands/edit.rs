//! The commands that bring changed rules in: `:edit` opens them in an editor, those of the open conflict or of any
//! system, and `:watch` notices changed files.

use std::path::Path;

use clap::{Args, ValueEnum};

use crate::catalog::{Catalog, FileKind, FileText, Folder};
use crate::conflict::{Order, Play, RuleChanges, Snapshot, compile};
use crate::error::{Error, Location};
use crate::repl::session::Edited;
use crate::repl::{Reply, Session};
use crate::report::{ticked, wrapped};
use crate::script::{Token, TokenKind, tokens};

/// What a new house rule says of itself until somebody writes what it changes.
pub(super) const TO_FILL: &str = "What it changes, and why.";

/// `:edit`.
#[derive(Args, Debug)]
pub struct Edit {
    /// A system, or a scenario as in `war_die/ford`; or, alone, a function of the open rules
    #[arg(value_name = "SYSTEM")]
    editable: Option<String>,
    /// A function, a constant, a house rule, or a file of the rules folder: `params.toml`
    function: Option<String>,
}

/// Finds what to edit, and says so in the reply.
pub(super) fn edit(session: &mut Session, edit: &Edit) -> Result<(), Error> {
    if let (None, None, Some((at, edited))) =
        (&edit.editable, &edit.function, session.mistake.clone())
    {
        session.edits = Some(edited);
        session.edit_at(at);
        return Ok(());
    }
    let file;
    let (system, function) = match (edit.editable.as_deref(), edit.function.as_deref()) {
        (Some(word), None) => match word.split_once('/') {
            Some((system, name)) if session.catalog.folder(system).is_ok() => {
                session.catalog.scenario(word)?;
                file = format!("{name}.toml");
                (Some(system), Some(&file[..]))
            }
            _ if is_system(session, word) => (Some(word), None),
            _ => (None, Some(word)),
        },
        both => both,
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
        match open.filter(|_| function.is_some() || edit.editable.is_none()) {
            Some(play) => of_play(play, function),
            None => of_folder(session, session.catalog.folder(&system)?, function),
        }
    };
    let mut found = find(session)?;
    if session.catalog.folder(&system)?.is_embedded() && !Path::new(&found.0.file).is_file() {
        write_out(session, &system)?;
        found = find(session)?;
    }
    let (at, house) = found;
    session.edits = Some(Edited { system, house });
    session.edit_at(at);
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

/// The place of the function that is in force, or of the one that asks; or the beginning of a file.
fn of_play(play: &Play, word: Option<&str>) -> Result<(Location, Option<String>), Error> {
    let Some(word) = word else {
        let asked = play.asked().or(play.position().asked().first());
        let nobody = || Error::usage("nobody is asked now; say which function to edit");
        return Ok((asked.and_then(|asked| asked.at.clone()).ok_or_else(nobody)?, None));
    };
    let name = word.trim_end_matches("()");
    let all = play.conflict.rules.definitions();
    let found = all.iter().filter(|one| one.name == name).max_by_key(|one| one.layer);
    match found {
        Some(found) => Ok((found.at.clone(), None)),
        None => file_of(&play.conflict.folder, word).ok_or_else(|| {
            Error::unknown("function or constant", name, all.iter().map(|one| one.name.as_str()))
        }),
    }
}

/// The place of a function in the rules of a folder, which need not compile; or the first mistake in
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
        return Ok((at.unwrap_or_else(|| Location::top(folder.rules_path())), None));
    };
    let name = word.trim_end_matches("()");
    let defined = |text: &FileText| {
        let (start, _) = heads(&text.text).into_iter().rfind(|(_, own)| *own == name)?;
        let line = text.text[..start].matches('\n').count() + 1;
        Some(Location { file: text.path.clone(), line, column: None })
    };
    if let Some(at) = scripts.iter().find_map(defined) {
        return Ok((at, None));
    }
    file_of(folder, word).ok_or_else(|| {
        let names = scripts.iter().flat_map(|text| heads(&text.text)).map(|(_, name)| name);
        Error::unknown("function or constant", name, names.collect::<Vec<_>>())
    })
}

/// Where each function and constant of a text begins, which may contain mistakes, with its name; what is in texts and
/// comments is none.
fn heads(text: &str) -> Vec<(usize, &str)> {
    let tokens = tokens(text);
    let begins = |three: &&[Token]| {
        three[0].kind == TokenKind::Keyword && matches!(three[0].of(text), "fn" | "const")
    };
    let heads = tokens.windows(3).filter(begins);
    heads.map(|three| (three[0].start, three[2].of(text))).collect()
}

/// The beginning of a file of a rules folder: of a house rule by its name, which then comes with it, or
/// of any other by the name of the file.
fn file_of(folder: &Folder, word: &str) -> Option<(Location, Option<String>)> {
    if let Ok(text) = folder.find(FileKind::House, word) {
        return Some((Location::top(text.path), Some(word.to_owned())));
    }
    let file = folder.all().find(|file| file.rsplit('/').next() == Some(word))?;
    let house = file.strip_prefix("house/").and_then(|file| file.strip_suffix(".rhai"));
    Some((Location::top(folder.shown(&file)), house.map(str::to_owned)))
}

/// Writes rules from inside the program to where they are found on disk.
pub(super) fn write_out(session: &mut Session, system: &str) -> Result<(), Error> {
    let home = Path::new("rules");
    let paths = session.catalog.write_out(system, home)?;
    session.catalog = session.catalog.over(&home.join(system));
    let catalog = session.catalog.clone();
    if let Some(play) = session.play.as_mut().filter(|play| play.conflict.folder.name() == system) {
        play.reload(&catalog)?;
    }
    let count = paths.len();
    session.note(format!(
        "`{system}` was inside the program; it is written to `{}` now, {count} files, and found there from now on",
        home.join(system).display()
    ));
    Ok(())
}

impl Edited {
    /// What there is to say of the rules after they were edited, where no conflict under them is open.
    pub(in crate::repl) fn report(&self, session: &Session) -> Result<(), Error> {
        let open = session.play.as_ref().filter(|play| self.is_of(play));
        let folder = match open {
            Some(play) => &play.conflict.folder,
            None => session.catalog.folder(&self.system)?,
        };
        let mut order = Order::default();
        order.house(folder, self.house.as_slice())?;
        compile(folder, order, &session.options.limits)?;
        let house = self.house.as_ref().map(|name| format!(" with the house rule `{name}`"));
        let lay = match open.and(self.house.as_ref()) {
            Some(name) => format!("; {}", session.how_to_lay(name)?),
            None => String::new(),
        };
        let house = house.unwrap_or_default();
        let text = format!("the rules of `{}` compile{house}{lay}", self.system);
        session.note(wrapped(&text, session.options.width));
        self.report_title(session);
        Ok(())
    }

    /// Says so where a house rule has the title that `:house new` gave it.
    pub(in crate::repl) fn report_title(&self, session: &Session) {
        let folder = session.catalog.folder(&self.system).ok();
        let text = folder
            .zip(self.house.as_ref())
            .and_then(|(folder, name)| folder.find(FileKind::House, name).ok());
        if text.is_some_and(|text| text.text.contains(TO_FILL)) {
            session.note(format!(
                "its second line still says `{TO_FILL}`: write there what it changes, for `:house` and `:list`"
            ));
        }
    }

    /// Whether these are the rules of a conflict.
    pub(in crate::repl) fn is_of(&self, play: &Play) -> bool {
        play.conflict.folder.name() == self.system
    }
}

impl Session {
    /// What there is to say after a file was edited.
    pub fn edited(&mut self) -> Reply {
        let edits = self.edits.take();
        self.report_edited(edits.clone());
        let at = self.reply.get_mut().error().and_then(Error::location);
        let at = at.filter(|at| Path::new(&at.file).is_file()).cloned();
        self.mistake = at.zip(edits);
        if self.mistake.is_some() && self.made.is_none() {
            self.note("`:edit` opens the file at the mistake");
        }
        self.take_reply()
    }

    fn report_edited(&mut self, edits: Option<Edited>) {
        if edits.as_ref().and_then(|edits| self.lay_made(edits)).is_some() {
            return;
        }
        // The editor may leave a mistake as it was before.
        self.files_digest.clone_from(&self.files_in_force);
        self.changed();
        // Other rules, or a house rule that is not laid.
        let apart = |edits: &Edited| {
            let play = self.play.as_ref().filter(|play| edits.is_of(play));
            let laid = play.map(|play| play.conflict.rules.house());
            laid.is_none_or(|laid| edits.house.as_ref().is_some_and(|house| !laid.contains(house)))
        };
        if let Some(edits) = edits.filter(apart) {
            edits.report(self).unwrap_or_else(|error| self.fail(error));
        } else if self.reply.get_mut().said.is_empty() {
            self.note("no rule has changed");
        }
    }

    /// Lays the house rule that `:house new` wrote, once it has been edited. Nothing where another file was.
    fn lay_made(&mut self, edits: &Edited) -> Option<()> {
        let (made, written) =
            self.made.take_if(|(made, _)| edits.house.as_deref() == Some(made))?;
        let play = self.play.as_ref().filter(|play| edits.is_of(play))?;
        if play.conflict.folder.find(FileKind::House, &made).is_ok_and(|text| text.text == written)
        {
            self.note(format!(
                "nothing was written in it, so it is not applied; `:edit {made}` opens it again"
            ));
            self.made = Some((made, written));
            return Some(());
        }
        let house = [play.conflict.rules.house(), std::slice::from_ref(&made)].concat();
        let changes = RuleChanges { house: Some(house), ..RuleChanges::default() };
        if let Err(error) = self.replay_under(&changes) {
            // What is hidden from who plays is no mistake in the file.
            let note = match &error {
                Error::Usage { .. } => {
                    format!("`{made}` is written: {}", self.how_to_lay(&made).unwrap_or_default())
                }
                _ => format!(
                    "its file is written: `:edit` opens it at the mistake, `:house {made}` applies it to the rules"
                ),
            };
            self.fail(error);
            self.note(note);
            self.made = Some((made, written));
        } else {
            edits.report_title(self);
        }
        Some(())
    }
}

/// On or off.
#[derive(ValueEnum, Debug, Clone, Copy)]
pub enum Switch {
    /// From now on
    On,
    /// No more
    Off,
}

/// Watches the files of the open rules, or no more.
pub(super) fn watch(session: &mut Session, switch: Option<Switch>) -> Result<(), Error> {
    session.watches = match switch {
        Some(Switch::On) => true,
        Some(Switch::Off) => false,
        None => !session.watches,
    };
    let folders = session.play.as_ref().map(Play::folders_of_files).unwrap_or_default();
    let folders = ticked(folders.iter().map(|path| path.display()));
    session.note(match (session.watches, &session.play) {
        (false, _) => "files are no longer watched".to_owned(),
        (true, None) => "no conflict is open yet; the files of the next one will be watched".to_owned(),
        (true, Some(_)) if folders.is_empty() => {
            "these rules are built into the program, so there is no file to watch; `:edit` writes them out"
                .to_owned()
        }
        (true, Some(_)) => format!("watched: {}", folders.join(", ")),
    });
    Ok(())
}

/// Finds out from another thread whether files of the open conflict have changed, without the session.
#[derive(Clone, Debug)]
pub(crate) struct FileWatch {
    catalog: Catalog,
    snapshot: Snapshot,
    /// Their digest when they were last read.
    digest: String,
}

impl FileWatch {
    /// Whether a file has changed since they were last read.
    pub(crate) fn has_changed(&self) -> bool {
        self.snapshot.digest_of_files(&self.catalog) != self.digest
    }
}

impl Session {
    /// Looks at the files from another thread while a line is typed; nothing where files are not watched.
    pub(crate) fn file_watch(&self) -> Option<FileWatch> {
        let play = self.play.as_ref().filter(|_| self.watches)?;
        let digest = self.files_digest.clone()?;
        Some(FileWatch { catalog: self.catalog.clone(), snapshot: play.snapshot(), digest })
    }

    /// Reports before the next line: if a watched file has changed, the open conflict is played again under
    /// the rules as they are now.
    pub fn look_again(&mut self) -> Reply {
        if self.watches {
            self.changed();
        }
        self.take_reply()
    }

    /// If a file has changed, plays the open conflict again and reports what differs.
    pub(in crate::repl) fn changed(&mut self) {
        let Some(play) = &self.play else { return };
        // Rules that did not compile are not tried again until they change.
        if self.files_digest.as_ref().is_none_or(|files| *files == play.digest_of_files()) {
            return;
        }
        self.replay_under(&RuleChanges::default()).unwrap_or_else(|error| self.fail(error));
    }
}

#[cfg(test)]
mod tests {
    use super::heads;

    #[test]
    fn functions_are_found_in_a_text_with_mistakes_but_not_in_comments() {
        let text = "fn a() { (\n/*\nfn b() {}\n*/\nprivate fn c() {}\nconst D = `\nfn e() {}`;";
        let names: Vec<&str> = heads(text).into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["a", "c", "D"]);
    }
}
