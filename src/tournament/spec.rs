//! The spec of a tournament: a TOML file, or the same map from a script of the lab. `fracas doc spec` lists its keys.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde::Serialize;

use super::Lineup;
use crate::agents::{AgentCommand, BUILT_IN, HUMAN, LONGEST_NAME, MOST_MS, meaning};
use crate::catalog::{
    Document, DocumentTable, FileText, PROGRAM, REFUSED_PROGRAM, names_program, own,
};
use crate::conflict::as_toml;
use crate::error::Error;
use crate::game::Value;
use crate::report::{Block, Report, is_wild};

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
    /// Reads a spec from the text of its file.
    ///
    /// # Errors
    /// [`Error::Toml`] with its place: syntax, an unknown key, a wrong kind, a number out of its
    /// range, an agent that is listed twice, a rule that the format has no use for.
    pub fn parse(text: FileText) -> Result<Spec, Error> {
        let document = Document::parse(text)?;
        let root = DocumentTable::root(&document)?;
        let mut spec = read(&root)?;
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
                let spec = read(&DocumentTable::of_map(entries))?;
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
            Some(SpecProgram { command, ms }) => table_of([
                ("name", Some(word[..].into())),
                ("command", Some(command[..].into())),
                ("ms", ms.map(number_of)),
            ]),
        };
        let anchor = self.anchor.map(|(agent, rating)| {
            let agent = self.agent(agent).into();
            table_of([("agent", Some(agent)), ("rating", Some(Value::Float(rating)))])
        });
        let sprt = self.stop.sprt.map(|SprtBounds { elo0, elo1, alpha, beta }| {
            let bounds = [("elo0", elo0), ("elo1", elo1), ("alpha", alpha), ("beta", beta)];
            table_of(bounds.map(|(key, bound)| (key, Some(Value::Float(bound)))))
        });
        let lines = [
            ("title", self.title.as_deref().map(Value::from)),
            ("scenarios", texts(&self.scenarios)),
            ("agents", Some(Value::List(self.agents.iter().map(agent).collect()))),
            ("format", Some(self.format.word().into())),
            ("games", Some(number_of(self.games))),
            ("rounds", self.rounds.map(number_of)),
            ("house", texts(&self.house)),
            ("seed", Some(number_of(self.seed))),
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
        table_of([
            ("questions", questions.map(number_of)),
            ("draw", draw.map(Value::Float)),
            ("beyond", beyond.map(Value::Float)),
            ("decisions", beyond.map(|_| number_of(*decisions))),
            ("playouts", expects.then(|| number_of(*playouts))),
            ("agent", agent.as_deref().map(Value::from)),
        ])
    }
}

