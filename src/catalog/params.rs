//! Reads `params.toml`: the parameters of rules and the values that they may take.
//!
//! Each table of the file is a parameter:
//! ```toml
//! [mana_value]
//! default = 2
//! min = 0                          # numbers: optional `min`, `max`; whole unless `whole = false`
//! meaning = "what one mana is worth"
//! clause = "W3"                    # optional
//!
//! [tie]
//! default = "defender"
//! values = ["defender", "attacker", "both_lose"]
//! meaning = "who wins equal numbers"
//!
//! [retreat_cost]
//! default = "meeples"
//! values = ["meeples"]             # `values` and bounds: one of the words, or a number in range
//! min = 0
//! meaning = "what a retreat costs"
//!
//! [slots]
//! default = [1, 1, 1, 2, 2, 3]
//! items = { min = 1, max = 10 }    # a list; `items` bounds each item
//! meaning = "the slots for stress"
//!
//! [loser_pays]
//! default = true                   # `true` or `false`, without more words
//! meaning = "whether the loser pays too"
//! ```
//! Above them `default_agent = "cautious"` names the agent that plays for people who cannot be asked.

use std::cmp::Ordering;

use indexmap::IndexMap;
use toml::de::DeValue;

use super::document::{DocumentTable, plain, shown};
use super::{Document, FileText, HUMAN, REFUSED_PROGRAM, names_program};
use crate::error::{Error, Location, nearest, there_are};
use crate::game::{Value, ticked};

const DEFAULT_AGENT: &str = "default_agent";

/// What the names of settings begin with that change the setup.
pub(crate) const SETUP: &str = "setup.";

/// The parameters of a rules folder, in the order of the file.
#[derive(Clone, Debug, Default)]
pub struct ParamSpecs {
    specs: IndexMap<String, ParamSpec>,
    /// The agent that plays for people who cannot be asked, and where the file names it.
    pub default_agent: Option<(String, Option<Location>)>,
}

/// A parameter changed by a scenario, a house rule or `--param`, or a value of the setup changed by `--set`.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The parameter's name; `setup.` and the dotted key for a value of the setup.
    pub name: String,
    /// The new value, not yet checked.
    pub value: Value,
    /// Its location, if it is in a file.
    pub at: Option<Location>,
}

impl Setting {
    /// The setting of an entry of a table that is in no file.
    pub(crate) fn of((name, value): (&String, &Value)) -> Setting {
        Setting { name: name.clone(), value: value.clone(), at: None }
    }

    /// The dotted key of the setup that it changes, if it does.
    pub(crate) fn of_setup(&self) -> Option<&str> {
        self.name.strip_prefix(SETUP)
    }

    /// Changes the value in the setup; the last key of a table may be new.
    pub(crate) fn set(&self, key: &str, setup: &mut Value) -> Result<(), Error> {
        let (mut value, mut place) = (setup, SETUP.trim_end_matches('.').to_owned());
        let last = key.split('.').count() - 1;
        for (nth, piece) in key.split('.').enumerate() {
            place += &format!(".{piece}");
            let is_new = nth == last && !piece.is_empty() && value.as_map().is_some();
            let known: Vec<String> = match &*value {
                Value::Map(map) => map.keys().cloned().collect(),
                Value::List(items) => (0..items.len()).map(|index| index.to_string()).collect(),
                _ => Vec::new(),
            };
            if !is_new && !known.iter().any(|key| key == piece) {
                let near = nearest(piece, &known);
                let rest = if near.is_some() { String::new() } else { there_are(&known) };
                let (at, message) = (self.at.clone(), format!("no such key{rest}"));
                return Err(Error::Setup { place, message, nearest: near, at });
            }
            let inner = match value {
                Value::Map(map) => Some(map.entry(piece.to_owned()).or_default()),
                Value::List(items) => piece.parse().ok().and_then(|at: usize| items.get_mut(at)),
                _ => None,
            };
            let Some(inner) = inner else { return Ok(()) };
            value = inner;
        }
        *value = self.value.clone();
        Ok(())
    }
}

impl std::fmt::Display for Setting {
    /// Writes it as `--param` takes it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.value {
            Value::Text(word) => write!(f, "{}={word}", self.name),
            value => write!(f, "{}={}", self.name, value.literal()),
        }
    }
}

