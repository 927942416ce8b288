//! Redacts hidden information from what the prompt prints for a person who plays.

use crate::conflict::{Play, Position};
use crate::error::Error;
use crate::game::{Action, Actor, Asked, Entry, History, TimedEvent, Value};
use crate::report::{Block, ShowStyle, below_each_other, indented, text};
use crate::script::{Rules, State};

/// The viewer for whom the session prints a conflict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Viewer {
    /// Everything is visible: nobody plays in person, nothing is hidden, or all has been revealed.
    All,
    /// One person looks, who answers for these players; the first is the one asked, or to be asked.
    Of(Vec<String>),
    /// Several people play and none of them is asked, so nobody may look.
    Nobody,
}

/// How the values of a history are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Names {
    /// As in saved histories and in JSON.
    Recorded,
    /// As people type them.
    OfPeople,
}

impl Viewer {
    /// The viewer of a conflict: with one person at the table that person, with several the one
    /// who is asked. Rules without a `view` hide nothing, nor does a conflict that is over.
    pub(crate) fn of(play: &Play, revealed: bool) -> Viewer {
        Viewer::at(play, play.position(), revealed)
    }

    /// The viewer of a line of play at this point.
    pub(crate) fn at(play: &Play, position: &Position, revealed: bool) -> Viewer {
        let Position::Asked(moment) = position else { return Viewer::All };
        if revealed || !play.conflict.rules.hides() {
            return Viewer::All;
        }
        let people = play.people();
        let mut asked = moment.asked.iter().filter(|asked| !asked.chance);
        let asked = asked.find(|asked| play.is_person(&asked.who)).map(|asked| asked.who.as_str());
        match (&people[..], asked) {
            ([], _) => Viewer::All,
            (_, Some(asked)) => Viewer::Of(play.seated_with(asked)),
            ([one], None) => Viewer::Of(one.clone()),
            (_, None) => Viewer::Nobody,
        }
    }

    /// The players of the person who is to look at a shared screen alone, the one asked first: what is shown may be
    /// for them alone, or what another person typed in secret is still on the screen.
    pub(crate) fn alone(play: &Play, revealed: bool) -> Option<Vec<String>> {
        match Viewer::of(play, revealed) {
            Viewer::Of(own) => Some(own),
            Viewer::All if !revealed && play.is_answered_in_secret() => {
                play.asked().map(|asked| play.seated_with(&asked.who))
            }
            Viewer::All | Viewer::Nobody => None,
        }
    }

