//! What is left when names remove tokens in turn, round after round, until nobody contests the place?

use rhai::Module;
use rhai::plugin::*;
use rhai::{Array, INT, Map};

use super::values::{Changed, Checked, amount, error, fail, not_negative, show, text};

/// The most names that take part in removal rounds.
const NAMES: usize = 1000;

/// Adds this family to a module.
pub(super) fn register(module: &mut Module) {
    combine_with_exported_module!(module, "rounds", functions);
}

#[export_module]
mod functions {
    use super::*;

    /// Whether at least two names have tokens, and all tokens together exceed a limit.
    ///
    /// `counts`: name -> whole number of 0 or more. `limit`: how many tokens are no conflict; with 0 only the names count.
    ///
    /// # Example
    /// `contested(#{ red: 2, blue: 1 }, 2)` is `true`
    /// `contested(#{ red: 5, blue: 0 }, 2)` is `false`
    #[rhai_fn(return_raw, pure)]
    pub fn contested(counts: &mut Map, limit: INT) -> Checked<bool> {
        let (mut names, mut sum) = (0, 0_i128);
        for (name, count) in counts.iter() {
            let count = read("contested", name, count)?;
            names += usize::from(count > 0);
            sum += i128::from(count);
        }
        Ok(names >= 2 && sum > i128::from(limit))
    }

    /// Plays rounds of removal: in each, every group of an order in its turn takes a token from each of its names, at once. Changes `counts` itself and returns how many each name lost.
    ///
    /// It stops after any group, as soon as at most one name has tokens left or all together are within the limit; the rest stays.
    /// `counts`: name -> whole number of 0 or more. `order`: a list of groups, each a list of names; one without tokens is passed over, one named twice loses twice.
    /// `limit`: how many tokens together are no conflict. `rounds`: the most rounds to play, 0 or more.
    /// Errors: a name in the order that is not in the counts, more than 1,000 names.
    ///
    /// # Example
    /// `remove_in_rounds(#{ red: 5, blue: 3 }, [["blue"], ["red"]], 4, 100)` is `#{ blue: 2, red: 2 }`
    /// `let left = #{ red: 4, blue: 4 }; left.remove_in_rounds([["red", "blue"]], 1, 3); left` is `#{ red: 1, blue: 1 }`
    #[rhai_fn(return_raw)]
    pub fn remove_in_rounds(
        counts: &mut Changed<Map>,
        order: Array,
        limit: INT,
        rounds: INT,
    ) -> Checked<Map> {
        let mut removal = Removal::new(counts, &order, limit)?;
        let mut left = not_negative("remove_in_rounds", "rounds", rounds)?;
        while left > 0 && removal.goes_on() {
            let skipped = removal.skip(left - 1);
            left -= skipped + 1;
            if !removal.round() {
                break;
            }
        }
        Ok(removal.write(counts))
    }
}

/// The count of a name; the place is put into words only where it is wrong.
fn read(function: &str, name: &str, count: &Dynamic) -> Checked<INT> {
    match count.as_int() {
        Ok(number) if number >= 0 => Ok(number),
        _ => amount(function, format_args!("counts.{name}"), count),
    }
}

/// Counts by number instead of by name.
struct Removal {
    /// What each name has, in the order of the map.
    counts: Vec<INT>,
    /// What each name had at first.
    before: Vec<INT>,
    /// How often a name stands in the order.
    times: Vec<INT>,
    /// The names of each group, one group after another.
    names: Vec<usize>,
    /// Where each group ends in `names`.
    ends: Vec<usize>,
    limit: i128,
}

impl Removal {
    fn new(counts: &Map, order: &Array, limit: INT) -> Checked<Removal> {
        const NAME: &str = "remove_in_rounds";
        let mut before = Vec::with_capacity(counts.len());
        for (name, count) in counts {
            before.push(read(NAME, name, count)?);
        }
        let mut times = vec![0; before.len()];
        let mut names = Vec::with_capacity(before.len());
        let mut ends = Vec::with_capacity(order.len());
        for (i, group) in order.iter().enumerate() {
            let Ok(group) = group.as_array_ref() else {
                return fail(NAME, format!("`order[{i}]` must be a list, got {}", show(group)));
            };
            for member in group.iter() {
                let member = text(NAME, format_args!("order[{i}]"), member)?;
                match counts.keys().position(|name| name.as_str() == member.as_str()) {
                    Some(place) => {
                        names.push(place);
                        times[place] += 1;
                    }
                    None => return Err(super::values::no_entry(NAME, "counts", counts, &member)),
                }
                if names.len() > NAMES || counts.len() > NAMES {
                    return Err(error(NAME, format!("more than {NAMES} names")));
                }
            }
            ends.push(names.len());
        }
        let limit = i128::from(limit);
        Ok(Removal { counts: before.clone(), before, times, names, ends, limit })
    }

    fn sum(&self) -> i128 {
        self.counts.iter().map(|&count| i128::from(count)).sum()
    }

    fn goes_on(&self) -> bool {
        self.counts.iter().filter(|&&count| count > 0).take(2).count() == 2
            && self.sum() > self.limit
    }

    /// Plays at once as many whole rounds, at most `most`, as surely end nothing and nobody.
    fn skip(&mut self, most: INT) -> INT {
        let mut rounds = i128::from(most);
        let mut a_round = 0;
        for (&count, &times) in self.counts.iter().zip(&self.times) {
            if count > 0 && times > 0 {
                rounds = rounds.min(i128::from((count - 1) / times));
                a_round += i128::from(times);
            }
        }
        if a_round == 0 {
            return 0;
        }
        rounds = rounds.min((self.sum() - self.limit - 1) / a_round).max(0);
        let rounds = INT::try_from(rounds).unwrap_or(0);
        for (count, times) in self.counts.iter_mut().zip(&self.times) {
            if *count > 0 {
                *count -= rounds * times;
            }
        }
        rounds
    }

    /// Plays a round, and says whether another one can follow.
    fn round(&mut self) -> bool {
        let mut removed = false;
        let mut from = 0;
        for &end in &self.ends {
            for &name in &self.names[from..end] {
                removed |= self.counts[name] > 0;
                self.counts[name] = (self.counts[name] - 1).max(0);
            }
            from = end;
            if !self.goes_on() {
                return false;
            }
        }
        removed
    }

    fn write(self, counts: &mut Map) -> Map {
        let mut lost = Map::new();
        for (((name, count), before), after) in counts.iter_mut().zip(self.before).zip(self.counts)
        {
            if after < before {
                *count = Dynamic::from_int(after);
                lost.insert(name.clone(), Dynamic::from_int(before - after));
            }
        }
        lost
    }
}
