//! The command `:test`: runs the worked examples of the open rules, or those of house rules.

use serde_json::json;

use crate::cases::{Failure, run_case};
use crate::catalog::{Case, CaseFile, FileKind};
use crate::error::{Error, Location};
use crate::repl::{Reply, Session};
use crate::report::many;

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
        let mut ran = Ran::default();
        for file in &files {
            for case in file.cases.iter().filter(|case| is_wanted(case)) {
                let mut case = case.clone();
                case.house.extend_from_slice(over);
                let failed = run_case(&catalog, folder.name(), &case, &session.options.limits)?;
                ran.count(file, &case, failed);
            }
        }
        Ok::<Ran, Error>(ran)
    };
    let names_house = |case: &Case| case.house.iter().any(|name| house.contains(name));
    let own = run(&|case| house.is_empty() || names_house(case), &[])?;
    let others = match house.is_empty() {
        true => Ran::default(),
        false => run(&|case| case.house.is_empty(), &house)?,
    };
    if session.options.json {
        let json = json!({
            "house": house, "passed": own.passed, "failed": own.failures.len(), "failures": own.failures,
            "alike": others.passed, "otherwise": others.failures,
        });
        reply.data(json.to_string());
    } else {
        own.failures.iter().for_each(|failure| reply.data(failure.as_text()));
        match house.is_empty() {
            true => reply.data(own.in_words()),
            false => compare(&house, &own, &others, reply),
        }
    }
    Ok(())
}

/// How the cases of house rules ended, and what the house rules change in those of the rules.
fn compare(house: &[String], own: &Ran, others: &Ran, reply: &mut Reply) {
    let names: Vec<String> = house.iter().map(|name| format!("`{name}`")).collect();
    let names = names.join(", ");
    reply.data(match own.all() {
        0 => format!(
            "no case names {names}; one begins with `house = [\"{}\"]` below its title",
            house[0]
        ),
        _ => format!("of {names}: {}", own.in_words()),
    });
    let (all, otherwise) = (many(others.all() as u64, "case"), others.failures.len());
    reply.data(format!("of {all} of the rules, {otherwise} end differently under {names}"));
    others.failures.iter().take(SHOWN).for_each(|one| reply.data(one.as_text()));
    if otherwise > SHOWN {
        reply.data(format!("… and {} more; with `--json` all are listed", otherwise - SHOWN));
    }
}

/// How cases ended.
#[derive(Default)]
struct Ran {
    passed: usize,
    failures: Vec<Failure>,
}

impl Ran {
    fn count(&mut self, file: &CaseFile, case: &Case, failed: Option<String>) {
        match failed {
            None => self.passed += 1,
            Some(message) => self.failures.push(Failure {
                at: Location { file: file.path.clone(), line: case.line, column: None },
                title: case.title.clone(),
                message,
            }),
        }
    }

    fn all(&self) -> usize {
        self.passed + self.failures.len()
    }

    fn in_words(&self) -> String {
        format!("{} passed, {} failed", self.passed, self.failures.len())
    }
}
