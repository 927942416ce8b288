//! What a script asks: decisions of players and chance, and the words in which a player reads them.

use std::any::Any;

use indexmap::IndexMap;

use super::{Asked, Distribution, Value};
use crate::error::{Error, Location};

/// The finite list a decision offers, made into values only where somebody looks.
pub trait Options {
    /// How many options there are; at least 2.
    fn len(&self) -> usize;

    /// The option at an index below [`Options::len`].
    fn value(&self, index: usize) -> Value;

    /// Whether there is no option at all.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All options, in order.
    fn values(&self) -> Vec<Value> {
        (0..self.len()).map(|index| self.value(index)).collect()
    }

    /// The options as whoever offers them holds them, where that is not plain data.
    fn held(&self) -> Option<&dyn Any> {
        None
    }

    /// Writes what distinguishes these options from others of the same script.
    fn write_key(&self, key: &mut Vec<u8>) {
        self.values().iter().for_each(|value| key.extend(value.literal().bytes()));
    }

    /// The index of an option, compared as a value.
    fn index_of(&self, value: &Value) -> Option<usize> {
        (0..self.len()).find(|&index| self.value(index) == *value)
    }
}

impl Options for Vec<Value> {
    fn len(&self) -> usize {
        Vec::len(self)
    }

    fn value(&self, index: usize) -> Value {
        self[index].clone()
    }
}

/// What can be seen at a question. Built only when asked for.
pub trait Scene {
    /// What a player may see of the state.
    fn view(&self, player: &str) -> Result<Value, Error>;

    /// The same as whoever shows it holds it, or as plain data: for a script to look at.
    fn held_view(&self, player: &str) -> Result<Box<dyn Any>, Error> {
        Ok(Box::new(self.view(player)?))
    }

    /// The operations that the view took which was made just now.
    fn view_cost(&self) -> u64 {
        0
    }

    /// The rules' picture of the state, for people who may see all of it.
    fn picture(&self) -> Result<Option<String>, Error>;

    /// The state as it is in the middle of the step.
    fn state(&self) -> Value;

    /// The line of the script that asks.
    fn asked_at(&self) -> Option<Location>;

    /// All decisions of the joint decision that is open here, in the order in which they are asked.
    fn together(&self) -> Vec<Decision<'_>> {
        Vec::new()
    }
}

/// What a run asks: one answer is the index of an option, or of what falls.
#[derive(Clone, Copy)]
pub enum Question<'a> {
    /// A player's. Where players decide together, in secret, each is asked in turn: which of them this is, from
    /// 0, and how many they are.
    Decision(Decision<'a>, Option<(usize, usize)>),
    /// Chance's.
    Chance(Chance<'a>),
}

impl<'a> Question<'a> {
    /// How many answers there are.
    pub fn len(&self) -> usize {
        match self {
            Question::Decision(decision, _) => decision.options.len(),
            Question::Chance(chance) => chance.distribution.values().len(),
        }
    }

    /// Whether there is none; never so.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn value(&self, index: usize) -> Option<Value> {
        match self {
            Question::Decision(decision, _) => {
                (index < decision.options.len()).then(|| decision.options.value(index))
            }
            Question::Chance(chance) => chance.distribution.values().get(index).cloned(),
        }
    }

    /// The index of a value among the answers, if it is one.
    pub(crate) fn index_of(&self, value: &Value) -> Option<usize> {
        match self {
            Question::Decision(decision, _) => decision.options.index_of(value),
            Question::Chance(chance) => chance.distribution.index_of(value),
        }
    }

    /// What is asked of the one player, or of chance.
    pub(crate) fn asked(&self) -> Asked {
        match self {
            Question::Decision(decision, _) => decision.into(),
            Question::Chance(chance) => chance.into(),
        }
    }

    /// Which part of a joint decision it is, if it is one, and of how many.
    pub(crate) fn part(&self) -> Option<(usize, usize)> {
        match self {
            Question::Decision(_, part) => *part,
            Question::Chance(_) => None,
        }
    }

    pub(crate) fn scene(&self) -> &'a dyn Scene {
        match self {
            Question::Decision(decision, _) => decision.scene,
            Question::Chance(chance) => chance.scene,
        }
    }

    pub(crate) fn all_asked(&self) -> Vec<Asked> {
        match self {
            Question::Decision(decision, Some(_)) => {
                decision.scene.together().iter().map(Into::into).collect()
            }
            one => vec![one.asked()],
        }
    }
}

/// A player is asked to pick one option.
#[derive(Clone, Copy)]
pub struct Decision<'a> {
    /// Who is asked.
    pub player: &'a str,
    /// What for: `bid`, `pay`, …
    pub name: &'a str,
    /// What can be picked; at least two options.
    pub options: &'a dyn Options,
    /// What can be seen.
    pub scene: &'a dyn Scene,
}

/// Something falls: dice, a card.
#[derive(Clone, Copy)]
pub struct Chance<'a> {
    /// For whom it falls.
    pub roller: &'a str,
    /// What it is: `test`, `card`, …
    pub name: &'a str,
    /// What may fall.
    pub distribution: &'a Distribution,
    /// What can be seen.
    pub scene: &'a dyn Scene,
}

impl From<&Decision<'_>> for Asked {
    fn from(decision: &Decision<'_>) -> Asked {
        Asked {
            chance: false,
            who: decision.player.to_owned(),
            name: decision.name.to_owned(),
            options: decision.options.values(),
            at: decision.scene.asked_at(),
        }
    }
}

impl From<&Chance<'_>> for Asked {
    fn from(chance: &Chance<'_>) -> Asked {
        Asked {
            chance: true,
            who: chance.roller.to_owned(),
            name: chance.name.to_owned(),
            options: chance.distribution.values().to_vec(),
            at: chance.scene.asked_at(),
        }
    }
}

/// The texts of a question. What has none is shown by its name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wording {
    /// The question in a player's words, in one line.
    pub text: Option<String>,
    /// A line that explains it.
    pub help: Option<String>,
    /// The texts of options, by their index.
    pub options: IndexMap<usize, OptionWording>,
    /// Names for which there is a text, and no option.
    pub unknown: Vec<String>,
}

/// The texts of an option.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OptionWording {
    /// What it means, in one line.
    pub text: Option<String>,
    /// A line that explains it.
    pub help: Option<String>,
}

impl Wording {
    pub(crate) fn of_option(&self, index: usize) -> Option<&str> {
        self.options.get(&index)?.text.as_deref()
    }

    pub(crate) fn help_of_option(&self, index: usize) -> Option<&str> {
        self.options.get(&index)?.help.as_deref()
    }
}

/// Why nobody answers.
#[derive(Debug)]
pub enum Stop {
    /// The run waits here: a person has not answered yet.
    Pause,
    /// Who is asked cannot answer, and the playout fails with this error.
    Fail(Box<Error>),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Fail(Box::new(error))
    }
}

impl From<Stop> for Error {
    /// A playout's end without an outcome; a pause ends it too if nobody can resume it.
    fn from(stop: Stop) -> Error {
        match stop {
            Stop::Fail(error) => *error,
            Stop::Pause => Error::Interrupted,
        }
    }
}
