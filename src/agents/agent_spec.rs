//! Creates agents from the word that names them (`random`, `search:1000`, a script).

use indexmap::IndexMap;

use std::sync::Arc;

use super::program::AgentCommand;
use super::program_agent::ProgramAgent;
use super::search::{MOST, SIMULATIONS};
use super::{CompiledAgents, SavedStrategy, SharedThinking, Thinker, ThinkingPlan};
use crate::catalog::{
    FileKind, Folder, HUMAN, PROGRAM, REFUSED_PROGRAM, SOLVED, names_program, parse_value,
};
use crate::error::{AgentFault, Error, nearest};
use crate::game::Value;
use crate::graph::{Agent, Always, GoesBy};
use crate::script::{AgentScript, Blueprint, Fields, Layer, Limits, Warning};

/// The words that name agents of every system, each with a description.
pub(crate) const BUILT_IN: [(&str, &str); 7] = [
    (HUMAN, "a person at the terminal"),
    ("random", "each option is as likely as the others"),
    ("first", "the first option that is offered"),
    ("greedy", "the option that is best if everybody plays at random from here"),
    ("search:500", "the option that this many simulations find best: Monte Carlo tree search"),
    (
        "solved(FILE)",
        "the strategy that `fracas solve --save FILE` computed; at random where the strategy says nothing",
    ),
    ("command(PROGRAM)", "a program, asked by lines of JSON: see `scripts/protocol.md`"),
];

/// An answer of a program takes about as long as this many playouts, or longer.
const OF_A_PROGRAM: u64 = 50;

const SEARCH: &str = "search";

/// What a word names, read once; each thread makes an agent of its own from it.
#[derive(Clone, Debug)]
pub enum AgentSpec {
    Random,
    First,
    /// `greedy`, `search:500`, `solved(ford.json)`
    Thinker(ThinkingPlan),
    /// A script, with the parameters given to it.
    Script(Layer, IndexMap<String, Value>),
    /// `command(python3 mine.py)`
    Program(Arc<AgentCommand>),
}

impl AgentSpec {
    /// Finds what a word names that a person wrote, who may also name a program.
    pub fn of_person(word: &str, folder: &Folder) -> Result<AgentSpec, Error> {
        match AgentCommand::read(word, folder)? {
            Some(program) => Ok(AgentSpec::Program(Arc::new(program))),
            None => AgentSpec::read(word, folder),
        }
    }

    /// Finds what a word names; `name(rate=3)` gives a script parameters of its own. It is no program, since the word
    /// may come from a file.
    pub fn read(word: &str, folder: &Folder) -> Result<AgentSpec, Error> {
        if let Some(spec) = AgentSpec::without_parameters(word) {
            return Ok(spec);
        }
        if let Some(simulations) = simulations(word).transpose()? {
            return Ok(AgentSpec::Thinker(ThinkingPlan::Search(simulations)));
        }
        if names_program(word) {
            return Err(Error::agent(word, AgentFault::Own, REFUSED_PROGRAM).unasked());
        }
        if let Some(path) = solution(word).transpose()? {
            return Ok(AgentSpec::Thinker(ThinkingPlan::Solved(SavedStrategy::read(path)?)));
        }
        let name = word.split('(').next().unwrap_or(word);
        if AgentSpec::without_parameters(name).is_some() {
            let message = format!("agent `{word}`: `{name}` takes no parameters");
            return Err(Error::usage(message));
        }
        let text = folder.find(FileKind::Agent, name).map_err(|error| match error {
            Error::Unknown { .. } => {
                let mut known = BUILT_IN.map(|(word, _)| word.to_owned()).to_vec();
                known.extend(folder.names(FileKind::Agent));
                // How many simulations are asked for is no part of a mistake in the name.
                if let Some((_, many)) = name.split_once(':')
                    && let meant = format!("{SEARCH}:{many}")
                    && let Some(Ok(_)) = simulations(&meant)
                    && let Some(search) = known.iter_mut().find(|name| name.starts_with(SEARCH))
                {
                    *search = meant;
                }
                let mut error = Error::unknown_of("agent", name, &known);
                if let Error::Unknown { nearest: near @ None, .. } = &mut error
                    && let Some(meant) = nearest(name, [PROGRAM, SOLVED])
                {
                    *near = known.into_iter().find(|known| known.starts_with(&meant));
                }
                error
            }
            other => other,
        })?;
        let (_, params) = split(word)?;
        let script = Layer {
            name: word.to_owned(),
            files: vec![(text.path, text.text)],
            ..Layer::default()
        };
        Ok(AgentSpec::Script(script, params))
    }

