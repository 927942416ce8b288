//! What do lines of Rhai at the prompt come to? The evaluator, and what it finds.

mod evaluator;
mod found;
mod functions;
mod scan;
mod suggest;

pub use evaluator::Lab;
pub use found::Found;

#[cfg(test)]
mod tests;
