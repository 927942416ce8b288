//! A conflict that can be played, and what was changed about its scenario.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::agents::{AgentSpec, HUMAN};
use crate::catalog::{Folder, ParamSpecs, Scenario, Setting, parse_argument};
use crate::error::{Error, Location};
use crate::script::{Blueprint, Rules, Setup, Warning};

/// What a command or the prompt changes about a scenario.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// House rules on top of the scenario's, in order: names or paths.
    pub house: Vec<String>,
    /// House rules of the scenario that are left out.
    pub without: Vec<String>,
    /// Parameters, laid over all others, and changed values of the setup.
    pub params: Vec<Setting>,
    /// Player or side -> agent, in place of the scenario's.
    pub seats: Vec<(String, String)>,
}

impl Changes {
    /// Reads changes as people write them: names, `NAME=VALUE`, `PLAYER=AGENT`.
    pub fn read(house: &[String], params: &[String], seats: &[String]) -> Result<Changes, Error> {
        [house, params, seats].into_iter().try_for_each(each_once)?;
        let setting = |text: &String| {
            parse_argument(text).map(|(name, value)| Setting { name, value, at: None })
        };
        let seat = |text: &String| match text.split_once('=') {
            Some((player, agent)) if !player.trim().is_empty() && !agent.trim().is_empty() => {
                Ok((player.trim().to_owned(), agent.trim().to_owned()))
            }
            _ => Err(Error::usage(format!("`--seat {text}`: write it as `--seat red=random`"))),
        };
        Ok(Changes {
            house: house.to_vec(),
            params: params.iter().map(setting).collect::<Result<_, _>>()?,
            seats: seats.iter().map(seat).collect::<Result<_, _>>()?,
            ..Changes::default()
        })
    }

    /// The setup of a scenario, with the changes made. What was changed has no place in the scenario's file.
    pub(super) fn setup_of(&self, scenario: &Scenario) -> Result<Setup, Error> {
        let (mut value, in_file) = (scenario.setup.clone(), scenario.document.clone());
        let mut changed = Vec::new();
        // What is changed of a campaign is of the setup of one of its conflicts.
        for setting in self.params.iter().filter(|_| scenario.campaign.is_none()) {
            if let Some(key) = setting.of_setup() {
                setting.set(key, &mut value)?;
                changed.push(setting.name.clone());
            }
        }
        let locate = move |place: &str| {
            let is_below = |name: &String| {
                let rest = place.strip_prefix(name.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            };
            in_file.as_ref().filter(|_| !changed.iter().any(is_below))?.key_at(place)
        };
        Ok(Setup::located(value, Arc::new(locate)).after(&scenario.begin))
    }
}

/// Refuses what is given twice of one name, since only one of both could be meant.
fn each_once(words: &[String]) -> Result<(), Error> {
    let mut known = BTreeMap::new();
    for word in words {
        let name = word.split('=').next().unwrap_or_default().trim();
        if let Some(other) = known.insert(name, word) {
            return Err(Error::usage(format!("`{name}` is given twice: `{other}` and `{word}`")));
        }
    }
    Ok(())
}

/// A conflict that can be played: the rules compiled, the setup at hand.
#[derive(Clone)]
pub struct Conflict {
    /// The scenario as its file has it.
    pub scenario: Scenario,
    /// What was changed about it.
    pub changes: Changes,
    /// What the rules are compiled from.
    pub blueprint: Blueprint,
    /// The rules with house rules and parameters.
    pub rules: Rc<Rules>,
    /// What it starts from.
    pub setup: Setup,
    /// Player or side -> agent, for the seats that are taken.
    pub seats: IndexMap<String, String>,
    /// Seats that nobody takes, since the agent's file is not beside the saved history that names it.
    pub unseated: IndexMap<String, String>,
    /// Where agents are found.
    pub folder: Folder,
    /// Who plays for people where they cannot be asked.
    pub default_agent: DefaultAgent,
}

/// The agent that plays for people where they cannot be asked.
#[derive(Clone, Debug)]
pub struct DefaultAgent {
    /// The word that names it.
    pub word: String,
    /// Where the rules name it, if they do.
    pub at: Option<Location>,
}

impl DefaultAgent {
    /// The one that `params.toml` names; else `greedy` where nothing is hidden, and `random` where something is.
    pub(super) fn of(specs: &ParamSpecs, rules: &Rules) -> DefaultAgent {
        let (word, at) = specs.default_agent.clone().unwrap_or_else(|| {
            let word = if rules.means_to_hide() { "random" } else { "greedy" };
            (word.to_owned(), None)
        });
        DefaultAgent { word, at }
    }
}

impl Conflict {
    pub(crate) fn agent_or_default<'a>(&'a self, word: &'a str) -> &'a str {
        if word == HUMAN { &self.default_agent.word } else { word }
    }

    /// The agent of a word that is in a seat. A program may sit there where the command line named it.
    pub(crate) fn agent(&self, word: &str) -> Result<AgentSpec, Error> {
        match self.changes.seats.iter().any(|(_, named)| named == word) {
            true => AgentSpec::of_person(word, &self.folder),
            false => AgentSpec::read(word, &self.folder),
        }
    }

    /// The seats that are taken, each with its agent, or who plays for people.
    pub(crate) fn unmanned(&self) -> impl Iterator<Item = (&str, &str)> {
        self.seats.iter().map(|(seat, agent)| (seat.as_str(), self.agent_or_default(agent)))
    }

    /// The words after `fracas` that play it, without people.
    pub fn words(&self) -> Vec<String> {
        self.words_seating(self.unmanned())
    }

    /// The same with these agents in the seats.
    pub(crate) fn words_seating<'a>(
        &self,
        seats: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Vec<String> {
        let mut words = vec!["play".to_owned(), self.scenario.name.clone()];
        let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
        self.changes.house.iter().for_each(|house| option("--house", house.clone()));
        self.changes.params.iter().for_each(|setting| option("--param", setting.to_string()));
        seats.for_each(|(seat, agent)| option("--seat", format!("{seat}={agent}")));
        words
    }

    /// Whether somebody plays in person from whom the rules may hide something: then a mistake in what
    /// was played is veiled (`Error::veiled`) by whoever shows it.
    pub(crate) fn hides_from_people(&self) -> bool {
        self.rules.hides() && self.seats.values().any(|agent| agent == HUMAN)
    }

    /// What is odd about the rules for this setup.
    pub fn warnings(&self) -> Vec<Warning> {
        self.rules.warnings([&*self.setup.value])
    }

    /// Where the scenario's file says who sits here; `None` for a seat that was changed.
    pub(crate) fn seat_place(&self, seat: &str) -> Option<Location> {
        let seated = self.scenario.seats.get(seat);
        if seated.is_none() || seated != self.seats.get(seat) {
            return None;
        }
        self.scenario.location(&format!("seats.{seat}"))
    }

    pub(crate) fn seat_key(&self, seat: &str) -> Option<Location> {
        self.seat_place(seat)?;
        self.scenario.key_location(&format!("seats.{seat}"))
    }
}
