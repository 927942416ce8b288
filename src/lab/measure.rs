//! Analysis of scenarios for scripts: odds, estimates, sweeps, portraits, comparisons and tunings.

use indexmap::IndexMap;

use super::context::WorkResult;
use super::convert;
use super::results::ResultKind;
use super::scenario::Opened;
use crate::catalog::Setting;
use crate::commands::OtherConflict;
use crate::conflict::Changes;
use crate::error::Error;
use crate::game::Value;

/// A setup written as TOML, whose tables keep their order.
pub(super) fn setup_of(text: &str) -> Result<Value, Error> {
    use crate::catalog::{Document, FileText};
    let text = FileText { path: "the setup".to_owned(), text: text.to_owned() };
    Document::parse(text).map(|document| document.root)
}

/// What a script hands over as parameters: a name and its values, as a map.
pub(super) fn one(name: &str, values: &rhai::Dynamic) -> Result<Value, Error> {
    let values = convert::of_dynamic(values, name)?;
    Ok(Value::Map([(name.to_owned(), values)].into_iter().collect()))
}

impl Opened {
    /// The differences to another scenario, of the odds and of what the conflict is like.
    pub(super) fn compare(
        &self,
        other: &Opened,
        options: &IndexMap<String, Value>,
    ) -> Result<WorkResult, Error> {
        let words = self.words("compare", options)?;
        let (changes, parts) = self.changed_to(other);
        let other = OtherConflict { conflict: &other.conflict, words: changes, parts };
        self.run_beside("compare", ResultKind::Compared, &words, Some(other))
    }

    /// In words how another scenario differs, and the changes that make each of the differences alone. Of
    /// scenarios that differ in more than house rules and parameters, the other one.
    fn changed_to(&self, other: &Opened) -> (Vec<String>, Vec<Changes>) {
        let (own, its) = (&self.changes, &other.changes);
        let same = self.conflict.scenario.name == other.conflict.scenario.name
            && self.conflict.scenario.setup == other.conflict.scenario.setup
            && self.conflict.scenario.begin == other.conflict.scenario.begin
            && (&own.seats, &own.without) == (&its.seats, &its.without);
        let house = its.house.strip_prefix(&own.house[..]).filter(|_| same);
        let is = |one: &Setting, two: &Setting| one.name == two.name && one.value == two.value;
        let begins = its.params.len() >= own.params.len()
            && own.params.iter().zip(&its.params).all(|(one, two)| is(one, two));
        let params = begins.then(|| &its.params[own.params.len()..]);
        let (Some(house), Some(params)) = (house, params) else {
            return (vec![other.title()], vec![its.clone()]);
        };
        let mut all: Vec<(String, Changes)> = Vec::new();
        for name in house {
            let mut part = own.clone();
            part.house.push(name.clone());
            all.push((name.clone(), part));
        }
        for one in params {
            let mut part = own.clone();
            part.params.push(one.clone());
            all.push((format!("{}={}", one.name, one.value), part));
        }
        match all.is_empty() {
            true => (vec![other.title()], vec![its.clone()]),
            false => all.into_iter().unzip(),
        }
    }
}
