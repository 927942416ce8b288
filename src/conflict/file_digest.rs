//! Digests of the files that an open conflict is made from, to notice when one changes.

use std::path::{Path, PathBuf};

use super::{Ground, Play};
use crate::catalog::{Catalog, Folder, Kind, Scenario, Text};
use crate::error::Error;
use crate::script::digest;

impl Play {
    /// A digest of all files that the conflict is made from, as they are on disk now: the same as
    /// long as nobody writes to them. A file that cannot be read at the moment counts as changed.
    pub(crate) fn digest_of_files(&self) -> String {
        let conflict = &self.conflict;
        digest_of(&conflict.folder, conflict.rules.house(), &conflict.scenario)
    }

    /// The folders of those files; none for rules inside the program.
    pub(crate) fn folders_of_files(&self) -> Vec<PathBuf> {
        let conflict = &self.conflict;
        let beside = |path: &Path| match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        let played = played(&conflict.folder, &conflict.scenario);
        let own = played.iter().filter_map(|folder| folder.disk_path().map(Path::to_owned));
        let mut folders: Vec<PathBuf> = own.collect();
        let houses = houses(conflict.rules.house(), &conflict.scenario);
        let houses = houses.map(Path::new).filter(|path| path.is_file());
        let files: Vec<PathBuf> = all_of(&conflict.scenario).filter_map(file_of).collect();
        folders.extend(houses.chain(files.iter().map(PathBuf::as_path)).map(beside));
        folders.sort();
        folders.dedup();
        let all = folders.clone();
        folders.retain(|path| !all.iter().any(|other| other != path && path.starts_with(other)));
        folders
    }
}

impl Ground {
    /// As [`Play::digest_of_files`].
    pub(crate) fn digest_of_files(&self, catalog: &Catalog) -> String {
        let first = match self.scenario.campaign {
            Some(_) => self.scenario.first_system(),
            None => &self.saved.system,
        };
        match catalog.folder(first) {
            Ok(folder) => digest_of(folder, &self.saved.house, &self.scenario),
            Err(error) => error.to_string(),
        }
    }
}

fn digest_of(folder: &Folder, house: &[String], scenario: &Scenario) -> String {
    let digested = |text: Result<Text, Error>| match text {
        Ok(text) => digest(&text.text),
        Err(error) => error.to_string(),
    };
    let mut digests: Vec<String> = Vec::new();
    for folder in played(folder, scenario) {
        match folder.scripts() {
            Ok(scripts) => digests.extend(scripts.into_iter().map(|text| digested(Ok(text)))),
            Err(error) => digests.push(error.to_string()),
        }
        digests.extend(folder.params().transpose().map(digested));
        let found = houses(house, scenario).map(|name| digested(folder.find(Kind::House, name)));
        digests.extend(found);
    }
    digests.extend(all_of(scenario).filter_map(file_of).map(|path| digested(Text::read(&path))));
    digests.join("\n")
}

/// The folders of the systems that are played, that of the first conflict first.
fn played(folder: &Folder, scenario: &Scenario) -> Vec<Folder> {
    let mut all = vec![folder.clone()];
    for chapter in all_of(scenario).skip(1) {
        if all.iter().all(|known| known.name() != chapter.system) {
            all.extend(folder.neighbour(&chapter.system));
        }
    }
    all
}

/// A scenario, and those of the conflicts where it is a campaign.
fn all_of(scenario: &Scenario) -> impl Iterator<Item = &Scenario> {
    let campaign = scenario.campaign.iter().flat_map(|campaign| &campaign.chapters);
    std::iter::once(scenario).chain(campaign.map(|chapter| &chapter.scenario))
}

/// The house rules in force, and those of the conflicts of a campaign.
fn houses<'a>(house: &'a [String], scenario: &'a Scenario) -> impl Iterator<Item = &'a String> {
    let campaign = scenario.campaign.iter().flat_map(|campaign| &campaign.chapters);
    let own = campaign.flat_map(|chapter| chapter.scenario.house.iter().chain(&chapter.house));
    house.iter().chain(own)
}

/// The scenario's file, if it was read from one on disk.
fn file_of(scenario: &Scenario) -> Option<PathBuf> {
    let path = PathBuf::from(&scenario.document.as_ref()?.path);
    path.is_file().then_some(path)
}
