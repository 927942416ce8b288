//! A question by its fingerprint, as errors and histories name it; and the first of many names, as any sentence lists
//! them.

use std::fmt;

use super::{Value, brief, option_name};
use crate::error::Location;

/// A question by its fingerprint, to distinguish two questions in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// Whether chance is asked, not a player.
    pub chance: bool,
    /// The player, or the roller.
    pub who: String,
    /// The name of the decision or roll.
    pub name: String,
    /// What was offered, or what may fall.
    pub options: Vec<Value>,
    /// The line of the script that asks.
    pub at: Option<Location>,
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = if self.chance { "a roll for" } else { "a decision of" };
        let options: Vec<String> =
            self.options.iter().map(|one| brief(&option_name(one))).collect();
        let listed = some_of(&options, LISTED, between(&options));
        write!(f, "{verb} `{}`, `{}` ({listed})", brief(&self.who), brief(&self.name))?;
        match &self.at {
            Some(at) => write!(f, ", asked at {at}"),
            None => Ok(()),
        }
    }
}

/// What separates names in a list: where one has a comma of its own, as cells have, a semicolon.
pub(crate) fn between(names: &[String]) -> &'static str {
    if names.iter().any(|name| name.contains(',')) { "; " } else { ", " }
}

/// Of more options than these a message counts the others.
pub(crate) const LISTED: usize = 12;

/// Names in back-ticks.
pub(crate) fn ticked(names: impl IntoIterator<Item = impl fmt::Display>) -> Vec<String> {
    names.into_iter().map(|name| format!("`{name}`")).collect()
}

/// Of more names than these the others are counted, where there is no other bound.
pub(crate) const SOME: usize = 3;

/// The first of several, and how many more there are: `a, b and 4 more`. One more takes no more room than that, and is
/// named too.
pub(crate) fn some_of(
    all: impl IntoIterator<Item = impl Into<String>>,
    most: usize,
    between: &str,
) -> String {
    let mut all = all.into_iter().map(Into::into);
    let mut named: Vec<String> = all.by_ref().take(most + 1).collect();
    let more = match all.count() {
        0 => String::new(),
        further => {
            named.truncate(most);
            // Behind a semicolon it is none of the last one's own list.
            let apart = if between == "; " { ";" } else { "" };
            format!("{apart} and {} more", further + 1)
        }
    };
    named.join(between) + more.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_the_first_are_named_and_the_others_counted() {
        let some = |all: &str| some_of(all.split_whitespace(), 3, ", ");
        assert_eq!([some(""), some("a"), some("a b c d")], ["", "a", "a, b, c, d"]);
        assert_eq!(some("a b c d e"), "a, b, c and 2 more");
        assert_eq!(some_of(["a: 1, 2", "b: 3", "c: 4"], 1, "; "), "a: 1, 2; and 2 more");
    }
}
