//! Integration tests: one binary, a module for each subject.

mod closed_form;
