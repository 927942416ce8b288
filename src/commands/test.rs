//! The commands `test`: runs worked examples of rules, and says which of them fail; and `mutate`: which changes of
//! rules no case and no law would notice.

use std::path::{Path, PathBuf};
use std::slice::from_ref;

use clap::Args;
use serde::Serialize;

use super::{CommandEntry, Desk, Runnable, Status, TimeArgument, one_to, whole};
use crate::analysis::Stage;
use crate::cases::{self, BlessedValue, CaseResults, Failure, run_case};
use crate::catalog::{Case, CaseFile, Catalog, FileKind};
use crate::check::Mutating;
use crate::conflict::{Order, Play, compile, replace};
use crate::error::Error;
use crate::report::{self, Block, Report, enumerated, many, ticked};
use crate::script::Limits;

/// Run the cases of all rules folders, or those at the given paths; of the open conflict, those of its rules
///
/// Where a conflict is open, house rules take the place of paths. It runs the cases of house rules, those in force or
/// those named, and says which cases of the rules end differently under them; without any, all cases of the rules.
#[derive(Args, Debug)]
pub(crate) struct TestCommand {
    /// Case files, or folders with case files in them; where a conflict is open, house rules, by name or path, or case files
    #[arg(value_name = "PATH | HOUSE")]
    tested: Vec<String>,
    /// Write into its file what the case of this title ends in, where it expects other values; the difference is
    /// shown first
    #[arg(long, value_name = "TITLE")]
    bless: Option<String>,
}

/// What a blessed case expected, and expects now.
#[derive(Serialize)]
struct Blessed<'a> {
    file: &'a str,
    title: &'a str,
    changes: &'a [BlessedValue],
}

impl Runnable for TestCommand {
    const ENTRY: CommandEntry = CommandEntry::alone::<Self>("test");

    fn run(&self, desk: &mut Desk<'_>) -> Result<Status, Error> {
        if let Some(play) = desk.play.filter(|_| !self.names_files()) {
            return match &self.bless {
                Some(title) => bless(&of_open(play, desk.catalog)?, title, desk),
                None => under_house(&self.tested, play, desk),
            };
        }
        let paths: Vec<PathBuf> = self.tested.iter().map(PathBuf::from).collect();
        let (files, mut broken) = found(desk.catalog, &paths)?;
        if let Some(title) = &self.bless {
            return broken.pop().map_or_else(|| bless(&files, title, desk), Err);
        }
        let total = files.iter().map(|(_, file)| file.cases.len() as u64).sum();
        let progress = desk.face.begins("cases", Some(total));
        let mut all = CaseResults::default();
        let ran = files.iter().try_for_each(|(catalog, file)| {
            match cases::run_file(catalog, file, &desk.limits) {
                Err(error) if error.cut().is_some() => return Err(error),
                Err(error) => broken.push(error),
                Ok(ran) => all.add(ran),
            }
            progress(Stage::Done(all.all() as u64, total));
            Ok(())
        });
        drop(progress);
        all.failures.iter().for_each(|failure| desk.face.complain(&failure.as_text()));
        ran?;
        if all.all() > 0 || broken.is_empty() {
            desk.face.show(&Report::of(&all, vec![Block::Code(all.in_words())]))?;
        }
        // One file that is broken hides no result of the others.
        match broken.pop() {
            Some(last) => {
                let text = |error: &Error| report::as_text(error, false, WIDTH);
                broken.iter().for_each(|error| desk.face.complain(&text(error)));
                Err(last)
            }
            None if all.failed > 0 => Ok(Status::Failed),
            None => Ok(Status::Done),
        }
    }
}

impl TestCommand {
    /// Whether all that is named are case files.
    fn names_files(&self) -> bool {
        let is_one = |word: &String| word.ends_with(".toml") && Path::new(word).is_file();
        !self.tested.is_empty() && self.tested.iter().all(is_one)
    }
}

/// The columns of source lines beside errors.
const WIDTH: usize = 100;
/// The most titles that a message lists.
const LISTED: usize = 5;

