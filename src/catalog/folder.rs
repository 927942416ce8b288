//! A rules folder, on disk or inside the program: its scripts, parameters, scenarios, house rules,
//! agents and cases.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use include_dir::{Dir, File};
use indexmap::IndexMap;

use super::scenario::is_script_path;
use super::{CaseFile, FileText, Scenario, campaign};
use crate::error::Error;

/// A rules folder. Its name is the name of the system, even if its files name another: a copied
/// folder is a new system.
#[derive(Clone, Debug)]
pub struct Folder {
    name: String,
    place: FolderPlace,
    /// All rules folders that were found with it, whose functions its rules may use.
    neighbours: Arc<IndexMap<String, FolderPlace>>,
    /// A file that reads otherwise than it is.
    edited: Arc<[FileText]>,
}

#[derive(Clone, Debug)]
enum FolderPlace {
    Disk(PathBuf),
    Embedded(&'static Dir<'static>),
}

/// The kinds of files of which a rules folder has several, each kind in a subfolder of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// `scenarios/*.toml`
    Scenario,
    /// `campaigns/*.toml`
    Campaign,
    /// `house/*.rhai`
    House,
    /// `agents/*.rhai`
    Agent,
    /// `cases/*.toml`
    Case,
}

impl FileKind {
    /// Its folder, what messages call one of its files, and how their names end.
    fn words(self) -> [&'static str; 3] {
        match self {
            FileKind::Scenario => ["scenarios", "scenario", ".toml"],
            FileKind::Campaign => ["campaigns", "campaign", ".toml"],
            FileKind::House => ["house", "house rule", ".rhai"],
            FileKind::Agent => ["agents", "agent", ".rhai"],
            FileKind::Case => ["cases", "case file", ".toml"],
        }
    }

    /// The name of its folder.
    pub fn folder(self) -> &'static str {
        self.words()[0]
    }

    /// The name of one such file in messages.
    pub fn what(self) -> &'static str {
        self.words()[1]
    }

    fn extension(self) -> &'static str {
        self.words()[2]
    }
}

const RULES: &str = "rules.rhai";
const PARAMS: &str = "params.toml";

impl Folder {
    /// The rules folder at a path; `None` where the folder has no `rules.rhai`.
    pub(super) fn on_disk(path: &Path) -> Option<Folder> {
        // `.` and `..` have their name only in full.
        let name = match path.file_name() {
            Some(name) => name.to_owned(),
            None => path.canonicalize().ok()?.file_name()?.to_owned(),
        };
        Folder::of_rules(name.into_string().ok()?, FolderPlace::Disk(path.to_owned()))
    }

    pub(super) fn embedded(dir: &'static Dir<'static>) -> Option<Folder> {
        let name = dir.path().file_name()?.to_str()?.to_owned();
        Folder::of_rules(name, FolderPlace::Embedded(dir))
    }

    /// A folder that has the name of a system, and no rules that can be read.
    pub(super) fn without_rules(name: &str, path: PathBuf) -> Folder {
        Folder::placed(name.to_owned(), FolderPlace::Disk(path))
    }

    fn placed(name: String, place: FolderPlace) -> Folder {
        Folder { name, place, neighbours: Arc::default(), edited: Arc::default() }
    }

    fn of_rules(name: String, place: FolderPlace) -> Option<Folder> {
        let folder = Folder::placed(name, place);
        // A folder of case files may hold a `params.toml` too: the rules alone make a rules folder.
        folder.has(RULES).then_some(folder)
    }

    /// Makes sure that it has rules.
    ///
    /// # Errors
    /// [`Error::File`] where it has none that can be read.
    pub(super) fn with_rules(&self) -> Result<&Folder, Error> {
        if self.has(RULES) { Ok(self) } else { self.read(RULES).map(|_| self) }
    }

