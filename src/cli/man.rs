//! `fracas man` and `fracas completions`: the pages of the manual, and what a shell needs to complete words.

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use clap_complete::Shell;

use super::common::CommonArguments;
use super::output::Output;
use crate::catalog::Catalog;
use crate::commands::write_files;
use crate::error::Error;
use crate::repl::{Guide, Session, SessionOptions};
use crate::report::in_line;

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
    shell: Shell,
}

#[derive(Args, Debug)]
pub(super) struct CompleteCommand {
    /// The words behind the program, the last of which is typed
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

/// Prints a page, or writes all of them into a folder.
pub(super) fn run(
    man: &ManCommand,
    mut program: clap::Command,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    program.build();
    let Some(dir) = &man.dir else {
        let (file, mut command) = match &man.command {
            None => ("fracas".to_owned(), program),
            Some(name) => {
                let known = program.get_subcommands().map(clap::Command::get_name);
                let missing = Error::unknown("command", name, known);
                let command = program.find_subcommand(name).ok_or(missing)?;
                (format!("fracas-{name}"), command.clone())
            }
        };
        // Nobody reads the source of a page.
        if std::io::stdout().is_terminal() {
            output.data(command.render_long_help().to_string().trim_end())?;
            let words = man.command.as_ref().map_or(String::new(), |name| format!(" {name}"));
            output.say(&format!("`fracas man{words} | man -l -` shows it as a page of the manual"));
            return Ok(ExitCode::SUCCESS);
        }
        output.data(String::from_utf8_lossy(&page(&file, command)?).trim_end())?;
        return Ok(ExitCode::SUCCESS);
    };
    let commands = program.get_subcommands().filter(|one| !one.is_hide_set());
    let pages = commands.map(|one| (format!("fracas-{}", one.get_name()), one.clone()));
    let pages = std::iter::once(("fracas".to_owned(), program.clone())).chain(pages);
    let files: Result<Vec<_>, Error> =
        pages.map(|(name, command)| Ok((format!("{name}.1"), page(&name, command)?))).collect();
    output.show(&write_files(dir, &files?)?)?;
    Ok(ExitCode::SUCCESS)
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
    let names = match completions.shell {
        Shell::Bash => BASH,
        Shell::Fish => FISH,
        Shell::Zsh => ZSH,
        _ => "",
    };
    output.data(&format!("{}{names}", String::from_utf8_lossy(&script).trim_end()))?;
    Ok(ExitCode::SUCCESS)
}

/// What completes names in each shell: those that the program finds, else what its script knows. Bash breaks words
/// at `=` too, and replaces only what is behind.
const BASH: &str = r#"

_fracas_names() {
    local line=${COMP_LINE:0:COMP_POINT} words word found
    read -ra words <<< "$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    word=${words[-1]}
    COMPREPLY=()
    while IFS=$'	' read -r found _; do
        [[ $found ]] && COMPREPLY+=("${found#"${word%"${word##*=}"}"}")
    done < <("${words[0]}" complete -- "${words[@]:1}" 2>/dev/null)
    if ((${#COMPREPLY[@]} == 0)); then
        _fracas "$@"
    elif [[ ${COMPREPLY[0]} == *[=/] ]]; then
        compopt -o nospace 2>/dev/null
    fi
}
complete -F _fracas_names -o nosort -o bashdefault -o default fracas"#;
const FISH: &str = r#"
complete -c fracas -a '(fracas complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'"#;
const ZSH: &str = r#"

_fracas_names() {
    local -a found
    found=(${(f)"$(fracas complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
    found=(${found%%$'	'*})
    if (( $#found )); then compadd -S '' -a found; else _fracas "$@"; fi
}
compdef _fracas_names fracas"#;

/// Prints what the last word of a line may become, each with what it is behind a tab.
pub(super) fn names(
    common: &CommonArguments,
    asked: &CompleteCommand,
    mut program: clap::Command,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    program.build();
    // The folders that the completed line names.
    let mut rules = common.rules.clone();
    for (at, word) in asked.words.iter().enumerate() {
        let folder = match word.strip_prefix("--rules") {
            Some("") => asked.words.get(at + 1).map(String::as_str),
            Some(folder) => folder.strip_prefix('='),
            None => None,
        };
        rules.extend(folder.map(PathBuf::from));
    }
    let catalog = Catalog::new(&rules).or_else(|_| Catalog::new(&[]))?;
    let session = Session::new(catalog, SessionOptions::default());
    for one in Guide::default().complete_shell(&session, &program, &asked.words) {
        output.data(&format!("{}\t{}", one.text, in_line(&one.note)))?;
    }
    Ok(ExitCode::SUCCESS)
}
