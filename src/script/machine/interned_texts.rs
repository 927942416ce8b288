//! The texts that a script or a setup writes down, each made once.

use hashbrown::HashSet;

use super::value::Text;
use crate::game;

#[derive(Clone, Debug, Default)]
pub(crate) struct Texts(HashSet<Text>);

impl Texts {
    /// The one text of these letters, made where there is none.
    pub(crate) fn intern(&mut self, text: &str) -> Text {
        self.0.get_or_insert_with(text, Text::name).clone()
    }

    /// The one text of these letters where the script writes it down, else a text of its own. Names that
    /// other scripts keep are not looked for: what a run holds must not depend on them.
    pub(crate) fn find(&self, text: &str) -> Text {
        self.known(text).unwrap_or_else(|| Text::new(text))
    }

    /// The one text of these letters, if it is here.
    pub(crate) fn known(&self, text: &str) -> Option<Text> {
        self.0.get(text).cloned()
    }

    pub(crate) fn take_in(&mut self, value: &game::Value) {
        match value {
            game::Value::Text(text) => drop(self.intern(text)),
            game::Value::List(items) => items.iter().for_each(|item| self.take_in(item)),
            game::Value::Map(map) => map.iter().for_each(|(key, item)| {
                self.intern(key);
                self.take_in(item);
            }),
            _ => {}
        }
    }
}
