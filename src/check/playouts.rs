//! Plays a conflict many times at random, then replays each playout and checks the laws at every
//! step.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::Check;
use super::finding::{Findings, around, place, place_of};
use super::proof::{first_error, is_law, report, report_after, shortened};
use super::replayed_steps::{PlayoutFault, SeenQuestion, WalkedPlayout, Wrong, walk};
use crate::conflict::{Conflict, Players, words_after};
use crate::error::{Error, Location, ScriptFault, hint, nearest};
use crate::game::{Actor, Generator, History, Outcome, Record, brief, option_name};
use crate::graph::SeatedAgents;
use crate::script::{Ear, Run, State};

pub(super) struct Playouts<'a> {
    check: &'a Check<'a>,
    conflict: &'a Conflict,
    /// The players with a utility in the first playout.
    players: Option<BTreeSet<String>>,
    found: OnceCell<Players>,
}

impl<'a> Playouts<'a> {
    pub(super) fn new(check: &'a Check<'a>, conflict: &'a Conflict) -> Playouts<'a> {
        Playouts { check, conflict, players: None, found: OnceCell::new() }
    }

    /// Plays `count` times at random, up to the first playout that fails, and returns its error. It
    /// is also a finding, unless the rules refuse the setup.
    pub(super) fn run(
        &mut self,
        count: u64,
        findings: &mut Findings,
    ) -> Result<Option<Error>, Error> {
        // From here on the rules expect a utility for each of them.
        self.found();
        let mut asked = BTreeSet::new();
        for number in 0..count {
            let name = &self.conflict.scenario.name;
            (self.check.progress)(format!("checking `{name}`: playout {} of {count}", number + 1));
            let seed = self.check.seed.wrapping_add(number);
            let before = findings.errors();
            if let Some(error) = self.one(seed, &mut asked, findings)? {
                return Ok(Some(error));
            }
            if findings.errors() > before {
                return Ok(None);
            }
        }
        self.strangers(&asked, findings);
        Ok(None)
    }

    /// Warns of a utility for a name that is not a player's but resembles one.
    fn strangers(&self, asked: &BTreeSet<String>, findings: &mut Findings) {
        let players = self.found();
        let mut known: BTreeSet<&str> = asked.iter().map(String::as_str).collect();
        known.extend(players.sides.values().flatten().map(String::as_str));
        known.extend(self.conflict.seats.keys().map(String::as_str));
        self.conflict.setup.value.names(&mut |name| _ = known.insert(name));
        let named = self.players.iter().flatten().filter(|name| !known.contains(name.as_str()));
        for name in named {
            let Some(near) = nearest(name, known.iter().copied()) else { continue };
            let message = format!(
                "`utility` is for `{name}`, who is asked nothing and whom no setup names; did you mean \
                 `{near}`?"
            );
            findings.warning(self.place_of("outcome"), message);
        }
    }

    fn one(
        &mut self,
        seed: u64,
        asked: &mut BTreeSet<String>,
        findings: &mut Findings,
    ) -> Result<Option<Error>, Error> {
        let random = SeatedAgents::new(Generator::playout(seed, 0));
        let (history, ended) = play(self.conflict, random);
        asked.extend(history.actions().filter_map(|action| match &action.actor {
            Actor::Player(player) => Some(player.clone()),
            Actor::Chance(_) => None,
        }));
        match ended {
            Ok(outcome) => {
                self.same_players(&outcome, seed, findings);
                self.again(&history, &outcome, seed, findings)?;
                Ok(None)
            }
            Err(error) => {
                if !is_of_setup(&error) {
                    self.fault(&error, seed, "", self.top(), findings)?;
                    // A law that broke before the step that failed may be the cause.
                    if let Err(fault) = self.walk(&history, false, seed)
                        && matches!(&fault.wrong, Wrong::Error(error) if is_law(error))
                    {
                        self.report(fault, &history, seed, findings)?;
                    }
                }
                Ok(Some(error))
            }
        }
    }

    fn same_players(&mut self, outcome: &Outcome, seed: u64, findings: &mut Findings) {
        let players: BTreeSet<String> = outcome.utility.keys().cloned().collect();
        let first = self.players.get_or_insert_with(|| players.clone());
        if *first != players {
            let list =
                |names: &BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>().join(", ");
            let (here, there) = (list(&players), list(first));
            let message = format!("`utility` is for {here}; in another playout it is for {there}");
            self.wrong("outcome", &message, seed, findings);
        }
    }

    /// Checks that the same answers give the same history and outcome, with the laws at every step.
    fn again(
        &self,
        history: &History,
        outcome: &Outcome,
        seed: u64,
        findings: &mut Findings,
    ) -> Result<(), Error> {
        match self.walk(history, true, seed) {
            Ok(walked) if walked.history != *history => {
                self.wrong("step", "the same answers gave another history", seed, findings);
            }
            Ok(walked) if walked.outcome.as_ref() != Some(outcome.value()) => {
                self.wrong("outcome", "the same answers gave another outcome", seed, findings);
            }
            Ok(walked) => {
                let players: Vec<String> = self.found().names.iter().cloned().collect();
                // What the rules hide is reported before house rules are checked.
                let is_plain = self.conflict.changes.house.is_empty();
                for state in walked.states.iter().filter(|_| is_plain) {
                    findings.sight.look(&self.conflict.rules, state, &players);
                }
                for question in &walked.questions {
                    self.word(question, seed, findings)?;
                }
            }
            Err(fault) => self.report(fault, history, seed, findings)?,
        }
        Ok(())
    }

    /// Checks the texts that a question has for the player who is asked.
    fn word(&self, asked: &SeenQuestion, seed: u64, findings: &mut Findings) -> Result<(), Error> {
        let seen = State::from_value(&asked.view);
        let rules = &self.conflict.rules;
        match rules.wording(&seen, &asked.player, &asked.name, &asked.options) {
            Ok(wording) => {
                let names: Vec<String> = asked.options.iter().map(option_name).collect();
                for unknown in wording.unknown {
                    let near = hint(&nearest(&unknown, names.iter().map(String::as_str)));
                    let message = format!(
                        "`wording` has a text for `{}`, which is not an option of `{}`{near}",
                        brief(&unknown),
                        brief(&asked.name)
                    );
                    self.wrong("wording", &message, seed, findings);
                }
                Ok(())
            }
            Err(error) => {
                let when = format!(", asked `{}`, `{}`", brief(&asked.player), brief(&asked.name));
                self.fault(&error, seed, &when, self.place_of("wording"), findings)
            }
        }
    }

    /// Replays a history, which must be whole or not.
    fn walk(
        &self,
        history: &History,
        whole: bool,
        seed: u64,
    ) -> Result<WalkedPlayout, PlayoutFault> {
        let players: Vec<String> = self.found().names.iter().cloned().collect();
        walk(self.conflict, (history, whole), players, seed, self.check.limits.steps)
    }

    fn report(
        &self,
        fault: PlayoutFault,
        history: &History,
        seed: u64,
        findings: &mut Findings,
    ) -> Result<(), Error> {
        let when = match fault.step {
            0 => ", after setup".to_owned(),
            step => format!(", step {step}"),
        };
        match fault.wrong {
            Wrong::Error(error) if is_law(&error) => {
                if let Some(shortest) = first_error(self.check, self.conflict)?.filter(is_law) {
                    return report(self.check, self.conflict, &shortest, findings);
                }
                // Who looks for no states wants to know only that it breaks.
                let wanted = self.check.nodes > 0;
                match wanted.then(|| shortened(self.conflict, history)).flatten() {
                    Some((error, history)) => {
                        report_after(self.check, self.conflict, (&error, &history), findings)
                    }
                    None => self.fault(&error, seed, &when, self.top(), findings),
                }
            }
            Wrong::Picture(player, error) => {
                let when = format!("{when}: the picture of what `{player}` sees");
                self.fault(&error, seed, &when, self.place_of("picture"), findings)
            }
            Wrong::Error(error) => {
                let place = self.place_broken(&error).or_else(|| self.top());
                self.fault(&error, seed, &when, place, findings)
            }
        }
    }

    /// Adds a mistake that a playout led to; `when` says where in it.
    fn fault(
        &self,
        error: &Error,
        seed: u64,
        when: &str,
        place: Option<Location>,
        findings: &mut Findings,
    ) -> Result<(), Error> {
        findings.fault_of(&self.whose(), error, &self.located(when, seed), || place)
    }

    fn top(&self) -> Option<Location> {
        place(&self.conflict.scenario)
    }

    /// The players, computed once; empty if no playout ends.
    fn found(&self) -> &Players {
        self.found.get_or_init(|| Players::find(self.conflict).unwrap_or_default())
    }

    fn wrong(&self, function: &str, message: &str, seed: u64, findings: &mut Findings) {
        let (place, around) = (self.place_of(function), self.located("", seed));
        findings.error_of(&self.whose(), place, message, &around);
    }

    fn whose(&self) -> String {
        self.conflict.changes.house.join(", ")
    }

    /// What is around a message: the scenario and the playout before it, the command that replays that after it.
    fn located(&self, when: &str, seed: u64) -> String {
        let seats = self.conflict.seats.keys().map(|seat| (seat.as_str(), "random"));
        let again =
            words_after(self.conflict.words_seating(seats), Some(seed), &History::default());
        around(self.check, self.conflict, &format!("seed {seed}{when}"), &again)
    }

    /// The place of the function that returned a wrong value.
    fn place_broken(&self, error: &Error) -> Option<Location> {
        let Error::Script(script) = error else { return None };
        let ScriptFault::Contract { function, .. } = &script.fault else { return None };
        self.place_of(function)
    }

    fn place_of(&self, function: &str) -> Option<Location> {
        place_of(&self.conflict.rules, function)
    }
}

/// Plays once; returns the history even if the playout fails.
pub(super) fn play(
    conflict: &Conflict,
    mut seats: SeatedAgents,
) -> (History, Result<Outcome, Error>) {
    let mut record = Record::default();
    let run = Run::begin(&conflict.rules, &conflict.setup, Ear::Deaf);
    let played = run.finish(|question| {
        let answer = seats.choose(question)?;
        record.note(question, answer);
        Ok(answer)
    });
    (record.history, played.map(|played| played.outcome).map_err(Error::from))
}

/// Whether the setup or its parameters are at fault, rather than an answer.
pub(super) fn is_of_setup(error: &Error) -> bool {
    matches!(error, Error::Setup { .. } | Error::Parameter { .. })
}
