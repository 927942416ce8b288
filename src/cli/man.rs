//! `fracas man` and `fracas completions`: the pages of the manual, and what a shell needs to complete words.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::output::Output;
use super::written_files;
use crate::error::Error;

#[derive(Args, Debug)]
pub(super) struct ManCommand {
    /// The command; without one, the program
    command: Option<String>,
    /// Write all pages into a folder, made where it is missing
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    dir: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(super) struct CompletionsCommand {
    /// The shell
    #[arg(value_enum)]
    shell: clap_complete::Shell,
}

/// Prints a page, or writes all of them into a folder.
pub(super) fn run(
    man: &ManCommand,
    mut program: clap::Command,
    output: &mut Output,
) -> Result<ExitCode, Error> {
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
    written_files::write(dir, &files?, output)
}

fn page(name: &str, command: clap::Command) -> Result<Vec<u8>, Error> {
    let mut text = Vec::new();
    let command = command.display_name(name.to_owned()).version(env!("CARGO_PKG_VERSION"));
    let page = clap_mangen::Man::new(command).title(name);
    page.render(&mut text).map_err(|error| Error::file("write", name, error))?;
    Ok(text)
}

/// Prints what a shell needs to complete commands and options.
pub(super) fn completions(
    completions: &CompletionsCommand,
    mut program: clap::Command,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let mut script = Vec::new();
    clap_complete::generate(completions.shell, &mut program, "fracas", &mut script);
    output.data(String::from_utf8_lossy(&script).trim_end())?;
    Ok(ExitCode::SUCCESS)
}
