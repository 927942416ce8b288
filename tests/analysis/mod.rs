//! Are the numbers right that are told of a conflict? Checked by hand, and against each other.

mod sweep;
