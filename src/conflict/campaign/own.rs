//! Reads which functions the file of a campaign has, and where.

use crate::catalog::Campaign;
use crate::error::{Error, Location};
use crate::script::{Definition, definitions};

/// The function of the contract by which a campaign ends.
const OUTCOME: &str = "outcome";

/// The functions in the file of a campaign.
pub(super) struct Own(Vec<(String, usize, Location)>);

impl Own {
    /// Those of a campaign.
    pub(super) fn read(campaign: &Campaign) -> Own {
        let script = campaign.script.as_ref();
        let of = |found: Definition| {
            let line = found.text.lines().find(|line| line.trim_start().starts_with("fn "));
            let params = line.and_then(|line| line.split_once('(')?.1.split_once(')'));
            let params = params.map_or("", |(params, _)| params.trim());
            let count = if params.is_empty() { 0 } else { params.split(',').count() };
            (found.name, count, found.at)
        };
        let found = script.map(|text| definitions(&text.path, &text.text, 0)).unwrap_or_default();
        Own(found.into_iter().map(of).collect())
    }

    /// Where the function is that makes a setup.
    pub(super) fn begins(&self, name: &str) -> Result<Option<Location>, Error> {
        let Some((_, count, at)) = self.0.iter().find(|(known, ..)| known == name) else {
            let known = self.0.iter().filter(|(name, ..)| name != OUTCOME);
            return Err(Error::unknown("function", name, known.map(|(name, ..)| name.as_str())));
        };
        if *count == 2 {
            return Ok(Some(at.clone()));
        }
        let message = format!("takes `(setup, past)`, but has {count} parameters");
        Err(Error::Setup { place: name.to_owned(), message, nearest: None, at: Some(at.clone()) })
    }

    /// Where the function is that says how the campaign ends.
    pub(super) fn ends(&self) -> Option<Location> {
        let ends = self.0.iter().find(|(name, count, _)| name == OUTCOME && *count == 2);
        ends.map(|(.., at)| at.clone())
    }
}