impl ParamSpecs {
    /// Reads the text of a `params.toml`; rules without one have no parameters.
    ///
    /// # Errors
    /// [`Error::Toml`] with its place: syntax, an unknown key, a wrong kind, no default or
    /// meaning, a default that its own bounds refuse, a name that scripts cannot read.
    pub fn read(text: Option<&FileText>) -> Result<ParamSpecs, Error> {
        let Some(text) = text else { return Ok(ParamSpecs::default()) };
        let document = Document::parse(text.clone())?;
        let root = DocumentTable::root(&document)?;
        let default_agent = root.text(DEFAULT_AGENT)?;
        if default_agent.as_deref() == Some(HUMAN) {
            return Err(root.wrong(DEFAULT_AGENT, "must be an agent: people cannot be asked there"));
        }
        if default_agent.as_deref().is_some_and(names_program) {
            return Err(root.wrong(DEFAULT_AGENT, REFUSED_PROGRAM));
        }
        let default_agent = default_agent.map(|word| (word, root.location(DEFAULT_AGENT)));
        let mut specs = IndexMap::new();
        for name in root.entries().keys().filter(|name| *name != DEFAULT_AGENT) {
            if !is_name(name) {
                return Err(root.wrong(name, "is not a name: lower-case letters, digits and `_`"));
            }
            let is_table = matches!(root.get(name), Some(Value::Map(_)));
            if let (false, Some(_)) = (is_table, nearest(name, [DEFAULT_AGENT])) {
                return Err(root.unknown_key(name, &[DEFAULT_AGENT]));
            }
            if let Some(table) = root.table(name)? {
                specs.insert(name.clone(), ParamSpec::read(name, &table)?);
            }
        }
        Ok(ParamSpecs { specs, default_agent })
    }

    /// All parameters, in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = &ParamSpec> {
        self.specs.values()
    }

    /// A parameter by its name.
    pub fn get(&self, name: &str) -> Option<&ParamSpec> {
        self.specs.get(name)
    }

    /// The value as the rules read it.
    ///
    /// # Errors
    /// [`Error::Parameter`]: no such parameter, or a value that it cannot have.
    pub fn check(&self, name: &str, value: &Value, at: Option<Location>) -> Result<Value, Error> {
        self.named(name, at.clone())?.check(value, at)
    }

    /// The parameter of this name.
    pub fn named(&self, name: &str, at: Option<Location>) -> Result<&ParamSpec, Error> {
        self.specs.get(name).ok_or_else(|| {
            let names: Vec<String> = self.specs.keys().cloned().collect();
            let nearest = nearest(name, &names);
            let rest = match &nearest {
                Some(_) => String::new(),
                None if names.is_empty() => "; these rules have none".to_owned(),
                None => there_are(&names),
            };
            let message = format!("no such parameter{rest}");
            Error::Parameter { name: name.to_owned(), nearest, message, at }
        })
    }

    /// All parameters: the defaults, overlaid by the settings in order, each one checked.
    pub fn resolve(
        &self,
        settings: impl IntoIterator<Item = Setting>,
    ) -> Result<IndexMap<String, Value>, Error> {
        let mut params: IndexMap<String, Value> =
            self.iter().map(|spec| (spec.name.clone(), spec.default.clone())).collect();
        for Setting { name, value, at } in settings {
            let value = self.check(&name, &value, at)?;
            params.insert(name, value);
        }
        Ok(params)
    }
}

/// Reads a `NAME=VALUE` of the command line; see [`parse_value`].
pub(crate) fn parse_argument(argument: &str) -> Result<(String, Value), Error> {
    // A value of the setup is typed without the word in front.
    let typed = argument.strip_prefix(SETUP).unwrap_or(argument);
    let refuse = || Error::usage(format!("`{typed}` is not of the form NAME=VALUE"));
    let (name, value) = argument.split_once('=').ok_or_else(refuse)?;
    let (name, value) = (name.trim(), value.trim());
    if name.is_empty() || value.is_empty() {
        return Err(refuse());
    }
    let value =
        parse_value(value).map_err(|reason| Error::usage(format!("`{argument}`: {reason}")))?;
    Ok((name.to_owned(), value))
}

/// Reads a value that a person typed: a TOML value, or else a bare word.
pub(crate) fn parse_value(text: &str) -> Result<Value, String> {
    match DeValue::parse(text) {
        Ok(value) if !value.get_ref().is_datetime() => plain(value.get_ref()),
        _ => Ok(Value::from(text)),
    }
}

