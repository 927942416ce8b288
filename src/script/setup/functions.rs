//! The reader's functions, as rules call them.

use std::fmt;
use std::ops::RangeInclusive;
use std::rc::Rc;

use rhai::{Array, Dynamic, Engine, INT, ImmutableString, NativeCallContext};

use super::Reader;
use crate::error::{Error, nearest};
use crate::game::Value;
use crate::number::is_whole;
use crate::script::questions::context::Context;
use crate::script::sandbox::fuel::charge;
use crate::script::sandbox::limits::Fault;
use crate::script::value::{from_value, to_value};

type ReadKey = ImmutableString;

/// The reader's functions: signature and what each does.
pub(crate) const DOCUMENTATION: [(&str, &str); 18] = [
    ("keys()", "The keys of the table, in the order of the file."),
    ("has(key)", "Whether the key is there."),
    ("path()", "The dotted path to the table: `setup.players.red`."),
    ("called(name)", "Gives a table of a list a name, which its errors then say."),
    ("text(key [, default])", "A text."),
    ("word(key, allowed [, default])", "A text that is one of a list."),
    ("number(key [, default])", "A whole number of 0 or more."),
    (
        "number_in(key, range [, default])",
        "A whole number in a range with both ends, such as `1..=10`.",
    ),
    ("integer(key [, default])", "Any whole number."),
    ("flag(key [, default])", "`true` or `false`."),
    (
        "words(key [, allowed])",
        "A list of texts, each one of a list where that is given; absent: none.",
    ),
    (
        "numbers(key, range [, default])",
        "A list of whole numbers in a range with both ends; absent: none.",
    ),
    ("value(key [, default])", "Any plain data."),
    ("table(key)", "The table under a key; an absent one is empty."),
    ("tables(key)", "The tables of a list; an absent one is empty."),
    ("fail(message)", "Refuses the setup at this table."),
    ("fail(key, message)", "Refuses the setup at this key."),
    (
        "fail(key, message, word, known)",
        "The same, and suggests the known word nearest to the one given.",
    ),
];

type ReadValue = Result<Dynamic, Error>;

type ReadPlain = fn(&Value) -> Fit;

/// What a plain value is read as, by the name of the function.
const PLAIN: [(&str, ReadPlain); 5] = [
    ("text", any_text),
    ("number", |value| in_range(value, &(0..=INT::MAX))),
    ("integer", |value| in_range(value, &(INT::MIN..=INT::MAX))),
    ("flag", |value| match value {
        Value::Bool(truth) => Ok((*truth).into()),
        _ => Err(Misfit { wanted: "true or false".to_owned(), known: Vec::new() }),
    }),
    ("value", |value| Ok(from_value(value))),
];

pub(crate) fn register(engine: &mut Engine, context: &Rc<Context>) {
    engine.register_type_with_name::<Reader>("Setup");
    // A function whose errors are the setup's own, with place and suggestion.
    macro_rules! add {
        ($name:expr, |$reader:ident, $key:ident $(, $more:ident: $kind:ty)*| $read:expr) => {{
            let context = context.clone();
            engine.register_fn(
                $name,
                move |call: NativeCallContext, reader: &mut Reader, key: ReadKey $(, $more: $kind)*| {
                    let ($reader, $key) = (&*reader, key.as_str());
                    let read = move || -> ReadValue { $read };
                    read().map_err(|error| context.refuse(error, call.call_position()))
                },
            );
        }};
    }
    for (name, read) in PLAIN {
        add!(name, |reader, key| one(reader, key, reader.need(key)?, read));
        add!(name, |reader, key, default: Dynamic| match reader.get(key)? {
            None => Ok(default),
            Some(value) => {
                // As much as a call of the form without a default.
                charge(1);
                one(reader, key, value, read)
            }
        });
    }
    add!("words", |reader, key| list(reader, key, "texts", any_text));
    add!("table", |reader, key| Ok(Dynamic::from(reader.table(key)?)));
    add!("tables", |reader, key| {
        Ok(reader.tables(key)?.into_iter().map(Dynamic::from).collect::<Array>().into())
    });
    add!("has", |reader, key| Ok(reader.has(key)?.into()));
    add!("fail", |reader, message| Err(reader.fault("", message.to_owned(), None)));
    add!("words", |reader, key, allowed: Array| {
        let allowed = texts(reader, key, &allowed)?;
        list(reader, key, "texts", |item| one_of(item, &allowed))
    });
    add!("word", |reader, key, allowed: Array| word(reader, key, &allowed, reader.need(key)?));
    add!("word", |reader, key, allowed: Array, default: Dynamic| {
        reader.get(key)?.map_or(Ok(default), |value| word(reader, key, &allowed, value))
    });
    add!("number_in", |reader, key, range: RangeInclusive<INT>| {
        one(reader, key, reader.need(key)?, |value| in_range(value, &range))
    });
    add!("number_in", |reader, key, range: RangeInclusive<INT>, default: Dynamic| {
        let read = |value| one(reader, key, value, |value| in_range(value, &range));
        reader.get(key)?.map_or(Ok(default), read)
    });
    add!("numbers", |reader, key, range: RangeInclusive<INT>| {
        list(reader, key, "whole numbers", |item| in_range(item, &range))
    });
    add!("numbers", |reader, key, range: RangeInclusive<INT>, default: Dynamic| {
        if reader.get(key)?.is_none() {
            return Ok(default);
        }
        list(reader, key, "whole numbers", |item| in_range(item, &range))
    });
    add!("fail", |reader, key, message: ImmutableString| {
        Err(reader.fault(key, message.to_string(), None))
    });
    add!("fail", |reader, key, message: ImmutableString, word: ImmutableString, known: Array| {
        let known: Vec<String> = known.iter().map(ToString::to_string).collect();
        let near = nearest(&word, known.iter().map(String::as_str));
        Err(reader.fault(key, message.to_string(), near))
    });
    engine.register_fn("called", |reader: &mut Reader, name: ImmutableString| reader.call(&name));
    engine.register_fn("path", |reader: &mut Reader| reader.path().to_owned());
    let context = context.clone();
    engine.register_fn("keys", move |call: NativeCallContext, reader: &mut Reader| {
        let keys = reader.keys().map_err(|error| context.refuse(error, call.call_position()))?;
        let keys = keys.into_iter().map(|key| Dynamic::from(key.to_owned()));
        Ok::<Array, Fault>(keys.collect())
    });
}

