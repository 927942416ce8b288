//! What is there to play? The systems, and what one of them has. What does not load is listed
//! with its error.

mod all;
mod json;
mod parts;
mod system;
mod text;

pub use all::{Summary, systems};
pub use json::as_json;
pub use parts::{Item, Parameter};
pub use system::{System, system};
pub use text::as_text;
