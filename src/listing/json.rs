//! Formats the listings as JSON. An entry that does not load carries its error.

use serde_json::{Value as Json, json};

use super::{Item, Summary, System};
use crate::catalog::Kind;
use crate::render::with_error;

/// All systems.
pub fn as_json(all: &[Summary]) -> Json {
    json!({ "systems": all.iter().map(summary_as_json).collect::<Vec<_>>() })
}

impl System {
    /// All of the system, for programs.
    pub fn as_json(&self) -> Json {
        let items = |items: &[Item]| -> Vec<Json> {
            let item = |item: &Item| {
                with_error(json!({ "name": item.name, "title": item.title }), item.error.as_ref())
            };
            items.iter().map(item).collect()
        };
        let parameters = self.parameters.iter().map(|parameter| {
            json!({
                "name": parameter.name,
                "default": parameter.default,
                "allowed": parameter.allowed,
                "meaning": parameter.meaning,
                "clause": parameter.clause,
            })
        });
        let functions = self.functions.iter().map(|function| {
            json!({
                "name": function.name,
                "signature": function.signature,
                "comment": function.summary(),
                "file": function.at.as_ref().map(|at| &at.file),
                "line": function.at.as_ref().map(|at| at.line),
            })
        });
        let fields = json!({
            "name": self.name,
            "title": self.title,
            "path": self.path,
            "scenarios": items(&self.scenarios),
            "parameters": parameters.collect::<Vec<_>>(),
            "house": items(&self.house),
            "agents": items(&self.agents),
            "functions": functions.collect::<Vec<_>>(),
            "cases": self.cases,
        });
        with_error(fields, self.error.as_ref())
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
    with_error(fields, summary.error.as_ref())
}
