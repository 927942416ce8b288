//! The lab: evaluates lines of Rhai at the prompt and scripts of experiments, with the functions
//! that they call and the results that they get.

mod audience;
mod calls;
mod compare;
mod convert;
mod desk;
mod documentation;
mod evaluator;
mod failure;
mod figure;
mod files;
mod found;
mod functions;
mod known;
mod lexer;
mod measure;
mod number;
mod options;
mod portrait;
mod report;
mod scenario;
mod show;
mod solve;
mod suggest;
mod table;
mod tournament;
mod tune;

pub use audience::{Audience, Nobody};
pub use desk::{LabConfig, Look};
pub use documentation::{documentation, known, measures, wishes};
pub use evaluator::{CONFLICT, Lab};
pub use found::Found;
pub use lexer::{End, KEYWORDS, Kind, Token, tokens};

#[cfg(test)]
mod tests;
