//! Formats errors, numbers, tables and plots as text. This is the only place that rounds.

mod chance;
mod distribution;
mod error;
mod filled;
mod number;
mod outcome;
mod plot;
mod shell;
mod table;
mod tame;
mod value;

pub use chance::{
    ROUNDING, about, apart, at_most, between, close, close_share, exact, likely, percent_points,
    points_between, share, share_at_most, share_percent, shares_between,
};

pub use distribution::distribution;
pub use error::{as_json, as_text, with_error};
pub use filled::{cut, filled, indentation, indented, listed, pieces, wrapped};
pub use number::{aligned, count, many, margin, percent, points, signed, tidy, with_margin};
pub use outcome::outcome;
pub use plot::{Axis, Figure, Grid, Plot, Point, Series};
pub use shell::{shell_line, shell_word};
pub use table::{parts, table};
pub use tame::{below_each_other, in_line, tame, tame_json, tame_message};
pub use value::value;
