//! What is found, for people and for programs: as text, in sentences, and beside the solution under other
//! rules.

pub(super) mod meaning;
pub(super) mod solution_diff;
pub(super) mod solved;
