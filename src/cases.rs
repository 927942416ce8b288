//! Worked examples of rules (`cases/*.toml`): finds them, runs them, compares the outcomes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Serialize, Serializer};

use crate::catalog::{Case, CaseFile, Catalog, Expect, FileKind, Scenario, Setting, compare};
use crate::conflict::{Changes, Conflict, Order, compile};
use crate::error::{Error, Location, ScriptFault};
use crate::game::{Outcome, Value};
use crate::handlers::CaseAnswers;
use crate::script::{Ear, Limits, Run};

/// The case files of all rules folders, or those of the paths: files, and folders with all the
/// `*.toml` in them and, for a rules folder, those in its `cases/`.
///
/// # Errors
/// The path does not exist, the file is not a case file, or no case file is found at a path.
pub fn find(catalog: &Catalog, paths: &[PathBuf]) -> Result<Vec<CaseFile>, Error> {
    let mut files = Vec::new();
    if paths.is_empty() {
        for folder in catalog.folders() {
            for name in folder.names(FileKind::Case) {
                files.push(folder.cases(&name)?);
            }
        }
    }
    for path in paths {
        let before = files.len();
        if path.is_dir() {
            collect(catalog, path, path, &mut files)?;
        } else {
            named(catalog, path, &mut files)?;
        }
        if files.len() == before {
            return Err(Error::usage(format!("`{}` holds no case file", path.display())));
        }
    }
    Ok(files)
}

/// The case file at a path, or those of a system of that name.
fn named(catalog: &Catalog, path: &Path, files: &mut Vec<CaseFile>) -> Result<(), Error> {
    // A system's name stands for its cases, unless a file has that name.
    let name = path.to_str().filter(|name| !path.exists() && !name.contains(['/', '.']));
    let Some(name) = name else {
        files.push(catalog.case_file(path)?);
        return Ok(());
    };
    let folder = catalog.folder(name)?;
    for name in folder.names(FileKind::Case) {
        files.push(folder.cases(&name)?);
    }
    Ok(())
}

/// The case files in a folder and below it. A person named the folder alone, so that no link within it
/// is followed out of it.
fn collect(
    catalog: &Catalog,
    named: &Path,
    path: &Path,
    files: &mut Vec<CaseFile>,
) -> Result<(), Error> {
    let cases = path.join("cases");
    if path.join("rules.rhai").is_file() && cases.is_dir() {
        return collect(catalog, named, &cases, files);
    }
    let entries = std::fs::read_dir(path).map_err(|error| Error::file("read", path, error))?;
    let mut inside: Vec<PathBuf> = entries
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| Error::file("read", path, error))?
        .into_iter()
        .map(|entry| entry.path())
        .collect();
    inside.sort();
    for entry in inside {
        if entry.is_dir() {
            // The target of a link to a folder is found at its own path, or does not belong to this folder.
            if !entry.is_symlink() {
                collect(catalog, named, &entry, files)?;
            }
        } else if entry.extension().is_some_and(|extension| extension == "toml") {
            files.push(catalog.case_file_within(named, &entry)?);
        }
    }
    Ok(())
}

/// A case whose outcome differs from the expected one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Failure {
    /// The file of the case.
    #[serde(rename = "file", serialize_with = "file")]
    pub at: Location,
    /// Its title.
    pub title: String,
    /// Says which outcome or error there was instead.
    pub message: String,
}

impl Failure {
    /// The failure as text: its place and title, then what is otherwise.
    pub fn as_text(&self) -> String {
        format!("{}: {}\n  {}", self.at, self.title, self.message)
    }
}

fn file<S: Serializer>(at: &Location, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&at.file)
}

#[derive(Clone, Debug, Default)]
pub struct FileResult {
    /// How many cases passed.
    pub passed: usize,
    pub failures: Vec<Failure>,
}

/// Runs all cases of a file.
///
/// # Errors
/// [`Error::Unknown`] for an unknown system; [`Error::Interrupted`]. A mistake in a case is a
/// `Failure` of that case.
pub fn run_file(catalog: &Catalog, file: &CaseFile, limits: &Limits) -> Result<FileResult, Error> {
    catalog.folder(&file.system).map_err(|error| error.placed(|| file.system_at.clone()))?;
    let mut result = FileResult::default();
    for case in &file.cases {
        match run_case(catalog, &file.system, case, limits) {
            Ok(None) => result.passed += 1,
            Err(error) => return Err(error),
            Ok(Some(message)) => result.failures.push(Failure {
                at: Location { file: file.path.clone(), line: case.line, column: None },
                title: case.title.clone(),
                message,
            }),
        }
    }
    Ok(result)
}

/// Runs one case of a system. Returns `None` if it passes, or a message that says what differs.
pub(crate) fn run_case(
    catalog: &Catalog,
    system: &str,
    case: &Case,
    limits: &Limits,
) -> Result<Option<String>, Error> {
    match opened(catalog, system, case, limits).and_then(|conflict| play(&conflict, case)) {
        Err(FailedCase { error, .. }) if error.cut().is_some() => Err(error),
        ended => Ok(compared(case, ended).err()),
    }
}

