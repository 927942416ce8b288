//! Lists all systems, or everything in one system, as text or JSON. Entries that do not load are
//! listed with their error.

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
