//! Prints what the parser of the command line says: for people as it is, for programs as JSON.

use std::process::ExitCode;

use super::output::print_failed;
use crate::error::Error;
use crate::render::ErrorReport;

/// Prints what clap says about the command line; errors as JSON where that was asked for.
pub fn usage(error: &clap::Error) -> ExitCode {
    let asked_json = std::env::args_os().any(|argument| argument == "--json");
    if error.use_stderr() && asked_json {
        print_failed(ErrorReport::of(&in_a_line(error)));
        return ExitCode::from(2);
    }
    let _ = error.print();
    ExitCode::from(if error.use_stderr() { 2 } else { 0 })
}

/// What clap says, without its advice, in one line; and the word that it suggests.
fn in_a_line(error: &clap::Error) -> Error {
    use clap::error::{ContextKind, ContextValue};
    let text = error.to_string();
    // The first paragraph is the mistake; advice, usage and help are paragraphs of their own.
    let said = text.lines().take_while(|line| !line.is_empty());
    let said: Vec<&str> = said.map(str::trim).collect();
    let suggested =
        [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue]
            .into_iter()
            .find_map(|kind| match error.get(kind)? {
                ContextValue::String(word) => Some(word.clone()),
                ContextValue::Strings(words) => words.first().cloned(),
                _ => None,
            });
    let message = said.join(" ");
    let message = message.strip_prefix("error: ").unwrap_or(&message).to_owned();
    Error::Usage { message, nearest: suggested }
}
