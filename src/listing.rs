//! Lists all systems, everything that a user can name in one system, or a scenario, as text or JSON. Entries that do
//! not load are listed with their error.

use std::fmt::Display;

use indexmap::IndexMap;
use serde::{Serialize, Serializer};

use crate::agents::{AgentSpec, BUILT_IN};
use crate::catalog::{
    CAMPAIGN, Catalog, Chapter, FileKind, Folder, ParamSpec, ParamSpecs, Scenario, below,
};
use crate::conflict::{Order, blueprint, compile};
use crate::error::Error;
use crate::game::{Value, brief};
use crate::handbook::{HandbookEntry, of_rules};
use crate::report::{self, Block, Report, Table, cut, filled, indented, reported, wrapped};
use crate::rulebook::{Clause, Rulebook};
use crate::script::{Limits, ONE_OF};

#[derive(Debug, Serialize)]
pub(crate) struct System {
    pub name: String,
    pub title: Option<String>,
    pub path: String,
    pub clauses: Vec<Clause>,
    #[serde(skip)]
    rulebook: Rulebook,
    pub scenarios: Vec<PartSummary>,
    pub campaigns: Vec<PartSummary>,
    pub parameters: Vec<Parameter>,
    pub house: Vec<PartSummary>,
    pub agents: Vec<PartSummary>,
    #[serde(serialize_with = "listed")]
    pub functions: Vec<HandbookEntry>,
    pub cases: usize,
    /// Why its rules or parameters do not load.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "reported")]
    pub error: Option<Error>,
}

#[derive(Serialize)]
struct FunctionSummary<'a> {
    name: &'a str,
    signature: &'a str,
    comment: String,
    file: Option<&'a str>,
    line: Option<usize>,
}

fn listed<S: Serializer>(functions: &[HandbookEntry], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(functions.iter().map(|function| FunctionSummary {
        name: &function.name,
        signature: &function.signature,
        comment: function.summary(),
        file: function.at.as_ref().map(|at| at.file.as_str()),
        line: function.at.as_ref().map(|at| at.line),
    }))
}

/// Everything in a system; parts that do not load carry their error.
pub(crate) fn system(catalog: &Catalog, name: &str, limits: &Limits) -> Result<System, Error> {
    let folder = catalog.folder(name)?;
    let (functions, error) = match compile(folder, Order::default(), limits) {
        Ok(rules) => (of_rules(&rules), None),
        Err(error) => (Vec::new(), Some(error)),
    };
    // What is wrong with the rules is wrong with every house rule over them: it is reported once.
    let mut house = house(folder, limits);
    if error.is_some() {
        house.iter_mut().for_each(|item| item.error = None);
    }
    let rulebook = Rulebook::of(folder).unwrap_or_default();
    let specs = folder.params().and_then(|text| ParamSpecs::read(text.as_ref()));
    Ok(System {
        name: folder.name().to_owned(),
        title: title(folder),
        path: folder.path(),
        clauses: rulebook.clauses(),
        rulebook,
        scenarios: read(folder, FileKind::Scenario, |name| folder.scenario(name)),
        campaigns: read(folder, FileKind::Campaign, |name| folder.campaign(name)),
        parameters: specs.unwrap_or_default().iter().map(Parameter::from).collect(),
        house,
        agents: agents(folder, limits),
        functions,
        cases: folder.names(FileKind::Case).len(),
        error,
    })
}

#[derive(Debug, Serialize)]
pub(crate) struct SystemList {
    pub systems: Vec<Summary>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Summary {
    pub name: String,
    pub title: Option<String>,
    pub path: String,
    pub scenarios: usize,
    pub campaigns: usize,
    pub house: usize,
    pub agents: usize,
    pub cases: usize,
    /// 0 where they do not load.
    pub parameters: usize,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "reported")]
    pub error: Option<Error>,
}

pub(crate) fn systems(catalog: &Catalog, limits: &Limits) -> SystemList {
    SystemList { systems: catalog.folders().map(|folder| summary(folder, limits)).collect() }
}

