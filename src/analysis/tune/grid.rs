//! The candidates of a tuning: all values of the parameters times all subsets of the house rules.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::analysis::Swept;
use crate::catalog::{Catalog, ParamSpecs, Setting};
use crate::conflict::{Changes, Conflict};
use crate::error::Error;
use crate::game::Value;
use crate::script::Limits;

/// The most candidates of a tuning.
pub(super) const MOST: u64 = 4096;

/// What is varied.
#[derive(Clone, Debug)]
pub struct CandidateGrid {
    /// The parameters with their values.
    pub params: Vec<Swept>,
    /// The house rules that are laid or not.
    pub house: Vec<String>,
}

/// One way to bend the rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// Its number among all of the grid, from 1.
    #[serde(rename = "candidate")]
    pub number: u64,
    /// The parameters that are varied, with their values.
    pub values: IndexMap<String, Value>,
    /// The house rules that are laid, of those that are varied.
    pub house: Vec<String>,
}

impl CandidateGrid {
    /// Checks what is varied about a conflict.
    ///
    /// # Errors
    /// [`Error::Usage`] where nothing is varied, something twice, or too much; those of a house rule that is not
    /// there or does not compile.
    pub fn new(
        params: Vec<Swept>,
        house: &[String],
        (catalog, conflict, limits): (&Catalog, &Conflict, &Limits),
    ) -> Result<CandidateGrid, Error> {
        if params.is_empty() && house.is_empty() {
            return Err(Error::usage(
                "nothing is varied: add `--vary NAME=VALUES` or `--vary-house NAME,NAME`",
            ));
        }
        let changed = &conflict.changes.params;
        let twice = |swept: &&Swept| changed.iter().any(|setting| setting.name == swept.name);
        if let Some(Swept { name, .. }) = params.iter().find(twice) {
            let message = format!("`{name}` is varied, so `--param {name}=…` cannot hold");
            return Err(Error::usage(message));
        }
        for (number, name) in house.iter().enumerate() {
            if house[..number].contains(name) {
                return Err(Error::usage(format!("the house rule `{name}` is varied twice")));
            }
            if conflict.changes.house.contains(name) {
                let message = format!("`{name}` is varied, so `--house {name}` cannot hold");
                return Err(Error::usage(message));
            }
            let scenario = &conflict.scenario;
            let without = &conflict.changes.without;
            if scenario.house.contains(name) && !without.contains(name) {
                let message = format!("`{name}` is already a house rule of the scenario");
                return Err(Error::usage(message));
            }
            let mut changes = conflict.changes.clone();
            changes.house.push(name.clone());
            Conflict::of(catalog, scenario.clone(), &changes, limits)?;
        }
        let subsets = u32::try_from(house.len()).ok().and_then(|count| 2u64.checked_pow(count));
        let values = params.iter().map(|swept| swept.values.len() as u64);
        let all = values.fold(subsets, |all, count| all?.checked_mul(count));
        if all.is_none_or(|all| all > MOST) {
            let these = all.map_or("more than can be counted".to_owned(), |all| all.to_string());
            let message = format!("these are {these} candidates; a tuning has at most {MOST}");
            return Err(Error::usage(message));
        }
        Ok(CandidateGrid { params, house: house.to_vec() })
    }

    /// Reads the specifications of the parameters of a conflict.
    ///
    /// # Errors
    /// Those of `params.toml`.
    pub fn specs(conflict: &Conflict) -> Result<ParamSpecs, Error> {
        ParamSpecs::read(conflict.folder.params()?.as_ref())
    }

    /// How many candidates there are.
    pub fn all(&self) -> u64 {
        let values: u64 = self.params.iter().map(|swept| swept.values.len() as u64).product();
        values << self.house.len()
    }

    /// A candidate by its number: the fewest house rules first, the last parameter's values first to
    /// change.
    pub fn candidate(&self, number: u64) -> Candidate {
        let mut rest = number.saturating_sub(1);
        let mut values = IndexMap::new();
        for swept in self.params.iter().rev() {
            let count = swept.values.len().max(1) as u64;
            let value = usize::try_from(rest % count).ok().and_then(|at| swept.values.get(at));
            values.insert(swept.name.clone(), value.cloned().unwrap_or_default());
            rest /= count;
        }
        values.reverse();
        let laid = |(at, _): &(usize, &String)| rest >> at & 1 == 1;
        let house = self.house.iter().enumerate().filter(laid).map(|(_, name)| name.clone());
        Candidate { number, values, house: house.collect() }
    }
}

impl Candidate {
    /// What it changes beside what is changed in any case.
    pub fn changes(&self, beside: &Changes) -> Changes {
        let mut changes = beside.clone();
        changes.house.extend(self.house.iter().cloned());
        changes.params.extend(self.settings());
        changes
    }

    fn settings(&self) -> impl Iterator<Item = Setting> {
        self.values.iter().map(Setting::of)
    }

    /// What it changes, in words: `tie=attacker, half_price`.
    pub fn title(&self) -> String {
        let settings = self.settings().map(|setting| setting.to_string());
        let all: Vec<String> = settings.chain(self.house.iter().cloned()).collect();
        if all.is_empty() { "no house rule".to_owned() } else { all.join(", ") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> CandidateGrid {
        let swept = |name: &str, values: &[i64]| Swept {
            name: name.to_owned(),
            values: values.iter().map(|&value| value.into()).collect(),
        };
        CandidateGrid {
            params: vec![swept("a", &[1, 2]), swept("b", &[5, 6, 7])],
            house: vec!["x".to_owned(), "y".to_owned()],
        }
    }

    #[test]
    fn candidates_are_all_values_times_all_subsets() {
        let grid = grid();
        // 2 · 3 values, 4 subsets.
        assert_eq!(grid.all(), 24);
        let titles: Vec<String> = (1..=24).map(|number| grid.candidate(number).title()).collect();
        assert_eq!(titles[..3], ["a=1, b=5", "a=1, b=6", "a=1, b=7"]);
        assert_eq!((&*titles[3], &*titles[6]), ("a=2, b=5", "a=1, b=5, x"));
        assert_eq!((&*titles[12], &*titles[23]), ("a=1, b=5, y", "a=2, b=7, x, y"));
        let mut once = titles.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), 24);
    }
}
