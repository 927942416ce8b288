//! Where a command runs: the conflict it is about, its limits, its seed, and the face that says what it found.

use std::path::PathBuf;
use std::time::Duration;

use super::{
    FoundSolution, PageFile, RuleArguments, SamplingArguments, ScenarioArguments, Weighed,
};
use crate::analysis::{Broken, ReportsStage, Sampling, Side, Stage};
use crate::catalog::{Catalog, SETUP, Scenario};
use crate::check::Finding;
use crate::conflict::{Changes, Conflict, Play, RuleChanges, Seating};
use crate::error::{Cut, Error};
use crate::handbook::HandbookEntry;
use crate::report::{Report, word};
use crate::script::Limits;

pub(crate) struct Desk<'a> {
    pub catalog: &'a Catalog,
    pub limits: Limits,
    pub threads: usize,
    /// The rules folders that the command line names.
    pub rules: &'a [PathBuf],
    /// The conflict that the command is about, if it is about one.
    pub about: Option<&'a Conflict>,
    /// What is changed about its scenario, with all its seats.
    pub changes: Changes,
    /// The open conflict, at the prompt.
    pub play: Option<&'a Play>,
    /// Whether what is hidden in it is shown.
    pub revealed: bool,
    /// The solution that was found before.
    pub known: Option<&'a FoundSolution>,
    /// What the command line says of the conflict, in the shell.
    pub typed: Option<&'a ScenarioArguments>,
    /// The agents in their seats, where they sit there already.
    pub seated: Option<Seating>,
    /// The seed that was named.
    pub seed: Option<u64>,
    /// Whether to begin at the current place.
    pub here: bool,
    /// What the conflict is compared with, in the lab.
    pub other: Option<OtherConflict<'a>>,
    /// The solution that the command found.
    pub solution: Option<FoundSolution>,
    /// What it found to come of the options of a decision.
    pub weighed: Option<Weighed>,
    pub face: &'a mut dyn Face,
}

/// A second conflict, and how it differs from the first.
pub(crate) struct OtherConflict<'a> {
    pub conflict: &'a Conflict,
    /// Each difference in words.
    pub words: Vec<String>,
    /// The changes that make each of the differences alone.
    pub parts: Vec<Changes>,
}

/// What the shell, the prompt and the lab do each in a way of its own.
pub(crate) trait Face {
    /// Says something beside the results.
    fn say(&mut self, text: &str);

    /// Says what is wrong, even to those who asked for quiet.
    fn complain(&mut self, text: &str) {
        self.say(text);
    }

    /// Prints what was found.
    fn show(&mut self, report: &Report<'_>) -> Result<(), Error>;

    /// Prints a line of what is found while others are looked for, for people: programs read the whole.
    fn line(&mut self, _text: &str) -> Result<(), Error> {
        Ok(())
    }

    /// As [`Face::line`], of a mistake.
    fn finding(&mut self, finding: &Finding) -> Result<(), Error> {
        let (at, after) = finding.around();
        self.line(&format!("{at}{}{after}", word(&finding.level)))
    }

    /// The seed of playouts: the one that was named, or one of its own.
    fn seed(&mut self, named: Option<u64>) -> Result<u64, Error>;

    /// All that is documented here.
    fn documented(&self) -> Vec<HandbookEntry> {
        Vec::new()
    }

    /// All that scripts can call, the language's own functions too.
    fn callable(&self) -> Result<Vec<HandbookEntry>, Error> {
        Ok(self.documented())
    }

    /// The page that the finding is to be written to, if it is to.
    fn page(&mut self) -> Option<&mut PageFile> {
        None
    }

    /// Says who plays for people, and what who thinks ahead is taken to know.
    fn people(&mut self, seating: &Seating);

    /// How an agent is seated here: `--seat red=AGENT`.
    fn seat(&self, seat: &str) -> String;

    fn opponent(&self, seat: &str) -> String {
        format!("--opponent {seat}")
    }

    /// Long work begins, as [`Audience::begins`].
    fn begins(&mut self, what: &'static str, total: Option<u64>) -> ReportsStage;

    fn cut(&mut self, _cut: Cut, known: &str) {
        self.say(known);
    }
}

fn nothing_open() -> Error {
    Error::usage("only at the prompt is a conflict open that has a current place")
}

impl<'a> Desk<'a> {
    /// A desk with these means, for a command to which nothing else was given.
    pub(crate) fn new(
        catalog: &'a Catalog,
        (limits, threads): (Limits, usize),
        rules: &'a [PathBuf],
        about: Option<&'a Conflict>,
        face: &'a mut dyn Face,
    ) -> Desk<'a> {
        Desk {
            catalog,
            limits,
            threads,
            rules,
            about,
            changes: Changes::default(),
            play: None,
            revealed: false,
            known: None,
            typed: None,
            seated: None,
            seed: None,
            here: false,
            other: None,
            solution: None,
            weighed: None,
            face,
        }
    }

    /// The conflict that the command is about.
    pub(crate) fn conflict(&self) -> Result<&'a Conflict, Error> {
        self.about.ok_or_else(nothing_open)
    }

