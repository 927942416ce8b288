//! Finds what a scenario fixes although somebody's `view` hides it: who looks ahead is taken to know that.

use std::rc::Rc;

use indexmap::IndexSet;

use super::Conflict;
use crate::catalog::CAMPAIGN;
use crate::error::Error;
use crate::game::{Generator, Question, Value};
use crate::script::{Ear, Rules, Run, Setup, State};

/// How many beginnings are looked at: what the setup draws or asks differs between some of them.
const BEGINNINGS: u64 = 8;
/// How many playouts are compared with those in which a part of the first state is another.
const PLAYOUTS: u64 = 4;
/// The most parts that are looked at for each player.
const PARTS: usize = 8;

/// A sentence for each part of the first state that a player who decides something does not see, that is the same in
/// all beginnings, and on which something depends. Rules that fail hide nothing.
///
/// # Errors
/// That the work was interrupted or ran out of time.
pub(crate) fn fixed_secrets(rules: &Rc<Rules>, setup: &Setup) -> Result<Vec<String>, Error> {
    let mut found = Vec::new();
    if !rules.means_to_hide() {
        return Ok(found);
    }
    let starts = beginnings(rules, setup)?;
    let Some((first, others)) = starts.split_first() else { return Ok(found) };
    let (mut players, mut usual) = (IndexSet::new(), Vec::new());
    for seed in 0..PLAYOUTS {
        usual.push(course(rules, first, seed, &mut players)?);
    }
    for player in players {
        let Ok(seen) = rules.view(&State::from_value(first), &player) else { continue };
        for place in fixed_places(rules, first, others, &seen).iter().take(PARTS) {
            if matters(rules, first, place, &usual)? {
                let place = place.join(".");
                found
                    .push(format!("the view of `{player}` hides `{place}`, which the setup fixes"));
            }
        }
    }
    Ok(found)
}

/// Whether one of these players does not see all of what the setup fixes: a number that follows from it may tell it.
///
/// # Errors
/// That the work was interrupted or ran out of time.
pub(crate) fn hides_what_is_fixed(conflict: &Conflict, players: &[String]) -> Result<bool, Error> {
    let rules = &conflict.rules;
    let starts = beginnings(rules, &conflict.setup)?;
    let Some((first, others)) = starts.split_first() else { return Ok(true) };
    let is_hidden = |player: &String| match rules.view(&State::from_value(first), player) {
        Ok(seen) => !fixed_places(rules, first, others, &seen).is_empty(),
        Err(_) => true,
    };
    Ok(rules.means_to_hide() && players.iter().any(is_hidden))
}

/// The first states of some playouts; none where the rules fail.
fn beginnings(rules: &Rc<Rules>, setup: &Setup) -> Result<Vec<Value>, Error> {
    let mut starts = Vec::new();
    for seed in 0..BEGINNINGS {
        let mut generator = Generator::playout(seed, 0);
        let mut run = Run::begin(rules, setup, Ear::Deaf);
        if let Err(stop) = run.reach(|question| Ok(generator.sample(question))) {
            return Error::from(stop).cut().map_or(Ok(Vec::new()), |cut| Err(cut.into()));
        }
        starts.extend(run.state().map(State::value));
    }
    Ok(starts)
}

/// The places of a first state that a view hides, and that are the same in all others.
fn fixed_places(rules: &Rules, first: &Value, others: &[Value], seen: &Value) -> Vec<Vec<String>> {
    let mut places = Vec::new();
    find_hidden(first, seen, &mut Vec::new(), &mut places);
    // A campaign shows what is its own in other words.
    places.retain(|place| !rules.is_campaign() || place[0] != CAMPAIGN);
    places.retain(|place| others.iter().all(|other| at(other, place) == at(first, place)));
    places
}

/// Whether something else follows where a part of the state is another.
fn matters(
    rules: &Rc<Rules>,
    first: &Value,
    place: &[String],
    usual: &[Option<String>],
) -> Result<bool, Error> {
    let mut altered = first.clone();
    alter_at(&mut altered, place);
    for (seed, usual) in (0..).zip(usual) {
        if usual.is_some() && course(rules, &altered, seed, &mut IndexSet::new())? != *usual {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The decisions of a playout and the utilities at its end as a text, and who decides; nothing where the rules fail.
fn course(
    rules: &Rc<Rules>,
    from: &Value,
    seed: u64,
    players: &mut IndexSet<String>,
) -> Result<Option<String>, Error> {
    let (mut generator, mut text) = (Generator::playout(seed, 0), String::new());
    let run = Run::at(rules, State::from_value(from), Ear::Deaf);
    let played = run.finish(|question| {
        let answer = generator.sample(question);
        if let Question::Decision(decision, _) = question {
            players.insert(decision.player.to_owned());
            text += &format!("{} {} {answer}\n", decision.player, decision.name);
        }
        Ok(answer)
    });
    match played {
        Ok(played) => Ok(Some(format!("{text}{:?}", played.outcome.utility))),
        Err(stop) => Error::from(stop).cut().map_or(Ok(None), |cut| Err(cut.into())),
    }
}

/// The outermost places of a state whose values a view does not have, where there is something to see.
fn find_hidden(state: &Value, seen: &Value, way: &mut Vec<String>, places: &mut Vec<Vec<String>>) {
    match (state, seen) {
        (Value::Map(state), Value::Map(seen)) => {
            for (key, value) in state {
                way.push(key.clone());
                find_hidden(value, seen.get(key).unwrap_or(&Value::Unit), way, places);
                way.pop();
            }
        }
        _ if state != seen && !way.is_empty() && holds_something(state) => places.push(way.clone()),
        _ => {}
    }
}

fn holds_something(value: &Value) -> bool {
    match value {
        Value::Unit => false,
        Value::List(items) => items.iter().any(holds_something),
        Value::Map(map) => map.values().any(holds_something),
        _ => true,
    }
}

fn at<'v>(value: &'v Value, place: &[String]) -> Option<&'v Value> {
    place.iter().try_fold(value, |value, key| value.get(key))
}

/// Makes all of a part of a state another of its kind.
fn alter_at(value: &mut Value, place: &[String]) {
    match (value, place) {
        (Value::Map(map), [key, rest @ ..]) => {
            if let Some(inner) = map.get_mut(key) {
                alter_at(inner, rest);
            }
        }
        (Value::Map(map), []) => map.values_mut().for_each(|inner| alter_at(inner, &[])),
        (Value::List(items), []) => items.iter_mut().for_each(|inner| alter_at(inner, &[])),
        (Value::Int(number), []) => *number = number.wrapping_add(1),
        (Value::Bool(truth), []) => *truth = !*truth,
        (Value::Text(text), []) => text.push('_'),
        _ => {}
    }
}
