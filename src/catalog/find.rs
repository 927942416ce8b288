//! Finds the rules folders, scenarios and case files that a user names.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use include_dir::{Dir, File, include_dir};
use indexmap::IndexMap;

use super::write::{new_system_files, write_new};
use super::{CaseFile, FileKind, FileText, Folder, Scenario, campaign};
use crate::error::Error;

static EMBEDDED: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/rules");

/// All rules folders that were found. If two have the same name, the first one found is used.
#[derive(Clone, Debug)]
pub struct Catalog {
    folders: IndexMap<String, Folder>,
}

impl Catalog {
    /// Searches the given folders in order, then `rules/` in the current folder, then the folders
    /// inside the program. A given folder is a rules folder, or a folder of rules folders.
    ///
    /// # Errors
    /// [`Error::File`] where a given folder cannot be read or holds no rules folder.
    pub fn new(extra: &[PathBuf]) -> Result<Catalog, Error> {
        Catalog::search(extra, Path::new("rules"), &EMBEDDED)
    }

    fn search(
        extra: &[PathBuf],
        here: &Path,
        inside: &'static Dir<'static>,
    ) -> Result<Catalog, Error> {
        let mut found = Vec::new();
        for dir in extra {
            found.extend(given(dir)?);
            found.extend(without_rules(dir, inside));
        }
        if here.is_dir() {
            found.extend(below(here).map_err(|reason| Error::file("read", here, reason))?);
            found.extend(without_rules(here, inside));
        }
        found.extend(inside.dirs().filter_map(Folder::embedded));
        let mut folders = IndexMap::new();
        for folder in found {
            folders.entry(folder.name().to_owned()).or_insert(folder);
        }
        folders.sort_keys();
        Folder::link_folders(&mut folders);
        Ok(Catalog { folders })
    }

    /// This catalog, with the rules folders at a path replacing its own; see [`Catalog::at`].
    pub fn over(&self, path: &Path) -> Catalog {
        self.replaced(Catalog::at(path))
    }

