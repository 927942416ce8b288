//! Runs the commands of the table at the prompt: on the open conflict, if they are about one, or from its position
//! with nothing hidden given away.

use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, Subcommand};

use crate::analysis::{Here, OpenDecision, Stage};
use crate::commands::{
    CommandEntry, Desk, Face, Job, PageArgument, PageFile, SeedArgument, TABLE, Weighing,
    or_without,
};
use crate::conflict::{Changes, Play, Position, RuleChanges, Seating};
use crate::error::Error;
use crate::handbook::HandbookEntry;
use crate::lab;
use crate::repl::session::weighed_options::{FoundSolution, Weighed};
use crate::repl::{Reply, Session, Viewer};
use crate::report::{Report, wrapped};

/// A command of the table, with what the prompt adds to its arguments.
pub struct OnOpen {
    entry: &'static CommandEntry,
    seed: Option<u64>,
    here: bool,
    page: PageArgument,
    job: Job,
}

impl std::fmt::Debug for OnOpen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.entry.name)
    }
}

impl Subcommand for OnOpen {
    fn augment_subcommands(program: Command) -> Command {
        TABLE.iter().fold(program, |program, entry| {
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
            program.subcommand(if entry.changes { command.mut_args(or_without) } else { command })
        })
    }

    fn augment_subcommands_for_update(program: Command) -> Command {
        OnOpen::augment_subcommands(program)
    }

    fn has_subcommand(name: &str) -> bool {
        CommandEntry::of(name).is_some()
    }
}

impl FromArgMatches for OnOpen {
    fn from_arg_matches(matches: &ArgMatches) -> Result<OnOpen, clap::Error> {
        let (entry, own) = CommandEntry::chosen(matches)?;
        let seed = entry.seed.and_then(|_| own.get_one("seed").copied());
        let here = entry.here.is_some() && own.get_flag("here");
        Ok(OnOpen { entry, seed, here, page: entry.page_of(own), job: entry.job(own)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = OnOpen::from_arg_matches(matches)?;
        Ok(())
    }
}

impl OnOpen {
    /// Whether it shows nothing that is hidden from anybody.
    pub(crate) fn is_open_to_all(&self) -> bool {
        self.entry.open_to_all
    }

    /// Whether it has an effect on later lines.
    pub(crate) fn is_kept(&self) -> bool {
        self.entry.kept
    }

    pub(super) fn run(&self, session: &mut Session, reply: &mut Reply) -> Result<(), Error> {
        let play = match self.entry.alone {
            true => session.play.as_ref(),
            false => Some(session.open()?),
        };
        let about = play.map(|play| &play.conflict);
        let changes = about.map(|conflict| Changes {
            seats: conflict.seats.clone().into_iter().collect(),
            ..conflict.changes.clone()
        });
        let is_here = self.here || self.entry.name == "odds";
        let page = match self.entry.page {
            true => session.page(self.entry.name, &self.page, is_here, self.seed.is_some())?,
            false => None,
        };
        let mut face = Prompt { session, reply, weighed: None, page };
        let mut desk = Desk {
            catalog: &session.catalog,
            limits: session.options.limits.clone(),
            threads: session.lab.threads(),
            rules: &session.lab.rules(),
            about,
            changes: changes.unwrap_or_default(),
            play,
            typed: None,
            seated: None,
            seed: self.seed,
            here: self.here,
            other: None,
            solution: None,
            face: &mut face,
        };
        (self.job)(&mut desk)?;
        if let (Some((identity, solution)), Some(conflict)) = (desk.solution, about) {
            let scenario = conflict.scenario.name.clone();
            session.known = Some(FoundSolution { scenario, identity, solution });
        } else if let Some(weighed) = face.weighed {
            session.keep_weighed(weighed);
        }
        Ok(())
    }
}

/// Adds to the reply of a line.
struct Prompt<'a> {
    session: &'a Session,
    reply: &'a mut Reply,
    /// What came of the options of a decision.
    weighed: Option<Weighed>,
    page: Option<PageFile>,
}

impl Face for Prompt<'_> {
    fn say(&mut self, text: &str) {
        self.reply.note(wrapped(text, self.session.options.width));
    }

    fn show(&mut self, report: &Report<'_>) -> Result<(), Error> {
        self.session.show_with(self.reply, report, &mut self.page)
    }

