//! A handler that replays a history, then hands over to another handler.

use super::Skip;
use crate::error::{Divergence, Error, Recorded};
use crate::game::{Action, Actor, Chance, Decision, Entry, Handler, History, Stop};

/// Answers from a history, and through another handler when the history is at its end.
///
/// The other handler hears of every repeated answer, so a seeded one then continues as if it had
/// given them itself. A question that the next entry does not answer is an [`Error::Diverged`].
#[derive(Clone, Debug)]
pub struct Replay<H> {
    history: History,
    next: usize,
    then: H,
}

impl<H> Replay<H> {
    /// Repeats the history, then continues with another handler.
    pub fn new(history: History, then: H) -> Replay<H> {
        Replay { history, next: 0, then }
    }

    /// How many entries have been repeated.
    pub fn repeated(&self) -> usize {
        self.next
    }

    /// The handler that continues.
    pub fn then(&self) -> &H {
        &self.then
    }

    /// To be asked when the conflict is over.
    ///
    /// # Errors
    /// [`Error::Diverged`] when the history has more entries than the conflict had questions.
    pub fn finish(&self) -> Result<(), Error> {
        match self.history.entries.get(self.next) {
            Some(entry) => Err(self.diverged(entry, Divergence::Over)),
            None => Ok(()),
        }
    }

    /// The answer of the next entry, which is then repeated; a divergence where it answers something else.
    fn recorded<A>(
        &mut self,
        answer: Option<A>,
        asked: impl FnOnce() -> Divergence,
    ) -> Result<A, Stop> {
        let entry = &self.history.entries[self.next];
        let answer = answer.ok_or_else(|| self.diverged(entry, asked()))?;
        self.next += 1;
        Ok(answer)
    }

    fn diverged(&self, entry: &Entry, asked: Divergence) -> Error {
        Error::Diverged {
            entry: self.next + 1,
            at: None,
            recorded: Box::new(Recorded::Entry(entry.clone())),
            asked: Box::new(asked),
        }
    }
}

impl Replay<Pause> {
    /// Repeats the history, then stops with [`Stop::Pause`].
    pub fn alone(history: History) -> Replay<Pause> {
        Replay::new(history, Pause)
    }
}

impl Replay<End> {
    /// Repeats a history that must be whole: one more question than it answers is a divergence.
    pub fn whole(history: History) -> Replay<End> {
        let end = End { entries: history.len() };
        Replay::new(history, end)
    }
}

/// The index that an action picked, if it answers the decision.
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
            chance.distribution.values().iter().position(|value| *value == action.value)
        }
        _ => None,
    }
}

impl<H: Skip> Handler for Replay<H> {
    fn decide(&mut self, decision: &Decision<'_>) -> Result<usize, Stop> {
        let answer = match self.history.entries.get(self.next) {
            None => return self.then.decide(decision),
            Some(Entry::One(action)) => pick(decision, action),
            Some(Entry::Together(_)) => None,
        };
        let answer = self.recorded(answer, || Divergence::Asks(decision.into()))?;
        self.then.skip_decision(decision, answer);
        Ok(answer)
    }

