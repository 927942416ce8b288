//! Worked examples of rules (`cases/*.toml`): finds them, runs them, compares the outcomes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexMap;
use serde::{Serialize, Serializer};

use crate::catalog::{
    Answers, Case, CaseFile, Catalog, ChangedEntries, Expect, ExpectedQuestion, FileKind, FileText,
    Folder, OutcomeDifference, Scenario, Setting, below, differences,
};
use crate::conflict::{Changes, Conflict, Order, as_toml, compile, toml_key};
use crate::error::{Error, Location, ScriptFault, meant, nearest};
use crate::game::{Asked, Outcome, Question, Stop, Value, brief};
use crate::script::{Ear, Limits, Run, Turn};

/// The case files of all rules folders, or those of the paths: files, and folders with all the
/// `*.toml` in them and, for a rules folder, those in its `cases/`.
///
/// # Errors
/// The path does not exist, or no case file is found at a path; beside the others for each file that is not a case
/// file.
pub fn find(catalog: &Catalog, paths: &[PathBuf]) -> Result<Vec<Result<CaseFile, Error>>, Error> {
    let mut files = Vec::new();
    for folder in catalog.folders().filter(|_| paths.is_empty()) {
        all_of(folder, &mut files);
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

fn named(
    catalog: &Catalog,
    path: &Path,
    files: &mut Vec<Result<CaseFile, Error>>,
) -> Result<(), Error> {
    // A system's name stands for its cases, unless a file has that name.
    let name = path.to_str().filter(|name| !path.exists() && !name.contains(['/', '.']));
    let Some(name) = name else {
        files.push(catalog.case_file(path, None));
        return Ok(());
    };
    all_of(catalog.folder(name)?, files);
    Ok(())
}

fn all_of(folder: &Folder, files: &mut Vec<Result<CaseFile, Error>>) {
    files.extend(folder.names(FileKind::Case).iter().map(|name| folder.cases(name)));
}

/// The case files in a folder and below it. A person named the folder alone, so that no link within it
/// is followed out of it.
fn collect(
    catalog: &Catalog,
    named: &Path,
    path: &Path,
    files: &mut Vec<Result<CaseFile, Error>>,
) -> Result<(), Error> {
    let cases = path.join("cases");
    if path.join("rules.rhai").is_file() && cases.is_dir() {
        return collect(catalog, named, &cases, files);
    }
    let entries = std::fs::read_dir(path)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
    let mut inside: Vec<PathBuf> = entries.map_err(|error| Error::file("read", path, error))?;
    inside.sort();
    for entry in inside {
        if entry.is_dir() {
            // The target of a link to a folder is found at its own path, or does not belong to this folder.
            if !entry.is_symlink() {
                collect(catalog, named, &entry, files)?;
            }
        } else if entry.extension().is_some_and(|extension| extension == "toml") {
            files.push(catalog.case_file(&entry, Some(named)));
        }
    }
    Ok(())
}

/// A case whose outcome differs from the expected one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Failure {
    #[serde(rename = "file", serialize_with = "file")]
    pub at: Location,
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

#[derive(Clone, Debug, Default, Serialize)]
pub struct CaseResults {
    pub passed: usize,
    pub failed: usize,
    pub failures: Vec<Failure>,
}

impl CaseResults {
    /// Counts a case of a file; `failed` says what differs.
    pub(crate) fn count(&mut self, file: &CaseFile, case: &Case, failed: Option<String>) {
        match failed {
            None => self.passed += 1,
            Some(message) => {
                self.failed += 1;
                self.failures.push(Failure {
                    at: Location { file: file.path.clone(), line: case.line, column: None },
                    title: case.title.clone(),
                    message,
                });
            }
        }
    }

    pub fn all(&self) -> usize {
        self.passed + self.failed
    }

    pub(crate) fn add(&mut self, more: CaseResults) {
        self.passed += more.passed;
        self.failed += more.failed;
        self.failures.extend(more.failures);
    }

    pub fn in_words(&self) -> String {
        format!("{} passed, {} failed", self.passed, self.failed)
    }
}

/// Runs all cases of a file.
///
/// # Errors
/// [`Error::Unknown`] for a system that is not there, and those of [`Cut`](crate::error::Cut).
pub fn run_file(catalog: &Catalog, file: &CaseFile, limits: &Limits) -> Result<CaseResults, Error> {
    catalog.folder(&file.system).map_err(|error| error.placed(|| file.system_at.clone()))?;
    let mut results = CaseResults::default();
    for case in &file.cases {
        results.count(file, case, run_case(catalog, &file.system, case, limits)?);
    }
    Ok(results)
}

/// Runs one case of a system. Returns `None` if it passes, or a message that says what differs.
pub(crate) fn run_case(
    catalog: &Catalog,
    system: &str,
    case: &Case,
    limits: &Limits,
) -> Result<Option<String>, Error> {
    let mut heard = Vec::new();
    let ended = opened(catalog, system, case, limits);
    let ended = ended.and_then(|conflict| play(&conflict, case, &mut heard));
    judged(case, ended, &heard)
}

fn judged(
    case: &Case,
    ended: Result<Outcome, FailedCase>,
    heard: &[String],
) -> Result<Option<String>, Error> {
    match ended {
        Err(FailedCase { error, .. }) if error.cut().is_some() => Err(error),
        ended => Ok(compared(case, ended).and_then(|()| announced(case, heard)).err()),
    }
}

/// Whether all expected events were announced, in their order; the error names the first that was not.
fn announced(case: &Case, heard: &[String]) -> Result<(), String> {
    let mut left = heard;
    for (number, event) in case.events.iter().enumerate() {
        if let Some(at) = left.iter().position(|text| text == event) {
            left = &left[at + 1..];
            continue;
        }
        let after = match number.checked_sub(1) {
            Some(before) => format!(" after `{}`", brief(&case.events[before])),
            None => String::new(),
        };
        let instead = if heard.contains(event) {
            "; it was announced only before that".to_owned()
        } else if let Some(near) = nearest(event, heard) {
            format!("; the nearest that was is `{}`", brief(&near))
        } else {
            match heard.last() {
                Some(last) => format!("; the last that was is `{}`", brief(last)),
                None => "; nothing was announced".to_owned(),
            }
        };
        let at = case.location(&format!("expect.events.{number}"));
        let at = at.map(|at| format!(" ({at})")).unwrap_or_default();
        return Err(format!("the event `{}` was not announced{after}{instead}{at}", brief(event)));
    }
    Ok(())
}

fn is_asked(expected: &ExpectedQuestion, asked: &Asked) -> Result<(), String> {
    let ExpectedQuestion { who, name, options } = expected;
    if (who, name) != (&asked.who, &asked.name) {
        return Err(format!("expected that `{who}` is asked `{name}`, got {asked}"));
    }
    match options {
        Some(options) if *options != asked.options => {
            let (wanted, got) = (Value::List(options.clone()), Value::List(asked.options.clone()));
            let (wanted, got) = (brief(&wanted.literal()), brief(&got.literal()));
            Err(format!("`{name}` of `{who}`: expected the options {wanted}, got {got}"))
        }
        _ => Ok(()),
    }
}

/// The keys of `expect` that are no part of an outcome.
const KEYS: [&str; 3] = ["error", "events", "question"];

/// A difference; a key that an outcome lacks, or that there is no outcome for, may be meant for one of [`KEYS`].
fn meant_for(expected: &Value, outcome: Option<&Value>, difference: String) -> String {
    let keys = expected.as_map().into_iter().flat_map(|map| map.keys());
    let mut lacking = keys.filter(|key| outcome.is_none_or(|outcome| outcome.get(key).is_none()));
    match lacking.find_map(|key| nearest(key, KEYS)) {
        Some(near) => format!("{difference}; did you mean `expect.{near}`?"),
        None => difference,
    }
}

/// Whether a case ended as expected; the error says what happened instead.
fn compared(case: &Case, ended: Result<Outcome, FailedCase>) -> Result<(), String> {
    match (&case.expect, ended) {
        (Expect::Outcome(expected), Ok(outcome)) => {
            let outcome = outcome.value();
            match differences(expected, outcome).first() {
                Some(found) => Err(meant_for(expected, Some(outcome), found.to_string())),
                None => Ok(()),
            }
        }
        (Expect::Outcome(expected), Err(failed)) => {
            Err(meant_for(expected, None, located(case, &failed.error)))
        }
        (
            Expect::Question(expected),
            Err(FailedCase { error: Error::MissingAnswer { asked, .. }, .. }),
        ) => is_asked(expected, &asked).map_err(|message| {
            let at = case.location("expect.question");
            at.map(|at| format!("{message} ({at})")).unwrap_or(message)
        }),
        (Expect::Question(ExpectedQuestion { who, name, .. }), Ok(outcome)) => {
            let ended = format!("but it ended with `{}`", brief(&outcome.result));
            Err(format!("expected that `{who}` is asked `{name}`, {ended}"))
        }
        // A missing or left-over answer is a fault of the case, never what it expects.
        (
            Expect::Error(_),
            Err(FailedCase {
                error: error @ (Error::MissingAnswer { .. } | Error::LeftOver { .. }),
                ..
            }),
        )
        | (Expect::Question(_), Err(FailedCase { error, .. })) => Err(located(case, &error)),
        (Expect::Error(text), Ok(Outcome { result, .. })) => {
            Err(format!("expected an error with `{text}`, but it ended with `{result}`"))
        }
        // The message alone: a file's path must not make a case pass.
        (Expect::Error(text), Err(FailedCase { error, refused: true }))
            if error.to_string().contains(text) =>
        {
            Ok(())
        }
        (Expect::Error(text), Err(FailedCase { error, refused })) => {
            let of = if refused { "" } else { " in the setup, a parameter or an answer" };
            Err(format!("expected an error with `{text}`{of}, got: {}", located(case, &error)))
        }
    }
}

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

/// As [`run_case`], with where the functions begin that it runs, each once; none where it is refused before any runs.
pub(crate) fn run_case_counted(
    catalog: &Catalog,
    system: &str,
    case: &Case,
    limits: &Limits,
) -> Result<(Option<String>, Vec<Location>), Error> {
    let (mut begun, mut heard) = (Vec::new(), Vec::new());
    let ended = opened(catalog, system, case, limits).and_then(|conflict| {
        conflict.rules.count_calls();
        let ended = play(&conflict, case, &mut heard);
        begun = conflict.rules.begun(&conflict.rules.counted());
        ended
    });
    judged(case, ended, &heard).map(|message| (message, begun))
}

/// A value that a case expects, and the one that it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct BlessedValue {
    /// Its place in the case.
    pub place: String,
    /// As it is written in the file; nothing where it comes.
    was: Option<String>,
    /// As it is to be written; nothing where it goes.
    is: Option<String>,
}

impl BlessedValue {
    pub(crate) fn as_text(&self) -> String {
        let line = |sign: char, value: &Option<String>| {
            value.as_ref().map(|value| format!("{sign} {} = {value}", self.place))
        };
        let lines = [line('-', &self.was), line('+', &self.is)];
        lines.into_iter().flatten().collect::<Vec<_>>().join("\n")
    }
}

/// What a case of a file would have to expect to pass, and the text of the file with that: values alone change, and
/// the labels of `parts`. The case has passed with it. More than values is not changed.
pub(crate) fn blessed(
    catalog: &Catalog,
    file: &CaseFile,
    case: &Case,
    limits: &Limits,
) -> Result<(Vec<BlessedValue>, String), Error> {
    let refused =
        |why: String| Error::usage(format!("only values that a case expects are written: {why}"));
    let mut heard = Vec::new();
    let ended = opened(catalog, &file.system, case, limits);
    let ended = ended.and_then(|conflict| play(&conflict, case, &mut heard));
    let (mut changes, mut tables) = (Vec::new(), Vec::new());
    let written =
        |value: &Value| as_toml(value).ok_or_else(|| refused(format!("TOML cannot hold {value}")));
    match (&case.expect, ended) {
        (_, Err(FailedCase { error, .. })) if error.cut().is_some() => return Err(error),
        (Expect::Outcome(expected), Ok(outcome)) => {
            let mut note = |place: String, was: Option<&Value>, is: Option<&Value>| {
                let (was, is) = (was.map(&written).transpose()?, is.map(&written).transpose()?);
                changes.push(BlessedValue { place, was, is });
                Ok(())
            };
            let (mut rest, actual) = (expected.clone(), outcome.value());
            if !differences(expected, actual).is_empty()
                && let Some(Value::Map(parts)) = expected.get("parts")
            {
                if let Value::Map(keys) = &mut rest {
                    keys.shift_remove("parts");
                }
                for player in parts.keys() {
                    tables.extend(parts_changed(player, expected, actual, &mut note)?);
                }
            }
            for OutcomeDifference { place, expected, actual, .. } in differences(&rest, actual) {
                let place = below("expect", &place);
                let place = match (expected, actual) {
                    (Value::Map(parts), Some(_)) => match parts.keys().next() {
                        Some(key) => below(&place, key),
                        None => place,
                    },
                    (_, Some(actual)) => {
                        note(place, Some(expected), Some(actual))?;
                        continue;
                    }
                    (_, None) => place,
                };
                let why = format!("`{place}` is another kind of value, or not there");
                return Err(refused(why));
            }
        }
        (
            Expect::Question(expected),
            Err(FailedCase { error: Error::MissingAnswer { asked, .. }, .. }),
        ) => {
            let list = |options: &[Value]| Value::List(options.to_vec());
            let options = expected.options.as_ref().map(|was| (list(was), list(&asked.options)));
            let text = |text: &str| Value::from(text);
            let named = [
                ("who", Some((text(&expected.who), text(&asked.who)))),
                ("name", Some((text(&expected.name), text(&asked.name)))),
                ("options", options),
            ];
            for (key, both) in named {
                if let Some((was, is)) = both.filter(|(was, is)| was != is) {
                    let place = format!("expect.question.{key}");
                    let (was, is) = (Some(written(&was)?), Some(written(&is)?));
                    changes.push(BlessedValue { place, was, is });
                }
            }
        }
        (_, Ok(outcome)) => {
            return Err(refused(format!("it ended with `{}`", brief(&outcome.result))));
        }
        (_, Err(failed)) => return Err(refused(located(case, &failed.error))),
    }
    if announced(case, &heard).is_err() {
        let list = |events: &[String]| {
            Value::List(events.iter().map(|one| Value::from(&one[..])).collect())
        };
        let (was, is) = (Some(written(&list(&case.events))?), Some(written(&list(&heard))?));
        changes.push(BlessedValue { place: "expect.events".to_owned(), was, is });
    }
    let both = changes.iter().filter(|one| one.was.is_some());
    let values = both.filter_map(|one| Some((one.place.clone(), one.is.clone()?))).collect();
    let text = case.rewritten(values, tables);
    let text = text.ok_or_else(|| refused("a table is expected".to_owned()))?;
    if !changes.is_empty()
        && let Some(why) = fails_as(catalog, file, case, &text, limits)?
    {
        return Err(refused(format!("with those of now it would still fail: {why}")));
    }
    Ok((changes, text))
}

/// Calls `note` with what is otherwise in the parts that a case expects of a player's utility. Labels that are no
/// longer there go; new ones come where those that were expected were all: they summed to the utility, or one of them
/// goes and no utility is expected.
fn parts_changed(
    player: &str,
    expected: &Value,
    actual: &Value,
    note: &mut impl FnMut(String, Option<&Value>, Option<&Value>) -> Result<(), Error>,
) -> Result<Option<ChangedEntries>, Error> {
    let of = |value: &Value, key: &str| value.get(key).and_then(|all| all.get(player)).cloned();
    let table = format!("expect.parts.{player}");
    let Some(Value::Map(was)) = of(expected, "parts") else {
        return match (of(expected, "parts"), of(actual, "parts")) {
            (Some(was), Some(is)) if was != is => note(table, Some(&was), Some(&is)).map(|()| None),
            _ => Ok(None),
        };
    };
    let Some(Value::Map(is)) = of(actual, "parts").or(Some(Value::Map(IndexMap::new()))) else {
        return Ok(None);
    };
    let mut changed = ChangedEntries { table, ..ChangedEntries::default() };
    let place = |key: &String| format!("expect.parts.{player}.{key}");
    for (key, value) in &was {
        match is.get(key) {
            Some(now) => {
                changed.kept.push(key.clone());
                if !differences(value, now).is_empty() {
                    note(place(key), Some(value), Some(now))?;
                }
            }
            None => {
                changed.gone.push(key.clone());
                note(place(key), Some(value), None)?;
            }
        }
    }
    let sum: Option<f64> = was.values().map(Value::as_utility).sum();
    let was_whole = match of(expected, "utility") {
        Some(utility) => {
            let utility = utility.as_utility();
            sum.zip(utility).is_some_and(|(sum, utility)| (sum - utility).abs() < 1e-9)
        }
        None => !changed.gone.is_empty(),
    };
    for (key, now) in is.iter().filter(|(key, _)| was_whole && !was.contains_key(*key)) {
        note(place(key), None, Some(now))?;
        let value = as_toml(now).unwrap_or_default();
        changed.new.push(format!("{} = {value}", toml_key(key)));
    }
    Ok(Some(changed))
}

/// Why a case fails once its file has this text, if it does.
fn fails_as(
    catalog: &Catalog,
    file: &CaseFile,
    case: &Case,
    text: &str,
    limits: &Limits,
) -> Result<Option<String>, Error> {
    let text = FileText { path: file.path.clone(), text: text.to_owned() };
    let number = file.cases.iter().position(|one| one.line == case.line);
    match CaseFile::parse(text) {
        Ok(now) => match number.and_then(|number| now.cases.get(number)) {
            Some(case) => run_case(catalog, &now.system, case, limits),
            None => Ok(Some("it is not there any more".to_owned())),
        },
        Err(error) => Ok(Some(located(case, &error))),
    }
}

fn opened(
    catalog: &Catalog,
    system: &str,
    case: &Case,
    limits: &Limits,
) -> Result<Conflict, FailedCase> {
    let setting = |entry: (&String, &Value)| Setting {
        at: case.key_location(&format!("params.{}", entry.0)),
        ..Setting::of(entry)
    };
    let params = case.params.iter().map(setting).collect();
    let mut changes = Changes { params, ..Changes::default() };
    let scenario = match &case.campaign {
        Some(word) => {
            changes.house = case.house.clone();
            match word.ends_with(".toml") {
                true => catalog.scenario(word),
                false => catalog.folder(system)?.campaign(word),
            }
        }
        None => Ok(Scenario {
            name: case.title.clone(),
            system: system.to_owned(),
            house: case.house.clone(),
            setup: case.setup.clone(),
            ..Scenario::default()
        }),
    };
    let scenario = scenario.map_err(|error| error.placed(|| case.location("campaign")))?;
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

/// Plays a case; `heard` gets what is announced.
fn play(conflict: &Conflict, case: &Case, heard: &mut Vec<String>) -> Result<Outcome, FailedCase> {
    let expected = match &case.expect {
        Expect::Question(expected) => Some(expected),
        _ => None,
    };
    let laid =
        || CaseAnswers { expected, ..CaseAnswers::new(case.answers.clone(), case.rolls.clone()) };
    // Events are heard, so that a mistake in the text of one shows.
    let begin = || Run::begin(&conflict.rules, &conflict.setup, Ear::Events);
    let mut answers = laid();
    let played = to_the_end(begin(), &mut answers, heard).map_err(|stop| {
        let mut failed = FailedCase::from(Error::from(stop));
        // Where a question is expected, all that was given must be used up by then.
        if matches!(
            (&case.expect, &failed.error),
            (Expect::Question(_), Error::MissingAnswer { .. })
        ) && let Err(left) = answers.finish()
        {
            return FailedCase::from(left);
        }
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
    Ok(played)
}

fn to_the_end(
    mut run: Run,
    answers: &mut CaseAnswers<'_>,
    heard: &mut Vec<String>,
) -> Result<Outcome, Stop> {
    loop {
        match run.next()? {
            Turn::Question => run.answer_by(|question| answers.answer(question))?,
            Turn::Event => heard.push(run.event().to_owned()),
            Turn::Step => {}
            Turn::Done => break,
        }
    }
    run.into_end().map(|end| end.outcome).ok_or(Stop::Pause)
}

/// Fails if the rules do not compile. Parameters are checked before anything is compiled, and rules
/// that do not compile refuse nothing.
fn compiles(catalog: &Catalog, system: &str, case: &Case, limits: &Limits) -> Result<(), Error> {
    let folder = catalog.folder(system)?;
    let order = Order { settings: Vec::new(), ..Order::of_house(folder, &case.house)? };
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
    let text = error.to_string();
    match at.map(|at| at.to_string()) {
        // Some messages name their place themselves.
        Some(at) if !text.contains(&at) => format!("{text} ({at})"),
        _ => text,
    }
}

/// The answers of players and the results of rolls in a case, which lists all of them, and how many of each list have
/// been used.
struct CaseAnswers<'a> {
    queues: [Queues; 2],
    expected: Option<&'a ExpectedQuestion>,
}

type Queues = IndexMap<String, IndexMap<String, (Vec<Value>, usize)>>;

impl CaseAnswers<'_> {
    fn new(players: Answers, rollers: Answers) -> Self {
        let names = |by_name: IndexMap<String, Vec<Value>>| {
            by_name.into_iter().map(|(name, values)| (name, (values, 0))).collect()
        };
        let queues = [players, rollers].map(|answers| {
            answers.into_iter().map(|(who, by_name)| (who, names(by_name))).collect()
        });
        CaseAnswers { queues, expected: None }
    }

    /// The question that has no answer: of those asked together the one that the case expects, if it is there and the
    /// case has no answer left to it.
    fn unanswered(&self, question: &Question<'_>) -> Asked {
        if let Some(ExpectedQuestion { who, name, .. }) = self.expected {
            let answered = question.part().map_or(0, |(part, _)| part);
            let mut open = question.all_asked().into_iter().skip(answered);
            let asked = open.find(|one| (who, name) == (&one.who, &one.name));
            let queue = self.queues[0].get(who).and_then(|by_name| by_name.get(name));
            let is_answered = queue.is_some_and(|(values, used)| *used < values.len());
            if let Some(asked) = asked.filter(|_| !is_answered) {
                return asked;
            }
        }
        question.asked()
    }

    /// The next answer to a question, used up only if it is one of the options.
    fn answer(&mut self, question: &Question<'_>) -> Result<usize, Stop> {
        let (queues, who, name) = match question {
            Question::Decision(decision, _) => {
                (&mut self.queues[0], decision.player, decision.name)
            }
            Question::Chance(chance) => (&mut self.queues[1], chance.roller, chance.name),
        };
        let queue = queues.get_mut(who).and_then(|by_name| by_name.get_mut(name));
        let next = queue.and_then(|(values, used)| Some((values.get(*used)?, used)));
        let Some((value, used)) = next else {
            let meant = meant_by(queues, who, name);
            let asked = Box::new(self.unanswered(question));
            return Err(Error::MissingAnswer { asked, meant }.into());
        };
        let index = question.index_of(value).ok_or_else(|| no_option(value, question.asked()))?;
        *used += 1;
        Ok(index)
    }

    /// Refuses what nothing asked for, when the conflict is over: the first answer, or else the first roll.
    fn finish(&self) -> Result<(), Error> {
        for (chance, queues) in [false, true].into_iter().zip(&self.queues) {
            let names =
                queues.iter().flat_map(|(who, names)| names.iter().map(move |of| (who, of)));
            let mut left = names
                .filter_map(|(who, (name, (values, used)))| Some((who, name, values.get(*used)?)));
            if let Some((who, name, value)) = left.next() {
                let (who, name, value) = (who.clone(), name.clone(), value.clone());
                return Err(Error::LeftOver { chance, who, name, value });
            }
        }
        Ok(())
    }
}

/// Which name, or else who, that nothing has asked for yet may be meant, in words.
fn meant_by(queues: &Queues, who: &str, name: &str) -> String {
    let Some(names) = queues.get(who) else {
        return meant(who, queues.keys());
    };
    let unasked = names.iter().filter(|(_, (_, used))| *used == 0);
    meant(name, unasked.map(|(name, _)| name).filter(|other| *other != name))
}

fn no_option(value: &Value, asked: Asked) -> Error {
    let answer = value.to_string();
    let known: Vec<String> = asked.options.iter().map(Value::to_string).collect();
    // `5` and `"5"` look alike to a reader, so such a pair is shown as written in a file.
    let (answer, nearest) = match known.iter().position(|option| *option == answer) {
        Some(at) => (value.literal(), Some(asked.options[at].literal())),
        None => {
            let nearest = nearest(&answer, &known);
            (answer, nearest)
        }
    };
    Error::Answer { answer, asked: Box::new(asked), nearest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Fake;

    fn laid(json: &str) -> Answers {
        serde_json::from_str(json).unwrap()
    }

    fn case(red: &str, ayla: &str) -> CaseAnswers<'static> {
        let blue = "{\"hide\": [\"hill\"], \"pay\": [\"1 mana\"]}";
        CaseAnswers::new(
            laid(&format!("{{\"red\": {red}, \"blue\": {blue}}}")),
            laid(&format!("{{\"ayla\": {ayla}}}")),
        )
    }

    const RED: &str = "{\"bid\": [5.0], \"hide\": [\"mill\"]}";
    const AYLA: &str = "{\"test\": [4], \"card\": [2]}";

    fn failure(mut answers: CaseAnswers<'_>) -> Error {
        crate::game::failure(
            Fake::game().run(&mut |question| answers.answer(question)).unwrap_err(),
        )
    }

    #[test]
    fn a_missing_answer_says_what_is_asked() {
        let error = failure(case("{\"hide\": [\"mill\"]}", AYLA));
        assert_eq!(
            error.to_string(),
            "no answer is given for a decision of `red`, `bid` (1, 2, 3, 4, 5)"
        );
        assert_eq!(error.kind(), "case");
        // A misspelled key is named.
        let error = failure(case("{\"bidd\": [5], \"hide\": [\"mill\"]}", AYLA));
        let says = "`bid` (1, 2, 3, 4, 5): if `bidd` is meant to be it, write `bid`";
        assert!(error.to_string().ends_with(says), "{error}");
        let error = failure(CaseAnswers::new(laid("{\"redd\": {\"bid\": [5]}}"), Answers::new()));
        assert!(
            error.to_string().ends_with(": if `redd` is meant to be it, write `red`"),
            "{error}"
        );
        let error = failure(case(RED, "{\"test\": []}"));
        assert_eq!(
            error.to_string(),
            "no answer is given for a roll for `ayla`, `test` (1, 2, 3, 4, 5, 6)"
        );
    }

    #[test]
    fn an_answer_that_is_no_option_says_the_options_and_the_nearest() {
        let error = failure(case("{\"bid\": [5], \"hide\": [\"mil\"]}", AYLA));
        assert_eq!(
            error.to_string(),
            "`mil` is not an answer to a decision of `red`, `hide` (ford, hill, mill); \
             did you mean `mill`?"
        );
        assert_eq!(error.kind(), "answer");
        let error = failure(case("{\"bid\": [\"5\"]}", AYLA));
        assert_eq!(
            error.to_string(),
            "`\"5\"` is not an answer to a decision of `red`, `bid` (1, 2, 3, 4, 5); \
             did you mean `5`?"
        );
        let error = failure(case(RED, "{\"test\": [7]}"));
        assert!(error.to_string().starts_with("`7` is not an answer to a roll for"), "{error}");
    }

    #[test]
    fn answers_that_are_left_over_are_named_before_rolls() {
        let left = |red, ayla| {
            let mut answers = case(red, ayla);
            Fake::game().run(&mut |question| answers.answer(question)).unwrap();
            answers.finish().unwrap_err().to_string()
        };
        let (bids, tests) =
            ("{\"bid\": [5, 4], \"hide\": [\"mill\"]}", "{\"test\": [4, 1], \"card\": [2]}");
        let says = |what: &str| format!("{what}, is left over: nothing asks for it");
        assert_eq!(left(bids, tests), says("`4`, given for the answers of `red`, `bid`"));
        assert_eq!(left(RED, tests), says("`1`, given for the rolls of `ayla`, `test`"));
    }
}
