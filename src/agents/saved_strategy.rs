//! Agents that play a saved solution: its weights are looked up by what the player knows.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::Ratio;
use num_traits::{One, Signed, ToPrimitive};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::catalog::FileText;
use crate::error::Error;
use crate::game::Answer;
use crate::graph::{Explorer, Insight, allied_words};
use crate::script::digest;

/// The header of a saved solution: which conflict it was computed for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SavedHeader {
    pub fracas_solution: u32,
    pub system: String,
    pub scenario: String,
    /// The digest of rules, parameters and setup: see
    /// [`Blueprint::identity`](crate::script::Blueprint::identity).
    pub identity: String,
    /// Side -> its players, for sides of several.
    #[serde(default)]
    pub sides: IndexMap<String, Vec<String>>,
}

impl SavedHeader {
    /// The key of a line: what the player goes by, and what the same side picked already in the
    /// same joint decision.
    pub(crate) fn key(goes_by: &str, allied: &str) -> String {
        if allied.is_empty() { goes_by.to_owned() } else { format!("{goes_by} while {allied}") }
    }

    pub(crate) const VERSION: u32 = 1;
}

#[derive(Debug)]
pub struct SavedStrategy {
    /// The file's path, as the user gave it.
    pub(crate) path: String,
    pub(crate) digest: String,
    header: SavedHeader,
    /// What to answer, by what the player goes by.
    answers: HashMap<String, Answer>,
}

const LARGEST: u64 = 64 << 20;
/// No weight in one has more digits; what a solver finds has some hundred at most.
const DIGITS: usize = 4_096;
/// Nor has their least common denominator more bits.
const BITS: u64 = 1 << 17;

#[derive(Deserialize)]
struct Head {
    fracas_solution: Option<u32>,
}

#[derive(Deserialize)]
struct SolutionFile {
    #[serde(flatten)]
    header: SavedHeader,
    strategy: Vec<SavedLine>,
}

#[derive(Deserialize)]
struct SavedLine {
    key: String,
    options: Vec<SavedOption>,
}

#[derive(Deserialize)]
struct SavedOption {
    weight: Json,
}

/// Weights that are no fractions become whole numbers out of this; what is less likely is left out.
const PARTS: f64 = (1u64 << 40) as f64;

impl SavedStrategy {
    /// Reads a file that `fracas solve --save` wrote.
    pub fn read(path: &str) -> Result<Arc<SavedStrategy>, Error> {
        SavedStrategy::parse(path, &FileText::read_at_most(Path::new(path), LARGEST)?.text)
    }

    /// Reads what such a file holds; `path` is what it is called.
    pub fn parse(path: &str, text: &str) -> Result<Arc<SavedStrategy>, Error> {
        let wrong = |message: String| Error::Results { path: path.to_owned(), message };
        // Its text is not quoted: it may be any file.
        let head: Head = serde_json::from_str(text).map_err(|error| {
            let (line, column) = (error.line(), error.column());
            wrong(format!("it is not a saved solution: mistake at line {line}, column {column}"))
        })?;
        let expected = SavedHeader::VERSION;
        if head.fracas_solution != Some(expected) {
            return Err(wrong(format!(
                "it is not a saved solution of version {expected}, as `fracas solve --save` writes it"
            )));
        }
        let file: SolutionFile = serde_json::from_str(text)
            .map_err(|error| wrong(format!("the saved solution is damaged: {error}")))?;
        let mut answers = HashMap::new();
        for line in file.strategy {
            let answer = answer(&line.options).ok_or_else(|| {
                wrong(format!("the saved solution is damaged: the weights of `{}`", line.key))
            })?;
            answers.insert(line.key, answer);
        }
        let (path, digest) = (path.to_owned(), digest(text));
        Ok(Arc::new(SavedStrategy { path, digest, header: file.header, answers }))
    }

    /// Tests that it was computed for these rules, parameters and this setup.
    pub fn suits(&self, identity: &str) -> Result<(), Error> {
        if self.header.identity == identity {
            return Ok(());
        }
        let SavedHeader { system, scenario, .. } = &self.header;
        Err(Error::Results {
            path: self.path.clone(),
            message: format!(
                "it was computed for `{scenario}` of `{system}` under other rules, parameters or \
                 another setup than those at hand; `fracas solve` computes a new one"
            ),
        })
    }