    /// The system's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn link_folders(folders: &mut IndexMap<String, Folder>) {
        let places = folders.iter().map(|(name, folder)| (name.clone(), folder.place.clone()));
        let neighbours = Arc::new(places.collect::<IndexMap<String, FolderPlace>>());
        folders.values_mut().for_each(|folder| folder.neighbours = neighbours.clone());
    }

    pub(crate) fn neighbour(&self, name: &str) -> Result<Folder, Error> {
        let place = self.neighbours.get(name).cloned();
        let place = place.ok_or_else(|| Error::unknown("system", name, self.neighbours.keys()))?;
        let (name, edited) = (name.to_owned(), Arc::default());
        Ok(Folder { name, place, neighbours: self.neighbours.clone(), edited })
    }

    /// All rules folders that were found with this one, itself among them.
    pub(crate) fn neighbours(&self) -> impl Iterator<Item = Folder> {
        self.neighbours.keys().filter_map(|name| self.neighbour(name).ok())
    }

    pub(crate) fn is_embedded(&self) -> bool {
        matches!(self.place, FolderPlace::Embedded(_))
    }

    /// The path as shown to the user; `embedded:NAME` inside the program.
    pub fn path(&self) -> String {
        match &self.place {
            FolderPlace::Disk(path) => path.display().to_string(),
            FolderPlace::Embedded(_) => format!("embedded:{}", self.name),
        }
    }

    /// The path of `rules.rhai` as shown to the user, even if the file does not exist.
    pub(crate) fn rules_path(&self) -> String {
        self.shown(RULES)
    }

    /// The path of a file within it as shown to the user.
    pub(crate) fn shown(&self, relative: &str) -> String {
        match &self.place {
            FolderPlace::Disk(path) => path.join(relative).display().to_string(),
            FolderPlace::Embedded(_) => format!("{}/{relative}", self.path()),
        }
    }

    pub(crate) fn disk_path(&self) -> Option<&Path> {
        match &self.place {
            FolderPlace::Disk(path) => Some(path),
            FolderPlace::Embedded(_) => None,
        }
    }

    /// The rules: `rules.rhai`, then the folder's other scripts by name.
    ///
    /// # Errors
    /// [`Error::File`] where `rules.rhai` is missing, or a script cannot be read.
    pub fn scripts(&self) -> Result<Vec<FileText>, Error> {
        self.script_names().iter().map(|name| self.read(name)).collect()
    }

    fn script_names(&self) -> Vec<String> {
        let mut names = self.files("", ".rhai");
        names.retain(|name| name != RULES);
        names.insert(0, RULES.to_owned());
        names
    }

    /// The paths within it of all files that belong to the rules: scripts, parameters, then those of each kind.
    pub(crate) fn all(&self) -> impl Iterator<Item = String> {
        let kinds = [
            FileKind::House,
            FileKind::Agent,
            FileKind::Scenario,
            FileKind::Campaign,
            FileKind::Case,
        ];
        let params = self.has(PARAMS).then(|| PARAMS.to_owned());
        let of_kinds = kinds.into_iter().flat_map(|kind| {
            let files = self.files(kind.folder(), kind.extension()).into_iter();
            files.map(move |file| format!("{}/{file}", kind.folder()))
        });
        self.script_names().into_iter().chain(params).chain(of_kinds)
    }

    /// The text of `params.toml`, if the file exists.
    pub fn params(&self) -> Result<Option<FileText>, Error> {
        self.has(PARAMS).then(|| self.read(PARAMS)).transpose()
    }

    /// The names of all of a kind, sorted.
    pub fn names(&self, kind: FileKind) -> Vec<String> {
        let extension = kind.extension();
        let files = self.files(kind.folder(), extension);
        files.iter().filter_map(|file| file.strip_suffix(extension)).map(str::to_owned).collect()
    }

    /// The file of a name. A house rule or an agent may also be given as the path of a file, from
    /// the current folder: a word with a `/`, or that ends in `.rhai`.
    ///
    /// # Errors
    /// [`Error::Unknown`] with the nearest name; [`Error::File`] where it cannot be read.
    pub fn find(&self, kind: FileKind, name: &str) -> Result<FileText, Error> {
        if matches!(kind, FileKind::House | FileKind::Agent) && is_script_path(name) {
            return FileText::read(Path::new(name));
        }
        let file = format!("{}/{name}{}", kind.folder(), kind.extension());
        // A name leads nowhere but into its folder. It is not looked for among all of them: a folder
        // may have thousands.
        let is_name = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\']);
        if !is_name || !self.has_file(&file) {
            return Err(Error::unknown_of(kind.what(), name, self.names(kind)));
        }
        self.read(&file)
    }

    /// A scenario of this folder; its name is `system/name`, its system this folder.
    pub fn scenario(&self, name: &str) -> Result<Scenario, Error> {
        let text = self.find(FileKind::Scenario, name)?;
        let scenario = Scenario::parse(&format!("{}/{name}", self.name), text)?;
        Ok(Scenario { system: self.name.clone(), ..scenario })
    }

    /// A campaign of this folder; its name is `system/name`. Scenarios that it names without a system
    /// are those of this folder.
    pub fn campaign(&self, name: &str) -> Result<Scenario, Error> {
        let text = self.find(FileKind::Campaign, name)?;
        let name = format!("{}/{name}", self.name);
        campaign::parse(&name, text, &|word| match word.split_once('/') {
            Some((system, name)) => self.neighbour(system)?.scenario(name),
            None => self.scenario(word),
        })
    }

    /// A case file of this folder; its system is this folder.
    pub fn cases(&self, name: &str) -> Result<CaseFile, Error> {
        let file = CaseFile::parse(self.find(FileKind::Case, name)?)?;
        Ok(CaseFile { system: self.name.clone(), ..file })
    }

    fn has(&self, relative: &str) -> bool {
        match &self.place {
            FolderPlace::Disk(path) => path.join(relative).exists(),
            FolderPlace::Embedded(dir) => dir.get_file(dir.path().join(relative)).is_some(),
        }
    }

    fn has_file(&self, relative: &str) -> bool {
        match &self.place {
            FolderPlace::Disk(path) => path.join(relative).is_file(),
            FolderPlace::Embedded(_) => self.has(relative),
        }
    }

    /// The same, with other texts in some of its files, by the paths that are shown.
    #[must_use]
    pub(crate) fn edited(&self, files: Vec<FileText>) -> Folder {
        Folder { edited: files.into(), ..self.clone() }
    }

    pub(crate) fn read(&self, relative: &str) -> Result<FileText, Error> {
        let shown = self.shown(relative);
        if let Some(edited) = self.edited.iter().find(|edited| edited.path == shown) {
            return Ok(edited.clone());
        }
        match &self.place {
            FolderPlace::Disk(path) => FileText::read_within(path, &path.join(relative)),
            FolderPlace::Embedded(dir) => match dir.get_file(dir.path().join(relative)) {
                Some(file) => FileText::from_bytes(shown, file.contents()),
                None => Err(Error::file("read", shown, "no such file")),
            },
        }
    }

    /// The names of the files of a folder within that end in an extension, sorted; hidden ones,
    /// which editors leave behind, are left out.
    fn files(&self, within: &str, extension: &str) -> Vec<String> {
        let mut names: Vec<String> = match &self.place {
            FolderPlace::Disk(path) => {
                let Ok(entries) = path.join(within).read_dir() else { return Vec::new() };
                let files = entries.flatten().filter(|entry| entry.path().is_file());
                files.filter_map(|entry| entry.file_name().into_string().ok()).collect()
            }
            FolderPlace::Embedded(dir) => {
                let folder = match within {
                    "" => Some(*dir),
                    _ => dir.get_dir(dir.path().join(within)),
                };
                let files = folder.into_iter().flat_map(Dir::files);
                let name = |file: &File<'_>| Some(file.path().file_name()?.to_str()?.to_owned());
                files.filter_map(name).collect()
            }
        };
        names.retain(|name| name.ends_with(extension) && !name.starts_with('.'));
        names.sort();
        names
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn folder(files: &[(&str, &str)]) -> (tempfile::TempDir, Folder) {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join("duel").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let folder = Folder::on_disk(&root.path().join("duel")).unwrap();
        (root, folder)
    }

    #[test]
    fn the_rules_come_first_then_the_other_scripts_by_name() {
        let (_root, folder) = folder(&[
            ("z.rhai", "z"),
            ("a.rhai", "a"),
            ("rules.rhai", "r"),
            ("house/h.rhai", "h"),
            ("notes.md", "n"),
            (".#a.rhai", "left behind"),
        ]);
        let scripts = folder.scripts().unwrap();
        assert_eq!(scripts.iter().map(|text| &text.text[..]).collect::<Vec<_>>(), ["r", "a", "z"]);
        assert!(scripts[0].path.ends_with("duel/rules.rhai"), "{}", scripts[0].path);
        assert_eq!((folder.name(), folder.is_embedded()), ("duel", false));
        assert_eq!(folder.params().unwrap(), None);
    }

    #[test]
    fn a_folder_without_rules_is_no_rules_folder() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("params.toml"), "").unwrap();
        fs::write(root.path().join("a.rhai"), "").unwrap();
        assert!(Folder::on_disk(root.path()).is_none());
    }

    #[test]
    fn names_are_those_of_files() {
        let (root, folder) = folder(&[
            ("rules.rhai", ""),
            ("scenarios/ford.toml", "system = \"other\""),
            ("scenarios/a.toml", "system = \"duel\""),
            ("scenarios/readme.md", ""),
            ("house/cheap.rhai", "cheap"),
        ]);
        fs::create_dir(root.path().join("duel/scenarios/folder.toml")).unwrap();
        assert_eq!(folder.names(FileKind::Scenario), ["a", "ford"]);
        assert_eq!(folder.names(FileKind::House), ["cheap"]);
        assert!(folder.names(FileKind::Agent).is_empty());
        assert_eq!(folder.find(FileKind::House, "cheap").unwrap().text, "cheap");
        let error = folder.find(FileKind::House, "chaep").unwrap_err().to_string();
        assert_eq!(error, "unknown house rule `chaep`; did you mean `cheap`?");
        // A name leads nowhere but into its folder, and a folder is no file.
        assert_eq!(folder.find(FileKind::Scenario, "../rules").unwrap_err().kind(), "unknown");
        assert_eq!(folder.find(FileKind::Scenario, "folder").unwrap_err().kind(), "unknown");
        let path = root.path().join("duel/house/cheap.rhai").display().to_string();
        assert_eq!(folder.find(FileKind::Agent, &path).unwrap().text, "cheap");
        assert_eq!(folder.find(FileKind::Agent, "none.rhai").unwrap_err().kind(), "file");
        // A copied folder is a new system.
        let scenario = folder.scenario("ford").unwrap();
        assert_eq!((&scenario.name[..], &scenario.system[..]), ("duel/ford", "duel"));
    }
}
