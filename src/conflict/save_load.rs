//! Saves and loads a conflict: `Play::saved` makes a saved history, `Play::load` resumes one; or writes the place
//! that it has reached as a scenario file.

use std::fmt::Write;
use std::path::Path;

use indexmap::IndexMap;

use super::compile::Order;
use super::line::Past;
use super::saved_history::{list, quoted, section, toml_key};
use super::{Changes, Conflict, Line, MAIN, Play, RunUntil, Saved, as_toml, campaign};
use crate::catalog::{
    Catalog, Document, DocumentEntry, FileKind, FileText, Folder, ParamSpecs, Scenario, Setting,
    names_program,
};
use crate::error::{Divergence, Error};
use crate::game::{Entry, History, Value};
use crate::script::Limits;

impl Play {
    /// All that is needed to play this conflict again, up to the current place.
    pub fn saved(&self) -> Saved {
        let conflict = &self.conflict;
        let all = || self.lines.iter().chain([(&self.name, &self.line)]);
        let taken_back = all().map(|(name, line)| (name.clone(), line.taken_back()));
        let mut unseated = conflict.unseated.clone();
        unseated.retain(|seat, _| !conflict.seats.contains_key(seat));
        Saved {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            system: conflict.scenario.system.clone(),
            scenario: conflict.scenario.name.clone(),
            title: conflict.scenario.title.clone(),
            seed: self.seed,
            house: conflict.rules.house().to_vec(),
            params: conflict.rules.params().clone(),
            scripts: conflict.rules.digests().clone(),
            seats: conflict.seats.clone(),
            unseated,
            setup: (*conflict.setup.value).clone(),
            begin: (*conflict.setup.begin).clone(),
            line: Some(self.name.clone()).filter(|name| name != MAIN),
            lines: self.lines.iter().map(|(name, line)| (name.clone(), line.played())).collect(),
            taken_back: taken_back.filter(|(_, left)| !left.entries.is_empty()).collect(),
            left: self.left().collect(),
            history: self.history(),
            outcome: self.outcome().cloned(),
        }
    }

    /// The ways that no line holds, numbered: those left for others, and those that changed rules cut off.
    fn left(&self) -> impl Iterator<Item = (String, History)> {
        let lines = || self.lines.values().chain([&self.line]);
        let cut = lines().filter(|line| line.is_cut()).map(Line::entire);
        let all: Vec<History> = self.past.left().iter().cloned().chain(cut).collect();
        all.into_iter().zip(1..).map(|(history, number): (_, usize)| (number.to_string(), history))
    }

    /// Takes up a saved conflict where it was left.
    ///
    /// # Errors
    /// [`Error::ChangedRules`] names what differs from the rules at hand, unless `force`.
    pub fn load(
        catalog: &Catalog,
        saved: &Saved,
        limits: &Limits,
        force: bool,
    ) -> Result<Loaded, Error> {
        let (conflict, differs) = reopen(catalog, saved, limits)?;
        if !differs.is_empty() && !force {
            return Err(Error::ChangedRules { differs });
        }
        let again = || reopen(catalog, saved, limits).map(|(conflict, _)| conflict);
        let (mut play, divergence) = follow(again, conflict, saved, limits)?;
        let ending = if divergence.is_none() { otherwise(&play, saved) } else { None };
        play.name = saved.line.clone().unwrap_or_else(|| MAIN.to_owned());
        let mut cut = Vec::new();
        let line = |name: &str, history: &History| match saved.taken_back.get(name) {
            Some(taken_back) => Line::new(history.clone()).followed_by(taken_back),
            None => Line::new(history.clone()),
        };
        for (name, history) in saved.lines.iter().filter(|(name, _)| **name != play.name) {
            let line = line(name, history);
            play.lines.insert(name.clone(), play.shortened(name, &line, &mut cut)?);
        }
        if divergence.is_some() || saved.taken_back.contains_key(&play.name) {
            let line = line(&play.name, &saved.history);
            // The divergence already says that the line that is played is shorter.
            let mut notes = Vec::new();
            let cut = if divergence.is_some() { &mut notes } else { &mut cut };
            play.line = play.shortened(&play.name, &line, cut)?;
        }
        play.past = Past::of(saved.left.values().cloned());
        Ok(Loaded { play, differs, divergence, cut, ending })
    }

