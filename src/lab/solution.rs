//! Formats solutions for people as the commands print them, read back from the data for programs.

use indexmap::IndexMap;

use crate::analysis::equilibrium::{Beyond, Exploit};
use crate::analysis::{Choice, Figure, Fraction, Interval, Line, Solution};
use crate::game::Value;

/// A solution as `fracas solve` prints it; nothing where the value is none.
pub fn solved(value: &Value, width: usize, plain: bool) -> Option<String> {
    Some(solution(value)?.as_text(width, plain))
}

/// A perfect opponent as `fracas exploit` prints it; nothing where the value is none.
pub fn exploited(value: &Value, width: usize, plain: bool) -> Option<String> {
    let against = value.get("against")?.as_map()?.iter();
    let found = Exploit {
        notes: notes(value),
        cut_off: 0.0,
        seat: value.get("seat")?.to_string(),
        against: against.map(|(seat, agent)| (seat.clone(), agent.to_string())).collect(),
        value: values(value)?,
        strategy: lines(value)?,
        nodes: usize::try_from(value.get("nodes")?.as_int()?).ok()?,
    };
    let number = |key| value.get(key).and_then(Value::as_number);
    let beyond = number("exploitability").zip(number("exploitability_within"));
    let told = beyond.map(|(more, within)| Beyond { more, within }.as_text(&found.seat, width));
    let told = told.map(|told| format!("\n\n{told}")).unwrap_or_default();
    Some(format!("{}{told}", found.as_text(width, plain)))
}

fn solution(value: &Value) -> Option<Solution> {
    let further = match value.get("further") {
        Some(further) => further.as_list()?.iter().map(solution).collect::<Option<_>>()?,
        None => Vec::new(),
    };
    Some(Solution {
        method: value.get("method")?.to_string(),
        exact: *value.get("exact")? == Value::Bool(true),
        value: values(value)?,
        exploitability: value.get("exploitability")?.as_number().unwrap_or(f64::INFINITY),
        gains: IndexMap::new(),
        strategy: lines(value)?,
        draw: Vec::new(),
        further,
        notes: notes(value),
        interrupted: false,
    })
}

fn notes(value: &Value) -> Vec<String> {
    let notes = value.get("notes").and_then(Value::as_list).unwrap_or_default();
    notes.iter().map(ToString::to_string).collect()
}

fn values(value: &Value) -> Option<IndexMap<String, Figure>> {
    let bounds = value.get("bounds");
    let values = value.get("value")?.as_map()?.iter();
    let known = |side: &String, value: &Value| {
        within(bounds.and_then(|bounds| bounds.get(side))).or_else(|| figure(value))
    };
    values.map(|(side, value)| Some((side.clone(), known(side, value)?))).collect()
}

fn lines(value: &Value) -> Option<Vec<Line>> {
    value.get("strategy")?.as_list()?.iter().map(line).collect()
}

fn line(value: &Value) -> Option<Line> {
    Some(Line {
        player: value.get("player")?.to_string(),
        name: value.get("name")?.to_string(),
        sees: value.get("sees")?.to_string(),
        seen: Vec::new(),
        answered: Vec::new(),
        key: String::new(),
        reach: value.get("reach")?.as_number()?,
        options: value.get("options")?.as_list()?.iter().map(choice).collect::<Option<_>>()?,
    })
}

fn choice(value: &Value) -> Option<Choice> {
    Some(Choice {
        option: value.get("option")?.to_string(),
        weight: figure(value.get("weight")?)?,
        utility: within(value.get("utility_bounds")).or_else(|| figure(value.get("utility")?))?,
        dominated: value.get("dominated_by").map(ToString::to_string),
    })
}

fn within(bounds: Option<&Value>) -> Option<Figure> {
    let bound = |key| bounds?.get(key)?.as_number();
    Some(Figure::Within(Interval { low: bound("low")?, high: bound("high")? }))
}

fn figure(value: &Value) -> Option<Figure> {
    match value {
        Value::Text(text) => text.parse::<Fraction>().ok().map(Figure::Exact),
        other => other.as_number().map(Figure::Near),
    }
}
