//! Agents that are scripts: the script returns its pick, or weights to draw from at random.

use num_bigint::BigUint;

use crate::error::{AgentFault, Error, hint, nearest};
use crate::game::{Answer, Decision, Stop, Value, Weights};
use crate::graph::{Agent, Standpoint};
use crate::script::{AgentScript, Pick};

/// An agent whose picks a script makes.
pub(crate) struct Scripted(AgentScript);

impl Scripted {
    /// Seats a compiled script.
    pub(crate) fn new(script: AgentScript) -> Scripted {
        Scripted(script)
    }

    fn index(&self, decision: &Decision<'_>, value: &Value) -> Result<usize, Error> {
        decision.options.index_of(value).ok_or_else(|| {
            let texts: Vec<String> =
                decision.options.values().iter().map(ToString::to_string).collect();
            let near = hint(&nearest(&value.to_string(), texts.iter().map(String::as_str)));
            Error::Agent {
                agent: self.0.name().to_owned(),
                message: format!("`{value}` is not an option of `{}`{near}", decision.name),
                at: self.0.decides_at(),
                fault: AgentFault::Own,
            }
        })
    }

    fn weights(
        &self,
        decision: &Decision<'_>,
        pairs: Vec<(Value, BigUint)>,
    ) -> Result<Weights, Error> {
        // Every option that may be drawn must be one, so that a mistake shows at once.
        let mut weighed = Vec::with_capacity(pairs.len());
        for (value, weight) in pairs {
            weighed.push((self.index(decision, &value)?, weight));
        }
        Weights::new(weighed).map_err(|error| Error::Agent {
            agent: self.0.name().to_owned(),
            message: error.to_string(),
            at: self.0.decides_at(),
            fault: AgentFault::Own,
        })
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

    fn deliberates(&self) -> bool {
        true
    }
}
