//! Collects everything that a user can name about one system, or the names of all systems.

use indexmap::IndexMap;
use serde::{Serialize, Serializer};

use crate::agents::{self, built_in};
use crate::catalog::{CAMPAIGN, Catalog, FileKind, Folder, ParamSpec, ParamSpecs, Scenario};
use crate::conflict::{Order, blueprint, compile};
use crate::error::Error;
use crate::game::{Value, brief};
use crate::handbook::{HandbookEntry, of_rules};
use crate::report::{self, Block, Report, Table, cut, filled, indented, reported, wrapped};
use crate::rulebook::{Clause, Rulebook};
use crate::script::{Limits, ONE_OF};

#[derive(Debug, Serialize)]
pub(crate) struct System {
    /// The name of its folder.
    pub name: String,
    /// The title of its rules.
    pub title: Option<String>,
    /// The path of its folder.
    pub path: String,
    /// The clauses of its rules in prose.
    pub clauses: Vec<Clause>,
    #[serde(skip)]
    pub(super) rulebook: Rulebook,
    pub scenarios: Vec<PartSummary>,
    pub campaigns: Vec<PartSummary>,
    pub parameters: Vec<Parameter>,
    /// The house rules.
    pub house: Vec<PartSummary>,
    /// The agents of its own.
    pub agents: Vec<PartSummary>,
    /// The functions of its rules.
    #[serde(serialize_with = "listed")]
    pub functions: Vec<HandbookEntry>,
    /// How many case files it has.
    pub cases: usize,
    /// Why its rules or parameters do not load.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "reported")]
    pub error: Option<Error>,
}

/// A function of the rules, in short.
#[derive(Serialize)]
struct FunctionSummary<'a> {
    name: &'a str,
    /// How it is called: `fewest_first(counts: map, order: list) -> list`.
    signature: &'a str,
    /// The first sentence of its comment.
    comment: String,
    /// The path of the script that defines it.
    file: Option<&'a str>,
    /// The line there, from 1.
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
    Ok(System {
        name: folder.name().to_owned(),
        title: title(folder),
        path: folder.path(),
        clauses: rulebook.clauses(),
        rulebook,
        scenarios: scenarios(folder),
        campaigns: campaigns(folder),
        parameters: parameters(folder).unwrap_or_default(),
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

/// A system in the list of all systems.
#[derive(Debug, Serialize)]
pub(crate) struct Summary {
    /// The name of its folder.
    pub name: String,
    /// The title of its rules.
    pub title: Option<String>,
    /// The path of its folder.
    pub path: String,
    /// How many scenarios it has.
    pub scenarios: usize,
    /// How many campaigns it has.
    pub campaigns: usize,
    /// How many house rules it has.
    pub house: usize,
    /// How many agents it has of its own.
    pub agents: usize,
    /// How many case files it has.
    pub cases: usize,
    /// How many parameters it has; 0 where they do not load.
    pub parameters: usize,
    /// Why it does not load.
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
pub(super) fn title(folder: &Folder) -> Option<String> {
    folder.scripts().ok()?.first()?.title().map(str::to_owned)
}

// Lists the scenarios, house rules, agents and parameters of one system.

/// A scenario, a house rule or an agent: each has a file of its own.
#[derive(Debug, Serialize)]
pub(crate) struct PartSummary {
    /// The word that names it: `war_die/bluff`, `cheap_mana`, `miser`.
    pub name: String,
    pub title: Option<String>,
    /// The first sentence of what a house rule says of itself.
    #[serde(skip)]
    pub about: Option<String>,
    /// Why it does not load.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "reported")]
    pub error: Option<Error>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Parameter {
    pub name: String,
    pub default: Value,
    /// The allowed values, in words.
    pub allowed: String,
    /// Its meaning, in words.
    pub meaning: String,
    /// The clause of the rules that it belongs to.
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

pub(super) fn parameters(folder: &Folder) -> Result<Vec<Parameter>, Error> {
    let specs = ParamSpecs::read(folder.params()?.as_ref())?;
    Ok(specs.iter().map(Parameter::from).collect())
}

pub(super) fn scenarios(folder: &Folder) -> Vec<PartSummary> {
    read(folder, FileKind::Scenario, |name| folder.scenario(name))
}

pub(super) fn campaigns(folder: &Folder) -> Vec<PartSummary> {
    read(folder, FileKind::Campaign, |name| folder.campaign(name))
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
pub(super) fn house(folder: &Folder, limits: &Limits) -> Vec<PartSummary> {
    scripts(folder, FileKind::House, |name| {
        let mut order = Order::default();
        order.house(folder, &[name.to_owned()])?;
        compile(folder, order, limits).map(|_| ())
    })
}

pub(super) fn agents(folder: &Folder, limits: &Limits) -> Vec<PartSummary> {
    // Where the rules have none, that is said of them.
    let rules = blueprint(folder, Order::default(), limits).ok();
    scripts(folder, FileKind::Agent, |name| {
        rules.as_ref().map_or(Ok(()), |rules| agents::check(name, folder, rules))
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
    /// The path of its file.
    pub path: Option<&'a str>,
    /// The name of the rules folder.
    pub system: &'a str,
    /// Its house rules, in order.
    pub house: &'a [String],
    /// The parameters that it changes.
    pub params: &'a IndexMap<String, Value>,
    /// The setup, in the order of the file; of a campaign the conflicts, each with its own.
    pub setup: &'a Value,
    /// The answers after which it begins.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub begin: Vec<String>,
    /// Player or side -> agent.
    pub seats: &'a IndexMap<String, String>,
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
            begin: scenario.begin.entries.iter().map(|entry| format!("{entry:#}")).collect(),
            seats: &scenario.seats,
        }
    }

    /// The values of the setup, each with its dotted key, as `--set` takes it.
    pub(super) fn values(&self) -> Vec<Vec<String>> {
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
    let below = |inner: &str| match key {
        "" => inner.to_owned(),
        _ => format!("{key}.{inner}"),
    };
    match value {
        Value::Map(map) if !map.is_empty() && !map.contains_key(ONE_OF) => {
            map.iter().for_each(|(inner, value)| find_values(value, &below(inner), rows));
        }
        Value::List(items) if items.iter().any(|item| item.as_map().is_some()) => {
            let numbered = items.iter().enumerate();
            numbered.for_each(|(at, value)| find_values(value, &below(&at.to_string()), rows));
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
