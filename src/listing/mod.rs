//! Lists all systems, or everything in one system, as text or JSON. Entries that do not load are
//! listed with their error.

mod all;
mod parts;
mod system;
mod text;

pub use all::{Summary, Systems, systems};
pub use parts::{Item, Parameter};
pub use system::{System, system};
pub use text::Detail;
