//! `fracas doc`: what can a script define and call?

use std::process::ExitCode;

use serde_json::{Value as Json, json};

use super::arguments::{Common, Doc};
use super::output::Output;
use crate::error::Error;
use crate::handbook::{self, Entry, Found};
use crate::render;

/// Runs the command.
///
/// # Errors
/// [`Error::Unknown`] with the nearest name; those of a system's rules that do not compile.
pub fn run(common: &Common, doc: &Doc, output: &mut Output) -> Result<ExitCode, Error> {
    let Some(word) = &doc.name else {
        index(output)?;
        return Ok(ExitCode::SUCCESS);
    };
    let found = handbook::find(&common.catalog()?, word, &common.limits())?;
    match found {
        Found::Family(entries) => family(&entries, output)?,
        Found::Functions(entries) => functions(&entries, output)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Everything, family by family.
fn index(output: &mut Output) -> Result<(), Error> {
    let entries = handbook::entries();
    if output.json() {
        return output.value(&as_json(&entries));
    }
    for (number, (name, about)) in handbook::families().iter().enumerate() {
        if number > 0 {
            output.data("")?;
        }
        output.data(&format!("{name}: {about}"))?;
        let of: Vec<Entry> =
            entries.iter().filter(|entry| entry.family == *name).cloned().collect();
        output.data(&table(&of, output))?;
    }
    output.say("\n`fracas doc NAME` tells more of a function, a family or a system");
    Ok(())
}

fn family(entries: &[Entry], output: &mut Output) -> Result<(), Error> {
    if output.json() {
        return output.value(&as_json(entries));
    }
    output.data(&table(entries, output))
}

fn functions(entries: &[Entry], output: &mut Output) -> Result<(), Error> {
    if output.json() {
        return output.value(&as_json(entries));
    }
    for (number, entry) in entries.iter().enumerate() {
        if number > 0 {
            output.data("")?;
        }
        output.data(&format!("{}    ({})", entry.signature, entry.family))?;
        if !entry.text.is_empty() {
            output.data(&entry.text)?;
        }
        if !entry.example.is_empty() {
            output.data(&format!("\n{}", entry.example))?;
        }
        if let Some(at) = &entry.at {
            output.data(&format!("\n{}:{}", at.file, at.line))?;
        }
    }
    Ok(())
}

fn table(entries: &[Entry], output: &Output) -> String {
    let rows: Vec<Vec<String>> = entries
        .iter()
        .map(|entry| vec![entry.signature.clone(), entry.summary().to_owned()])
        .collect();
    render::table(&["function", "what it does"], &rows, output.width(), output.plain())
}

fn as_json(entries: &[Entry]) -> Json {
    let entry = |entry: &Entry| {
        let mut fields = json!({
            "family": entry.family,
            "name": entry.name,
            "signature": entry.signature,
            "text": entry.text,
            "example": entry.example,
        });
        if let (Some(at), Some(fields)) = (&entry.at, fields.as_object_mut()) {
            fields.insert("file".to_owned(), json!(at.file));
            fields.insert("line".to_owned(), json!(at.line));
        }
        fields
    };
    json!({ "functions": entries.iter().map(entry).collect::<Vec<_>>() })
}
