//! The spec of a tournament: a TOML file, or the same map from a script of the lab. `fracas doc spec` lists its keys.

pub(crate) mod keys;
mod reader;

use std::path::{Path, PathBuf};

use indexmap::IndexMap;

use super::Lineup;
use crate::agents::AgentCommand;
use crate::catalog::{
    Document, DocumentTable, FileText, PROGRAM, REFUSED_PROGRAM, names_program, own,
};
use crate::conflict::as_toml;
use crate::error::Error;
use crate::game::Value;

/// A tournament to be held.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// What it is called.
    pub title: Option<String>,
    /// The scenarios, by name or path.
    pub scenarios: Vec<String>,
    /// The agents, by the words that name them; no two the same.
    pub agents: Vec<String>,
    /// Those of them that are programs, by their names.
    pub programs: IndexMap<String, SpecProgram>,
    /// Who meets whom.
    pub format: FormatName,
    /// The games for each pairing and scenario.
    pub games: u64,
    /// The rounds of formats that have a number of them.
    pub rounds: Option<u64>,
    /// The house rules, laid in order.
    pub house: Vec<String>,
    /// The seed of chance.
    pub seed: u64,
    /// Whether pairings that are small enough are computed, not played.
    pub exact: bool,
    /// When enough is known.
    pub stop: StopRule,
    /// The agent whose rating is held, by its index, and the rating in Elo points.
    pub anchor: Option<(usize, f64)>,
    /// What ends games before their own end.
    pub adjudicate: Option<Adjudication>,
    /// The folder of the spec's file, where scenarios and scripts given by path are looked for
    /// first; no part of the spec's text and digest.
    pub folder: Option<PathBuf>,
}

/// What ends games before their own end, and with which utilities.
#[derive(Clone, Debug, PartialEq)]
pub struct Adjudication {
    /// A game ends after this many questions, of players and of chance.
    pub questions: Option<u64>,
    /// The utility of each seat then; without it, what it can expect.
    pub draw: Option<f64>,
    /// A game ends where a seat can expect as much, or as little as its negative: each has what it can expect.
    pub beyond: Option<f64>,
    /// That must be so, the same way, after as many decisions of the seat in a row.
    pub decisions: u64,
    /// What can be expected is the mean of this many playouts.
    pub playouts: u64,
    /// Who plays on in them, for all seats; those who play the game, if nobody is named.
    pub agent: Option<String>,
}

/// A program that plays in a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecProgram {
    /// The program and its arguments, in a line.
    pub command: String,
    /// How many milliseconds it has for an answer, where the spec says.
    pub ms: Option<u64>,
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatName {
    /// All meet all.
    RoundRobin,
    /// Rounds between those with like scores.
    Swiss,
    /// Who loses a match is out.
    Knockout,
    /// The first agent meets all others.
    Gauntlet,
    /// Every agent meets every other one and itself, in all seats.
    EveryLineup,
}

impl FormatName {
    /// All formats.
    pub const ALL: [FormatName; 5] = [
        FormatName::RoundRobin,
        FormatName::Swiss,
        FormatName::Knockout,
        FormatName::Gauntlet,
        FormatName::EveryLineup,
    ];

    /// The word in a spec.
    pub fn word(self) -> &'static str {
        match self {
            FormatName::RoundRobin => "round_robin",
            FormatName::Swiss => "swiss",
            FormatName::Knockout => "knockout",
            FormatName::Gauntlet => "gauntlet",
            FormatName::EveryLineup => "every_lineup",
        }
    }
}

/// When enough is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StopRule {
    /// Stop when every rating's 95 % half-width is below this many Elo points.
    pub within: Option<f64>,
    /// Stop when one of two hypotheses is accepted; for two agents.
    pub(crate) sprt: Option<SprtBounds>,
}

/// The hypotheses of a sequential probability ratio test, and the errors it may make.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SprtBounds {
    /// The first agent is this many Elo points better than the second, or fewer.
    pub elo0: f64,
    /// The first agent is this many Elo points better than the second, or more.
    pub elo1: f64,
    /// The probability to accept `elo1` where `elo0` holds.
    pub(crate) alpha: f64,
    /// The probability to accept `elo0` where `elo1` holds.
    pub(crate) beta: f64,
}