    fn without_parameters(name: &str) -> Option<AgentSpec> {
        match name {
            "random" => Some(AgentSpec::Random),
            "first" => Some(AgentSpec::First),
            "greedy" => Some(AgentSpec::Thinker(ThinkingPlan::Greedy)),
            _ => None,
        }
    }

    /// Makes the agent, for a thread that has compiled these.
    pub fn agent(
        &self,
        shared: &SharedThinking,
        compiled: &CompiledAgents,
    ) -> Result<Box<dyn Agent>, Error> {
        Ok(match self {
            AgentSpec::Random => Box::new(Always::RANDOM),
            AgentSpec::First => Box::new(Always::FIRST),
            AgentSpec::Thinker(plan) => {
                self.suits(shared.graph.identity())?;
                Box::new(Thinker::new(plan.clone(), shared))
            }
            AgentSpec::Script(script, params) => {
                Box::new(compiled.agent(script, || load(script, params, &shared.blueprint))?)
            }
            AgentSpec::Program(program) => Box::new(ProgramAgent::new(program, shared)),
        })
    }

    /// Begins a program, which says what its answers depend on; nothing for another agent.
    pub(crate) fn greet(&self, shared: &SharedThinking) -> Result<Option<GoesBy>, Error> {
        match self {
            AgentSpec::Program(program) => ProgramAgent::new(program, shared).greet().map(Some),
            _ => Ok(None),
        }
    }

    /// What a program said that it is called, once it was begun.
    pub(crate) fn own_name(&self, shared: &SharedThinking) -> Option<String> {
        match self {
            AgentSpec::Program(program) => shared.programs.crew(program).name(&shared.scenario),
            _ => None,
        }
    }

    /// About how many playouts an answer costs; 0 for an agent that does not think ahead.
    pub fn playouts(&self) -> u64 {
        match self {
            AgentSpec::Thinker(ThinkingPlan::Greedy) => super::greedy::COST,
            AgentSpec::Thinker(ThinkingPlan::Search(simulations)) => u64::from(*simulations),
            AgentSpec::Program(_) => OF_A_PROGRAM,
            _ => 0,
        }
    }

    /// Whether the agent plays under rules, parameters and a setup of this digest.
    pub fn suits(&self, identity: &str) -> Result<(), Error> {
        match self {
            AgentSpec::Thinker(ThinkingPlan::Solved(saved)) => saved.suits(identity),
            _ => Ok(()),
        }
    }

    /// Whether the agent can be made to play by these rules.
    pub fn check(&self, rules: &Blueprint) -> Result<(), Error> {
        match self {
            AgentSpec::Script(script, params) => load(script, params, rules).map(drop),
            _ => Ok(()),
        }
    }

    /// Warnings about its script, where views may have these fields.
    pub(crate) fn warnings(&self, rules: &Blueprint, seen: &Fields) -> Result<Vec<Warning>, Error> {
        match self {
            AgentSpec::Script(script, params) => Ok(load(script, params, rules)?.warnings(seen)),
            _ => Ok(Vec::new()),
        }
    }
}

/// What a word means: the same for two spellings of an agent, as for `search` and `search:500`.
pub(crate) fn meaning(word: &str) -> (String, IndexMap<String, Value>) {
    match (simulations(word), split(word)) {
        (Some(Ok(simulations)), _) => (format!("{SEARCH}:{simulations}"), IndexMap::new()),
        (None, Ok((name, params))) if name != SOLVED && name != PROGRAM => {
            (name.to_owned(), params)
        }
        _ => (word.to_owned(), IndexMap::new()),
    }
}

fn load(
    script: &Layer,
    params: &IndexMap<String, Value>,
    rules: &Blueprint,
) -> Result<AgentScript, Error> {
    let limits = Limits { budget: rules.limits.budget.clone(), ..Limits::for_agents() };
    AgentScript::load(script, params, Some(rules), limits)
}

/// How many simulations `search:500` asks for, or `search` alone; `None` for another word.
fn simulations(word: &str) -> Option<Result<u32, Error>> {
    let rest = word.strip_prefix(SEARCH)?;
    let number = match rest.strip_prefix(':') {
        Some(number) => number,
        None if rest.is_empty() => return Some(Ok(SIMULATIONS)),
        // `search(500)` and `search500` mean this agent too; `searcher` may be a script's name.
        None if rest.starts_with(|c: char| c == '(' || c == '=' || c.is_ascii_digit()) => "",
        None => return None,
    };
    let read = number.parse().ok().filter(|simulations| (1..=MOST).contains(simulations));
    Some(read.ok_or_else(|| {
        Error::usage(format!(
            "agent `{word}`: write it as `{SEARCH}:{SIMULATIONS}`, with 1 to {MOST} simulations"
        ))
    }))
}

