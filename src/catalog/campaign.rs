//! A campaign: a list of conflicts, and the script that makes each setup from the outcomes before.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;

use super::document::DocumentTable;
use super::scenario::{Campaign, Chapter, begin_of};
use super::{Document, FileText, Scenario};
use crate::error::Error;
use crate::game::Value;

/// What stands for the system where a campaign is played.
pub(crate) const CAMPAIGN: &str = "campaign";

const CHAPTERS: std::ops::RangeInclusive<usize> = 1..=100;

/// Whether a file is a campaign, or would be if it had no mistakes.
pub(super) fn is_one(text: &FileText) -> bool {
    Document::parse(text.clone()).is_ok_and(|document| document.root.get("conflict").is_some())
}

/// Reads a campaign; `find` finds the scenarios that it names.
pub(super) fn parse(
    name: &str,
    text: FileText,
    find: &dyn Fn(&str) -> Result<Scenario, Error>,
) -> Result<Scenario, Error> {
    let document = Arc::new(Document::parse(text)?);
    let root = DocumentTable::root(&document)?;
    root.only(&["title", "script", "conflict", "begin", "seats"])?;
    root.need("conflict")?;
    let list = root.list("conflict")?.unwrap_or_default();
    if !CHAPTERS.contains(&list.len()) {
        let (least, most) = (CHAPTERS.start(), CHAPTERS.end());
        let why = format!("must be a list of {least} to {most} conflicts, not {}", list.len());
        return Err(root.wrong("conflict", &why));
    }
    let mut chapters: Vec<Chapter> = Vec::new();
    let mut known = BTreeSet::new();
    for (number, value) in list.iter().enumerate() {
        let table = root.table_at("conflict", number, value)?;
        let chapter = chapter(&table, find)?;
        if !known.insert(chapter.name.clone()) {
            let key = if table.get("name").is_some() { "name" } else { "scenario" };
            let why = format!("names two conflicts `{}`; give each a `name`", chapter.name);
            return Err(table.wrong(key, &why));
        }
        chapters.push(chapter);
    }
    let script = match root.text("script")? {
        Some(script) => Some(in_its_place(&document, &script).ok_or_else(|| {
            root.wrong("script", "must be written as it is, between `'''` and `'''`")
        })?),
        None => None,
    };
    Ok(Scenario {
        name: name.to_owned(),
        system: CAMPAIGN.to_owned(),
        title: root.text("title")?,
        setup: setup(&chapters),
        begin: begin_of(&root)?,
        seats: root.seats()?,
        endless: chapters.iter().any(|chapter| chapter.scenario.endless),
        campaign: Some(Arc::new(Campaign { chapters, script })),
        document: Some(document.clone()),
        ..Scenario::default()
    })
}

fn chapter(
    table: &DocumentTable<'_>,
    find: &dyn Fn(&str) -> Result<Scenario, Error>,
) -> Result<Chapter, Error> {
    table.only(&["name", "scenario", "house", "params", "begin"])?;
    let word = table.beside("scenario", table.need_text("scenario")?)?;
    let at = || table.location("scenario");
    let scenario = match word.ends_with(".toml") {
        true => {
            let text = FileText::read(Path::new(&word)).map_err(|error| error.placed(at))?;
            if is_one(&text) {
                return Err(table.wrong("scenario", "names a campaign; a campaign has none in it"));
            }
            Scenario::parse(&word, text)?
        }
        false => find(&word).map_err(|error| error.placed(at))?,
    };
    if !scenario.begin.is_empty() {
        let why = "names a scenario that begins after answers (`begin`), which no conflict of a campaign can; the \
                   campaign itself may have a `begin`";
        return Err(table.wrong("scenario", why));
    }
    let text = |key: &str| match table.text(key)? {
        Some(text) if text.is_empty() || text.chars().any(char::is_control) => {
            Err(table.wrong(key, "must be a text of one line"))
        }
        text => Ok(text),
    };
    Ok(Chapter {
        name: text("name")?.unwrap_or_else(|| word.clone()),
        scenario,
        house: table.all_beside("house")?,
        params: table.map("params")?,
        begin: text("begin")?,
    })
}

/// The script in the text of a campaign's file, as [`Campaign::script`] has it.
pub(crate) fn script_of(text: FileText) -> Option<FileText> {
    let document = Document::parse(text).ok()?;
    in_its_place(&document, document.root.get("script")?.as_text()?)
}

/// What a campaign starts from, for a saved history: the setup of each conflict.
fn setup(chapters: &[Chapter]) -> Value {
    let one = |chapter: &Chapter| {
        let text = |text: &String| Value::Text(text.clone());
        Value::Map(IndexMap::from([
            ("name".to_owned(), text(&chapter.name)),
            ("system".to_owned(), text(&chapter.scenario.system)),
            ("setup".to_owned(), chapter.scenario.setup.clone()),
        ]))
    };
    let all = Value::List(chapters.iter().map(one).collect());
    Value::Map(IndexMap::from([("conflicts".to_owned(), all)]))
}

/// The script with spaces for all else in the file, so that every place in it is one of the file.
/// Nothing where the file has it in other letters.
fn in_its_place(document: &Document, script: &str) -> Option<FileText> {
    let written = document.from("script")?;
    let before = document.text.len() - written.len();
    let within = written.find(script).filter(|start| *start <= 5)?;
    let start = before + within;
    let blank =
        |text: &str| -> String { text.chars().map(|c| if c == '\n' { c } else { ' ' }).collect() };
    let text = format!("{}{script}", blank(&document.text[..start]));
    Some(FileText { path: document.path.clone(), text })
}
