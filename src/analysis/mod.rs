//! What can be known of a conflict? Exact and enclosed chances, and what samples tell of them.
//! The numbers below know no graph and no rules.

mod amount;
mod chain;
mod exact;
mod fraction;
mod interval;
mod statistics;

pub use amount::Amount;
pub use chain::{Chain, ChainError};
pub use exact::Exact;
pub use fraction::{Fraction, fraction, fraction_of_decimal};
pub use interval::Interval;
pub use statistics::{Estimate, difference, mean, share};
