//! `fracas run`, `fracas -` and `fracas -e`: scripts of the lab, and what they print while they run.

use std::cell::RefCell;
use std::io::Read;
use std::path::{Component, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;

use clap::Args;

use super::common::CommonArguments;
use super::output::Output;
use super::progress::Progress;
use crate::analysis::ReportsStage;
use crate::catalog::FileText;
use crate::commands::Audience;
use crate::error::Error;
use crate::game::Value;
use crate::lab::{Lab, LabConfig, LineResult};

#[derive(Args, Debug)]
pub(super) struct RunCommand {
    /// The script
    #[arg(value_name = "FILE.rhai")]
    file: PathBuf,
    /// The words that the script finds as `args`; after `--` also those that begin with `-`
    #[arg(value_name = "ARG")]
    arguments: Vec<String>,
}

#[derive(Args, Debug)]
pub(super) struct StdinCommand {
    /// The words that the script finds as `args`
    #[arg(value_name = "ARG")]
    arguments: Vec<String>,
}

pub(super) fn file(
    common: &CommonArguments,
    run: &RunCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let text = FileText::read(&run.file)?;
    let mut lab = lab(common, &text.path, &run.arguments, output)?;
    let inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if let Some(folder) = run.file.parent().filter(|folder| folder.components().all(inside)) {
        lab.run_in(folder);
    }
    evaluate(&mut lab, &without_shebang(&text.text), output)
}

pub(super) fn line(
    common: &CommonArguments,
    code: &str,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let mut lab = lab(common, "-e", &[], output)?;
    evaluate(&mut lab, code, output)
}

pub(super) fn stdin(
    common: &CommonArguments,
    stdin: &StdinCommand,
    output: &mut Output,
) -> Result<ExitCode, Error> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(LARGEST).read_to_end(&mut bytes);
    read.map_err(|reason| Error::file("read", "stdin", reason))?;
    let text = FileText::from_bytes("stdin".to_owned(), &bytes)?;
    let mut lab = lab(common, "stdin", &stdin.arguments, output)?;
    evaluate(&mut lab, &without_shebang(&text.text), output)
}

/// No script is longer; its limit reports one that is too long.
const LARGEST: u64 = 1 << 20;

fn lab(
    common: &CommonArguments,
    name: &str,
    arguments: &[String],
    output: &Output,
) -> Result<Lab, Error> {
    let mut lab = Lab::new(lab_config(common)?, name);
    lab.hand(arguments);
    lab.look(output.look());
    lab.listen(Rc::new(Listener::new(output, true)));
    Ok(lab)
}

pub(super) fn lab_config(common: &CommonArguments) -> Result<LabConfig, Error> {
    Ok(LabConfig {
        threads: common.threads(),
        rules: common.rules.clone(),
        ..LabConfig::new(common.catalog()?, common.limits(), common.seed())
    })
}

fn evaluate(lab: &mut Lab, text: &str, output: &mut Output) -> Result<ExitCode, Error> {
    let found = match lab.evaluate(text, 1) {
        // What there was by then is the document on stdout, and says that it is not all.
        Err(error @ Error::Interrupted) if output.json && lab.is_partial() => {
            return Ok(ExitCode::from(error.exit_code()));
        }
        found => found?,
    };
    // A text is what a script says at its end, as `print` does; the prompt shows it as a value.
    let shown = match &found {
        LineResult::Value(Value::Text(text)) if !output.json => Some(text.clone()),
        other => other.shown(output.look()),
    };
    shown.map_or(Ok(()), |text| output.data(&text))?;
    Ok(ExitCode::SUCCESS)
}

/// A script may begin with the line by which a shell finds the program; its lines keep their
/// numbers.
fn without_shebang(text: &str) -> String {
    match text.strip_prefix("#!") {
        Some(rest) => format!("//{rest}"),
        None => text.to_owned(),
    }
}

/// Prints at once what a script prints, and shows how far long work has come.
pub(super) struct Listener {
    output: RefCell<Output>,
    /// Whether lines are printed here, or kept for a reply.
    prints: bool,
}

impl Listener {
    /// What a script prints is printed at once; the reply of a line of the prompt, when it is whole.
    pub(super) fn new(output: &Output, prints: bool) -> Listener {
        Listener { output: RefCell::new(output.clone()), prints }
    }
}

impl Audience for Listener {
    fn printed(&self, text: &str) -> bool {
        // Where stdout cannot be written the result of the script will say so.
        self.prints && self.output.borrow_mut().data(text).is_ok()
    }

    fn noted(&self, text: &str) -> bool {
        if self.prints {
            self.output.borrow_mut().say(text);
        }
        self.prints
    }

    fn begins(&self, what: &'static str, total: Option<u64>) -> ReportsStage {
        let progress = Progress::new(&self.output.borrow(), what, total);
        Box::new(move |stage| progress.stage(stage))
    }
}