    fn line(&mut self, text: &str) -> Result<(), Error> {
        if !self.session.options.json {
            self.reply.data(wrapped(text, self.session.options.width));
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
        report_people(seating, self.reply);
    }

    fn seat(&self, seat: &str) -> String {
        format!(":seat {seat} AGENT")
    }

    fn weigh(&mut self, wanted: Weighing<'_>) -> Result<bool, Error> {
        if wanted.agent.is_none() && is_before_chance(self.session)? {
            return Ok(false);
        }
        self.weighed =
            Some(super::odds::weigh(self.session, wanted, (self.reply, &mut self.page))?);
        Ok(true)
    }

    fn begins(&mut self, what: &'static str, total: Option<u64>) -> Box<dyn Fn(Stage) + Sync> {
        self.session.lab.audience().begins(what, total)
    }

    fn here(&mut self, n: u64, time: Option<Duration>) -> Result<(Seating, Here), Error> {
        here(self.session, n, time, self.reply)
    }

    fn begin_here(
        &mut self,
        seatings: &[(&Seating, Option<&RuleChanges>)],
        aloud: bool,
    ) -> Result<(), Error> {
        let mut silent = Reply::default();
        let reply = if aloud { &mut *self.reply } else { &mut silent };
        begin_here(self.session, seatings.iter().copied(), reply)
    }

    fn began_at(&mut self, here: &Here) {
        report(here, self.reply);
    }
}

/// The seats of the open conflict, and the places of their graph where playouts begin: the current one, or
/// for a player from whom something is hidden, about this many places that look alike.
pub(super) fn here(
    session: &Session,
    n: u64,
    time: Option<Duration>,
    reply: &mut Reply,
) -> Result<(Seating, Here), Error> {
    let (play, viewer) = (session.open()?, session.viewer()?);
    is_under_way(play)?;
    let seating = play.seating()?;
    let seating = seating.under(seating.budget().begin(time));
    report_people(&seating, reply);
    let history = play.history();
    let here = match play.decision().filter(|asked| viewer.see_as(&asked.who)) {
        Some(asked) => {
            let place = OpenDecision {
                history: &history,
                who: &asked.who,
                name: &asked.name,
                revealed: viewer == Viewer::All,
            };
            Here::of_decision(&seating, place, Here::sought(n, time.is_some()))?
        }
        None if viewer == Viewer::All => Here::after(&seating, &history)?,
        None => {
            return Err(Error::usage(
                "something is hidden and you are not asked, so the place is not known; `:play` \
                 continues to a question, `:reveal` shows all",
            ));
        }
    };
    Ok((seating, here))
}

/// Lets seatings with graphs of their own begin at the current place of the open conflict, if everybody knows all:
/// whoever is asked later on would otherwise know what is hidden from them. Under other rules the history has
/// to lead there too.
pub(super) fn begin_here<'a>(
    session: &Session,
    seatings: impl IntoIterator<Item = (&'a Seating, Option<&'a RuleChanges>)>,
    reply: &mut Reply,
) -> Result<(), Error> {
    let play = session.open()?;
    is_under_way(play)?;
    if play.is_setting_up() {
        return Err(Error::usage("the setup still asks, so nothing can begin here yet"));
    }
    let hides = || {
        Err(Error::usage(
            "these rules hide something from players, and a start here would show it; `:estimate \
             --here` and `:odds` take all places that look alike",
        ))
    };
    // Before anything is played again: where other rules part from the history would show what is hidden.
    if play.conflict.rules.means_to_hide() {
        return hides();
    }
    for (seating, changes) in seatings {
        let other = changes.map(|changes| play.snapshot().play(&session.catalog, changes));
        let (other, parted) = other.transpose()?.unzip();
        let conflict = other.as_ref().map_or(&play.conflict, |other| &other.conflict);
        if conflict.rules.means_to_hide() {
            return hides();
        }
        if let Some(parted) = parted.flatten() {
            return Err(parted);
        }
        let here = Here::after(seating, &play.history())?;
        here.nodes.iter().for_each(|node| seating.graph.begin_at(*node));
    }
    reply.note("from the current place");
    Ok(())
}

fn is_under_way(play: &Play) -> Result<(), Error> {
    match play.position() {
        Position::Over { .. } => Err(Error::usage("the conflict is over, and nothing begins here")),
        Position::Asked(_) => Ok(()),
    }
}

pub(super) fn report_people(seating: &Seating, reply: &mut Reply) {
    let people = seating.in_sentences(|seat| format!(":seat {seat} AGENT"));
    people.into_iter().for_each(|people| reply.note(people));
}

/// Says from where playouts began.
pub(super) fn report(here: &Here, reply: &mut Reply) {
    let place = match here.places() {
        1 => "1 place that looks alike".to_owned(),
        places => format!("{places} places that look alike"),
    };
    reply.note(match (here.is_hidden, here.nodes.len()) {
        (false, _) => "from the current place".to_owned(),
        (true, 1) => {
            format!("from here; what is hidden is drawn from {place}, found by playing at random")
        }
        (true, met) => format!(
            "from here; what is hidden is drawn from {place}, found {met} times by playing at random, \
             each time for at most one playout"
        ),
    });
}

/// Whether chance is asked next, and no player.
pub(super) fn is_before_chance(session: &Session) -> Result<bool, Error> {
    let play = session.open()?;
    Ok(play.decision().is_none() && matches!(play.position(), Position::Asked(_)))
}
