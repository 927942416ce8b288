//! The texts that a script or a setup writes down, each made once.

use hashbrown::HashMap;

use super::value::Text;

/// Texts that are made once.
#[derive(Debug, Default)]
pub(crate) struct Texts(HashMap<Text, ()>);

impl Texts {
    /// The one text of these letters, made where there is none.
    pub(crate) fn intern(&mut self, text: &str) -> Text {
        if let Some((known, ())) = self.0.get_key_value(text) {
            return known.clone();
        }
        let new = Text::name(text);
        self.0.insert(new.clone(), ());
        new
    }

    /// The one text of these letters where the script writes it down, else a text of its own. Names that
    /// other scripts keep are not looked for: what a run holds must not depend on them.
    pub(crate) fn find(&self, text: &str) -> Text {
        match self.0.get_key_value(text) {
            Some((known, ())) => known.clone(),
            None => Text::new(text),
        }
    }
}
