//! Tests comparisons, portraits and sweeps against numbers that are worked out by hand.

mod compare;
mod contrast;
mod portrait;
mod sweep;
