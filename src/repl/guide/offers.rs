//! Lists the completion candidates of a kind: scenarios, house rules, players, agents and others.

use clap::builder::PossibleValue;
use clap::{Arg, Command, ValueEnum};

use super::KnownFunctions;
use crate::agents::{BUILT_IN, HUMAN};
use crate::analysis::{GLOSSARY, Meaning};
use crate::catalog::{FileKind, FileText, Folder, ParamSpecs, Scenario};
use crate::conflict::Play;
use crate::game::Value;
use crate::repl::Session;
use crate::repl::commands::{self, CONFIG};
use crate::rulebook::{Clause, Rulebook};

/// The most values of a parameter that are offered.
const VALUES: usize = 64;

/// The source of candidates: the session, and the scenario that the line itself names, if any.
#[derive(Clone, Copy)]
pub(super) struct Offers<'a> {
    pub session: &'a Session,
    /// The functions that lines can call.
    pub known: &'a KnownFunctions,
    /// The scenario that the line names, or the system.
    pub scenario: Option<&'a str>,
}

impl<'a> Offers<'a> {
    /// The same for a line that names this scenario.
    pub(super) fn about(self, scenario: Option<&'a str>) -> Offers<'a> {
        Offers { scenario, ..self }
    }

    pub(super) fn values(&self, argument: &Arg, typed: &str) -> Vec<Suggestion> {
        let possible = argument.get_possible_values();
        if possible.is_empty() {
            return Completes::of(argument).map_or_else(Vec::new, |kind| self.of(kind, typed));
        }
        let begun = possible.iter().filter(|value| value.get_name().starts_with(typed));
        let help = |value: &PossibleValue| value.get_help().map(ToString::to_string);
        begun.map(|one| Suggestion::noted(one.get_name(), help(one).unwrap_or_default())).collect()
    }

    pub(super) fn of(&self, kind: Completes, typed: &str) -> Vec<Suggestion> {
        let mut all = match kind {
            Completes::Scenario => self.scenarios(typed),
            Completes::System | Completes::Editable if typed.contains('/') => self.scenarios(typed),
            Completes::System => self.systems(),
            Completes::Targets => or_files(self.systems(), typed),
            Completes::Tested => match self.session.play {
                Some(_) => or_files(self.house(), typed),
                None => or_files(self.systems(), typed),
            },
            Completes::Documented => self.documented(),
            Completes::Editable => [self.functions(), self.systems()].concat(),
            Completes::Function => self.functions(),
            Completes::Clause => self.clauses(),
            Completes::House => self.house(),
            Completes::Params | Completes::Vary => self.params(typed),
            Completes::VaryHouse => listed(typed, self.house()),
            Completes::Variants => {
                let last = typed.rsplit(',').next().unwrap_or_default();
                listed(typed, [self.house(), self.params(last)].concat())
            }
            Completes::Want | Completes::Measures => wishes(),
            Completes::Set => self.setup(),
            Completes::Seats => self.seats(typed),
            Completes::Player => self.players().into_iter().map(Suggestion::plain).collect(),
            Completes::Agent => {
                let mut agents = self.agents();
                agents.retain(|agent| agent.text != HUMAN);
                or_files(agents, typed)
            }
            Completes::Answerer => or_files(self.agents(), typed),
            Completes::Fork => self.forks(),
            Completes::Command => self.commands(),
            Completes::Topic => {
                [self.commands(), vec![Suggestion::noted(CONFIG, "The files of settings.")]]
                    .concat()
            }
            Completes::File => files_beginning(typed),
        };
        all.retain(|candidate| candidate.text.starts_with(typed));
        all
    }

    fn scenarios(&self, typed: &str) -> Vec<Suggestion> {
        let of = |folder: &Folder| {
            let mut names = folder.names(FileKind::Scenario);
            names.extend(folder.names(FileKind::Campaign));
            let full = |name: String| format!("{}/{name}", folder.name());
            names.into_iter().map(full).collect::<Vec<_>>()
        };
        let names = self.session.catalog.folders().flat_map(of);
        or_files(names.map(Suggestion::plain).collect(), typed)
    }

    fn systems(&self) -> Vec<Suggestion> {
        self.session.catalog.systems().map(Suggestion::plain).collect()
    }

    fn documented(&self) -> Vec<Suggestion> {
        let own = self.session.lab.functions().into_iter().map(|entry| entry.name);
        let variables = self.session.lab.variables().map(str::to_owned);
        let names = own.chain(variables).chain(self.known.documented.iter().cloned());
        let mut all: Vec<Suggestion> = names.map(Suggestion::plain).collect();
        all.extend(self.functions());
        all.extend(self.systems());
        all.sort_by(|a, b| a.text.cmp(&b.text));
        all
    }

    fn functions(&self) -> Vec<Suggestion> {
        let own = self.session.lab.functions().into_iter().map(|entry| entry.name);
        let open = self.session.play.iter();
        let defined = open.flat_map(|play| play.conflict.rules.definitions());
        let mut names: Vec<String> = defined.map(|one| one.name).chain(own).collect();
        names.sort();
        names.into_iter().map(Suggestion::plain).collect()
    }

    fn clauses(&self) -> Vec<Suggestion> {
        let folder = self.session.play.as_ref().map(|play| &play.conflict.folder);
        let Some(Ok(book)) = folder.map(Rulebook::of) else { return Vec::new() };
        let noted = |clause: Clause| Suggestion::noted(clause.id, clause.text);
        let words: Vec<Suggestion> = book.words().map(Suggestion::plain).collect();
        book.clauses().into_iter().map(noted).chain(words).collect()
    }

    /// The rules folder that the line is about, else that of the open conflict.
    fn folder(&self) -> Option<Folder> {
        let catalog = &self.session.catalog;
        match (self.scenario, self.named()) {
            (_, Some(scenario)) => catalog.folder(scenario.first_system()).ok().cloned(),
            (Some(system), None) => catalog.folder(system).ok().cloned(),
            (None, None) => self.session.play.as_ref().map(|play| play.conflict.folder.clone()),
        }
    }

    fn named(&self) -> Option<Scenario> {
        self.scenario.and_then(|name| self.session.catalog.scenario(name).ok())
    }

    fn house(&self) -> Vec<Suggestion> {
        let Some(folder) = self.folder() else { return Vec::new() };
        let noted = |name: String| {
            let text = folder.find(FileKind::House, &name).ok();
            let title = text.as_ref().and_then(FileText::title).unwrap_or_default().to_owned();
            Suggestion::noted(name, title)
        };
        folder.names(FileKind::House).into_iter().map(noted).collect()
    }

    fn params(&self, typed: &str) -> Vec<Suggestion> {
        let text = self.folder().and_then(|folder| folder.params().ok().flatten());
        let Ok(specs) = ParamSpecs::read(text.as_ref()) else { return Vec::new() };
        let Some((name, _)) = typed.split_once('=') else {
            let noted = |spec: &crate::catalog::ParamSpec| {
                Suggestion::noted(format!("{}=", spec.name), spec.meaning.clone())
            };
            return specs.iter().map(noted).collect();
        };
        let values = specs.get(name).and_then(|spec| spec.all());
        let valued = |value: Value| Suggestion {
            text: format!("{name}={value}"),
            shown: value.to_string(),
            note: String::new(),
        };
        values.into_iter().flatten().take(VALUES).map(valued).collect()
    }

    /// The keys of the setup of the scenario that the line names, else of the open conflict.
    fn setup(&self) -> Vec<Suggestion> {
        fn keys(value: &Value, path: &str, all: &mut Vec<Suggestion>) {
            let Value::Map(inner) = value else {
                all.push(Suggestion::noted(format!("{path}="), value.to_string()));
                return;
            };
            for (key, value) in inner {
                let dot = if path.is_empty() { "" } else { "." };
                keys(value, &format!("{path}{dot}{key}"), all);
            }
        }
        let open = self.session.play.as_ref().map(|play| play.conflict.scenario.clone());
        let mut all = Vec::new();
        if let Some(scenario) = self.named().or(open) {
            keys(&scenario.setup, "", &mut all);
        }
        all
    }

    fn seats(&self, typed: &str) -> Vec<Suggestion> {
        let Some((seat, _)) = typed.split_once('=') else {
            let seats = self.players().into_iter();
            return seats.map(|seat| Suggestion::plain(format!("{seat}="))).collect();
        };
        let seated =
            |agent: Suggestion| Suggestion { text: format!("{seat}={}", agent.text), ..agent };
        self.agents().into_iter().map(seated).collect()
    }

    /// The players and sides of the open conflict; of another scenario, those it seats.
    fn players(&self) -> Vec<String> {
        let open =
            self.session.play.as_ref().filter(|play| {
                self.scenario.is_none_or(|name| play.conflict.scenario.name == name)
            });
        let of = |play: &Play| {
            let sides = play.players.sides.keys();
            play.players.names.iter().chain(sides).cloned().collect::<Vec<_>>()
        };
        match (open, self.named()) {
            (Some(play), _) => of(play),
            (None, Some(scenario)) => scenario.seats.keys().cloned().collect(),
            (None, None) => Vec::new(),
        }
    }

    fn agents(&self) -> Vec<Suggestion> {
        let built_in = BUILT_IN.into_iter().map(|(word, about)| Suggestion::noted(word, about));
        let own = self.folder().map(|folder| folder.names(FileKind::Agent)).unwrap_or_default();
        let own = own.into_iter().map(|name| Suggestion::noted(name, "an agent of the system"));
        built_in.chain(own).collect()
    }

    fn forks(&self) -> Vec<Suggestion> {
        let lines = self.session.play.iter().flat_map(|play| play.lines());
        lines.map(|(name, ..)| Suggestion::plain(name)).collect()
    }

    fn commands(&self) -> Vec<Suggestion> {
        let noted = |command: &Command| {
            let about = command.get_about().map(ToString::to_string);
            Suggestion::noted(command.get_name(), about.unwrap_or_default())
        };
        commands::all().map(noted).collect()
    }
}

/// The measures that can be wanted, each with what it means.
fn wishes() -> Vec<Suggestion> {
    let is_one = |one: &&Meaning| !one.name.ends_with(|letter: char| letter.is_ascii_uppercase());
    let noted = |one: &Meaning| Suggestion::noted(one.name, one.meaning);
    let fairness = Suggestion::noted("fairness", "How far the seats' utilities are apart.");
    let measures = GLOSSARY.iter().filter(is_one).filter(|one| one.name != "clauses").map(noted);
    std::iter::once(fairness).chain(measures).collect()
}

/// Candidates behind the last comma of a list, without those that are there already.
fn listed(typed: &str, mut all: Vec<Suggestion>) -> Vec<Suggestion> {
    let Some((before, _)) = typed.rsplit_once(',') else { return all };
    all.retain(|one| before.split(',').all(|word| word != one.text));
    let behind = |one: Suggestion| Suggestion { text: format!("{before},{}", one.text), ..one };
    all.into_iter().map(behind).collect()
}

/// What a word can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Completes {
    /// `system/name` of a scenario, or the path of a TOML file.
    Scenario,
    System,
    /// Systems, or files that are checked.
    Targets,
    /// House rules of the open conflict, else systems; or files with cases.
    Tested,
    /// Any entry of the handbook: a function, a family, a system.
    Documented,
    Editable,
    Function,
    /// A clause of the open rules, or a word that they explain.
    Clause,
    /// A house rule that fits the scenario: of the conflict to be opened, else of the open one.
    House,
    /// A parameter, with `=` behind it.
    #[value(alias = "parameters")]
    Params,
    /// A parameter to vary, with `=` and a value behind it.
    Vary,
    /// House rules that fit the scenario, with `,` between them.
    VaryHouse,
    /// House rules and parameters, with `,` between them.
    Variants,
    Want,
    Measures,
    /// A key of the setup, with `=` behind it.
    Set,
    /// A player or a side, with `=` and an agent behind it.
    Seats,
    /// A player or a side of the open conflict.
    #[value(aliases = ["of", "balance"])]
    Player,
    Agent,
    /// An agent, or a person.
    Answerer,
    Fork,
    Command,
    /// A command, or what else the help explains.
    Topic,
    File,
}

