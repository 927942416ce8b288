//! Keeps what `:odds` and `:solve` found, for the tree of all ways and for later `:odds`.

use crate::analysis::{OpenDecision, Prospect, Prospects, Solution, StrategyLine};
use crate::conflict::Seating;
use crate::error::Error;
use crate::game::{Action, Actor, Asked, History, Value, option_name};
use crate::number::Quantity;
use crate::repl::{Reply, Session};
use crate::report::in_line;

/// The options of a decision that was weighed, each with what comes of it in a few words.
#[derive(Clone, Debug)]
pub(in crate::repl) struct Weighed {
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
#[derive(Clone, Debug)]
pub(in crate::repl) struct OptionOdds {
    /// The option, as people name it.
    option: String,
    /// The agent that played for people, and for whom; `None` where no person plays.
    by: Option<String>,
    /// What comes of it, in a few words.
    pub odds: String,
}

impl OptionOdds {
    pub(in crate::repl) fn said(&self) -> String {
        let by = self.by.iter().map(|by| format!(", {by}")).collect::<String>();
        in_line(&format!("odds of {}{by}: {}", self.option, self.odds))
    }
}

/// Of more decisions than these what was weighed is forgotten, the oldest first.
const WEIGHED: usize = 64;

impl Session {
    /// Keeps what was weighed of a decision, in place of what was known of it before.
    pub(in crate::repl) fn keep_weighed(&mut self, weighed: Weighed) {
        if self.is_known_of_other_rules() {
            self.known = None;
        }
        let same = |one: &Weighed| {
            (&one.history, &one.who, &one.name) == (&weighed.history, &weighed.who, &weighed.name)
        };
        self.weighed.retain(|one| !same(one));
        self.weighed.push(weighed);
        if self.weighed.len() > WEIGHED {
            self.weighed.remove(0);
        }
    }
}

impl Weighed {
    /// What was found of the options of a decision.
    pub(in crate::repl) fn of(
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
    pub(in crate::repl) fn at(&self, history: &History, index: usize) -> Option<OptionOdds> {
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
pub(in crate::repl) struct FoundSolution {
    pub scenario: String,
    /// The digest of rules, parameters and setup that it was found for.
    pub identity: String,
    pub solution: Solution,
}

impl Session {
    /// The solution of the open conflict, if there is one. One of this scenario under other rules is
    /// forgotten, which is said; one of another scenario is kept for when that is opened again.
    pub(in crate::repl) fn known_here(&self, reply: &mut Reply) -> Option<&FoundSolution> {
        if self.is_known_of_other_rules() {
            reply.note("the rules have changed since they were solved; `:solve` solves them again");
            return None;
        }
        let scenario = &self.play.as_ref()?.conflict.scenario;
        self.known.as_ref().filter(|known| known.scenario == scenario.name)
    }

    fn is_known_of_other_rules(&self) -> bool {
        let (Some(play), Some(known)) = (&self.play, &self.known) else { return false };
        let conflict = &play.conflict;
        known.scenario == conflict.scenario.name
            && known.identity != conflict.blueprint.identity(&conflict.setup)
    }
}

impl FoundSolution {
    /// What it says about an open decision with these options; nothing where it has nothing about it.
    pub(in crate::repl) fn line(
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
    pub(in crate::repl) fn source(&self) -> String {
        let Solution { method, further, .. } = &self.solution;
        let which = match further.len() {
            0 => String::new(),
            more => format!(", the first of {}", more + 1),
        };
        format!("weight and value: `:solve`, {method}{which}")
    }
}
