//! Turns errors of Rhai into messages for the person who wrote the script, also of one that was stopped.

pub(super) mod call_errors;
pub(super) mod type_names;

use rhai::{EvalAltResult, ParseError, ParseErrorType, Position};

use self::call_errors::{no_such_call, no_such_field};
use self::type_names::a_word;
use super::assemble::definition::definitions;
use super::assemble::params;
use super::assemble::source::{Sources, word_width};
use super::machine::NESTED;
use super::questions::context::Context;
use super::sandbox::fuel::Stopped;
use super::sandbox::limits::{
    CALLS, ENTRIES, ITEMS, LAB_ENTRIES, LAB_ITEMS, LAB_TEXT, SHUT, SHUT_TO_STRANGERS, TEXT,
};
use crate::error::{CallFrame, Error, Limit, Location, ScriptError, ScriptFault, SizeLimit};
use crate::report::{many, tame, tame_message};

/// As [`explain`], of a line of the lab, whose values may be larger.
pub(crate) fn explain_in_lab(error: &EvalAltResult, sources: &Sources) -> ScriptError {
    let mut explained = explain(error, sources);
    if let ScriptFault::Limit(Limit::Size(size)) = &mut explained.fault {
        size.most = match size.what {
            "text" => LAB_TEXT,
            "map" => LAB_ENTRIES,
            _ => LAB_ITEMS,
        };
    }
    explained
}

/// Turns an error of a run into a mistake with place, caret and the calls that led there.
pub(crate) fn explain(error: &EvalAltResult, sources: &Sources) -> ScriptError {
    let mut trace = Vec::new();
    let mut innermost = error;
    let mut position = error.position();
    while let EvalAltResult::ErrorInFunctionCall(function, _, inner, at) = innermost {
        if !sources.is_of_host(function) {
            let (function, at) = (sources.plain_name(function), sources.locate(*at));
            trace.push(CallFrame { function, at });
        }
        innermost = inner;
        if !inner.position().is_none() {
            position = inner.position();
        }
    }
    trace.reverse();
    let mut explained = ScriptError::new(fault_of(innermost));
    if let (EvalAltResult::ErrorUnboundThis(_), []) = (innermost, &trace[..]) {
        // Nobody's call in a script could be another.
        let why = "`this` is not bound here, only in functions that are called on a value, as `step` is on the state";
        explained.fault = ScriptFault::Failed(why.to_owned());
    }
    explained.trace = trace;
    let mut error = place(explained, position, sources);
    error.overridden = overridden(&error, sources);
    // Functions of the host fail with the same error at the place of the call: only a statement that
    // throws begins with the word of the language.
    if let (EvalAltResult::ErrorRuntime(..), Some("throw")) = (innermost, word(&error).as_deref())
        && let ScriptFault::Failed(text) = error.fault
    {
        error.fault = ScriptFault::Thrown(text);
    }
    error
}

/// What house rules define, where none of them is where the script failed, nor called what did: one may have
/// returned what fails there.
fn overridden(error: &ScriptError, sources: &Sources) -> Vec<(String, Location)> {
    let calls = error.trace.iter().filter_map(|frame| frame.at.as_ref());
    if error.at.iter().chain(calls).any(|at| sources.house.contains(&at.file)) {
        return Vec::new();
    }
    let of = |path: &String| definitions(path, sources.text(path).unwrap_or_default(), 1);
    let all = sources.house.iter().flat_map(of).filter(|one| one.name != params::NAME);
    all.map(|one| (one.name, one.at)).collect()
}

/// Turns an error of the parser into a mistake with place and caret.
pub(crate) fn explain_parse(parsed: &ParseError, sources: &Sources) -> ScriptError {
    let fault = match &*parsed.0 {
        ParseErrorType::VariableUndefined(name) => {
            ScriptFault::UnknownVariable { name: tame_message(name), running: false }
        }
        ParseErrorType::Reserved(word) => ScriptFault::Syntax(format!(
            "`{word}` is a word of the language and cannot be used here"
        )),
        other => ScriptFault::Syntax(tame_message(&lower_first(&other.to_string()))),
    };
    let mut error = place(ScriptError::new(fault), parsed.1, sources);
    if let Some(at) = &error.at
        && let ParseErrorType::FnDuplicatedDefinition(name, arity) = &*parsed.0
    {
        let text = sources.text(&at.file).unwrap_or_default();
        let mut all = definitions(&at.file, text, 0).into_iter();
        let first = all.find(|one| one.name == *name && one.parameters.len() == *arity);
        error.fault = ScriptFault::twice(name, first.map(|one| one.at));
    }
    error.nearest = word(&error).and_then(|word| sign_for(&word)).map(str::to_owned);
    if let Some(word) = shut_word(&error) {
        error.fault = ScriptFault::Forbidden(format!("scripts may not use `{word}`"));
    }
    error
}

fn sign_for(word: &str) -> Option<&'static str> {
    match word {
        "and" => Some("&&"),
        "or" => Some("||"),
        "not" => Some("!"),
        _ => None,
    }
}

