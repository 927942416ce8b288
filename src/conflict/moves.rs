//! Moves on the lines of play: undo and redo along one, forks, and switching between lines and ways. All of them end
//! in `Play::move_to`, which plays up to the place that they found.

use super::play::Given;
use super::{Line, Play, RunUntil, Way};
use crate::error::Error;
use crate::game::{Action, Actor, Entry, History, Outcome};
use crate::report::many;

const CUT_OFF: &str = ": what was cut off does not fit the current rules";

impl Play {
    /// Takes back the last `count` decisions of people, with all that followed each; where no
    /// person plays, as many entries. Returns how many were taken back.
    ///
    /// # Errors
    /// [`Error::Usage`] where there is nothing to take back; otherwise those of the rules.
    pub fn undo(&mut self, count: usize) -> Result<usize, Error> {
        // A first answer to a joint decision is not in the history yet; it goes first.
        let given = self.given.len().min(count);
        let mut left = self.given.clone();
        let place = if given > 0 { self.line.at() } else { self.ungiven.0 };
        let mut ungiven = left.split_off(left.len() - given);
        ungiven.extend(self.ungiven.1.clone());
        let mut before = self.marks();
        before.retain(|&at| at < self.line.at());
        let steps = (count - given).min(before.len());
        if given + steps == 0 {
            return Err(Error::usage("there is nothing to take back"));
        }
        if steps > 0 {
            self.move_along(before[before.len() - steps])?;
        } else {
            self.move_to(self.seed, self.line.clone(), left, RunUntil::PersonAsked)?;
        }
        self.ungiven = (place, ungiven);
        Ok(given + steps)
    }

    /// Makes again what was taken back. Returns how many decisions were made again.
    ///
    /// # Errors
    /// [`Error::Usage`] where nothing was taken back; else the rules' own.
    pub fn redo(&mut self, count: usize) -> Result<usize, Error> {
        let end = self.line.whole().len();
        let at = self.line.at();
        let mut after = self.marks();
        after.push(end);
        // First answers to a joint decision come before what followed there on the line.
        let (place, mut left) = self.ungiven.clone();
        after.retain(|&mark| mark > at && (left.is_empty() || mark <= place));
        if !self.given_is_on_line() {
            after.clear();
        }
        let steps = count.min(after.len());
        let mut given = self.given.clone();
        let again = (count - steps).min(left.len());
        if steps + again == 0 {
            let why = if self.line.is_cut() { CUT_OFF } else { "" };
            return Err(Error::usage(format!("there is nothing to make again{why}")));
        }
        if again > 0 {
            let later = left.split_off(again);
            given.extend(std::mem::replace(&mut left, later));
            let mut line = self.line.clone();
            line.move_to_entry(place);
            self.move_to(self.seed, line, given, RunUntil::PersonAsked)?;
        } else {
            self.move_along(after[steps - 1])?;
        }
        self.ungiven = (place, left);
        Ok(steps + again)
    }

    /// Whether the first answers to an open joint decision are those that the line has there.
    fn given_is_on_line(&self) -> bool {
        let next = self.line.whole().entries.get(self.line.at());
        let actions = next.map(Entry::actions).unwrap_or_default();
        self.given.iter().all(|((player, name), picked)| {
            let is_own = |who: &Actor| matches!(who, Actor::Player(own) if own == player);
            let is_it = |one: &Action| one.name == *name && one.value == picked.value;
            actions.iter().any(|one| is_own(&one.actor) && is_it(one))
        })
    }

    /// Moves to the place after `count` entries of the line, at the very next question.
    ///
    /// # Errors
    /// [`Error::Usage`] past the end of the line; else the rules' own.
    pub fn goto(&mut self, count: usize) -> Result<(), Error> {
        let end = self.line.whole().len();
        if count > end {
            let entries = many(end as u64, "entry");
            return Err(Error::usage(format!("the history has {entries}, not {count}")));
        }
        self.move_along(count)
    }

    /// The places that undo and redo stop at, as numbers of entries: before each decision of a person, or
    /// before each entry where no person plays. A person cannot go back further than to their first
    /// decision: what others did before it may be hidden from them.
    fn marks(&self) -> Vec<usize> {
        let entries = self.line.whole().entries.iter().enumerate();
        let nobody_plays = self.people().is_empty();
        let marks = entries.filter(|(_, entry)| nobody_plays || self.is_of_person(entry));
        marks.map(|(at, _)| at).collect()
    }