fn number_of(number: u64) -> Value {
    Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

/// The keys of a table that have a value.
fn table_of<const N: usize>(keys: [(&str, Option<Value>); N]) -> Value {
    let keys = keys.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
    Value::Map(keys.collect())
}

// Reads a spec strictly: each error names the key, its place, and what was expected.

/// The games for each pairing and scenario where the spec does not say.
const GAMES: u64 = 100;
/// The most of each thing: a larger number is a slip of the hand, and would not end.
const MOST_GAMES: u64 = 1_000_000_000;
const MOST_AGENTS: usize = 500;
const MOST_SCENARIOS: usize = 500;
const MOST_ROUNDS: u64 = 1_000;
const MOST_ELO: f64 = 2_000.0;
const MOST_RATING: f64 = 10_000.0;
const MOST_UTILITY: f64 = 1e9;
const MOST_QUESTIONS: u64 = 99_999;
const MOST_PLAYOUTS: u64 = 1_000_000;
/// What `adjudicate` has where it does not say.
const DECISIONS: u64 = 4;
const PLAYOUTS: u64 = 100;

fn read(root: &DocumentTable<'_>) -> Result<Spec, Error> {
    root.only(&below(""))?;
    let (agents, programs) = agents(root)?;
    let people = |agent: &String| agent == HUMAN;
    if let Some(index) = agents.iter().position(people) {
        return Err(root.wrong(&format!("agents.{index}"), "is a person, who plays no tournament"));
    }
    let format = format(root)?;
    let rounds = whole(root, "rounds", 1, MOST_ROUNDS)?;
    if rounds.is_some() && format != FormatName::Swiss {
        let message = format!("is for `swiss`, not for `{}`", format.word());
        return Err(root.wrong("rounds", &message));
    }
    // Whoever has met everybody can only meet somebody again.
    let most = (agents.len() - 1 + agents.len() % 2) as u64;
    if rounds.is_some_and(|rounds| rounds > most) {
        let message = format!("must be {most} or less: then all {} have met", agents.len());
        return Err(root.wrong("rounds", &message));
    }
    Ok(Spec {
        title: root.text("title")?,
        scenarios: {
            root.need("scenarios")?;
            different(root, "scenarios", root.texts("scenarios")?, (1, MOST_SCENARIOS))?
        },
        stop: stop(root, agents.len())?,
        anchor: anchor(root, &agents)?,
        adjudicate: adjudicate(root, &agents)?,
        agents,
        programs,
        format,
        games: whole(root, "games", 1, MOST_GAMES)?.unwrap_or(GAMES),
        rounds,
        house: different(root, "house", root.texts("house")?, (0, usize::MAX))?,
        seed: whole(root, "seed", 0, i64::MAX as u64)?.unwrap_or(1),
        exact: truth(root, "exact")?.unwrap_or(true),
        folder: None,
    })
}

fn agents(root: &DocumentTable<'_>) -> Result<(Vec<String>, IndexMap<String, SpecProgram>), Error> {
    root.need("agents")?;
    let (mut names, mut programs) = (Vec::new(), IndexMap::new());
    for (index, item) in root.list("agents")?.unwrap_or_default().iter().enumerate() {
        let at = format!("agents.{index}");
        match item {
            // What a person names at the prompt is a word; scripts are refused where words are read.
            Value::Text(word) if names_program(word) && root.is_of_file() => {
                let how = "is a program: write it as `{ name = \"mine\", command = \"python3 mine.py\" }`";
                return Err(root.wrong(&at, how));
            }
            Value::Text(word) => names.push(word.clone()),
            Value::Map(_) => {
                let table = root.table_at("agents", index, item)?;
                table.only(&below("agents."))?;
                let (name, command) = (table.need_text("name")?, table.need_text("command")?);
                is_name(&name).map_err(|why| table.wrong("name", &why))?;
                if BUILT_IN.into_iter().any(|(word, _)| meaning(word).0 == meaning(&name).0) {
                    return Err(table.wrong("name", "is the name of an agent of every system"));
                }
                let program = SpecProgram { command, ms: whole(&table, "ms", 1, MOST_MS)? };
                let word = AgentCommand::of_spec(&name, &program.command, program.ms, None);
                word.map_err(|error| table.wrong("command", &error.to_string()))?;
                programs.insert(name.clone(), program);
                names.push(name);
            }
            other => {
                let what = "a text, or a table of `name` and `command`";
                return Err(root.must_be(&at, what, other));
            }
        }
    }
    Ok((different(root, "agents", names, (2, MOST_AGENTS))?, programs))
}

fn is_name(name: &str) -> Result<(), String> {
    let letters = name.chars().count();
    match name.chars().find(|letter| letter.is_control() || is_wild(*letter)) {
        _ if name.trim().is_empty() => Err("is empty".to_owned()),
        Some(letter) => Err(format!("must be plain text in one line, got {letter:?} in it")),
        None if letters > LONGEST_NAME => {
            Err(format!("must have at most {LONGEST_NAME} characters, got {letters}"))
        }
        None => Ok(()),
    }
}

/// A list of different words whose length is bounded.
fn different(
    root: &DocumentTable<'_>,
    key: &str,
    words: Vec<String>,
    (least, most): (usize, usize),
) -> Result<Vec<String>, Error> {
    if words.len() < least || words.len() > most {
        let message = format!("must have {least} to {most} items, got {}", words.len());
        return Err(root.wrong(key, &message));
    }
    for (index, word) in words.iter().enumerate() {
        let at = format!("{key}.{index}");
        if word.trim().is_empty() {
            return Err(root.wrong(&at, "is empty"));
        }
        if words.iter().take(index).any(|other| other == word) {
            return Err(root.wrong(&at, &format!("is listed twice: `{word}`")));
        }
        let same = |other: &&String| meaning(other) == meaning(word);
        if key == "agents"
            && let Some(other) = words.iter().take(index).find(same)
        {
            let message = format!("is listed twice: `{word}` is the same as `{other}`");
            return Err(root.wrong(&at, &message));
        }
    }
    Ok(words)
}

fn format(root: &DocumentTable<'_>) -> Result<FormatName, Error> {
    let word = root.need_text("format")?;
    let known = FormatName::ALL.map(FormatName::word);
    let found = FormatName::ALL.into_iter().find(|format| format.word() == word);
    found.ok_or_else(|| root.unknown("format", &word, &known))
}

fn stop(root: &DocumentTable<'_>, agents: usize) -> Result<StopRule, Error> {
    let Some(table) = root.table("stop")? else { return Ok(StopRule::default()) };
    if table.get("allocate").is_some() {
        let message =
            "is no longer a key: all pairings play the same number of games. Delete the line";
        return Err(table.wrong("allocate", message));
    }
    table.only(&below("stop."))?;
    let within = number(&table, "within")?;
    if within.is_some_and(|points| points <= 0.0) {
        return Err(table.wrong("within", "must be above 0: it is a number of Elo points"));
    }
    let sprt = table.table("sprt")?.map(|table| sprt(&table)).transpose()?;
    if sprt.is_some() && agents != 2 {
        return Err(table.wrong("sprt", &format!("is for two agents, and here are {agents}")));
    }
    Ok(StopRule { within, sprt })
}

fn sprt(table: &DocumentTable<'_>) -> Result<SprtBounds, Error> {
    table.only(&below("stop.sprt."))?;
    let elo = |key: &str| {
        let value = within(table, key, (-MOST_ELO, MOST_ELO))?;
        value.ok_or_else(|| table.wrong(key, "is missing"))
    };
    let (elo0, elo1) = (elo("elo0")?, elo("elo1")?);
    if elo0 >= elo1 {
        return Err(table.wrong("elo1", &format!("must be above `elo0`, {elo0}, got {elo1}")));
    }
    let chance = |key: &str| {
        let value = number(table, key)?.unwrap_or(0.05);
        if value <= 0.0 || value >= 0.5 {
            return Err(table.wrong(key, &format!("must be above 0 and below 0.5, got {value}")));
        }
        Ok(value)
    };
    Ok(SprtBounds { elo0, elo1, alpha: chance("alpha")?, beta: chance("beta")? })
}

fn anchor(root: &DocumentTable<'_>, agents: &[String]) -> Result<Option<(usize, f64)>, Error> {
    let Some(table) = root.table("anchor")? else { return Ok(None) };
    table.only(&below("anchor."))?;
    let word = table.need_text("agent")?;
    let known: Vec<&str> = agents.iter().map(String::as_str).collect();
    let agent = known.iter().position(|agent| *agent == word);
    let agent = agent.ok_or_else(|| table.unknown("agent", &word, &known))?;
    let rating = within(&table, "rating", (-MOST_RATING, MOST_RATING))?;
    Ok(Some((agent, rating.unwrap_or_default())))
}

fn adjudicate(root: &DocumentTable<'_>, agents: &[String]) -> Result<Option<Adjudication>, Error> {
    let Some(table) = root.table("adjudicate")? else { return Ok(None) };
    table.only(&below("adjudicate."))?;
    let questions = whole(&table, "questions", 1, MOST_QUESTIONS)?;
    let (draw, beyond) = (number(&table, "draw")?, number(&table, "beyond")?);
    for (key, utility) in [("draw", draw), ("beyond", beyond)] {
        if utility.is_some_and(|utility| utility.abs() > MOST_UTILITY) {
            let least = if key == "draw" { -MOST_UTILITY } else { 0.0 };
            return Err(table.wrong(key, &format!("must be from {least} to {MOST_UTILITY}")));
        }
    }
    if questions.is_none() && beyond.is_none() {
        return Err(root.wrong("adjudicate", "needs `questions` or `beyond`: when a game ends"));
    }
    if draw.is_some() && questions.is_none() {
        return Err(
            table.wrong("draw", "is for games that end after `questions`, which is missing")
        );
    }
    if beyond.is_some_and(|beyond| beyond <= 0.0) {
        return Err(table.wrong("beyond", "must be above 0: it is a utility, or its negative"));
    }
    let decisions = whole(&table, "decisions", 1, MOST_QUESTIONS)?;
    if decisions.is_some() && beyond.is_none() {
        return Err(table.wrong("decisions", "is for `beyond`, which is missing"));
    }
    let playouts = whole(&table, "playouts", 1, MOST_PLAYOUTS)?;
    let agent = table.text("agent")?;
    for (key, is_there) in [("playouts", playouts.is_some()), ("agent", agent.is_some())] {
        if is_there && beyond.is_none() && draw.is_some() {
            return Err(table.wrong(key, "is of no use: with `draw` nothing is expected"));
        }
    }
    let is_own = |word: &String| agents.contains(word);
    match agent.as_ref().filter(|word| !is_own(word)) {
        Some(word) if word == HUMAN => {
            return Err(table.wrong("agent", "is a person, who plays no tournament"));
        }
        Some(word) if names_program(word) => {
            return Err(table.wrong("agent", "is a program: list it in `agents`, and name it here"));
        }
        _ => {}
    }
    Ok(Some(Adjudication {
        questions,
        draw,
        beyond,
        decisions: decisions.unwrap_or(DECISIONS),
        playouts: playouts.unwrap_or(PLAYOUTS),
        agent,
    }))
}

fn whole(
    table: &DocumentTable<'_>,
    key: &str,
    least: u64,
    most: u64,
) -> Result<Option<u64>, Error> {
    let number = |value: &Value| u64::try_from(value.as_int()?).ok();
    let within = |value| number(value).filter(|number| (least..=most).contains(number));
    table.read(key, &format!("a whole number from {least} to {most}"), within)
}

fn truth(table: &DocumentTable<'_>, key: &str) -> Result<Option<bool>, Error> {
    let truth = |value: &Value| if let Value::Bool(truth) = value { Some(*truth) } else { None };
    table.read(key, "`true` or `false`", truth)
}

fn number(table: &DocumentTable<'_>, key: &str) -> Result<Option<f64>, Error> {
    let number = |value: &Value| value.as_number().filter(|number| number.is_finite());
    table.read(key, "a number", number)
}

/// A number between two bounds, these included.
fn within(
    table: &DocumentTable<'_>,
    key: &str,
    (least, most): (f64, f64),
) -> Result<Option<f64>, Error> {
    let value = number(table, key)?;
    match value.is_some_and(|value| value < least || value > most) {
        true => Err(table.wrong(key, &format!("must be from {least} to {most}"))),
        false => Ok(value),
    }
}

// The keys of a spec: what reads one knows no others, and `fracas doc spec` prints them.

#[derive(Clone, Copy, Debug, Serialize)]
struct SpecKey {
    /// Its name, behind that of its table.
    key: &'static str,
    /// What holds where it is left out; empty where nothing does.
    default: &'static str,
    required: bool,
    meaning: &'static str,
}

/// A line a key: its name, what holds where it is left out, what it means.
const KEYS: &str = r#"title |  | what it is called; optional
scenarios | (required) | one or more, by name or path
agents | (required) | two or more, by the words that name them: `"search:200"`, `"bluffer(rate=3)"`, a path; a program in any language is `{ name = "mine", command = "python3 mine.py", ms = 1000 }`
agents.name | (required) | of a program: what it is called, in a line of at most 40 characters
agents.command | (required) | of a program: the program and its arguments
agents.ms | 10000 | of a program: the milliseconds that it has for an answer
format | (required) | `round_robin` (every two meet; with more than two seats, tables are chosen so that few pairs meet twice), `swiss`, `knockout`, `gauntlet` (the first agent meets all others) or `every_lineup` (each meets each and itself in all seats, for the meta-game of the seats)
games | 100 | for each pairing and scenario; seats are exchanged in turn
rounds |  | of `swiss`; as many as a knockout would have, if left out
house | [] | house rules applied to all scenarios, in order
seed | 1 | the seed of chance; `--seed` overrides it
exact | true | small pairings are computed exactly, where that takes at most a tenth of the time of playing them, or some seconds in all; `false`, or `--no-exact`, plays them like the others
adjudicate.questions |  | a game ends after this many questions, of players and of chance; with `adjudicate` all pairings are played
adjudicate.draw |  | the utility of each seat of a game that ends so; if it is left out, each has what it can expect there, so games must end by themselves at last
adjudicate.beyond |  | a game ends where a seat can expect this utility or more, or its negative or less; each seat has what it can expect
adjudicate.decisions | 4 | how many decisions of the seat in a row must confirm it
adjudicate.playouts | 100 | how many playouts, with the seed of the game, the expectation is the mean of
adjudicate.agent |  | who plays on in them for all seats, such as `"random"`; if it is left out, those who play the game
anchor.agent | (required) | one of the agents, whose rating is held; without it the mean of all is 0
anchor.rating | 0 | the Elo points at which it is held; intervals are then of the distance from it
stop.within |  | stop when every rating's 95 % half-width is below this many Elo points; optional
stop.sprt.elo0 | (required) | stop by a sequential test between two agents: the first is this many Elo points better, or fewer
stop.sprt.elo1 | (required) | or it is this many points better, or more
stop.sprt.alpha | 0.05 | the probability to accept `elo1` where `elo0` holds
stop.sprt.beta | 0.05 | the probability to accept `elo0` where `elo1` holds"#;

fn all_keys() -> impl Iterator<Item = SpecKey> {
    KEYS.lines().filter_map(|line| {
        let mut parts = line.splitn(3, " | ");
        let (key, default, meaning) = (parts.next()?, parts.next()?, parts.next()?);
        let required = default == REQUIRED;
        Some(SpecKey { key, default: if required { "" } else { default }, required, meaning })
    })
}

/// What a line has in the place of a default where the key must be there.
const REQUIRED: &str = "(required)";

/// The names of the keys, and of tables of them, directly below this table.
fn below(table: &str) -> Vec<&'static str> {
    let rest = all_keys().filter_map(|key| key.key.strip_prefix(table));
    let mut names: Vec<&str> = rest.map(|rest| rest.split('.').next().unwrap_or(rest)).collect();
    names.dedup();
    names
}

/// All keys in a table, for people and for programs.
pub(crate) fn report_of_keys() -> Report<'static> {
    let row = |key: &SpecKey| {
        let default = if key.required { REQUIRED } else { key.default };
        [key.key, default, key.meaning].map(str::to_owned).to_vec()
    };
    let keys: Vec<SpecKey> = all_keys().collect();
    let table = Block::table(["key", "if left out", "means"], keys.iter().map(row));
    Report::of(keys, vec![table])
}

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(super) use tests::two_agents;
