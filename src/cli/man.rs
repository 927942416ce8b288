//! `fracas man` and `fracas completions`: the pages of the manual, and what a shell needs to complete words.

use std::process::ExitCode;

use clap::CommandFactory;

use super::arguments::{Arguments, CompletionsCommand, ManCommand};
use super::folder;
use super::output::Output;
use crate::error::Error;

/// Prints a page, or writes all of them into a folder.
///
/// # Errors
/// [`Error::Unknown`] with the nearest command; [`Error::File`] where a page cannot be written.
pub(super) fn run(man: &ManCommand, output: &mut Output) -> Result<ExitCode, Error> {
    let mut program = Arguments::command();
    program.build();
    let Some(dir) = &man.dir else {
        let page = match &man.command {
            None => page("fracas", program)?,
            Some(name) => {
                let known = program.get_subcommands().map(clap::Command::get_name);
                let missing = Error::unknown("command", name, known);
                let command = program.find_subcommand(name).ok_or(missing)?;
                page(&format!("fracas-{name}"), command.clone())?
            }
        };
        output.data(String::from_utf8_lossy(&page).trim_end())?;
        return Ok(ExitCode::SUCCESS);
    };
    let commands = program.get_subcommands().filter(|one| !one.is_hide_set());
    let pages = commands.map(|one| (format!("fracas-{}", one.get_name()), one.clone()));
    let pages = std::iter::once(("fracas".to_owned(), program.clone())).chain(pages);
    let files: Result<Vec<_>, Error> =
        pages.map(|(name, command)| Ok((format!("{name}.1"), page(&name, command)?))).collect();
    folder::write(dir, &files?, output)
}

fn page(name: &str, command: clap::Command) -> Result<Vec<u8>, Error> {
    let mut text = Vec::new();
    let command = command.display_name(name.to_owned()).version(env!("CARGO_PKG_VERSION"));
    let page = clap_mangen::Man::new(command).title(name);
    page.render(&mut text).map_err(|error| Error::file("write", name, error))?;
    Ok(text)
}

/// Prints what a shell needs to complete commands and options.
///
/// # Errors
/// [`Error::File`] where stdout cannot be written.
pub(super) fn completions(
    completions: &CompletionsCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let mut script = Vec::new();
    let mut command = Arguments::command();
    clap_complete::generate(completions.shell, &mut command, "fracas", &mut script);
    output.data(String::from_utf8_lossy(&script).trim_end())?;
    Ok(ExitCode::SUCCESS)
}
