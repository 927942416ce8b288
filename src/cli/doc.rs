//! `fracas doc`: what can a script define and call?

use std::process::ExitCode;

use super::arguments::{Common, Doc};
use super::output::Output;
use crate::error::Error;
use crate::handbook;

/// Runs the command.
///
/// # Errors
/// [`Error::Unknown`] with the nearest name; those of a system's rules that do not compile.
pub fn run(common: &Common, doc: &Doc, output: &mut Output) -> Result<ExitCode, Error> {
    let all = handbook::entries();
    match &doc.name {
        Some(word) => {
            let found = handbook::find(&all, &common.catalog()?, word, &common.limits())?;
            output.show(|| found.as_json(), |width, plain| found.as_text(width, plain))?;
        }
        None => {
            output.show(|| handbook::as_json(&all), |width, _| handbook::index(&all, width))?;
            if !output.json() {
                output.say("\n`fracas doc NAME` tells more of a function, a family or a system");
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
