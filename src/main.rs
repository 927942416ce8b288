//! Parse, run, print the error, exit.

use std::process::ExitCode;

fn main() -> ExitCode {
    // One large stack for everything: scripts nest deep, and what they leave is dropped here.
    fracas::script::on_large_stack(fracas::cli::main)
}
