//! Tests comparisons and sweeps against numbers that are worked out by hand.

mod compare;
mod sweep;
