//! Formats the listings for people, as tables below each other.

use super::{Item, Summary, System, Systems};
use crate::agents::built_in;
use crate::error::Error;
use crate::game::brief;
use crate::render::table;

impl Systems {
    /// All systems as a table within `width` columns.
    pub fn as_text(&self, width: usize, plain: bool) -> String {
        let row = |summary: &Summary| {
            let Summary { scenarios, house, agents, cases, parameters, .. } = summary;
            let mut row = vec![summary.name.clone(), titled(&summary.title, &summary.error)];
            row.extend([scenarios, house, agents, cases, parameters].map(ToString::to_string));
            row
        };
        let rows: Vec<_> = self.systems.iter().map(row).collect();
        let header =
            ["system", "title", "scenarios", "house rules", "agents", "case files", "parameters"];
        table(&header, &rows, width, plain)
    }
}

impl System {
    /// All of the system within `width` columns: its name, then a table of each kind there is.
    pub fn as_text(&self, width: usize, plain: bool) -> String {
        let mut text =
            format!("{}: {}\n{}", self.name, titled(&self.title, &self.error), self.path);
        let mut section = |header: &[&str], rows: Vec<Vec<String>>| {
            if !rows.is_empty() {
                text.push_str(&format!("\n\n{}", table(header, &rows, width, plain)));
            }
        };
        section(&["scenario", "title"], items(&self.scenarios));
        section(&["campaign", "title"], items(&self.campaigns));
        let parameters = self.parameters.iter().map(|parameter| {
            vec![
                parameter.name.clone(),
                parameter.default.to_string(),
                parameter.allowed.clone(),
                parameter.meaning.clone(),
                parameter.clause.clone().unwrap_or_default(),
            ]
        });
        let header = ["parameter", "default", "allowed", "meaning", "clause"];
        section(&header, parameters.collect());
        section(&["house rule", "title"], items(&self.house));
        section(&["agent", "title"], items(&self.agents));
        let built_in = built_in().map(|(word, about)| vec![word.to_owned(), about.to_owned()]);
        section(&["in every system", "what sits there"], built_in.collect());
        let functions = self.functions.iter().map(|function| {
            let place = function.place().unwrap_or_default();
            vec![function.signature.clone(), function.summary(), place]
        });
        section(&["function", "what it does", "where"], functions.collect());
        text
    }
}

fn items(items: &[Item]) -> Vec<Vec<String>> {
    items.iter().map(|item| vec![item.name.clone(), titled(&item.title, &item.error)]).collect()
}

/// The title, or the error with its place.
fn titled(title: &Option<String>, error: &Option<Error>) -> String {
    match error {
        Some(error) => {
            let at = error.location().map(|at| format!(" ({at})")).unwrap_or_default();
            format!("error: {error}{at}")
        }
        None => title.as_ref().map(brief).unwrap_or_default(),
    }
}