/// The path in `solved(path)`, or how to write it; nothing for another word.
fn solution(word: &str) -> Option<Result<&str, Error>> {
    let rest = word.strip_prefix(SOLVED)?;
    if !rest.is_empty() && !rest.starts_with('(') {
        return None;
    }
    let path = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let path = path.map(str::trim).filter(|path| !path.is_empty());
    Some(path.ok_or_else(|| {
        Error::usage(format!(
            "agent `{word}`: write it as `{SOLVED}(FILE)`, with a file of `fracas solve --save FILE`"
        ))
    }))
}

/// The name and the parameters of `name(a=1, b=[2, 3])`, which are read as a table of TOML.
fn split(word: &str) -> Result<(&str, IndexMap<String, Value>), Error> {
    let Some((name, rest)) = word.split_once('(') else {
        return Ok((word, IndexMap::new()));
    };
    let Some(inner) = rest.strip_suffix(')') else {
        return Err(Error::usage(format!("agent `{word}`: the `(` is not closed")));
    };
    match parse_value(&format!("{{{inner}}}")) {
        Ok(Value::Map(params)) => Ok((name, params)),
        Ok(_) => Err(Error::usage(format!(
            "agent `{word}`: write its parameters as in TOML, `{name}(rate=3, style=\"calm\")`"
        ))),
        Err(reason) => Err(Error::usage(format!("agent `{word}`: {reason}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_takes_parameters_in_parentheses() {
        let (name, params) = split("bluffer(rate=3, style=\"calm\")").unwrap();
        assert_eq!(name, "bluffer");
        assert_eq!(params["rate"], 3.into());
        assert_eq!(params["style"], "calm".into());
        assert!(split("bluffer(rate=3").unwrap_err().to_string().contains("not closed"));
        for wrong in ["bluffer(rate)", "bluffer(rate=1}, x={a=1)", "bluffer(rate=1e999)"] {
            assert_eq!(split(wrong).unwrap_err().kind(), "usage", "{wrong}");
        }
        assert!(split("bluffer()").unwrap().1.is_empty());
    }

    #[test]
    fn two_spellings_mean_one_agent() {
        for (one, other) in [
            ("search", "search:500"),
            ("bluffer(rate=3, style=1)", "bluffer( style = 1, rate = 3 )"),
            ("bluffer", "bluffer()"),
        ] {
            assert_eq!(meaning(one), meaning(other));
        }
        for (one, other) in [("search:5", "search:50"), ("b(x=1)", "b(x=2)"), ("b", "b(x=1)")] {
            assert_ne!(meaning(one), meaning(other));
        }
    }

    #[test]
    fn a_search_says_how_many_simulations_it_takes() {
        let read = |word| simulations(word).map(|read| read.map_err(|error| error.to_string()));
        assert_eq!(read("search:200"), Some(Ok(200)));
        assert_eq!(read("search"), Some(Ok(SIMULATIONS)));
        for other in ["searcher", "greedy", "research:3", ""] {
            assert_eq!(read(other), None, "{other}");
        }
        let wrong = [
            "search:",
            "search:0",
            "search:-1",
            "search:1e3",
            "search:x",
            "search:10000001",
            "search(500)",
            "search500",
            "search:5.0",
            "search: 5",
        ];
        for word in wrong {
            let message = read(word).unwrap().unwrap_err();
            assert!(message.contains(&format!("`{word}`: write it as `search:500`")), "{message}");
        }
        assert!(BUILT_IN.iter().any(|(word, _)| *word == format!("search:{SIMULATIONS}")));
    }

    #[test]
    fn a_comma_within_a_parameter_parts_nothing() {
        let (_, params) = split("slow(list=[1,2], map={a=1, b=2}, text=\"a, b\")").unwrap();
        let json = |json: &str| serde_json::from_str::<Value>(json).unwrap();
        assert_eq!(params["list"], json("[1, 2]"));
        assert_eq!(params["map"], json(r#"{"a": 1, "b": 2}"#));
        assert_eq!(params["text"], "a, b".into());
    }
}