fn summary(folder: &Folder, limits: &Limits) -> Summary {
    let parameters = folder.params().and_then(|text| ParamSpecs::read(text.as_ref()));
    let count = |kind| folder.names(kind).len();
    Summary {
        name: folder.name().to_owned(),
        title: title(folder),
        path: folder.path(),
        scenarios: count(FileKind::Scenario),
        campaigns: count(FileKind::Campaign),
        house: count(FileKind::House),
        agents: count(FileKind::Agent),
        cases: count(FileKind::Case),
        parameters: parameters.map(|specs| specs.iter().count()).unwrap_or_default(),
        error: compile(folder, Order::default(), limits).err(),
    }
}

/// The title of the rules of a folder, whether they compile or not.
fn title(folder: &Folder) -> Option<String> {
    folder.scripts().ok()?.first()?.title().map(str::to_owned)
}

/// A scenario, a house rule or an agent: each has a file of its own.
#[derive(Debug, Serialize)]
pub(crate) struct PartSummary {
    /// The word that names it: `war_die/bluff`, `cheap_mana`, `miser`.
    pub name: String,
    pub title: Option<String>,
    /// The first sentence of what a house rule says of itself.
    #[serde(skip)]
    pub about: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "reported")]
    pub error: Option<Error>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Parameter {
    pub name: String,
    pub default: Value,
    pub allowed: String,
    pub meaning: String,
    pub clause: Option<String>,
}

impl From<&ParamSpec> for Parameter {
    fn from(spec: &ParamSpec) -> Parameter {
        Parameter {
            name: spec.name.clone(),
            default: spec.default.clone(),
            allowed: spec.allowed(),
            meaning: spec.meaning.clone(),
            clause: spec.clause.clone(),
        }
    }
}

fn read(
    folder: &Folder,
    kind: FileKind,
    read: impl Fn(&str) -> Result<Scenario, Error>,
) -> Vec<PartSummary> {
    let item = |name: &String| {
        let (title, error) = match read(name) {
            Ok(scenario) => (scenario.title, None),
            Err(error) => (None, Some(error)),
        };
        PartSummary { name: format!("{}/{name}", folder.name()), title, about: None, error }
    };
    folder.names(kind).iter().map(item).collect()
}

/// The house rules of a folder, each compiled over the rules alone.
fn house(folder: &Folder, limits: &Limits) -> Vec<PartSummary> {
    scripts(folder, FileKind::House, |name| {
        compile(folder, Order::of_house(folder, &[name.to_owned()])?, limits).map(|_| ())
    })
}

fn agents(folder: &Folder, limits: &Limits) -> Vec<PartSummary> {
    // Where the rules have none, that is said of them.
    let rules = blueprint(folder, Order::default(), limits).ok();
    scripts(folder, FileKind::Agent, |name| {
        let Some(rules) = &rules else { return Ok(()) };
        AgentSpec::read(name, folder)?.check(rules)
    })
}

fn scripts(
    folder: &Folder,
    kind: FileKind,
    load: impl Fn(&str) -> Result<(), Error>,
) -> Vec<PartSummary> {
    let item = |name: &String| {
        let text = folder.find(kind, name).ok();
        let title = text.as_ref().and_then(|text| text.title()).map(str::to_owned);
        let about = text.filter(|_| kind == FileKind::House).map(|text| text.about());
        PartSummary { name: name.clone(), title, about, error: load(name).err() }
    };
    folder.names(kind).iter().map(item).collect()
}

#[derive(Debug, Serialize)]
pub(crate) struct ScenarioSummary<'a> {
    /// `system/name`, or the path of its file.
    pub name: &'a str,
    pub title: &'a Option<String>,
    pub path: Option<&'a str>,
    pub system: &'a str,
    pub house: &'a [String],
    pub params: &'a IndexMap<String, Value>,
    /// The setup, in the order of the file; of a campaign the conflicts, each with its own.
    pub setup: &'a Value,
    /// The conflicts of a campaign.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<ConflictSummary<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub begin: Vec<String>,
    pub seats: &'a IndexMap<String, String>,
}

/// A conflict of a campaign: by which rules it is played, and what makes its setup.
#[derive(Debug, Serialize)]
pub(crate) struct ConflictSummary<'a> {
    pub name: &'a str,
    pub scenario: &'a str,
    /// Those of its scenario, and over them those of the campaign.
    pub house: Vec<&'a str>,
    pub params: IndexMap<&'a str, &'a Value>,
    pub begin: Option<&'a str>,
}

