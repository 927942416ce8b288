//! Sessions at the prompt: lines in, replies out. Only `editor` knows a terminal.

pub mod commands;
mod config_paths;
mod documentation;
pub mod editor;
mod enter;
mod fitting;
pub mod guide;
mod hand_over;
mod journal;
mod meaning;
mod picture;
mod question;
mod reply;
mod rework;
mod script_line;
mod session;
mod source;
mod stand_in;
mod tell;
mod tree;
mod unsaved;
mod visibility;
mod weighed;
mod wording;
pub mod words;

pub(crate) use commands::FileWatch;
pub(crate) use config_paths::{config_folder, explained, init_file, state_folder, unsaved_folder};
pub use guide::Guide;
pub(crate) use hand_over::Screen;
pub use picture::Line;
pub(crate) use picture::Picture;
pub use reply::{Reply, Said};
pub use session::{Options, Session};
pub(crate) use visibility::{Eyes, Names};
