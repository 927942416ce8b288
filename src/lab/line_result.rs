//! The result of a line at the prompt, independent of the script language, and how it is shown.

use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::report::ResultKind;
use super::table::Sheet;
use crate::game::{Distribution, Value};
use crate::render::{self, Figure};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShowStyle {
    /// The columns to write for.
    pub width: usize,
    /// No boxes.
    pub plain: bool,
    pub json: bool,
}

impl Default for ShowStyle {
    fn default() -> ShowStyle {
        ShowStyle { width: 80, plain: false, json: false }
    }
}

#[derive(Clone, Debug)]
pub enum LineResult {
    /// Nothing worth a word: the line defined or changed something, or ended in `;`.
    Nothing,
    Value(Value),
    Result(ResultKind, Value),
    Distribution(Arc<Distribution>),
    /// Rows under columns.
    Sheet(Sheet),
    Figures(Vec<Figure>),
    /// Anything else, in the language's own words.
    Other(String),
}

impl LineResult {
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
    pub(crate) fn as_json(&self) -> Option<Json> {
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
