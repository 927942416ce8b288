//! Sessions at the prompt: lines in, replies out. Only `editor` knows a terminal.

mod apart;
mod background_reload;
mod begin;
pub mod commands;
mod config_paths;
mod documentation;
pub mod editor;
mod enter;
pub mod guide;
mod journal;
mod meant;
mod pasted;
mod picture;
mod question;
mod reply;
mod rework;
mod script_line;
mod session;
mod solution;
mod source;
mod tell;
mod tree;
mod unsaved;
mod visibility;
pub mod words;

pub use background_reload::Shadow;
pub use config_paths::{config_folder, explained, init_file, unsaved_folder};
pub use guide::Guide;
pub use picture::{Line, Picture};
pub use reply::{Reply, Said};
pub use session::{Options, Session};
pub use visibility::Eyes;
