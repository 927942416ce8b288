//! The last solution that was found, with its scenario and the digest of its rules.

use crate::analysis::Solution;

/// A solution, and whose it is.
#[derive(Clone, Debug)]
pub(in crate::repl) struct FoundSolution {
    /// The scenario.
    pub scenario: String,
    /// The digest of rules, parameters and setup that it was found for.
    pub identity: String,
    /// The solution.
    pub solution: Solution,
}
