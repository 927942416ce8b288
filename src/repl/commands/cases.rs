//! The command `:test`: runs the worked examples of the open rules, or those of house rules.

use serde_json::json;

use crate::cases::{Failure, run_case};
use crate::catalog::{Case, CaseFile, Kind};
use crate::error::{Error, Location};
use crate::render::many;
use crate::repl::{Reply, Session};

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
        folder.find(Kind::House, name)?;
    }
    let laid = play.conflict.rules.house();
    let house = if house.is_empty() { laid } else { house }.to_vec();
    let names = folder.names(Kind::Case).into_iter();
    let files = names.map(|name| folder.cases(&name)).collect::<Result<Vec<CaseFile>, Error>>()?;
    // The folder of a scenario that was opened by its path need not be the catalog's own.
    let catalog = match folder.disk_path() {
        Some(path) => session.catalog.over(path),
        None => session.catalog.clone(),
    };
    let run = |own: &dyn Fn(&Case) -> bool, over: &[String]| -> Result<Ran, Error> {
        let mut ran = Ran::default();
        for file in &files {
            for case in file.cases.iter().filter(|case| own(case)) {
                let mut case = case.clone();
                case.house.extend_from_slice(over);
                match run_case(&catalog, folder.name(), &case, &session.options.limits)? {
                    None => ran.passed += 1,
                    Some(message) => ran.failures.push(Failure {
                        at: Location { file: file.path.clone(), line: case.line, column: None },
                        title: case.title.clone(),
                        message,
                    }),
                }
            }
        }
        Ok(ran)
    };
    let own =
        run(&|case| house.is_empty() || case.house.iter().any(|name| house.contains(name)), &[])?;
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
        return Ok(());
    }
    let names: Vec<String> = house.iter().map(|name| format!("`{name}`")).collect();
    let names = names.join(", ");
    for failure in &own.failures {
        reply.data(failure.as_text());
    }
    let failed = own.failures.len();
    match (house.is_empty(), own.passed + failed) {
        (true, _) => reply.data(format!("{} passed, {failed} failed", own.passed)),
        (false, 0) => reply.data(format!(
            "no case names {names}; one begins with `house = [\"{}\"]` below its title",
            house[0]
        )),
        (false, _) => {
            reply.data(format!("of {names}: {} passed, {failed} failed", own.passed));
        }
    }
    if !house.is_empty() {
        let all = many((others.passed + others.failures.len()) as u64, "case");
        let otherwise = others.failures.len();
        reply.data(format!("of {all} of the rules, {otherwise} end differently under {names}"));
        others.failures.iter().take(SHOWN).for_each(|one| reply.data(one.as_text()));
        if otherwise > SHOWN {
            reply.data(format!("… and {} more; with `--json` all are listed", otherwise - SHOWN));
        }
    }
    Ok(())
}

/// How cases ended.
#[derive(Default)]
struct Ran {
    passed: usize,
    failures: Vec<Failure>,
}
