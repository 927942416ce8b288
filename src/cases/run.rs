//! Runs the cases of a file and compares each outcome with the expected one.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::catalog::{Case, CaseFile, Catalog, Expect, Scenario, Setting, compare};
use crate::conflict::{Changes, Conflict, Order, compile};
use crate::error::{Error, Location, ScriptFault};
use crate::game::{Outcome, Value};
use crate::handlers::Answers;
use crate::script::Limits;

/// A case whose outcome differs from the expected one.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Failure {
    /// The file of the case.
    #[serde(rename = "file", serialize_with = "file")]
    #[schemars(with = "String")]
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

/// The results of the cases of a file.
#[derive(Clone, Debug, Default)]
pub struct FileResult {
    /// How many cases passed.
    pub passed: usize,
    /// The cases that failed.
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
    match play(catalog, system, case, limits) {
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

fn play(
    catalog: &Catalog,
    system: &str,
    case: &Case,
    limits: &Limits,
) -> Result<Outcome, FailedCase> {
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
    let laid = || Rc::new(RefCell::new(Answers::new(case.answers.clone(), case.rolls.clone())));
    let answers = laid();
    let played = conflict.rules.play(&conflict.setup, &answers).map_err(|stop| {
        let mut failed = FailedCase::from(Error::from(stop));
        // What a script throws while it reads the setup is its own refusal; later it is a fault.
        if let Error::Script(error) = &failed.error
            && matches!(error.fault, ScriptFault::Thrown(_))
        {
            failed.refused = conflict.rules.begin(&conflict.setup, &laid()).is_err();
        }
        failed
    })?;
    answers.borrow().finish()?;
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
