//! Sessions at the prompt: lines in, replies out. Only `editor` knows a terminal.

mod begin;
pub mod commands;
mod documentation;
pub mod editor;
mod enter;
mod eyes;
pub mod guide;
mod journal;
mod pasted;
mod picture;
mod places;
mod question;
mod reply;
mod rework;
mod session;
mod shadow;
mod solution;
mod source;
mod tell;
pub mod words;

pub use eyes::Eyes;
pub use guide::Guide;
pub use picture::{Line, Picture};
pub use places::{config_folder, explained, init_file};
pub use reply::{Reply, Said};
pub use session::{Options, Session};
pub use shadow::Shadow;
