//! Formats errors, numbers, tables and plots as text. This is the only place that rounds.

mod distribution;
mod error;
mod number;
mod outcome;
mod plot;
mod probability;
mod sanitize;
mod shell;
mod table;
mod value;
mod wrap;

pub use probability::{
    ROUNDING, about, apart, at_most, between, close, close_share, exact, likely, percent_points,
    points_between, points_of, share, share_at_most, share_percent, shares_between, signed_between,
};

pub use distribution::distribution;
pub use error::{ErrorReport, Failed, as_text, reported};
pub use number::{aligned, count, many, margin, percent, points, signed, tidy, with_margin};
pub use outcome::outcome;
pub use plot::{Axis, Figure, Grid, Plot, Point, Series};
pub use sanitize::{below_each_other, in_line, tame, tame_json, tame_message};
pub use shell::{shell_line, shell_word};
pub use table::{parts, table};
pub use value::value;
pub use wrap::{columns, cut, filled, indentation, indented, listed, pieces, wrapped};
