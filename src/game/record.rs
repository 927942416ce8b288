//! Writes down what is answered to a run, and what it announces.

use super::{Action, Actor, Entry, History, Question};

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
    use crate::game::Fake;

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
        let expected = "red bid 5\nchance ayla test 4\nred hide \"mill\" & blue hide \"ford\"\n\
                        blue pay \"2 ore\"\nchance ayla card 1\n";
        assert_eq!(record.history.to_string(), expected);
        // A joint decision is one entry, and none until all have answered.
        let text = "one has hidden".to_owned();
        assert_eq!(record.events, [TimedEvent { after: 2, text }]);
    }
}
