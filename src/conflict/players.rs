//! The players of a conflict, the sides whose seat answers for several of them, and who sits in the seats; secrets that
//! a scenario fixes.

use std::collections::BTreeSet;
use std::iter::Sum;
use std::rc::Rc;

use indexmap::{IndexMap, IndexSet};
use num_traits::Num;

use super::Conflict;
use super::compile::first_state;
use crate::catalog::CAMPAIGN;
use crate::error::{Error, unless_cut};
use crate::game::{Actor, Generator, History, Question, Record, Stop, Value};
use crate::graph::Ending;
use crate::script::{Ear, Rules, Run, Setup, State};

/// The players of a conflict, and its sides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Players {
    /// The players that are known, in the order of the setup where it names them.
    pub names: IndexSet<String>,
    /// Side -> the players one seat answers for.
    pub sides: IndexMap<String, Vec<String>>,
    /// Whether a probe reached an outcome. If none did, there may be players that are not known.
    pub certain: bool,
}

/// How many playouts are probed: another branch may ask another player.
const PROBES: u64 = 3;

impl Players {
    /// Finds the players by playing a few times at random: who has a utility, and who was asked.
    /// Rules that fail there can be opened all the same, to find out why.
    ///
    /// # Errors
    /// [`Error::Interrupted`], and those of the rules' `sides`.
    pub fn find(conflict: &Conflict) -> Result<Players, Error> {
        let Conflict { rules, setup, .. } = conflict;
        // Whom to expect is what is to be found out.
        rules.expect(None);
        let mut found = Players::default();
        let start = match first_state(rules, setup, 0) {
            Ok(start) => start,
            Err(stop) => return interrupted(stop).map(|_| found),
        };
        let sides = start.map_or(Ok(None), |start| rules.sides(&start))?;
        found.sides = sides.unwrap_or_default();
        found.names.extend(found.sides.values().flatten().cloned());
        // Who is sure to be a player: asked, of a side, or with a utility in every probe.
        let mut sure: BTreeSet<String> = found.names.iter().cloned().collect();
        let mut always: Option<BTreeSet<String>> = None;
        // Together they take no more than one playout may.
        let (mut left, mut endless) = (rules.limits().playout, false);
        for seed in 0..PROBES {
            let (mut generator, mut probe) = (Generator::playout(seed, 0), Record::default());
            let mut run = Run::begin(rules, setup, Ear::Deaf).within(left);
            let played = run.play_out(|question| {
                let answer = generator.sample(question);
                probe.note(question, answer);
                Ok(answer)
            });
            left = left.saturating_sub(run.spent());
            match played.map(|()| run.into_end()) {
                Ok(None) => {}
                Ok(Some(played)) => {
                    found.certain = true;
                    if conflict.scenario.campaign.is_some() {
                        found.join(rules.sides(&played.state)?);
                    }
                    let utility: BTreeSet<String> = played.outcome.utility.into_keys().collect();
                    found.names.extend(utility.iter().cloned());
                    always
                        .get_or_insert_with(|| utility.clone())
                        .retain(|one| utility.contains(one));
                }
                Err(stop) => endless = interrupted(stop)?.is_limit(),
            }
            for action in probe.history.actions() {
                if let Actor::Player(player) = &action.actor {
                    found.names.insert(player.clone());
                    sure.insert(player.clone());
                }
            }
            if endless {
                break;
            }
        }
        // Script maps are sorted; the setup's own order is the one people know.
        let mut order = IndexSet::new();
        setup.value.names(&mut |name| _ = order.insert(name.to_owned()));
        found.names.sort_by_key(|name| order.get_index_of(name.as_str()).unwrap_or(usize::MAX));
        let seated = conflict.seats.keys().filter_map(|seat| found.of_seat(seat).ok()).flatten();
        sure.extend(always.into_iter().flatten().chain(seated));
        rules.expect(Some(sure));
        Ok(found)
    }

    fn join(&mut self, sides: Option<IndexMap<String, Vec<String>>>) {
        for (side, players) in sides.into_iter().flatten() {
            let known = self.sides.entry(side).or_default();
            for player in players {
                self.names.insert(player.clone());
                if !known.contains(&player) {
                    known.push(player);
                }
            }
        }
    }

    /// The players for whom the seat answers that answers for this one, as the rules have it.
    pub(crate) fn beside(&self, player: &str) -> Vec<String> {
        let side = self.sides.values().find(|side| side.iter().any(|name| name == player));
        side.cloned().unwrap_or_else(|| vec![player.to_owned()])
    }

    pub(crate) fn of_seat(&self, seat: &str) -> Result<Vec<String>, Error> {
        if let Some(players) = self.sides.get(seat) {
            return Ok(players.clone());
        }
        if self.names.contains(seat) || !self.certain {
            return Ok(vec![seat.to_owned()]);
        }
        Err(Error::unknown_player(seat, self.names.iter().chain(self.sides.keys())))
    }