    /// What to answer at a decision; all options alike if the file says nothing.
    pub fn at(&self, explorer: &Explorer, node: u32) -> Result<Answer, Error> {
        let graph = explorer.graph();
        let player = graph.question_at(node).map(|asked| &asked.who);
        let sides = self.header.sides.values();
        let side = player.and_then(|player| sides.into_iter().find(|side| side.contains(player)));
        let allied = side.map(|side| allied_words(graph, node, side)).unwrap_or_default();
        let key = SavedHeader::key(&Insight::of(explorer, node)?.key, &allied);
        Ok(self.answer(&key, graph.node(node).answers()))
    }

    fn answer(&self, key: &str, options: usize) -> Answer {
        let fits = |answer: &&Answer| match answer {
            Answer::Any => true,
            Answer::Option(index) => *index < options,
            Answer::Weights(weights) => weights.iter().all(|(at, _)| at < options),
        };
        self.answers.get(key).filter(fits).cloned().unwrap_or(Answer::Any)
    }
}

/// The answer that weights make; `None` if they are no weights.
fn answer(options: &[SavedOption]) -> Option<Answer> {
    let weights: Vec<Ratio<BigInt>> =
        options.iter().map(|choice| weight(&choice.weight)).collect::<Option<_>>()?;
    let lcm = |scale: BigInt, weight: &Ratio<BigInt>| {
        Some(scale.lcm(weight.denom())).filter(|scale| scale.bits() <= BITS)
    };
    let scale = weights.iter().try_fold(BigInt::one(), lcm)?;
    let whole = weights.iter().map(|weight| (weight * &scale).to_integer().into_parts().1);
    Answer::weighed(whole.enumerate())
}

/// A weight as a fraction: `"1/3"`, or a number from 0 to 1.
fn weight(json: &Json) -> Option<Ratio<BigInt>> {
    let weight = match json {
        Json::String(text) if text.len() > DIGITS => return None,
        Json::String(text) => text.parse().ok()?,
        other => {
            let parts = (other.as_f64()? * PARTS).round();
            Ratio::new(BigInt::from(parts.to_i64()?), BigInt::from(PARTS as i64))
        }
    };
    (!weight.is_negative() && weight <= Ratio::one()).then_some(weight)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Arc<SavedStrategy>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("saved.json");
        std::fs::write(&path, text).unwrap();
        SavedStrategy::read(path.to_str().unwrap()).map_err(|error| error.to_string())
    }

    fn line(weights: &str) -> String {
        let options = weights.split(' ').map(|weight| format!("{{\"weight\": {weight}}}"));
        let options = options.collect::<Vec<_>>().join(", ");
        format!(
            "{{\"fracas_solution\": 1, \"system\": \"s\", \"scenario\": \"s/a\", \"identity\": \"i\", \
             \"strategy\": [{{\"key\": \"k\", \"options\": [{options}]}}]}}"
        )
    }

    #[test]
    fn fractions_stay_as_they_are_and_numbers_come_near() {
        let of = |weights: &str| {
            let saved = read(&line(weights)).unwrap();
            match saved.answer("k", 3) {
                Answer::Weights(weights) => weights
                    .iter()
                    .map(|(at, weight)| format!("{at}: {weight}"))
                    .collect::<Vec<_>>()
                    .join(", "),
                other => format!("{other:?}"),
            }
        };
        assert_eq!(of("\"1/6\" \"1/2\" \"1/3\""), "0: 1, 1: 3, 2: 2");
        assert_eq!(of("\"0\" \"1\" \"0\""), "Option(1)");
        assert_eq!(of("0.25 0.75 0"), "0: 1, 1: 3");
        assert_eq!(of("1.0 1e-20 0"), "Option(0)");
        let saved = read(&line("\"1\" \"0\"")).unwrap();
        assert_eq!(saved.answer("elsewhere", 2), Answer::Any);
        assert!(saved.suits("i").is_ok());
        let refused = saved.suits("j").unwrap_err().to_string();
        assert!(refused.contains("`s/a` of `s` under other rules"), "{refused}");
    }

    #[test]
    fn what_is_no_saved_solution_is_refused() {
        assert!(read("{").unwrap_err().contains("not a saved solution"));
        assert!(read("{\"fracas_solution\": 2}").unwrap_err().contains("of version 1"));
        assert!(read("{\"fracas_solution\": 1}").unwrap_err().contains("damaged"));
        for weights in ["-1 2", "\"1/0\" 1", "0 0", "true 1", "2 0", "\"x\" 1"] {
            assert!(read(&line(weights)).unwrap_err().contains("weights of `k`"), "{weights}");
        }
    }
}