fn is_name(name: &str) -> bool {
    let letter = |c: char| c.is_ascii_lowercase() || c == '_';
    name.starts_with(letter) && name.chars().all(|c| letter(c) || c.is_ascii_digit())
}

/// One parameter of `params.toml`.
#[derive(Clone, Debug)]
pub struct ParamSpec {
    /// Its name, as scripts read it after `params.`
    pub name: String,
    /// Its value where nobody changes it.
    pub default: Value,
    /// Its meaning, for people.
    pub meaning: String,
    /// The clause of the rules that it belongs to.
    pub clause: Option<String>,
    allowed: Allowed,
}

#[derive(Clone, Debug)]
struct Allowed {
    values: Vec<Value>,
    number: Option<NumberRange>,
    items: Option<Box<Allowed>>,
}

#[derive(Clone, Debug)]
struct NumberRange {
    whole: bool,
    min: Option<Value>,
    max: Option<Value>,
}

impl ParamSpec {
    pub(super) fn read(name: &str, table: &DocumentTable<'_>) -> Result<ParamSpec, Error> {
        table.only(&["default", "values", "min", "max", "whole", "items", "meaning", "clause"])?;
        let default = table.need("default")?;
        let allowed = Allowed::read(table, Some(default))?;
        let default = allowed.admit(default).ok_or_else(|| {
            table.wrong("default", &format!("must be {allowed}, got {}", shown(default)))
        })?;
        Ok(ParamSpec {
            name: name.to_owned(),
            default,
            meaning: table.need_text("meaning")?,
            clause: table.text("clause")?,
            allowed,
        })
    }

    /// The allowed values in words: `a whole number of 0 or more`, `` one of `red`, `blue` ``.
    pub fn allowed(&self) -> String {
        self.allowed.to_string()
    }

    /// All values that are allowed, in the order of the file, numbers upwards; `None` for lists
    /// and for numbers that need not be whole or lack a bound.
    pub fn all(&self) -> Option<impl Iterator<Item = Value>> {
        let Allowed { values, number, items } = &self.allowed;
        let numbers = match number.as_ref().map(|range| (range.whole, &range.min, &range.max)) {
            _ if items.is_some() => return None,
            None => None,
            Some((true, Some(Value::Int(low)), Some(Value::Int(high)))) => Some(*low..=*high),
            Some(_) => return None,
        };
        let values = values.clone();
        let listed = values.clone();
        let others = numbers.into_iter().flatten().map(Value::Int);
        Some(values.into_iter().chain(others.filter(move |number| !listed.contains(number))))
    }

    /// The value as the rules read it: a number that is whole by value becomes whole.
    ///
    /// # Errors
    /// [`Error::Parameter`] that says what is allowed and names the nearest word.
    pub fn check(&self, value: &Value, at: Option<Location>) -> Result<Value, Error> {
        self.allowed.admit(value).ok_or_else(|| Error::Parameter {
            name: self.name.clone(),
            message: format!("must be {}, got {}", self.allowed, shown(value)),
            nearest: value.as_text().and_then(|word| nearest(word, self.allowed.words())),
            at,
        })
    }
}

impl Allowed {
    /// Reads the keys that bound a value; a default shows what else it can be.
    fn read(table: &DocumentTable<'_>, default: Option<&Value>) -> Result<Allowed, Error> {
        let values = table.list("values")?.unwrap_or_default().to_vec();
        if let Some(odd) =
            values.iter().find(|value| value.as_list().is_some() || value.as_map().is_some())
        {
            return Err(table.must_be("values", "a list of words, numbers, or truths", odd));
        }
        let bounded = ["min", "max", "whole"].into_iter().find(|key| table.get(key).is_some());
        let items = match table.table("items")? {
            None => None,
            Some(items) => {
                if let Some(key) = bounded.or(table.get("values").map(|_| "values")) {
                    let why = "belongs in `items`, because it is about one item";
                    return Err(table.wrong(key, why));
                }
                items.only(&["values", "min", "max", "whole"])?;
                Some(Box::new(Allowed::read(&items, None)?))
            }
        };
        let mut allowed = Allowed { values, number: None, items };
        if bounded.is_some() {
            allowed.number = Some(NumberRange::read(table)?);
        }
        if allowed.values.is_empty() && allowed.number.is_none() && allowed.items.is_none() {
            let why = match default {
                Some(Value::Bool(_)) => {
                    allowed.values = vec![true.into(), false.into()];
                    return Ok(allowed);
                }
                Some(Value::Text(_)) => {
                    "is a word, so the allowed words must be listed in `values`"
                }
                Some(Value::List(_)) => "is a list, so its allowed items must be given in `items`",
                Some(Value::Map(_)) => "is a table, which no parameter can be",
                _ => {
                    allowed.number = Some(NumberRange::read(table)?);
                    return Ok(allowed);
                }
            };
            return Err(table.wrong("default", why));
        }
        Ok(allowed)
    }

