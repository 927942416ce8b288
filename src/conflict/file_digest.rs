//! Digests of the files that an open conflict is made from, to notice when one changes.

use std::path::{Path, PathBuf};

use super::{Ground, Play};
use crate::catalog::{Catalog, Folder, Kind, Scenario, Text};
use crate::error::Error;
use crate::script::digest;

impl Play {
    /// A digest of all files that the conflict is made from, as they are on disk now: the same as
    /// long as nobody writes to them. A file that cannot be read at the moment counts as changed.
    pub fn print_of_files(&self) -> String {
        let conflict = &self.conflict;
        print_of(&conflict.folder, conflict.rules.house(), &conflict.scenario)
    }

    /// The folders of those files; none for rules inside the program.
    pub fn folders_of_files(&self) -> Vec<PathBuf> {
        let conflict = &self.conflict;
        let beside = |path: &Path| match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        let folder = conflict.folder.disk_path().map(Path::to_owned);
        let mut folders: Vec<PathBuf> = folder.into_iter().collect();
        let houses = conflict.rules.house().iter().map(Path::new).filter(|path| path.is_file());
        folders.extend(houses.chain(file_of(&conflict.scenario).as_deref()).map(beside));
        folders.sort();
        folders.dedup();
        let all = folders.clone();
        folders.retain(|path| !all.iter().any(|other| other != path && path.starts_with(other)));
        folders
    }
}

impl Ground {
    /// As [`Play::print_of_files`].
    pub fn print_of_files(&self, catalog: &Catalog) -> String {
        match catalog.folder(&self.saved.system) {
            Ok(folder) => print_of(folder, &self.saved.house, &self.scenario),
            Err(error) => error.to_string(),
        }
    }
}

fn print_of(folder: &Folder, house: &[String], scenario: &Scenario) -> String {
    let told = |text: Result<Text, Error>| match text {
        Ok(text) => digest(&text.text),
        Err(error) => error.to_string(),
    };
    let mut prints: Vec<String> = match folder.scripts() {
        Ok(scripts) => scripts.into_iter().map(|text| told(Ok(text))).collect(),
        Err(error) => vec![error.to_string()],
    };
    prints.extend(folder.params().transpose().map(told));
    prints.extend(house.iter().map(|name| told(folder.find(Kind::House, name))));
    prints.extend(file_of(scenario).map(|path| told(Text::read(&path))));
    prints.join("\n")
}

/// The scenario's file, if it was read from one on disk.
fn file_of(scenario: &Scenario) -> Option<PathBuf> {
    let path = PathBuf::from(&scenario.document.as_ref()?.path);
    path.is_file().then_some(path)
}
