//! Saves and loads a conflict: `Play::saved` makes a saved history, `Play::load` resumes one.

use indexmap::IndexMap;

use super::campaign;
use super::compile::{Order, blueprint, check_rules};
use super::line::Past;
use super::{Changes, Conflict, DefaultAgent, Line, MAIN, Play, Position, RunUntil, Saved};
use crate::catalog::{Catalog, FileKind, ParamSpecs, Scenario, Setting, names_program};
use crate::error::{Divergence, Error};
use crate::game::{History, Value};
use crate::script::{Limits, Setup};

impl Play {
    /// All that is needed to play this conflict again, up to the current place.
    pub fn saved(&self) -> Saved {
        let outcome = match &self.position() {
            Position::Over { outcome, .. } => Some(outcome.value().clone()),
            Position::Asked(_) => None,
        };
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
            outcome,
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
        let ending = match divergence {
            None => SavedEnding::of(&play, saved),
            Some(_) => SavedEnding::Same,
        };
        play.name = saved.line.clone().unwrap_or_else(|| MAIN.to_owned());
        let mut cut = Vec::new();
        let followed = |name: &str, line: Line| match saved.taken_back.get(name) {
            Some(taken_back) => line.followed_by(taken_back),
            None => line,
        };
        for (name, history) in saved.lines.iter().filter(|(name, _)| **name != play.name) {
            let line = followed(name, Line::new(history.clone()));
            play.lines.insert(name.clone(), play.shortened(name, &line, &mut cut)?);
        }
        if divergence.is_some() || saved.taken_back.contains_key(&play.name) {
            let line = followed(&play.name, Line::new(saved.history.clone()));
            // The divergence already says that the line that is played is shorter.
            let mut notes = Vec::new();
            let cut = if divergence.is_some() { &mut notes } else { &mut cut };
            play.line = play.shortened(&play.name, &line, cut)?;
        }
        play.past = Past::of(saved.left.values().cloned());
        Ok(Loaded { play, differs, divergence, cut, ending })
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
    /// Whether it ends as the file says; [`SavedEnding::Same`] where it diverged before.
    pub ending: SavedEnding,
}

/// How the end that a file records compares with the end of the history.
#[derive(Clone, Debug, PartialEq)]
pub enum SavedEnding {
    /// As recorded.
    Same,
    /// The conflict is over with another outcome, or where the file has none.
    Other {
        /// The recorded outcome.
        was: Option<Value>,
    },
    /// The history stops before the recorded end.
    Short {
        /// The recorded outcome.
        was: Value,
    },
}

impl SavedEnding {
    fn of(play: &Play, saved: &Saved) -> SavedEnding {
        match (play.position(), &saved.outcome) {
            (Position::Asked(_), Some(was)) => SavedEnding::Short { was: was.clone() },
            (Position::Over { outcome, .. }, was) if Some(outcome.value()) != was.as_ref() => {
                SavedEnding::Other { was: was.clone() }
            }
            _ => SavedEnding::Same,
        }
    }

    /// What to warn of; nothing where it ends as recorded.
    pub fn warning(&self) -> Option<String> {
        match self {
            SavedEnding::Same => None,
            SavedEnding::Other { was: Some(was) } => {
                Some(format!("the conflict ends differently than recorded: it was {was}"))
            }
            SavedEnding::Other { was: None } => {
                Some("the conflict is over, which it was not when it was saved".to_owned())
            }
            SavedEnding::Short { was } => {
                Some(format!("the history stops before its recorded end, which was {was}"))
            }
        }
    }
}

/// Plays a history as far as the rules follow it.
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
            debug_assert!(
                *asked != Divergence::Over || matches!(play.position(), Position::Over { .. })
            );
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
    if saved.is_campaign() {
        return campaign::reopen(catalog, saved, limits);
    }
    let folder = catalog.folder(&saved.system)?.clone();
    let there = |name: &String| folder.find(FileKind::House, name).is_ok();
    let house: Vec<String> = saved.house.iter().filter(|name| there(name)).cloned().collect();
    let mut order = Order::default();
    order.house(&folder, &house)?;
    let specs = ParamSpecs::read(folder.params()?.as_ref())?;
    // Parameters that are gone, or whose value no longer fits, are reported as differences.
    let fits =
        |(name, value): &(&String, &crate::game::Value)| specs.check(name, value, None).is_ok();
    order.settings.extend(saved.params.iter().filter(fits).map(Setting::of));
    let blueprint = blueprint(&folder, order, limits)?;
    let rules = blueprint.rules()?;
    let differs = saved.differs_from(rules.digests(), rules.params(), rules.house(), None);
    let scenario = Scenario {
        name: saved.scenario.clone(),
        system: saved.system.clone(),
        title: saved.title.clone(),
        house: house.clone(),
        params: IndexMap::new(),
        setup: saved.setup.clone(),
        begin: saved.begin.clone(),
        seats: saved.seats.clone(),
        endless: false,
        campaign: None,
        document: None,
    };
    let setup = Setup::new(saved.setup.clone()).after(&saved.begin);
    check_rules(&rules, &setup)?;
    let (seats, unseated) = (saved.seats.clone(), saved.unseated.clone());
    let changes = Changes::default();
    let default_agent = DefaultAgent::of(&specs, &rules);
    let conflict = Conflict {
        scenario,
        changes,
        blueprint,
        rules,
        setup,
        seats,
        unseated,
        folder,
        default_agent,
    };
    Ok((conflict, differs))
}
