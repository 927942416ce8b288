//! What is known at one point of a sweep? Exact odds, or what playouts say.

use serde_json::{Map, Value as Json, json};

use super::Swept;
use crate::analysis::{Chances, Estimated, Tally};
use crate::game::Value;

/// Values of the parameters with what they lead to.
#[derive(Clone, Debug)]
pub struct Point {
    /// A value for each parameter of the sweep, in their order.
    pub values: Vec<Value>,
    /// The odds.
    pub found: Found,
    /// How far above even the first playouts ended, one by one; empty where nobody asked, or where
    /// the odds are exact.
    pub(super) scores: Vec<f64>,
}

/// Odds that are exact, or sampled.
#[derive(Clone, Debug)]
pub enum Found {
    /// All that may happen was seen; dice without a last value are cut off.
    Exact {
        /// How many nodes that was.
        nodes: u64,
        /// The exact odds.
        chances: Chances,
    },
    /// Playouts were made.
    Sampled {
        /// What they say.
        estimated: Estimated,
        /// How often they ended which way.
        tally: Tally,
        /// Why the odds are not exact.
        why: String,
    },
}

impl Point {
    /// The odds, whether exact or not.
    pub fn chances(&self) -> &Chances {
        match &self.found {
            Found::Exact { chances, .. } => chances,
            Found::Sampled { estimated, .. } => &estimated.chances,
        }
    }

    /// Whether somebody wanted it to stop before all playouts of it were made.
    pub fn is_cut(&self) -> bool {
        matches!(&self.found, Found::Sampled { estimated, .. } if estimated.interrupted)
    }

    /// Whether all that may happen was seen.
    pub fn is_exact(&self) -> bool {
        matches!(self.found, Found::Exact { .. })
    }

    /// For programs: the values, then what `odds` or `estimate` would print.
    pub fn as_json(&self, swept: &[Swept]) -> Json {
        let values = swept.iter().zip(&self.values);
        let values: Map<String, Json> =
            values.map(|(swept, value)| (swept.name.clone(), json!(value))).collect();
        let mut json = Map::new();
        json.insert("values".to_owned(), Json::Object(values));
        match &self.found {
            Found::Exact { nodes, chances } => {
                json.insert("exact".to_owned(), chances.is_exact().into());
                json.insert("nodes".to_owned(), (*nodes).into());
                chances.write_json(&mut json);
            }
            Found::Sampled { estimated, .. } => {
                if let Json::Object(fields) = estimated.as_json() {
                    json.extend(fields);
                }
            }
        }
        Json::Object(json)
    }
}
