//! Runs the commands of the table, on the scenario that the command line names if they are about one.

use std::process::ExitCode;

use anstyle::AnsiColor;
use clap::{ArgMatches, Args, Command, FromArgMatches};

use super::common::CommonArguments;
use super::lab::lab_config;
use super::output::Output;
use super::progress::Progress;
use crate::analysis::ReportsStage;
use crate::catalog::Catalog;
use crate::check::{Finding, Level};
use crate::commands::{
    Added, Chosen, CommandEntry, Desk, Face, Faces, PageFile, ScenarioArguments, SeatedScenario,
};
use crate::conflict::{Changes, Conflict, Seating};
use crate::error::Error;
use crate::handbook::HandbookEntry;
use crate::lab::{self, Lab};
use crate::report::{Origin, Report, shell_line, word};

/// A command of the table with the scenario that it is about.
pub(super) type OfTable = Chosen<NamedScenario>;

pub(super) struct NamedScenario(Option<ScenarioArguments>);

impl Added for NamedScenario {
    const LACKS: Faces = Faces::Prompt;

    fn command(entry: &CommandEntry) -> Command {
        // The rest of the description is about the open conflict.
        let command = entry.command(|command| match (entry.alone, entry.changes) {
            (true, _) => command,
            // What it changes is among its own arguments.
            (_, true) => SeatedScenario::augment_args(command),
            (_, false) => ScenarioArguments::augment_args(command),
        });
        let command = entry.elsewhere(entry.with_page(command));
        command.long_about(clap::builder::Resettable::Reset)
    }

    fn read(entry: &CommandEntry, matches: &ArgMatches) -> Result<NamedScenario, clap::Error> {
        let named = (!entry.alone).then(|| ScenarioArguments::from_arg_matches(matches));
        named.transpose().map(NamedScenario)
    }
}

impl OfTable {
    pub(super) fn run(
        &self,
        common: &CommonArguments,
        output: &mut Output,
    ) -> Result<ExitCode, Error> {
        let origin = Origin { commands: typed_line(), ..Origin::default() };
        let page = self.page.file(self.entry.name, common.chance.seed.is_some(), origin)?;
        let catalog = match self.entry.faces {
            // What makes rules folders makes the first in a folder as well.
            Faces::Shell => common.catalog().or_else(|_| Catalog::new(&[]))?,
            _ => common.catalog()?,
        };
        let limits = common.limits();
        let mut changes = Changes::default();
        let mut conflict = None;
        if let Some(scenario) = &self.added.0 {
            changes = scenario.changes()?;
            if self.entry.changes {
                changes = Changes { seats: changes.seats, ..Changes::default() };
            }
            let opened = Conflict::open(&catalog, &scenario.named.scenario, &changes, &limits)?;
            if !self.entry.changes || scenario.rules.is_empty() {
                output.warnings(&opened);
            }
            conflict = Some(opened);
        }
        let mut face = Shell { common, output, page };
        face.page.iter_mut().zip(&conflict).for_each(|(page, conflict)| page.is_of(conflict));
        let means = (limits, common.threads());
        let mut desk = Desk {
            changes,
            typed: self.added.0.as_ref(),
            seed: common.chance.seed,
            ..Desk::new(&catalog, means, &common.rules, conflict.as_ref(), &mut face)
        };
        (self.job)(&mut desk).map(|status| ExitCode::from(status.code()))
    }
}

/// Prints at once, to stdout and stderr.
struct Shell<'a> {
    common: &'a CommonArguments,
    output: &'a mut Output,
    page: Option<PageFile>,
}

impl Face for Shell<'_> {
    fn say(&mut self, text: &str) {
        self.output.say(text);
    }

    fn complain(&mut self, text: &str) {
        self.output.complain(text);
    }

    fn line(&mut self, text: &str) -> Result<(), Error> {
        if self.output.json { Ok(()) } else { self.output.prose(text) }
    }

    fn finding(&mut self, finding: &Finding) -> Result<(), Error> {
        if self.output.json {
            return Ok(());
        }
        let (at, after) = finding.around();
        let colour = match finding.level {
            Level::Error => AnsiColor::Red,
            Level::Warning => AnsiColor::Yellow,
        };
        self.output.data_with_word(&at, (&word(&finding.level), colour), &after)
    }

    fn documented(&self) -> Vec<HandbookEntry> {
        [lab::known(), lab::measures(), lab::wishes()].concat()
    }

    fn callable(&self) -> Result<Vec<HandbookEntry>, Error> {
        Ok(lab::callable(Lab::new(lab_config(self.common)?, "lab").language()))
    }

    fn page(&mut self) -> Option<&mut PageFile> {
        self.page.as_mut()
    }

    fn show(&mut self, report: &Report<'_>) -> Result<(), Error> {
        // Before anything is printed: whoever reads may go away.
        let wrote = self.page.take().map(|page| page.write(report)).transpose()?;
        self.output.show(report)?;
        wrote.into_iter().for_each(|said| self.say(&said));
        Ok(())
    }

    fn seed(&mut self, _named: Option<u64>) -> Result<u64, Error> {
        Ok(self.common.seed())
    }

    fn people(&mut self, seating: &Seating) {
        let mut said = seating.in_sentences(|seat| self.seat(seat));
        if seating.people.is_empty() {
            said.insert(0, seating.who_plays());
        } else {
            let others = seating.named.iter().filter(|(seat, _)| !seating.people.contains(seat));
            let others = others.map(|(seat, agent)| format!("; `{seat}` is `{agent}`"));
            said[0].extend(others);
        }
        said.iter().for_each(|said| self.say(said));
    }

    fn seat(&self, seat: &str) -> String {
        format!("--seat {seat}=AGENT")
    }

    fn begins(&mut self, what: &'static str, total: Option<u64>) -> ReportsStage {
        let progress = Progress::new(self.output, what, total);
        Box::new(move |stage| progress.stage(stage))
    }
}

pub(super) fn typed_line() -> String {
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    shell_line(&words.collect::<Vec<_>>(), &[])
}
