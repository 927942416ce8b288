//! Formats the listings for people: on one screen, or as tables below each other.

use super::{PartSummary, Summary, System, SystemList};
use crate::agents::built_in;
use crate::error::Error;
use crate::game::brief;
use crate::handbook::HandbookEntry;
use crate::report::{Block, Report, Table, cut, filled, indented, listed, wrapped};

/// The most lines of a system on one screen: a window of 24 rows, less the line that is typed next.
const SCREEN: usize = 23;
/// The columns of the names of kinds; and how many there must be beside them.
const NAMES: usize = 13;
const NARROW: usize = 20;
/// The least columns for what functions do, in a table of them.
const PROSE: usize = 30;

/// How much is shown of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// What fits on one screen.
    Screen,
    /// Its functions, in a table.
    Functions,
    /// All of it, in tables.
    All,
}

impl SystemList {
    /// All systems as a table; and for programs.
    pub(crate) fn report(&self) -> Report<'_> {
        let row = |summary: &Summary| {
            let Summary { scenarios, house, agents, cases, parameters, .. } = summary;
            let mut row = vec![summary.name.clone(), titled(&summary.title, &summary.error)];
            row.extend([scenarios, house, agents, cases, parameters].map(ToString::to_string));
            row
        };
        let header =
            ["system", "title", "scenarios", "house rules", "agents", "case files", "parameters"];
        Report::of(self, vec![Block::table(header, self.systems.iter().map(row))])
    }
}

impl System {
    /// The system, on one screen or in tables; and for programs.
    pub(crate) fn report(&self, detail: Detail) -> Report<'_> {
        let mut blocks = match detail {
            Detail::Screen => return Report::of(self, vec![self.on_one_screen()]),
            Detail::Functions => vec![self.function_table()],
            Detail::All => self.tables(),
        };
        // What marks mean is below what is marked.
        blocks.extend(self.rulebook.legend().map(Block::sentence));
        Report::of(self, blocks)
    }

    fn tables(&self) -> Vec<Block> {
        let mut blocks = vec![Block::Code(self.heading())];
        let mut section = |header: &[&str], rows: Vec<Vec<String>>| {
            if !rows.is_empty() {
                blocks.push(Block::table(header.iter().copied(), rows));
            }
        };
        section(&["scenario", "title"], items(&self.scenarios));
        section(&["campaign", "title"], items(&self.campaigns));
        let parameters = self.parameters.iter().map(|parameter| {
            let clause = parameter.clause.as_deref().unwrap_or_default();
            vec![
                parameter.name.clone(),
                parameter.default.to_string(),
                parameter.allowed.clone(),
                parameter.meaning.clone(),
                self.rulebook.marked(clause),
            ]
        });
        let header = ["parameter", "default", "allowed", "meaning", "clause"];
        section(&header, parameters.collect());
        section(&["house rule", "title"], items(&self.house));
        section(&["agent", "title"], items(&self.agents));
        let built_in = built_in().map(|(word, about)| vec![word.to_owned(), about.to_owned()]);
        section(&["in every system", "what sits there"], built_in.collect());
        if !self.functions.is_empty() {
            blocks.push(self.function_table());
        }
        blocks
    }

    fn heading(&self) -> String {
        format!("{}: {}\n{}", self.name, titled(&self.title, &self.error), self.path)
    }

    fn function_table(&self) -> Block {
        let row = |function: &HandbookEntry| {
            let place = function.place().unwrap_or_default();
            vec![function.signature.clone(), self.rulebook.marked(&function.summary()), place]
        };
        let header = ["function", "what it does", "where"];
        let table = Table::new(header, self.functions.iter().map(row));
        Block::Table(table.with_prose(1, PROSE))
    }

    /// Each kind beside its name. Titles give way to names where there are too many, the longest list first; they
    /// all stay where even the names alone are more than a screen, but not if all would be more than two.
    fn on_one_screen(&self) -> Block {
        let short =
            |item: &PartSummary| item.name.rsplit('/').next().unwrap_or(&item.name).to_owned();
        let mut parts = Vec::new();
        let ids = self.rulebook.ids().map(|id| self.rulebook.marked(id));
        parts.push(PartList::words("clauses", ids.collect()));
        parts.push(PartList::titled("scenarios", &self.scenarios, short));
        let parameters = self.parameters.iter();
        let parameters = parameters.map(|one| format!("{}={}", one.name, one.default));
        parts.push(PartList::words("parameters", parameters.collect()));
        parts.push(PartList::titled("house rules", &self.house, short));
        parts.push(PartList::titled("agents", &self.agents, short));
        parts.push(PartList::words("", built_in().map(|(word, _)| word.to_owned()).collect()));
        let functions = format!("{} (`--functions` lists them)", self.functions.len());
        parts.push(PartList::words("functions", vec![functions]));
        parts.retain(|part| !part.words.is_empty());
        let open = self
            .scenarios
            .first()
            .map(|first| format!("a scenario is named as in `{}`; ", first.name));
        let mut last =
            vec![format!("{}`--all` shows all of it in tables", open.unwrap_or_default())];
        last.extend(self.rulebook.legend().map(str::to_owned));
        let heading = self.heading();
        Block::laid(move |width| PartList::screen(parts.clone(), &heading, &last, width))
    }
}

