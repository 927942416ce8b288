//! Does the whole do what it says? One binary, a module for each piece.

mod prompt;