impl ConflictSummary<'_> {
    fn of(chapter: &Chapter) -> ConflictSummary<'_> {
        let Chapter { name, scenario, house, params, begin } = chapter;
        let params = scenario.params.iter().chain(params);
        ConflictSummary {
            name,
            scenario: &scenario.name,
            house: scenario.house.iter().chain(house).map(String::as_str).collect(),
            params: params.map(|(name, value)| (name.as_str(), value)).collect(),
            begin: begin.as_deref(),
        }
    }

    fn row(&self) -> Vec<String> {
        let params = self.params.iter().map(|(name, value)| format!("{name}={value}"));
        vec![
            self.name.to_owned(),
            self.scenario.to_owned(),
            self.house.join(", "),
            params.collect::<Vec<_>>().join(", "),
            self.begin.unwrap_or_default().to_owned(),
        ]
    }
}

impl ScenarioSummary<'_> {
    pub(crate) fn of(scenario: &Scenario) -> ScenarioSummary<'_> {
        ScenarioSummary {
            name: &scenario.name,
            title: &scenario.title,
            path: scenario.document.as_ref().map(|document| document.path.as_str()),
            system: &scenario.system,
            house: &scenario.house,
            params: &scenario.params,
            setup: &scenario.setup,
            conflicts: scenario
                .campaign
                .iter()
                .flat_map(|campaign| &campaign.chapters)
                .map(ConflictSummary::of)
                .collect(),
            begin: scenario.begin.entries.iter().map(|entry| format!("{entry:#}")).collect(),
            seats: &scenario.seats,
        }
    }

    /// The values of the setup, each with its dotted key, as `--set` takes it.
    fn values(&self) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        if self.system != CAMPAIGN {
            find_values(self.setup, "", &mut rows);
            return rows;
        }
        let conflicts = self.setup.get("conflicts").and_then(Value::as_list);
        for conflict in conflicts.unwrap_or_default() {
            let name = conflict.get("name").and_then(Value::as_text);
            if let (Some(name), Some(setup)) = (name, conflict.get("setup")) {
                find_values(setup, name, &mut rows);
            }
        }
        rows
    }
}

/// The values that hold no tables, but for those that are drawn.
fn find_values(value: &Value, key: &str, rows: &mut Vec<Vec<String>>) {
    match value {
        Value::Map(map) if !map.is_empty() && !map.contains_key(ONE_OF) => {
            map.iter().for_each(|(inner, value)| find_values(value, &below(key, inner), rows));
        }
        Value::List(items) if items.iter().any(|item| item.as_map().is_some()) => {
            let numbered = items.iter().enumerate();
            numbered.for_each(|(at, value)| find_values(value, &below(key, &at.to_string()), rows));
        }
        _ if key.is_empty() => {}
        _ => rows.push(vec![key.to_owned(), value.to_string()]),
    }
}

/// Of more than these only names are listed.
const TITLED: usize = 200;
/// The columns of the names of kinds; and how many there must be beside them.
const NAMES: usize = 13;
const NARROW: usize = 20;
/// The least columns for titles beside names: below them where there are fewer.
const TITLE: usize = 24;
/// The least columns for what functions do, in a table of them.
const PROSE: usize = 30;

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
    pub(crate) fn report(&self) -> Report<'_> {
        let row = |summary: &Summary| {
            let Summary { scenarios, house, agents, cases, parameters, .. } = summary;
            let mut title = titled(summary.title.as_ref(), &None);
            if summary.error.is_some() {
                title = format!("{title} (error)").trim_start().to_owned();
            }
            let mut row = vec![summary.name.clone(), title];
            row.extend([scenarios, house, agents, cases, parameters].map(ToString::to_string));
            row
        };
        let header =
            ["system", "title", "scenarios", "house rules", "agents", "case files", "parameters"];
        let mut blocks = vec![Block::table(header, self.systems.iter().map(row))];
        // A place is a long word, for which a column has no room.
        let failed = self.systems.iter().filter(|summary| summary.error.is_some());
        blocks.extend(failed.map(|summary| {
            Block::sentence(format!("{}: {}", summary.name, titled(None, &summary.error)))
        }));
        Report::of(self, blocks)
    }
}

