//! Reads case files: conflicts with every answer and roll given, and the result they must have; says where an
//! outcome differs.

use std::sync::Arc;

use indexmap::IndexMap;

use super::document::{ChangedEntries, DocumentTable, below};
use super::{Document, FileText};
use crate::error::{Error, Location, hint, nearest};
use crate::game::Value;

/// Player or roller -> name of the decision or roll -> answers or results, in order.
pub type Answers = IndexMap<String, IndexMap<String, Vec<Value>>>;

/// A file of cases.
#[derive(Clone, Debug)]
pub struct CaseFile {
    /// The path as shown to the user.
    pub path: String,
    /// The rules folder's name.
    pub system: String,
    /// The cases, in order.
    pub cases: Vec<Case>,
    pub(crate) system_at: Option<Location>,
}

/// One conflict.
#[derive(Clone, Debug)]
pub struct Case {
    /// A sentence on what the case shows.
    pub title: String,
    /// The clauses of the rules that it shows.
    pub clauses: Vec<String>,
    /// The campaign that is played, by its name or path; then there is no setup.
    pub campaign: Option<String>,
    /// House rules, applied in order: names, or paths of `.rhai` files.
    pub house: Vec<String>,
    /// Changed parameters, not yet checked.
    pub params: IndexMap<String, Value>,
    /// The setup: a [`Value::Map`] in the order of the file.
    pub setup: Value,
    /// The answers of the players.
    pub answers: Answers,
    /// The results of the rolls.
    pub rolls: Answers,
    /// The expected result.
    pub expect: Expect,
    /// What must be announced, in this order; other events may be between.
    pub events: Vec<String>,
    /// The line of the file on which it begins, from 1.
    pub line: usize,
    document: Arc<Document>,
    place: String,
}

/// The expected result of a case.
#[derive(Clone, Debug, PartialEq)]
pub enum Expect {
    /// A part of the outcome, a [`Value::Map`]; see [`super::differences()`].
    Outcome(Value),
    /// The conflict is not over: after all answers and rolls somebody is asked this.
    Question(ExpectedQuestion),
    /// The setup, a parameter or an answer is wrong, and the message holds this text.
    Error(String),
}

/// A question that a case expects.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectedQuestion {
    /// The player, or the roller.
    pub who: String,
    /// The name of the decision or roll.
    pub name: String,
    /// All that is offered, in order; without them the options are not compared.
    pub options: Option<Vec<Value>>,
}

impl CaseFile {
    /// Reads the text of a case file.
    ///
    /// # Errors
    /// [`Error::Toml`] with its place: syntax, an unknown key, a wrong kind, something missing.
    pub fn parse(text: FileText) -> Result<CaseFile, Error> {
        let document = Arc::new(Document::parse(text)?);
        let root = DocumentTable::root(&document)?;
        root.only(&["system", "case"])?;
        let system = root.need_text("system")?;
        root.need("case")?;
        let cases = root.list("case")?.unwrap_or_default().iter().enumerate();
        let case = |(index, value)| Case::new(&document, &root.table_at("case", index, value)?);
        let cases = cases.map(case).collect::<Result<_, Error>>()?;
        let system_at = document.at("system");
        Ok(CaseFile { path: document.path.clone(), system, cases, system_at })
    }
}

impl Case {
    fn new(document: &Arc<Document>, table: &DocumentTable<'_>) -> Result<Case, Error> {
        table.only(&[
            "title", "clauses", "campaign", "house", "params", "setup", "answers", "rolls",
            "expect",
        ])?;
        let campaign = match table.text("campaign")? {
            Some(_) if table.get("setup").is_some() => {
                return Err(table.wrong("setup", "is that of the campaign's conflicts"));
            }
            Some(word) => Some(table.beside("campaign", word)?),
            None => None,
        };
        let title = table.need_text("title")?;
        let (answers, rolls) = (answers(table, "answers")?, answers(table, "rolls")?);
        let (expect, events) = expect(table)?;
        Ok(Case {
            campaign,
            title,
            clauses: table.texts("clauses")?,
            house: table.all_beside("house")?,
            params: table.map("params")?,
            setup: Value::Map(table.map("setup")?),
            answers,
            rolls,
            expect,
            events,
            line: document.at(&table.place).map_or(1, |at| at.line),
            document: document.clone(),
            place: table.place.clone(),
        })
    }

