//! The part of the game seen so far: explored once by running the script, then looked up.
//!
//! [`Graph`] keeps the nodes, for all threads. An [`Explorer`] belongs to one thread and makes it
//! larger by running the rules; a [`Player`] makes playouts on it; [`explore`] sees all of it.

mod answers;
mod arena;
mod branches;
mod ending;
mod explore;
mod explorer;
mod gain;
mod information;
mod interner;
mod kept;
mod left;
mod node;
mod owed;
mod playout;
mod policies;
mod question;
mod random_playout;
mod store;
mod tolls;
mod trace;
mod unseen;
mod walk;

pub use answers::{Answers, sight};
pub use ending::Ending;
pub use explore::{Bounds, OF_A_NODE, Reach, WorkerFactory, all_threads, explore, explore_from};
pub use explorer::Explorer;
pub use information::{
    Answered, InformationSet, InformationSets, Insight, allied_answered, allied_words,
    own_answered, own_answers,
};
pub use node::{Kind, Node};
pub use owed::owed;
pub use playout::Player;
pub use policies::{Policies, Policy, Shares};
pub use question::{Asking, Offer, Question};
pub use random_playout::Notes;
pub use store::Graph;
pub use trace::{Trace, Traced, led};
pub use unseen::{Unseen, lost, unseen};
