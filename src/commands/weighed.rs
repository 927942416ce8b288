//! What `:odds` and `:solve` found, for the tree of all ways and for later `:odds`.

use serde::Serialize;

use crate::analysis::{OpenDecision, Prospect, Prospects, Solution, StrategyLine};
use crate::conflict::{Play, Seating};
use crate::error::Error;
use crate::game::{Action, Actor, Asked, History, Value, option_name};
use crate::number::Quantity;
use crate::report::in_line;

/// The options of a decision that was weighed, each with what comes of it in a few words.
#[derive(Clone, Debug)]
pub(crate) struct Weighed {
    /// What was decided and fell before it.
    pub history: History,
    /// Who was asked.
    pub who: String,
    /// The name of the decision.
    pub name: String,
    /// The agent that played for people, and for whom; `None` where no person plays.
    pub by: Option<String>,
    /// Option -> what comes of it.
    pub options: Vec<(Value, String)>,
}

/// What comes of an option, as `:odds` found it.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct OptionOdds {
    /// The option, as people name it.
    #[serde(skip)]
    option: String,
    /// The agent that played for people, and for whom; `None` where no person plays.
    #[serde(skip)]
    by: Option<String>,
    /// What comes of it, in a few words.
    pub odds: String,
}

impl OptionOdds {
    pub(crate) fn said(&self) -> String {
        let by = self.by.iter().map(|by| format!(", {by}")).collect::<String>();
        in_line(&format!("odds of {}{by}: {}", self.option, self.odds))
    }
}

impl Weighed {
    /// Whether it is of the same decision.
    pub(crate) fn is_of_same(&self, other: &Weighed) -> bool {
        (&self.history, &self.who, &self.name) == (&other.history, &other.who, &other.name)
    }

    /// What was found of the options of a decision.
    pub(crate) fn of(
        asked: &Asked,
        history: History,
        by: Option<String>,
        found: &Prospects,
    ) -> Weighed {
        let short = |one: &Prospect| {
            let mut results: Vec<(&String, &Quantity)> = one.chances.results.iter().collect();
            results.sort_by(|(_, one), (_, other)| other.value.total_cmp(&one.value));
            results.retain(|(_, number)| number.value > 0.0);
            let results = results.into_iter().take(3);
            let results =
                results.map(|(name, number)| format!("{name} {}", number.as_short_share()));
            let results: Vec<String> = results.collect();
            (one.option.clone(), results.join(", "))
        };
        let options = found.options.iter().map(short).collect();
        Weighed { history, who: asked.who.clone(), name: asked.name.clone(), by, options }
    }

    /// What was weighed to come of the entry of a history at an index.
    pub(crate) fn at(&self, history: &History, index: usize) -> Option<OptionOdds> {
        if index != self.history.len() || !history.begins_with(&self.history) {
            return None;
        }
        let is_this = |action: &&Action| {
            action.name == self.name
                && matches!(&action.actor, Actor::Player(player) if *player == self.who)
        };
        let picked = history.entries.get(index)?.actions().iter().find(is_this)?;
        let option = self.options.iter().find(|(option, _)| *option == picked.value);
        option.map(|(option, odds)| OptionOdds {
            option: option_name(option),
            by: self.by.clone(),
            odds: odds.clone(),
        })
    }
}

#[derive(Clone, Debug)]
pub(crate) struct FoundSolution {
    pub scenario: String,
    /// The digest of rules, parameters and setup that it was found for.
    pub identity: String,
    pub solution: Solution,
}

impl FoundSolution {
    /// Whether the scenario that is open is this one under other rules.
    pub(crate) fn is_of_other_rules(&self, play: &Play) -> bool {
        let conflict = &play.conflict;
        self.scenario == conflict.scenario.name
            && self.identity != conflict.blueprint.identity(&conflict.setup)
    }

    /// What it says about an open decision with these options; nothing where it has nothing about it.
    pub(crate) fn line(
        &self,
        seating: &Seating,
        place: OpenDecision<'_>,
        options: &[Value],
    ) -> Result<Option<&StrategyLine>, Error> {
        let Some(key) = place.key(seating)? else { return Ok(None) };
        let line = self.solution.strategy.iter().find(|line| *line.key == *key);
        let offers = |line: &&StrategyLine| {
            let choices = line.options.iter().map(|choice| &choice.option);
            choices.eq(&options.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        Ok(line.filter(offers))
    }

    /// Where the numbers come from, in a sentence.
    pub(crate) fn source(&self) -> String {
        let Solution { method, further, .. } = &self.solution;
        let which = match further.len() {
            0 => String::new(),
            more => format!(", the first of {}", more + 1),
        };
        format!("weight and value: `:solve`, {method}{which}")
    }
}
