//! Runs the commands of the table at the prompt, on the open conflict if they are about one.

use clap::{Arg, ArgAction, ArgMatches, Args, Command};

use crate::analysis::ReportsStage;
use crate::commands::{
    Added, Chosen, CommandEntry, Desk, Face, Faces, PageFile, SeedArgument, or_without,
};
use crate::conflict::{Changes, Seating};
use crate::error::Error;
use crate::handbook::HandbookEntry;
use crate::lab;
use crate::repl::Session;
use crate::report::{Report, wrapped};

/// A command of the table, with what the prompt adds to its arguments.
pub(super) type OnOpen = Chosen<PromptOptions>;

pub struct PromptOptions {
    seed: Option<u64>,
    here: bool,
}

impl std::fmt::Debug for OnOpen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.entry.name)
    }
}

impl Added for PromptOptions {
    const LACKS: Faces = Faces::Shell;

    fn command(entry: &CommandEntry) -> Command {
        let mut command = entry.command(|command| command).aliases(entry.alias);
        if let Some(help) = entry.seed {
            // Without the comment of that type, which would be the description of the command.
            let seed = SeedArgument::augment_args(Command::new("seed"));
            command = command.args(seed.get_arguments().cloned());
            command = command.mut_arg("seed", |seed| seed.help(help));
        }
        if let Some(help) = entry.here {
            let here = Arg::new("here").long("here").action(ArgAction::SetTrue);
            command = command.arg(here.help(help));
        }
        let command = entry.with_page(command);
        if entry.changes { command.mut_args(or_without) } else { command }
    }

    fn read(entry: &CommandEntry, matches: &ArgMatches) -> Result<PromptOptions, clap::Error> {
        Ok(PromptOptions {
            seed: entry.seed.and_then(|_| matches.get_one("seed").copied()),
            here: entry.here.is_some() && matches.get_flag("here"),
        })
    }
}

impl OnOpen {
    pub(super) fn run(&self, session: &mut Session) -> Result<(), Error> {
        let play = match self.entry.alone {
            true => session.play.as_ref(),
            false => Some(session.open()?),
        };
        let about = play.map(|play| &play.conflict);
        let changes = about.map(|conflict| Changes {
            seats: conflict.seats.clone().into_iter().collect(),
            ..conflict.changes.clone()
        });
        let PromptOptions { seed, here } = self.added;
        let is_here = here || self.entry.place;
        let page = match self.entry.page {
            true => session.page(self.entry.name, &self.page, is_here, seed.is_some())?,
            false => None,
        };
        let mut face = Prompt { session, page };
        let means = (session.options.limits.clone(), session.lab.threads());
        let rules = session.lab.rules();
        let mut desk = Desk {
            changes: changes.unwrap_or_default(),
            play,
            revealed: session.revealed,
            known: session.known.as_ref(),
            seed,
            here,
            ..Desk::new(&session.catalog, means, &rules, about, &mut face)
        };
        (self.job)(&mut desk)?;
        match (desk.solution, desk.weighed) {
            (Some(solution), _) => session.known = Some(solution),
            (None, Some(weighed)) => session.keep_weighed(weighed),
            (None, None) => {}
        }
        Ok(())
    }
}

/// Adds to the reply of a line.
struct Prompt<'a> {
    session: &'a Session,
    page: Option<PageFile>,
}

impl Face for Prompt<'_> {
    fn say(&mut self, text: &str) {
        self.session.note(wrapped(text, self.session.options.width));
    }

    fn show(&mut self, report: &Report<'_>) -> Result<(), Error> {
        self.session.show(report);
        if let Some(page) = self.page.take() {
            self.session.note(page.write(report)?);
        }
        Ok(())
    }

    fn line(&mut self, text: &str) -> Result<(), Error> {
        if !self.session.options.json {
            self.session.data(wrapped(text, self.session.options.width));
        }
        Ok(())
    }

    fn documented(&self) -> Vec<HandbookEntry> {
        super::help::known(self.session)
    }

    fn callable(&self) -> Result<Vec<HandbookEntry>, Error> {
        Ok(lab::callable(self.session.lab.language()))
    }

    fn page(&mut self) -> Option<&mut PageFile> {
        self.page.as_mut()
    }

    fn seed(&mut self, named: Option<u64>) -> Result<u64, Error> {
        self.session.seed_apart(named)
    }

    fn people(&mut self, seating: &Seating) {
        let people = seating.in_sentences(|seat| self.seat(seat));
        people.into_iter().for_each(|people| self.session.note(people));
    }

    fn seat(&self, seat: &str) -> String {
        format!(":seat {seat} AGENT")
    }

    fn begins(&mut self, what: &'static str, total: Option<u64>) -> ReportsStage {
        self.session.lab.audience().begins(what, total)
    }
}
