//! Formats the listings for people: in short, or as tables below each other.

use super::{PartSummary, ScenarioSummary, Summary, System, SystemList};
use crate::agents::built_in;
use crate::error::Error;
use crate::game::brief;
use crate::handbook::HandbookEntry;
use crate::report::{Block, Report, Table, cut, filled, indented, listed, wrapped};

/// Of more than these only names are listed.
const TITLED: usize = 200;
/// The columns of the names of kinds; and how many there must be beside them.
const NAMES: usize = 13;
const NARROW: usize = 20;
/// The least columns for titles beside names: below them where there are fewer.
const TITLE: usize = 24;
/// The least columns for what functions do, in a table of them.
const PROSE: usize = 30;

/// How much is shown of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Each kind beside its name.
    Short,
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
            let mut row =
                vec![summary.name.clone(), titled(summary.title.as_ref(), &summary.error)];
            row.extend([scenarios, house, agents, cases, parameters].map(ToString::to_string));
            row
        };
        let header =
            ["system", "title", "scenarios", "house rules", "agents", "case files", "parameters"];
        Report::of(self, vec![Block::table(header, self.systems.iter().map(row))])
    }
}

impl System {
    /// The system, in short or in tables; and for programs.
    pub(crate) fn report(&self, detail: Detail) -> Report<'_> {
        let mut blocks = match detail {
            Detail::Short => return Report::of(self, vec![self.beside_names()]),
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
        section(&["house rule", "what it changes"], items(&self.house));
        section(&["agent", "title"], items(&self.agents));
        let built_in = built_in().map(|(word, about)| vec![word.to_owned(), about.to_owned()]);
        section(&["in every system", "what sits there"], built_in.collect());
        if !self.functions.is_empty() {
            blocks.push(self.function_table());
        }
        blocks
    }

    fn heading(&self) -> String {
        format!("{}: {}\n{}", self.name, titled(self.title.as_ref(), &self.error), self.path)
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

    fn beside_names(&self) -> Block {
        let mut parts = Vec::new();
        let ids = self.rulebook.ids().map(|id| self.rulebook.marked(id));
        parts.push(PartList::words("clauses", ids.collect()));
        parts.push(PartList::titled("scenarios", &self.scenarios));
        parts.push(PartList::titled("campaigns", &self.campaigns));
        let parameters = self.parameters.iter();
        let parameters = parameters.map(|one| format!("{}={}", one.name, one.default));
        parts.push(PartList::words("parameters", parameters.collect()));
        parts.push(PartList::titled("house rules", &self.house));
        parts.push(PartList::titled("agents", &self.agents));
        parts.push(PartList::words("", built_in().map(|(word, _)| word.to_owned()).collect()));
        let functions = format!("{} (`--functions` lists them)", self.functions.len());
        parts.push(PartList::words("functions", vec![functions]));
        parts.retain(|part| !part.words.is_empty());
        let named = |first: &PartSummary| format!("`list {}` shows a scenario; ", first.name);
        let open = self.scenarios.first().map(named).unwrap_or_default();
        let mut last = vec![format!("{open}`--all` shows all of it in tables")];
        last.extend(self.rulebook.legend().map(str::to_owned));
        let heading = self.heading();
        Block::laid(move |width| {
            let parts = parts.iter().map(|part| part.drawn(width));
            let last = last.iter().map(|line| filled(line, width));
            let lines = std::iter::once(wrapped(&heading, width)).chain(parts).chain(last);
            lines.collect::<Vec<_>>().join("\n")
        })
    }
}

impl ScenarioSummary<'_> {
    /// The scenario in tables; and for programs.
    pub(crate) fn report(&self) -> Report<'_> {
        let heading = [self.name, ": ", self.title.as_deref().unwrap_or_default()].concat();
        let path = self.path.unwrap_or_default();
        let mut blocks = vec![Block::Code(format!("{heading}\n{path}"))];
        let mut section = |header: [&str; 2], rows: Vec<Vec<String>>| {
            if !rows.is_empty() {
                blocks.push(Block::table(header, rows));
            }
        };
        section(["setup", "value"], self.values());
        let params = self.params.iter();
        section(
            ["parameter", "value"],
            params.map(|(name, value)| vec![name.clone(), value.to_string()]).collect(),
        );
        let house = self.house.iter().enumerate();
        section(
            ["house rule", "laid"],
            house.map(|(at, name)| vec![name.clone(), (at + 1).to_string()]).collect(),
        );
        let begin = (1..).zip(&self.begin);
        section(
            ["answer", "begins after"],
            begin.map(|(at, answer): (u32, _)| vec![at.to_string(), answer.clone()]).collect(),
        );
        let seats = self.seats.iter();
        section(
            ["seat", "agent"],
            seats.map(|(seat, agent)| vec![seat.clone(), agent.clone()]).collect(),
        );
        Report::of(self, blocks)
    }
}

/// One kind of things in a system, as printed beside its name.
#[derive(Clone)]
struct PartList {
    name: &'static str,
    words: Vec<String>,
    titles: Vec<String>,
}

impl PartList {
    fn words(name: &'static str, words: Vec<String>) -> PartList {
        PartList { name, words, titles: Vec::new() }
    }

    /// Each with its title, house rules with what they change.
    fn titled(name: &'static str, items: &[PartSummary]) -> PartList {
        let title =
            |item: &PartSummary| titled(item.about.as_ref().or(item.title.as_ref()), &item.error);
        let titles =
            if items.len() > TITLED { Vec::new() } else { items.iter().map(title).collect() };
        let word = |item: &PartSummary| {
            let short = item.name.rsplit('/').next().unwrap_or(&item.name);
            if item.error.is_some() { format!("{short} (error)") } else { short.to_owned() }
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
                if room < widest + TITLE {
                    return format!("{word}\n{}", indented(&wrapped(title, room - 2), 2));
                }
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
    let title =
        |item: &PartSummary| titled(item.about.as_ref().or(item.title.as_ref()), &item.error);
    items.iter().map(|item| vec![item.name.clone(), title(item)]).collect()
}

fn titled(title: Option<&String>, error: &Option<Error>) -> String {
    match error {
        Some(error) => {
            let at = error.location().map(|at| format!(" ({at})")).unwrap_or_default();
            format!("error: {error}{at}")
        }
        None => title.map(brief).unwrap_or_default(),
    }
}
