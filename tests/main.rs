//! Do the parts keep their promises together? All integration tests, in one binary.

mod commands;
mod fixtures;
mod golden;
mod handbook;
mod hostile;
mod house;
mod properties;
mod structure;
mod support;
mod views;
