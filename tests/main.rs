//! The tests of whole conflicts, of the pages and of the code's own shape: one binary.

mod fixtures;
mod golden;
//mod handbook;
mod house;
mod properties;
mod structure;
mod support;
mod views;
