//! Reports of what was found, made of blocks, and how they are printed; errors and numbers as text. This is the only
//! place that rounds.

mod bars;
mod block;
mod drawing;
mod error;
mod film;
mod number;
mod page;
mod plot;
mod table;
mod text;
mod value;
mod wrap;

pub(crate) use crate::game::{SOME, some_of, ticked};
pub(crate) use number::{
    ROUNDING, about, ago, aligned, apart, at_most, between, close, close_share, count, ends,
    enumerated, exact, grouped, lasting, many, margin, percent, percent_points, points,
    points_between, points_of, share, share_at_most, share_percent, shares_between, signed_between,
    signed_ends, size, tidy, unsure_percent, unvaried, whole_percent, with_margin,
};

pub use bars::Bar;
pub(crate) use bars::BarMark;
pub use block::{Block, Fold, Report};
pub(crate) use block::{headed, json};
pub(crate) use drawing::{Drawings, SvgDrawing, colour_names};
pub use error::{ErrorReport, as_text};
pub(crate) use error::{Failed, reported};
pub use film::{Film, FilmFrame, FilmLine, FilmSight};
pub use number::signed;
pub(crate) use page::{Origin, Page};
pub(crate) use plot::{Axis, Plot, Point, Series, colours_for};
pub use plot::{Figure, Grid};
pub use table::Table;
pub(crate) use table::csv_line;
pub(crate) use text::{ShowStyle, text};
pub(crate) use value::{distribution, outcome, outcome_line, outcome_rest, parts, result, word};
pub(crate) use wrap::{
    ascii, below_each_other, columns, cut, cut_behind_word, cut_within, directions, filled,
    in_columns, in_line, indented, is_wild, listed, pieces, shell_line, shell_word, stacked, tame,
    tame_message, wrapped,
};
