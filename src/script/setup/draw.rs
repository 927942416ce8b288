//! The values of a setup that are drawn before it is read: `{ one_of = [1, 2], weights = [3, 1] }`.

use std::sync::Arc;

use indexmap::IndexMap;
use num_bigint::BigUint;

use super::reader::parts;
use super::{ONE_OF, Reader, Setup};
use crate::error::{Error, Location, Recorded, nearest};
use crate::game::{Action, Actor, Asked, Distribution, Entry, Follow, Question, Value};

/// The key of how likely each of them is beside the others.
const WEIGHTS: &str = "weights";

/// A value of a setup that is drawn.
#[derive(Clone, Debug)]
pub(crate) struct Draw {
    /// Its dotted path: `setup.black.stack`.
    pub place: String,
    /// What may be drawn.
    pub distribution: Arc<Distribution>,
    listed: Arc<Value>,
}

impl Setup {
    /// The values that are drawn, in the order of the file.
    pub(crate) fn draws(&self) -> Result<Vec<Draw>, Error> {
        let mut draws = Vec::new();
        self.find_draws(&self.value, "setup", &mut draws)?;
        Ok(draws)
    }

    /// The setup with what was drawn in the places of [`Setup::draws`].
    pub(crate) fn drawn(&self, draws: Vec<Draw>, values: Vec<Value>) -> Setup {
        let mut next = values.iter();
        let value = with_values(&self.value, &mut next);
        let outer = self.locate.clone();
        let locate = move |place: &str| {
            let inner = draws.iter().zip(&values).find_map(|(draw, value)| {
                let rest = place.strip_prefix(&draw.place)?;
                let listed = draw.listed.as_list()?.iter().position(|listed| listed == value)?;
                let is_within = rest.is_empty() || rest.starts_with('.');
                is_within.then(|| format!("{}.{ONE_OF}.{listed}{rest}", draw.place))
            });
            inner.and_then(|inner| outer(&inner)).or_else(|| outer(place))
        };
        Setup::located(value, Arc::new(locate))
    }

    fn find_draws(&self, value: &Value, place: &str, draws: &mut Vec<Draw>) -> Result<(), Error> {
        if let Some((table, listed)) = value.as_map().and_then(|map| Some((map, map.get(ONE_OF)?)))
        {
            draws.push(self.draw(table, listed, place)?);
            return Ok(());
        }
        let mut parts = parts(value).into_iter();
        parts.try_for_each(|(key, part)| self.find_draws(part, &format!("{place}.{key}"), draws))
    }

    fn draw(
        &self,
        table: &IndexMap<String, Value>,
        listed: &Value,
        place: &str,
    ) -> Result<Draw, Error> {
        if let Some(key) = table.keys().find(|key| ![ONE_OF, WEIGHTS].contains(&key.as_str())) {
            let nearest = nearest(key, [ONE_OF, WEIGHTS]);
            let message = format!("no such key beside `{ONE_OF}`");
            return Err(self.wrong(format!("{place}.{key}"), message, nearest));
        }
        let refused =
            |key: &str, message: String| self.wrong(format!("{place}.{key}"), message, None);
        let values = match listed {
            Value::List(values) if !values.is_empty() => values,
            other => {
                let got = if other.as_list().is_some() { "an empty list" } else { other.kind() };
                let message = format!("must be a list of the values that may be drawn, got {got}");
                return Err(refused(ONE_OF, message));
            }
        };
        for (index, value) in values.iter().enumerate() {
            let mut inner = Vec::new();
            self.find_draws(value, &format!("{place}.{ONE_OF}.{index}"), &mut inner)?;
            if let Some(inner) = inner.into_iter().next() {
                let message = "a value that is drawn cannot hold one that is drawn".to_owned();
                return Err(self.wrong(inner.place, message, None));
            }
        }
        let one = BigUint::from(1u8);
        let weights = match table.get(WEIGHTS) {
            None => vec![one; values.len()],
            Some(Value::List(weights)) if weights.len() == values.len() => {
                let weight = |(index, weight): (usize, &Value)| match weight {
                    Value::Int(weight @ 1..) => Ok(BigUint::from(weight.unsigned_abs())),
                    other => Err(refused(
                        &format!("{WEIGHTS}.{index}"),
                        format!("must be a whole number of 1 or more, got {}", other.literal()),
                    )),
                };
                weights.iter().enumerate().map(weight).collect::<Result<_, _>>()?
            }
            Some(other) => {
                let got = match other {
                    Value::List(weights) => weights.len().to_string(),
                    other => other.kind().to_owned(),
                };
                let many = values.len();
                let message = format!("must be a list of {many}, one for each value, got {got}");
                return Err(refused(WEIGHTS, message));
            }
        };
        let made = Distribution::new(values.iter().cloned().zip(weights));
        let distribution = made.map_err(|error| refused(ONE_OF, error.to_string()))?;
        let distribution = Arc::new(distribution);
        Ok(Draw { place: place.to_owned(), distribution, listed: Arc::new(listed.clone()) })
    }

    pub(super) fn wrong(&self, place: String, message: String, nearest: Option<String>) -> Error {
        let at = (self.locate)(&place);
        Error::Setup { place, message, nearest, at }
    }
}

