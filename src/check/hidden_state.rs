//! Checks whether a `view` hides anything: parts of a state are changed, and where no player's view
//! changes with them, they are hidden.

use crate::game::Value;
use crate::report::many;
use crate::script::{Rules, State};

/// At most this many states are looked at in a playout, this many parts of each, and this many players.
pub(super) const STATES: usize = 6;
const PARTS: usize = 40;
const PLAYERS: usize = 4;
/// In each scenario, views are asked for so often at most.
const VIEWS: usize = 4_000;

/// What was found out about the `view` of rules.
#[derive(Default)]
pub(super) struct ViewCheck {
    /// Whether some part of some state is hidden from somebody.
    hides: bool,
    /// How many states were looked at.
    states: usize,
    views: usize,
}

impl ViewCheck {
    /// Looks for hidden parts of a state in which somebody is asked.
    pub(super) fn look(&mut self, rules: &Rules, state: &Value, players: &[String]) {
        if self.hides || self.views > VIEWS || !rules.means_to_hide() {
            return;
        }
        let mut places = Vec::new();
        parts(state, &mut Vec::new(), &mut places);
        if places.is_empty() || players.is_empty() {
            return;
        }
        self.states += 1;
        let stride = places.len().div_ceil(PARTS);
        for player in players.iter().take(PLAYERS) {
            let Ok(seen) = rules.view(&State::from_value(state), player) else { continue };
            for (place, value) in places.iter().step_by(stride) {
                // Of its kind there is another in the state, most likely one that the rules know.
                let mut others = places.iter().rev().map(|(_, other)| *other);
                let other = others.find(|other| *other != *value && other.kind() == value.kind());
                for new in other.cloned().into_iter().chain(altered(value)) {
                    let mut changed = state.clone();
                    put(&mut changed, place, new);
                    self.views += 1;
                    // Where the rules cannot make a view of it, nothing is known.
                    if rules
                        .view(&State::from_value(&changed), player)
                        .is_ok_and(|view| view == seen)
                    {
                        self.hides = true;
                        return;
                    }
                }
            }
        }
    }

    /// Adds what was found out in another scenario.
    pub(super) fn join(&mut self, other: &ViewCheck) {
        self.hides |= other.hides;
        self.states += other.states;
    }

    /// The warning where nothing was hidden.
    pub(super) fn warning(&self) -> Option<String> {
        (self.states > 0 && !self.hides).then(|| {
        format!(
            "`view` hides nothing: in {} in which somebody was asked, every player sees every part",
            many(self.states as u64, "state")
        )
    })
    }
}

/// The way to a part of a state: keys of maps, places in lists.
type PartPath<'a> = Vec<PartStep<'a>>;

#[derive(Clone, Copy)]
enum PartStep<'a> {
    Key(&'a str),
    Item(usize),
}

/// The numbers, texts and truth values of a state, each with the way there.
fn parts<'a>(value: &'a Value, way: &mut PartPath<'a>, all: &mut Vec<(PartPath<'a>, &'a Value)>) {
    match value {
        Value::List(items) => {
            for (at, item) in items.iter().enumerate() {
                way.push(PartStep::Item(at));
                parts(item, way, all);
                way.pop();
            }
        }
        Value::Map(map) => {
            for (key, item) in map {
                way.push(PartStep::Key(key));
                parts(item, way, all);
                way.pop();
            }
        }
        part => all.push((way.clone(), part)),
    }
}

/// Another value of the kind.
fn altered(value: &Value) -> Option<Value> {
    match value {
        Value::Int(number) => Some(Value::Int(number.wrapping_add(1))),
        Value::Bool(truth) => Some(Value::Bool(!truth)),
        Value::Text(text) => Some(Value::Text(format!("{text}_"))),
        _ => None,
    }
}

/// Puts a value in the place of a part.
fn put(state: &mut Value, way: &[PartStep<'_>], new: Value) {
    match (way, state) {
        ([], state) => *state = new,
        ([PartStep::Key(key), rest @ ..], Value::Map(map)) => {
            if let Some(item) = map.get_mut(*key) {
                put(item, rest, new);
            }
        }
        ([PartStep::Item(at), rest @ ..], Value::List(items)) => {
            if let Some(item) = items.get_mut(*at) {
                put(item, rest, new);
            }
        }
        _ => {}
    }
}