    /// This catalog for a scenario: one that is named by its path is played under the rules folder that it is in.
    pub fn around(&self, scenario: &str) -> Cow<'_, Catalog> {
        let path = Path::new(scenario);
        match scenario.ends_with(".toml") && path.is_file() {
            true => Cow::Owned(self.over(path)),
            false => Cow::Borrowed(self),
        }
    }

    /// This catalog, with the rules folders that a folder is or holds replacing its own.
    ///
    /// # Errors
    /// [`Error::File`] where it cannot be read or holds no rules folder.
    pub fn with(&self, dir: &Path) -> Result<Catalog, Error> {
        let lost = without_rules(dir, &EMBEDDED);
        Ok(self.replaced(lost.into_iter().chain(given(dir)?).collect()))
    }

    fn replaced(&self, folders: Vec<Folder>) -> Catalog {
        let named = folders.into_iter().map(|folder| (folder.name().to_owned(), folder));
        let mut all = self.folders.clone();
        all.extend(named);
        all.sort_keys();
        Folder::link_folders(&mut all);
        Catalog { folders: all }
    }

    pub(crate) fn edited(&self, system: &str, file: FileText) -> Result<Catalog, Error> {
        let folder = self.folder(system)?.edited(vec![file]);
        let mut all = self.clone();
        all.folders.insert(system.to_owned(), folder);
        Ok(all)
    }

    /// The rules folders that a path is or holds, or else the one that contains it; may be empty.
    pub fn at(path: &Path) -> Vec<Folder> {
        if path.is_dir()
            && let Ok(folders) = below(path)
            && !folders.is_empty()
        {
            return folders;
        }
        let Ok(path) = path.canonicalize() else { return Vec::new() };
        let here = std::env::current_dir().and_then(|here| here.canonicalize());
        let around = path.ancestors().skip(1).take(2).find_map(|dir| {
            // As short as the user would write it.
            let short = here.as_ref().ok().and_then(|here| dir.strip_prefix(here).ok());
            Folder::on_disk(short.filter(|short| *short != Path::new("")).unwrap_or(dir))
        });
        around.into_iter().collect()
    }

    /// All rules folders, by name.
    pub fn folders(&self) -> impl Iterator<Item = &Folder> {
        self.folders.values()
    }

    /// The names of all systems, sorted.
    pub fn systems(&self) -> impl Iterator<Item = &str> {
        self.folders.keys().map(String::as_str)
    }

    /// The rules folder of a system.
    ///
    /// # Errors
    /// [`Error::Unknown`] with the nearest name; [`Error::File`] where it has no rules that can be read.
    pub fn folder(&self, name: &str) -> Result<&Folder, Error> {
        self.folders.get(name).map(Folder::with_rules).unwrap_or_else(|| {
            let mut error = Error::unknown_of("system", name, self.systems());
            // A scenario is named where its system is meant.
            if let Error::Unknown { nearest: near @ None, .. } = &mut error {
                let system = name.split('/').next().unwrap_or_default();
                *near = self.folders.contains_key(system).then(|| system.to_owned());
            }
            Err(error)
        })
    }

    /// The scenario that a user names: a path that ends in `.toml`, else `system/name`, else the
    /// path of a file.
    ///
    /// # Errors
    /// [`Error::Unknown`] with the nearest name, [`Error::Usage`] where only a system is named,
    /// [`Error::File`], or those of [`Scenario::parse`].
    pub fn scenario(&self, word: &str) -> Result<Scenario, Error> {
        let path = Path::new(word);
        if word.ends_with(".toml") {
            return self.scenario_file(path);
        }
        let named = word.split_once('/').map(|(system, name)| (self.folder(system), name));
        let has = |folder: &Folder, kind: FileKind, name: &str| {
            folder.names(kind).iter().any(|one| one == name)
        };
        match named {
            Some((Ok(folder), name)) if has(folder, FileKind::Scenario, name) => {
                folder.scenario(name)
            }
            Some((Ok(folder), name)) if has(folder, FileKind::Campaign, name) => {
                folder.campaign(name)
            }
            _ if path.is_file() || word.starts_with(['/', '.']) => self.scenario_file(path),
            Some((folder, name)) => {
                let error = Error::unknown_of("scenario", name, playable(folder?));
                Err(in_full(word, error))
            }
            None => Err(self.only_a_system(word)),
        }
    }

    /// The case file at a path. One in the `cases/` of a rules folder belongs to that folder, even
    /// if its `system` key names another. Where nobody has named the file itself, it is `within` a folder.
    pub(crate) fn case_file(&self, path: &Path, within: Option<&Path>) -> Result<CaseFile, Error> {
        let text = match within {
            Some(folder) => FileText::read_within(folder, path)?,
            None => FileText::read(path)?,
        };
        let file = CaseFile::parse(text)?;
        Ok(match self.owner(path, FileKind::Case) {
            Some(folder) => CaseFile { system: folder.name().to_owned(), ..file },
            None => file,
        })
    }

    /// Writes the rules folders inside the program into a folder, to be edited.
    ///
    /// # Errors
    /// [`Error::File`] if a file exists already or cannot be written; then nothing is written.
    pub fn init(dir: &Path) -> Result<Vec<PathBuf>, Error> {
        write_new(dir, &all_files(&EMBEDDED))
    }

    /// The rules folder of a system as it is inside the program, if it is there.
    pub(crate) fn shipped(system: &str) -> Option<Folder> {
        EMBEDDED.get_dir(system).and_then(Folder::embedded)
    }

    /// Writes the rules folder of one embedded system into a folder, to be edited.
    pub(crate) fn write_out(&self, system: &str, dir: &Path) -> Result<Vec<PathBuf>, Error> {
        let folder = self.folder(system)?;
        let Some(inside) = EMBEDDED.get_dir(system).filter(|_| folder.is_embedded()) else {
            let path = folder.path();
            return Err(Error::usage(format!("`{system}` is already on disk: `{path}`")));
        };
        write_new(dir, &all_files(inside))
    }

    /// Writes a small complete rules folder with a new name into a folder; on error nothing is written.
    pub(crate) fn new_system(&self, name: &str, dir: &Path) -> Result<Vec<PathBuf>, Error> {
        let letter = |c: char| c.is_ascii_lowercase();
        let plain = name.starts_with(letter)
            && name.chars().all(|c| letter(c) || c.is_ascii_digit() || c == '_');
        let refused = match self.folders.get(name) {
            _ if !plain => {
                format!("`{name}` is not a name for a system: lower-case letters, digits and `_`")
            }
            Some(taken) => format!("there is a system `{name}` already: `{}`", taken.path()),
            None => return write_new(dir, &new_system_files(name)),
        };
        Err(Error::usage(refused))
    }

    fn scenario_file(&self, path: &Path) -> Result<Scenario, Error> {
        let (name, text) = (path.display().to_string(), FileText::read(path)?);
        if let Some(folder) = self.around(&name).owner(path, FileKind::Campaign) {
            let campaign =
                folder.campaign(&path.file_stem().unwrap_or_default().to_string_lossy())?;
            // One of a folder that was not found by name is found again by its path.
            return Ok(match self.owner(path, FileKind::Campaign) {
                Some(_) => campaign,
                None => Scenario { name, ..campaign },
            });
        }
        if campaign::is_one(&text) {
            return campaign::parse(&name, text, &|word| match word.split_once('/') {
                Some((system, name)) => self.folder(system)?.scenario(name),
                None => Err(self.only_a_system(word)),
            });
        }
        let scenario = Scenario::parse(&name, text)?;
        Ok(match self.owner(path, FileKind::Scenario) {
            Some(folder) => Scenario { system: folder.name().to_owned(), ..scenario },
            None => scenario,
        })
    }

    fn owner(&self, path: &Path, kind: FileKind) -> Option<&Folder> {
        let path = path.canonicalize().ok()?;
        let within = path.parent()?;
        if within.file_name()? != kind.folder() {
            return None;
        }
        let rules = within.parent()?;
        let is_own = |disk: &Path| disk.canonicalize().is_ok_and(|disk| disk == rules);
        self.folders().find(|folder| folder.disk_path().is_some_and(is_own))
    }

    /// The error for a word without a `/` that is not a file.
    fn only_a_system(&self, word: &str) -> Error {
        if let Some(folder) = self.folders.get(word) {
            if let Err(lost) = folder.with_rules() {
                return lost;
            }
            let names = playable(folder);
            let names: Vec<_> = names.iter().map(|name| format!("`{word}/{name}`")).collect();
            return Error::usage(match &names[..] {
                [] => format!("`{word}` is a system, and has no scenarios"),
                names => format!("`{word}` is a system; its scenarios are {}", names.join(", ")),
            });
        }
        let of = |folder: &Folder| -> Vec<String> {
            playable(folder).iter().map(|name| format!("{}/{name}", folder.name())).collect()
        };
        let all: Vec<String> = self.folders().flat_map(of).collect();
        // Who leaves the system out means a scenario by the second half of its name.
        let whole = all.iter().find(|name| name.ends_with(&format!("/{word}"))).cloned();
        let mut error = Error::unknown("scenario", word, &all);
        if let Error::Unknown { nearest, known, .. } = &mut error {
            *nearest = whole.or(nearest.take());
            // Nothing is near: then at least how a scenario is named.
            *known = self.systems().map(|system| format!("{system}/…")).collect();
        }
        error
    }
}

