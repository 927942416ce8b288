//! Does the analysis of conflicts tell the truth? Against numbers that are worked out by hand.

mod compare;
mod sweep;
