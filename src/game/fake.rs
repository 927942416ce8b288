//! A fake run for tests, which asks a fixed list of questions without any rules.

use crate::error::{Error, Location};
use crate::game::{Chance, Decision, Distribution, Question, Scene, Stop, Value};

#[derive(Clone)]
pub(crate) enum Ask {
    /// A decision: player, name, options.
    Pick(&'static str, &'static str, Vec<Value>),
    /// A joint decision.
    Secret(Vec<(&'static str, &'static str, Vec<Value>)>),
    /// Chance: roller, name, distribution.
    Roll(&'static str, &'static str, Distribution),
}

pub(crate) struct Fake(pub Vec<Ask>);

impl Fake {
    pub(crate) fn game() -> Fake {
        Fake(vec![
            Ask::Pick("red", "bid", ints(5)),
            Ask::Roll("ayla", "test", Distribution::uniform(ints(6)).unwrap()),
            Ask::Secret(vec![
                ("red", "hide", vec!["ford".into(), "hill".into(), "mill".into()]),
                ("blue", "hide", vec!["ford".into(), "hill".into()]),
            ]),
            Ask::Pick("blue", "pay", vec!["1 mana".into(), "2 ore".into()]),
            Ask::Roll("ayla", "card", Distribution::uniform(ints(3)).unwrap()),
        ])
    }

    /// Asks everything, and returns the answers one after another.
    pub(crate) fn run(
        &self,
        answer: &mut dyn FnMut(&Question<'_>) -> Result<usize, Stop>,
    ) -> Result<Vec<usize>, Stop> {
        let mut answers = Vec::new();
        for ask in &self.0 {
            match ask {
                Ask::Pick(player, name, options) => {
                    let decision = Decision { player, name, options, scene: &Table(&[]) };
                    answers.push(answer(&Question::Decision(decision, None))?);
                }
                Ask::Secret(asked) => {
                    let table = Table(asked);
                    for (nth, decision) in table.together().into_iter().enumerate() {
                        let part = Some((nth, asked.len()));
                        answers.push(answer(&Question::Decision(decision, part))?);
                    }
                }
                Ask::Roll(roller, name, distribution) => {
                    let chance = Chance { roller, name, distribution, scene: &Table(&[]) };
                    answers.push(answer(&Question::Chance(chance))?);
                }
            }
        }
        Ok(answers)
    }
}

pub(crate) fn ints(count: i64) -> Vec<Value> {
    (1..=count).map(Value::Int).collect()
}

/// A scene with the decisions of a joint one, and nothing else.
struct Table<'a>(&'a [(&'static str, &'static str, Vec<Value>)]);

impl Scene for Table<'_> {
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

    fn together(&self) -> Vec<Decision<'_>> {
        let all = self.0.iter();
        all.map(|(player, name, options)| Decision { player, name, options, scene: self }).collect()
    }
}

pub(crate) fn failure(stop: Stop) -> Error {
    match stop {
        Stop::Fail(error) => *error,
        Stop::Pause => panic!("nobody answered yet, and nothing failed"),
    }
}