    /// The location of a value of this case: `setup.players.red.stock`, `answers.red.bid`. For a
    /// place that the file does not have, it is the location of the nearest table around it.
    pub fn location(&self, place: &str) -> Option<Location> {
        self.document.at(&format!("{}.{place}", self.place))
    }

    /// The text of the file with other values at these places of the case, and other entries in these tables of it;
    /// nothing where one of the values is a table or is not there.
    pub(crate) fn rewritten(
        &self,
        changes: Vec<(String, String)>,
        tables: Vec<ChangedEntries>,
    ) -> Option<String> {
        let within = |place: &str| format!("{}.{place}", self.place);
        let changes = changes.into_iter().map(|(place, value)| (within(&place), value));
        let tables = tables
            .into_iter()
            .map(|changed| ChangedEntries { table: within(&changed.table), ..changed });
        self.document.with(&changes.collect::<Vec<_>>(), &tables.collect::<Vec<_>>())
    }

    pub(crate) fn key_location(&self, place: &str) -> Option<Location> {
        self.document.key_at(&format!("{}.{place}", self.place))
    }
}

fn answers(case: &DocumentTable<'_>, key: &str) -> Result<Answers, Error> {
    let mut all = Answers::new();
    let Some(players) = case.table(key)? else { return Ok(all) };
    for player in players.entries().keys() {
        let mut named = IndexMap::new();
        if let Some(names) = players.table(player)? {
            for name in names.entries().keys() {
                named.insert(name.clone(), names.list(name)?.unwrap_or_default().to_vec());
            }
        }
        all.insert(player.clone(), named);
    }
    Ok(all)
}

fn expect(case: &DocumentTable<'_>) -> Result<(Expect, Vec<String>), Error> {
    case.need("expect")?;
    let mut entries = case.map("expect")?;
    let Some(table) = case.table("expect")?.filter(|_| !entries.contains_key("error")) else {
        return Ok((expected_end(case, entries)?, Vec::new()));
    };
    let events = table.texts("events")?;
    if entries.shift_remove("events").is_some() && events.is_empty() {
        return Err(case.wrong("expect.events", "is empty, so any events would match"));
    }
    let expect = match table.table("question")? {
        Some(question) => {
            if entries.len() > 1 {
                let message = "may have `events` beside it alone: where somebody is asked there is no outcome";
                return Err(case.wrong("expect.question", message));
            }
            question.only(&["who", "name", "options"])?;
            Expect::Question(ExpectedQuestion {
                who: question.need_text("who")?,
                name: question.need_text("name")?,
                options: question.list("options")?.map(<[Value]>::to_vec),
            })
        }
        None if !events.is_empty() => Expect::Outcome(Value::Map(entries)),
        None => expected_end(case, entries)?,
    };
    Ok((expect, events))
}

fn expected_end(
    case: &DocumentTable<'_>,
    entries: IndexMap<String, Value>,
) -> Result<Expect, Error> {
    match (entries.get("error"), entries.len()) {
        (None, 0) => Err(case.wrong("expect", "is empty, so any outcome would match")),
        (None, _) => Ok(Expect::Outcome(Value::Map(entries))),
        (Some(Value::Text(text)), 1) if text.trim().is_empty() => {
            Err(case.wrong("expect.error", "is empty, so any error would match"))
        }
        (Some(Value::Text(text)), 1) => Ok(Expect::Error(text.clone())),
        (Some(Value::Text(_)), _) => {
            Err(case.wrong("expect.error", "must be the only key: what fails has no outcome"))
        }
        (Some(other), _) => Err(case.must_be("expect.error", "a text", other)),
    }
}

/// A part of an outcome that is not what is expected.
pub(crate) struct OutcomeDifference<'v> {
    /// Its place in the outcome: `wars.0.attacker`; empty for the whole.
    pub place: String,
    pub expected: &'v Value,
    /// Nothing where it is not there.
    pub actual: Option<&'v Value>,
    /// A key that is there and may be meant.
    near: Option<String>,
}

impl std::fmt::Display for OutcomeDifference<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.place.is_empty() {
            write!(f, "{}: ", self.place)?;
        }
        write!(f, "expected {}, ", self.expected.literal())?;
        match self.actual {
            Some(actual) => write!(f, "got {}", actual.literal()),
            None => write!(f, "but it is not there{}", hint(&self.near)),
        }
    }
}