    fn move_along(&mut self, at: usize) -> Result<(), Error> {
        let mut line = self.line.clone();
        line.move_to_entry(at);
        self.move_to(self.seed, line, Given::default(), RunUntil::NextQuestion)
    }

    /// The name of the line that is played.
    pub fn line_name(&self) -> &str {
        &self.name
    }

    /// All lines by name, and whether it is the one that is played.
    pub fn lines(&self) -> Vec<(&str, &Line, bool)> {
        let current = (self.name.as_str(), &self.line, true);
        let others = self.lines.iter().map(|(name, line)| (name.as_str(), line, false));
        let mut all: Vec<_> = std::iter::once(current).chain(others).collect();
        all.sort_unstable_by_key(|(name, ..)| *name);
        all
    }

    /// The line of this name.
    pub fn line(&self, name: &str) -> Option<&Line> {
        if name == self.name { Some(&self.line) } else { self.lines.get(name) }
    }

    /// Switches to the line of this name; if there is none, to a copy of the one played.
    /// Returns whether it is new.
    ///
    /// # Errors
    /// [`Error::Usage`] for a name that is no word; else the rules' own. The line that is played
    /// then does not change.
    pub fn fork(&mut self, name: &str) -> Result<bool, Error> {
        let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        if name.is_empty() || !name.chars().all(plain) {
            return Err(Error::usage(format!("`{name}` is not a name for a fork")));
        }
        if name == self.name {
            return Ok(false);
        }
        let left = self.line.clone();
        let new = !self.lines.contains_key(name);
        if let Some(line) = self.lines.get(name) {
            self.move_to(self.seed, line.clone(), Given::default(), RunUntil::NextQuestion)?;
            self.lines.shift_remove(name);
        }
        let left_name = std::mem::replace(&mut self.name, name.to_owned());
        self.past.forget(&left.entire());
        self.lines.insert(left_name, left);
        Ok(new)
    }

    /// All ways: the line that is played, the other lines, then those that were left, the newest first.
    pub fn ways(&self) -> Vec<Way> {
        let line = |(name, line): (&String, &Line)| Way {
            name: Some(name.clone()),
            history: line.entire(),
            at: Some(line.at()),
        };
        let current = std::iter::once((&self.name, &self.line));
        let mut ways: Vec<Way> = current.chain(&self.lines).map(line).collect();
        for history in self.past.left().iter().rev() {
            if !ways.iter().any(|way| way.history.begins_with(history)) {
                ways.push(Way { name: None, history: history.clone(), at: None });
            }
        }
        ways
    }

    /// How a way ended, where it was seen to end under the rules of now.
    pub(crate) fn end_of(&self, history: &History) -> Option<&Outcome> {
        self.past.end(history)
    }

    /// Plays a way to where it leads, and keeps how it ends. Whoever may not see all of it must not ask.
    pub(crate) fn find_end(&mut self, history: &History) -> Result<Option<Outcome>, Error> {
        let outcome = self.run(history.clone(), None)?.position().outcome().cloned();
        outcome.iter().for_each(|one| self.past.ended(history.clone(), one.clone()));
        Ok(outcome)
    }

    /// Moves to the place after `count` entries of a way, at the very next question: on the line that is
    /// played where it goes there, else on another line, else on this one, which leaves its own way. On error nothing
    /// changes.
    pub(crate) fn goto_way(&mut self, history: &History, count: usize) -> Result<(), Error> {
        let wanted = history.prefix(count);
        let goes_there = |line: &Line| line.whole().begins_with(&wanted);
        if goes_there(&self.line) {
            return self.goto(count);
        }
        let other = self.lines.iter().find(|(_, line)| goes_there(line));
        if let Some(name) = other.map(|(name, _)| name.clone()) {
            self.fork(&name)?;
            return self.goto(count);
        }
        let mut line = Line::new(history.clone());
        line.move_to_entry(count);
        self.move_to(self.seed, line, Given::default(), RunUntil::NextQuestion)
    }
}
