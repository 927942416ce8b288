//! A question by its fingerprint, as errors and histories name it.

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
        write!(f, "{verb} `{}`, `{}` (", brief(&self.who), brief(&self.name))?;
        write_list(&self.options, f)?;
        f.write_str(")")?;
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

/// A message lists at most this many options; the rest is counted.
pub(crate) const LISTED: usize = 12;

fn write_list(options: &[Value], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let texts: Vec<String> =
        options.iter().take(LISTED).map(|one| brief(&option_name(one))).collect();
    f.write_str(&texts.join(between(&texts)))?;
    if options.len() > LISTED {
        write!(f, ", and {} more", options.len() - LISTED)?;
    }
    Ok(())
}