impl Completes {
    /// The kind of an argument's values, if it is known.
    pub(super) fn of(argument: &Arg) -> Option<Completes> {
        Completes::from_str(argument.get_id().as_str(), false).ok()
    }

    /// Whether it may name a scenario or a system, whose house rules the others are.
    pub(super) fn has_rules(self) -> bool {
        use Completes::{Documented, Scenario, System, Targets};
        matches!(self, Scenario | System | Targets | Documented)
    }
}

/// The most entries that are read of a folder.
const MOST: usize = 2_000;

/// A path is meant where no name begins as it is typed.
fn or_files(names: Vec<Suggestion>, typed: &str) -> Vec<Suggestion> {
    match names.iter().any(|name| name.text.starts_with(typed)) {
        true => names,
        false => files_beginning(typed),
    }
}

/// The files and folders whose paths begin so, sorted; a folder ends in `/`. Hidden ones are
/// included only if a dot was typed.
pub(super) fn files_beginning(typed: &str) -> Vec<Suggestion> {
    let (folder, name) = match typed.rfind('/') {
        Some(at) => typed.split_at(at + 1),
        None => ("", typed),
    };
    let Ok(entries) = std::fs::read_dir(if folder.is_empty() { "." } else { folder }) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for entry in entries.flatten().take(MOST) {
        let Ok(file) = entry.file_name().into_string() else { continue };
        if !file.starts_with(name) || (file.starts_with('.') && !name.starts_with('.')) {
            continue;
        }
        let end = if entry.path().is_dir() { "/" } else { "" };
        let shown = format!("{file}{end}");
        let text = format!("{folder}{shown}");
        found.push(Suggestion { text, shown, note: String::new() });
    }
    found.sort_by(|a, b| a.text.cmp(&b.text));
    found
}