    /// The value, if allowed, in the kind that rules expect.
    fn admit(&self, value: &Value) -> Option<Value> {
        if let Some(listed) = self.values.iter().find(|listed| *listed == value) {
            return Some(listed.clone());
        }
        match (value, &self.number, &self.items) {
            (Value::List(list), _, Some(items)) => {
                list.iter().map(|item| items.admit(item)).collect::<Option<_>>().map(Value::List)
            }
            (_, Some(range), _) => range.admit(value),
            _ => None,
        }
    }

    fn words(&self) -> impl Iterator<Item = &str> {
        self.values.iter().filter_map(Value::as_text)
    }
}

impl std::fmt::Display for Allowed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words = ticked(&self.values);
        match &words[..] {
            [] => {}
            [one] => f.write_str(one)?,
            [one, other] if self.values.iter().all(|value| matches!(value, Value::Bool(_))) => {
                write!(f, "{one} or {other}")?;
            }
            many => write!(f, "one of {}", many.join(", "))?,
        }
        if !words.is_empty() && self.number.is_some() {
            f.write_str(", or ")?;
        }
        if let Some(range) = &self.number {
            write!(f, "{range}")?;
        }
        match &self.items {
            Some(items) => write!(f, "a list, each item {items}"),
            None => Ok(()),
        }
    }
}

impl NumberRange {
    fn read(table: &DocumentTable<'_>) -> Result<NumberRange, Error> {
        let whole = match table.get("whole") {
            None => true,
            Some(Value::Bool(whole)) => *whole,
            Some(other) => return Err(table.must_be("whole", "`true` or `false`", other)),
        };
        let any = NumberRange { whole, min: None, max: None };
        let bound = |key| match table.get(key) {
            None => Ok(None),
            Some(value) => match any.admit(value) {
                Some(number) => Ok(Some(number)),
                None => Err(table.must_be(key, &any.to_string(), value)),
            },
        };
        let (min, max) = (bound("min")?, bound("max")?);
        match (&min, &max) {
            (Some(low), Some(high)) if order(low, high).is_gt() => {
                Err(table.wrong("min", &format!("is above `max`: {low} > {high}")))
            }
            _ => Ok(NumberRange { whole, min, max }),
        }
    }

    fn admit(&self, value: &Value) -> Option<Value> {
        let number = match value {
            Value::Int(_) => value.clone(),
            Value::Float(number) if self.whole => Value::Int(whole(*number)?),
            Value::Float(number) if number.is_finite() => value.clone(),
            _ => return None,
        };
        let high_enough = self.min.as_ref().is_none_or(|min| order(&number, min).is_ge());
        let low_enough = self.max.as_ref().is_none_or(|max| order(&number, max).is_le());
        (high_enough && low_enough).then_some(number)
    }
}

impl std::fmt::Display for NumberRange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.whole { "a whole number" } else { "a number" })?;
        match (&self.min, &self.max) {
            (None, None) => Ok(()),
            (Some(min), None) => write!(f, " of {min} or more"),
            (None, Some(max)) => write!(f, " of {max} or less"),
            (Some(min), Some(max)) => write!(f, " from {min} to {max}"),
        }
    }
}

/// The integer that equals a number, if there is one that 64 bits hold.
fn whole(number: f64) -> Option<i64> {
    let limit = i64::MAX as f64; // 2^63: the first that does not fit
    (number.fract() == 0.0 && (-limit..limit).contains(&number)).then_some(number as i64)
}

