//! A handler that records the history of another handler's answers, and events if asked to.

use super::Skip;
use crate::game::{Action, Actor, Chance, Decision, Entry, Handler, History, Stop};

/// Lets another handler answer, and keeps what it answered.
#[derive(Clone, Debug)]
pub struct Record<H> {
    inner: H,
    history: History,
    events: Vec<TimedEvent>,
    hears: bool,
}

/// An event, and when it was heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedEvent {
    /// How many entries the history had by then.
    pub after: usize,
    /// What the script announced.
    pub text: String,
}

impl<H> Record<H> {
    /// Writes down the history only.
    pub fn new(inner: H) -> Record<H> {
        Record { inner, history: History::default(), events: Vec::new(), hears: false }
    }

    /// Writes down events too.
    pub fn with_events(mut self) -> Record<H> {
        self.hears = true;
        self
    }

    /// What was answered so far.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The history, to take it away.
    pub fn history_mut(&mut self) -> &mut History {
        &mut self.history
    }

    /// What was heard so far.
    pub(crate) fn events(&self) -> &[TimedEvent] {
        &self.events
    }

    /// The handler that answers.
    pub fn inner(&self) -> &H {
        &self.inner
    }

    /// The handler that answers, the history and the events.
    pub fn into_parts(self) -> (H, History, Vec<TimedEvent>) {
        (self.inner, self.history, self.events)
    }

    fn picked(&mut self, decision: &Decision<'_>, answer: usize) {
        self.history.entries.extend(picked(decision, answer).map(Entry::One));
    }

    fn picked_together(&mut self, decisions: &[Decision<'_>], answers: &[usize]) {
        let actions: Option<Vec<Action>> =
            decisions.iter().zip(answers).map(|(asked, &answer)| picked(asked, answer)).collect();
        self.history.entries.extend(actions.map(Entry::Together));
    }

    fn fell(&mut self, chance: &Chance<'_>, answer: usize) {
        let action = chance.distribution.values().get(answer).map(|value| Action {
            actor: Actor::Chance(chance.roller.to_owned()),
            name: chance.name.to_owned(),
            value: value.clone(),
        });
        self.history.entries.extend(action.map(Entry::One));
    }
}

/// The action, or nothing where a faulty handler answers what was not offered: whoever asked says so.
fn picked(decision: &Decision<'_>, answer: usize) -> Option<Action> {
    (answer < decision.options.len()).then(|| Action {
        actor: Actor::Player(decision.player.to_owned()),
        name: decision.name.to_owned(),
        value: decision.options.value(answer),
    })
}

impl<H: Handler> Handler for Record<H> {
    fn decide(&mut self, decision: &Decision<'_>) -> Result<usize, Stop> {
        let answer = self.inner.decide(decision)?;
        self.picked(decision, answer);
        Ok(answer)
    }

    fn decide_together(&mut self, decisions: &[Decision<'_>]) -> Result<Vec<usize>, Stop> {
        let answers = self.inner.decide_together(decisions)?;
        self.picked_together(decisions, &answers);
        Ok(answers)
    }

    fn roll(&mut self, chance: &Chance<'_>) -> Result<usize, Stop> {
        let answer = self.inner.roll(chance)?;
        self.fell(chance, answer);
        Ok(answer)
    }

    fn event(&mut self, text: &str) {
        if self.hears {
            self.events.push(TimedEvent { after: self.history.len(), text: text.to_owned() });
        }
        if self.inner.listens() {
            self.inner.event(text);
        }
    }

    fn listens(&self) -> bool {
        self.hears || self.inner.listens()
    }

    fn deliberates(&self) -> bool {
        self.inner.deliberates()
    }
}

impl<H: Skip> Skip for Record<H> {
    fn skip_question(&mut self) {
        self.inner.skip_question();
    }

    fn skip_decision(&mut self, decision: &Decision<'_>, answer: usize) {
        self.inner.skip_decision(decision, answer);
        self.picked(decision, answer);
    }

    fn skip_together(&mut self, decisions: &[Decision<'_>], answers: &[usize]) {
        self.inner.skip_together(decisions, answers);
        self.picked_together(decisions, answers);
    }

    fn skip_roll(&mut self, chance: &Chance<'_>, answer: usize) {
        self.inner.skip_roll(chance, answer);
        self.fell(chance, answer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handlers::fake::Fake;
    use crate::handlers::{Generator, Replay, Sampler, SeatedAgents, Waiting};

    #[test]
    fn the_history_holds_every_answer_in_order() {
        let mut record = Record::new(Sampler::new(42, 7));
        let answers = Fake::game().run(&mut record).unwrap();
        let hidden = ["ford", "hill", "mill"];
        let expected = format!(
            "red bid {}\nchance ayla test {}\nred hide \"{}\" & blue hide \"{}\"\n\
             blue pay \"{}\"\nchance ayla card {}\n",
            answers[0] + 1,
            answers[1] + 1,
            hidden[answers[2]],
            hidden[answers[3]],
            ["1 mana", "2 ore"][answers[4]],
            answers[5] + 1,
        );
        assert_eq!(record.history().to_string(), expected);
        assert_eq!(record.events(), []);
    }

    #[test]
    fn events_are_heard_only_where_asked_for() {
        let mut record = Record::new(Sampler::new(1, 0)).with_events();
        Fake::game().run(&mut record).unwrap();
        let heard = |after, text: &str| TimedEvent { after, text: text.to_owned() };
        assert_eq!(record.events(), [heard(2, "ayla is tested"), heard(3, "all hide")]);
    }

    #[test]
    fn an_unanswered_question_leaves_no_entry() {
        let seats = SeatedAgents::new(Generator::of(1)).seat("blue", Box::new(Waiting));
        let mut record = Record::new(seats);
        assert!(matches!(Fake::game().run(&mut record), Err(Stop::Pause)));
        assert_eq!(record.history().len(), 2);
    }

    #[test]
    fn what_a_replay_repeats_is_recorded_inside_and_outside_of_it() {
        let mut first = Record::new(Sampler::new(1, 0));
        Fake::game().run(&mut first).unwrap();
        let prefix = first.history().prefix(3);
        let mut again = Record::new(Replay::new(prefix, Record::new(Sampler::new(1, 0))));
        Fake::game().run(&mut again).unwrap();
        let (replay, outside, _) = again.into_parts();
        assert_eq!(outside, *first.history());
        assert_eq!(replay.then().history(), first.history());
    }
}