    /// The text of a scenario's file with this title that begins at the current place: the scenario's own with what
    /// was changed, its comments kept, where that reads back as meant, else one that is written anew.
    pub(crate) fn as_scenario(&self, title: &str, file: &Path) -> Result<String, Error> {
        let scenario = &self.conflict.scenario;
        if scenario.campaign.is_some() {
            return Err(Error::usage(
                "a place in a campaign is no scenario; `:save FILE` keeps its history",
            ));
        }
        if self.outcome().is_some() {
            return Err(Error::usage("the conflict is over, and nothing can begin here"));
        }
        if !self.given.is_empty() {
            return Err(Error::usage(
                "a scenario cannot begin in the middle of a joint decision, of which an answer is given: answer the \
                 rest of it first, or `:undo` takes that answer back",
            ));
        }
        let mut params = self.set_params()?;
        // What a scenario's own file names stays named, with the value in force.
        for name in scenario.params.keys().filter(|_| scenario.document.is_some()) {
            params.extend(self.conflict.rules.params().get_key_value(name).map(owned));
        }
        // No file may name a program.
        let seats = self.conflict.seats.iter().filter(|(_, agent)| !names_program(agent));
        let meant = Scenario {
            title: Some(title.to_owned()),
            house: self.conflict.rules.house().to_vec(),
            params,
            setup: (*self.conflict.setup.value).clone(),
            begin: self.conflict.setup.begin.followed_by(&self.history()),
            seats: seats.map(owned).collect(),
            document: None,
            ..scenario.clone()
        };
        let edited = scenario.document.as_ref().and_then(|document| self.edited(document, &meant));
        match edited.filter(|text| reads_as(text, file, &meant)) {
            Some(text) => Ok(text),
            None => written(&meant),
        }
    }

    /// The parameters in force that have another value than the house rules in force alone would give them.
    pub(super) fn set_params(&self) -> Result<IndexMap<String, Value>, Error> {
        let conflict = &self.conflict;
        let under_house = under_house(&conflict.folder, conflict.rules.house())?;
        let set = conflict.rules.params().iter();
        let set = set.filter(|(name, value)| under_house.get(*name) != Some(value));
        Ok(set.map(owned).collect())
    }

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

impl Saved {
    /// A sentence for each seat that nobody takes, with the seat and its agent.
    pub(crate) fn notes_of_unseated(&self) -> impl Iterator<Item = (&str, &str, String)> {
        self.unseated.iter().map(|(seat, agent)| {
            let why = match names_program(agent) {
                true => "names a program, which no file may",
                false => "is not in the folder of this file",
            };
            let note = format!("nobody is seated for {seat}: `{agent}` {why}");
            (seat.as_str(), agent.as_str(), note)
        })
    }