    /// The seats of a conflict: its sides, and the players who are of none, in the order of the setup.
    pub fn seats(&self) -> Vec<Seat> {
        let side = |(name, players): (&String, &Vec<String>)| Seat {
            name: name.clone(),
            players: players.clone(),
        };
        let of_none = |name: &&String| !self.sides.values().flatten().any(|known| known == *name);
        let alone = |name: &String| Seat { name: name.clone(), players: vec![name.clone()] };
        let alone = self.names.iter().filter(of_none).map(alone);
        let mut seats: Vec<Seat> = self.sides.iter().map(side).chain(alone).collect();
        // Script maps are sorted; the order of the setup is the one people know.
        let place = |seat: &Seat| {
            let places = seat.players.iter().map(|name| self.names.get_index_of(name));
            places.map(|place| place.unwrap_or(usize::MAX)).min()
        };
        seats.sort_by_key(place);
        seats
    }
}

/// The error of a probe; Ctrl-C is returned as an error, since it is meant for more than the probe.
fn interrupted(stop: Stop) -> Result<Error, Error> {
    match stop.into() {
        Error::Interrupted => Err(Error::Interrupted),
        error => Ok(error),
    }
}

/// A seat that an agent can take.
#[derive(Clone, Debug, PartialEq)]
pub struct Seat {
    /// The side, or the player.
    pub name: String,
    /// The players for whom it answers.
    pub players: Vec<String>,
}

impl Seat {
    pub(crate) fn utility(&self, ending: &Ending) -> f64 {
        self.mean(|player| ending.utility.get(player)?.as_utility())
    }

    /// The mean of a number of its players; without one a player counts 0.
    pub(crate) fn mean<N: Num + Sum>(&self, number: impl Fn(&String) -> Option<N>) -> N {
        mean_of_players(&self.players, number)
    }
}

/// The mean of a number of players; without one a player counts 0.
pub(crate) fn mean_of_players<N: Num + Sum>(
    players: &[String],
    number: impl Fn(&String) -> Option<N>,
) -> N {
    if players.is_empty() {
        return N::zero();
    }
    let sum: N = players.iter().map(|player| number(player).unwrap_or_else(N::zero)).sum();
    sum / players.iter().map(|_| N::one()).sum()
}

impl Conflict {
    /// The seat that answers for a player, and the agent in it; nothing where nobody was seated.
    pub fn seat_of(&self, players: &Players, player: &str) -> Option<(&str, &str)> {
        let answers = |seat: &str| {
            players.of_seat(seat).is_ok_and(|players| players.iter().any(|name| name == player))
        };
        let mut seats = self.seats.iter().rev();
        seats.find(|(seat, _)| answers(seat)).map(|(seat, agent)| (seat.as_str(), agent.as_str()))
    }
}

/// How many beginnings are looked at: what the setup draws or asks differs between some of them.
const BEGINNINGS: u64 = 8;
/// How many playouts are compared with those in which a part of the first state is another.
const PLAYOUTS: u64 = 4;
/// The most parts that are looked at for each player.
const PARTS: usize = 8;

/// A sentence for each part of the first state that a player who decides something does not see, that is the same in
/// all beginnings, and on which something depends, with the key of the scenario that fixes it: `setup`, or `begin`
/// where without that it is another. Rules that fail hide nothing.
pub(crate) fn fixed_secrets(
    rules: &Rc<Rules>,
    setup: &Setup,
) -> Result<Vec<(String, &'static str)>, Error> {
    let mut found = Vec::new();
    if !rules.means_to_hide() {
        return Ok(found);
    }
    let starts = beginnings(rules, setup)?;
    let free = match setup.begin.is_empty() {
        true => Vec::new(),
        false => beginnings(rules, &setup.clone().after(&History::default()))?,
    };
    let Some((first, others)) = starts.split_first() else { return Ok(found) };
    let (mut players, mut usual) = (IndexSet::new(), Vec::new());
    for seed in 0..PLAYOUTS {
        usual.push(course(rules, first, seed, &mut players)?);
    }
    for player in players {
        let Ok(seen) = rules.view(&State::from_value(first), &player) else { continue };
        let mut places = Vec::new();
        find_hidden(first, &seen, &mut Vec::new(), &mut places);
        for place in fixed(rules, first, others, places).iter().take(PARTS) {
            if matters(rules, first, place, &usual)? {
                let begins = free.iter().any(|other| at(other, place) != at(first, place));
                let (by, key) = if begins { ("`begin`", "begin") } else { ("the setup", "setup") };
                let place = place.join(".");
                let secret = format!("the view of `{player}` hides `{place}`, which {by} fixes");
                found.push((secret, key));
            }
        }
    }
    Ok(found)
}

