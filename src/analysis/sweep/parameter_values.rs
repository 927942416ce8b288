//! The values that a parameter takes in a sweep: a range, a list, or all that it may have.

use num_traits::{Signed, ToPrimitive};

use crate::catalog::{ParamSpec, ParamSpecs, SETUP, parse_value};
use crate::error::Error;
use crate::game::Value;
use crate::number::{Fraction, fraction};

/// The most points of a sweep.
const MOST: usize = 1000;

/// A parameter with the values it takes, in the order in which they were given.
#[derive(Clone, Debug, PartialEq)]
pub struct Swept {
    /// The parameter's name.
    pub name: String,
    /// Its values, each checked, no two the same; at least one.
    pub values: Vec<Value>,
}

impl Swept {
    /// Reads one or two parameters: `NAME=1..8` (8 included), `NAME=1..9..2`, `NAME=a,b`, or `NAME`
    /// alone for all values that it may have.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a name or a value that is not allowed; [`Error::Usage`] for a text
    /// that is not a list of values, more than two parameters, one twice, or more than 1000 points.
    pub fn read(arguments: &[String], specs: &ParamSpecs) -> Result<Vec<Swept>, Error> {
        Swept::together(Swept::each(arguments, specs)?)
    }

    /// As [`Swept::read`], of any number of parameters.
    ///
    /// # Errors
    /// As [`Swept::read`]; how many points there are is not looked at.
    pub fn each(arguments: &[String], specs: &ParamSpecs) -> Result<Vec<Swept>, Error> {
        let all = arguments.iter().map(|argument| one(argument, specs));
        Swept::once(all.collect::<Result<_, _>>()?)
    }

    fn checked(
        argument: &str,
        name: String,
        given: Vec<Value>,
        spec: Option<&ParamSpec>,
    ) -> Result<Swept, Error> {
        let mut values: Vec<Value> = Vec::new();
        for value in given {
            let value = spec.map_or(Ok(value.clone()), |spec| spec.check(&value, None))?;
            if values.contains(&value) {
                return Err(Error::usage(format!("`{argument}`: {value} is listed twice")));
            }
            values.push(value);
        }
        Ok(Swept { name, values })
    }

    fn once(all: Vec<Swept>) -> Result<Vec<Swept>, Error> {
        let again = |(number, swept): &(usize, &Swept)| {
            all[..*number].iter().any(|before| before.name == swept.name)
        };
        match all.iter().enumerate().find(again) {
            Some((_, Swept { name, .. })) => {
                let message = format!("`{name}` is named twice: put all its values in one list");
                Err(Error::usage(message))
            }
            None => Ok(all),
        }
    }

    fn together(all: Vec<Swept>) -> Result<Vec<Swept>, Error> {
        if all.is_empty() || all.len() > 2 {
            let message = format!("a sweep takes one or two parameters, not {}", all.len());
            return Err(Error::usage(message));
        }
        let points: usize = all.iter().map(|swept| swept.values.len()).product();
        if points > MOST {
            return Err(Error::usage(format!(
                "these are {points} points; a sweep has at most {MOST}"
            )));
        }
        Ok(all)
    }
}

fn one(argument: &str, specs: &ParamSpecs) -> Result<Swept, Error> {
    let (name, text) = match argument.split_once('=') {
        Some((name, text)) => (name.trim(), Some(text.trim())),
        None => (argument.trim(), None),
    };
    let (named, spec) = named(name, specs)?;
    let given = match (text, spec) {
        (Some(text), _) => listed(argument, text)?,
        (None, Some(spec)) => all(spec)?,
        (None, None) => {
            let message =
                format!("`{name}` is in the setup: say which values, as in `{name}=1..8`");
            return Err(Error::usage(message));
        }
    };
    Swept::checked(argument, named, given, spec)
}

/// The name of what is varied and, for a parameter, what it may be: a name with a dot is a key of the setup, whose
/// rules alone know what it may be.
fn named<'a>(name: &str, specs: &'a ParamSpecs) -> Result<(String, Option<&'a ParamSpec>), Error> {
    if name.contains('.') {
        return Ok((format!("{SETUP}{}", name.strip_prefix(SETUP).unwrap_or(name)), None));
    }
    let spec = specs.named(name, None).map_err(|mut error| {
        if let Error::Parameter { message, nearest: None, .. } = &mut error {
            *message += &format!("; a value of the setup is written `{SETUP}{name}`");
        }
        error
    })?;
    Ok((name.to_owned(), Some(spec)))
}

