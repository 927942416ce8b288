//! What can be seen of a state? The rules' own `view`, `picture`, `laws` and `sides`.

use indexmap::IndexMap;
use rhai::{Array, Dynamic, Map};

use super::context::Asking;
use super::rules::Rules;
use super::start::State;
use super::value::to_value;
use crate::error::Error;
use crate::game::{Stop, Value};
use crate::render::tame;

impl Rules {
    /// Whether the rules say who sees what; where they do not, everybody sees everything.
    pub fn hides(&self) -> bool {
        self.context.defines.get().view
    }

    /// Whether the `view` tries to hide something: it does more than to return all of the state.
    pub fn means_to_hide(&self) -> bool {
        self.hides() && !self.whole_view
    }

    /// What a player may see of a state: all of it where the rules define no `view`.
    ///
    /// # Errors
    /// [`Error::Script`].
    pub fn view(&self, state: &State, player: &str) -> Result<Value, Error> {
        if !self.context.defines.get().view {
            return Ok(state.value());
        }
        self.look(|| {
            let seen = self.call_quiet("view", state, vec![player.into()])?;
            Ok(seen_of(&seen).map_err(|message| self.contract("view", message))?)
        })
    }

    /// The rules' picture of a state, where they draw one.
    ///
    /// # Errors
    /// [`Error::Script`].
    pub fn picture(&self, state: &State) -> Result<Option<String>, Error> {
        if !self.context.defines.get().picture {
            return Ok(None);
        }
        self.look(|| {
            let drawn = drawn_of(&self.call_quiet("picture", state, Vec::new())?);
            Ok(Some(drawn.map_err(|message| self.contract("picture", message))?))
        })
    }

    /// The laws that a state breaks, in words; none where the rules define no `laws`.
    ///
    /// # Errors
    /// [`Error::Script`].
    pub fn laws(&self, state: &State) -> Result<Vec<String>, Error> {
        if !self.context.defines.get().laws {
            return Ok(Vec::new());
        }
        self.look(|| {
            let broken = self.call_quiet("laws", state, Vec::new())?;
            let wrong = || self.contract("laws", "must return a list of texts");
            Ok(texts(broken).ok_or_else(wrong)?)
        })
    }

    /// Which players one seat answers for; `None` where each answers for themself.
    ///
    /// # Errors
    /// [`Error::Script`].
    pub fn sides(&self, state: &State) -> Result<Option<IndexMap<String, Vec<String>>>, Error> {
        if !self.context.defines.get().sides {
            return Ok(None);
        }
        self.look(|| {
            let sides = self.call_quiet("sides", state, Vec::new())?;
            let read = |(side, players): (rhai::Identifier, Dynamic)| {
                Some((side.to_string(), texts(players)?))
            };
            let sides = sides.try_cast::<Map>().and_then(|map| map.into_iter().map(read).collect());
            let wrong = || self.contract("sides", "must return a map of lists of names");
            sides.map(Some).ok_or_else(|| wrong().into())
        })
    }

    /// Calls a function that may not ask, on a copy of the state.
    pub(super) fn call_quiet(
        &self,
        function: &'static str,
        state: &State,
        arguments: Vec<Dynamic>,
    ) -> Result<Dynamic, Stop> {
        let mut this = state.0.clone();
        self.call(function, Asking::Refused(function), Some(&mut this), arguments)
    }
}

/// What a `view` returned, which must be a map.
pub(super) fn seen_of(returned: &Dynamic) -> Result<Value, String> {
    match to_value(returned, "view")? {
        seen @ Value::Map(_) => Ok(seen),
        other => Err(format!("must return a map, got {}", other.kind())),
    }
}

/// What a `picture` returned, which must be a text.
pub(super) fn drawn_of(returned: &Dynamic) -> Result<String, String> {
    match to_value(returned, "picture")? {
        Value::Text(text) => Ok(tame(&text).into_owned()),
        other => Err(format!("must return a text, got {}", other.kind())),
    }
}

/// The texts of a list, if it is one of nothing else.
fn texts(list: Dynamic) -> Option<Vec<String>> {
    let text = |item: Dynamic| item.into_string().ok().map(|text| tame(&text).into_owned());
    list.try_cast::<Array>()?.into_iter().map(text).collect()
}
