//! What `fracas check` and `:check` have in common: how much is looked at, and the files that open what was found.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::{seconds, whole};
use crate::catalog::Catalog;
use crate::check::{Check, Finding};
use crate::conflict::replace;
use crate::error::Error;
use crate::report::shell_word;
use crate::script::Limits;

/// How much is looked at to find what is wrong.
#[derive(Args, Debug, Clone, Copy)]
pub(crate) struct CheckArguments {
    /// How many random playouts of each scenario
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole, allow_negative_numbers = true)]
    playouts: u64,
    /// Test the laws of a scenario in every state if it has at most N nodes
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = whole, allow_negative_numbers = true)]
    nodes: u64,
    /// Test the laws of each scenario in every state for at most S seconds
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    time: Option<Duration>,
}

impl CheckArguments {
    /// The check of what is in a catalog; `command` begins the commands that play a finding again.
    pub(crate) fn check<'a>(
        self,
        (catalog, limits): (&'a Catalog, &'a Limits),
        (seed, threads): (u64, usize),
        command: String,
        progress: &'a (dyn Fn(String) + Sync),
    ) -> Check<'a> {
        let CheckArguments { playouts, nodes, time } = self;
        Check { catalog, limits, seed, playouts, nodes, time, command, threads, progress }
    }
}

/// Keeps what leads to findings where `:open check:N` finds it, in place of what was kept before; says where.
pub(crate) fn keep(findings: &[Finding], folder: Option<PathBuf>) -> Result<Vec<String>, Error> {
    let saved = findings.iter().filter_map(|finding| finding.saved.as_ref());
    let Some(folder) = folder else { return Ok(Vec::new()) };
    let keep = |(number, (command, text)): (usize, &(String, String))| {
        let failed = |reason| Error::file("write", &folder, reason);
        std::fs::create_dir_all(&folder).map_err(failed)?;
        let file = folder.join(format!("{number}.history"));
        replace(&file, text.as_bytes())?;
        let name = shell_word(&file.display().to_string()).to_string();
        // A prompt of other rules would refuse it.
        let there = match command.strip_prefix("fracas ") {
            Some(_) => format!(" at the prompt of `{command}`"),
            None => String::new(),
        };
        Ok(format!(
            "check:{number}: `:open check:{number}` opens it there{there}, `{command} replay {name}` shows it"
        ))
    };
    (1..=KEPT).zip(saved).map(keep).collect()
}

/// No more are kept.
const KEPT: usize = 20;