fn order(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        _ => a.as_number().partial_cmp(&b.as_number()).unwrap_or(Ordering::Equal),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"
[mana_value]
default = 2
min = 0
meaning = "what one mana is worth"
clause = "W3"
[tie]
default = "defender"
values = ["defender", "attacker", "both_lose"]
meaning = "who wins equal numbers"
[retreat_cost]
default = "meeples"
values = ["meeples"]
min = 0
meaning = "what a retreat costs"
[slots]
default = [1, 1, 2]
items = { min = 1, max = 10 }
meaning = "the slots"
[worth]
default = 6
whole = false
meaning = "what a region is worth"
[loser_pays]
default = true
meaning = "whether the loser pays"
"#;

    fn read(text: &str) -> Result<ParamSpecs, Error> {
        ParamSpecs::read(Some(&FileText { path: "params.toml".into(), text: text.into() }))
    }

    #[test]
    fn each_says_what_is_allowed() {
        let specs = read(FILE).unwrap();
        let allowed: Vec<_> = specs.iter().map(ParamSpec::allowed).collect();
        assert_eq!(
            allowed,
            [
                "a whole number of 0 or more",
                "one of `defender`, `attacker`, `both_lose`",
                "`meeples`, or a whole number of 0 or more",
                "a list, each item a whole number from 1 to 10",
                "a number",
                "`true` or `false`",
            ]
        );
        assert_eq!(specs.get("mana_value").unwrap().clause.as_deref(), Some("W3"));
        assert_eq!(specs.get("tie").unwrap().meaning, "who wins equal numbers");
    }

    #[test]
    fn what_is_allowed_passes_and_whole_numbers_become_whole() {
        let specs = read(FILE).unwrap();
        for (name, literal, passed) in [
            ("mana_value", "3", "3"),
            ("mana_value", "3.0", "3"),
            ("tie", "attacker", "\"attacker\""),
            ("tie", "\"attacker\"", "\"attacker\""),
            ("retreat_cost", "0", "0"),
            ("retreat_cost", "meeples", "\"meeples\""),
            ("slots", "[]", "[]"),
            ("slots", "[10, 1.0]", "[10,1]"),
            ("worth", "-0.5", "-0.5"),
            ("loser_pays", "false", "false"),
        ] {
            let value = specs.check(name, &parse_value(literal).unwrap(), None).unwrap();
            assert_eq!(value.literal(), passed, "{name}={literal}");
        }
    }

    #[test]
    fn what_is_not_allowed_is_refused_by_name() {
        let specs = read(FILE).unwrap();
        for refused in "
            mana_value=-3 => must be a whole number of 0 or more, got -3
            mana_value=2.5 => must be a whole number of 0 or more, got 2.5
            mana_value=1e300 => must be a whole number of 0 or more, got 1
            tie=defendr => must be one of `defender`, `attacker`, `both_lose`, got `defendr`; did you mean `defender`?
            retreat_cost=-1 => must be `meeples`, or a whole number of 0 or more, got -1
            slots=[0] => must be a list, each item a whole number from 1 to 10, got [0]
            slots=1 => must be a list, each item a whole number from 1 to 10, got 1
            loser_pays=1 => must be `true` or `false`, got 1
            mana_valu=1 => no such parameter; did you mean `mana_value`?
            colour=3 => no such parameter; there are `mana_value`, `tie`, `retreat_cost`, `slots`, `worth`, `loser_pays`
        ".trim().lines() {
            let (argument, message) = refused.trim().split_once(" => ").unwrap();
            let (name, value) = parse_argument(argument).unwrap();
            let error = specs.check(&name, &value, None).unwrap_err();
            assert!(error.to_string().starts_with(&format!("params.{name}: {message}")), "{error}");
            assert_eq!(error.kind(), "parameter");
        }
    }

    #[test]
    fn settings_lie_over_the_defaults_in_order() {
        let specs = read(FILE).unwrap();
        let set = |name: &str, value| Setting { name: name.into(), value, at: None };
        let params = specs
            .resolve([
                set("tie", "attacker".into()),
                set("worth", 1.into()),
                set("worth", 2.into()),
            ])
            .unwrap();
        assert_eq!(params.keys().next().unwrap(), "mana_value");
        assert_eq!(params["mana_value"], Value::Int(2));
        assert_eq!(params["tie"], Value::from("attacker"));
        assert_eq!(params["worth"], Value::Int(2));
        let at = Location { file: "a".into(), line: 3, column: None };
        let wrong = Setting { name: "tie".into(), value: 3.into(), at: Some(at.clone()) };
        assert_eq!(specs.resolve([wrong]).unwrap_err().location(), Some(&at));
        assert!(ParamSpecs::read(None).unwrap().resolve([]).unwrap().is_empty());
    }

    #[test]
    fn a_spec_that_contradicts_itself_is_refused() {
        // Lines are divided by `|`.
        for mistake in r#"
            a = 3 => 1 => `a` must be a table, got 3
            defualt_agent = "random" => 1 => unknown key `defualt_agent`; did you mean `default_agent`?
            [A]|default = 1 => 1 => `A` is not a name: lower-case letters, digits and `_`
            [a]|meaning = "m" => 1 => `a.default` is missing
            [a]|default = 1 => 1 => `a.meaning` is missing
            [a]|default = 1|meaning = "m"|maximum = 3 => 4 => unknown key `a.maximum`; the keys here are `default`, `values`, `min`, `max`, `whole`, `items`, `meaning`, `clause`
            [a]|default = 1|meanin = "m" => 3 => unknown key `a.meanin`; did you mean `meaning`?
            [a]|default = -1|min = 0 => 2 => `a.default` must be a whole number of 0 or more, got -1
            [a]|default = 0.5 => 2 => `a.default` must be a whole number, got 0.5
            [a]|default = "x" => 2 => `a.default` is a word, so the allowed words must be listed in `values`
            [a]|default = "x"|values = ["y"] => 2 => `a.default` must be `y`, got `x`
            [a]|default = [1] => 2 => `a.default` is a list, so its allowed items must be given in `items`
            [a]|default = [1]|min = 1|items = {} => 3 => `a.min` belongs in `items`, because it is about one item
            [a]|default = {} => 2 => `a.default` is a table, which no parameter can be
            [a]|default = 1|min = 2|max = 1 => 3 => `a.min` is above `max`: 2 > 1
            [a]|default = 1|min = "0" => 3 => `a.min` must be a whole number, got `0`
            [a]|default = 1|whole = 1 => 3 => `a.whole` must be `true` or `false`, got 1
            [a]|default = 1|values = [[1]] => 3 => `a.values` must be a list of words, numbers, or truths, got [1]
        "#.trim().lines() {
            let parts: Vec<&str> = mistake.trim().splitn(3, " => ").collect();
            let error = read(&parts[0].replace('|', "\n")).unwrap_err();
            assert_eq!(error.to_string(), parts[2]);
            assert_eq!(error.location().unwrap().line.to_string(), parts[1], "{mistake}");
        }
    }

    #[test]
    fn the_agent_for_people_stands_above_the_parameters() {
        let specs = read("default_agent = \"calm\"\n[a]\ndefault = 1\nmeaning = \"m\"").unwrap();
        let at = Location { file: "params.toml".into(), line: 1, column: Some(17) };
        assert_eq!(specs.default_agent, Some(("calm".to_owned(), Some(at))));
        assert_eq!(specs.iter().map(|spec| spec.name.as_str()).collect::<Vec<_>>(), ["a"]);
        assert_eq!(read("").unwrap().default_agent, None);
        for (text, message) in [
            ("default_agent = 3", "`default_agent` must be a text, got 3"),
            (
                "default_agent = \"human\"",
                "`default_agent` must be an agent: people cannot be asked there",
            ),
        ] {
            let error = read(text).unwrap_err();
            assert_eq!(error.to_string(), message);
            assert_eq!(error.location().unwrap().line, 1);
        }
    }

    #[test]
    fn an_argument_is_a_toml_value_or_a_bare_word() {
        for (argument, name, value) in [
            ("a=3", "a", Value::Int(3)),
            (" a = -0.5 ", "a", Value::Float(-0.5)),
            ("a=true", "a", true.into()),
            ("a=both_lose", "a", "both_lose".into()),
            ("a=\"x y\"", "a", "x y".into()),
            ("a=x=y", "a", "x=y".into()),
            ("a=3 4", "a", "3 4".into()),
            ("a=[1", "a", "[1".into()),
            ("a=1979-05-27", "a", "1979-05-27".into()),
            ("a=[1, 2]", "a", Value::List(vec![1.into(), 2.into()])),
        ] {
            assert_eq!(parse_argument(argument).unwrap(), (name.to_owned(), value), "{argument}");
        }
        for argument in ["", "a", "=3", "a=", "a=99999999999999999999", "a=1e999"] {
            assert_eq!(parse_argument(argument).unwrap_err().kind(), "usage", "{argument}");
        }
    }
}
