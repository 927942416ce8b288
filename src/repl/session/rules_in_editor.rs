//! Rules that are open in an editor, of which no conflict need be open.

/// Rules of which no conflict is open, in the editor.
#[derive(Clone, Debug)]
pub(crate) struct Edited {
    pub(in crate::repl) system: String,
    /// The house rule that is edited, if it is one.
    pub(in crate::repl) house: Option<String>,
}

impl Edited {
    pub(in crate::repl) fn house(system: &str, house: &str) -> Edited {
        Edited { system: system.to_owned(), house: Some(house.to_owned()) }
    }

    pub(in crate::repl) fn house_rule(&self) -> Option<&str> {
        self.house.as_deref()
    }
}
