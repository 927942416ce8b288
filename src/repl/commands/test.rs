//! The command `:test`: runs the worked examples of the open rules, or those of house rules.

use serde::Serialize;

use crate::cases::{CaseResults, Failure, run_case};
use crate::catalog::{Case, CaseFile, FileKind};
use crate::error::Error;
use crate::repl::{Reply, Session};
use crate::report::{Block, Report, many};

/// The most cases that are shown with what differs in them.
const SHOWN: usize = 10;

/// Runs the cases of house rules, those named or those that are laid, and says which cases of the rules end
/// otherwise under them; without any house rule, all cases of the rules.
pub(super) fn test(
    session: &mut Session,
    house: &[String],
    reply: &mut Reply,
) -> Result<(), Error> {
    let play = session.open()?;
    let folder = &play.conflict.folder;
    for name in house {
        folder.find(FileKind::House, name)?;
    }
    let laid = play.conflict.rules.house();
    let house = if house.is_empty() { laid } else { house }.to_vec();
    let names = folder.names(FileKind::Case).into_iter();
    let files = names.map(|name| folder.cases(&name)).collect::<Result<Vec<CaseFile>, Error>>()?;
    // The folder of a scenario that was opened by its path need not be the catalog's own.
    let catalog = match folder.disk_path() {
        Some(path) => session.catalog.over(path),
        None => session.catalog.clone(),
    };
    let run = |is_wanted: &dyn Fn(&Case) -> bool, over: &[String]| {
        let mut ran = CaseResults::default();
        for file in &files {
            for case in file.cases.iter().filter(|case| is_wanted(case)) {
                let mut case = case.clone();
                case.house.extend_from_slice(over);
                let failed = run_case(&catalog, folder.name(), &case, &session.options.limits)?;
                ran.count(file, &case, failed);
            }
        }
        Ok::<CaseResults, Error>(ran)
    };
    let names_house = |case: &Case| case.house.iter().any(|name| house.contains(name));
    let own = run(&|case| house.is_empty() || names_house(case), &[])?;
    let others = match house.is_empty() {
        true => CaseResults::default(),
        false => run(&|case| case.house.is_empty(), &house)?,
    };
    let mut lines: Vec<String> = own.failures.iter().map(Failure::as_text).collect();
    match house.is_empty() {
        true => lines.push(own.in_words()),
        false => lines.extend(compared(&house, &own, &others)),
    }
    let (alike, otherwise) = (others.passed, &others.failures);
    let found = HouseTest { house: &house, own: &own, alike, otherwise };
    session.show(reply, &Report::of(found, vec![Block::Code(lines.join("\n"))]));
    Ok(())
}

/// How the cases of house rules ended, and those of the rules under them.
#[derive(Serialize)]
struct HouseTest<'a> {
    house: &'a [String],
    #[serde(flatten)]
    own: &'a CaseResults,
    /// How many cases of the rules end alike.
    alike: usize,
    otherwise: &'a [Failure],
}

/// How the cases of house rules ended, and what the house rules change in those of the rules.
fn compared(house: &[String], own: &CaseResults, others: &CaseResults) -> Vec<String> {
    let names: Vec<String> = house.iter().map(|name| format!("`{name}`")).collect();
    let names = names.join(", ");
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
        lines.push(format!("… and {} more; with `--json` all are listed", otherwise - SHOWN));
    }
    lines
}
