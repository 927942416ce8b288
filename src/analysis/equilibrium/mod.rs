//! What should a player do, and what is the conflict worth then? Equilibria of the graph.

mod best_response;
mod checkpoint;
mod correlated;
mod learner;
#[cfg(test)]
mod random;
mod recall;
mod regret;
mod sampling;
mod strategy;
#[cfg(test)]
mod tests;
mod tree;
mod unfold;

pub use best_response::{Responder, Response};
pub use checkpoint::Checkpoint;
pub use correlated::Correlated;
pub use learner::{Learner, Tell, Told, Until};
pub use recall::Recall;
pub use regret::Regret;
pub use sampling::Sampling;
pub use strategy::{Strategy, worths};
pub use tree::{Plan, Role, Set, Tree, TreeError};
pub use unfold::{Unfolded, unfold};
