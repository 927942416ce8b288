//! Numbers with what is known of them: exact fractions, intervals of proven bounds, means of samples.
//! Nothing here knows a graph, or rules.

mod amount;
mod exact;
mod fraction;
mod interval;
mod quantity;
mod statistics;

pub use amount::Amount;
pub use exact::Exact;
pub use fraction::{Fraction, fraction};
pub(crate) use fraction::{fraction_of_decimal, is_whole, simplest_between};
pub use interval::Interval;
pub(crate) use interval::about;
pub use quantity::{Basis, Quantity};
pub(crate) use quantity::{difference, fields, open_end};
pub(crate) use statistics::{
    FEW, NORMAL_95, cumulative, of_order_key, order_key, p_value_between, passed_with, tallied,
};