fn with_values<'v>(value: &Value, next: &mut impl Iterator<Item = &'v Value>) -> Value {
    match value {
        Value::Map(map) if map.contains_key(ONE_OF) => next.next().cloned().unwrap_or_default(),
        Value::Map(map) => {
            let each = |(key, value): (&String, &Value)| (key.clone(), with_values(value, next));
            Value::Map(map.iter().map(each).collect())
        }
        Value::List(items) => {
            Value::List(items.iter().map(|item| with_values(item, next)).collect())
        }
        other => other.clone(),
    }
}

/// What is drawn before a setup is read, as far as it was drawn.
#[derive(Clone)]
pub(crate) struct Drawing {
    setup: Setup,
    draws: Arc<[Draw]>,
    values: Vec<Value>,
}

impl Drawing {
    /// Of a setup of which nothing is drawn yet. The script of a campaign draws each conflict's by itself.
    pub(crate) fn new(setup: Setup, is_campaign: bool) -> Result<Drawing, Error> {
        let draws = if is_campaign { Vec::new() } else { setup.draws()? };
        let draws: Arc<[Draw]> = draws.into();
        if !draws.is_empty() {
            // They appear in the lines that show what is drawn.
            Reader::new(&setup).check_names()?;
        }
        Ok(Drawing { setup, draws, values: Vec::new() })
    }

    pub(crate) fn next(&self) -> Option<&Draw> {
        self.draws.get(self.values.len())
    }

    pub(crate) fn take(&mut self, index: usize) -> Result<(), Error> {
        let Some(draw) = self.next() else { return Ok(()) };
        let Some(value) = draw.distribution.values().get(index) else {
            let message = format!("`{}`: the answer {index} is past the last option", draw.place);
            return Err(Error::usage(message));
        };
        self.values.push(value.clone());
        Ok(())
    }

    pub(crate) fn setup(&self) -> Setup {
        match self.draws.is_empty() {
            true => self.setup.clone(),
            false => self.setup.drawn(self.draws.to_vec(), self.values.clone()),
        }
    }

    /// The place in the file of what is drawn next.
    pub(crate) fn location(&self) -> Option<Location> {
        (self.setup.locate)(&self.next()?.place)
    }

    pub(crate) fn bytes(&self) -> usize {
        let of = |draw: &Draw| {
            size_of::<Draw>() + draw.place.len() + draw.distribution.bytes() + draw.listed.bytes()
        };
        let drawn: usize = self.values.iter().map(Value::bytes).sum();
        self.setup.value.bytes() + self.draws.iter().map(of).sum::<usize>() + drawn
    }
}

/// The answers after which a conflict begins, and how far they were given.
pub(crate) struct Beginning {
    setup: Setup,
    follow: Follow,
}

impl Beginning {
    pub(crate) fn of(setup: &Setup) -> Beginning {
        Beginning { setup: setup.clone(), follow: Follow::new((*setup.begin).clone()) }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.follow.is_at_end()
    }

    pub(crate) fn answer(&mut self, question: &Question<'_>) -> Result<usize, Error> {
        let answer = self.follow.answer_whole(question);
        answer.map_err(|error| self.refused(error, Some(question)))
    }

    /// To be asked where the conflict is over: the first answer that nothing asked for is refused.
    pub(crate) fn finish(&self) -> Result<(), Error> {
        self.follow.finish().map_err(|error| self.refused(error, None))
    }

    fn refused(&self, error: Error, question: Option<&Question<'_>>) -> Error {
        let Error::Diverged { entry, recorded, asked, .. } = error else { return error };
        let nearest = match (question, &*recorded) {
            (Some(question), Recorded::Entry(entry)) => nearest_answer(question, entry),
            _ => None,
        };
        let place = format!("begin.{}", entry.saturating_sub(1));
        let message = format!("`{recorded}` does not fit, the rules ask {asked}");
        self.setup.wrong(place, message, nearest)
    }
}

/// The answer to a question that may be meant: a value, or who gives it, is misspelled. One number is no misspelling of
/// another.
fn nearest_answer(question: &Question<'_>, entry: &Entry) -> Option<String> {
    let asked = question.all_asked();
    if asked.len() != entry.actions().len() {
        return None;
    }
    let actor = |asked: &Asked| match asked.chance {
        true => Actor::Chance(asked.who.clone()),
        false => Actor::Player(asked.who.clone()),
    };
    let is_of = |given: &Action, one: &Asked| given.actor == actor(one) && given.name == one.name;
    // Of a joint decision each answers, in any order; what is of nobody who is asked may be of whoever is left.
    let mut odd = entry.actions().iter().filter(|given| !asked.iter().any(|one| is_of(given, one)));
    let mut meant = Vec::new();
    for one in &asked {
        let own = entry.actions().iter().find(|given| is_of(given, one));
        let given = own.or_else(|| odd.next())?;
        let may_be = |value: &&Value| match own {
            Some(own) => own.value == **value || value.as_number().is_none(),
            None => **value == given.value,
        };
        let answer = |value: &Value| {
            let (actor, name, value) = (actor(one), one.name.clone(), value.clone());
            Action { actor, name, value }.to_string()
        };
        let answers: Vec<String> = one.options.iter().filter(may_be).map(answer).collect();
        let given = given.to_string();
        let exact = answers.contains(&given).then(|| given.clone());
        meant.push(exact.or_else(|| nearest(&given, answers.iter().map(String::as_str)))?);
    }
    Some(meant.join(" & "))
}
