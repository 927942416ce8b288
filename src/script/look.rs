//! What can be seen of a state? The rules' own `view`, `picture`, `laws` and `sides`.

use indexmap::IndexMap;
use rhai::{Array, Dynamic, Map};

use super::context::Asking;
use super::diagnostics::contract;
use super::rules::{Rules, State};
use super::value::to_value;
use crate::error::Error;
use crate::game::{Stop, Value};

impl Rules {
    /// What a player may see of a state: all of it where the rules define no `view`.
    ///
    /// # Errors
    /// [`Error::Script`].
    pub fn view(&self, state: &State, player: &str) -> Result<Value, Error> {
        if !self.context.defines.get().view {
            return Ok(state.value());
        }
        let seen = self.look(|| self.call_quiet("view", state, vec![player.into()]))?;
        to_value(&seen, "view").map_err(|message| contract("view", message))
    }

    /// The rules' picture of a state, where they draw one.
    ///
    /// # Errors
    /// [`Error::Script`].
    pub fn picture(&self, state: &State) -> Result<Option<String>, Error> {
        if !self.context.defines.get().picture {
            return Ok(None);
        }
        let picture = self.look(|| self.call_quiet("picture", state, Vec::new()))?;
        match picture.into_string() {
            Ok(text) => Ok(Some(text)),
            Err(kind) => Err(contract("picture", format!("must return a text, got {kind}"))),
        }
    }

    /// The laws that a state breaks, in words; none where the rules define no `laws`.
    ///
    /// # Errors
    /// [`Error::Script`].
    pub fn laws(&self, state: &State) -> Result<Vec<String>, Error> {
        if !self.context.defines.get().laws {
            return Ok(Vec::new());
        }
        let broken = self.look(|| self.call_quiet("laws", state, Vec::new()))?;
        match broken.into_array() {
            Ok(texts) => Ok(texts.iter().map(ToString::to_string).collect()),
            Err(kind) => Err(contract("laws", format!("must return a list of texts, got {kind}"))),
        }
    }

    /// Which players one seat answers for; `None` where each answers for themself.
    ///
    /// # Errors
    /// [`Error::Script`].
    pub fn sides(&self, state: &State) -> Result<Option<IndexMap<String, Vec<String>>>, Error> {
        if !self.context.defines.get().sides {
            return Ok(None);
        }
        let wrong =
            |what: &str| contract("sides", format!("must return a map of lists, got {what}"));
        let sides = self.look(|| self.call_quiet("sides", state, Vec::new()))?;
        let sides = sides.try_cast::<Map>().ok_or_else(|| wrong("something else"))?;
        let read = |(side, players): (rhai::Identifier, Dynamic)| {
            let players = players.try_cast::<Array>().ok_or_else(|| wrong("no list"))?;
            Ok((side.to_string(), players.iter().map(ToString::to_string).collect()))
        };
        sides.into_iter().map(read).collect::<Result<_, Error>>().map(Some)
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
