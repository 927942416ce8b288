//! Agents that are scripts: the script returns its pick, or weights to draw from at random.

use num_bigint::BigUint;

use crate::error::{AgentFault, Error, hint, nearest};
use crate::game::{Answer, Decision, Stop, Value, Weights};
use crate::graph::{Agent, Standpoint};
use crate::script::{AgentScript, Pick};

pub(crate) struct Scripted(AgentScript);

impl Scripted {
    pub(crate) fn new(script: AgentScript) -> Scripted {
        Scripted(script)
    }

    fn index(&self, decision: &Decision<'_>, value: &Value) -> Result<usize, Error> {
        decision.options.index_of(value).ok_or_else(|| {
            let values = decision.options.values().into_iter();
            let near = hint(&nearest(&value.to_string(), values.map(|one| one.to_string())));
            self.fails(format!("`{value}` is not an option of `{}`{near}", decision.name))
        })
    }

    fn fails(&self, message: String) -> Error {
        let (agent, at) = (self.0.name().to_owned(), self.0.decides_at());
        Error::Agent { agent, message, at, fault: AgentFault::Own }
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
