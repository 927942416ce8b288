//! Sessions at the prompt: lines in, replies out. Only `editor` knows a terminal.

pub mod commands;
pub mod editor;
pub mod guide;
mod line_meaning;
mod question;
mod reload;
mod script_line;
mod session;
mod words;

pub(crate) use crate::commands::{Names, Viewer};
pub(crate) use commands::FileWatch;
pub use guide::Guide;
pub use session::{Reply, Said, Session, SessionOptions};

pub(crate) use words::split;

/// The character with which a command begins.
pub(crate) const MARK: char = ':';
