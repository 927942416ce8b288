//! `WorkerFactory`: makes the rules and agents of each thread that explores.

use std::sync::Arc;

use super::answer_cache::Answers;
use super::explorer::Explorer;
use crate::error::Error;
use crate::handlers::SeatedAgents;
use crate::script::Budget;

/// What each thread needs of its own: the rules compiled, and the agents.
pub trait WorkerFactory: Sync {
    /// Makes them, on the thread that will use them.
    ///
    /// # Errors
    /// Those of rules and agents that do not compile.
    fn make_worker(&self) -> Result<(Explorer, SeatedAgents), Error>;

    /// The answers that the agents share.
    fn answers(&self) -> &Arc<Answers>;

    /// The words after `fracas` that play the conflict.
    fn words(&self) -> Vec<String>;

    /// What exploring may take, and whether it is still wanted.
    fn budget(&self) -> &Budget;
}
