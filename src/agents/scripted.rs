//! Agents that are scripts: the script returns its pick, or weights to draw from at random.

use std::cell::RefCell;
use std::rc::Rc;

use num_bigint::BigUint;

use crate::error::{AgentFault, Error, hint, nearest};
use crate::game::{Answer, Decision, Stop, Value, Weights};
use crate::graph::{Agent, Standpoint};
use crate::script::{AgentScript, Layer, Pick};

#[derive(Clone)]
pub(crate) struct Scripted(Rc<AgentScript>);

impl Scripted {
    fn index(&self, decision: &Decision<'_>, value: &Value) -> Result<usize, Error> {
        decision.options.index_of(value).ok_or_else(|| {
            if *value == Value::Unit {
                return self.fails(format!("`decide` returns no option of `{}`", decision.name));
            }
            let values = decision.options.values().into_iter();
            let near = hint(&nearest(&value.to_string(), values.map(|one| one.to_string())));
            self.fails(format!("`{value}` is not an option of `{}`{near}", decision.name))
        })
    }

    fn fails(&self, message: String) -> Error {
        Error::agent(self.0.name(), AgentFault::Own, message).placed(|| self.0.decides_at())
    }

    fn weights(
        &self,
        decision: &Decision<'_>,
        pairs: Vec<(Value, BigUint)>,
    ) -> Result<Weights, Error> {
        // Every option that may be drawn must be one, so that a mistake shows at once.
        let weighed = |(value, weight)| Ok((self.index(decision, &value)?, weight));
        let weighed = pairs.into_iter().map(weighed).collect::<Result<Vec<_>, Error>>()?;
        Weights::new(weighed).map_err(|error| self.fails(error.to_string()))
    }
}

impl Agent for Scripted {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn answer(&mut self, decision: &Decision<'_>, _: Standpoint<'_>) -> Result<Answer, Stop> {
        Ok(match self.0.pick(decision)? {
            Pick::Option(value) => Answer::Option(self.index(decision, &value)?),
            Pick::Weighted(pairs) => Answer::Weights(self.weights(decision, pairs)?),
        })
    }

    fn operations(&self) -> u64 {
        self.0.operations()
    }
}

/// The scripts of agents that one thread has compiled beside the same rules: each serves all seats that it sits in, and
/// all playouts.
#[derive(Default)]
pub struct CompiledAgents(RefCell<Vec<(Layer, Scripted)>>);

impl CompiledAgents {
    /// The agent of a script, whose name is the word that seats it, compiled if it was not yet.
    pub(super) fn agent(
        &self,
        script: &Layer,
        compile: impl FnOnce() -> Result<AgentScript, Error>,
    ) -> Result<Scripted, Error> {
        let is_it = |(known, _): &&(Layer, Scripted)| {
            known.name == script.name && known.files == script.files
        };
        if let Some((_, agent)) = self.0.borrow().iter().find(is_it) {
            return Ok(agent.clone());
        }
        let agent = Scripted(Rc::new(compile()?));
        self.0.borrow_mut().push((script.clone(), agent.clone()));
        Ok(agent)
    }
}