/// One kind of things in a system, as printed on one screen.
#[derive(Clone)]
struct PartList {
    name: &'static str,
    words: Vec<String>,
    /// The title of each, if titles are shown.
    titles: Vec<String>,
}

impl PartList {
    /// All parts between the heading and the last lines.
    fn screen(mut parts: Vec<PartList>, heading: &str, last: &[String], width: usize) -> String {
        let last: Vec<String> = last.iter().map(|line| filled(line, width)).collect();
        let heading = wrapped(heading, width);
        let around = heading.lines().count() + last.iter().flat_map(|line| line.lines()).count();
        let drawn = |parts: &[PartList]| -> Vec<String> {
            parts.iter().map(|part| part.drawn(width)).collect()
        };
        let lines = |drawn: &[String]| {
            around + drawn.iter().map(|part| part.lines().count()).sum::<usize>()
        };
        let with_titles = drawn(&parts);
        let mut text = with_titles.clone();
        while lines(&text) > SCREEN {
            let titled = parts.iter_mut().filter(|part| !part.titles.is_empty());
            match titled.max_by_key(|part| part.titles.len()) {
                Some(longest) => longest.titles.clear(),
                None => {
                    if lines(&with_titles) <= 2 * SCREEN {
                        text = with_titles;
                    }
                    break;
                }
            }
            text = drawn(&parts);
        }
        [&[heading], &text[..], &last[..]].concat().join("\n")
    }

    fn words(name: &'static str, words: Vec<String>) -> PartList {
        PartList { name, words, titles: Vec::new() }
    }

    fn titled(
        name: &'static str,
        items: &[PartSummary],
        short: impl Fn(&PartSummary) -> String,
    ) -> PartList {
        let titles = items.iter().map(|item| titled(&item.title, &item.error)).collect();
        let word = |item: &PartSummary| match &item.error {
            Some(_) => format!("{} (error)", short(item)),
            None => short(item),
        };
        PartList { name, words: items.iter().map(word).collect(), titles }
    }

    /// The things beside the name of their kind: each with its title on a line, or one behind the other.
    fn drawn(&self, width: usize) -> String {
        let room = width.saturating_sub(NAMES).max(NARROW);
        let text = if self.titles.is_empty() {
            listed(self.words.iter().map(String::as_str), ", ", room)
        } else {
            let widest = self.words.iter().map(|word| word.chars().count()).max().unwrap_or(0);
            let lines = self.words.iter().zip(&self.titles);
            let line = |(word, title): (&String, &String)| {
                let line = format!("{word:<widest$}  {title}");
                let is_error = word.ends_with(')');
                if is_error { wrapped(line.trim_end(), room) } else { cut(line.trim_end(), room) }
            };
            lines.map(line).collect::<Vec<_>>().join("\n")
        };
        if width < NAMES + NARROW {
            return format!("{}\n{}", self.name, indented(&text, 2)).trim_start().to_owned();
        }
        let text = indented(&text, NAMES);
        format!("{:<NAMES$}{}", self.name, text.trim_start())
    }
}

fn items(items: &[PartSummary]) -> Vec<Vec<String>> {
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