impl System {
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
        let mut blocks = vec![Block::Sentence(self.heading())];
        let mut section = |header: &[&str], rows: Vec<Vec<String>>| {
            if !rows.is_empty() {
                blocks.push(Block::table(header.iter().copied(), rows));
            }
        };
        section(&["scenario", "title"], items(&self.scenarios));
        section(&["campaign", "title"], items(&self.campaigns));
        let parameters = self.parameters.iter().map(|one| {
            let clause = self.rulebook.marked(one.clause.as_deref().unwrap_or_default());
            let (allowed, meaning) = (one.allowed.clone(), one.meaning.clone());
            vec![one.name.clone(), one.default.to_string(), allowed, meaning, clause]
        });
        let header = ["parameter", "default", "allowed", "meaning", "clause"];
        section(&header, parameters.collect());
        section(&["house rule", "what it changes"], items(&self.house));
        section(&["agent", "title"], items(&self.agents));
        let built_in = BUILT_IN.map(|(word, about)| vec![word.to_owned(), about.to_owned()]);
        section(&["in every system", "what sits there"], built_in.into());
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
        let ids = self.rulebook.ids().map(|id| self.rulebook.marked(id));
        let parameters = self.parameters.iter();
        let parameters = parameters.map(|one| format!("{}={}", one.name, one.default));
        let functions = format!("{} (`--functions` lists them)", self.functions.len());
        let mut parts = vec![
            PartList::words("clauses", ids.collect()),
            PartList::titled("scenarios", &self.scenarios),
            PartList::titled("campaigns", &self.campaigns),
            PartList::words("parameters", parameters.collect()),
            PartList::titled("house rules", &self.house),
            PartList::titled("agents", &self.agents),
            PartList::words("", BUILT_IN.map(|(word, _)| word.to_owned()).into()),
            PartList::words("functions", vec![functions]),
        ];
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
    pub(crate) fn report(&self) -> Report<'_> {
        let heading = [self.name, ": ", self.title.as_deref().unwrap_or_default()].concat();
        let path = self.path.unwrap_or_default();
        let mut blocks = vec![Block::Sentence(format!("{heading}\n{path}"))];
        let row = |one: &dyn Display, other: &dyn Display| vec![one.to_string(), other.to_string()];
        let begin = self.begin.iter().enumerate();
        let sections: [([&str; 2], Vec<Vec<String>>); 5] = [
            (["setup", "value"], self.values()),
            (["parameter", "value"], self.params.iter().map(|(one, is)| row(one, is)).collect()),
            (
                ["house rule", "laid"],
                self.house.iter().enumerate().map(|(at, one)| row(one, &(at + 1))).collect(),
            ),
            (["answer", "begins after"], begin.map(|(at, one)| row(&(at + 1), one)).collect()),
            (["seat", "agent"], self.seats.iter().map(|(seat, one)| row(seat, one)).collect()),
        ];
        if !self.conflicts.is_empty() {
            let header = ["conflict", "scenario", "house rules", "parameters", "begin"];
            let rows: Vec<Vec<String>> = self.conflicts.iter().map(ConflictSummary::row).collect();
            blocks.push(Block::table(header, rows));
        }
        let sections = sections.into_iter().filter(|(_, rows)| !rows.is_empty());
        blocks.extend(sections.map(|(header, rows)| Block::table(header, rows)));
        Report::of(self, blocks)
    }
}

/// One kind of things in a system, as printed beside its name.
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
        let titled = items.iter().filter(|_| items.len() <= TITLED);
        let titles = titled.map(PartSummary::titled).collect();
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
            report::listed(self.words.iter().map(String::as_str), ", ", room)
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
    items.iter().map(|item| vec![item.name.clone(), item.titled()]).collect()
}

impl PartSummary {
    /// What it says of itself, its title, or its error.
    fn titled(&self) -> String {
        titled(self.about.as_ref().or(self.title.as_ref()), &self.error)
    }
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
