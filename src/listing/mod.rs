//! What is there to play? The systems, and what one of them has. What does not load is listed
//! with its error.

mod all;
mod parts;
mod system;

pub use all::{Summary, systems};
pub use parts::{Item, Parameter};
pub use system::{System, system};