    /// The open conflict.
    pub(crate) fn open(&self) -> Result<&'a Play, Error> {
        self.play.ok_or_else(nothing_open)
    }

    /// How much memory the work may take, in bytes.
    pub(crate) fn memory(&self) -> u64 {
        self.limits.budget.bound()
    }

    /// Does long work of this many `what`, if it is known how many; the work says how far it has come.
    pub(super) fn work<T>(
        &mut self,
        (what, total): (&'static str, Option<u64>),
        work: impl FnOnce(&(dyn Fn(Stage) + Sync)) -> T,
    ) -> T {
        work(&*self.face.begins(what, total))
    }

    /// The seed of chance.
    pub(crate) fn seed(&mut self) -> Result<u64, Error> {
        self.face.seed(self.seed)
    }

    /// The scenario and what is changed about it, for whoever opens it under further changes; where a conflict is
    /// open, as both are on disk now.
    pub(crate) fn changed(&self) -> Result<(Scenario, Changes), Error> {
        let Some(play) = self.play else {
            return Ok((self.conflict()?.scenario.clone(), self.changes.clone()));
        };
        let Conflict { scenario, changes, .. } =
            play.snapshot().conflict(self.catalog, &RuleChanges::default())?;
        Ok((scenario, Changes { seats: self.changes.seats.clone(), ..changes }))
    }

    /// An error about a name that is no parameter and a key of the setup: it names that key.
    pub(crate) fn or_of_setup(&self, error: Error) -> Error {
        let is_key = |name: &str| {
            self.conflict().is_ok_and(|conflict| {
                !conflict.rules.params().contains_key(name)
                    && conflict.setup.value.get(name).is_some()
            })
        };
        match error {
            Error::Parameter { name, at, .. } if is_key(&name) => {
                let (message, key) = ("no such parameter".to_owned(), format!("{SETUP}{name}"));
                Error::Parameter { name, message, nearest: Some(key), at }
            }
            other => other,
        }
    }

    /// The seats of the conflict at its beginning, for work of so much time; says who plays for people.
    pub(crate) fn seating(&mut self, time: Option<Duration>) -> Result<Seating, Error> {
        let seating = self.seats()?;
        self.people(&seating);
        Ok(seating.under(seating.budget().begin(time)))
    }

    /// Says who plays, also on the page.
    pub(crate) fn people(&mut self, seating: &Seating) {
        self.face.page().into_iter().for_each(|page| page.is_played_by(seating));
        self.face.people(seating);
    }

    /// As [`Desk::seating`], without a word.
    pub(crate) fn seats(&self) -> Result<Seating, Error> {
        match &self.seated {
            Some(seating) => Ok(seating.clone()),
            None => Seating::new(self.conflict()?, self.memory()),
        }
    }

    /// The conflict under further changes to its rules, and those changes if it is open.
    pub(crate) fn under(
        &self,
        rules: &RuleArguments,
    ) -> Result<(Conflict, Option<RuleChanges>), Error> {
        if let Some(play) = self.play {
            let changes = rules.over(play)?;
            let conflict = play.snapshot().conflict(self.catalog, &changes)?;
            return Ok((conflict, Some(changes)));
        }
        let Changes { house, params, .. } = Changes::read(&rules.house, &rules.settings(), &[])?;
        let mut changes = self.changes.clone();
        changes.house.extend(house);
        changes.params.extend(params);
        let scenario = self.conflict()?.scenario.clone();
        Ok((Conflict::of(self.catalog, scenario, &changes, &self.limits)?, None))
    }

    /// The finding is of this conflict, which the command opened itself; prints what its rules warn of, if that was
    /// not done before.
    pub(crate) fn is_of(&mut self, conflict: &Conflict) {
        self.face.page().into_iter().for_each(|page| page.is_of(conflict));
        if self.typed.is_some() {
            conflict.warnings().iter().for_each(|warning| self.face.say(&warning.to_string()));
        }
    }

    /// The line of a shell that plays a playout of one side again, if the conflict was named in a shell.
    pub(crate) fn replay(&self, side: Side, seed: u64) -> Option<String> {
        let mut typed = self.typed?.clone();
        if side == Side::Base {
            typed.rules = RuleArguments::default();
        }
        Some(typed.again(self.rules, self.about?, seed))
    }

    /// How many playouts are made.
    pub(crate) fn sampling(&mut self, asked: &SamplingArguments) -> Result<Sampling, Error> {
        Ok(asked.sampling(self.threads, self.seed()?))
    }

    /// Says whether the numbers are those that were asked for; `missed` is why they are not.
    pub(crate) fn ended(&mut self, cut: Option<Cut>, missed: Option<String>) -> Status {
        match (cut, missed) {
            (Some(cut), _) => {
                self.face.cut(cut, &format!("{cut}: these are the results up to then"));
            }
            (None, Some(missed)) => self.face.say(&missed),
            (None, None) => {}
        }
        Status::of(cut)
    }

    /// Says where a point or a candidate failed.
    pub(crate) fn broken(&mut self, broken: Broken) -> Error {
        broken.at.iter().for_each(|at| self.face.say(&format!("it failed at {at}")));
        broken.error
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// It did what it was to do, which a time limit is part of.
    Done,
    /// It could not, which is what it says.
    Failed,
    /// Somebody wanted it to stop.
    Interrupted,
}

impl Status {
    /// How work ended that was cut, or was not.
    pub(crate) fn of(cut: Option<Cut>) -> Status {
        if cut == Some(Cut::Interrupted) { Status::Interrupted } else { Status::Done }
    }

    /// The same, unless some of what was to be done failed.
    pub(super) fn or_failed(self, some: bool) -> Status {
        if some && self == Status::Done { Status::Failed } else { self }
    }

    pub(crate) fn code(self) -> u8 {
        match self {
            Status::Done => 0,
            Status::Failed => 1,
            Status::Interrupted => 130,
        }
    }
}

/// Hears of work while it is done. Output that is not taken here is kept for the reply.
pub trait Audience {
    /// A line was printed; false where nobody takes it at once.
    fn printed(&self, _text: &str) -> bool {
        false
    }

    /// A note beside the results; false where nobody takes it at once.
    fn noted(&self, _text: &str) -> bool {
        false
    }

    /// Long work begins: this many `what`, if it is known how many. The function hears how far it has come; the
    /// work is over when it is dropped.
    fn begins(&self, _what: &'static str, _total: Option<u64>) -> ReportsStage {
        Box::new(|_| ())
    }
}

/// Nobody is there: all is kept for the reply.
pub(crate) struct Nobody;

impl Audience for Nobody {}
