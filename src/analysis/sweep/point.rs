//! One point of a sweep: parameter values with exact odds or with estimates from playouts.

use serde_json::{Map, Value as Json, json};

use super::Swept;
use crate::analysis::{Chances, Estimated, Tally};
use crate::game::Value;

/// Values of the parameters with the odds there.
#[derive(Clone, Debug)]
pub struct Point {
    /// A value for each parameter of the sweep, in their order.
    pub values: Vec<Value>,
    /// The odds.
    pub found: Found,
    /// The distance above even of the first playouts, one by one; empty if nothing is balanced, or
    /// the odds are exact.
    pub(super) scores: Vec<f64>,
}

/// Odds that are exact, or sampled.
#[derive(Clone, Debug)]
pub enum Found {
    /// The whole graph was explored; dice without a last value are cut off.
    Exact {
        /// The number of nodes.
        nodes: u64,
        /// The exact odds.
        chances: Chances,
    },
    /// Playouts were made.
    Sampled {
        /// The estimates.
        estimated: Estimated,
        /// The counts of their endings.
        tally: Tally,
        /// The reason why the odds are not exact.
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

    /// Whether the caller stopped it before all its playouts were made.
    pub fn is_cut(&self) -> bool {
        matches!(&self.found, Found::Sampled { estimated, .. } if estimated.interrupted)
    }

    /// Whether the odds are exact.
    pub fn is_exact(&self) -> bool {
        matches!(self.found, Found::Exact { .. })
    }

    /// For programs: the values, then the same as `odds` or `estimate` prints.
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
