//! Do the parts keep their promises together? All integration tests, in one binary.

mod commands;
mod hostile;