impl Spec {
    /// Reads a spec from its file.
    pub fn read(path: &Path) -> Result<Spec, Error> {
        Spec::parse(FileText::read(path)?)
    }

    /// Reads a spec from the text of its file.
    ///
    /// # Errors
    /// [`Error::Toml`] with its place: syntax, an unknown key, a wrong kind, a number out of its
    /// range, an agent that is listed twice, a rule that the format has no use for.
    pub fn parse(text: FileText) -> Result<Spec, Error> {
        let document = Document::parse(text)?;
        let root = DocumentTable::root(&document)?;
        let mut spec = reader::read(&root)?;
        spec.folder = Path::new(&document.path).parent().map(Path::to_owned);
        let folder = spec.folder.as_deref().unwrap_or(Path::new(""));
        let rest: Vec<String> = spec.adjudicate.iter().filter_map(|by| by.agent.clone()).collect();
        for (key, words) in [
            ("scenarios", &spec.scenarios),
            ("agents", &spec.agents),
            ("house", &spec.house),
            ("adjudicate.agent", &rest),
        ] {
            for (number, word) in words.iter().enumerate() {
                if key.contains("agent") && spec.programs.contains_key(word) {
                    continue;
                }
                let numbered = || format!("{key}.{number}");
                let place = if key.contains('.') { key.to_owned() } else { numbered() };
                own(folder, word).map_err(|why| root.wrong(&place, &why))?;
            }
        }
        Ok(spec)
    }

    /// Reads a spec from a map that a script made, which may name no program.
    pub fn from_value(value: &Value) -> Result<Spec, Error> {
        match value {
            Value::Map(entries) => {
                let spec = reader::read(&DocumentTable::of_map(entries))?;
                match spec.programs.first() {
                    Some((name, _)) => {
                        Err(Error::usage(format!("agent `{name}` {REFUSED_PROGRAM}")))
                    }
                    None => Ok(spec),
                }
            }
            other => {
                Err(Error::usage(format!("a tournament must be a table, got {}", other.kind())))
            }
        }
    }

    /// Takes agents that are programs by their words, as a person named them at the prompt.
    pub(crate) fn name_programs(&mut self) -> Result<(), Error> {
        for word in self.agents.iter().filter(|word| names_program(word)) {
            let line = word.trim().strip_prefix(PROGRAM).unwrap_or_default().trim_start();
            let line = line.strip_prefix('(').and_then(|line| line.strip_suffix(')'));
            let line =
                line.ok_or_else(|| Error::usage(format!("agent `{word}`: the `(` is not closed")))?;
            AgentCommand::of_spec(word, line, None, None)?;
            let program = SpecProgram { command: line.to_owned(), ms: None };
            self.programs.insert(word.clone(), program);
        }
        Ok(())
    }

    /// Whether pairings that are small enough are computed: an end before its own end is no end of the rules.
    pub(crate) fn computes(&self) -> bool {
        self.exact && self.adjudicate.is_none()
    }