/// One completion of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The whole word, with what follows it at once: `roll(`, `mana_value=`.
    pub text: String,
    /// The text that people see.
    pub shown: String,
    /// A short description; may be empty.
    pub note: String,
}

/// All completions of a word, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// The start of the word in the line, in bytes.
    pub start: usize,
    /// The completions of the word.
    pub candidates: Vec<Suggestion>,
}

impl Suggestion {
    /// A candidate without a description.
    pub fn plain(text: impl Into<String>) -> Suggestion {
        Suggestion::noted(text, "")
    }

    /// A candidate with a description.
    pub fn noted(text: impl Into<String>, note: impl Into<String>) -> Suggestion {
        let text = text.into();
        let shown = text.trim_end_matches([' ', '(', '=']).to_owned();
        Suggestion { text, shown, note: note.into() }
    }
}

impl Completion {
    /// The candidates of a word that begins at `start`, each once.
    pub fn new(start: usize, candidates: impl IntoIterator<Item = Suggestion>) -> Completion {
        let mut once: Vec<Suggestion> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for candidate in candidates {
            if seen.insert(candidate.text.clone()) {
                once.push(candidate);
            }
        }
        Completion { start, candidates: once }
    }

    /// The text that can be inserted at once: the common beginning of all candidates, or the typed
    /// word if that beginning is no longer.
    pub fn common(&self, typed: &str) -> String {
        let mut words = self.candidates.iter().map(|candidate| candidate.text.as_str());
        let Some(first) = words.next() else { return typed.to_owned() };
        let common = words.fold(first, |common, word| {
            let same = common.char_indices().zip(word.chars());
            let differs = same.into_iter().find(|((_, a), b)| a != b);
            let most = common.len().min(word.len());
            &common[..differs.map_or(most, |((at, _), _)| at)]
        });
        // Letters may have been typed in another case.
        let longer = common.chars().count() > typed.chars().count();
        if longer || self.candidates.len() == 1 { common.to_owned() } else { typed.to_owned() }
    }
}
