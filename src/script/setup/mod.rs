//! The setup reader of scripts: strict, in the order of the file, with a place for every error.

mod functions;
mod reader;

pub(crate) use functions::{DOCUMENTATION, register};
pub(crate) use reader::{Locate, Reader};