/// Why a value is refused: what it must be, and the words it might have been.
struct Misfit {
    wanted: String,
    known: Vec<String>,
}

type Fit = Result<Dynamic, Misfit>;

/// The value under a key, or its mistake with its place.
fn one(
    reader: &Reader,
    key: impl fmt::Display,
    value: &Value,
    read: impl Fn(&Value) -> Fit,
) -> ReadValue {
    read(value).map_err(|Misfit { wanted, known }| {
        let known = known.iter().map(String::as_str);
        let near = value.as_text().and_then(|word| nearest(word, known));
        reader.wrong_near(&key.to_string(), &wanted, value, near)
    })
}

fn in_range(value: &Value, range: &RangeInclusive<INT>) -> Fit {
    match value {
        Value::Int(number) if range.contains(number) => Ok((*number).into()),
        // Numbers compare by value: `2.0` is whole.
        Value::Float(number) if is_whole(*number) && range.contains(&(*number as INT)) => {
            Ok((*number as INT).into())
        }
        _ => {
            let wanted = match (*range.start(), *range.end()) {
                (INT::MIN, INT::MAX) => "a whole number".to_owned(),
                (low, INT::MAX) => format!("a whole number of {low} or more"),
                (low, high) => format!("a whole number from {low} to {high}"),
            };
            Err(Misfit { wanted, known: Vec::new() })
        }
    }
}

fn any_text(value: &Value) -> Fit {
    match value {
        Value::Text(text) => Ok(text.into()),
        _ => Err(Misfit { wanted: "a text".to_owned(), known: Vec::new() }),
    }
}

fn one_of(value: &Value, allowed: &[String]) -> Fit {
    match value {
        Value::Text(text) if allowed.contains(text) => Ok(text.into()),
        _ => Err(Misfit {
            wanted: format!("one of `{}`", allowed.join("`, `")),
            known: allowed.to_vec(),
        }),
    }
}

fn word(reader: &Reader, key: &str, allowed: &Array, value: &Value) -> ReadValue {
    let allowed = texts(reader, key, allowed)?;
    one(reader, key, value, |value| one_of(value, &allowed))
}

fn texts(reader: &Reader, key: &str, allowed: &Array) -> Result<Vec<String>, Error> {
    let text = |item: &Dynamic| match to_value(item, "allowed") {
        Ok(Value::Text(text)) => Ok(text),
        _ => Err(reader.fault(key, "the rules allow a list of texts here".to_owned(), None)),
    };
    allowed.iter().map(text).collect()
}

/// The list under a key, item by item; an absent one is empty.
fn list(reader: &Reader, key: &str, of: &str, read: impl Fn(&Value) -> Fit) -> ReadValue {
    let items = match reader.get(key)? {
        None => return Ok(Array::new().into()),
        Some(Value::List(items)) => items,
        Some(other) => return Err(reader.wrong(key, &format!("a list of {of}"), other)),
    };
    let item = |(index, item)| one(reader, format_args!("{key}.{index}"), item, &read);
    items.iter().enumerate().map(item).collect::<Result<Array, Error>>().map(Into::into)
}
