//! How do errors, numbers and tables look as text? The only place that rounds.

mod error;
mod number;
mod table;

pub use error::{as_json, as_text};
pub use number::{signed, tidy};
pub use table::table;
