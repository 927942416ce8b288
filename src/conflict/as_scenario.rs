//! Writes the place that a conflict has reached as a scenario file.

use std::fmt::Write;
use std::path::Path;

use indexmap::IndexMap;

use super::saved_history::{list, quoted, section, toml_key};
use super::{Play, Position, as_toml};
use crate::catalog::{Document, DocumentEntry, FileText, ParamSpecs, Scenario};
use crate::error::Error;
use crate::game::{History, Value};

impl Play {
    /// The text of a scenario's file with this title that begins at the current place: the scenario's own with what
    /// was changed, its comments kept, where that reads back as meant, else one that is written anew.
    ///
    /// # Errors
    /// [`Error::Usage`] in a campaign and where the conflict is over; else as [`Saved::to_text`](super::Saved::to_text).
    pub(crate) fn as_scenario(&self, title: &str, file: &Path) -> Result<String, Error> {
        let scenario = &self.conflict.scenario;
        if scenario.campaign.is_some() {
            return Err(Error::usage(
                "a place in a campaign is no scenario; `:save FILE` keeps its history",
            ));
        }
        if let Position::Over { .. } = self.position() {
            return Err(Error::usage("the conflict is over, and nothing can begin here"));
        }
        let params = match scenario.document {
            Some(_) => {
                let changed = self.conflict.changes.params.iter();
                let changed = changed.filter(|set| set.of_setup().is_none());
                let changed = changed.map(|set| (set.name.clone(), set.value.clone()));
                scenario.params.clone().into_iter().chain(changed).collect()
            }
            None => self.set_params()?,
        };
        let meant = Scenario {
            title: Some(title.to_owned()),
            house: self.conflict.rules.house().to_vec(),
            params,
            setup: (*self.conflict.setup.value).clone(),
            begin: self.conflict.setup.begin.followed_by(&self.history()),
            seats: self.conflict.seats.clone(),
            document: None,
            ..scenario.clone()
        };
        let edited = scenario.document.as_ref().and_then(|document| self.edited(document, &meant));
        match edited.filter(|text| reads_as(text, file, &meant)) {
            Some(text) => Ok(text),
            None => written(&meant),
        }
    }

    /// The parameters that are not at their default, or all where house rules may have set some, which a default undoes.
    pub(crate) fn set_params(&self) -> Result<IndexMap<String, Value>, Error> {
        let conflict = &self.conflict;
        let specs = ParamSpecs::read(conflict.folder.params()?.as_ref())?;
        let is_default = |name: &String, value: &Value| {
            specs.get(name).is_some_and(|spec| spec.default == *value)
        };
        let mut params = conflict.rules.params().clone();
        let all = !conflict.rules.house().is_empty();
        params.retain(|name, value| all || !is_default(name, value));
        Ok(params)
    }

    /// The text of the scenario's file with all that is otherwise.
    fn edited(&self, document: &Document, meant: &Scenario) -> Option<String> {
        let scenario = &self.conflict.scenario;
        let mut all: IndexMap<(&str, &str), String> = IndexMap::new();
        all.insert(("", "title"), quoted(meant.title.as_deref()?));
        if meant.house != scenario.house {
            all.insert(("", "house"), list(&meant.house));
        }
        if meant.begin != scenario.begin {
            all.insert(("", "begin"), lines(&meant.begin));
        }
        for (name, value) in &meant.params {
            if scenario.params.get(name) != Some(value) {
                all.insert(("params", name), as_toml(value)?);
            }
        }
        for set in &self.conflict.changes.params {
            if let Some(place) = set.of_setup() {
                all.insert(("setup", place), as_toml(&set.value)?);
            }
        }
        for (seat, agent) in &meant.seats {
            if scenario.seats.get(seat) != Some(agent) {
                all.insert(("seats", seat), quoted(agent));
            }
        }
        let entry = |((table, place), value): ((&str, &str), String)| DocumentEntry {
            table: table.to_owned(),
            place: place.to_owned(),
            key: toml_key(place),
            value,
        };
        document.laid(&all.into_iter().map(entry).collect::<Vec<_>>())
    }
}

/// Whether the text of a file reads as this scenario.
fn reads_as(text: &str, file: &Path, meant: &Scenario) -> bool {
    let text = FileText { path: file.display().to_string(), text: text.to_owned() };
    let parts = |one: &Scenario| {
        let Scenario { system, title, house, params, setup, begin, seats, endless, .. } =
            one.clone();
        (system, title, house, params, setup, begin, seats, endless)
    };
    Scenario::parse(&meant.name, text).is_ok_and(|read| parts(&read) == parts(meant))
}

/// The text of a scenario's file.
fn written(meant: &Scenario) -> Result<String, Error> {
    let mut out = format!("system = {}\n", quoted(&meant.system));
    let mut line = |key: &str, value: &str| {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{key} = {value}");
    };
    line("title", &quoted(meant.title.as_deref().unwrap_or_default()));
    if meant.endless {
        line("endless", "true");
    }
    if !meant.house.is_empty() {
        line("house", &list(&meant.house));
    }
    line("begin", &lines(&meant.begin));
    let seats = meant.seats.iter().map(|(seat, agent)| (seat.clone(), Value::Text(agent.clone())));
    let tables = [
        ("params", meant.params.clone()),
        ("setup", meant.setup.as_map().cloned().unwrap_or_default()),
        ("seats", seats.collect()),
    ];
    for (name, table) in tables.iter().filter(|(name, table)| *name == "setup" || !table.is_empty())
    {
        section(&mut out, name, table, |key, wrong| Error::Setup {
            place: format!("{name}.{key}{}", wrong.place),
            message: wrong.message.to_owned(),
            nearest: None,
            at: None,
        })?;
    }
    Ok(out)
}

/// The entries of a history as a list, one a line.
fn lines(history: &History) -> String {
    let lines: String = history
        .entries
        .iter()
        .map(|entry| format!("  {},\n", quoted(&entry.to_string())))
        .collect();
    if lines.is_empty() { "[]".to_owned() } else { format!("[\n{lines}]") }
}
