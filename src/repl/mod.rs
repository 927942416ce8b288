//! How does a session at the prompt go? Lines in, replies out; the terminal is somebody else's.

pub mod commands;
pub mod editor;
mod enter;
mod eyes;
mod pasted;
mod places;
mod question;
mod reply;
mod session;
mod words;

pub use eyes::Eyes;
pub use places::{config_folder, explained};
pub use reply::{Reply, Said};
pub use session::{Options, Session};