fn playable(folder: &Folder) -> Vec<String> {
    [FileKind::Scenario, FileKind::Campaign].map(|kind| folder.names(kind)).concat()
}

/// The error with the user's whole word, and the nearest name in the same form.
fn in_full(word: &str, error: Error) -> Error {
    match (error, word.split_once('/')) {
        (Error::Unknown { what: what @ "scenario", nearest, known, at, .. }, Some((system, _))) => {
            let full = |name: String| format!("{system}/{name}");
            let known = known.into_iter().map(full).collect();
            Error::Unknown { what, name: word.to_owned(), nearest: nearest.map(full), known, at }
        }
        (error, _) => error,
    }
}

fn given(dir: &Path) -> Result<Vec<Folder>, Error> {
    let folders = below(dir).map_err(|reason| Error::file("read", dir, reason))?;
    if folders.is_empty() {
        let reason = "there is no rules folder in it: a folder with a `rules.rhai`";
        return Err(Error::file("read", dir, reason));
    }
    Ok(folders)
}

/// The rules folders that a folder holds, by name; only the folder itself if it is one.
fn below(dir: &Path) -> std::io::Result<Vec<Folder>> {
    let entries = dir.read_dir()?;
    if let Some(folder) = Folder::on_disk(dir) {
        return Ok(vec![folder]);
    }
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.is_dir());
    paths.sort();
    Ok(paths.iter().filter_map(|path| Folder::on_disk(path)).collect())
}

/// The folders in this one that have the name of a system inside the program, also those whose rules are lost or may
/// not be read: the copy in the program would say other things under their name.
fn without_rules(dir: &Path, inside: &'static Dir<'static>) -> Vec<Folder> {
    let systems = inside.dirs().filter_map(Folder::embedded);
    let paths = systems.map(|folder| (dir.join(folder.name()), folder));
    let there =
        paths.filter(|(path, _)| path.symlink_metadata().is_ok_and(|found| !found.is_file()));
    there.map(|(path, folder)| Folder::without_rules(folder.name(), path)).collect()
}