/// What differs between what is expected and an outcome.
///
/// Tables are compared key by key, and keys left out are not compared; a list of tables may be
/// expected as a table from index to table. Everything else, lists in particular, is compared
/// whole. Numbers are compared by value.
pub(crate) fn differences<'v>(
    expected: &'v Value,
    actual: &'v Value,
) -> Vec<OutcomeDifference<'v>> {
    let mut found = Vec::new();
    differ(String::new(), expected, actual, &mut found);
    found
}

fn differ<'v>(
    place: String,
    expected: &'v Value,
    actual: &'v Value,
    found: &mut Vec<OutcomeDifference<'v>>,
) {
    match (expected, actual) {
        (Value::Map(parts), Value::Map(_) | Value::List(_)) => {
            for (key, expected) in parts {
                let place = below(&place, key);
                let inner = match actual {
                    Value::List(items) => index(key).and_then(|index| items.get(index)),
                    map => map.get(key),
                };
                match inner {
                    Some(actual) => differ(place, expected, actual, found),
                    None => {
                        let keys = actual.as_map().into_iter().flat_map(|whole| whole.keys());
                        let near = nearest(key, keys);
                        found.push(OutcomeDifference { place, expected, actual: None, near });
                    }
                }
            }
        }
        _ if expected == actual => {}
        _ => found.push(OutcomeDifference { place, expected, actual: Some(actual), near: None }),
    }
}

