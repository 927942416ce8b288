//! Which agent does a word name? `random`, `first`, one of the system's own, or a file's path.

use indexmap::IndexMap;

use super::Scripted;
use crate::catalog::{Folder, Kind, parse_value};
use crate::error::Error;
use crate::game::Value;
use crate::handlers::{Agent, First, Random};
use crate::script::{AgentScript, Layer, Limits};

/// The word for a person at the terminal; who that is, the command knows.
pub const HUMAN: &str = "human";

/// The words that name agents of every system.
const BUILT_IN: [&str; 3] = [HUMAN, "random", "first"];

/// All words that name an agent of a system.
pub fn names(folder: &Folder) -> Vec<String> {
    let built_in = BUILT_IN.iter().map(|&word| word.to_owned());
    built_in.chain(folder.names(Kind::Agent)).collect()
}

/// The agent that a word names; `name(rate=3)` gives a scripted one parameters of its own.
///
/// # Errors
/// [`Error::Unknown`] with the nearest name; [`Error::Script`] where the script does not compile.
pub fn find(word: &str, folder: &Folder, limits: &Limits) -> Result<Box<dyn Agent>, Error> {
    Found::read(word, folder)?.agent(limits)
}

/// What a word names, read once; each thread makes an agent of its own from it.
#[derive(Clone, Debug)]
pub enum Found {
    /// `random`
    Random,
    /// `first`
    First,
    /// A script, with the parameters given to it.
    Script(Layer, IndexMap<String, Value>),
}

impl Found {
    /// Finds what a word names.
    ///
    /// # Errors
    /// [`Error::Unknown`] with the nearest name; [`Error::File`] where it cannot be read.
    pub fn read(word: &str, folder: &Folder) -> Result<Found, Error> {
        match word {
            "random" => return Ok(Found::Random),
            "first" => return Ok(Found::First),
            _ => {}
        }
        let (name, params) = split(word)?;
        let text = folder.find(Kind::Agent, name).map_err(|error| match error {
            Error::Unknown { .. } => {
                let known = names(folder);
                Error::unknown("agent", name, known.iter().map(String::as_str))
            }
            other => other,
        })?;
        let script = Layer { name: word.to_owned(), files: vec![(text.path, text.text)] };
        Ok(Found::Script(script, params))
    }

    /// Makes the agent, for the thread that will ask it.
    ///
    /// # Errors
    /// [`Error::Script`] where the script does not compile.
    pub fn agent(&self, limits: &Limits) -> Result<Box<dyn Agent>, Error> {
        Ok(match self {
            Found::Random => Box::new(Random),
            Found::First => Box::new(First),
            Found::Script(script, params) => {
                let limits = Limits { interrupt: limits.interrupt.clone(), ..Limits::for_agents() };
                Box::new(Scripted::new(AgentScript::load(script, params, limits)?))
            }
        })
    }
}

/// The name and the parameters of `name(a=1, b=[2, 3])`: what stands within is a table of TOML.
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
    fn a_comma_within_a_parameter_parts_nothing() {
        let (_, params) = split("slow(list=[1,2], map={a=1, b=2}, text=\"a, b\")").unwrap();
        let json = |json: &str| serde_json::from_str::<Value>(json).unwrap();
        assert_eq!(params["list"], json("[1, 2]"));
        assert_eq!(params["map"], json(r#"{"a": 1, "b": 2}"#));
        assert_eq!(params["text"], "a, b".into());
    }
}
