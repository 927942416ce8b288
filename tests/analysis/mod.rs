//! Tests comparisons, portraits, sweeps and tunings against numbers that are worked out by hand.

mod compare;
mod contrast;
mod portrait;
mod sweep;
mod tune;
