//! What players are offered: lists of options, each once.

use hashbrown::HashSet;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rhai::Position;

use super::convert::{check, is_whole_size};
use super::host::Host;
use super::open_question::OfferedDecision;
use super::value::{List, Text, Value, beginning};
use crate::script::a_word;
use crate::script::questions::effects::check_names;
use crate::script::sandbox::limits::{Fault, fail};

pub(super) fn together<'v>(
    host: &Host,
    questions: impl Iterator<Item = (&'v Text, &'v Text, &'v Value)>,
    at: Position,
) -> Result<Vec<OfferedDecision>, Fault> {
    let mut all = Vec::new();
    for (player, name, list) in questions {
        let Value::List(options) = list else {
            let kind = a_word(list.type_name());
            return Err(fail(
                format!("`{name}`: `{player}` must have a list of options, got {kind}"),
                at,
            ));
        };
        check_who_and_what(player, name, at)?;
        host.charge(options.len() as u64, at)?;
        all.push(offer(player, name, options, at)?);
    }
    Ok(all)
}

/// Checks the names of a player and of what is asked: those that scripts and setups write down are checked once.
#[inline]
pub(super) fn check_who_and_what(player: &Text, name: &Text, at: Position) -> Result<(), Fault> {
    if player.is_kept() && name.is_kept() {
        return Ok(());
    }
    check_names([player.as_str(), name.as_str()], at)
}

/// What a player is offered: plain data, each value once.
pub(super) fn offer(
    player: &Text,
    name: &Text,
    options: &Arc<List>,
    at: Position,
) -> Result<OfferedDecision, Fault> {
    if options.is_empty() {
        return Err(fail(format!("`{name}`: there is no option for `{player}`"), at));
    }
    // What can be said of the list can be said of each of them.
    if !is_whole_size(options.size()) {
        for option in options.iter() {
            check(option, "option").map_err(|message| fail(format!("`{name}`: {message}"), at))?;
        }
    }
    let (player, name) = (player.clone(), name.clone());
    let options =
        if differ(options) { options.clone() } else { Arc::new(List::new(each_once(options))) };
    Ok(OfferedDecision { player, name, options })
}

/// So few options are compared with each other; more are distinguished by their hashes.
const FEW: usize = 32;

/// An option is marked by its first items, at most this many.
const MARKED: usize = 12;

// What could change, a reader of the setup, is not an option.
#[allow(clippy::mutable_key_type)]
fn differ(options: &[Value]) -> bool {
    if options.len() > FEW {
        let mut seen = HashSet::with_capacity(options.len());
        return options.iter().all(|option| seen.insert(Data(option)));
    }
    let mut marks = [0; FEW];
    options.iter().enumerate().all(|(i, option)| {
        marks[i] = mark(option);
        let alike = |(other, known): (&Value, &u64)| *known == marks[i] && other.same(option);
        !options.iter().zip(&marks).take(i).any(alike)
    })
}

/// A number that is the same for values that are the same, and mostly another one for others.
fn mark(value: &Value) -> u64 {
    let with = |sum: u64, value: &Value| sum.rotate_left(5).wrapping_add(mark(value));
    match value {
        Value::Text(text) => text.mark(),
        Value::Char(letter) => beginning(letter.encode_utf8(&mut [0; 4])),
        Value::Int(number) => (*number as f64).to_bits(),
        // Nought below nought is nought.
        Value::Float(number) => (*number + 0.0).to_bits(),
        Value::Bool(truth) => u64::from(*truth) + 1,
        Value::List(items) => items.iter().take(MARKED).fold(3, with),
        Value::Map(map) => map.iter().take(MARKED).fold(5, |sum, (_, value)| with(sum, value)),
        _ => 0,
    }
}

#[allow(clippy::mutable_key_type)]
fn each_once(options: &[Value]) -> Vec<Value> {
    let mut seen = HashSet::with_capacity(options.len());
    options.iter().filter(|option| seen.insert(Data(option))).cloned().collect()
}

struct Data<'v>(&'v Value);

impl PartialEq for Data<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.same(other.0)
    }
}

impl Eq for Data<'_> {}

impl Hash for Data<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}
