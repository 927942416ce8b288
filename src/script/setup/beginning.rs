//! The answers after which a scenario begins (`begin`), as they are given; what of them no longer fits is named.

use super::Setup;
use crate::error::{Divergence, Error, Recorded, nearest};
use crate::game::{Action, Actor, Decision, Entry, Follow, Question, Value};

/// The answers after which a conflict begins, and how far they were given.
pub(crate) struct Beginning {
    setup: Setup,
    follow: Follow,
}

impl Beginning {
    pub(crate) fn of(setup: &Setup) -> Beginning {
        Beginning { setup: setup.clone(), follow: Follow::new((*setup.begin).clone()) }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.follow.is_at_end()
    }

    /// The next answer.
    ///
    /// # Errors
    /// [`Error::Setup`] where it answers something else than what is asked.
    pub(crate) fn answer(&mut self, question: &Question<'_>) -> Result<usize, Error> {
        let answer = self.follow.answer_whole(question);
        answer.map_err(|error| match error {
            Error::Diverged { entry, recorded, asked, .. } => {
                let near = match &*recorded {
                    Recorded::Entry(entry) => nearest_answer(question, entry),
                    Recorded::End => None,
                };
                self.refused(entry, &recorded, &asked, near)
            }
            other => other,
        })
    }

    /// To be asked where the conflict is over.
    ///
    /// # Errors
    /// [`Error::Setup`] for the first answer that nothing asked for.
    pub(crate) fn finish(&self) -> Result<(), Error> {
        self.follow.finish().map_err(|error| match error {
            Error::Diverged { entry, recorded, asked, .. } => {
                self.refused(entry, &recorded, &asked, None)
            }
            other => other,
        })
    }

    fn refused(
        &self,
        entry: usize,
        recorded: &Recorded,
        asked: &Divergence,
        nearest: Option<String>,
    ) -> Error {
        let place = format!("begin.{}", entry.saturating_sub(1));
        let at = (self.setup.locate)(&place);
        let message = format!("`{recorded}` does not fit, the rules ask {asked}");
        Error::Setup { place, message, nearest, at }
    }
}

/// The answer to a question that may be meant: a value, or who gives it, is misspelled. One number is no misspelling of
/// another.
fn nearest_answer(question: &Question<'_>, entry: &Entry) -> Option<String> {
    let asked: Vec<(Actor, &str, Vec<Value>)> = match question {
        Question::Decision(decision, None) => vec![of_decision(decision)],
        Question::Decision(decision, Some(_)) => {
            decision.scene.together().iter().map(of_decision).collect()
        }
        Question::Chance(chance) => {
            let actor = Actor::Chance(chance.roller.to_owned());
            vec![(actor, chance.name, chance.distribution.values().to_vec())]
        }
    };
    if asked.len() != entry.actions().len() {
        return None;
    }
    let is_of = |action: &Action, (actor, name, _): &(Actor, &str, Vec<Value>)| {
        action.actor == *actor && action.name == *name
    };
    // Of a joint decision each answers, in any order; what is of nobody who is asked may be of whoever is left.
    let mut odd = entry.actions().iter().filter(|given| !asked.iter().any(|one| is_of(given, one)));
    let mut meant = Vec::new();
    for one in &asked {
        let own = entry.actions().iter().find(|given| is_of(given, one));
        let given = own.or_else(|| odd.next())?;
        let (actor, name, options) = one;
        let may_be = |value: &&Value| match own {
            Some(own) => own.value == **value || value.as_number().is_none(),
            None => **value == given.value,
        };
        let answer = |value: &Value| Action {
            actor: actor.clone(),
            name: (*name).to_owned(),
            value: value.clone(),
        };
        let answers = options.iter().filter(may_be).map(answer);
        let answers: Vec<String> = answers.map(|answer| answer.to_string()).collect();
        let given = given.to_string();
        let exact = answers.contains(&given).then(|| given.clone());
        meant.push(exact.or_else(|| nearest(&given, answers.iter().map(String::as_str)))?);
    }
    Some(meant.join(" & "))
}

fn of_decision<'d>(decision: &Decision<'d>) -> (Actor, &'d str, Vec<Value>) {
    (Actor::Player(decision.player.to_owned()), decision.name, decision.options.values())
}
