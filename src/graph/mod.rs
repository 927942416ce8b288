//! The part of the game seen so far: explored once by running the script, then looked up.
//!
//! [`Graph`] keeps the nodes, for all threads. An [`Explorer`] belongs to one thread and makes it
//! larger by running the rules; a [`PlayoutRunner`] makes playouts on it; [`explore()`] sees all of it.

mod answer_cache;
mod explore;
mod explorer;
mod information;
mod node;
mod parallel;
mod playout;
mod policies;
mod random_playout;
mod recall;
mod seats;
mod store;
mod trace;
mod walk;

pub use answer_cache::AnswerCache;
pub use explore::{Bounds, Reach, WorkerFactory, explore};
pub(crate) use explore::{
    OF_A_NODE, all_threads, check_utilities, explore_from, explore_in_breadth,
};
pub use explorer::Explorer;
pub(crate) use information::{
    Answered, Insight, Unseen, allied_answered, allied_words, lost, own_answered, own_answers,
    unseen, view_at,
};
pub use information::{InformationSet, InformationSets, SeenPart};
pub(crate) use node::Node;
pub use node::NodeKind;
pub(crate) use parallel::shared_out;
pub use playout::PlayoutRunner;
pub(crate) use policies::{Policies, Shares};
pub(crate) use random_playout::{Heard, WorthStoring};
pub(crate) use recall::{NodePasts, forgotten};
pub use seats::{Agent, Always, GoesBy, SeatedAgents, Standpoint, Worth};
pub use store::Graph;
pub use store::question::Ending;
pub(crate) use store::question::{Offer, StoredQuestion};
pub use trace::Traced;
pub(crate) use trace::{PlayedPart, PlayoutCourse, with_history_to_failure};