/// The index that a key is, if it is written without a sign and leading zeros.
fn index(key: &str) -> Option<usize> {
    key.parse().ok().filter(|index: &usize| index.to_string() == key)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"system = "x"
[[case]]
title = "a bid"
clauses = ["W3"]
house = ["cheap"]
[case.params]
rate = 2
[case.setup.players.red]
ore = 1
[case.setup.players.blue]
[case.answers.red]
bid = [5, "flag"]
[case.rolls.red]
test = [4]
[case.expect]
result = "attacker"

[[case]]
title = "too little"
[case.expect]
error = "ore"
"#;

    fn parse(text: &str) -> Result<CaseFile, Error> {
        CaseFile::parse(FileText { path: "a.toml".into(), text: text.into() })
    }

    #[test]
    fn a_case_has_all_that_the_file_says() {
        let file = parse(FILE).unwrap();
        assert_eq!((file.system.as_str(), file.cases.len()), ("x", 2));
        let bid = &file.cases[0];
        assert_eq!((bid.title.as_str(), bid.line), ("a bid", 2));
        assert_eq!((&bid.clauses[..], &bid.house[..]), (&["W3".into()][..], &["cheap".into()][..]));
        assert_eq!(bid.params["rate"], Value::Int(2));
        assert_eq!(bid.answers["red"]["bid"], [Value::Int(5), Value::from("flag")]);
        assert_eq!(bid.rolls["red"]["test"], [Value::Int(4)]);
        let players = bid.setup.get("players").unwrap().as_map().unwrap();
        assert_eq!(players.keys().collect::<Vec<_>>(), ["red", "blue"]);
        assert_eq!(bid.location("setup.players.red.ore").unwrap().to_string(), "a.toml:9:7");
        assert_eq!(file.cases[1].line, 18);
        assert_eq!(file.cases[1].expect, Expect::Error("ore".into()));
        let Expect::Outcome(outcome) = &bid.expect else { panic!("an outcome is expected") };
        assert_eq!(outcome.get("result"), Some(&Value::from("attacker")));
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        // Of `CASE` the beginning of a file with one case; lines are divided by `|`.
        for mistake in r#"
            # => 1 => `system` is missing
            system = "x" => 1 => `case` is missing
            system = "x"|case = 1 => 2 => `case` must be a list, got 1
            system = "x"|case = [1] => 2 => `case.0` must be a table, got 1
            system = "x"|[[cases]] => 2 => unknown key `cases`; did you mean `case`?
            system = "x"|[[case]] => 2 => `case.0.title` is missing
            CASE => 2 => `case.0.expect` is missing
            CASE answer = {} => 4 => unknown key `case.0.answer`; did you mean `answers`?
            CASE answers = [1] => 4 => `case.0.answers` must be a table, got [1]
            CASE answers.red.bid = 5 => 4 => `case.0.answers.red.bid` must be a list, got 5
            CASE rolls.red = 5 => 4 => `case.0.rolls.red` must be a table, got 5
            CASE expect = { error = 1 } => 4 => `case.0.expect.error` must be a text, got 1
            CASE expect = {} => 4 => `case.0.expect` is empty, so any outcome would match
            CASE expect = { events = "a" } => 4 => `case.0.expect.events` must be a list of texts, got `a`
            CASE expect = { events = [] } => 4 => `case.0.expect.events` is empty, so any events would match
            CASE expect = { question = { who = "red" } } => 4 => `case.0.expect.question.name` is missing
            CASE expect = { question = { who = "red", name = "bid", option = [1] } } => 4 => unknown key `case.0.expect.question.option`; did you mean `options`?
            CASE expect = { result = 1, question = { who = "red", name = "bid" } } => 4 => `case.0.expect.question` may have `events` beside it alone: where somebody is asked there is no outcome
            CASE expect = { events = ["a"], error = "a" } => 4 => `case.0.expect.error` must be the only key: what fails has no outcome
            CASE expect = { error = "" } => 4 => `case.0.expect.error` is empty, so any error would match
            CASE expect = { result = 1, error = "a" } => 4 => `case.0.expect.error` must be the only key: what fails has no outcome
        "#.trim().lines() {
            let parts: Vec<&str> = mistake.trim().splitn(3, " => ").collect();
            let text = parts[0].replace("CASE", "system = \"x\"|[[case]]|title = \"t\"|");
            let error = parse(&text.replace('|', "\n")).unwrap_err();
            assert_eq!(error.to_string(), parts[2]);
            assert_eq!(error.location().unwrap().line.to_string(), parts[1], "{mistake}");
        }
    }

    const OUTCOME: &str = r#"{"result": "attacker", "score": 2, "hand": [1, {"a": 1, "b": 2}],
        "wars": [{"paid": {"red": "1 ore"}, "region": "ford"}, {"paid": {}, "region": "hill"}]}"#;

    fn against(expected: &str) -> Option<String> {
        let read = |json: &str| serde_json::from_str::<Value>(json).unwrap();
        differences(&read(expected), &read(OUTCOME)).first().map(ToString::to_string)
    }

    #[test]
    fn what_is_left_out_is_not_compared() {
        for expected in [
            "{}",
            r#"{"score": 2.0}"#,
            r#"{"wars": {"1": {"region": "hill"}, "0": {"paid": {"red": "1 ore"}}}}"#,
            r#"{"wars": {}}"#,
            r#"{"hand": [1.0, {"b": 2, "a": 1}]}"#,
        ] {
            assert_eq!(against(expected), None, "{expected}");
        }
    }

    #[test]
    fn the_first_difference_is_named_with_its_place() {
        for (expected, message) in [
            (r#"{"result": "draw", "score": 3}"#, r#"result: expected "draw", got "attacker""#),
            (r#"{"score": "2"}"#, r#"score: expected "2", got 2"#),
            (r#"{"turns": 2}"#, "turns: expected 2, but it is not there"),
            (
                r#"{"reslut": "draw"}"#,
                r#"reslut: expected "draw", but it is not there; did you mean `result`?"#,
            ),
            (
                r#"{"wars": {"0": {"paid": {"red": "2 ore"}}}}"#,
                r#"wars.0.paid.red: expected "2 ore", got "1 ore""#,
            ),
            (r#"{"wars": {"2": {}}}"#, "wars.2: expected {}, but it is not there"),
            (r#"{"wars": {"01": {}}}"#, "wars.01: expected {}, but it is not there"),
            (r#"{"score": {}}"#, "score: expected {}, got 2"),
            // A table within a list compares whole: it may leave nothing out.
            (r#"{"hand": [1, {"a": 1}]}"#, r#"hand: expected [1,{"a":1}], got [1,{"a":1,"b":2}]"#),
        ] {
            assert_eq!(against(expected).as_deref(), Some(message), "{expected}");
        }
    }

    #[test]
    fn a_value_that_is_no_table_compares_whole() {
        let message = differences(&Value::Int(1), &Value::Int(2))[0].to_string();
        assert_eq!(message, "expected 1, got 2");
    }
}
