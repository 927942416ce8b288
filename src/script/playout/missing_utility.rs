//! Refuses an outcome in which a player has no utility.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use crate::error::{Error, ScriptError, nearest};
use crate::script::rules::Rules;

impl Rules {
    /// From here on these players must have a utility in every outcome, and all who are asked in the
    /// same run; without players nobody must.
    pub fn expect(&self, players: Option<BTreeSet<String>>) {
        self.players.replace(players);
    }

    /// Who must have a utility: see [`Rules::expect`].
    pub fn expected(&self) -> Option<BTreeSet<String>> {
        self.players.borrow().clone()
    }

    /// The mistake of an outcome in which not all of these players have a utility.
    pub(crate) fn missing_utility<'a, T>(
        &self,
        utility: &IndexMap<String, T>,
        players: impl IntoIterator<Item = &'a str>,
    ) -> Error {
        let players: BTreeSet<&str> = players.into_iter().collect();
        let list = |names: &mut dyn Iterator<Item = &str>| {
            names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        };
        let lacking = || players.iter().copied().filter(|player| !utility.contains_key(*player));
        let named = match utility.is_empty() {
            true => "nobody".to_owned(),
            false => list(&mut utility.keys().map(String::as_str)),
        };
        let message = format!(
            "`utility` lacks {}, asked or seated; here `utility` is for {named}",
            list(&mut lacking())
        );
        // A name that is not a player's was meant for one that is missing.
        let strangers = utility.keys().filter(|name| !players.contains(name.as_str()));
        let near = |name: &String| nearest(name, lacking());
        let nearest = strangers.into_iter().find_map(near);
        match self.contract("outcome", message) {
            Error::Script(error) => ScriptError { nearest, ..*error }.into(),
            other => other,
        }
    }
}
