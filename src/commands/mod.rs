//! The commands that shell and prompt share, and the lab in part: the table of them, and what each of them is.

mod bench;
mod check;
mod compare;
mod config_paths;
mod desk;
mod doc;
mod here;
mod hint;
mod league;
mod luck;
mod new;
mod odds;
mod options;
mod page;
mod portrait;
mod replay_page;
mod solve;
mod sweep;
mod test;
mod tune;
mod visibility;
mod weighed;

use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};

use bench::BenchCommand;
use check::CheckCommand;
use compare::CompareCommand;
pub(crate) use config_paths::{
    check_folder, config_folder, explained, history_file, init_file, state_folder, unsaved_folder,
};
pub(crate) use desk::{Audience, Desk, Face, Nobody, OtherConflict, Status};
pub(crate) use doc::write_files;
use doc::{DocCommand, ListCommand};
use hint::HintCommand;
use league::{MergeCommand, StandingsCommand, TournamentCommand};
pub(crate) use luck::LuckArguments;
use luck::LuckCommand;
use new::{InitCommand, NewCommand};
use odds::{EstimateCommand, OddsCommand};
pub(crate) use options::*;
pub(crate) use page::{PageArgument, PageFile, open_line, write_drawing};
use portrait::PortraitCommand;
pub(crate) use replay_page::{ReplayPage, own_players, replay_line};
use solve::{ExploitCommand, SolveCommand};
use sweep::SweepCommand;
use test::{MutateCommand, TestCommand};
use tune::TuneCommand;
pub(crate) use visibility::{Names, Viewer, shows_views, view_in_words};
pub(crate) use weighed::{FoundSolution, OptionOdds, Weighed};

use crate::error::Error;

/// A command: its arguments are the fields, its description is the comment of the type. The first paragraph is
/// printed everywhere, the others by the help of the prompt alone.
pub(crate) trait Runnable: Args + 'static {
    const ENTRY: CommandEntry;

    /// Runs it, and says what it found.
    fn run(&self, desk: &mut Desk<'_>) -> Result<Status, Error>;
}

/// Who has a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Faces {
    Both,
    Shell,
    Prompt,
}

/// What runs a command whose arguments are read.
pub(crate) type Job = Box<dyn Fn(&mut Desk<'_>) -> Result<Status, Error>>;

/// A command, as the parsers of shell, prompt and lab need it.
pub struct CommandEntry {
    pub name: &'static str,
    /// Who has it, beside the lab.
    pub faces: Faces,
    /// The letter that abbreviates it at the prompt.
    pub alias: Option<&'static str>,
    /// Whether it needs no conflict: the shell gives it no scenario, and at the prompt none needs to be open.
    pub alone: bool,
    /// What `--seed` decides at the prompt, if chance decides anything.
    pub seed: Option<&'static str>,
    /// What `--here` does at the prompt, if it may begin at the current place.
    pub here: Option<&'static str>,
    /// Whether at the prompt it is always about the current place.
    pub place: bool,
    /// Whether its own `--house` and `--param` say what the conflict is compared with, not what it is.
    pub changes: bool,
    /// Whether `--html` writes what it found to a page.
    pub page: bool,
    /// Arguments that are of the open conflict, which shell and lab do not have.
    of_open: &'static [&'static str],
    /// Whether it has an effect on later lines of the prompt, so that a saved session repeats it.
    pub kept: bool,
    /// Whether it shows nothing that is hidden from anybody, so that it runs while the next person is awaited.
    pub open_to_all: bool,
    augment: fn(Command) -> Command,
    pub(crate) read: fn(&ArgMatches) -> Result<Job, clap::Error>,
}

/// All of them, in the order in which the help of the shell prints them.
pub(crate) const TABLE: [CommandEntry; 21] = [
    ListCommand::ENTRY,
    OddsCommand::ENTRY,
    SolveCommand::ENTRY,
    EstimateCommand::ENTRY,
    PortraitCommand::ENTRY,
    CompareCommand::ENTRY,
    SweepCommand::ENTRY,
    TuneCommand::ENTRY,
    ExploitCommand::ENTRY,
    BenchCommand::ENTRY,
    CheckCommand::ENTRY,
    TestCommand::ENTRY,
    MutateCommand::ENTRY,
    TournamentCommand::ENTRY,
    StandingsCommand::ENTRY,
    MergeCommand::ENTRY,
    DocCommand::ENTRY,
    HintCommand::ENTRY,
    LuckCommand::ENTRY,
    NewCommand::ENTRY,
    InitCommand::ENTRY,
];

