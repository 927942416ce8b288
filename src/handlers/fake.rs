//! A fake script for tests of handlers, which asks a fixed list of questions without any rules.

use crate::error::{Error, Location};
use crate::game::{Chance, Decision, Distribution, Handler, Options, Scene, Stop, Value};

/// One thing the fake script does.
#[derive(Clone)]
pub(super) enum Ask {
    /// A decision: player, name, options.
    Pick(&'static str, &'static str, Vec<Value>),
    /// A joint decision.
    Secret(Vec<(&'static str, &'static str, Vec<Value>)>),
    /// Chance: roller, name, distribution.
    Roll(&'static str, &'static str, Distribution),
    /// An event.
    Say(&'static str),
}

/// A script that does the same for any answers.
pub(super) struct Fake(pub Vec<Ask>);

impl Fake {
    /// Two decisions, a joint one and two rolls.
    pub(super) fn game() -> Fake {
        Fake(vec![
            Ask::Pick("red", "bid", ints(5)),
            Ask::Roll("ayla", "test", Distribution::uniform(ints(6)).unwrap()),
            Ask::Say("ayla is tested"),
            Ask::Secret(vec![
                ("red", "hide", vec!["ford".into(), "hill".into(), "mill".into()]),
                ("blue", "hide", vec!["ford".into(), "hill".into()]),
            ]),
            Ask::Say("all hide"),
            Ask::Pick("blue", "pay", vec!["1 mana".into(), "2 ore".into()]),
            Ask::Roll("ayla", "card", Distribution::uniform(ints(3)).unwrap()),
        ])
    }

    /// Asks a handler everything, and returns the answers one after another.
    pub(super) fn run(&self, handler: &mut dyn Handler) -> Result<Vec<usize>, Stop> {
        let mut answers = Vec::new();
        for ask in &self.0 {
            match ask {
                Ask::Pick(player, name, options) => {
                    let options = Listed(options.clone());
                    answers.push(handler.decide(&decision(player, name, &options))?);
                }
                Ask::Secret(asked) => {
                    let listed: Vec<Listed> =
                        asked.iter().map(|(_, _, options)| Listed(options.clone())).collect();
                    let decisions: Vec<Decision<'_>> = asked
                        .iter()
                        .zip(&listed)
                        .map(|((player, name, _), options)| decision(player, name, options))
                        .collect();
                    answers.extend(handler.decide_together(&decisions)?);
                }
                Ask::Roll(roller, name, distribution) => {
                    let chance = Chance { roller, name, distribution, scene: &Blind };
                    answers.push(handler.roll(&chance)?);
                }
                Ask::Say(text) if handler.listens() => handler.event(text),
                Ask::Say(_) => {}
            }
        }
        Ok(answers)
    }

    /// How many answers each question has, in the order of [`Fake::run`].
    pub(super) fn offered(&self) -> Vec<usize> {
        let count = |ask: &Ask| match ask {
            Ask::Pick(_, _, options) => vec![options.len()],
            Ask::Secret(asked) => asked.iter().map(|(_, _, options)| options.len()).collect(),
            Ask::Roll(_, _, distribution) => vec![distribution.values().len()],
            Ask::Say(_) => vec![],
        };
        self.0.iter().flat_map(count).collect()
    }
}

/// The whole numbers from 1.
pub(super) fn ints(count: i64) -> Vec<Value> {
    (1..=count).map(Value::Int).collect()
}

/// A decision with nothing to be seen.
pub(super) fn decision<'a>(player: &'a str, name: &'a str, options: &'a Listed) -> Decision<'a> {
    Decision { player, name, options, scene: &Blind }
}

/// Options from a list.
pub(super) struct Listed(pub Vec<Value>);

impl Options for Listed {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn value(&self, index: usize) -> Value {
        self.0[index].clone()
    }
}

/// A scene without anything in it.
pub(super) struct Blind;

impl Scene for Blind {
    fn view(&self, _player: &str) -> Result<Value, Error> {
        Ok(Value::Unit)
    }

    fn picture(&self) -> Result<Option<String>, Error> {
        Ok(None)
    }

    fn state(&self) -> Value {
        Value::Unit
    }

    fn asked_at(&self) -> Option<Location> {
        None
    }
}

/// The error a handler failed with.
pub(super) fn error(stop: Stop) -> Error {
    match stop {
        Stop::Fail(error) => *error,
        Stop::Pause => panic!("the handler paused instead of failing"),
    }
}
