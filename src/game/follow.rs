//! Follows a history: what it answers to the questions of a run, and where it first answers something else; writes
//! down what is answered to a run.

use super::{Action, Actor, Chance, Decision, Entry, History, Question};
use crate::error::{Divergence, Error, Recorded};

/// A history, and how far it has been followed.
#[derive(Clone, Debug)]
pub struct Follow {
    history: History,
    next: usize,
    /// The answers to the parts of a joint decision that are yet to be asked, the last first.
    parts: Vec<usize>,
}

impl Follow {
    /// At its beginning.
    pub fn new(history: History) -> Follow {
        Follow { history, next: 0, parts: Vec::new() }
    }

    /// What the history answers to a question; nothing at its end.
    ///
    /// # Errors
    /// [`Error::Diverged`] where the next entry answers something else.
    pub fn answer(&mut self, question: &Question<'_>) -> Result<Option<usize>, Error> {
        if let Some(answer) = self.parts.pop() {
            return Ok(Some(answer));
        }
        let Some(entry) = self.history.entries.get(self.next) else { return Ok(None) };
        let answer = match (question, entry) {
            (Question::Decision(decision, None), Entry::One(action)) => pick(decision, action),
            // Where only one is asked, the entry may be without the mark of a joint one.
            (Question::Decision(decision, Some(_)), entry) => {
                let all = pick_together(&decision.scene.together(), entry.actions());
                all.and_then(|all| {
                    self.parts = all.into_iter().rev().collect();
                    self.parts.pop()
                })
            }
            (Question::Chance(chance), Entry::One(action)) => fall(chance, action),
            _ => None,
        };
        let answer =
            answer.ok_or_else(|| self.diverged(Recorded::Entry(entry.clone()), asks(question)))?;
        self.next += 1;
        Ok(Some(answer))
    }

    /// Whether all that it answers was asked for.
    pub fn is_at_end(&self) -> bool {
        self.parts.is_empty() && self.next == self.history.len()
    }

    /// As [`Follow::answer`], of a history that must be whole: one more question than it answers is a divergence.
    ///
    /// # Errors
    /// [`Error::Diverged`].
    pub fn answer_whole(&mut self, question: &Question<'_>) -> Result<usize, Error> {
        let answer = self.answer(question)?;
        answer.ok_or_else(|| self.diverged(Recorded::End, asks(question)))
    }

    /// To be asked when the conflict is over.
    ///
    /// # Errors
    /// [`Error::Diverged`] when the history has more entries than the conflict had questions.
    pub fn finish(&self) -> Result<(), Error> {
        match self.history.entries.get(self.next) {
            Some(entry) => Err(self.diverged(Recorded::Entry(entry.clone()), Divergence::Over)),
            None => Ok(()),
        }
    }

    fn diverged(&self, recorded: Recorded, asked: Divergence) -> Error {
        Error::Diverged {
            entry: self.next + 1,
            at: None,
            recorded: Box::new(recorded),
            asked: Box::new(asked),
        }
    }
}

pub(crate) fn asks(question: &Question<'_>) -> Divergence {
    match question.part() {
        Some(_) => Divergence::Together(question.all_asked()),
        None => Divergence::Asks(question.asked()),
    }
}

fn pick(decision: &Decision<'_>, action: &Action) -> Option<usize> {
    match &action.actor {
        Actor::Player(player) if player == decision.player && action.name == decision.name => {
            decision.options.index_of(&action.value)
        }
        _ => None,
    }
}

/// The indices that joint actions picked, if they are of the players who are asked, and of no other.
fn pick_together(decisions: &[Decision<'_>], actions: &[Action]) -> Option<Vec<usize>> {
    if decisions.len() != actions.len() {
        return None;
    }
    decisions
        .iter()
        .map(|decision| actions.iter().find_map(|action| pick(decision, action)))
        .collect()
}

/// The index of the value that was rolled, if it can be rolled.
fn fall(chance: &Chance<'_>, action: &Action) -> Option<usize> {
    match &action.actor {
        Actor::Chance(roller) if roller == chance.roller && action.name == chance.name => {
            chance.distribution.index_of(&action.value)
        }
        _ => None,
    }
}

/// A history that grows with each answer, and the events between its entries.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// What was answered so far.
    pub history: History,
    /// What was announced so far.
    pub events: Vec<TimedEvent>,
    /// The actions of a joint decision that not all have taken yet.
    parts: Vec<Action>,
}

/// An event, and when it was heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedEvent {
    /// How many entries the history had by then.
    pub after: usize,
    /// What the script announced.
    pub text: String,
}

impl Record {
    /// Notes an answer; those to a joint decision become one entry, once all have answered.
    pub fn note(&mut self, question: &Question<'_>, answer: usize) {
        // Where it is none, the run says so.
        let Some(value) = question.value(answer) else { return };
        let (actor, name) = match question {
            Question::Decision(decision, _) => {
                (Actor::Player(decision.player.to_owned()), decision.name)
            }
            Question::Chance(chance) => (Actor::Chance(chance.roller.to_owned()), chance.name),
        };
        self.add(Action { actor, name: name.to_owned(), value }, question.part());
    }

