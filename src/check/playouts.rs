//! Plays a conflict many times at random, then replays each playout and checks the laws at every
//! step.

use std::collections::BTreeSet;

use super::Check;
use super::finding::{After, Around, Findings, place, place_of};
use super::proof::{first_error, is_law, report, shortened};
use super::replayed_steps::{PlayoutFault, ReplayedPlayout, SeenQuestion, Wrong, replay};
use crate::conflict::{Conflict, Players, words_after};
use crate::error::{Error, Limit, Location, ScriptFault, hint, nearest};
use crate::game::{Actor, Generator, History, Outcome, Record, brief, option_name};
use crate::graph::SeatedAgents;
use crate::script::{Ear, Run, State, Turn};

pub(super) struct Playouts<'a> {
    check: &'a Check<'a>,
    conflict: &'a Conflict,
    findings: &'a mut Findings,
    /// None if no playout ends.
    players: &'a Players,
    /// Who was asked.
    asked: BTreeSet<String>,
    /// The players with a utility in the first playout.
    paid: Option<BTreeSet<String>>,
    /// That of the playout at hand.
    seed: u64,
}

impl<'a> Playouts<'a> {
    /// Plays `count` times at random, up to the first playout that fails, and returns its error. It
    /// is also a finding, unless the rules refuse the setup. Returns also how many playouts were made: one that need
    /// not end and does not is the last, since the next would take as long.
    pub(super) fn run(
        check: &Check<'_>,
        conflict: &Conflict,
        count: u64,
        findings: &mut Findings,
    ) -> Result<(u64, Option<Error>), Error> {
        // From here on the rules expect a utility for each of them.
        let players = &Players::find(conflict).unwrap_or_default();
        let (asked, paid, seed) = (BTreeSet::new(), None, check.seed);
        let mut playouts = Playouts { check, conflict, findings, players, asked, paid, seed };
        let mut made = 0;
        while made < count {
            let name = &conflict.scenario.name;
            (check.progress)(format!("checking `{name}`: playout {} of {count}", made + 1));
            playouts.seed = check.seed.wrapping_add(made);
            made += 1;
            let before = playouts.findings.errors();
            let failed = playouts.one()?;
            let lasts = failed.as_ref().is_some_and(|error| may_last(conflict, error));
            if failed.is_some() && !lasts || playouts.findings.errors() > before {
                return Ok((made, failed));
            }
            if lasts {
                break;
            }
        }
        playouts.strangers();
        // Under a house rule a scenario that was made for other rules may be.
        let is_plain = conflict.changes.house.is_empty();
        if is_plain && count > 0 && is_over_at_once(conflict)? {
            let over =
                "the conflict is over as it begins: nothing is asked or rolled, and no step runs";
            playouts.findings.warning(place(&conflict.scenario), over.to_owned());
        }
        Ok((made, None))
    }

    /// Warns of a utility for a name that is nobody's.
    fn strangers(&mut self) {
        let mut known: BTreeSet<&str> = self.asked.iter().map(String::as_str).collect();
        let sides = self.players.sides.iter();
        known.extend(
            sides.flat_map(|(side, players)| players.iter().chain([side])).map(String::as_str),
        );
        known.extend(self.conflict.seats.keys().map(String::as_str));
        self.conflict.setup.value.names(&mut |name| _ = known.insert(name));
        let named = self.paid.iter().flatten().filter(|name| !known.contains(name.as_str()));
        for name in named {
            let near = nearest(name, known.iter().copied());
            // Where nobody is asked, nobody is known.
            if near.is_none() && self.asked.is_empty() {
                continue;
            }
            let hint = hint(&near);
            let message = format!(
                "`utility` is for `{name}`, who was asked nothing in these playouts and whom no setup names{hint}"
            );
            self.findings.warning(place_of(&self.conflict.rules, "outcome"), message);
        }
    }

    fn one(&mut self) -> Result<Option<Error>, Error> {
        let random = SeatedAgents::new(Generator::playout(self.seed, 0));
        let (mut history, ended) = play(self.conflict, random);
        self.asked.extend(history.actions().filter_map(|action| match &action.actor {
            Actor::Player(player) => Some(player.clone()),
            Actor::Chance(_) => None,
        }));
        match ended {
            Ok(outcome) => {
                self.same_players(&outcome);
                self.again(&history, &outcome)?;
                Ok(None)
            }
            Err(error) if may_last(self.conflict, &error) => {
                // After the last answer the limit would be passed again.
                history.entries.pop();
                match self.replay(&history, false) {
                    Ok(replayed) => self.seen(&replayed)?,
                    // What is announced takes some of what a playout may take.
                    Err(PlayoutFault { wrong: Wrong::Error(error), .. })
                        if may_last(self.conflict, &error) => {}
                    Err(fault) => self.report(fault, &history)?,
                }
                Ok(Some(error))
            }
            Err(error) => {
                if !is_of_setup(&error) {
                    self.fault(&error, "", self.top())?;
                    // A law that broke before the step that failed may be the cause.
                    if let Err(fault) = self.replay(&history, false)
                        && matches!(&fault.wrong, Wrong::Error(error) if is_law(error))
                    {
                        self.report(fault, &history)?;
                    }
                }
                Ok(Some(error))
            }
        }
    }

    fn same_players(&mut self, outcome: &Outcome) {
        let players: BTreeSet<String> = outcome.utility.keys().cloned().collect();
        let first = self.paid.get_or_insert_with(|| players.clone());
        if *first != players {
            let list =
                |names: &BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>().join(", ");
            let (here, there) = (list(&players), list(first));
            let message = format!("`utility` is for {here}; in another playout it is for {there}");
            self.wrong("outcome", &message);
        }
    }