    fn decide_together(&mut self, decisions: &[Decision<'_>]) -> Result<Vec<usize>, Stop> {
        let answers = match self.history.entries.get(self.next) {
            None => return self.then.decide_together(decisions),
            Some(Entry::Together(actions)) => pick_together(decisions, actions),
            Some(Entry::One(_)) => None,
        };
        let answers = self.recorded(answers, || together(decisions))?;
        self.then.skip_together(decisions, &answers);
        Ok(answers)
    }

    fn roll(&mut self, chance: &Chance<'_>) -> Result<usize, Stop> {
        let answer = match self.history.entries.get(self.next) {
            None => return self.then.roll(chance),
            Some(Entry::One(action)) => fall(chance, action),
            Some(Entry::Together(_)) => None,
        };
        let answer = self.recorded(answer, || Divergence::Asks(chance.into()))?;
        self.then.skip_roll(chance, answer);
        Ok(answer)
    }

    fn event(&mut self, text: &str) {
        self.then.event(text);
    }

    fn listens(&self) -> bool {
        self.then.listens()
    }

    fn deliberates(&self) -> bool {
        self.then.deliberates()
    }
}

fn together(decisions: &[Decision<'_>]) -> Divergence {
    Divergence::Together(decisions.iter().map(Into::into).collect())
}

/// Answers nothing: the playout unwinds with [`Stop::Pause`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Pause;

impl Handler for Pause {
    fn decide(&mut self, _decision: &Decision<'_>) -> Result<usize, Stop> {
        Err(Stop::Pause)
    }

    fn decide_together(&mut self, _decisions: &[Decision<'_>]) -> Result<Vec<usize>, Stop> {
        Err(Stop::Pause)
    }

    fn roll(&mut self, _chance: &Chance<'_>) -> Result<usize, Stop> {
        Err(Stop::Pause)
    }
}

/// Answers nothing: the history ought to have answered everything, so it diverges here.
#[derive(Clone, Copy, Debug)]
pub struct End {
    entries: usize,
}

impl End {
    fn diverged(self, asked: Divergence) -> Stop {
        Stop::from(Error::Diverged {
            entry: self.entries + 1,
            at: None,
            recorded: Box::new(Recorded::End),
            asked: Box::new(asked),
        })
    }
}

impl Handler for End {
    fn decide(&mut self, decision: &Decision<'_>) -> Result<usize, Stop> {
        Err(self.diverged(Divergence::Asks(decision.into())))
    }

    fn decide_together(&mut self, decisions: &[Decision<'_>]) -> Result<Vec<usize>, Stop> {
        Err(self.diverged(together(decisions)))
    }

    fn roll(&mut self, chance: &Chance<'_>) -> Result<usize, Stop> {
        Err(self.diverged(Divergence::Asks(chance.into())))
    }
}

/// Neither draws anything.
macro_rules! draws_nothing {
    ($($handler:ty),+) => {$(
        impl Skip for $handler {
            fn skip_question(&mut self) {}
        }
    )+};
}

draws_nothing!(Pause, End);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handlers::fake::{Fake, error};
    use crate::handlers::{First, Generator, Record, Sampler, SeatedAgents};

    const WHOLE: &str = "red bid 5\nchance ayla test 4\nred hide \"mill\" & blue hide \"ford\"\n\
                         blue pay \"2 ore\"\nchance ayla card 1\n";

    fn history(text: &str) -> History {
        History::parse(text).unwrap()
    }

    #[test]
    fn a_history_gives_its_answers_again() {
        let mut replay = Replay::whole(history(WHOLE));
        assert_eq!(Fake::game().run(&mut replay).unwrap(), [4, 3, 2, 0, 1, 0]);
        assert_eq!(replay.repeated(), 5);
        replay.finish().unwrap();
    }

    #[test]
    fn at_its_end_it_pauses_or_diverges_or_hands_over() {
        let prefix = history(WHOLE).prefix(3);
        assert!(matches!(Fake::game().run(&mut Replay::alone(prefix.clone())), Err(Stop::Pause)));

        let message =
            error(Fake::game().run(&mut Replay::whole(prefix.clone())).unwrap_err()).to_string();
        assert_eq!(
            message,
            "the history diverges at entry 4: it has `the end of the history`, the rules ask \
             a decision of `blue`, `pay` (1 mana, 2 ore)"
        );

        let seats = SeatedAgents::new(Generator::of(1)).otherwise(Box::new(First));
        let answers = Fake::game().run(&mut Replay::new(prefix, seats)).unwrap();
        assert_eq!(answers[..5], [4, 3, 2, 0, 0]);
    }

    #[test]
    fn a_divergence_names_the_entry_and_both_questions() {
        let game = Fake::game();
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
            let mut replay = Replay::alone(history(&lines.join("\n")));
            assert_eq!(
                error(game.run(&mut replay).unwrap_err()).to_string(),
                format!(
                    "the history diverges at entry {number}: it has `{line}`, the rules ask {}",
                    asks[number - 1]
                )
            );
        }
    }

    #[test]
    fn left_over_entries_are_a_divergence() {
        let mut replay = Replay::alone(history(&format!("{WHOLE}red bid 2\nred bid 3\n")));
        Fake::game().run(&mut replay).unwrap();
        assert_eq!(
            replay.finish().unwrap_err().to_string(),
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
        let answers = Fake::game().run(&mut Replay::whole(history(&swapped))).unwrap();
        assert_eq!(answers[2..4], [2, 0]);
    }

    #[test]
    fn the_same_answers_lead_to_the_same_dice_from_wherever_they_are_repeated() {
        let game = Fake::game();
        for playout in 0..20 {
            let mut record = Record::new(Sampler::new(8, playout));
            let answers = game.run(&mut record).unwrap();
            for count in 0..=record.history().len() {
                let prefix = record.history().prefix(count);
                let sampler = Sampler::new(8, playout);
                assert_eq!(game.run(&mut Replay::new(prefix.clone(), sampler)).unwrap(), answers);
                let seats = SeatedAgents::new(Generator::playout(8, playout));
                assert_eq!(game.run(&mut Replay::new(prefix, seats)).unwrap(), answers);
            }
        }
    }

    #[test]
    fn another_answer_leaves_later_dice_as_they_would_have_fallen() {
        let game = Fake::game();
        let answers = game.run(&mut Sampler::new(8, 0)).unwrap();
        for bid in 1..=5 {
            let start = history(&format!("red bid {bid}\n"));
            let other = game.run(&mut Replay::new(start, Sampler::new(8, 0))).unwrap();
            assert_eq!(other[0] + 1, bid);
            assert_eq!(other[1..], answers[1..]);
        }
    }
}
