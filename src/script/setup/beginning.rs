//! The answers after which a scenario begins (`begin`), as they are given; what of them no longer fits is named.

use super::Setup;
use crate::error::{Divergence, Error, Recorded, nearest};
use crate::game::{Action, Actor, Entry, Follow, Question, Value};

/// The answers after which a conflict begins, and how far they were given.
pub(crate) struct Beginning {
    setup: Setup,
    follow: Follow,
}

impl Beginning {
    pub(crate) fn of(setup: &Setup) -> Beginning {
        Beginning { setup: setup.clone(), follow: Follow::new((*setup.begin).clone()) }
    }

    /// Whether all of them were given.
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

/// The answer to a question that may be meant: its value or who gives it is misspelled. One number is no misspelling of
/// another.
fn nearest_answer(question: &Question<'_>, entry: &Entry) -> Option<String> {
    let Entry::One(given) = entry else { return None };
    let (actor, name, options) = match question {
        Question::Decision(decision, None) => {
            let actor = Actor::Player(decision.player.to_owned());
            (actor, decision.name, decision.options.values())
        }
        Question::Decision(_, Some(_)) => return None,
        Question::Chance(chance) => {
            let actor = Actor::Chance(chance.roller.to_owned());
            (actor, chance.name, chance.distribution.values().to_vec())
        }
    };
    let is_asked = given.actor == actor && given.name == name;
    let may_be = |value: &Value| match is_asked {
        true => value.as_number().is_none(),
        false => *value == given.value,
    };
    let written =
        |value: Value| Action { actor: actor.clone(), name: name.to_owned(), value }.to_string();
    let answers: Vec<String> = options.into_iter().filter(may_be).map(written).collect();
    nearest(&entry.to_string(), answers.iter().map(String::as_str))
}
