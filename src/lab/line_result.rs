//! The result of a line at the prompt, independent of the script language.

use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use rhai::{Dynamic, INT};
use serde_json::{Value as Json, json};

use super::desk::ShowStyle;
use super::report::ResultKind;
use super::scenario::Opened;
use super::table::Sheet;
use crate::game::{Distribution, Value};
use crate::render::{self, Figure};
use crate::script::{Dist, to_value};

/// The result of a line.
#[derive(Clone, Debug)]
pub enum LineResult {
    /// Nothing worth a word: the line defined or changed something, or ended in `;`.
    Nothing,
    /// Plain data.
    Value(Value),
    /// A result of the lab.
    Result(ResultKind, Value),
    /// A distribution.
    Distribution(Arc<Distribution>),
    /// Rows under columns.
    Sheet(Sheet),
    /// Plots.
    Figures(Vec<Figure>),
    /// Anything else, in the language's own words.
    Other(String),
}

impl LineResult {
    /// The result that a value of the language is.
    pub(super) fn of(value: &Dynamic) -> LineResult {
        if value.is_unit() {
            return LineResult::Nothing;
        }
        if let Some(dist) = value.read_lock::<Dist>() {
            return LineResult::Distribution(dist.0.clone());
        }
        if let Some(sheet) = value.read_lock::<Sheet>() {
            return LineResult::Sheet(sheet.clone());
        }
        if let Some(figures) = value.read_lock::<Vec<Figure>>() {
            return LineResult::Figures(figures.clone());
        }
        if let Some(opened) = value.read_lock::<Opened>() {
            return LineResult::Other(opened.title());
        }
        if let Some(range) = value.read_lock::<Range<INT>>() {
            return LineResult::Other(format!("{}..{}", range.start, range.end));
        }
        if let Some(range) = value.read_lock::<RangeInclusive<INT>>() {
            return LineResult::Other(format!("{}..={}", range.start(), range.end()));
        }
        match to_value(value, "the result") {
            Ok(plain) => match ResultKind::of(value) {
                Some(kind) => LineResult::Result(kind, plain),
                None => LineResult::Value(plain),
            },
            Err(_) if value.is_fnptr() => LineResult::Other("a closure".to_owned()),
            Err(_) => LineResult::Other(value.to_string()),
        }
    }

    /// As a session shows it, for people or for programs; nothing where there is nothing to show.
    pub fn shown(&self, look: ShowStyle) -> Option<String> {
        let ShowStyle { width, plain, json } = look;
        if let (true, LineResult::Value(value) | LineResult::Result(_, value)) = (json, self) {
            return Some(value.literal());
        }
        if json {
            return self.as_json().map(|json| json.to_string());
        }
        Some(match self {
            LineResult::Nothing => return None,
            LineResult::Value(value) => render::value(value, width, plain),
            LineResult::Result(kind, value) => {
                kind.text(value, width, plain).unwrap_or_else(|| render::value(value, width, plain))
            }
            LineResult::Distribution(distribution) => {
                render::distribution(distribution, width, plain)
            }
            LineResult::Sheet(sheet) => sheet.text(width, plain),
            LineResult::Figures(figures) => {
                let texts: Vec<String> =
                    figures.iter().map(|figure| figure.text(width, plain)).collect();
                texts.join("\n\n")
            }
            LineResult::Other(text) => text.clone(),
        })
    }

    /// As JSON for programs; a result that is no data is a text.
    pub fn as_json(&self) -> Option<Json> {
        Some(match self {
            LineResult::Nothing => return None,
            LineResult::Value(value) | LineResult::Result(_, value) => json!(value),
            LineResult::Distribution(distribution) => {
                let weights = distribution.weights().iter().map(ToString::to_string);
                let pairs = distribution.values().iter().zip(weights);
                pairs.map(|(value, weight)| json!([value, weight])).collect()
            }
            LineResult::Sheet(sheet) => sheet.json(),
            LineResult::Figures(figures) => {
                json!(figures.iter().map(|one| one.text(80, true)).collect::<Vec<_>>())
            }
            LineResult::Other(text) => json!(text),
        })
    }
}
