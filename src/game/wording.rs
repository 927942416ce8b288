//! The texts of a question and of its options in a player's words, beside their names.

use indexmap::IndexMap;

use super::Value;

/// The texts of a question. What has none is shown by its name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wording {
    /// The question in a player's words, in one line.
    pub text: Option<String>,
    /// A line that explains it.
    pub help: Option<String>,
    /// The texts of options, by their index.
    pub options: IndexMap<usize, OptionWording>,
    /// Names for which there is a text, and no option.
    pub unknown: Vec<String>,
}

/// The texts of an option.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OptionWording {
    /// What it means, in one line.
    pub text: Option<String>,
    /// A line that explains it.
    pub help: Option<String>,
}

/// The name of an option as people see and type it: `yes` and `no` for true and false.
pub(crate) fn option_name(option: &Value) -> String {
    match option {
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        other => other.to_string(),
    }
}

impl Wording {
    /// The text of an option.
    pub(crate) fn of_option(&self, index: usize) -> Option<&str> {
        self.options.get(&index)?.text.as_deref()
    }

    /// The line that explains an option.
    pub(crate) fn help_of_option(&self, index: usize) -> Option<&str> {
        self.options.get(&index)?.help.as_deref()
    }
}