/// The word at the place of a syntax error, where it is one that scripts may not use: the parser
/// says of some that they are reserved, of others that they are no name.
fn shut_word(error: &ScriptError) -> Option<&'static str> {
    let word = word(error)?;
    SHUT.iter().chain(&SHUT_TO_STRANGERS).find(|shut| **shut == word).copied()
}

fn word(error: &ScriptError) -> Option<String> {
    let (line, column) = (error.line.as_ref()?, error.at.as_ref()?.column?);
    Some(line.chars().skip(column - 1).take(error.width).collect())
}

/// Gives a mistake its place in the files, and the source line for the caret.
pub(super) fn place(mut error: ScriptError, position: Position, sources: &Sources) -> ScriptError {
    error.at = sources.locate(position);
    point(&mut error, sources);
    error
}

/// Gives a mistake whose location is known the source line for the caret.
pub(super) fn point(error: &mut ScriptError, sources: &Sources) {
    let at: Option<Location> = error.at.clone();
    if let Some(at) = at
        && let Some(line) = sources.line_at(&at)
    {
        error.line = Some(tame(line).into_owned());
        error.width = at.column.map_or(1, |column| word_width(line, column));
    }
}

/// The fault in our own words. Rhai reports a size that is too large, the types of a call and a
/// missing field only as text: that text is read here and in [`call_errors`], and nowhere else.
fn fault_of(error: &EvalAltResult) -> ScriptFault {
    use EvalAltResult as E;
    ScriptFault::Failed(match error {
        E::ErrorDataTooLarge(what, _) => {
            let (what, most) = match what.as_str() {
                what if what.contains("string") => ("text", TEXT),
                what if what.contains("map") => ("map", ENTRIES),
                what if what.contains("nesting") => {
                    return ScriptFault::Limit(Limit::Nesting(NESTED));
                }
                _ => ("array", ITEMS),
            };
            return ScriptFault::Limit(Limit::Size(SizeLimit { what, most }));
        }
        E::ErrorStackOverflow(_) => return ScriptFault::Limit(Limit::Calls(CALLS)),
        E::ErrorRuntime(value, _) => match value.clone().into_immutable_string() {
            Ok(text) => tame_message(&text),
            Err(_) => tame_message(&format!("thrown: {value}")),
        },
        E::ErrorFunctionNotFound(signature, _) => {
            return ScriptFault::UnknownFunction(no_such_call(signature));
        }
        E::ErrorPropertyNotFound(name, _) => return ScriptFault::UnknownField(tame_message(name)),
        E::ErrorVariableNotFound(name, _) => {
            return ScriptFault::UnknownVariable { name: tame_message(name), running: true };
        }
        E::ErrorUnboundThis(_) => {
            "`this` is not bound here: call the function as `this.name(…)`".to_owned()
        }
        E::ErrorMismatchDataType(wanted, got, _) => {
            format!("expected {}, got {}", a_word(wanted), a_word(got))
        }
        E::ErrorArrayBounds(0, index, _) => format!("the array is empty, there is no item {index}"),
        E::ErrorArrayBounds(len, index, _) => {
            let items = many(*len as u64, "item");
            format!("the array has {items}, there is no item {index}")
        }
        E::ErrorTerminated(..) => "stopped".to_owned(),
        E::ErrorIndexingType(types, _) => {
            let kind = types.split(" [").next().unwrap_or(types);
            format!("{} has no items to pick by `[…]`", a_word(kind))
        }
        E::ErrorDotExpr(text, _) => {
            no_such_field(text).unwrap_or_else(|| tame_message(&lower_first(text)))
        }
        other => tame_message(&lower_first(&without_position(other))),
    })
}

/// An error in Rhai's words, without the place that ends them.
fn without_position(error: &EvalAltResult) -> String {
    let (text, end) = (error.to_string(), format!(" ({})", error.position()));
    text.strip_suffix(&end).unwrap_or(&text).to_owned()
}

fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// A mistake of the rules' contract: what a function returned is not what it must return.
pub(super) fn contract(function: &str, message: impl std::fmt::Display) -> Error {
    let (function, message) = (function.to_owned(), message.to_string());
    ScriptError::new(ScriptFault::Contract { function, message }).into()
}

/// Why the script was stopped, with its place.
pub(crate) fn stopped(
    context: &Context,
    error: Option<&EvalAltResult>,
    sources: &Sources,
) -> Error {
    match context.meter.take_stopped() {
        Some(Stopped::Failed(error)) => *error,
        Some(Stopped::Cut(cut)) => cut.into(),
        None => Error::Interrupted,
        Some(Stopped::Limit(limit)) => {
            let fault = ScriptFault::Limit(limit);
            let placed = error.map(|error| explain(error, sources));
            let placed = placed.unwrap_or_else(|| ScriptError::new(fault.clone()));
            Error::from(ScriptError { fault, nearest: None, ..placed })
        }
    }
}
