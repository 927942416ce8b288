//! What do lines of Rhai at the prompt come to? The evaluator, and what it finds.

mod evaluator;
mod found;
mod functions;
mod known;
mod lexer;
mod suggest;

pub use evaluator::Lab;
pub use found::Found;
pub use lexer::{End, KEYWORDS, Kind, Token, tokens};

#[cfg(test)]
mod tests;