fn all_files(dir: &'static Dir<'static>) -> Vec<(String, &'static [u8])> {
    let file = |file: &'static File<'static>| {
        (file.path().to_string_lossy().into_owned(), file.contents())
    };
    dir.files().map(file).chain(dir.dirs().flat_map(all_files)).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use include_dir::DirEntry;

    use super::*;

    static DUEL: [DirEntry<'static>; 1] =
        [DirEntry::File(File::new("duel/rules.rhai", b"embedded"))];
    static INSIDE: Dir<'static> = Dir::new("", &[DirEntry::Dir(Dir::new("duel", &DUEL))]);

    fn lay(root: &Path, files: &[(&str, &str)]) {
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }

    fn search(root: &Path, extra: &[&str]) -> Result<Catalog, Error> {
        let extra: Vec<PathBuf> = extra.iter().map(|dir| root.join(dir)).collect();
        Catalog::search(&extra, &root.join("rules"), &INSIDE)
    }

    fn rules(catalog: &Catalog, name: &str) -> String {
        catalog.folder(name).unwrap().scripts().unwrap()[0].text.clone()
    }

    #[test]
    fn the_first_rules_folder_of_a_name_counts() {
        let root = tempfile::tempdir().unwrap();
        let catalog = search(root.path(), &[]).unwrap();
        assert_eq!(rules(&catalog, "duel"), "embedded");
        lay(
            root.path(),
            &[
                ("rules/duel/rules.rhai", "here"),
                ("rules/feud/rules.rhai", "feud"),
                ("rules/notes/a.md", "no rules"),
                ("more/duel/rules.rhai", "more"),
                ("duel/rules.rhai", "alone"),
            ],
        );
        let catalog = search(root.path(), &[]).unwrap();
        assert_eq!(catalog.systems().collect::<Vec<_>>(), ["duel", "feud"]);
        assert_eq!(rules(&catalog, "duel"), "here");
        assert_eq!(rules(&search(root.path(), &["more"]).unwrap(), "duel"), "more");
        assert_eq!(rules(&search(root.path(), &["duel", "more"]).unwrap(), "duel"), "alone");
        // One that has lost its rules is not replaced by the one in the program.
        fs::rename(root.path().join("rules/duel/rules.rhai"), root.path().join("rules/duel/r"))
            .unwrap();
        let error = search(root.path(), &[]).unwrap().folder("duel").unwrap_err().to_string();
        assert!(error.starts_with("cannot read `") && error.contains("duel/rules.rhai"), "{error}");
        assert_eq!(rules(&search(root.path(), &["more"]).unwrap(), "duel"), "more");
        lay(root.path(), &[("rules/duel/rules.rhai", "here"), ("more/feud/rules.rhai", "more")]);
        fs::remove_file(root.path().join("more/duel/rules.rhai")).unwrap();
        let error = search(root.path(), &["more"]).unwrap().folder("duel").unwrap_err().to_string();
        assert!(error.contains("more/duel/rules.rhai"), "{error}");
        let error = catalog.folder("deul").unwrap_err().to_string();
        assert_eq!(error, "unknown system `deul`; did you mean `duel`?");
    }

    #[test]
    fn a_scenario_is_a_name_or_a_path() {
        let root = tempfile::tempdir().unwrap();
        lay(
            root.path(),
            &[
                ("rules/duel/rules.rhai", ""),
                ("rules/duel/scenarios/ford.toml", "system = \"copied\""),
                ("rules/duel/cases/a.toml", "system = \"copied\"\ncase = []"),
                ("mine.toml", "system = \"duel\""),
                ("mine", "system = \"duel\""),
                ("bad.toml/x", ""),
            ],
        );
        let catalog = search(root.path(), &[]).unwrap();
        let path = |path: &str| root.path().join(path).display().to_string();
        assert_eq!(catalog.scenario("duel/ford").unwrap().name, "duel/ford");
        for word in ["mine.toml", "mine", "rules/duel/scenarios/ford.toml"] {
            let scenario = catalog.scenario(&path(word)).unwrap();
            assert_eq!((scenario.name, scenario.system.as_str()), (path(word), "duel"));
        }
        let cases = catalog.case_file(&root.path().join("rules/duel/cases/a.toml"), None).unwrap();
        assert_eq!(cases.system, "duel");
        for word in ["none.toml", "bad.toml"] {
            assert_eq!(catalog.scenario(&path(word)).unwrap_err().kind(), "file");
        }
    }
}