/// Whether a case ended as expected; the error says what happened instead.
fn compared(case: &Case, ended: Result<Outcome, FailedCase>) -> Result<(), String> {
    let (text, ended) = match (&case.expect, ended) {
        (Expect::Outcome(expected), Ok(outcome)) => {
            return compare(expected, outcome.value()).map_or(Ok(()), Err);
        }
        (Expect::Outcome(_), Err(failed)) => return Err(located(case, &failed.error)),
        (Expect::Error(text), ended) => (text, ended),
    };
    match ended {
        Ok(outcome) => {
            let result = outcome.result;
            Err(format!("expected an error with `{text}`, but it ended with `{result}`"))
        }
        // A missing or left-over answer is a fault of the case, never what it expects.
        Err(FailedCase {
            error: error @ (Error::MissingAnswer { .. } | Error::LeftOver { .. }),
            ..
        }) => Err(located(case, &error)),
        // The message alone: a file's path must not make a case pass.
        Err(FailedCase { error, refused: true }) if error.to_string().contains(text) => Ok(()),
        Err(FailedCase { error, refused: true }) => {
            Err(format!("expected an error with `{text}`, got: {}", located(case, &error)))
        }
        Err(FailedCase { error, refused: false }) => Err(format!(
            "expected an error with `{text}` in the setup, a parameter or an answer, got: {}",
            located(case, &error)
        )),
    }
}

/// Why a case has no outcome.
struct FailedCase {
    error: Error,
    /// Whether a setup, parameter or answer of the case was refused; all else is a fault of the
    /// rules.
    refused: bool,
}

impl From<Error> for FailedCase {
    fn from(error: Error) -> FailedCase {
        let refused =
            matches!(error, Error::Setup { .. } | Error::Parameter { .. } | Error::Answer { .. });
        FailedCase { error, refused }
    }
}

/// Where the functions begin that a case runs, each once; nothing where it is refused before any runs.
///
/// # Errors
/// [`Error::Interrupted`] and [`Error::Bound`].
pub(crate) fn functions_run(
    catalog: &Catalog,
    system: &str,
    case: &Case,
    limits: &Limits,
) -> Result<Vec<Location>, Error> {
    let Ok(conflict) = opened(catalog, system, case, limits) else { return Ok(Vec::new()) };
    conflict.rules.count_calls();
    let played = play(&conflict, case);
    let counted = conflict.rules.counted();
    match played {
        Err(FailedCase { error, .. }) if error.cut().is_some() => Err(error),
        _ => Ok(conflict.rules.begun(&counted)),
    }
}

/// The conflict that a case plays.
fn opened(
    catalog: &Catalog,
    system: &str,
    case: &Case,
    limits: &Limits,
) -> Result<Conflict, FailedCase> {
    let alone = || Scenario {
        name: case.title.clone(),
        system: system.to_owned(),
        title: None,
        house: case.house.clone(),
        params: Default::default(),
        setup: case.setup.clone(),
        seats: Default::default(),
        campaign: None,
        document: None,
    };
    let scenario = match &case.campaign {
        Some(word) if word.ends_with(".toml") => catalog.scenario(word),
        Some(name) => catalog.folder(system)?.campaign(name),
        None => Ok(alone()),
    };
    let scenario = scenario.map_err(|error| error.placed(|| case.location("campaign")))?;
    let house = match &case.campaign {
        Some(_) => case.house.clone(),
        None => Vec::new(),
    };
    let setting = |(name, value): (&String, &Value)| Setting {
        name: name.clone(),
        value: value.clone(),
        at: case.location(&format!("params.{name}")),
    };
    let changes =
        Changes { house, params: case.params.iter().map(setting).collect(), ..Changes::default() };
    let opened = Conflict::of(catalog, scenario, &changes, limits);
    if let (Err(Error::Parameter { .. }), None) = (&opened, &case.campaign) {
        compiles(catalog, system, case, limits)?;
    }
    let mut conflict = opened.map_err(|error| {
        let place = place_of_house(case, &error);
        error.placed(|| place)
    })?;
    if case.campaign.is_none() {
        let places = case.clone();
        conflict.setup.locate = Arc::new(move |place| places.key_location(place));
    }
    Ok(conflict)
}

fn play(conflict: &Conflict, case: &Case) -> Result<Outcome, FailedCase> {
    let laid = || CaseAnswers::new(case.answers.clone(), case.rolls.clone());
    // Events are heard, so that a mistake in the text of one shows.
    let begin = || Run::begin(&conflict.rules, &conflict.setup, Ear::Events);
    let mut answers = laid();
    let played = begin().finish(|question| answers.answer(question)).map_err(|stop| {
        let mut failed = FailedCase::from(Error::from(stop));
        // What a script throws while it reads the setup is its own refusal; later it is a fault.
        if let Error::Script(error) = &failed.error
            && matches!(error.fault, ScriptFault::Thrown(_))
        {
            let mut again = laid();
            failed.refused = begin().reach(|question| again.answer(question)).is_err();
        }
        failed
    })?;
    answers.finish()?;
    Ok(played.outcome)
}

/// Fails if the rules do not compile. Parameters are checked before anything is compiled, and rules
/// that do not compile refuse nothing.
fn compiles(catalog: &Catalog, system: &str, case: &Case, limits: &Limits) -> Result<(), Error> {
    let folder = catalog.folder(system)?;
    let mut order = Order::default();
    order.house(folder, &case.house)?;
    order.settings.clear();
    compile(folder, order, limits).map(|_| ())
}

/// The place where a case names an unknown house rule.
fn place_of_house(case: &Case, error: &Error) -> Option<Location> {
    let Error::Unknown { name, .. } = error else { return None };
    let number = case.house.iter().position(|house| house == name)?;
    case.location(&format!("house.{number}"))
}

/// The error with its place: in the case if the case is wrong, else in the rules.
fn located(case: &Case, error: &Error) -> String {
    let at = match error {
        Error::LeftOver { chance, who, name, .. } => {
            let table = if *chance { "rolls" } else { "answers" };
            case.key_location(&format!("{table}.{who}.{name}"))
        }
        other => other.location().cloned(),
    };
    match at {
        Some(at) => format!("{error} ({at})"),
        None => error.to_string(),
    }
}
