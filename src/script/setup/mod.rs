//! The setup reader of scripts: strict, in the order of the file, with a place for every error.

mod functions;
mod reader;

pub use functions::{DOCUMENTATION, register};
pub use reader::{Locate, Reader};