    /// The spec as a text that is the same for the same tournament: one line a key, all keys that
    /// have a value, in a fixed order. It reads back as the same spec.
    pub fn canonical(&self) -> String {
        let texts = |words: &[String]| {
            Some(Value::List(words.iter().map(|word| word[..].into()).collect()))
        };
        let agent = |word: &String| match self.programs.get(word) {
            None => word[..].into(),
            Some(SpecProgram { command, ms }) => table([
                ("name", Some(word[..].into())),
                ("command", Some(command[..].into())),
                ("ms", ms.map(whole)),
            ]),
        };
        let anchor = self.anchor.map(|(agent, rating)| {
            let agent = self.agent(agent).into();
            table([("agent", Some(agent)), ("rating", Some(Value::Float(rating)))])
        });
        let sprt = self.stop.sprt.map(|SprtBounds { elo0, elo1, alpha, beta }| {
            let bounds = [("elo0", elo0), ("elo1", elo1), ("alpha", alpha), ("beta", beta)];
            table(bounds.map(|(key, bound)| (key, Some(Value::Float(bound)))))
        });
        let lines = [
            ("title", self.title.as_deref().map(Value::from)),
            ("scenarios", texts(&self.scenarios)),
            ("agents", Some(Value::List(self.agents.iter().map(agent).collect()))),
            ("format", Some(self.format.word().into())),
            ("games", Some(whole(self.games))),
            ("rounds", self.rounds.map(whole)),
            ("house", texts(&self.house)),
            ("seed", Some(whole(self.seed))),
            ("exact", (!self.exact).then_some(Value::Bool(false))),
            ("anchor", anchor),
            ("adjudicate", self.adjudicate.as_ref().map(Adjudication::canonical)),
            ("stop.within", self.stop.within.map(Value::Float)),
            ("stop.sprt", sprt),
        ];
        let line = |(key, value): (&'static str, Option<Value>)| Some((key, as_toml(&value?)?));
        let lines = lines.into_iter().filter_map(line);
        lines.map(|(key, value)| format!("{key} = {value}\n")).collect()
    }

    /// The SHA-256 digest of the canonical text, in hexadecimal digits.
    pub fn digest(&self) -> String {
        crate::script::digest(&self.canonical())
    }

    /// The seed of the first game of these agents in the seats of a scenario; each further one has the
    /// next. It is below 2^52, so that every program reads the seeds of all games exactly.
    ///
    /// Method: the first 13 hexadecimal digits of the SHA-256 digest of the JSON list of the spec's
    /// seed, the scenario's word, and the agents' words in the order of the seats.
    pub fn first_seed(&self, lineup: &Lineup) -> u64 {
        let text = serde_json::json!([self.seed, self.scenario(lineup), self.seated(lineup)]);
        let digest = crate::script::digest(&text.to_string());
        u64::from_str_radix(digest.get(..13).unwrap_or_default(), 16).unwrap_or_default()
    }

    /// The rounds of `swiss`: without a number of them as many as a knockout would have.
    pub(crate) fn swiss_rounds(&self) -> u64 {
        let enough = u64::from(self.agents.len().next_power_of_two().trailing_zeros());
        self.rounds.unwrap_or(enough)
    }

    /// The word for an agent; empty where there is none of this number.
    pub(crate) fn agent(&self, agent: usize) -> &str {
        self.agents.get(agent).map(String::as_str).unwrap_or_default()
    }

    pub(crate) fn scenario(&self, lineup: &Lineup) -> &str {
        self.scenarios.get(lineup.scenario).map(String::as_str).unwrap_or_default()
    }

    /// The words for the agents, in the order of the seats.
    pub(crate) fn seated(&self, lineup: &Lineup) -> Vec<&str> {
        lineup.agents.iter().map(|&agent| self.agent(agent)).collect()
    }

    /// The path that a word of the spec means: the file beside the spec, if there is one;
    /// else the word as it is. Parameters in parentheses stay. Of a program it is the word for a seat, with
    /// the paths of its arguments that are files beside the spec.
    pub fn beside(&self, word: &str) -> String {
        if let Some(SpecProgram { command, ms }) = self.programs.get(word) {
            let word = AgentCommand::of_spec(word, command, *ms, self.folder.as_deref());
            // That it reads was tested when the spec was read.
            return word.unwrap_or_default();
        }
        match &self.folder {
            // What leads out of the folder was refused when the spec was read.
            Some(folder) => own(folder, word).unwrap_or_else(|_| word.to_owned()),
            None => word.to_owned(),
        }
    }
}

impl Adjudication {
    /// The table of it, the same for the same.
    pub(super) fn canonical(&self) -> Value {
        let Adjudication { questions, draw, beyond, decisions, playouts, agent } = self;
        let expects = beyond.is_some() || draw.is_none();
        table([
            ("questions", questions.map(whole)),
            ("draw", draw.map(Value::Float)),
            ("beyond", beyond.map(Value::Float)),
            ("decisions", beyond.map(|_| whole(*decisions))),
            ("playouts", expects.then(|| whole(*playouts))),
            ("agent", agent.as_deref().map(Value::from)),
        ])
    }
}

fn whole(number: u64) -> Value {
    Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

/// The keys of a table that have a value.
fn table<const N: usize>(keys: [(&str, Option<Value>); N]) -> Value {
    let keys = keys.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
    Value::Map(keys.collect())
}

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(super) use tests::two_agents;