    /// Whether people play it from whom the rules at hand may hide something.
    pub(crate) fn hides_from_people(&self, catalog: &Catalog, limits: &Limits) -> bool {
        reopen(catalog, self, limits).is_ok_and(|(conflict, _)| conflict.hides_from_people())
    }
}

/// A conflict that was loaded.
pub struct Loaded {
    /// The place reached: the end, or the first divergence.
    pub play: Play,
    /// What differs from the rules it was saved under.
    pub differs: Vec<String>,
    /// Where the rules at hand first ask something else.
    pub divergence: Option<Error>,
    /// The other lines of play that the rules at hand do not follow to their end, and the entries that
    /// each lost.
    pub cut: Vec<(String, History)>,
    /// What to warn of, where it ends otherwise than the file says and did not diverge before.
    pub ending: Option<String>,
}

fn otherwise(play: &Play, saved: &Saved) -> Option<String> {
    match (play.outcome(), &saved.outcome) {
        (None, Some(was)) => {
            Some(format!("the history stops before its recorded end, which was {was}"))
        }
        (Some(_), None) => {
            Some("the conflict is over, which it was not when it was saved".to_owned())
        }
        (now, was) if now != was.as_ref() => {
            let was = was.as_ref().map(ToString::to_string).unwrap_or_default();
            Some(format!("the conflict ends differently than recorded: it was {was}"))
        }
        _ => None,
    }
}

pub(super) fn follow(
    again: impl Fn() -> Result<Conflict, Error>,
    conflict: Conflict,
    saved: &Saved,
    limits: &Limits,
) -> Result<(Play, Option<Error>), Error> {
    let history = saved.history.clone();
    match Play::resume(conflict, saved.seed, limits, history, RunUntil::NextQuestion) {
        Ok(play) => Ok((play, None)),
        Err(Error::Diverged { entry, at, recorded, asked }) => {
            let short = saved.history.prefix(entry - 1);
            // One entry too many for a conflict that is over: it follows to its end all the same.
            let play = Play::resume(again()?, saved.seed, limits, short, RunUntil::NextQuestion)?;
            debug_assert!(*asked != Divergence::Over || play.outcome().is_some());
            Ok((play, Some(Error::Diverged { entry, at, recorded, asked })))
        }
        Err(other) => Err(other),
    }
}

/// The conflict of a saved history under the rules at hand, and what differs.
pub(super) fn reopen(
    catalog: &Catalog,
    saved: &Saved,
    limits: &Limits,
) -> Result<(Conflict, Vec<String>), Error> {
    let catalog = &*catalog.around(&saved.scenario);
    let (scenario, house, params, mut differs) = match saved.is_campaign() {
        true => {
            let (scenario, differs) = campaign::of_saved(catalog, saved)?;
            let params = saved.params.iter().map(Setting::of).collect();
            (scenario, saved.house.clone(), params, differs)
        }
        false => (of_saved(catalog, saved)?, Vec::new(), Vec::new(), Vec::new()),
    };
    let changes = Changes { house, params, ..Changes::default() };
    let mut conflict = Conflict::of(catalog, scenario, &changes, limits)?;
    conflict.scenario.params.clear();
    conflict.unseated = saved.unseated.clone();
    differs.extend(saved.differs_from(&conflict.rules));
    Ok((conflict, differs))
}

fn of_saved(catalog: &Catalog, saved: &Saved) -> Result<Scenario, Error> {
    let folder = catalog.folder(&saved.system)?;
    let there = |name: &&String| folder.find(FileKind::House, name).is_ok();
    let specs = ParamSpecs::read(folder.params()?.as_ref())?;
    // Parameters that are gone, or whose value no longer fits, are reported as differences.
    let fits = |(name, value): &(&String, &Value)| specs.check(name, value, None).is_ok();
    Ok(Scenario {
        name: saved.scenario.clone(),
        system: saved.system.clone(),
        title: saved.title.clone(),
        house: saved.house.iter().filter(there).cloned().collect(),
        params: saved.params.iter().filter(fits).map(owned).collect(),
        setup: saved.setup.clone(),
        begin: saved.begin.clone(),
        seats: saved.seats.clone(),
        ..Scenario::default()
    })
}

pub(super) fn under_house(
    folder: &Folder,
    house: &[String],
) -> Result<IndexMap<String, Value>, Error> {
    let settings = Order::of_house(folder, house)?.settings;
    ParamSpecs::read(folder.params()?.as_ref())?.resolve(settings)
}

fn owned<V: Clone>((name, value): (&String, &V)) -> (String, V) {
    (name.clone(), value.clone())
}

fn reads_as(text: &str, file: &Path, meant: &Scenario) -> bool {
    let text = FileText { path: file.display().to_string(), text: text.to_owned() };
    let parts = |one: &Scenario| {
        let Scenario { system, title, house, params, setup, begin, seats, endless, .. } =
            one.clone();
        (system, title, house, params, setup, begin, seats, endless)
    };
    Scenario::parse(&meant.name, text).is_ok_and(|read| parts(&read) == parts(meant))
}

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
        section(&mut out, name, table, name)?;
    }
    Ok(out)
}

fn lines(history: &History) -> String {
    let line = |entry: &Entry| format!("  {},\n", quoted(&entry.to_string()));
    let lines: String = history.entries.iter().map(line).collect();
    if lines.is_empty() { "[]".to_owned() } else { format!("[\n{lines}]") }
}