/// Whether one of these players does not see all of what the setup fixes: a number that follows from it may tell it.
pub(crate) fn hides_what_is_fixed(conflict: &Conflict, players: &[String]) -> Result<bool, Error> {
    let rules = &conflict.rules;
    if !rules.means_to_hide() {
        return Ok(false);
    }
    let starts = beginnings(rules, &conflict.setup)?;
    let Some((first, others)) = starts.split_first() else { return Ok(true) };
    let is_hidden = |player: &String| match rules.view(&State::from_value(first), player) {
        Ok(seen) => {
            let (mut outer, mut parts) = (Vec::new(), Vec::new());
            find_hidden(first, &seen, &mut Vec::new(), &mut outer);
            // Of one map or list a part may be fixed and another drawn.
            for mut place in outer {
                let value = at(first, &place);
                value.into_iter().for_each(|value| parts_of(value, &mut place, &mut parts));
            }
            parts.retain(|(_, part)| **part != Value::Unit);
            let places = parts.into_iter().map(|(place, _)| place).collect();
            !fixed(rules, first, others, places).is_empty()
        }
        Err(_) => true,
    };
    Ok(players.iter().any(is_hidden))
}

/// The first states of some playouts; none where the rules fail.
fn beginnings(rules: &Rc<Rules>, setup: &Setup) -> Result<Vec<Value>, Error> {
    let mut starts = Vec::new();
    for seed in 0..BEGINNINGS {
        match unless_cut(first_state(rules, setup, seed))? {
            Some(start) => starts.extend(start.as_ref().map(State::value)),
            None => return Ok(Vec::new()),
        }
    }
    Ok(starts)
}

/// Those of some places of a first state that are the same in all others.
fn fixed(
    rules: &Rules,
    first: &Value,
    others: &[Value],
    mut places: Vec<Vec<String>>,
) -> Vec<Vec<String>> {
    // A campaign shows what is its own in other words.
    places.retain(|place| !rules.is_campaign() || place[0] != CAMPAIGN);
    places.retain(|place| others.iter().all(|other| at(other, place) == at(first, place)));
    places
}

/// The parts of a value at the end of a way that have none themselves, each with its own place: keys of maps, numbers in lists.
pub(crate) fn parts_of<'v>(
    value: &'v Value,
    way: &mut Vec<String>,
    parts: &mut Vec<(Vec<String>, &'v Value)>,
) {
    let mut within = |key: String, value: &'v Value| {
        way.push(key);
        parts_of(value, way, parts);
        way.pop();
    };
    match value {
        Value::Map(map) => map.iter().for_each(|(key, value)| within(key.clone(), value)),
        Value::List(items) => {
            items.iter().enumerate().for_each(|(index, value)| within(index.to_string(), value));
        }
        part => parts.push((way.clone(), part)),
    }
}

fn matters(
    rules: &Rc<Rules>,
    first: &Value,
    place: &[String],
    usual: &[Option<String>],
) -> Result<bool, Error> {
    let mut altered = first.clone();
    place_in(&mut altered, place).into_iter().for_each(alter);
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
    Ok(unless_cut(played)?.map(|played| format!("{text}{:?}", played.outcome.utility)))
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
    place.iter().try_fold(value, |value, key| match value {
        Value::List(items) => items.get(key.parse::<usize>().ok()?),
        _ => value.get(key),
    })
}

/// What is at a place of a state, to be changed.
pub(crate) fn place_in<'v>(value: &'v mut Value, place: &[String]) -> Option<&'v mut Value> {
    place.iter().try_fold(value, |value, key| match value {
        Value::List(items) => items.get_mut(key.parse::<usize>().ok()?),
        Value::Map(map) => map.get_mut(key),
        _ => None,
    })
}

pub(crate) fn alter(value: &mut Value) {
    match value {
        Value::Map(map) => map.values_mut().for_each(alter),
        Value::List(items) => items.iter_mut().for_each(alter),
        Value::Int(number) => *number = number.wrapping_add(1),
        Value::Bool(truth) => *truth = !*truth,
        Value::Text(text) => text.push('_'),
        Value::Float(_) | Value::Unit => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_seats_in_the_order_of_the_setup() {
        let names = ["cato", "ayla", "bren"].map(str::to_owned);
        let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let mut players =
            Players { names: names.into_iter().collect(), certain: true, ..Players::default() };
        let message = |players: &Players| {
            players.seats().into_iter().map(|seat| seat.name).collect::<Vec<String>>()
        };
        assert_eq!(message(&players), ["cato", "ayla", "bren"]);
        players.sides.insert("alone".into(), list(&["bren"]));
        players.sides.insert("both".into(), list(&["ayla", "cato"]));
        assert_eq!(message(&players), ["both", "alone"]);
        // Who is of no side, as in another conflict of a campaign, answers alone.
        players.names.insert("dara".into());
        assert_eq!(message(&players), ["both", "alone", "dara"]);
    }

    #[test]
    fn a_side_has_the_mean_of_its_players() {
        let seat = |name: &str, players: &[&str]| Seat {
            name: name.to_owned(),
            players: players.iter().map(|player| (*player).to_owned()).collect(),
        };
        let seats = [seat("both", &["ayla", "cato"]), seat("alone", &["bren"])];
        let utility = [("ayla", 1.into()), ("cato", (-2).into())];
        let ending = Ending {
            result: "over".into(),
            utility: utility.into_iter().map(|(name, number)| (name.to_owned(), number)).collect(),
        };
        assert_eq!(seats.map(|seat| seat.utility(&ending)), [-0.5, 0.0]);
    }
}
