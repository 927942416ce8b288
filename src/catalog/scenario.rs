//! A scenario, from which a conflict starts: a system, a setup, parameters, house rules, seats.

use std::sync::Arc;

use indexmap::IndexMap;

use super::document::DocumentTable;
use super::{Document, FileText};
use crate::error::{Error, Location};
use crate::game::{Entry, History, Value};

/// A setup with its system, house rules, parameters and seats.
#[derive(Clone, Debug, Default)]
pub struct Scenario {
    /// `system/name`, or the path of the file.
    pub name: String,
    /// The rules folder's name.
    pub system: String,
    /// Its title, if it has one.
    pub title: Option<String>,
    /// House rules, applied in order: names, or paths of `.rhai` files.
    pub house: Vec<String>,
    /// Changed parameters, not yet checked.
    pub params: IndexMap<String, Value>,
    /// The setup: a [`Value::Map`] in the order of the file, empty where there is none.
    pub setup: Value,
    /// The answers of players and of chance after which it begins.
    pub begin: History,
    /// Player or side -> agent.
    pub seats: IndexMap<String, String>,
    /// Whether it may never end; a check demands of others that they do.
    pub endless: bool,
    /// The conflicts that are played one after another, where it is a campaign.
    pub campaign: Option<Arc<Campaign>>,
    /// The file it was read from.
    pub document: Option<Arc<Document>>,
}

/// The conflicts of a campaign, in order.
#[derive(Clone, Debug)]
pub struct Campaign {
    pub(crate) chapters: Vec<Chapter>,
    /// The script, every line where it is in the file, and nothing else of that.
    pub script: Option<FileText>,
}

#[derive(Clone, Debug)]
pub(crate) struct Chapter {
    /// What people call it.
    pub name: String,
    /// What it is played from, before the campaign changes it.
    pub scenario: Scenario,
    /// House rules on top of the scenario's, in order.
    pub house: Vec<String>,
    /// Parameters over the scenario's, not yet checked.
    pub params: IndexMap<String, Value>,
    /// The function that makes its setup.
    pub begin: Option<String>,
}

pub(crate) fn give(seats: &mut IndexMap<String, String>, seat: &str, agent: &str) {
    // Inserted alone, the seat would keep its old place below a side's.
    seats.shift_remove(seat);
    seats.insert(seat.to_owned(), agent.to_owned());
}

impl Scenario {
    /// Reads a scenario from the text of its file.
    ///
    /// # Errors
    /// [`Error::Toml`] with its place: syntax, an unknown key, a wrong kind, no `system`.
    pub fn parse(name: &str, text: FileText) -> Result<Scenario, Error> {
        let document = Arc::new(Document::parse(text)?);
        let scenario = Scenario::read(name, &DocumentTable::root(&document)?)?;
        Ok(Scenario { document: Some(document.clone()), ..scenario })
    }

    /// Reads a scenario from a map that a script made, with the keys of the file.
    pub fn from_value(name: &str, value: &Value) -> Result<Scenario, Error> {
        match value {
            Value::Map(entries) => Scenario::read(name, &DocumentTable::of_map(entries)),
            other => Err(Error::usage(format!("a scenario must be a table, got {}", other.kind()))),
        }
    }

    /// Its system; of a campaign that of the first conflict, whose folder has the agents.
    pub(crate) fn first_system(&self) -> &str {
        self.chapters().next().map_or(&self.system, |chapter| &chapter.scenario.system)
    }

    pub(crate) fn chapters(&self) -> impl Iterator<Item = &Chapter> {
        self.campaign.iter().flat_map(|campaign| &campaign.chapters)
    }

    fn read(name: &str, root: &DocumentTable<'_>) -> Result<Scenario, Error> {
        root.only(&["system", "title", "house", "params", "setup", "begin", "seats", "endless"])?;
        let seats = root.seats()?;
        Ok(Scenario {
            name: name.to_owned(),
            system: root.need_text("system")?,
            title: root.text("title")?,
            house: root.all_beside("house")?,
            params: root.map("params")?,
            setup: Value::Map(root.map("setup")?),
            begin: begin_of(root)?,
            seats,
            endless: root.truth("endless")?,
            ..Scenario::default()
        })
    }

