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
mod functions;
mod lexer;
mod line_result;
mod measure;
mod options;
mod report;
mod scenario;
mod show;
mod solve;
mod suggest;
mod table;
mod tournament;
mod tune;

pub(crate) use audience::Audience;
pub use desk::LabConfig;
pub(crate) use desk::ShowStyle;
pub use documentation::{documentation, known, measures, wishes};
pub(crate) use evaluator::CONFLICT;
pub use evaluator::Lab;
pub(crate) use lexer::{KEYWORDS, Token, tokens};
pub use lexer::{OpenConstruct, TokenKind};
pub use line_result::LineResult;

#[cfg(test)]
mod tests;
