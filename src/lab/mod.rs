//! What do lines of Rhai at the prompt, and scripts of experiments, come to? The evaluator, the
//! functions that it offers, and what it finds.

mod audience;
mod calls;
mod cup;
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
mod opened;
mod plain;
mod report;
mod sheet;
mod show;
mod solution;
mod solve;
mod suggest;

pub use audience::{Audience, Nobody};
pub use desk::{Look, Means};
pub use documentation::{documentation, known};
pub use evaluator::Lab;
pub use found::Found;
pub use lexer::{End, KEYWORDS, Kind, Token, tokens};

#[cfg(test)]
mod tests;
