//! What do the agents answer where? Their answers, each worked out once for what a player sees.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use super::interner::lock;
use crate::error::{Error, Location};
use crate::game::{Decision, Scene, Stop, Value};
use crate::handlers::{Agent, Answer, Standpoint};

/// The answers of the agents in one seating, by node. Agents are pure, so an answer given once to
/// what a player sees is the answer to all that looks the same.
#[derive(Default)]
pub struct Answers {
    nodes: [Mutex<HashMap<u32, Arc<Answer>>>; SHARDS],
    sights: [Mutex<HashMap<String, Arc<Answer>>>; SHARDS],
}

/// Several, so that threads seldom wait for each other.
const SHARDS: usize = 16;

impl Answers {
    /// The answer at a node, if it has been worked out.
    pub fn at(&self, node: u32) -> Option<Arc<Answer>> {
        lock(self.nodes_of(node)).get(&node).cloned()
    }

    /// Works out the answer to a decision, and keeps it for its node, if that has a number. An agent
    /// that goes by more than it sees is asked at each node.
    ///
    /// # Errors
    /// Those of the rules' `view`, and of the agent.
    pub fn work_out(
        &self,
        standpoint: Standpoint<'_>,
        decision: &Decision<'_>,
        agent: &mut dyn Agent,
    ) -> Result<Arc<Answer>, Stop> {
        let node = standpoint.known();
        if agent.remembers() {
            let answer = Arc::new(agent.answer(decision, standpoint)?);
            self.keep(node, &answer);
            return Ok(answer);
        }
        let view = decision.scene.view(decision.player)?;
        let sight = sight(decision, &view);
        let shard = &self.sights[sight.len() % SHARDS];
        let known = lock(shard).get(&sight).cloned();
        let answer = match known {
            Some(known) => known,
            None => {
                // No lock is held while the agent thinks. Two may think the same: they agree.
                let seen = Seen { view, scene: decision.scene };
                let decision = Decision { scene: &seen, ..*decision };
                let answer = Arc::new(agent.answer(&decision, standpoint)?);
                lock(shard).insert(sight, answer.clone());
                answer
            }
        };
        self.keep(node, &answer);
        Ok(answer)
    }

    fn keep(&self, node: u32, answer: &Arc<Answer>) {
        if node != 0 {
            lock(self.nodes_of(node)).insert(node, answer.clone());
        }
    }

    fn nodes_of(&self, node: u32) -> &Mutex<HashMap<u32, Arc<Answer>>> {
        &self.nodes[node as usize % SHARDS]
    }
}

/// All that an agent may go by: who is asked, what for, what is offered and what is seen.
pub fn sight(decision: &Decision<'_>, view: &Value) -> String {
    let options = Value::List(decision.options.values());
    let all = [decision.player.into(), decision.name.into(), options, view.clone()];
    Value::List(all.into()).literal()
}

/// A scene whose view has been made already.
struct Seen<'a> {
    view: Value,
    scene: &'a dyn Scene,
}

impl Scene for Seen<'_> {
    fn view(&self, _player: &str) -> Result<Value, Error> {
        Ok(self.view.clone())
    }

    fn picture(&self) -> Result<Option<String>, Error> {
        self.scene.picture()
    }

    fn state(&self) -> Value {
        self.scene.state()
    }

    fn asked_at(&self) -> Option<Location> {
        self.scene.asked_at()
    }
}