impl CommandEntry {
    /// A command of shell and prompt that is about a conflict.
    const fn new<C: Runnable>(name: &'static str) -> CommandEntry {
        CommandEntry {
            name,
            faces: Faces::Both,
            alias: None,
            alone: false,
            seed: None,
            here: None,
            place: false,
            changes: false,
            page: true,
            of_open: &[],
            kept: true,
            open_to_all: false,
            augment: C::augment_args,
            read: |matches| {
                let command = C::from_arg_matches(matches)?;
                Ok(Box::new(move |desk| command.run(desk)))
            },
        }
    }

    /// One that is about none, and only prints.
    const fn alone<C: Runnable>(name: &'static str) -> CommandEntry {
        CommandEntry { alone: true, page: false, kept: false, ..CommandEntry::new::<C>(name) }
    }

    pub(crate) fn of(name: &str) -> Option<&'static CommandEntry> {
        const ALL: &[CommandEntry] = &TABLE;
        ALL.iter().find(|entry| entry.name == name)
    }

    /// The command with its arguments; `target` adds those before them.
    pub(crate) fn command(&self, target: impl FnOnce(Command) -> Command) -> Command {
        self.arguments(target(Command::new(self.name)))
    }

    pub(crate) fn arguments(&self, command: Command) -> Command {
        (self.augment)(command)
    }

    /// The command without what only the open conflict has.
    pub(crate) fn elsewhere(&self, command: Command) -> Command {
        let refused = |_: &str| Err::<String, _>("only the prompt has it");
        self.of_open.iter().fold(command, |command, name| {
            command.mut_arg(name, |argument| argument.hide(true).value_parser(refused))
        })
    }

    /// The command with `--html`, if its finding can be written to a page.
    pub(crate) fn with_page(&self, command: Command) -> Command {
        // Without the comment of that type, which would be the description of the command.
        let page = PageArgument::augment_args(Command::new("page"));
        match self.page {
            true => command.args(page.get_arguments().cloned()),
            false => command,
        }
    }
}

/// Two lines of a shell that show a command, without the name of the program. They run as tests.
pub(crate) fn examples(command: &str) -> impl Iterator<Item = &'static str> {
    let is_own = move |line: &&str| line.split(' ').next() == Some(command);
    include_str!("examples.txt").lines().filter(is_own)
}

/// What a face adds to the arguments of a command of the table.
pub trait Added: Sized {
    /// The commands that it has not.
    const LACKS: Faces;

    fn command(entry: &CommandEntry) -> Command;

    fn read(entry: &CommandEntry, matches: &ArgMatches) -> Result<Self, clap::Error>;
}

/// A command of the table, as a face parses it.
pub struct Chosen<A> {
    pub(crate) entry: &'static CommandEntry,
    pub(crate) added: A,
    /// Where the page of the finding goes.
    pub(crate) page: PageArgument,
    pub(crate) job: Job,
}

impl<A: Added> Subcommand for Chosen<A> {
    fn augment_subcommands(program: Command) -> Command {
        let own = TABLE.iter().filter(|entry| entry.faces != A::LACKS);
        own.fold(program, |program, entry| program.subcommand(A::command(entry)))
    }

    fn augment_subcommands_for_update(program: Command) -> Command {
        Self::augment_subcommands(program)
    }

    fn has_subcommand(name: &str) -> bool {
        CommandEntry::of(name).is_some()
    }
}

impl<A: Added> FromArgMatches for Chosen<A> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Chosen<A>, clap::Error> {
        let known = matches.subcommand();
        let known = known.and_then(|(name, own)| Some((CommandEntry::of(name)?, own)));
        let missing = || clap::Error::new(clap::error::ErrorKind::MissingSubcommand);
        let (entry, own) = known.ok_or_else(missing)?;
        let html = entry.page.then(|| own.get_one("html").cloned()).flatten();
        let (page, job) = (PageArgument { html }, (entry.read)(own)?);
        Ok(Chosen { entry, added: A::read(entry, own)?, page, job })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