    /// Checks that the same answers give the same history and outcome, with the laws at every step.
    fn again(&mut self, history: &History, outcome: &Outcome) -> Result<(), Error> {
        match self.replay(history, true) {
            Ok(replayed) if replayed.record.history != *history => {
                self.wrong("step", "the same answers gave another history");
            }
            Ok(replayed) if replayed.outcome.as_ref() != Some(outcome.value()) => {
                self.wrong("outcome", "the same answers gave another outcome");
            }
            Ok(replayed) => self.seen(&replayed)?,
            Err(fault) => self.report(fault, history)?,
        }
        Ok(())
    }

    /// Checks what the players saw.
    fn seen(&mut self, replayed: &ReplayedPlayout<'_>) -> Result<(), Error> {
        // What the rules hide is reported before house rules are checked.
        let is_plain = self.conflict.changes.house.is_empty();
        for state in replayed.states.iter().filter(|_| is_plain) {
            self.findings.sight.look(&self.conflict.rules, state, &self.players.names);
        }
        replayed.questions.iter().try_for_each(|question| self.word(question))
    }

    /// Checks the texts that a question has for the player who is asked.
    fn word(&mut self, asked: &SeenQuestion) -> Result<(), Error> {
        if let Some(name) = &asked.alike {
            let message = format!(
                "two options of `{}` are both printed as `{}`: who is asked cannot tell them apart",
                brief(&asked.name),
                brief(name)
            );
            self.findings.warning(asked.at.clone(), message);
        }
        let seen = State::from_value(&asked.view);
        match self.conflict.rules.wording(&seen, &asked.player, &asked.name, &asked.options) {
            Ok(wording) => {
                for unknown in wording.unknown {
                    let near = hint(&nearest(&unknown, asked.options.iter().map(option_name)));
                    let message = format!(
                        "`wording` has a text for `{}`, which is not an option of `{}`{near}",
                        brief(&unknown),
                        brief(&asked.name)
                    );
                    self.wrong("wording", &message);
                }
                Ok(())
            }
            Err(error) => {
                let when = format!(", asked `{}`, `{}`", brief(&asked.player), brief(&asked.name));
                self.fault(&error, &when, self.place_of("wording"))
            }
        }
    }

    /// Replays a history, which must be whole or not.
    fn replay(&self, history: &History, whole: bool) -> Result<ReplayedPlayout<'a>, PlayoutFault> {
        let (players, steps) = (&self.players.names, self.check.limits.steps);
        replay(self.conflict, (history, whole), players, self.seed, steps)
    }

    fn report(&mut self, fault: PlayoutFault, history: &History) -> Result<(), Error> {
        let when = match fault.step {
            0 => ", after setup".to_owned(),
            step => format!(", step {step}"),
        };
        match fault.wrong {
            Wrong::Error(error) if is_law(&error) => {
                let mut shortest = first_error(self.check, self.conflict)?.filter(is_law);
                // Who looks for no states wants to know only that it breaks.
                if shortest.is_none() && self.check.nodes > 0 {
                    shortest = shortened(self.conflict, history);
                }
                match shortest {
                    Some(shortest) => report(self.check, self.conflict, &shortest, self.findings),
                    None => self.fault(&error, &when, self.top()),
                }
            }
            Wrong::Picture(player, error) => {
                let when = format!("{when}: the picture of what `{player}` sees");
                self.fault(&error, &when, self.place_of("picture"))
            }
            Wrong::Error(error) => {
                let place = self.place_broken(&error).or_else(|| self.top());
                self.fault(&error, &when, place)
            }
        }
    }

    /// Adds a mistake that a playout led to; `when` says where in it.
    fn fault(&mut self, error: &Error, when: &str, place: Option<Location>) -> Result<(), Error> {
        let around = self.around(when);
        self.findings.fault_of(&around, error, After::default(), || place)
    }

    fn top(&self) -> Option<Location> {
        place(&self.conflict.scenario)
    }

    fn wrong(&mut self, function: &str, message: &str) {
        let (place, around) = (self.place_of(function), self.around(""));
        self.findings.error_of(&around, place, message, After::default());
    }

    fn around(&self, when: &str) -> Around {
        let seats = self.conflict.seats.keys().map(|seat| (seat.as_str(), "random"));
        let words = self.conflict.words_seating(seats);
        let again = words_after(words, Some(self.seed), &History::default());
        Around::new(self.check, self.conflict, &format!("seed {}{when}", self.seed), &again)
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

/// Whether a conflict has an outcome in the state that its setup makes.
fn is_over_at_once(conflict: &Conflict) -> Result<bool, Error> {
    let mut run = Run::begin(&conflict.rules, &conflict.setup, Ear::Deaf);
    Ok(run.next()? == Turn::Step && run.next()? == Turn::Done)
}

/// Whether a playout was only too long, in a scenario whose players may never end it.
pub(super) fn may_last(conflict: &Conflict, error: &Error) -> bool {
    let Error::Script(script) = error.itself() else { return false };
    let is_length =
        matches!(script.fault, ScriptFault::Limit(Limit::Questions(_) | Limit::Playout(_)));
    conflict.scenario.endless && is_length
}

/// Whether the setup or its parameters are at fault, rather than an answer.
pub(super) fn is_of_setup(error: &Error) -> bool {
    matches!(error, Error::Setup { .. } | Error::Parameter { .. })
}
