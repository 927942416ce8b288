//! `fracas list`: what is there to play?

use std::process::ExitCode;

use serde_json::{Value as Json, json};

use super::arguments::{Common, List};
use super::output::Output;
use crate::catalog::Kind;
use crate::error::Error;
use crate::listing::{self, Item, Summary, System};
use crate::render;

/// Runs the command.
///
/// # Errors
/// A system that is not there. One that does not load is shown with its error.
pub fn run(common: &Common, list: &List, output: &mut Output) -> Result<ExitCode, Error> {
    let catalog = common.catalog()?;
    let limits = common.limits();
    match &list.system {
        None => systems(&listing::systems(&catalog, &limits), output)?,
        Some(name) => system(&listing::system(&catalog, name, &limits)?, output)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn systems(all: &[Summary], output: &mut Output) -> Result<(), Error> {
    if output.json() {
        let all: Vec<Json> = all.iter().map(summary_as_json).collect();
        return output.value(&json!({ "systems": all }));
    }
    let row = |summary: &Summary| {
        let mut row = vec![summary.name.clone(), titled(&summary.title, &summary.error)];
        row.extend(summary.counts.iter().map(|(_, count)| count.to_string()));
        row.push(summary.parameters.to_string());
        row
    };
    let rows: Vec<_> = all.iter().map(row).collect();
    let header =
        ["system", "title", "scenarios", "house rules", "agents", "case files", "parameters"];
    table(&header, &rows, output)
}

fn system(system: &System, output: &mut Output) -> Result<(), Error> {
    if output.json() {
        return output.value(&system_as_json(system));
    }
    output.data(&format!("{}: {}", system.name, titled(&system.title, &system.error)))?;
    output.data(&system.path)?;
    items("scenario", &system.scenarios, output)?;
    let parameters: Vec<Vec<String>> = system
        .parameters
        .iter()
        .map(|parameter| {
            vec![
                parameter.name.clone(),
                parameter.default.to_string(),
                parameter.allowed.clone(),
                parameter.meaning.clone(),
                parameter.clause.clone().unwrap_or_default(),
            ]
        })
        .collect();
    section(&["parameter", "default", "allowed", "meaning", "clause"], &parameters, output)?;
    items("house rule", &system.house, output)?;
    items("agent", &system.agents, output)?;
    let functions: Vec<Vec<String>> = system
        .functions
        .iter()
        .map(|function| {
            let at = function.at.as_ref().map(|at| format!("{}:{}", at.file, at.line));
            vec![function.signature.clone(), function.summary().to_owned(), at.unwrap_or_default()]
        })
        .collect();
    section(&["function", "what it does", "where"], &functions, output)
}

fn items(what: &str, items: &[Item], output: &mut Output) -> Result<(), Error> {
    let row = |item: &Item| vec![item.name.clone(), titled(&item.title, &item.error)];
    section(&[what, "title"], &items.iter().map(row).collect::<Vec<_>>(), output)
}

/// A table below an empty line; nothing where there are no rows.
fn section(header: &[&str], rows: &[Vec<String>], output: &mut Output) -> Result<(), Error> {
    if rows.is_empty() {
        return Ok(());
    }
    output.data("")?;
    table(header, rows, output)
}

fn table(header: &[&str], rows: &[Vec<String>], output: &mut Output) -> Result<(), Error> {
    output.data(&render::table(header, rows, output.width(), output.plain()))
}

/// The title, or the error with its place.
fn titled(title: &Option<String>, error: &Option<Error>) -> String {
    match error {
        Some(error) => {
            let at = error.location().map(|at| format!(" ({at})")).unwrap_or_default();
            format!("error: {error}{at}")
        }
        None => title.clone().unwrap_or_default(),
    }
}

fn summary_as_json(summary: &Summary) -> Json {
    let count = |wanted: Kind| {
        let found = summary.counts.iter().find(|(kind, _)| *kind == wanted);
        found.map_or(0, |(_, count)| *count)
    };
    let fields = json!({
        "name": summary.name,
        "title": summary.title,
        "path": summary.path,
        "scenarios": count(Kind::Scenario),
        "house": count(Kind::House),
        "agents": count(Kind::Agent),
        "cases": count(Kind::Case),
        "parameters": summary.parameters,
    });
    with_error(fields, &summary.error)
}

fn system_as_json(system: &System) -> Json {
    let items = |items: &[Item]| -> Vec<Json> {
        let item = |item: &Item| {
            with_error(json!({ "name": item.name, "title": item.title }), &item.error)
        };
        items.iter().map(item).collect()
    };
    let parameters = system.parameters.iter().map(|parameter| {
        json!({
            "name": parameter.name,
            "default": parameter.default,
            "allowed": parameter.allowed,
            "meaning": parameter.meaning,
            "clause": parameter.clause,
        })
    });
    let functions = system.functions.iter().map(|function| {
        json!({
            "name": function.name,
            "signature": function.signature,
            "comment": function.summary(),
            "file": function.at.as_ref().map(|at| &at.file),
            "line": function.at.as_ref().map(|at| at.line),
        })
    });
    let fields = json!({
        "name": system.name,
        "title": system.title,
        "path": system.path,
        "scenarios": items(&system.scenarios),
        "parameters": parameters.collect::<Vec<_>>(),
        "house": items(&system.house),
        "agents": items(&system.agents),
        "functions": functions.collect::<Vec<_>>(),
        "cases": system.cases,
    });
    with_error(fields, &system.error)
}

/// The fields of an error are those of the error that ends a command.
fn with_error(mut fields: Json, error: &Option<Error>) -> Json {
    if let (Some(error), Some(fields)) = (error, fields.as_object_mut()) {
        fields.insert("error".to_owned(), render::as_json(error)["error"].clone());
    }
    fields
}