    /// Adds an action, of which `part` says which of how many it is in a joint decision.
    pub(crate) fn add(&mut self, action: Action, part: Option<(usize, usize)>) {
        let Some((nth, of)) = part else {
            self.history.entries.push(Entry::One(action));
            return;
        };
        self.parts.truncate(nth);
        self.parts.push(action);
        if nth + 1 == of {
            let all = std::mem::take(&mut self.parts);
            self.history.entries.push(Entry::Together(all));
        }
    }

    /// Notes an event.
    pub fn hear(&mut self, text: &str) {
        self.events.push(TimedEvent { after: self.history.len(), text: text.to_owned() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Fake, Stop, failure};

    const WHOLE: &str = "red bid 5\nchance ayla test 4\nred hide \"mill\" & blue hide \"ford\"\n\
                         blue pay \"2 ore\"\nchance ayla card 1\n";

    fn history(text: &str) -> History {
        History::parse(text).unwrap()
    }

    fn whole(follow: &mut Follow) -> Result<Vec<usize>, Stop> {
        Fake::game().run(&mut |question| Ok(follow.answer_whole(question)?))
    }

    #[test]
    fn a_history_gives_its_answers_again() {
        let mut follow = Follow::new(history(WHOLE));
        assert_eq!(whole(&mut follow).unwrap(), [4, 3, 2, 0, 1, 0]);
        follow.finish().unwrap();
    }

    #[test]
    fn a_history_that_ends_before_the_conflict_is_not_whole() {
        let message = failure(whole(&mut Follow::new(history(WHOLE).prefix(3))).unwrap_err());
        assert_eq!(
            message.to_string(),
            "the history diverges at entry 4: it has `the end of the history`, the rules ask \
             a decision of `blue`, `pay` (1 mana, 2 ore)"
        );
    }

    #[test]
    fn a_divergence_names_the_entry_and_both_questions() {
        let asks = [
            "a decision of `red`, `bid` (1, 2, 3, 4, 5)",
            "a roll for `ayla`, `test` (1, 2, 3, 4, 5, 6)",
            "a decision of `red`, `hide` (ford, hill, mill), \
             together with a decision of `blue`, `hide` (ford, hill)",
            "a decision of `blue`, `pay` (1 mana, 2 ore)",
            "a roll for `ayla`, `card` (1, 2, 3)",
        ];
        // The number of the entry that is replaced, and its replacement.
        let wrong = [
            (1, "blue bid 5"),
            (1, "red pay 5"),
            (1, "red bid 6"),
            (1, "chance red bid 5"),
            (1, "& red bid 5"),
            (2, "chance ayla test 7"),
            (2, "chance bela test 1"),
            (2, "ayla test 1"),
            (2, "chance ayla card 1"),
            (2, "& ayla test 1"),
            (3, "red hide \"mill\""),
            (3, "& red hide \"mill\""),
            (3, "red hide \"mill\" & green hide \"ford\""),
            (3, "red hide \"mill\" & blue hide \"mill\""),
            (3, "red hide \"mill\" & blue pay \"ford\""),
            (3, "red hide \"mill\" & blue hide \"ford\" & green hide \"ford\""),
            (4, "blue pay \"2 mana\""),
            (5, "chance ayla card \"1\""),
        ];
        for (number, line) in wrong {
            let mut lines: Vec<&str> = WHOLE.lines().collect();
            lines[number - 1] = line;
            let mut follow = Follow::new(history(&lines.join("\n")));
            assert_eq!(
                failure(whole(&mut follow).unwrap_err()).to_string(),
                format!(
                    "the history diverges at entry {number}: it has `{line}`, the rules ask {}",
                    asks[number - 1]
                )
            );
        }
    }

    #[test]
    fn left_over_entries_are_a_divergence() {
        let mut follow = Follow::new(history(&format!("{WHOLE}red bid 2\nred bid 3\n")));
        whole(&mut follow).unwrap();
        assert_eq!(
            follow.finish().unwrap_err().to_string(),
            "the history diverges at entry 6: it has `red bid 2`, the rules ask \
             nothing more: the conflict is over"
        );
    }

    #[test]
    fn joint_actions_may_stand_in_any_order() {
        let swapped = WHOLE.replace(
            "red hide \"mill\" & blue hide \"ford\"",
            "blue hide \"ford\" & red hide \"mill\"",
        );
        let answers = whole(&mut Follow::new(history(&swapped))).unwrap();
        assert_eq!(answers[2..4], [2, 0]);
    }

    #[test]
    fn the_history_holds_every_answer_in_order() {
        let (mut record, mut given) = (Record::default(), [4, 3, 2, 0, 1, 0].into_iter());
        let answers = Fake::game().run(&mut |question| {
            let answer = given.next().unwrap();
            record.note(question, answer);
            if question.part() == Some((0, 2)) {
                record.hear("one has hidden");
            }
            Ok(answer)
        });
        assert_eq!(answers.unwrap().len(), 6);
        assert_eq!(record.history.to_string(), WHOLE);
        // A joint decision is one entry, and none until all have answered.
        let text = "one has hidden".to_owned();
        assert_eq!(record.events, [TimedEvent { after: 2, text }]);
    }
}