    /// The decision that a player must make now, if this viewer may see its options.
    pub(crate) fn decision<'p>(&self, play: &'p Play) -> Result<&'p Asked, Error> {
        let asked = play.decision().ok_or_else(|| Error::usage("no player is asked now"))?;
        match self.see_as(&asked.who) {
            true => Ok(asked),
            false => Err(Error::usage(format!(
                "what `{}` can pick is hidden from you; `:reveal` shows all",
                asked.who
            ))),
        }
    }

    pub(crate) fn see_as(&self, player: &str) -> bool {
        match self {
            Viewer::All => true,
            Viewer::Of(own) => own.iter().any(|name| name == player),
            Viewer::Nobody => false,
        }
    }

    /// The visible part of the state.
    pub(crate) fn state(&self, play: &Play) -> Result<Value, Error> {
        match self {
            Viewer::All => Ok(play.state().value()),
            Viewer::Of(own) => {
                let player = own.first().map(String::as_str).unwrap_or_default();
                play.conflict.rules.view(&play.state(), player)
            }
            Viewer::Nobody => Err(Error::usage(
                "several people play and none of them is asked; `:reveal` shows all",
            )),
        }
    }

    /// The rules' picture of the visible part of the state, if they draw one. A picture of a view
    /// is drawn from the view alone, so it cannot show more.
    pub(crate) fn picture(&self, play: &Play) -> Result<Option<String>, Error> {
        play.conflict.rules.picture(&self.seen(play)?)
    }

    pub(crate) fn seen(&self, play: &Play) -> Result<State, Error> {
        self.state(play).map(|seen| State::from_value(&seen))
    }

    /// What this viewer sees of an entry, in a line.
    pub(crate) fn entry(&self, entry: &Entry, names: Names) -> String {
        let own = entry.actions().iter().filter(|one| self.sees_action(one));
        let own = own.map(|one| match names {
            Names::Recorded => one.to_string(),
            Names::OfPeople => one.in_words(),
        });
        own.collect::<Vec<_>>().join(" & ")
    }

    /// The entries of a line that this viewer sees, numbered, each with what was announced after it; those behind the
    /// first `at` are marked as taken back.
    pub(crate) fn history(&self, line: &History, at: usize, events: &[TimedEvent]) -> Vec<String> {
        let seen = line.entries.iter().enumerate().filter(|(_, entry)| self.sees(entry));
        let seen: Vec<(usize, &Entry)> = seen.collect();
        let after = |heard: &TimedEvent| seen.partition_point(|(index, _)| *index < heard.after);
        let announced: Vec<_> = events.iter().map(|heard| (after(heard), &heard.text)).collect();
        let heard = |entries: usize| {
            let own = announced.iter().filter(move |(after, _)| *after == entries);
            own.map(|(_, text)| indented(&below_each_other(text), 6))
        };
        let mut lines: Vec<String> = heard(0).collect();
        let taken_back = seen.iter().position(|(index, _)| *index >= at);
        for (place, (_, entry)) in seen.iter().enumerate() {
            if taken_back == Some(place) {
                lines.push("      -- taken back:".to_owned());
            }
            lines.push(format!("{:>4}  {}", place + 1, self.entry(entry, Names::OfPeople)));
            lines.extend(heard(place + 1));
        }
        lines
    }

    /// The entries that this viewer sees, each in a line with what is for this viewer alone.
    pub(crate) fn entries(&self, history: &History, names: Names) -> Vec<String> {
        let seen = history.entries.iter().filter(|entry| self.sees(entry));
        seen.map(|entry| self.entry(entry, names)).collect()
    }

    /// This viewer, or the other one if this one sees everything.
    pub(crate) fn or(self, other: impl FnOnce() -> Viewer) -> Viewer {
        if self == Viewer::All { other() } else { self }
    }

    /// A mistake as this viewer may read it. What a script says, where it failed and what led there may
    /// show what it saw, and where a history diverges may be at somebody else's decision.
    pub(crate) fn error(&self, error: Error) -> Error {
        if *self == Viewer::All { error } else { error.veiled() }
    }

    /// Whether anything was decided or fell that this viewer may not see. As long as nothing did, a rule
    /// cannot have branched on it, so where a script asks and whether all is the same is no secret.
    pub(crate) fn misses(&self, history: &History) -> bool {
        history.actions().any(|action| !self.sees_action(action))
    }

    /// Refuses to play again what this viewer did not see all of: that other rules fail there, ask
    /// something else or end otherwise may show what is hidden.
    pub(crate) fn may_play_again(&self, history: &History) -> Result<(), Error> {
        match self.misses(history) {
            true => Err(Error::usage(
                "what other rules lead to may show what is hidden from you; `:reveal` first",
            )),
            false => Ok(()),
        }
    }

    /// How many entries this viewer has seen made; others do not count.
    pub(crate) fn count(&self, history: &History) -> usize {
        history.entries.iter().filter(|entry| self.sees(entry)).count()
    }

    /// Whether some of an entry is for this viewer.
    pub(crate) fn sees(&self, entry: &Entry) -> bool {
        entry.actions().iter().any(|action| self.sees_action(action))
    }

    pub(crate) fn sees_action(&self, action: &Action) -> bool {
        let (Actor::Player(who) | Actor::Chance(who)) = &action.actor;
        self.see_as(who)
    }
}

/// Whether people are shown what the `view` of rules returns, as these draw no picture.
pub(crate) fn shows_views(rules: &Rules) -> bool {
    rules.defines("view") && !rules.defines("picture")
}

/// What a `view` returned, as `:view` prints it; nothing while the setup asks.
pub(crate) fn view_in_words(seen: &State, look: ShowStyle) -> Option<String> {
    let seen = seen.value();
    let blocks = seen.as_map().is_some().then(|| [Block::Data(seen)])?;
    Some(text(&blocks, look.width, look.plain))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{Divergence, Recorded, ScriptError, ScriptFault};

    fn red() -> Viewer {
        Viewer::Of(vec!["red".to_owned()])
    }

    #[test]
    fn a_mistake_shows_nothing_of_what_is_hidden() {
        let thrown = || ScriptError::new(ScriptFault::Thrown("blue has the king".to_owned()));
        let fails = |why: &str| Error::agent("sly", crate::error::AgentFault::Own, why);
        let agent = fails("sees: { card: 13 }");
        let entry = History::parse("blue hide \"mill\"").unwrap().entries.remove(0);
        let (recorded, asked) = (Recorded::Entry(entry).into(), Divergence::Over.into());
        let diverged = Error::Diverged { entry: 7, at: None, recorded, asked };
        for error in [thrown().into(), agent, diverged] {
            let printed = red().error(error).to_string();
            for secret in ["king", "13", "mill", "7"] {
                assert!(!printed.contains(secret), "{printed}");
            }
            assert!(printed.contains("`:reveal` shows"), "{printed}");
        }
        assert_eq!(Viewer::All.error(thrown().into()).to_string(), "blue has the king");
        let unasked = fails("does not begin").unasked();
        assert_eq!(red().error(unasked).to_string(), "agent `sly`: does not begin");
        let syntax = ScriptError::new(ScriptFault::Syntax("expecting `;`".to_owned()));
        assert_eq!(red().error(syntax.into()).to_string(), "expecting `;`");
    }

    #[test]
    fn entries_of_others_do_not_count() {
        let text = "chance blue card 3\nchance red card 1\nblue hide 1 & red hide 2\nblue bid 5";
        let history = History::parse(text).unwrap();
        assert_eq!([red().count(&history), Viewer::Nobody.count(&history)], [2, 0]);
        assert_eq!(Viewer::All.count(&history), 4);
    }
}