    /// The location of a value: `setup.players.red.stock`, `params.tie`. For a place that the file
    /// does not have, it is the location of the nearest table around it.
    pub fn location(&self, place: &str) -> Option<Location> {
        self.document.as_ref()?.at(place)
    }

    pub(crate) fn key_location(&self, place: &str) -> Option<Location> {
        self.document.as_ref()?.key_at(place)
    }
}

pub(super) fn begin_of(root: &DocumentTable<'_>) -> Result<History, Error> {
    let entry = |(number, text): (usize, String)| {
        let wrong =
            |why: String| root.wrong(&format!("begin.{number}"), &format!("does not read: {why}"));
        text.parse::<Entry>().map_err(wrong)
    };
    let entries = root.texts("begin")?.into_iter().enumerate().map(entry);
    Ok(History { entries: entries.collect::<Result<_, _>>()? })
}

/// Whether a word for a house rule or an agent is the path of a file, not a name.
pub(crate) fn is_script_path(word: &str) -> bool {
    word.contains(['/', '\\']) || word.ends_with(".rhai")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Scenario, Error> {
        Scenario::parse("x/ford", FileText { path: "ford.toml".into(), text: text.into() })
    }

    #[test]
    fn a_scenario_keeps_the_order_of_its_file() {
        let scenario = parse(
            "system = \"x\"\ntitle = \"A ford\"\nhouse = [\"cheap\"]\n[params]\nz = 1\na = \"w\"\n[setup.players]\nred = { stock = 1 }\nblue = {}\n[seats]\nred = \"search:500\"\n",
        )
        .unwrap();
        assert_eq!((scenario.name.as_str(), scenario.system.as_str()), ("x/ford", "x"));
        assert_eq!(scenario.title.as_deref(), Some("A ford"));
        assert_eq!(scenario.house, ["cheap"]);
        assert_eq!(scenario.params.keys().collect::<Vec<_>>(), ["z", "a"]);
        let players = scenario.setup.get("players").unwrap().as_map().unwrap();
        assert_eq!(players.keys().collect::<Vec<_>>(), ["red", "blue"]);
        assert_eq!(scenario.seats["red"], "search:500");
        let at = scenario.location("setup.players.red.stock").unwrap();
        assert_eq!(at.to_string(), "ford.toml:8:17");
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        for (text, at, message) in [
            ("", "1:1", "`system` is missing"),
            ("system = 1\n", "1:10", "`system` must be a text, got 1"),
            ("system = 'x'\nsetpu = {}\n", "2:1", "unknown key `setpu`; did you mean `setup`?"),
            ("system = 'x'\nsetup = 3\n", "2:9", "`setup` must be a table, got 3"),
            ("system = 'x'\nhouse = 'a'\n", "2:9", "`house` must be a list of texts, got `a`"),
            ("system = 'x'\n[seats]\nred = [1]\n", "3:7", "`seats.red` must be a text, got [1]"),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!(error.to_string(), message);
            let place = error.location().unwrap().to_string();
            assert_eq!(place, format!("ford.toml:{at}"), "{message}");
        }
    }

    #[test]
    fn a_house_rule_given_by_path_is_looked_for_beside_the_file_first() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("mine.rhai"), "").unwrap();
        let path = folder.path().join("a.toml").display().to_string();
        let text = "system = \"x\"\nhouse = [\"mine.rhai\", \"other.rhai\", \"mine\"]\n".to_owned();
        let scenario = Scenario::parse("a", FileText { path, text }).unwrap();
        let mine = folder.path().join("mine.rhai").display().to_string();
        assert_eq!(scenario.house, [mine.as_str(), "other.rhai", "mine"]);
    }
}