fn all(spec: &ParamSpec) -> Result<Vec<Value>, Error> {
    let endless = || {
        let (name, allowed) = (&spec.name, spec.allowed());
        Error::usage(format!("`{name}` may be {allowed}: say which values, as in `{name}=1..8`"))
    };
    let values: Vec<Value> = spec.all().ok_or_else(endless)?.take(MOST + 1).collect();
    if values.len() > MOST { Err(endless()) } else { Ok(values) }
}

fn listed(argument: &str, text: &str) -> Result<Vec<Value>, Error> {
    let refuse = |reason: &str| Error::usage(format!("`{argument}`: {reason}"));
    let mut values = Vec::new();
    for item in items(text) {
        let item = item.trim();
        if item.is_empty() {
            return Err(refuse("a value is missing; write `1..8` or `a,b`"));
        }
        match range(item) {
            Some(range) => values.extend(range.map_err(|reason| refuse(&reason))?),
            None => values.push(parse_value(item).map_err(|reason| refuse(&reason))?),
        }
        if values.len() > MOST {
            return Err(refuse(&format!("these are more than {MOST} values")));
        }
    }
    Ok(values)
}

/// A text cut at its commas, but for those within brackets and quotes.
pub(crate) fn items(text: &str) -> Vec<&str> {
    let (mut items, mut start, mut depth, mut quoted) = (Vec::new(), 0, 0i32, false);
    for (at, letter) in text.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            '[' | '{' if !quoted => depth += 1,
            ']' | '}' if !quoted => depth -= 1,
            ',' if !quoted && depth <= 0 => {
                items.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(&text[start..]);
    items
}

/// The numbers of `1..8` or `1..9..2`, both ends included; `None` if it is not a range at all.
pub(crate) fn range(item: &str) -> Option<Result<Vec<Value>, String>> {
    let parts: Vec<&str> = item.split("..").collect();
    if parts.len() < 2 || item.starts_with(['"', '[', '{']) {
        return None;
    }
    // `1..=8` is how scripts write it.
    let number = |part: &str| {
        let value = parse_value(part.strip_prefix('=').unwrap_or(part).trim()).ok()?;
        fraction(&value)
    };
    let numbers: Vec<Option<Fraction>> = parts.iter().map(|part| number(part)).collect();
    if numbers.iter().all(Option::is_none) && !parts.iter().all(|part| part.is_empty()) {
        return None;
    }
    Some(match &numbers[..] {
        [Some(first), Some(last)] => stepped(first, last, &Fraction::from_integer(1.into())),
        [Some(first), Some(last), Some(step)] => stepped(first, last, step),
        _ => Err(format!(
            "`{item}` is not a range; write it as `1..8`, or `1..9..2` for every second"
        )),
    })
}

/// The numbers from one to another, exactly, so that no step is lost in rounding.
fn stepped(first: &Fraction, last: &Fraction, step: &Fraction) -> Result<Vec<Value>, String> {
    if !step.is_positive() {
        return Err(format!("a range cannot go by steps of {step}"));
    }
    if first > last {
        return Err(format!("the range is empty: {first} is above {last}"));
    }
    let steps = ((last - first) / step).floor().to_integer().to_usize();
    let steps = steps.filter(|steps| *steps < MOST);
    let steps = steps.ok_or_else(|| format!("the range has more than {MOST} values"))?;
    let value = |number: Fraction| match number.is_integer().then(|| number.to_integer().to_i64()) {
        Some(Some(whole)) => Value::Int(whole),
        _ => Value::Float(number.to_f64().unwrap_or(f64::NAN)),
    };
    Ok((0..=steps).map(|i| value(first + step * Fraction::from_integer(i.into()))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::FileText;

    const FILE: &str = r#"
[faces]
default = 6
min = 1
meaning = "m"
[cards]
default = 3
min = 1
max = 4
meaning = "m"
[tie]
default = "red"
values = ["red", "blue"]
meaning = "m"
[worth]
default = 1
whole = false
meaning = "m"
[slots]
default = [1]
items = { min = 1 }
meaning = "m"
[pays]
default = true
meaning = "m"
[cost]
default = "all"
values = ["all"]
min = 0
max = 2
meaning = "m"
"#;

    fn read(arguments: &[&str]) -> Result<Vec<Swept>, Error> {
        let text = FileText { path: "params.toml".into(), text: FILE.into() };
        let specs = ParamSpecs::read(Some(&text)).unwrap();
        let arguments: Vec<String> = arguments.iter().map(|text| (*text).to_owned()).collect();
        Swept::read(&arguments, &specs)
    }

    #[test]
    fn values_are_ranges_lists_or_all_that_are_allowed() {
        for (argument, values) in [
            ("faces=1..4", "1 2 3 4"),
            ("faces=1..=4", "1 2 3 4"),
            ("faces=1..8..3", "1 4 7"),
            ("faces=2, 8..9, 4", "2 8 9 4"),
            ("faces=3", "3"),
            ("worth=-0.1..0.2..0.1", "-0.1 0 0.1 0.2"),
            ("slots=[1, 2],[3],[]", "[1, 2] [3] []"),
            ("setup.a.b={one_of=[1,2],weights=[3,1]},2", "{ one_of: [1, 2], weights: [3, 1] } 2"),
            ("tie=\"blue\",red", "blue red"),
            ("cards", "1 2 3 4"),
            ("tie", "red blue"),
            ("pays", "true false"),
            ("cost", "all 0 1 2"),
        ] {
            let swept = read(&[argument]).unwrap();
            let texts: Vec<String> = swept[0].values.iter().map(Value::to_string).collect();
            assert_eq!(texts.join(" "), values, "{argument}");
        }
    }

    #[test]
    fn what_is_no_list_of_allowed_values_is_refused_by_name() {
        for (arguments, message) in [
            (&["face=1..2"][..], "params.face: no such parameter; did you mean `faces`?"),
            (
                &["start=2..4"],
                "params.start: no such parameter; there are `faces`, `cards`, `tie`, `worth`, `slots`, `pays`, `cost`; \
                 a value of the setup is written `setup.start`",
            ),
            (&["faces=0..2"], "params.faces: must be a whole number of 1 or more, got 0"),
            (&["faces=1..2..0.5"], "params.faces: must be a whole number of 1 or more, got 1.5"),
            (&["tie=red,blu"], "params.tie: must be one of `red`, `blue`, got `blu`; did you"),
            (&["tie=1..2"], "params.tie: must be one of `red`, `blue`, got 1"),
            (&["faces=4..1"], "`faces=4..1`: the range is empty: 4 is above 1"),
            (&["faces=1..4..-1"], "`faces=1..4..-1`: a range cannot go by steps of -1"),
            (&["faces=1.."], "`faces=1..`: `1..` is not a range; write it as `1..8`"),
            (&["faces=1..b"], "`faces=1..b`: `1..b` is not a range"),
            (&["faces=.."], "`faces=..`: `..` is not a range"),
            (&["faces="], "`faces=`: a value is missing"),
            (&["faces=1,,2"], "`faces=1,,2`: a value is missing"),
            (&["faces=1..3,2"], "`faces=1..3,2`: 2 is listed twice"),
            (&["faces=1..1001"], "`faces=1..1001`: the range has more than 1000 values"),
            (&["faces=1..1e300"], "`faces=1..1e300`: the range has more than 1000 values"),
            (&["faces"], "`faces` may be a whole number of 1 or more: say which values"),
            (&["slots"], "`slots` may be a list, each item a whole number of 1 or more"),
            (&["faces=1", "faces=2"], "`faces` is named twice"),
            (&["faces=1", "tie", "pays"], "a sweep takes one or two parameters, not 3"),
            (&["faces=1..500", "cards"], "these are 2000 points; a sweep has at most 1000"),
        ] {
            let error = read(arguments).unwrap_err();
            assert!(error.to_string().starts_with(message), "{error}");
            assert_eq!(error.exit_code(), 2, "{error}");
        }
    }
}