fn bless(files: &[(Catalog, CaseFile)], title: &str, desk: &mut Desk<'_>) -> Result<Status, Error> {
    let all = || {
        files
            .iter()
            .flat_map(|(catalog, file)| file.cases.iter().map(move |case| (catalog, file, case)))
    };
    let mut named: Vec<_> = all().filter(|(.., case)| case.title == title).collect();
    if named.is_empty() {
        named.extend(all().filter(|(.., case)| case.title.contains(title)));
    }
    let (catalog, file, case) = match named[..] {
        [one] => one,
        [] => return Err(Error::unknown("case", title, all().map(|(.., case)| &case.title[..]))),
        _ => {
            let places = named.iter().take(LISTED);
            let places: Vec<String> =
                places.map(|(_, file, case)| format!("{}:{}", file.path, case.line)).collect();
            let count = named.len();
            return Err(Error::usage(format!(
                "`{title}` is in the titles of {count} cases, and one is written at a time: {}",
                enumerated(&places)
            )));
        }
    };
    let path = PathBuf::from(&file.path);
    if !path.is_file() {
        return Err(Error::usage(format!(
            "`{}` is inside the program; `fracas init` copies the rules into a folder",
            file.path
        )));
    }
    let (changes, text) = cases::blessed(catalog, file, case, &desk.limits)?;
    let mut lines = vec![format!("{}:{}: {}", file.path, case.line, case.title)];
    lines.extend(changes.iter().map(BlessedValue::as_text));
    let found = Blessed { file: &file.path, title: &case.title, changes: &changes };
    desk.face.show(&Report::of(found, vec![Block::Code(lines.join("\n"))]))?;
    if changes.is_empty() {
        desk.face.say("it passes: nothing is written");
    } else {
        replace(&path, text.as_bytes())?;
        desk.face.say(&format!("written to {}", file.path));
    }
    Ok(Status::Done)
}

/// Case files, each with the rules folders that it is tested against.
type FoundCases = Vec<(Catalog, CaseFile)>;

/// The case files, against the rules folders of their own path before all others; and what is wrong with those that
/// are none.
fn found(catalog: &Catalog, paths: &[PathBuf]) -> Result<(FoundCases, Vec<Error>), Error> {
    let (mut found, mut broken) = (Vec::new(), Vec::new());
    let mut find = |catalog: &Catalog, paths: &[PathBuf]| {
        for file in cases::find(catalog, paths)? {
            match file {
                Ok(file) => found.push((catalog.clone(), file)),
                Err(error) => broken.push(error),
            }
        }
        Ok::<(), Error>(())
    };
    match paths {
        [] => find(catalog, &[])?,
        paths => paths.iter().try_for_each(|path| find(&catalog.over(path), from_ref(path)))?,
    }
    Ok((found, broken))
}

fn of_open(play: &Play, catalog: &Catalog) -> Result<FoundCases, Error> {
    let folder = &play.conflict.folder;
    let catalog = folder.disk_path().map_or_else(|| catalog.clone(), |path| catalog.over(path));
    let names = folder.names(FileKind::Case).into_iter();
    names.map(|name| Ok((catalog.clone(), folder.cases(&name)?))).collect()
}

/// The most cases that are shown with what differs in them.
const SHOWN: usize = 10;

