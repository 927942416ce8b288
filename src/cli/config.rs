//! Reads the user's optional configuration file, `config.toml`; the command line overrides it.

use std::path::{Path, PathBuf};

use super::common::{CommonArguments, When, size};
use crate::catalog::{Document, DocumentTable};
use crate::commands::config_folder;
use crate::error::Error;
use crate::game::Value;

/// Its name in the person's folder for settings.
const FILE: &str = "config.toml";
const KEYS: [&str; 6] = ["color", "plain", "quiet", "threads", "graph_memory", "rules"];

/// The settings in the file; `None` where a key is missing.
#[derive(Debug, Default, PartialEq)]
pub struct Config {
    color: Option<When>,
    plain: Option<bool>,
    quiet: Option<bool>,
    threads: Option<u16>,
    graph_memory: Option<u64>,
    rules: Vec<PathBuf>,
}

impl Config {
    /// The person's file; nothing where there is none.
    pub(crate) fn of_the_person() -> Result<Config, Error> {
        let file = config_folder().map(|folder| folder.join(FILE));
        match file.filter(|file| file.is_file()) {
            Some(file) => Config::read(&file),
            None => Ok(Config::default()),
        }
    }

    pub fn read(file: &Path) -> Result<Config, Error> {
        Config::of(&Document::read(file)?, file.parent().unwrap_or(Path::new("")))
    }

    /// Reads the settings. Folders of rules folders are relative to the folder of the file.
    fn of(document: &Document, folder: &Path) -> Result<Config, Error> {
        let root = DocumentTable::root(document)?;
        root.only(&KEYS)?;
        Ok(Config {
            color: color(&root)?,
            plain: flag(&root, "plain")?,
            quiet: flag(&root, "quiet")?,
            threads: threads(&root)?,
            graph_memory: memory(&root)?,
            rules: root.texts("rules")?.iter().map(|name| folder.join(name)).collect(),
        })
    }

    /// Fills in the options that the command line does not set.
    pub(crate) fn fill(self, common: &mut CommonArguments) {
        common.color = common.color.or(self.color);
        common.plain |= self.plain.unwrap_or_default();
        common.quiet |= self.quiet.unwrap_or_default();
        common.threads = common.threads.or(self.threads);
        common.graph_memory = common.graph_memory.or(self.graph_memory);
        // What the command line names goes first.
        common.rules.extend(self.rules);
    }
}

fn color(root: &DocumentTable<'_>) -> Result<Option<When>, Error> {
    let Some(word) = root.text("color")? else { return Ok(None) };
    match <When as clap::ValueEnum>::from_str(&word, false) {
        Ok(when) => Ok(Some(when)),
        Err(_) => Err(root.unknown("color", &word, &["auto", "always", "never"])),
    }
}

fn flag(root: &DocumentTable<'_>, key: &str) -> Result<Option<bool>, Error> {
    match root.get(key) {
        None => Ok(None),
        Some(Value::Bool(truth)) => Ok(Some(*truth)),
        Some(other) => Err(root.must_be(key, "`true` or `false`", other)),
    }
}

fn threads(root: &DocumentTable<'_>) -> Result<Option<u16>, Error> {
    let Some(value) = root.get("threads") else { return Ok(None) };
    let number = match value {
        Value::Int(number) => u16::try_from(*number).ok().filter(|number| *number > 0),
        _ => None,
    };
    let wrong = || root.must_be("threads", "a whole number from 1 to 65535", value);
    number.map(Some).ok_or_else(wrong)
}

fn memory(root: &DocumentTable<'_>) -> Result<Option<u64>, Error> {
    let Some(text) = root.text("graph_memory")? else { return Ok(None) };
    size(&text).map(Some).map_err(|message| root.wrong("graph_memory", &message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::FileText;

    fn config(text: &str) -> Result<Config, Error> {
        let text = FileText { path: "config.toml".to_owned(), text: text.to_owned() };
        Config::of(&Document::parse(text)?, Path::new("home"))
    }

    #[test]
    fn every_key_is_read() {
        let text = "color = \"never\"\nplain = true\nquiet = false\nthreads = 2\n\
                    graph_memory = \"64M\"\nrules = [\"mine\"]\n";
        let read = config(text).unwrap();
        assert_eq!(read.color, Some(When::Never));
        assert_eq!((read.plain, read.quiet), (Some(true), Some(false)));
        assert_eq!((read.threads, read.graph_memory), (Some(2), Some(64 << 20)));
        assert_eq!(read.rules, [PathBuf::from("home/mine")]);
        assert_eq!(config("").unwrap(), Config::default());
    }

    #[test]
    fn mistakes_name_the_key_and_what_was_expected() {
        for (text, message) in [
            ("colour = \"never\"", "unknown key `colour`"),
            ("color = \"red\"", "`color` must be one of `auto`, `always`, `never`, got `red`"),
            ("plain = 1", "`plain` must be `true` or `false`, got 1"),
            ("threads = 0", "`threads` must be a whole number from 1 to 65535, got 0"),
            ("graph_memory = \"1\"", "`graph_memory` must be a size of 1M or more"),
            ("rules = \"mine\"", "`rules` must be a list of texts, got `mine`"),
        ] {
            let error = config(text).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
