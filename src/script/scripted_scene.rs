//! What can be seen where a script asks? The rules' own `view` and `picture`, run on demand.

use std::rc::Rc;

use rhai::{Dynamic, EvalAltResult, Map, NativeCallContext, Position};

use super::context::Context;
use super::diagnostics::{self, contract};
use super::effects::look;
use super::look::{drawn_of, seen_of};
use super::value::to_value;
use crate::error::{Error, Location};
use crate::game::{Scene, Value};

/// The scene of a question in the middle of a step.
pub struct ScriptScene<'a> {
    /// What the script runs in.
    pub context: &'a Rc<Context>,
    /// The call that asks.
    pub call: &'a NativeCallContext<'a>,
    /// The state as it stands.
    pub state: &'a Map,
    /// Where the question stands.
    pub at: Position,
}

impl ScriptScene<'_> {
    fn explain(&self, error: &EvalAltResult) -> Error {
        diagnostics::explain(error, &self.context.sources.borrow()).into()
    }
}

impl Scene for ScriptScene<'_> {
    fn view(&self, player: &str) -> Result<Value, Error> {
        if !self.context.defines.get().view {
            return Ok(self.state());
        }
        let read = |seen: &Dynamic| seen_of(seen);
        look(self.context, self.call, self.state, "view", Some(player), read)
            .map_err(|error| self.explain(&error))?
            .map_err(|message| contract("view", message))
    }

    fn picture(&self) -> Result<Option<String>, Error> {
        if !self.context.defines.get().picture {
            return Ok(None);
        }
        let read = |picture: &Dynamic| drawn_of(picture);
        let drawn = look(self.context, self.call, self.state, "picture", None, read)
            .map_err(|error| self.explain(&error))?;
        drawn.map(Some).map_err(|message| contract("picture", message))
    }

    fn state(&self) -> Value {
        to_value(&Dynamic::from_map(self.state.clone()), "this").unwrap_or_default()
    }

    fn asked_at(&self) -> Option<Location> {
        self.context.sources.borrow().locate(self.at)
    }
}