/// Runs the cases of house rules, those named or those in force, and says which cases of the rules end
/// differently under them; without any house rule, all cases of the rules.
fn under_house(named: &[String], play: &Play, desk: &mut Desk<'_>) -> Result<Status, Error> {
    let folder = &play.conflict.folder;
    for name in named {
        folder.find(FileKind::House, name)?;
    }
    // One that does not compile is one mistake, not one in each case.
    let mut order = Order::default();
    order.house(folder, named)?;
    compile(folder, order, &desk.limits)?;
    let house = if named.is_empty() { play.conflict.rules.house() } else { named };
    let files = of_open(play, desk.catalog)?;
    let run = |is_wanted: &dyn Fn(&Case) -> bool, over: &[String]| {
        let mut ran = CaseResults::default();
        for (catalog, file) in &files {
            for case in file.cases.iter().filter(|case| is_wanted(case)) {
                let mut case = case.clone();
                case.house.extend_from_slice(over);
                let failed = run_case(catalog, folder.name(), &case, &desk.limits)?;
                ran.count(file, &case, failed);
            }
        }
        Ok::<CaseResults, Error>(ran)
    };
    let names_house = |case: &Case| case.house.iter().any(|name| house.contains(name));
    let own = run(&|case| house.is_empty() || names_house(case), &[])?;
    let others = match house.is_empty() {
        true => CaseResults::default(),
        false => run(&|case| case.house.is_empty(), house)?,
    };
    let mut lines: Vec<String> = own.failures.iter().map(Failure::as_text).collect();
    match house.is_empty() {
        true => lines.push(own.in_words()),
        false => lines.extend(compared(house, &own, &others)),
    }
    let (alike, otherwise) = (others.passed, &others.failures);
    let found = HouseTest { house, own: &own, alike, otherwise };
    desk.face.show(&Report::of(found, vec![Block::Code(lines.join("\n"))]))?;
    Ok(if own.failed > 0 { Status::Failed } else { Status::Done })
}

/// How the cases of house rules ended, and those of the rules under them.
#[derive(Serialize)]
struct HouseTest<'a> {
    house: &'a [String],
    #[serde(flatten)]
    own: &'a CaseResults,
    alike: usize,
    otherwise: &'a [Failure],
}

/// How the cases of house rules ended, and what the house rules change in those of the rules.
fn compared(house: &[String], own: &CaseResults, others: &CaseResults) -> Vec<String> {
    let names = ticked(house).join(", ");
    let (all, otherwise) = (many(others.all() as u64, "case"), others.failed);
    let mut lines = vec![
        match own.all() {
            0 => format!(
                "no case names {names}; one begins with `house = [\"{}\"]` below its title",
                house[0]
            ),
            _ => format!("of {names}: {}", own.in_words()),
        },
        format!("of {all} of the rules, {otherwise} end differently under {names}"),
    ];
    lines.extend(others.failures.iter().take(SHOWN).map(Failure::as_text));
    if otherwise > SHOWN {
        lines.push(format!(
            "… and {} more; a session begun with `fracas --json` lists them all",
            otherwise - SHOWN
        ));
    }
    lines
}

/// Change the scripts of a system one place at a time, and list the changes that no case and no law notices
#[derive(Args, Debug)]
pub(crate) struct MutateCommand {
    /// The system whose scripts are changed
    system: String,
    /// Change the script of this house rule instead
    #[arg(long, value_name = "NAME")]
    house: Option<String>,
    /// Scenarios of at most N nodes are small: their laws are checked, and they are compared as games
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = one_to::<u64>(u64::MAX), allow_negative_numbers = true)]
    nodes: u64,
    /// How many random playouts of each small scenario under its laws
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole, allow_negative_numbers = true)]
    playouts: u64,
    #[command(flatten)]
    limit: TimeArgument,
}

impl Runnable for MutateCommand {
    const ENTRY: CommandEntry = CommandEntry::alone::<Self>("mutate");

    fn run(&self, desk: &mut Desk<'_>) -> Result<Status, Error> {
        let budget = desk.limits.budget.begin(self.limit.time);
        let progress = desk.face.begins("mutants", Some(0));
        let mutating = Mutating {
            catalog: desk.catalog,
            system: &self.system,
            house: self.house.as_deref(),
            limits: &Limits { budget, ..desk.limits.clone() },
            nodes: self.nodes,
            memory: desk.memory(),
            playouts: self.playouts,
            threads: desk.threads,
            progress: &|done, all| progress(Stage::Done(done, all)),
        };
        let found = mutating.run()?;
        drop(progress);
        desk.face.show(&found.report())?;
        if let Some(cut) = found.cut {
            desk.face.say(&format!("{cut}: the mutants after these were not tried"));
        }
        Ok(match Status::of(found.cut) {
            Status::Done if found.unnoticed().next().is_some() => Status::Failed,
            status => status,
        })
    }
}
