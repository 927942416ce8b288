//! What the rules run in a conflict: how often each function, by its clause, and how many steps.

use hashbrown::HashMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::striped::striped;
use super::terrain::{Edge, Terrain};
use super::weight::Weight;
use crate::conflict::Seating;
use crate::error::Error;
use crate::graph::WorkerFactory;
use crate::script::{Counted, Rules, clauses, on_large_stack};

/// How often a function runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClauseUse {
    /// The clause of the rules that the comment above it begins with, if it does.
    pub clause: Option<String>,
    /// The function.
    pub function: String,
    /// The house rule that it belongs to, if it belongs to one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub house: Option<String>,
    /// How often it runs in a conflict, on average.
    pub runs: f64,
}

/// What is run along each edge of a terrain.
pub(super) struct Legs {
    /// What is run, each different one once.
    profiles: Vec<Counted>,
    /// The number of the profile of each edge, by the place and the number of the edge; none where no
    /// conflict comes.
    of_edges: Vec<Vec<u32>>,
    /// What is run up to the first question.
    beginning: Counted,
}

impl Legs {
    /// Runs every edge that is taken once more.
    ///
    /// # Errors
    /// Those of the rules; as [`Seating::is_wanted`].
    pub(super) fn run<A: Weight>(
        seating: &Seating,
        terrain: &Terrain<A>,
        threads: usize,
    ) -> Result<Legs, Error> {
        let worker = || {
            let (explorer, _) = seating.make_worker()?;
            Ok(move |place: usize| -> Result<Vec<Counted>, Error> {
                if !terrain.is_visited(place) {
                    return Ok(Vec::new());
                }
                seating.is_wanted()?;
                let node = terrain.numbers[place];
                let leg = |edge: &Edge<A>| match edge.chance.is_zero() {
                    true => Ok(Counted::default()),
                    false => explorer.leg(node, edge.answer),
                };
                let legs = terrain.edges(place).iter().map(leg).collect();
                explorer.leave(node);
                legs
            })
        };
        let worked = striped(threads, terrain.len(), worker)?;
        if let Some(cut) = worked.cut {
            return Err(cut);
        }
        let mut of_edges = vec![Vec::new(); terrain.len()];
        let mut numbers: HashMap<Counted, u32> = HashMap::new();
        let mut profiles = Vec::new();
        for (place, counted) in worked.done.into_iter().enumerate() {
            let number = |counted: Counted| {
                *numbers.entry(counted).or_insert_with_key(|counted| {
                    profiles.push(counted.clone());
                    u32::try_from(profiles.len() - 1).unwrap_or(u32::MAX)
                })
            };
            of_edges[place] = counted.into_iter().map(number).collect();
        }
        let beginning = on_large_stack(|| seating.make_worker()?.0.leg(0, 0))?;
        Ok(Legs { profiles, of_edges, beginning })
    }

    /// How many steps are begun before the first question.
    pub(super) fn first_steps(&self) -> u64 {
        self.beginning.steps
    }

    /// How many steps are begun after an answer, before the next question.
    pub(super) fn steps(&self, place: usize, edge: usize) -> u64 {
        let number = self.of_edges.get(place).and_then(|edges| edges.get(edge));
        let profile = number.and_then(|number| self.profiles.get(*number as usize));
        profile.map_or(0, |counted| counted.steps)
    }

    /// How often each profile is run in a conflict, as it is expected.
    pub(super) fn runs<A: Weight>(&self, terrain: &Terrain<A>) -> Vec<(&Counted, A)> {
        let mut often = vec![A::zero(); self.profiles.len()];
        for (place, edges) in self.of_edges.iter().enumerate() {
            for (edge, &profile) in terrain.edges(place).iter().zip(edges) {
                let visits = terrain.visits[place].mul(&edge.chance);
                if let Some(own) = often.get_mut(profile as usize) {
                    own.add_assign(&visits);
                }
            }
        }
        let begun = std::iter::once((&self.beginning, A::one()));
        begun.chain(self.profiles.iter().zip(often)).collect()
    }
}

/// The functions of the rules with how often each runs, by its number.
pub(super) fn uses(rules: &Rules, runs: &HashMap<u16, f64>) -> Vec<ClauseUse> {
    let told = |one: crate::script::Countable| {
        let runs = runs.get(&one.number).copied().unwrap_or_default();
        // What lies below another function and is never called is no part of these rules.
        (runs > 0.0 || !one.is_below).then(|| ClauseUse {
            clause: clauses(&one.comments).map(|(clause, _)| clause.to_owned()),
            function: one.name,
            house: one.house,
            runs,
        })
    };
    rules.countable().into_iter().filter_map(told).collect()
}
