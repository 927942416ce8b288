//! The candidates of a tuning: all values of the parameters times all subsets of the house rules.

use indexmap::IndexMap;

use crate::analysis::Swept;
use crate::catalog::{Catalog, ParamSpecs, Setting, parse_value};
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
    /// The numbers of the candidates that are looked at, upwards.
    pub among: Vec<u64>,
}

/// One way to bend the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Its number among all of the grid, from 1.
    pub number: u64,
    /// The parameters that are varied, with their values.
    pub values: IndexMap<String, Value>,
    /// The house rules that are laid, of those that are varied.
    pub house: Vec<String>,
}

impl CandidateGrid {
    /// Checks what is varied about a conflict. `among` are the candidates to look at, as in `1..5,9`; all
    /// if it is `None`.
    ///
    /// # Errors
    /// [`Error::Usage`] where nothing is varied, something twice, or too much, or where `among` lists no
    /// candidates; those of a house rule that is not there or does not compile.
    pub fn new(
        params: Vec<Swept>,
        house: &[String],
        among: Option<&str>,
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
        let all = match all.filter(|all| *all <= MOST) {
            Some(all) => all,
            None => {
                let these =
                    all.map_or("more than can be counted".to_owned(), |all| all.to_string());
                let message = format!("these are {these} candidates; a tuning has at most {MOST}");
                return Err(Error::usage(message));
            }
        };
        let among = match among {
            None => (1..=all).collect(),
            Some(text) => listed(text, all)?,
        };
        Ok(CandidateGrid { params, house: house.to_vec(), among })
    }

    /// Reads the specifications of the parameters of a conflict.
    ///
    /// # Errors
    /// Those of `params.toml`.
    pub fn specs(conflict: &Conflict) -> Result<ParamSpecs, Error> {
        ParamSpecs::read(conflict.folder.params()?.as_ref())
    }

    /// How many candidates there are, of which some may be left out.
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

    /// The options of the command line that vary the same.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        for Swept { name, values } in &self.params {
            words.extend(["--vary".to_owned(), format!("{name}={}", written(values))]);
        }
        if !self.house.is_empty() {
            words.extend(["--vary-house".to_owned(), self.house.join(",")]);
        }
        words
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

/// Values as a range, where they are one, else as a list.
fn written(values: &[Value]) -> String {
    let whole: Option<Vec<i64>> = values.iter().map(Value::as_int).collect();
    let follow = |pair: &[i64]| pair[0].checked_add(1) == Some(pair[1]);
    match whole.as_deref() {
        Some([first, .., last])
            if values.len() > 2 && whole.iter().all(|all| all.windows(2).all(follow)) =>
        {
            format!("{first}..{last}")
        }
        _ => values.iter().map(typed).collect::<Vec<_>>().join(","),
    }
}

/// A value as a list of values takes it.
fn typed(value: &Value) -> String {
    let bare = value.as_text().filter(|word| {
        let letters = |letter: char| letter.is_alphanumeric() || "_-".contains(letter);
        word.chars().all(letters) && parse_value(word).as_ref() == Ok(value)
    });
    bare.map_or_else(|| value.literal(), str::to_owned)
}

/// The numbers of a list such as `1..5,9`, upwards, each once.
fn listed(text: &str, all: u64) -> Result<Vec<u64>, Error> {
    let refuse = |item: &str| {
        Error::usage(format!(
            "`--among {text}`: `{item}` is not a candidate; write numbers from 1 to {all}, as in `1..5,9`"
        ))
    };
    let mut numbers = Vec::new();
    for item in text.split(',').map(str::trim) {
        let (first, last) = item.split_once("..").unwrap_or((item, item));
        let number = |word: &str| word.trim().parse::<u64>().ok().filter(|n| (1..=all).contains(n));
        match (number(first), number(last)) {
            (Some(first), Some(last)) if first <= last => numbers.extend(first..=last),
            _ => return Err(refuse(item)),
        }
        if numbers.len() as u64 > MOST {
            return Err(refuse(item));
        }
    }
    numbers.sort_unstable();
    numbers.dedup();
    Ok(numbers)
}

/// Numbers upwards as a list that [`CandidateGrid::new`] takes.
pub(super) fn list_of(numbers: &[u64]) -> String {
    let mut parts: Vec<(u64, u64)> = Vec::new();
    for &number in numbers {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => parts.push((number, number)),
        }
    }
    let part = |(first, last): &(u64, u64)| match last - first {
        0 => first.to_string(),
        1 => format!("{first},{last}"),
        _ => format!("{first}..{last}"),
    };
    parts.iter().map(part).collect::<Vec<_>>().join(",")
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
            among: Vec::new(),
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
        assert_eq!(grid.words().join(" "), "--vary a=1,2 --vary b=5..7 --vary-house x,y");
    }

    #[test]
    fn lists_of_candidates_are_read_as_they_are_written() {
        let numbers = [1, 2, 3, 5, 7, 8, 24];
        assert_eq!(list_of(&numbers), "1..3,5,7,8,24");
        assert_eq!(listed(&list_of(&numbers), 24).unwrap(), numbers);
        assert_eq!(listed("3, 1..2,2", 24).unwrap(), [1, 2, 3]);
        for wrong in ["", "0", "25", "5..3", "x", "1..99999999999999999999"] {
            assert!(listed(wrong, 24).is_err(), "{wrong}");
        }
    }

    #[test]
    fn values_are_written_so_that_they_are_read_alike() {
        let all = [
            Value::from("both_lose"),
            Value::from("a,b"),
            Value::from("true"),
            3.into(),
            true.into(),
        ];
        let texts: Vec<String> = all.iter().map(typed).collect();
        assert_eq!(texts, ["both_lose", "\"a,b\"", "\"true\"", "3", "true"]);
        for (value, text) in all.iter().zip(&texts) {
            assert_eq!(parse_value(text).as_ref(), Ok(value));
        }
    }
}
